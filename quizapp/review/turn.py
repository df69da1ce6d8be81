"""The card in hand, and the grade that what was done with it speaks for."""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping
from dataclasses import dataclass

from quizapp.decks.card import Card
from quizapp.review.check import Checked
from quizapp.review.question import Question
from quizapp.review.types import CardState, Grade, Outcome


@dataclass(frozen=True)
class Turn:
    """The card in hand, and all that was done with it so far."""

    card: Card
    question: Question
    state: CardState
    day: dt.date
    outcomes: Mapping[Grade, Outcome]
    opened: float
    answered: bool = False
    hints: int = 0
    ticked: frozenset[int] = frozenset()
    checked: Checked | None = None
    suggestion: Grade | None = None

    @property
    def suggested_grade(self) -> Grade:
        """The grade that the answer, the ticks and the hints speak for; the learner decides."""
        if self.suggestion is not None:
            return self.suggestion
        if self.checked is not None and self.checked.verdict in ("right", "wrong"):
            if self.checked.verdict == "wrong":
                return Grade.AGAIN
            return Grade.HARD if self.hints else Grade.GOOD
        points = len(self.card.fields.points)
        if self.ticked and points:
            share = len(self.ticked) / points
            if share < 0.5:
                return Grade.AGAIN
            return Grade.HARD if share < 1 or self.hints else Grade.GOOD
        return Grade.HARD if self.hints else Grade.GOOD
