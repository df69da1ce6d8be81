"""What a shift of all positions changes, by what is rotated."""

from __future__ import annotations

import math

import numpy as np
import pytest

from quizapp.demos import rope_layers
from quizapp.demos.model import State, Value, View
from quizapp.demos.model import view as show
from quizapp.demos.rope import demo
from quizapp.encodings.words import word_vectors

STEP = demo.steps.index("every layer")


def at(**values: Value) -> View:
    return show(demo, State(STEP, values))


def reading(seen: View, label: str) -> float:
    return next(one.value for one in seen.readings if one.label == label)


@pytest.mark.parametrize("shift", [1, 44, 10_000])
def test_only_queries_and_keys_alone_are_relative(shift: int) -> None:
    seen = at(all_on=shift)
    assert reading(seen, "queries, keys") < 1e-9
    assert reading(seen, "values too") > 0.005
    assert reading(seen, "input once") > 0.005


def test_without_a_shift_nothing_changes() -> None:
    seen = at(all_on=0)
    assert [reading(seen, label) for label in ("queries, keys", "values too", "input once")] == [0, 0, 0]
    assert "nothing has moved" in seen.see


@pytest.mark.parametrize("shift", [3, 500])
def test_a_word_alone_attends_to_its_own_turned_value(shift: int) -> None:
    value = word_vectors(["word"], rope_layers.DIM)[0] @ rope_layers.STACK.layers[0].value
    half = rope_layers.DIM // 2
    change = 0.0
    for pair in range(half):
        angle = shift * 10000 ** (-2 * pair / rope_layers.DIM)
        x, y = float(value[pair]), float(value[pair + half])
        moved = (x * math.cos(angle) - y * math.sin(angle), x * math.sin(angle) + y * math.cos(angle))
        change = max(change, abs(moved[0] - x), abs(moved[1] - y))
    assert reading(at(sentence="word", all_on=shift), "values too") == pytest.approx(change)


def test_equal_words_bring_no_position_to_the_second_layer() -> None:
    seen = at()
    assert reading(seen, "one word: rows into layer 2") < 1e-12
    assert reading(seen, "one word: scores of layer 2") > 0.01
    stack = rope_layers.STACK
    same = word_vectors(["the"] * 6, rope_layers.DIM)
    assert float(np.ptp(stack.run(same).scores[1])) < 1e-12
