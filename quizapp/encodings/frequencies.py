"""The geometric frequencies that sinusoidal encodings and RoPE share, and what follows from them alone."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import ArrayLike, NDArray

from quizapp.encodings.checks import (
    LARGEST_POSITION,
    EncodingError,
    base_above_one,
    even_dimension,
    positive,
    whole,
)

Array = NDArray[np.float64]

_GRID = 2.0**26
# More than what rounding makes of a sum of cosines at any distance that is looked at.
_NEAR_ZERO = 1e-6


def inverse_frequencies(dim: int, base: float = 10000.0) -> Array:
    """``base ** (-2i/dim)`` for i = 0 .. dim/2 - 1, in radians a position; shape (dim/2,).

    Within 2 units in the last place. Source: Vaswani et al. 2017, section 3.5; Su et al. 2021 (RoFormer),
    section 3.2.2.
    """
    dim, base = even_dimension(dim), base_above_one(base)
    return geometric(np.arange(0, dim, 2), dim, base)


def geometric(numerators: ArrayLike, denominator: float, base: float) -> Array:
    """``base ** (-numerator/denominator)`` for whole numerators, accurate for every base; shape of
    ``numerators``.

    A rounded exponent alone would cost ln(base) units in the last place. So the exponent is split into a
    part on a binary grid, which is exact, and a small rest.
    """
    whole_numbers = np.asarray(numerators, dtype=np.float64)
    coarse = np.round(whole_numbers / denominator * _GRID) / _GRID
    rest = (whole_numbers - coarse * denominator) / denominator
    return np.power(base, -coarse) * (1.0 + np.expm1(-rest * math.log(base)))


def angles(positions: ArrayLike, frequencies: Array) -> Array:
    """Position times frequency in radians; shape (positions, frequencies). Positions may be real
    (interpolation).
    """
    places = np.atleast_1d(np.asarray(positions, dtype=np.float64))
    if not np.all(np.isfinite(places)):
        raise EncodingError("positions must be finite numbers")
    if places.size and float(np.max(np.abs(places))) > LARGEST_POSITION:
        raise EncodingError(f"positions beyond 2^53 = {LARGEST_POSITION} are not exact in double precision")
    result: Array = places[:, None] * frequencies
    return result


def wavelengths(frequencies: Array) -> Array:
    """Positions for one full turn of each pair: 2 pi over its frequency, infinite for frequency 0."""
    with np.errstate(divide="ignore"):
        return 2.0 * math.pi / frequencies


def turns(frequencies: Array, length: float) -> Array:
    """Full turns that each pair makes in ``length`` positions: length over wavelength (r in YaRN, section
    3.2).
    """
    return positive(length, "length") * frequencies / (2.0 * math.pi)


def complete_pairs(frequencies: Array, length: float) -> int:
    """How many pairs make at least one full turn in ``length`` positions."""
    return int(np.count_nonzero(turns(frequencies, length) >= 1.0))


def first_incomplete_pair(frequencies: Array, length: float) -> int | None:
    """Index of the first pair whose wavelength exceeds ``length``; None where every pair completes a turn.

    Beyond the trained length these pairs reach angles never seen in training (YaRN, section 3.2).
    """
    late = np.flatnonzero(turns(frequencies, length) < 1.0)
    return int(late[0]) if late.size else None


def mean_cosine(distances: ArrayLike, frequencies: Array) -> Array:
    """Mean over the pairs of cos(distance * frequency); shape of ``distances``.

    The RoPE score of a key with itself at a distance, over its score at distance 0, if all pairs have the
    same norm. It says nothing of q and k that are not parallel.
    """
    places = np.asarray(distances, dtype=np.float64)
    result: Array = np.cos(places[..., None] * frequencies).mean(axis=-1)
    return result


def first_negative_mean_cosine(frequencies: Array, limit: int = 4_000_000) -> int | None:
    """The smallest whole distance at which the mean cosine is below zero; None if there is none up to
    ``limit``.
    """
    last = whole(limit, "limit", 1)
    block = min(max(1, (1 << 15) // max(1, frequencies.size)), last + 1)
    # cos(a + b) = cos a cos b - sin a sin b: a block costs one product of matrices, not a cosine for each pair.
    within = np.arange(block)[:, None] * frequencies
    across, up = np.cos(within), np.sin(within)
    for start in range(0, last + 1, block):
        first = start * frequencies
        near = start + np.flatnonzero(across @ np.cos(first) - up @ np.sin(first) < _NEAR_ZERO)
        near = near[near <= last]
        below = near[mean_cosine(near, frequencies) < 0.0]
        if below.size:
            return int(below[0])
    return None
