"""Scaled dot-product attention: the softmax, the mask and the scores, one small function each."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from quizapp.encodings.checks import EncodingError
from quizapp.encodings.frequencies import Array
from quizapp.encodings.relative import offsets
from quizapp.encodings.sums import FLOAT, Sums


@dataclass(frozen=True)
class Attended:
    """What attention yields: ``output`` of shape (..., queries, value dim), ``weights`` (..., queries,
    keys).
    """

    output: Array
    weights: Array
    scores: Array


def softmax(scores: ArrayLike, sums: Sums = FLOAT) -> Array:
    """Softmax over the last axis; rows that are -inf throughout are refused, since they have no
    distribution.
    """
    values = np.asarray(scores, dtype=np.float64)
    top = values.max(axis=-1, keepdims=True)
    if not np.all(np.isfinite(top)):
        raise EncodingError("softmax needs at least one finite score in every row")
    raised = np.exp(values - top)
    result: Array = raised / sums.total(raised)
    return result


def causal_mask(query_positions: ArrayLike, key_positions: ArrayLike) -> Array:
    """0 where the key is not after the query, -inf where it is; shape (queries, keys)."""
    return np.where(offsets(query_positions, key_positions) > 0, -np.inf, 0.0)


def attend(
    queries: Array,
    keys: Array,
    values: Array,
    bias: Array | float = 0.0,
    scale: float | None = None,
    sums: Sums = FLOAT,
) -> Attended:
    """softmax(q k^T * scale + bias) v; ``scale`` is 1/sqrt(d) unless given (T5 uses 1).

    Shapes: queries (..., m, d), keys (..., n, d), values (..., n, v); ``bias`` broadcasts to (..., m, n).
    Source: Vaswani et al. 2017, section 3.2.1.
    """
    if queries.shape[-1] != keys.shape[-1] or keys.shape[-2] != values.shape[-2]:
        raise EncodingError(
            f"attention of queries {queries.shape}, keys {keys.shape}, values {values.shape}: no fit"
        )
    by = 1.0 / math.sqrt(queries.shape[-1]) if scale is None else scale
    scores = sums.product(queries, np.swapaxes(keys, -1, -2)) * by + bias
    weights = softmax(scores, sums)
    return Attended(sums.product(weights, values), weights, scores)
