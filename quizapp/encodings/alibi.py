"""ALiBi: a fixed linear penalty on distance, one slope a head (Press et al. 2022)."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from quizapp.encodings.checks import LARGEST_HEADS, one_of, whole
from quizapp.encodings.frequencies import Array
from quizapp.encodings.relative import offsets

FORMS = ("paper", "bloom", "mpt")


def alibi_slopes(heads: int) -> Array:
    """The slope of each head, in head order; shape (heads,).

    For a power of two n: 2^(-8h/n), h = 1..n (section 3). Otherwise the slopes of the power of two c below,
    then every other slope of 2c; so they are not sorted. Source: attention_with_linear_biases, get_slopes.
    """
    count = whole(heads, "heads", 1, LARGEST_HEADS)
    below = 1 << (count.bit_length() - 1)
    first = np.exp2(-8.0 * np.arange(1, below + 1) / below)
    more = np.exp2(-8.0 * np.arange(1, 2 * below + 1, 2) / (2 * below))
    return np.concatenate([first, more[: count - below]])


def alibi_distance_bias(queries: ArrayLike, keys: ArrayLike, heads: int) -> Array:
    """slope * (n - m): 0 at the query itself, more negative the further back; shape (heads, queries, keys).

    The paper writes -m (i - j) with slope m, query i and key j: the same number. Keys after the query come
    out positive; a causal model masks them.
    """
    return alibi_slopes(heads)[:, None, None] * offsets(queries, keys)


def alibi_bias(length: int, heads: int, form: str = "paper") -> Array:
    """What is added to the scores of ``length`` tokens, after the division by sqrt(d).

    ``paper``: slope * (n - m) with -inf for n > m; shape (heads, length, length). ``bloom``: slope * n;
    ``mpt``: slope * (n - (length - 1)); shape (heads, length). Both differ from the paper's by a constant
    in each row, which softmax does not see. Sources: section 3; transformers, modeling_bloom and
    modeling_mpt.
    """
    size = whole(length, "length", 1)
    keys = np.arange(size)
    slopes = alibi_slopes(heads)[:, None]
    if one_of(form, "form", FORMS) == "bloom":
        return slopes * keys
    if form == "mpt":
        return slopes * (keys - (size - 1))
    bias = alibi_distance_bias(keys, keys, heads)
    bias[:, offsets(keys, keys) > 0] = -np.inf
    return bias
