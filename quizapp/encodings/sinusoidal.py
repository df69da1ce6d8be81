"""Sinusoidal encodings: sines and cosines at geometric frequencies, added to the embeddings."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from quizapp.encodings.checks import EncodingError, base_above_one, even_dimension, one_of
from quizapp.encodings.frequencies import Array, angles, geometric, inverse_frequencies
from quizapp.encodings.relative import Indices

LAYOUTS = ("interleaved", "concatenated", "tensor2tensor")


def sinusoidal_frequencies(dim: int, base: float = 10000.0, layout: str = "interleaved") -> Array:
    """Radians a position of each pair; shape (dim/2,).

    ``interleaved`` and ``concatenated`` use the exponent 2i/dim of the paper (Vaswani et al. 2017, section
    3.5). ``tensor2tensor`` is the authors' own code, get_timing_signal_1d: i/(dim/2 - 1), so that the last
    timescale is exactly ``base``. Its frequencies differ; no reordering turns one into the other.
    """
    dim, base = even_dimension(dim), base_above_one(base)
    if one_of(layout, "layout", LAYOUTS) == "tensor2tensor":
        if dim == 2:
            # One pair has no last timescale to reach; the code divides by max(1, 0) and keeps frequency 1.
            return np.ones(1)
        return geometric(np.arange(dim // 2), dim // 2 - 1, base)
    return inverse_frequencies(dim, base)


def sinusoidal(positions: ArrayLike, dim: int, base: float = 10000.0, layout: str = "interleaved") -> Array:
    """The encoding's rows; shape (positions, dim).

    ``interleaved``: sine at 2i, cosine at 2i + 1 (the paper). ``concatenated``: all sines, then all
    cosines, same frequencies (Marian, Pegasus, RoFormer). ``tensor2tensor``: concatenated with the authors'
    own exponent (fairseq, M2M100 and Whisper too). Raises EncodingError for an odd dimension.
    """
    turned = angles(positions, sinusoidal_frequencies(dim, base, layout))
    sines, cosines = np.sin(turned), np.cos(turned)
    if layout != "interleaved":
        return np.concatenate([sines, cosines], axis=1)
    rows = np.empty((turned.shape[0], dim))
    rows[:, 0::2], rows[:, 1::2] = sines, cosines
    return rows


def shift_matrix(offset: float, dim: int, base: float = 10000.0) -> Array:
    """The matrix R_k with ``R_k @ PE(p) == PE(p + k)`` for every p, interleaved layout; shape (dim, dim).

    On (sin, cos) a block is [[cos, sin], [-sin, cos]]: the counter-clockwise rotation by *minus* k times
    the frequency.
    """
    turned = angles([offset], inverse_frequencies(dim, base))[0]
    matrix = np.zeros((dim, dim))
    even, odd = np.arange(0, dim, 2), np.arange(1, dim, 2)
    matrix[even, even] = matrix[odd, odd] = np.cos(turned)
    matrix[even, odd], matrix[odd, even] = np.sin(turned), -np.sin(turned)
    return matrix


def row_dot_product(position: float, offset: float, dim: int, base: float = 10000.0) -> float:
    """PE(p) . PE(p + k), computed from the two rows; the sum of cos(k * frequency), whatever p is."""
    first, second = sinusoidal([position, position + offset], dim, base)
    return float(first @ second)


def fairseq_positions(token_ids: ArrayLike, padding_index: int) -> Indices:
    """Table rows that fairseq and RoBERTa read: real tokens count from padding_index + 1, padding reads
    padding_index.

    ``token_ids`` has shape (batch, length). Source: fairseq utils.make_positions; the same in transformers'
    RoBERTa.
    """
    ids = np.asarray(token_ids)
    if ids.ndim != 2:
        raise EncodingError("token ids must be a batch of rows, such as [[5, 6, 1]]")
    real = (ids != padding_index).astype(np.int64)
    rows: Indices = np.cumsum(real, axis=1) * real + padding_index
    return rows
