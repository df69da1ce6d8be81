"""Fuzz against Anki's range, computed here in exact fractions."""

from __future__ import annotations

import math
from fractions import Fraction

import pytest

from quizapp.review.fuzz import draw, fuzz_bounds, fuzzed


def anki_bounds(interval: int, maximum: int) -> tuple[int, int]:
    """Anki's range by its definition: 15 % of 2.5 to 7 days, 10 % of 7 to 20, 5 % beyond, and one day."""
    interval = min(interval, maximum)
    if interval < 3:
        return interval, interval
    delta = Fraction(1)
    for day in range(2, interval):
        # The share of the half days that lie in each band.
        for half in (Fraction(day), Fraction(day) + Fraction(1, 2)):
            if half >= Fraction(5, 2):
                delta += Fraction(1, 2) * (
                    Fraction(15, 100) if half < 7 else Fraction(1, 10) if half < 20 else Fraction(1, 20)
                )
    half = Fraction(1, 2)
    return max(2, math.floor(interval - delta + half)), min(maximum, math.floor(interval + delta + half))


@pytest.mark.parametrize("maximum", [3, 10, 30, 100, 36500])
def test_bounds_are_ankis(maximum: int) -> None:
    for interval in range(1, 400):
        assert fuzz_bounds(interval, maximum) == anki_bounds(interval, maximum), interval


def test_every_day_of_the_range_is_drawn_about_as_often() -> None:
    bounds = fuzz_bounds(10, 36500)
    drawn = [fuzzed(bounds, draw(f"card-{number}", 4)) for number in range(5000)]
    shares = {day: drawn.count(day) / len(drawn) for day in sorted(set(drawn))}
    assert list(shares) == [8, 9, 10, 11, 12]
    # Five days of 1000 each: four standard deviations are 113.
    assert all(abs(share - 0.2) < 0.0226 for share in shares.values())


def test_a_draw_depends_on_the_card_and_its_reviews_alone() -> None:
    assert draw("rope", 3) == draw("rope", 3)
    assert len({draw(card, reviews) for card in ("rope", "alibi", "rope1") for reviews in range(20)}) == 60
    assert draw("rope1", 1) != draw("rope", 11)


def test_fuzz_never_takes_a_longer_interval_back() -> None:
    for previous in range(1, 60):
        for interval in range(1, 80):
            low, high = fuzz_bounds(interval, 36500, previous=previous)
            plain_low, plain_high = anki_bounds(interval, 36500)
            assert plain_low <= low <= high == plain_high
            if interval > previous:
                assert low > previous
            elif previous <= plain_high:
                assert low == max(previous, plain_low)
