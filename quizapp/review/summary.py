"""What a session came to."""

from __future__ import annotations

import datetime as dt
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from quizapp.decks.card import Card
from quizapp.review.types import Grade, Outcome


@dataclass(frozen=True)
class Graded:
    """One grade of a session; without an outcome in a cram, which leaves the schedule as it is."""

    card: Card
    grade: Grade
    outcome: Outcome | None
    seconds: float
    was_new: bool


@dataclass(frozen=True)
class Summary:
    """The grades given, the cards learned, the days they come back, the hardest three, and how many were left."""

    grades: Mapping[Grade, int]
    cards: int
    learned: int
    comes_back: Mapping[dt.date, int]
    hardest: tuple[Card, ...]
    left: int
    seconds: float


def summarise(graded: Sequence[Graded], *, left: int, cram: bool) -> Summary:
    """Sum up the grades of a session; in a cram nothing is learned."""
    agains = Counter(one.card.id for one in graded if one.grade is Grade.AGAIN)
    last = {one.card.id: one for one in graded}
    hard = sorted(
        (one for one in last.values() if agains[one.card.id] or one.grade is Grade.HARD),
        key=lambda one: (-agains[one.card.id], -(one.outcome.memory.difficulty if one.outcome else 0.0)),
    )
    return Summary(
        grades=Counter(one.grade for one in graded),
        cards=len(last),
        learned=0 if cram else len({one.card.id for one in graded if one.was_new}),
        comes_back=dict(sorted(Counter(one.outcome.due for one in last.values() if one.outcome).items())),
        hardest=tuple(one.card for one in hard[:3]),
        left=left,
        seconds=sum(one.seconds for one in graded),
    )
