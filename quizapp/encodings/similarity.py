"""How alike two vectors point."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from quizapp.encodings.checks import EncodingError
from quizapp.encodings.frequencies import Array


def cosines(rows: ArrayLike, others: ArrayLike) -> Array:
    """The cosine of every row with every other; shapes (m, d) and (n, d) give (m, n).

    Between independent random rows it scatters around 0 by about 1/sqrt(d). Raises EncodingError for a row
    of zeros, which points nowhere.
    """
    left, right = np.asarray(rows, dtype=np.float64), np.asarray(others, dtype=np.float64)
    first = np.linalg.norm(left, axis=-1, keepdims=True)
    second = np.linalg.norm(right, axis=-1, keepdims=True)
    if not (first.all() and second.all()):
        raise EncodingError("a row of zeros has no direction, so no cosine")
    result: Array = (left / first) @ (right / second).T
    return result
