"""Memory derived anew from the grades in the log, for weights or a retention that changed since."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping

from quizapp.config import Config
from quizapp.review.scheduler import KernelScheduler
from quizapp.review.types import CardState, Memory, Outcome, Review

# Far above what two ways to compute the same memory differ by, far below what a learner could notice.
_SAME = 1e-6


def rescheduled(
    reviews: Iterable[Review], states: Mapping[str, CardState], config: Config
) -> dict[str, Outcome]:
    """The cards whose memory or due day would be another under ``config``, and what it would be.

    ``reviews`` are the ones that count, oldest first, for all cards; those since a card was last reset are
    replayed. Under the configuration that scheduled them, nothing changes.
    """
    scheduler = KernelScheduler(config)
    histories: dict[str, list[Review]] = {}
    for review in reviews:
        histories.setdefault(review.card, []).append(review)
    changes = {}
    for card, state in states.items():
        history = histories.get(card, [])[-state.reviews :] if state.reviews else []
        if history and state.memory is not None:
            outcome = _replay(scheduler, card, history)
            if not _same(state, state.memory, outcome):
                changes[card] = outcome
    return changes


def _replay(scheduler: KernelScheduler, card: str, history: list[Review]) -> Outcome:
    memory = None
    for review in history[:-1]:
        memory = scheduler.remember(memory, review.grade, review.day)
    before = CardState(
        card,
        memory=memory,
        interval=history[-2].interval if memory else 0,
        reviews=len(history) - 1,
    )
    return scheduler.outcome(before, history[-1].grade, history[-1].day)


def _same(state: CardState, memory: Memory, outcome: Outcome) -> bool:
    return (
        math.isclose(memory.stability, outcome.memory.stability, rel_tol=_SAME)
        and math.isclose(memory.difficulty, outcome.memory.difficulty, rel_tol=_SAME)
        and (state.interval, state.due) == (outcome.interval, outcome.due)
    )
