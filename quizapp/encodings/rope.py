"""Rotary encoding: each pair of a query or key is turned by position times frequency (Su et al. 2021,
RoFormer).
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from quizapp.encodings.checks import EncodingError, even_dimension, one_of, real
from quizapp.encodings.frequencies import Array, angles, inverse_frequencies

LAYOUTS = ("half-split", "interleaved")
# Veltkamp's constant for halves of 26 bits.
_SPLIT = 2.0**27 + 1.0


def rotation(angle: float) -> Array:
    """R(angle) = [[cos, -sin], [sin, cos]], counter-clockwise; shape (2, 2)."""
    turn = real(angle, "angle")
    return np.array([[np.cos(turn), -np.sin(turn)], [np.sin(turn), np.cos(turn)]])


def rotate(vectors: ArrayLike, positions: ArrayLike, frequencies: Array, layout: str = "half-split") -> Array:
    """Turn each vector by its position; shape (..., length, dim) in and out.

    ``frequencies`` has one entry a pair; where 2 * len(frequencies) < dim, the coordinates behind stay as
    they are (partial rotary). ``half-split`` pairs i with i + r/2 of the r rotated coordinates (Hugging
    Face Llama, gpt-oss); ``interleaved`` pairs 2i with 2i + 1 (the paper, Meta's Llama, GPT-J). Raises
    EncodingError where shapes do not fit.
    """
    one_of(layout, "layout", LAYOUTS)
    source = np.asarray(vectors, dtype=np.float64)
    turned = angles(positions, frequencies)
    pairs = frequencies.size
    if source.ndim < 2 or source.shape[-2] != turned.shape[0]:
        raise EncodingError(f"vectors of shape {source.shape} do not go with {turned.shape[0]} positions")
    if 2 * pairs > source.shape[-1]:
        raise EncodingError(
            f"{pairs} pairs need {2 * pairs} coordinates; the vectors have {source.shape[-1]}"
        )
    first, second = _pair_slices(pairs, layout)
    cosines, sines = np.cos(turned), np.sin(turned)
    result = source.copy()
    result[..., first] = source[..., first] * cosines - source[..., second] * sines
    result[..., second] = source[..., first] * sines + source[..., second] * cosines
    return result


def half_split_order(dim: int) -> NDArray[np.int64]:
    """Where each half-split coordinate stands in the interleaved layout: evens, then odds; shape (dim,).

    ``interleaved[..., half_split_order(d)]`` is the half-split vector: rotating in one layout and
    reordering equals reordering and rotating in the other. Source: transformers,
    convert_llama_weights_to_hf.
    """
    even_dimension(dim)
    return np.concatenate([np.arange(0, dim, 2), np.arange(1, dim, 2)])


def scores(
    queries: Array, keys: Array, positions: ArrayLike, frequencies: Array, layout: str = "half-split"
) -> Array:
    """Dot products of the rotated queries and keys, without the division by sqrt(d); shape (..., length,
    length).
    """
    turned_keys = rotate(keys, positions, frequencies, layout)
    return rotate(queries, positions, frequencies, layout) @ np.swapaxes(turned_keys, -1, -2)


def pair_score(query: ArrayLike, key: ArrayLike, m: float, n: float, theta: float) -> float:
    """q^T R((n - m) theta) k for 2-vectors, computed as (R(m theta) q) . (R(n theta) k)."""
    q, k = np.asarray(query, dtype=np.float64), np.asarray(key, dtype=np.float64)
    if q.shape != (2,) or k.shape != (2,):
        raise EncodingError("a pair's score needs two vectors of 2 numbers, such as [1, 0] and [0, 1]")
    return float(turn(q, m, theta) @ turn(k, n, theta))


def turn(vector: ArrayLike, position: float, theta: float) -> Array:
    """R(position * theta) applied to a 2-vector, to the last places at every whole position below 2^26; shape (2,).

    The frequency is split in two halves of 26 bits, so that both products with the position are exact; one product
    would be off by position * theta * 2^-53, and the turn with it.
    """
    scaled = real(theta, "theta") * _SPLIT
    coarse = scaled - (scaled - theta)
    result: Array = rotation(position * coarse) @ (
        rotation(position * (theta - coarse)) @ np.asarray(vector, dtype=np.float64)
    )
    return result


def rotary_dimension(dim: int, fraction: float) -> int:
    """How many coordinates are rotated when only a fraction is: int(dim * fraction), as the models compute
    it.
    """
    share = real(fraction, "rotary fraction")
    if not 0 < share <= 1:
        raise EncodingError(f"rotary fraction must be above 0 and at most 1, not {share:g}")
    return even_dimension(int(even_dimension(dim) * share), "rotated dim")


def partial_frequencies(dim: int, fraction: float, base: float = 10000.0) -> Array:
    """Partial rotary: only the first coordinates turn, with the full range of frequencies; shape
    (rotated/2,).

    The exponent is 2i over the *rotated* dimension (GPT-J, GPT-NeoX, Phi-2).
    """
    return inverse_frequencies(rotary_dimension(dim, fraction), base)


def proportional_frequencies(dim: int, fraction: float, base: float = 10000.0) -> Array:
    """Proportional rotary (p-RoPE): every pair keeps its frequency, the slowest ones are set to 0; shape
    (dim/2,).

    Not the same as partial rotary. Source: Barbero et al. 2025 (p-RoPE).
    """
    kept = rotary_dimension(dim, fraction) // 2
    frequencies = inverse_frequencies(dim, base)
    frequencies[kept:] = 0.0
    return frequencies


def _pair_slices(pairs: int, layout: str) -> tuple[slice, slice]:
    if layout == "interleaved":
        return slice(0, 2 * pairs, 2), slice(1, 2 * pairs, 2)
    return slice(0, pairs), slice(pairs, 2 * pairs)
