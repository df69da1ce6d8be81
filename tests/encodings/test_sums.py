"""Exact sums: against fractions, and by the identity they make exact."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from quizapp.encodings import schemes, stack, sums
from quizapp.encodings.words import word_vectors


def test_a_sum_is_rounded_once_from_its_exact_value(golden: Callable[[str], Any]) -> None:
    known = golden("attention_equivariance")["three_term_sum_counterexample"]
    terms = np.array(known["terms"])
    assert sums.FLOAT.total(terms)[0] == known["forward"]
    assert sums.FLOAT.total(terms[::-1])[0] == known["reverse"] != known["forward"]
    right = float(sum(map(Fraction, known["terms"])))
    for order in itertools.permutations(known["terms"]):
        assert sums.EXACT.total(np.array(order))[0] == right


def test_a_product_is_exact_in_every_cell() -> None:
    draw = np.random.default_rng(2)
    left, right = draw.standard_normal((2, 3, 5)), draw.standard_normal((2, 5, 4))
    found = sums.EXACT.product(left, right)
    assert np.abs(found - left @ right).max() < 1e-14
    for head, row, column in np.ndindex(2, 3, 4):
        terms = (float(a) * float(b) for a, b in zip(left[head, row], right[head, :, column], strict=True))
        assert found[head, row, column] == float(sum(map(Fraction, terms)))
    assert sums.EXACT.product(left, right[0]).shape == (2, 3, 4)


@pytest.mark.parametrize("layers", [1, 4])
def test_reordered_rows_are_equal_to_the_bit_with_exact_sums_and_nearly_so_without(layers: int) -> None:
    model = stack.Stack.random(1, layers=layers, dim=16)
    unlike = 0
    for seed in range(12):
        tokens = word_vectors(["dog", "bites", "man"], 16, seed)
        for order in itertools.permutations(range(3)):
            picked = list(order)
            exact = model.run(tokens[picked], sums=sums.EXACT).output
            assert np.array_equal(exact, model.run(tokens, sums=sums.EXACT).output[picked])
            rounded = model.run(tokens[picked]).output - model.run(tokens).output[picked]
            assert np.abs(rounded).max() < 1e-13
            assert np.abs(model.run(tokens).output[picked] - exact).max() < 1e-13
            unlike += bool(rounded.any())
    assert unlike > 12


def test_exact_sums_run_every_part_of_the_stack() -> None:
    model = stack.Stack.random(4, layers=2, dim=8)
    tokens = word_vectors(["the", "cat", "sat", "on", "the", "mat"], 8)
    for scheme in (schemes.added_sinusoidal(), schemes.linear_bias(2)):
        exact = model.run(tokens, scheme, causal=True, sums=sums.EXACT).output
        assert np.abs(exact - model.run(tokens, scheme, causal=True).output).max() < 1e-13
