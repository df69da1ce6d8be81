"""Learned absolute positions: a table of rows, and nothing beyond its last one."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from quizapp.encodings.checks import EncodingError, whole
from quizapp.encodings.frequencies import Array

# BERT draws its tables with this standard deviation.
INITIAL_DEVIATION = 0.02


@dataclass(frozen=True)
class LearnedTable:
    """The shape of a learned table: ``rows`` x ``dim`` numbers, the first ``reserved`` rows not for real
    tokens.

    BERT (Devlin et al. 2019) has 512 x 768; RoBERTa 514 x 768 with 2 reserved, since fairseq counts from
    the padding index + 1.
    """

    rows: int
    dim: int
    reserved: int = 0

    def __post_init__(self) -> None:
        object.__setattr__(self, "rows", whole(self.rows, "length", 1))
        object.__setattr__(self, "dim", whole(self.dim, "dim", 1))
        object.__setattr__(self, "reserved", whole(self.reserved, "reserved", 0))
        if self.reserved >= self.rows:
            raise EncodingError(
                f"a table of {self.rows} rows with {self.reserved} reserved has none left for tokens"
            )

    @property
    def parameters(self) -> int:
        """Trained numbers: rows times dim."""
        return self.rows * self.dim

    @property
    def first_missing(self) -> int:
        """The first zero-based position without a row."""
        return self.rows - self.reserved

    def row(self, position: Any) -> int:
        """The table row of a zero-based position; raises EncodingError for one that has none."""
        place = whole(position, "position", 0)
        if place >= self.first_missing:
            raise EncodingError(
                f"position {place} does not exist in a learned table of {self.rows} rows; "
                f"positions 0 to {self.first_missing - 1} do"
            )
        return place + self.reserved


def initial_rows(positions: ArrayLike, dim: int, seed: int = 0) -> Array:
    """Rows of a table before any training: normal, mean 0, standard deviation 0.02; shape (positions, dim).

    Each row has a source of its own, so a few rows of a large table cost little.
    """
    width = whole(dim, "dim", 1)
    places = [whole(place, "position", 0) for place in np.atleast_1d(np.asarray(positions)).tolist()]
    rows = [np.random.default_rng([seed, place]).standard_normal(width) for place in places]
    return INITIAL_DEVIATION * np.array(rows).reshape(len(places), width)
