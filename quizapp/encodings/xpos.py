"""xPos (Sun et al. 2022): RoPE whose pairs also shrink with distance, slow pairs least."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from quizapp.encodings.checks import even_dimension, positive
from quizapp.encodings.frequencies import Array, angles, inverse_frequencies
from quizapp.encodings.rope import rotate

SCALE_BASE = 512.0
_GAMMA = 0.4


def zeta(dim: int) -> Array:
    """(i/(d/2) + 0.4) / 1.4 for each pair, in (0, 1); shape (dim/2,).

    Source: Sun et al. 2022 (arXiv 2212.10554); torchscale, xpos_relative_position.py.
    """
    pairs = even_dimension(dim) // 2
    shares: Array = (np.arange(pairs) / pairs + _GAMMA) / (1.0 + _GAMMA)
    return shares


def scales(positions: ArrayLike, dim: int, scale_base: float = SCALE_BASE) -> Array:
    """zeta_i^(position / scale base): what a query's pair is multiplied by, a key's is divided by; shape
    (positions, dim/2).

    torchscale counts positions from the middle of the text, which keeps the numbers near 1 and leaves every score as
    it is. Raises EncodingError for positions that are not finite.
    """
    powers = angles(positions, np.ones(1)) / positive(scale_base, "scale base")
    with np.errstate(over="ignore"):
        found: Array = zeta(dim) ** powers
    return found


def rotate_queries(
    vectors: ArrayLike, positions: ArrayLike, base: float = 10000.0, scale_base: float = SCALE_BASE
) -> Array:
    """Queries turned and scaled by their positions, in interleaved pairs; shape (..., length, dim) in and out."""
    return _turned(vectors, positions, base, scale_base, 1.0)


def rotate_keys(
    vectors: ArrayLike, positions: ArrayLike, base: float = 10000.0, scale_base: float = SCALE_BASE
) -> Array:
    """Keys turned, and scaled the other way: the score of pair i is RoPE's times zeta_i^((m - n) / scale base)."""
    return _turned(vectors, positions, base, scale_base, -1.0)


def _turned(vectors: ArrayLike, positions: ArrayLike, base: float, scale_base: float, sign: float) -> Array:
    source = np.asarray(vectors, dtype=np.float64)
    dim = source.shape[-1] if source.ndim else 0
    turned = rotate(source, positions, inverse_frequencies(dim, base), "interleaved")
    factors = np.repeat(scales(positions, dim, scale_base) ** sign, 2, axis=-1)
    result: Array = turned * factors
    return result
