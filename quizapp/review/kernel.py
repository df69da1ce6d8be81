"""FSRS-6 in plain Python, for bulk work: whole logs, forecasts, recall of every card on the home screen.

Importing ``fsrs`` costs more than all of that together. The formulas are those of the FSRS-6 description
(open-spaced-repetition, "The Algorithm", FSRS-6); ``tests/review/test_kernel.py`` holds them
against ``fsrs``.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from quizapp.review.weights import complete_weights

LOWEST_STABILITY = 0.001
# A century: beyond it the numbers only overflow, and Anki keeps the same limit.
HIGHEST_STABILITY = 36500.0


class Kernel:
    """The memory model for one set of weights (17, 19 or 21; none means the defaults)."""

    def __init__(self, weights: Sequence[float] = ()) -> None:
        self.weights = w = complete_weights(weights)
        self._decay = -w[20]
        self._factor = 0.9 ** (1.0 / self._decay) - 1.0
        self._easy_start = w[4] - math.exp(w[5] * 3.0) + 1.0
        self._growth = math.exp(w[8])
        self._forget_limit = math.exp(w[17] * w[18])

    def recall(self, stability: float, elapsed: int) -> float:
        """Probability of recall after ``elapsed`` study days, for a stability in days."""
        return (1.0 + self._factor * max(elapsed, 0) / stability) ** self._decay  # type: ignore[no-any-return]

    def interval(self, stability: float, retention: float, maximum: int) -> int:
        """Whole days until recall falls to ``retention``: at least 1, at most ``maximum``."""
        days: float = stability / self._factor * (retention ** (1.0 / self._decay) - 1.0)
        return max(1, min(round(min(days, HIGHEST_STABILITY)), maximum))

    def first(self, grade: int) -> tuple[float, float]:
        """Stability (days) and difficulty (1 to 10) after the first review."""
        w = self.weights
        return max(w[grade - 1], LOWEST_STABILITY), _difficulty(w[4] - math.exp(w[5] * (grade - 1)) + 1.0)

    def next(self, stability: float, difficulty: float, grade: int, elapsed: int) -> tuple[float, float]:
        """Stability and difficulty after a review ``elapsed`` study days after the one before."""
        if elapsed < 1:
            grown = self._same_day(stability, grade)
        elif grade == 1:
            grown = self._forgotten(stability, difficulty, self.recall(stability, elapsed))
        else:
            grown = self._recalled(stability, difficulty, self.recall(stability, elapsed), grade)
        w = self.weights
        moved = difficulty - w[6] * (grade - 3) * (10.0 - difficulty) / 9.0
        difficulty = _difficulty(w[7] * self._easy_start + (1.0 - w[7]) * moved)
        return min(max(grown, LOWEST_STABILITY), HIGHEST_STABILITY), difficulty

    def _same_day(self, stability: float, grade: int) -> float:
        w = self.weights
        change: float = math.exp(w[17] * (grade - 3 + w[18])) * stability ** -w[19]
        return stability * (change if grade == 1 else max(change, 1.0))

    def _forgotten(self, stability: float, difficulty: float, recall: float) -> float:
        w = self.weights
        left: float = (
            w[11]
            * difficulty ** -w[12]
            * ((stability + 1.0) ** w[13] - 1.0)
            * math.exp((1.0 - recall) * w[14])
        )
        return min(left, stability / self._forget_limit)

    def _recalled(self, stability: float, difficulty: float, recall: float, grade: int) -> float:
        w = self.weights
        weight = w[15] if grade == 2 else w[16] if grade == 4 else 1.0
        growth: float = (
            self._growth * (11.0 - difficulty) * stability ** -w[9] * (math.exp((1.0 - recall) * w[10]) - 1.0)
        )
        return stability * (1.0 + growth * weight)


def _difficulty(value: float) -> float:
    return min(max(value, 1.0), 10.0)
