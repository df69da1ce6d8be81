"""Lapses and leeches: cards that are forgotten again and again need rewriting, not one more review."""

from __future__ import annotations

import datetime as dt

from quizapp.review.types import CardState, Grade


def is_lapse(state: CardState, grade: Grade, day: dt.date) -> bool:
    """Whether this grade forgets a card: *again* on a later study day than the review before.

    Failing a new card, or the same card twice in one session, is learning and no lapse.
    """
    return grade is Grade.AGAIN and state.memory is not None and state.memory.day < day


def is_leech(state: CardState, grade: Grade, day: dt.date, threshold: int) -> bool:
    """Whether this grade marks the card as a leech: at ``threshold`` lapses, then every half of it."""
    if not is_lapse(state, grade, day):
        return False
    beyond = state.lapses + 1 - threshold
    return beyond >= 0 and beyond % ((threshold + 1) // 2) == 0
