"""``quizapp log``."""

from __future__ import annotations

import datetime as dt
import math
from collections.abc import Callable
from typing import Any

import pytest

from quizapp.home import Home
from quizapp.review.types import Review
from quizapp.storage import open_store

Run = Callable[..., Any]
Answer = Callable[..., Review]
NOON = dt.datetime(2026, 11, 30, 12, tzinfo=dt.timezone(dt.timedelta(hours=1)))


def test_json_has_every_review_oldest_first(home: Home, quizapp: Run, answer: Answer) -> None:
    with open_store(home, write=True) as store:
        answer(store, "zz-why", 3, days=-3, confidence=0.75)
        answer(store, "zz-slope", 1)
        answer(store, "zz-slope", 4)
        store.undo(NOON, NOON.date())
    first, second = quizapp("log", "--json").json
    assert first == {
        "at": "2026-11-27T12:00:00.000+01:00",
        "day": "2026-11-27",
        "card": "zz-why",
        "grade": "good",
        "interval": 2,
        # FSRS-6's start: stability w3, difficulty w4 - e^(2 w5) + 1.
        "stability": 2.3065,
        "difficulty": pytest.approx(6.4133 - math.exp(2 * 0.8334) + 1, rel=1e-12),
        "seconds": 2.5,
        "confidence": 0.75,
    }
    assert (second["card"], second["grade"], second["interval"], second["confidence"]) == (
        "zz-slope",
        "again",
        1,
        None,
    )
    everything = quizapp("log", "--all", "--json").json
    assert [(row["grade"], row["undone"]) for row in everything] == [
        ("good", False),
        ("again", False),
        ("easy", True),
    ]


def test_one_cards_log_as_text(home: Home, quizapp: Run, answer: Answer) -> None:
    with open_store(home, write=True) as store:
        answer(store, "zz-why", 3)
        answer(store, "zz-slope", 1)
    assert (
        quizapp("log", "--card", "zz-slope").out
        == "2026-11-30 12:00  again  next 2026-12-01 (1 d)  zz-slope\n"
    )


def test_the_log_of_a_removed_card_is_kept(home: Home, quizapp: Run, answer: Answer) -> None:
    with open_store(home, write=True) as store:
        answer(store, "zz-removed", 3)
    assert [row["card"] for row in quizapp("log", "--card", "zz-removed", "--json").json] == ["zz-removed"]


def test_a_card_without_reviews_has_an_empty_log_and_an_unknown_one_is_a_mistake(quizapp: Run) -> None:
    ran = quizapp("log", "--card", "zz-base", "--json")
    assert (ran.code, ran.json) == (0, [])
    assert quizapp("log").out == "no reviews yet\n"
    ran = quizapp("log", "--card", "zz-nobody")
    assert (ran.code, ran.out) == (2, "")
    assert (
        ran.err
        == "quizapp: log: no card zz-nobody, neither in the library nor in the log; see quizapp cards\n"
    )
