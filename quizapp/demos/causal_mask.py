"""The triangle of what each query sees, and the weights of a head whose scores are all equal."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction

import numpy as np

from quizapp.demos.model import Choice, Control, Matrix, Number, Reading, Sentence, Value, View
from quizapp.demos.wording import counted, fixed, quoted
from quizapp.encodings.attention import causal_mask, softmax
from quizapp.encodings.frequencies import Array

START = "the cat sat on the mat"
MOST_WORDS = 12
CAUSAL, NONE = "causal", "none"

SAY = (
    "Under a causal mask query i sees i + 1 keys. A head with equal scores returns their mean, and the more "
    "there are the smaller its spread: 1/√(i + 1). So a decoder can know its place without any encoding, though "
    "noisily."
)
_SAY_OPEN = (
    "Without the mask every query sees all keys, so nothing depends on the place: an encoder without an encoding "
    "stays a bag of words."
)
_WHY = (
    "The mask is the one part that knows an order: M[i, j] hides j > i. Permute the words, and P M Pᵀ is not M, "
    "so the symmetry of attention is broken. What leaks is how many keys there are, not coordinates. Haviv et "
    "al. 2022 found that decoders without an encoding learn their positions, and that masked language models, "
    "which see both ways, do not."
)


def controls(values: Mapping[str, Value]) -> tuple[Control, ...]:
    last = len(str(values.get("sentence", START)).split()[:MOST_WORDS] or START.split()) - 1
    return (
        Sentence("sentence", "sentence", START, MOST_WORDS),
        Number("query", "query i", 0, last, min(3, last), leap=3),
        Choice("mask", "mask", (CAUSAL, NONE), CAUSAL),
    )


class Seen:
    """The sentence, the query in hand, the mask and the weights it leaves."""

    def __init__(self, values: Mapping[str, Value]) -> None:
        self.words = tuple(str(values["sentence"]).split())
        self.query = int(values["query"])
        self.causal = str(values["mask"]) == CAUSAL
        places = np.arange(len(self.words))
        self.mask: Array = (
            causal_mask(places, places) if self.causal else np.zeros((places.size, places.size))
        )
        self.weights = softmax(self.mask)
        self.counts = np.isfinite(self.mask).sum(axis=1)

    @property
    def count(self) -> int:
        return int(self.counts[self.query])

    def matrix(self, title: str, cells: list[list[str]]) -> Matrix:
        shades = self.weights if len(self.words) > 1 else np.ones((1, 1))
        return Matrix(
            title,
            tuple(tuple(row) for row in cells),
            self.words,
            self.words,
            shades.tolist(),
            (self.query, self.query),
        )

    def heads(self) -> tuple[str, ...]:
        mask = "causal mask" if self.causal else "no mask"
        return (f"Sentence: {' '.join(self.words)}; {mask}.",)


def seen(values: Mapping[str, Value]) -> View:
    """Which keys each query sees."""
    held = Seen(values)
    cells = [["●" if np.isfinite(cell) else "·" for cell in row] for row in held.mask]
    # The count stands at the end of each row, as the last column.
    cells = [[*row, str(count)] for row, count in zip(cells, held.counts, strict=True)]
    base = held.matrix("● is seen, · is masked; last column: how many", cells)
    shades = [[*row, 0.0] for row in np.isfinite(held.mask).astype(float).tolist()]
    picture = Matrix(base.title, base.cells, held.words, (*held.words, "keys"), shades, base.cursor)
    size = len(held.words)
    readings = (
        Reading("keys seen", held.count, f"{held.count} of {size}"),
        Reading("pairs seen", int(held.counts.sum()), f"{int(held.counts.sum())} of {size * size}"),
    )
    word = quoted(held.words[held.query], 16)
    if size == 1:
        see = "One word sees itself alone. Type a longer sentence."
    elif held.causal and held.query == 0:
        see = f"Query 0, {word}, sees 1 key: itself, for nothing came before. Move the query."
    elif held.causal:
        see = f"Query {held.query}, {word}, sees {counted(held.count, 'key')}: itself and what came before."
    else:
        see = f"Without the mask every query sees all {size} keys: no place is unlike another."
    lines = (
        *held.heads(),
        *(
            f"Query {place} ({name}) sees {counted(int(count), 'key')}."
            for place, (name, count) in enumerate(zip(held.words, held.counts, strict=True))
        ),
    )
    return View((picture,), readings, see, SAY if held.causal else _SAY_OPEN, _WHY, lines)


def uniform(values: Mapping[str, Value]) -> View:
    """The weights where all scores are equal: 1 over how many are seen."""
    held = Seen(values)
    cells = [[_fraction(weight) for weight in row] for row in held.weights.tolist()]
    picture = held.matrix("weights, all scores equal", cells)
    weight = float(held.weights[held.query, held.query])
    size = len(held.words)
    spread = float(np.sqrt((held.weights[held.query] ** 2).sum()))
    readings = (
        Reading("weight of a key", weight, f"{_fraction(weight)} = {fixed(weight)}"),
        Reading("spread", spread, f"{fixed(spread)} = √({_fraction(spread**2)})"),
    )
    word = quoted(held.words[held.query], 16)
    if size == 1:
        see = "One word: its weight is 1. Type a longer sentence."
    elif held.causal and held.query == 0:
        see = f"Query 0, {word}, sees itself alone and returns its own value. Move the query."
    elif held.causal:
        see = (
            f"With equal scores query {held.query}, {word}, returns the mean of {counted(held.count, 'value')}: "
            f"{_fraction(weight)} each."
        )
    else:
        see = f"Without the mask every row is the same, {_fraction(weight)} each: the head returns one mean for all."
    why = (
        "softmax of equal scores is 1/(number of keys seen). The variance of a mean of i + 1 uncorrelated values of "
        "variance σ² is Σ (1/(i + 1))² σ² = σ²/(i + 1); spread means standard deviation, σ/√(i + 1). " + _WHY
    )
    lines = (
        *held.heads(),
        *(
            f"Query {place} ({name}): {_fraction(float(row[place]))} on each of {counted(int(count), 'key')}."
            for place, (name, row, count) in enumerate(
                zip(held.words, held.weights, held.counts, strict=True)
            )
        ),
    )
    return View((picture,), readings, see, SAY if held.causal else _SAY_OPEN, why, lines)


def _fraction(weight: float) -> str:
    """The weight as the fraction it is: 1/3, 1, or a dot for 0."""
    if weight == 0:
        return "·"
    return str(Fraction(weight).limit_denominator(MOST_WORDS))
