"""Pooling, by its definition and by what it must not ask for."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

from quizapp.encodings.checks import EncodingError
from quizapp.encodings.pooling import POOLS, pooled
from quizapp.encodings.sums import EXACT

ROWS = np.array([[1.0, -2.0], [3.0, 0.5], [0.1, 0.2]])


def test_each_pool_by_hand() -> None:
    assert pooled(ROWS, "sum").tolist() == pytest.approx([4.1, -1.3])
    assert pooled(ROWS, "mean").tolist() == pytest.approx([4.1 / 3, -1.3 / 3])
    assert pooled(ROWS, "max").tolist() == [3.0, 0.5]
    assert pooled(ROWS, "last").tolist() == [0.1, 0.2]


@pytest.mark.parametrize("how", POOLS)
def test_only_the_last_row_asks_for_the_order(how: str) -> None:
    found = {
        tuple(pooled(ROWS[list(order)], how, EXACT).tolist()) for order in itertools.permutations(range(3))
    }
    assert len(found) == (3 if how == "last" else 1)


def test_an_unknown_pool_is_refused() -> None:
    with pytest.raises(EncodingError, match="pool must be one of"):
        pooled(ROWS, "median")
