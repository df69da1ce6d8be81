"""The schedule: what each grade makes of a card's memory, and when the card comes back.

Everything is counted in study days, so the time of day and the time zone never matter here.
"""

from __future__ import annotations

import datetime as dt
from typing import TYPE_CHECKING

from quizapp.config import Config
from quizapp.review.fuzz import draw, fuzz_bounds, fuzzed
from quizapp.review.kernel import HIGHEST_STABILITY, Kernel
from quizapp.review.types import CardState, Grade, Memory, Outcome

if TYPE_CHECKING:
    import fsrs

# Written to each review, so that a log outlives the model that scheduled it.
SCHEDULER_NAME = "fsrs6"


class KernelScheduler:
    """FSRS-6 by the plain kernel: the same outcomes as FsrsScheduler, many times faster."""

    def __init__(self, config: Config) -> None:
        self.kernel = Kernel(config.weights)
        self._retention = config.desired_retention
        self._maximum = config.maximum_interval

    def outcome(self, state: CardState, grade: Grade, day: dt.date) -> Outcome:
        """What ``grade`` on the study day ``day`` leads to; the card is due at the earliest tomorrow."""
        return self.preview(state, day)[grade]

    def preview(self, state: CardState, day: dt.date) -> dict[Grade, Outcome]:
        """The outcome of every grade: hard before good before easy, unless the maximum makes them meet."""
        memories = {grade: self.remember(state.memory, grade, day) for grade in Grade}
        plain = {
            grade: self.kernel.interval(memory.stability, self._retention, self._maximum)
            for grade, memory in memories.items()
        }
        intervals = _spread(plain, self._maximum, draw(state.card, state.reviews), previous=state.interval)
        return {
            grade: Outcome(grade, memories[grade], days, day + dt.timedelta(days=days))
            for grade, days in intervals.items()
        }

    def recall(self, memory: Memory, day: dt.date) -> float:
        """Predicted probability of recall on that study day, from 0 to 1."""
        return self.kernel.recall(memory.stability, (day - memory.day).days)

    def remember(self, memory: Memory | None, grade: Grade, day: dt.date) -> Memory:
        """The memory after a grade on that study day; one before the last review counts as its day."""
        if memory is None:
            return Memory(*self.kernel.first(grade), day)
        elapsed = (day - memory.day).days
        return Memory(
            *self.kernel.next(memory.stability, memory.difficulty, grade, elapsed), max(day, memory.day)
        )


class FsrsScheduler(KernelScheduler):
    """FSRS-6 by the official ``fsrs`` package, which is imported with the first grade.

    ``fsrs`` counts in periods of 24 hours, so it is shown noon UTC of the study day. Its fuzz and its
    learning steps stay off: fuzz is ours, and a card that failed comes back within the session.
    """

    def __init__(self, config: Config) -> None:
        super().__init__(config)
        self._fsrs: fsrs.Scheduler | None = None

    def remember(self, memory: Memory | None, grade: Grade, day: dt.date) -> Memory:
        import fsrs

        if self._fsrs is None:
            self._fsrs = fsrs.Scheduler(
                parameters=self.kernel.weights,
                desired_retention=self._retention,
                learning_steps=(),
                relearning_steps=(),
                maximum_interval=self._maximum,
                enable_fuzzing=False,
            )
        # An id of our own: without one the package sleeps to make a unique one of the clock.
        card = fsrs.Card(card_id=1)
        if memory is not None:
            day = max(day, memory.day)
            last = _noon(memory.day)
            card = fsrs.Card(
                card_id=1,
                state=fsrs.State.Review,
                step=None,
                stability=memory.stability,
                difficulty=memory.difficulty,
                due=last,
                last_review=last,
            )
        after, _ = self._fsrs.review_card(card, fsrs.Rating(int(grade)), _noon(day))
        if after.stability is None or after.difficulty is None:
            raise AssertionError("fsrs returned a reviewed card without a memory")
        return Memory(min(after.stability, HIGHEST_STABILITY), after.difficulty, day)


def _noon(day: dt.date) -> dt.datetime:
    return dt.datetime(day.year, day.month, day.day, 12, tzinfo=dt.timezone.utc)  # noqa: UP017


def _spread(plain: dict[Grade, int], maximum: int, share: float, *, previous: int) -> dict[Grade, int]:
    """Fuzz the intervals of the four grades with one draw, and keep them in order."""
    again = fuzzed(fuzz_bounds(plain[Grade.AGAIN], maximum), share)
    passed = (Grade.HARD, Grade.GOOD, Grade.EASY)
    bounds = [fuzz_bounds(plain[grade], maximum, previous=previous) for grade in passed]
    hard, good, easy = (fuzzed(bound, share) for bound in bounds)
    if hard >= good:
        # Rather a shorter hard than a longer good, as long as hard stays in its range.
        hard = max(good - 1, min(hard, bounds[0][0]))
        good = max(good, min(hard + 1, maximum))
    easy = max(easy, min(good + 1, maximum))
    return {Grade.AGAIN: min(again, hard), Grade.HARD: hard, Grade.GOOD: good, Grade.EASY: easy}
