"""A real Anki collection for a test, and what is put into it. Needs the ``anki`` package (the group ``interop``)."""

from __future__ import annotations

import datetime as dt
import random
from pathlib import Path
from typing import Any

import pytest

from quizapp.config import Config
from quizapp.decks.cloze import deletions
from quizapp.decks.entry import Entry, entries
from quizapp.decks.load import load_decks, sources
from quizapp.derivations.reading import load_library
from quizapp.exchange.model import Bundle, DeckText, PastReview
from quizapp.review.scheduler import KernelScheduler
from quizapp.review.types import CardState, Grade

ROOT = Path(__file__).parents[2]
MODIFIED = 1_790_000_000


class World:
    """An Anki collection in a folder of its own."""

    def __init__(self, folder: Path) -> None:
        self._anki: Any = pytest.importorskip("anki.collection")
        folder.mkdir()
        self.col: Any = self._anki.Collection(str(folder / "collection.anki2"))
        self.col.set_config("fsrs", True)

    def take(self, package: Path, *, schedule: bool) -> dict[str, int]:
        """Import a package; returns how many notes were new, updated and so on."""
        options = self._anki.ImportAnkiPackageOptions(with_scheduling=schedule, with_deck_configs=True)
        request = self._anki.ImportAnkiPackageRequest(package_path=str(package), options=options)
        log = self.col.import_anki_package(request).log
        names = (
            "new",
            "updated",
            "duplicate",
            "conflicting",
            "first_field_match",
            "missing_notetype",
            "missing_deck",
        )
        return {
            name: len(getattr(log, name)) for name in (*names, "empty_first_field") if len(getattr(log, name))
        }

    def give(self, package: Path, *, legacy: bool, schedule: bool) -> Path:
        """Export all decks."""
        options = self._anki.ExportAnkiPackageOptions(
            with_scheduling=schedule, with_deck_configs=schedule, with_media=True, legacy=legacy
        )
        self.col.export_anki_package(out_path=str(package), options=options, limit=None)
        return package

    def rows(self, query: str, *values: Any) -> list[Any]:
        return [tuple(row) for row in self.col.db.all(query, *values)]

    def note(self, guid: str) -> Any:
        return self.col.get_note(self.col.db.scalar("SELECT id FROM notes WHERE guid = ?", guid))

    def date(self, due: int) -> dt.date:
        """The day of a due number, counted from Anki's own today."""
        today = dt.datetime.fromtimestamp(self.col.sched.day_cutoff - 86400).date()  # noqa: DTZ006  (Anki's clock)
        return today + dt.timedelta(days=due - self.col.sched.today)

    def is_sound(self) -> bool:
        return bool(self.col.fix_integrity()[1])


def library() -> tuple[DeckText, ...]:
    """The decks of this checkout."""
    return tuple(
        DeckText(deck.name, deck.title, deck.description, entries(deck.cards))
        for deck in load_decks(list(sources(ROOT / "decks")), None)
    )


def bundle(decks: tuple[DeckText, ...], *, schedule: bool, modified: dict[str, int] | None = None) -> Bundle:
    """The decks with, if wanted, a history of every second card that ends yesterday.

    Anki takes its own clock, and refuses to export what lies in the future: so this is the real time.
    """
    now = dt.datetime.now().astimezone().replace(microsecond=0)
    day = (now - dt.timedelta(hours=4)).date()
    times = {entry.id: MODIFIED for deck in decks for entry in deck.entries} | (modified or {})
    states, reviews = history(decks, now, day) if schedule else ({}, ())
    return Bundle(
        decks, times, now, day, 4, 0.9, with_schedule=schedule, states=states, reviews=reviews,
        derivations=load_library([ROOT / "derivations"]),
    )  # fmt: skip


def history(
    decks: tuple[DeckText, ...], now: dt.datetime, day: dt.date
) -> tuple[dict[str, CardState], tuple[PastReview, ...]]:
    """Answers as the real scheduler would have asked for them, and the states that follow."""
    source = random.Random(11)
    scheduler = KernelScheduler(Config())
    states: dict[str, CardState] = {}
    reviews: list[PastReview] = []
    cards = [card for deck in decks for entry in deck.entries for card in card_ids(entry)]
    for number, card in enumerate(cards):
        if number % 7 == 6:
            states[card] = CardState(card, suspended=number % 2 == 0, marked=number % 2 == 1)
        if number % 13 == 1:
            states[card] = CardState(card, buried_on=day)
        if number % 2:
            continue
        state = CardState(
            card,
            suspended=number % 10 == 4,
            marked=number % 12 == 2,
            leech=number % 22 == 8,
            # Anki holds back a card for one reason at a time.
            buried_on=day if number % 26 == 0 and number % 10 != 4 else None,
        )
        when = day - dt.timedelta(days=source.randint(5, 200))
        while when < day:
            grade = source.choice((Grade.AGAIN, Grade.HARD, Grade.GOOD, Grade.GOOD, Grade.EASY))
            outcome = scheduler.outcome(state, grade, when)
            at = dt.datetime.combine(when, dt.time(18), now.tzinfo) + dt.timedelta(
                milliseconds=number * 1000 + 7
            )
            reviews.append(
                PastReview(
                    card, grade, at, round(source.uniform(1, 90), 3), outcome.interval, when, outcome.due,
                    outcome.memory.stability, outcome.memory.difficulty,
                )
            )  # fmt: skip
            state = CardState(
                card, outcome.memory, outcome.due, outcome.interval, state.reviews + 1,
                state.lapses + (grade is Grade.AGAIN and state.reviews > 0),
                state.suspended, state.buried_on, state.marked, state.leech,
            )  # fmt: skip
            when = outcome.due + dt.timedelta(days=source.randint(0, 3))
        states[card] = state
    reviews.sort(key=lambda review: review.at)
    return states, tuple(reviews)


def card_ids(entry: Entry) -> list[str]:
    holes = sorted({hole.number for text in (entry.heading, entry.prompt) for hole in deletions(text)})
    return [f"{entry.id}:{number}" for number in holes] if entry.kind == "cloze" else [entry.id]
