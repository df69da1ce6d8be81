"""Relative positions in the score: Shaw's clipped offsets and T5's buckets. The offset is key - query."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import ArrayLike, NDArray

from quizapp.encodings.checks import EncodingError, whole
from quizapp.encodings.precision import to_format

Indices = NDArray[np.int64]


def offsets(queries: ArrayLike, keys: ArrayLike) -> Indices:
    """Key minus query for every pair; shape (queries, keys). Every diagonal is constant."""
    return np.asarray(keys, dtype=np.int64)[None, :] - np.asarray(queries, dtype=np.int64)[:, None]


def shaw_rows(clip: int) -> int:
    """Rows of Shaw's table: one for each offset from -clip to clip."""
    return 2 * whole(clip, "clip", 0) + 1


def shaw_indices(offset: ArrayLike, clip: int) -> Indices:
    """Row of Shaw's table for each offset: clip(n - m, -k, k) + k, from 0 to 2k; shape of ``offset``.

    Source: Shaw et al. 2018, section 3.2 and equation 4; same sign as there.
    """
    k = whole(clip, "clip", 0)
    return np.clip(np.asarray(offset, dtype=np.int64), -k, k) + k


def t5_buckets(
    offset: ArrayLike, buckets: int = 32, max_distance: int = 128, *, bidirectional: bool = True
) -> Indices:
    """T5's bucket of each offset; shape of ``offset``.

    Half of the buckets (of each direction) are exact, the others grow logarithmically up to
    ``max_distance``, all beyond share the last. Causal: keys after the query share bucket 0. Source: Raffel
    et al. 2020, section 2.1; mesh-tensorflow, _relative_position_bucket. Raises EncodingError for sizes
    that leave no logarithmic part.
    """
    count, furthest = _t5_sizes(buckets, max_distance, bidirectional)
    shift = np.asarray(offset, dtype=np.int64)
    distance = np.abs(shift) if bidirectional else np.maximum(-shift, 0)
    starts = _log_starts(count, furthest)
    exact = count // 2
    late = exact - 1 + np.searchsorted(starts, distance, side="right")
    found: Indices = np.where(distance < exact, distance, late).astype(np.int64)
    return found + np.where(shift > 0, count, 0) if bidirectional else found


def t5_buckets_rounded(
    offset: ArrayLike, name: str, buckets: int = 32, max_distance: int = 128, *, bidirectional: bool = True
) -> Indices:
    """T5's buckets where every step of the logarithm is rounded to a format of ``precision``; shape of ``offset``.

    In the order of transformers' code: distance over the exact buckets, logarithm, over ln(L/e), times the logarithmic
    buckets, floor. In a short format a distance at the start of a bucket falls into the one before or after.
    """
    count, furthest = _t5_sizes(buckets, max_distance, bidirectional)
    shift = np.asarray(offset, dtype=np.int64)
    distance = np.abs(shift) if bidirectional else np.maximum(-shift, 0)
    exact = count // 2
    part = to_format(to_format(np.maximum(distance, 1), name) / exact, name)
    part = to_format(to_format(np.log(part), name) / math.log(furthest / exact), name)
    late = exact + np.floor(to_format(part * (count - exact), name)).astype(np.int64)
    found: Indices = np.where(distance < exact, distance, np.minimum(late, count - 1)).astype(np.int64)
    return found + np.where(shift > 0, count, 0) if bidirectional else found


def _t5_sizes(buckets: int, max_distance: int, bidirectional: bool) -> tuple[int, int]:
    count = whole(buckets, "buckets", 2)
    if bidirectional:
        if count % 2:
            raise EncodingError(f"buckets {count} is odd; two directions share them, so use an even number")
        count //= 2
    if count < 2:
        raise EncodingError(f"buckets {buckets} is too few; use at least {4 if bidirectional else 2}")
    furthest = whole(max_distance, "max distance", 1)
    if furthest <= count // 2:
        raise EncodingError(
            f"max distance must be greater than {count // 2}, the exact buckets, not {furthest}"
        )
    return count, furthest


def _log_starts(count: int, furthest: int) -> Indices:
    """The smallest distance of each logarithmic bucket, in whole numbers, so that no logarithm is rounded.

    Bucket e + t starts at the smallest n with floor(ln(n/e) / ln(L/e) * (c - e)) >= t, which is
    n^(c-e) >= e^(c-e-t) * L^t.
    """
    exact = count // 2
    wide = count - exact
    return np.array(
        [_root_above(exact ** (wide - t) * furthest**t, wide) for t in range(wide)], dtype=np.int64
    )


def _root_above(value: int, degree: int) -> int:
    """The smallest whole n with n**degree >= value."""
    low, high = 0, 1 << (value.bit_length() // degree + 1)
    while low < high:
        middle = (low + high) // 2
        low, high = (low, middle) if middle**degree >= value else (middle + 1, high)
    return low
