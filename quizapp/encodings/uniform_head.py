"""What a head with equal scores leaks about positions, without any encoding (Chi et al. 2023).

Under a causal mask the query at position i returns the mean of the i + 1 values it sees. The mean of
independent values of mean 0 and variance 1 has the standard deviation 1/sqrt(i + 1).
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import ArrayLike

from quizapp.encodings.checks import EncodingError, whole
from quizapp.encodings.frequencies import Array


def keys_seen(length: int, *, causal: bool = True) -> Array:
    """How many keys each query sees; shape (length,)."""
    size = whole(length, "length", 1)
    return np.arange(1.0, size + 1) if causal else np.full(size, float(size))


def uniform_means(values: ArrayLike, *, causal: bool = True) -> Array:
    """What the head returns for values of shape (..., length, dim): the mean of those each query sees.

    Equal to attention with all scores 0, without the square matrix of weights.
    """
    given = np.asarray(values, dtype=np.float64)
    seen = keys_seen(given.shape[-2], causal=causal)[:, None]
    total = np.cumsum(given, axis=-2) if causal else given.sum(axis=-2, keepdims=True)
    result: Array = total / seen
    return result


def drawn_values(draws: int, length: int, seed: int, shared: float = 0.0) -> Array:
    """Standard normal values, shape (draws, length, 1); any two tokens correlate by ``shared``, from 0 to 1.

    At 0 they are independent, at 1 all tokens of a draw are the same.
    """
    if not 0 <= shared <= 1:
        raise EncodingError(f"correlation must be from 0 to 1, not {shared:g}")
    source = np.random.default_rng(seed)
    own = source.standard_normal((whole(draws, "draws", 1), whole(length, "length", 1), 1))
    common = source.standard_normal((draws, 1, 1))
    return math.sqrt(1 - shared) * own + math.sqrt(shared) * common


def spread(draws: Array) -> Array:
    """Root mean square over the draws, the standard deviation about the known mean 0; (draws, length, 1) to
    (length,).
    """
    return np.asarray(np.sqrt((draws**2).mean(axis=0))[:, 0])


def expected_spread(length: int, shared: float = 0.0, *, causal: bool = True) -> Array:
    """sqrt(shared + (1 - shared)/(keys seen)), the exact standard deviation of the mean; shape (length,)."""
    return np.asarray(np.sqrt(shared + (1 - shared) / keys_seen(length, causal=causal)))


def marker_counts(length: int) -> Array:
    """What the head returns when only the first token carries a value, 1: exactly 1/(i + 1); shape (length,)."""
    values = np.zeros((whole(length, "length", 1), 1))
    values[0] = 1.0
    return uniform_means(values)[:, 0]


def mean_rows(positions: ArrayLike, dim: int, draws: int, seed: int) -> Array:
    """Rows the head returns at rising ``positions``, each draw one text; shape (positions, draws, dim).

    The sum of k standard normal values is drawn at once, as sqrt(k) times one, so that thousands of
    positions cost no more than a few.
    """
    places = np.asarray(positions, dtype=np.int64)
    steps = np.diff(places, prepend=-1)
    if places.ndim != 1 or not places.size or (steps < 1).any():
        raise EncodingError("positions must rise from 0 or more")
    source = np.random.default_rng(seed)
    drawn = source.standard_normal((places.size, whole(draws, "draws", 1), whole(dim, "dim", 1)))
    sums = np.cumsum(np.sqrt(steps)[:, None, None] * drawn, axis=0)
    return np.asarray(sums / (places + 1.0)[:, None, None])


def counted_from_norm(rows: ArrayLike) -> Array:
    """An estimate of how many keys were seen, d / |row|^2, from one row of d numbers each; shape (...).

    |row|^2 is on average d/(i + 1).
    """
    given = np.asarray(rows, dtype=np.float64)
    return np.asarray(given.shape[-1] / (given**2).sum(axis=-1))
