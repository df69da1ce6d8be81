"""A home of its own for each test, and a short way to log a review."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from quizapp.config import Config
from quizapp.home import Home
from quizapp.review.leech import is_leech
from quizapp.review.scheduler import KernelScheduler
from quizapp.review.types import Grade, Review
from quizapp.storage import SqliteStore, open_store

NOON = dt.datetime(2026, 11, 30, 12, tzinfo=dt.timezone(dt.timedelta(hours=1)))
Answer = Callable[..., Review]


@pytest.fixture
def home(tmp_path: Path) -> Home:
    return Home(tmp_path / "home")


@pytest.fixture
def store(home: Home) -> Iterator[SqliteStore]:
    with open_store(home, write=True, now=NOON) as opened:
        yield opened


@pytest.fixture
def answer() -> Answer:
    """Grade a card as a session does: by the scheduler, at noon of the study day."""
    scheduler = KernelScheduler(Config())

    def grade_card(
        store: SqliteStore, card: str, grade: int = 3, days: int = 0, confidence: float | None = None
    ) -> Review:
        at = NOON + dt.timedelta(days=days)
        state = store.state(card)
        outcome = scheduler.outcome(state, Grade(grade), at.date())
        review = Review(
            card=card,
            grade=outcome.grade,
            at=at,
            day=at.date(),
            interval=outcome.interval,
            due=outcome.due,
            stability=outcome.memory.stability,
            difficulty=outcome.memory.difficulty,
            seconds=4.25,
            confidence=confidence,
        )
        store.add_review(review, leech=is_leech(state, review.grade, review.day, 8))
        return review

    return grade_card
