"""Which position each token of a padded batch has."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from quizapp.encodings.checks import EncodingError


def from_mask(mask: ArrayLike) -> NDArray[np.int64]:
    """Positions that count real tokens only; padding (mask 0) gets 0. Shape (batch, length), as ``mask``.

    Source: transformers, generate: the running sum of the mask minus one.
    """
    real = np.asarray(mask, dtype=np.int64)
    if real.ndim != 2 or not np.isin(real, (0, 1)).all():
        raise EncodingError("a mask is a batch of rows of 0 and 1, such as [[0, 1, 1]]")
    return (np.cumsum(real, axis=1) - 1) * real
