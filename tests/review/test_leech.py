"""Lapses and leeches."""

from __future__ import annotations

import datetime as dt

from quizapp.review.leech import is_lapse, is_leech
from quizapp.review.types import CardState, Grade, Memory

DAY = dt.date(2026, 11, 30)


def seen(days_ago: int, lapses: int = 0) -> CardState:
    return CardState("x", Memory(5.0, 5.0, DAY - dt.timedelta(days_ago)), DAY, 5, reviews=9, lapses=lapses)


def test_only_forgetting_on_a_later_day_is_a_lapse() -> None:
    assert is_lapse(seen(1), Grade.AGAIN, DAY)
    assert not is_lapse(seen(0), Grade.AGAIN, DAY)
    assert not is_lapse(CardState("x"), Grade.AGAIN, DAY)
    assert not is_lapse(seen(1), Grade.HARD, DAY)


def test_leeches_come_at_eight_lapses_and_then_every_four() -> None:
    marked = [lapses + 1 for lapses in range(25) if is_leech(seen(3, lapses), Grade.AGAIN, DAY, 8)]
    assert marked == [8, 12, 16, 20, 24]
    assert not is_leech(seen(3, 7), Grade.GOOD, DAY, 8)
    assert not is_leech(seen(0, 7), Grade.AGAIN, DAY, 8)


def test_odd_thresholds_round_the_half_up() -> None:
    marked = [lapses + 1 for lapses in range(12) if is_leech(seen(3, lapses), Grade.AGAIN, DAY, 5)]
    assert marked == [5, 8, 11]
    assert [lapses + 1 for lapses in range(3) if is_leech(seen(3, lapses), Grade.AGAIN, DAY, 1)] == [1, 2, 3]
