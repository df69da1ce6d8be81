"""A drawn embedding for any word: the same word has the same vector, wherever it stands and whenever it is
asked for.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from quizapp.encodings.checks import whole
from quizapp.encodings.frequencies import Array


def word_vectors(words: Sequence[str], dim: int, seed: int = 0) -> Array:
    """Standard normal rows, one a word, drawn from the seed and the word's letters; shape (words, dim)."""
    width = whole(dim, "dim", 1)
    sources = (np.random.default_rng([seed, *word.encode("utf-8", "surrogatepass")]) for word in words)
    return np.array([source.standard_normal(width) for source in sources]).reshape(len(words), width)
