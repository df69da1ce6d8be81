"""Order the steps, find the wrong step: made from any derivation, the same for the same seed."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from quizapp.derivations import Derivation, load_library
from quizapp.derivations.checker import Checker
from quizapp.derivations.find_wrong_step import find_wrong_step
from quizapp.derivations.order_steps import order_steps
from quizapp.library import content_root

Find = Callable[[str], Derivation]
LIBRARY = load_library([content_root() / "derivations"])


@pytest.mark.parametrize("name", LIBRARY)
def test_the_order_puts_the_lines_right(name: str) -> None:
    chain = [step for step in LIBRARY[name].steps if step.expr is not None]
    for seed in range(5):
        exercise = order_steps(LIBRARY[name], seed)
        assert [exercise.first, *(exercise.shuffled[index] for index in exercise.order)] == chain
        assert list(exercise.shuffled) != chain[1:]
        assert exercise.answer(exercise.order).right
        assert order_steps(LIBRARY[name], seed) == exercise


def test_a_wrong_order_names_the_first_place_and_the_reason(built_in: Find) -> None:
    exercise = order_steps(built_in("linear-shift"), 1)
    order = list(exercise.order)
    order[1], order[2] = order[2], order[1]
    placed = exercise.answer(order)
    assert (placed.right, placed.wrong) == (False, 1)
    assert exercise.shuffled[exercise.order[1]].why in placed.text
    with pytest.raises(ValueError, match="each of the 5 lines once"):
        exercise.answer([0, 0, 1, 2, 3])


@pytest.mark.parametrize("name", LIBRARY)
def test_exactly_one_line_is_spoiled_and_provably_wrong(name: str) -> None:
    derivation = LIBRARY[name]
    exercise = find_wrong_step(derivation, 7)
    checker = Checker(derivation)
    chain = [step.expr for step in derivation.steps if step.expr is not None]
    assert len(exercise.lines) == len(exercise.texts) == len(chain)
    for index, (shown, right) in enumerate(zip(exercise.texts, chain, strict=True)):
        found = checker.compare(checker.read(shown), checker.read(right))
        assert found.outcome == ("different" if index == exercise.wrong else "equal")
    assert exercise.wrong > 0
    assert exercise.slip
    assert exercise.answer(exercise.wrong).right
    assert not exercise.answer(0).right
    assert exercise.slip.rstrip(".") in exercise.answer(0).text


def test_the_same_seed_spoils_the_same_line_and_seeds_vary(built_in: Find) -> None:
    derivation = built_in("rotation-composition")
    assert find_wrong_step(derivation, 3) == find_wrong_step(derivation, 3)
    assert len({find_wrong_step(derivation, seed).lines for seed in range(8)}) > 3
