"""Grades, reviews and memory: the plain data that review, storage and the fronts share."""

from __future__ import annotations

import datetime as dt
import enum
from typing import Literal, Protocol

import msgspec

from quizapp.decks.card import Card


class Grade(enum.IntEnum):
    """How well a card was recalled."""

    AGAIN = 1
    HARD = 2
    GOOD = 3
    EASY = 4

    @property
    def word(self) -> str:
        return self.name.lower()


class Memory(msgspec.Struct, frozen=True):
    """FSRS's memory of a card after its last review.

    ``stability`` in days (the interval after which recall falls to 90 %), ``difficulty`` from 1 to 10,
    ``day`` the study day of the last review.
    """

    stability: float
    difficulty: float
    day: dt.date


class CardState(msgspec.Struct, frozen=True):
    """All that the log says about one card. ``memory`` and ``due`` are None while the card is new."""

    card: str
    memory: Memory | None = None
    due: dt.date | None = None
    interval: int = 0
    reviews: int = 0
    lapses: int = 0
    suspended: bool = False
    buried_on: dt.date | None = None
    marked: bool = False
    leech: bool = False


class Outcome(msgspec.Struct, frozen=True):
    """What a grade would do: the memory after it, and when the card is next due."""

    grade: Grade
    memory: Memory
    interval: int
    due: dt.date


class Review(msgspec.Struct, frozen=True):
    """One graded answer: a row of the review log.

    ``at`` is the moment with its UTC offset, ``day`` the study day; ``seconds`` from question to grade;
    ``confidence`` from 0 to 1 where the learner gave one.
    """

    card: str
    grade: Grade
    at: dt.datetime
    day: dt.date
    interval: int
    due: dt.date
    stability: float
    difficulty: float
    seconds: float
    confidence: float | None = None
    undone: bool = False


Action = Literal["review", "suspend", "unsuspend", "bury", "mark", "unmark", "reset", "carry", "reschedule"]


class Undone(msgspec.Struct, frozen=True):
    """What an undo took back: of several cards ``card`` is the first and ``cards`` their number."""

    action: Action
    card: str
    grade: Grade | None = None
    cards: int = 1

    @property
    def words(self) -> str:
        """``good on CARD``, ``reset of 3 cards``, ``import of 868 actions``."""
        if self.cards > 1:
            of_one_kind = self.action in ("reset", "reschedule")
            return (
                f"{self.action} of {self.cards:,} cards"
                if of_one_kind
                else f"import of {self.cards:,} actions"
            )
        return (
            f"{self.grade.word} on {self.card}" if self.grade is not None else f"{self.action} of {self.card}"
        )


class Store(Protocol):
    """What a session needs of storage. Each method that writes commits before it returns."""

    def state(self, card: str) -> CardState: ...

    def states(self) -> dict[str, CardState]: ...

    def last_day(self) -> dt.date | None:
        """The latest study day in the log: a day never runs backwards."""

    def add_review(self, review: Review, *, leech: bool) -> None: ...

    def set_suspended(self, card: str, suspended: bool, at: dt.datetime, day: dt.date) -> None: ...

    def bury(self, card: str, at: dt.datetime, day: dt.date) -> None: ...

    def set_marked(self, card: str, marked: bool, at: dt.datetime, day: dt.date) -> None: ...

    def undo(self, at: dt.datetime, day: dt.date) -> Undone | None:
        """Take back the latest action that was not taken back yet; None where there is none."""

    def done_on(self, day: dt.date) -> tuple[frozenset[str], frozenset[str]]:
        """The cards first seen on that day, and the other cards reviewed on it."""


class Clock(Protocol):
    """Where the time comes from; passed in, so that tests and ``QUIZAPP_NOW`` can fix it."""

    def now(self) -> dt.datetime:
        """The moment, with the local UTC offset."""

    def seconds(self) -> float:
        """A counter that never runs backwards, for how long an answer took."""


class Scheduler(Protocol):
    """Turns a card's memory and a grade into what comes next."""

    def outcome(self, state: CardState, grade: Grade, day: dt.date) -> Outcome: ...

    def preview(self, state: CardState, day: dt.date) -> dict[Grade, Outcome]: ...

    def recall(self, memory: Memory, day: dt.date) -> float:
        """Predicted probability of recall on that day, from 0 to 1."""


__all__ = [
    "Action",
    "Card",
    "CardState",
    "Clock",
    "Grade",
    "Memory",
    "Outcome",
    "Review",
    "Scheduler",
    "Store",
    "Undone",
]
