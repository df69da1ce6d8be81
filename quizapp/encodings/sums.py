"""Two ways to add: numpy's, whose result depends on the order of the terms, and one whose result does not.

A softmax over reordered keys adds the same terms in another order. In floats that is another sum, by about
one unit in the last place; rounded once from the exact value, it is the same sum to the bit.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from quizapp.encodings.frequencies import Array


@dataclass(frozen=True)
class Sums:
    """``product`` is the matrix product of (..., m, k) and (..., k, n); ``total`` sums the last axis and
    keeps it.
    """

    product: Callable[[Array, Array], Array]
    total: Callable[[Array], Array]


def _total(values: Array) -> Array:
    return np.asarray(values.sum(axis=-1, keepdims=True))


def _exact_total(values: Array) -> Array:
    flat = values.reshape(-1, values.shape[-1]).tolist()
    return np.array([math.fsum(row) for row in flat]).reshape(*values.shape[:-1], 1)


def _exact_product(left: Array, right: Array) -> Array:
    terms = left[..., :, None, :] * np.swapaxes(right, -1, -2)[..., None, :, :]
    result: Array = _exact_total(terms)[..., 0]
    return result


FLOAT = Sums(np.matmul, _total)
# Each sum is rounded once from its exact value (Shewchuk 1997), so the order of the terms cannot matter.
EXACT = Sums(_exact_product, _exact_total)
