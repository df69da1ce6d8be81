"""Where a scheme enters a transformer: the input, the rotation of queries and keys, or the scores.

A scheme is three functions with neutral defaults, so that one stack runs them all.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from quizapp.encodings import alibi, relative, rope, sinusoidal
from quizapp.encodings.checks import EncodingError
from quizapp.encodings.frequencies import Array
from quizapp.encodings.learned import LearnedTable

# (vectors (length, dim), positions) -> (length, dim)
Input = Callable[[Array, ArrayLike], Array]
# (vectors (heads, length, head dim), positions) -> the same shape
Rotation = Callable[[Array, ArrayLike], Array]
# (queries (heads, m, head dim), query positions, key positions) -> broadcasts to (heads, m, n)
Bias = Callable[[Array, ArrayLike, ArrayLike], Array]


def _same(vectors: Array, positions: ArrayLike) -> Array:  # noqa: ARG001
    return vectors


def _no_bias(queries: Array, query_positions: ArrayLike, key_positions: ArrayLike) -> Array:  # noqa: ARG001
    return np.zeros((1, 1, 1))


@dataclass(frozen=True)
class Scheme:
    """``input`` acts once on the embeddings, ``rotation`` and ``bias`` inside every layer.

    ``scale`` multiplies the dot products; None means 1/sqrt(head dim).
    """

    name: str
    input: Input = _same
    rotation: Rotation = _same
    bias: Bias = _no_bias
    scale: float | None = None


NONE = Scheme("none")


def added_sinusoidal(base: float = 10000.0, layout: str = "interleaved") -> Scheme:
    """Sinusoidal rows added to the embeddings."""

    def add(vectors: Array, positions: ArrayLike) -> Array:
        return vectors + sinusoidal.sinusoidal(positions, vectors.shape[-1], base, layout)

    return Scheme("sinusoidal", input=add)


def added_learned(table: Array) -> Scheme:
    """Rows of a learned table of shape (rows, dim) added to the embeddings; a missing row raises
    EncodingError.
    """
    shape = LearnedTable(*table.shape)

    def add(vectors: Array, positions: ArrayLike) -> Array:
        rows = [shape.row(place) for place in np.atleast_1d(np.asarray(positions)).tolist()]
        return vectors + table[rows]

    return Scheme("learned", input=add)


def rotary(frequencies: Array, layout: str = "half-split") -> Scheme:
    """Queries and keys rotated by their positions, in every layer; values are not."""

    def turn(vectors: Array, positions: ArrayLike) -> Array:
        return rope.rotate(vectors, positions, frequencies, layout)

    return Scheme("rope", rotation=turn)


def linear_bias(heads: int) -> Scheme:
    """ALiBi: slope * (n - m) added to the scores of each head."""

    def bias(queries: Array, query_positions: ArrayLike, key_positions: ArrayLike) -> Array:  # noqa: ARG001
        return alibi.alibi_distance_bias(query_positions, key_positions, heads)

    return Scheme("alibi", bias=bias)


def bucketed_bias(table: Array, max_distance: int = 128, *, bidirectional: bool = True) -> Scheme:
    """T5: one scalar a bucket and head, ``table`` of shape (heads, buckets), on scores without 1/sqrt(d)."""

    def bias(queries: Array, query_positions: ArrayLike, key_positions: ArrayLike) -> Array:  # noqa: ARG001
        shift = relative.offsets(query_positions, key_positions)
        return table[:, relative.t5_buckets(shift, table.shape[1], max_distance, bidirectional=bidirectional)]

    return Scheme("t5", bias=bias, scale=1.0)


def relative_keys(table: Array) -> Scheme:
    """Shaw: the query meets key + a learned vector of the clipped offset; ``table`` of shape (2k + 1, head
    dim).
    """
    if table.ndim != 2 or table.shape[0] % 2 == 0:
        raise EncodingError(f"Shaw's table needs 2k + 1 rows, not shape {table.shape}")

    def bias(queries: Array, query_positions: ArrayLike, key_positions: ArrayLike) -> Array:
        shift = relative.offsets(query_positions, key_positions)
        vectors = table[relative.shaw_indices(shift, table.shape[0] // 2)]
        scores: Array = np.einsum("hmd,mnd->hmn", queries, vectors) / np.sqrt(queries.shape[-1])
        return scores

    return Scheme("shaw", bias=bias)
