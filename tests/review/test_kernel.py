"""The plain kernel against the official package, over random histories."""

from __future__ import annotations

import datetime as dt
import math
import random

import fsrs
import pytest

from quizapp.review.kernel import HIGHEST_STABILITY, Kernel
from quizapp.review.weights import DEFAULT_WEIGHTS, HIGHEST, LOWEST, complete_weights

START = dt.datetime(2026, 1, 1, 12, tzinfo=dt.timezone.utc)  # noqa: UP017  (fsrs takes no other UTC)


def random_weights(rng: random.Random) -> tuple[float, ...]:
    """Weights within a quarter of the way from the defaults to the bounds."""
    near = []
    for default, low, high in zip(DEFAULT_WEIGHTS, LOWEST, HIGHEST, strict=True):
        bound = rng.choice((low, high))
        near.append(default + rng.random() * 0.25 * (bound - default))
    near[:4] = sorted(near[:4])
    return tuple(near)


def test_the_defaults_and_bounds_are_those_of_fsrs() -> None:
    from fsrs import scheduler

    assert scheduler.DEFAULT_PARAMETERS == DEFAULT_WEIGHTS
    assert scheduler.LOWER_BOUNDS_PARAMETERS == LOWEST
    assert scheduler.UPPER_BOUNDS_PARAMETERS == HIGHEST


@pytest.mark.parametrize("default", [True, False], ids=["default weights", "random weights"])
def test_memory_interval_and_recall_equal_fsrs(default: bool) -> None:
    rng = random.Random(20261130)
    compared = 0
    for _ in range(2000):
        weights = DEFAULT_WEIGHTS if default else random_weights(rng)
        retention = rng.choice((0.8, 0.9, 0.95))
        official = fsrs.Scheduler(weights, retention, (), (), 36500, False)
        kernel = Kernel(weights)
        card, moment, memory = fsrs.Card(card_id=1), START, None
        for _ in range(rng.randint(1, 12)):
            grade = rng.choice((1, 2, 3, 3, 3, 4))
            elapsed = rng.choice((0, 0, 1, 2, rng.randint(3, 400)))
            moment += dt.timedelta(days=elapsed)
            if memory is not None:
                ours = kernel.recall(memory[0], elapsed)
                assert math.isclose(ours, official.get_card_retrievability(card, moment), rel_tol=1e-6)
            memory = kernel.first(grade) if memory is None else kernel.next(*memory, grade, elapsed)
            card, _ = official.review_card(card, fsrs.Rating(grade), moment)
            assert card.stability is not None
            assert card.difficulty is not None
            if card.stability > HIGHEST_STABILITY:
                break
            assert math.isclose(memory[0], card.stability, rel_tol=1e-6)
            assert math.isclose(memory[1], card.difficulty, rel_tol=1e-6)
            assert kernel.interval(memory[0], retention, 36500) == (card.due - moment).days
            compared += 1
    assert compared > 10000


def test_stability_ends_at_a_century() -> None:
    stability, difficulty = Kernel().next(30000.0, 1.0, 4, 36500)
    assert stability == HIGHEST_STABILITY
    assert difficulty == 1.0


def test_recall_is_nine_in_ten_after_the_stability() -> None:
    assert Kernel().recall(12.0, 12) == pytest.approx(0.9, abs=1e-12)
    assert Kernel().recall(12.0, 0) == 1.0
    assert Kernel().recall(12.0, -3) == 1.0


def test_older_weights_give_the_curve_they_were_made_for() -> None:
    """FSRS-4.5 and FSRS-5 forget as (1 + 19/81 t/S) ** -0.5, whatever the set."""
    old = (0.4, 1.2, 3.2, 15.7, 7.2, 0.53, 1.07, 0.02, 1.6, 0.15, 1.0, 1.9, 0.11, 0.29, 2.3, 0.22, 2.9)
    for weights in (old, (*old, 0.5, 0.6)):
        kernel = Kernel(weights)
        assert len(kernel.weights) == 21
        assert kernel.recall(10.0, 30) == pytest.approx((1 + 19 / 81 * 3) ** -0.5, rel=1e-12)


def test_weights_of_fsrs_4_5_keep_the_first_difficulties() -> None:
    """FSRS-4.5 began at w4 - (G - 3) w5; the rewritten set agrees at good and at again."""
    old = (0.4, 1.2, 3.2, 15.7, 5.1, 1.2, 0.9, 0.02, 1.6, 0.15, 1.0, 1.9, 0.11, 0.29, 2.3, 0.22, 2.9)
    kernel = Kernel(old)
    assert kernel.first(1)[1] == pytest.approx(old[4] + 2 * old[5], rel=1e-12)
    assert kernel.first(4)[1] == pytest.approx(old[4] - old[5], rel=1e-12)


@pytest.mark.parametrize(
    ("weights", "said"),
    [
        ((1.0,) * 20, "weights needs 17, 19 or 21 numbers, not 20"),
        ((*DEFAULT_WEIGHTS[:20], 0.9), "weight 21 of 21 comes to 0.9, outside 0.1 to 0.8"),
        ((math.nan, *DEFAULT_WEIGHTS[1:]), "weight 1 of 21 comes to nan, outside 0.001 to 100"),
        ((*DEFAULT_WEIGHTS[:5], -5.0, *DEFAULT_WEIGHTS[6:17]), "weight 5 of 17 comes to"),
    ],
)
def test_bad_weights_are_named(weights: tuple[float, ...], said: str) -> None:
    with pytest.raises(ValueError, match=said.replace(".", r"\.")):
        complete_weights(weights)


def test_weights_rounded_to_32_bits_are_kept_within_the_bounds() -> None:
    rounded = (*DEFAULT_WEIGHTS[:20], 0.800000011920929)
    assert complete_weights(rounded)[20] == 0.8
