"""The fading of the score against 30-digit arithmetic and against its definition."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import mpmath
import numpy as np
import pytest

from quizapp.encodings import decay, frequencies
from quizapp.encodings.checks import EncodingError


def test_cosine_integral() -> None:
    points = [1e-9, 1e-3, 0.5, 1.0, 2.5, 3.999, 4.0, 4.001, 6.0, 9.5, 17.0, 40.0, 512.0, 65536.0, 1e6]
    with mpmath.workdps(30):
        exact = [float(mpmath.ci(mpmath.mpf(x))) for x in points]
    np.testing.assert_allclose(decay.cosine_integral(points), exact, atol=3e-14, rtol=1e-12)


def test_limit_of_many_pairs(golden: Callable[[str], Any]) -> None:
    case = golden("derived_checks")["rope_mean_cos"]
    mine = decay.mean_cosine_limit(case["deltas"], 1e4)
    np.testing.assert_allclose(mine, case["continuum_base_1e4"], atol=1e-9)
    assert decay.mean_cosine_limit([-100], 1e4) == decay.mean_cosine_limit([100], 1e4)
    many = frequencies.mean_cosine([7, 300], frequencies.inverse_frequencies(1 << 18, 1e4))
    np.testing.assert_allclose(decay.mean_cosine_limit([7, 300], 1e4), many, atol=2e-5)


def test_random_queries_and_keys_do_not_fade() -> None:
    distances = [0, 1, 10, 100, 1000, 10000]
    means, spreads = decay.random_score_moments(distances, frequencies.inverse_frequencies(128), 4000)
    # Six times the standard error of 4000 draws.
    assert np.abs(means).max() < 6 / 4000**0.5
    assert np.abs(spreads - 1).max() < 6 / 8000**0.5
    again = decay.random_score_moments(distances, frequencies.inverse_frequencies(128), 4000)
    assert again[0].tolist() == means.tolist()
    with pytest.raises(EncodingError, match="draws must be at least 2"):
        decay.random_score_moments([1], frequencies.inverse_frequencies(4), 1)
