"""The uniform head: against attention itself, reference simulations and plain loops."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from quizapp.encodings import attention, uniform_head
from quizapp.encodings.checks import EncodingError


@pytest.mark.parametrize("causal", [True, False])
def test_the_mean_is_attention_with_equal_scores(causal: bool) -> None:
    values = np.random.default_rng(3).standard_normal((9, 4))
    places = np.arange(9)
    mask = attention.causal_mask(places, places) if causal else 0.0
    head = attention.attend(np.zeros((9, 2)), np.zeros((9, 2)), values, mask)
    assert np.abs(uniform_head.uniform_means(values, causal=causal) - head.output).max() < 1e-15
    seen = (head.weights > 0).sum(axis=1)
    assert uniform_head.keys_seen(9, causal=causal).tolist() == seen.tolist()


def test_the_spread_falls_as_the_reference_says(golden: Callable[[str], Any]) -> None:
    known = golden("derived_checks")["nope_uniform_mean_std"]
    places = np.array(known["i+1"]) - 1
    expected = uniform_head.expected_spread(1024)[places]
    assert np.allclose(expected, known["1/sqrt(i+1)"], rtol=1e-15)
    assert np.allclose(expected, known["measured_std"], rtol=0.01)
    drawn = uniform_head.spread(uniform_head.uniform_means(uniform_head.drawn_values(4000, 256, 7)))
    assert np.allclose(drawn, uniform_head.expected_spread(256), rtol=0.06)


@pytest.mark.parametrize("shared", [0.0, 0.3, 1.0])
def test_correlated_values_stop_falling(shared: float) -> None:
    means = uniform_head.uniform_means(uniform_head.drawn_values(6000, 32, 1, shared))
    for place in (0, 3, 31):
        count = place + 1
        # variance of a mean: the sum of the covariances of all pairs over the square of their number
        pairs = sum(1.0 if a == b else shared for a in range(count) for b in range(count))
        exact = math.sqrt(pairs) / count
        assert uniform_head.expected_spread(32, shared)[place] == pytest.approx(exact, rel=1e-12)
        assert uniform_head.spread(means)[place] == pytest.approx(exact, rel=0.05)


def test_a_marker_counts_exactly(golden: Callable[[str], Any]) -> None:
    known = golden("derived_checks")["nope_bos_counter"]
    assert uniform_head.marker_counts(len(known)).tolist() == pytest.approx(known, abs=1e-15)


def test_one_norm_tells_the_position_only_roughly(golden: Callable[[str], Any]) -> None:
    known = golden("derived_checks")["nope_position_estimate_from_norm_d64"]
    rows = uniform_head.mean_rows(np.array(known["i+1"]) - 1, 64, 4000, 5)
    guesses = uniform_head.counted_from_norm(rows)
    assert np.allclose(np.median(guesses, axis=1), known["median_estimate"], rtol=0.03)
    assert np.allclose(np.percentile(guesses, 10, axis=1), known["p10"], rtol=0.03)
    assert np.allclose(np.percentile(guesses, 90, axis=1), known["p90"], rtol=0.03)


def test_what_cannot_be_drawn_is_refused() -> None:
    with pytest.raises(EncodingError, match="correlation"):
        uniform_head.drawn_values(2, 2, 0, 1.5)
    with pytest.raises(EncodingError, match="rise"):
        uniform_head.mean_rows([3, 3], 4, 2, 0)
