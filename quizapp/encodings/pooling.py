"""One vector for a whole sequence. Sum, mean and largest do not ask for the order of the rows; the last does."""

from __future__ import annotations

from quizapp.encodings.checks import one_of
from quizapp.encodings.frequencies import Array
from quizapp.encodings.sums import FLOAT, Sums

POOLS = ("mean", "sum", "max", "last")


def pooled(rows: Array, how: str, sums: Sums = FLOAT) -> Array:
    """Shape (length, dim) to (dim,): the ``mean``, ``sum`` or ``max`` of each column, or the ``last`` row."""
    one_of(how, "pool", POOLS)
    if how == "last":
        last: Array = rows[-1]
        return last
    if how == "max":
        highest: Array = rows.max(axis=0)
        return highest
    total = sums.total(rows.T)[:, 0]
    return total / rows.shape[0] if how == "mean" else total
