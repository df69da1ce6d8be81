"""ALiBi's slope over the offsets, and the weights that it leaves where all contents score alike."""

from __future__ import annotations

import math
from collections.abc import Mapping

import numpy as np

from quizapp.demos.model import Bar, Bars, Control, Number, Reading, Value, View
from quizapp.demos.offsets_grid import Grid, bias, diagonals, grid, scaled, text_cells
from quizapp.demos.wording import fixed, quoted
from quizapp.encodings.alibi import alibi_bias, alibi_slopes
from quizapp.encodings.attention import softmax

MOST_HEADS = 64

_SAY = (
    "ALiBi subtracts slope times distance from the score, with one fixed slope a head: nothing is learned, "
    "nothing is added to the input. Steep heads look near, flat heads far."
)
_WHY = (
    "The bias is -m(i - j), the same as m times key minus query, added after the division by √d. With n heads, n "
    "a power of two, the slopes are 2^(-8h/n), h = 1 to n; otherwise those of the power of two below and then every "
    "other one of the next. Where contents score alike each step back multiplies the weight by exp(-m), exactly. "
    "Shipped code often adds +m·j instead: a constant more in each row, which the softmax does not see; without "
    "a softmax it is not the same. The mask is part of it: ALiBi was made for decoders. That near words count "
    "more is a prior that suits language, not a law."
)


def controls(values: Mapping[str, Value]) -> tuple[Control, ...]:
    heads = values.get("heads", 8)
    last = min(max(heads if isinstance(heads, int) else 8, 1), MOST_HEADS) - 1
    return (
        Number("heads", "heads", 1, MOST_HEADS, 8, leap=4),
        Number("head", "head, from 0", 0, last, 0, leap=4),
    )


class Slope:
    """One head over the sentence: its slope, the biases and the weights of the query where contents score alike."""

    def __init__(self, values: Mapping[str, Value]) -> None:
        self.grid = grid(values)
        self.heads, self.head = int(values["heads"]), int(values["head"])
        self.table = alibi_bias(len(self.grid.words), self.heads)[self.head]
        self.slopes = alibi_slopes(self.heads)
        self.slope = float(self.slopes[self.head])
        self.weights = softmax(self.table[self.grid.query])
        self.ratio = math.exp(-self.slope)

    def readings(self) -> tuple[Reading, ...]:
        return (self.grid.offset_reading(), Reading("slope", self.slope, f"{self.slope:.6g}"))

    def heads_line(self) -> str:
        return (
            f"Head {self.head} of {self.heads}, slope {self.slope:.8g}; the slopes run from "
            f"{self.slopes.max():.6g} to {self.slopes.min():.6g}."
        )


def view(values: Mapping[str, Value]) -> View:
    """The bias of each pair of words."""
    held = Slope(values)
    cells = text_cells(held.table, bias)
    place = held.grid
    picture = place.matrix(f"slope {held.slope:.6g} × offset; · masked", cells, scaled(held.table))
    value = float(held.table[place.query, place.key])
    readings = (
        *held.readings(),
        Reading("bias of the pair", value, f"{value:.6g}" if np.isfinite(value) else "masked"),
        diagonals(held.table),
    )
    if len(place.words) == 1:
        see = "One word sees only itself, with bias 0. Type a longer sentence."
    else:
        see = (
            f"Each step back costs {held.slope:.6g} of score in head {held.head}; every diagonal is constant."
        )
    row = " ".join(cells[place.query][: place.query + 1])
    lines = (
        *place.heads(),
        held.heads_line(),
        f"Bias of query {place.query} ({quoted(place.words[place.query], 16)}), from key 0: {row}; later keys are "
        "masked.",
    )
    return View((picture,), readings, see, _SAY, _WHY, lines)


def weights(values: Mapping[str, Value]) -> View:
    """What the softmax makes of one row of the biases, where contents score alike."""
    held = Slope(values)
    place = held.grid
    picture = Bars(
        f"weights of query {place.query}, contents alike",
        tuple(
            Bar(word, float(weight), fixed(weight, 3), _mark(place, key))
            for key, (word, weight) in enumerate(zip(place.words, held.weights, strict=True))
        ),
        0.0,
        1.0,
    )
    weight = float(held.weights[place.key])
    readings = (
        *held.readings(),
        Reading("weight of the key", weight, fixed(weight)),
        Reading("each step back", held.ratio, f"times {fixed(held.ratio)}"),
    )
    if len(place.words) == 1:
        see = "One word gives all its weight to itself. Type a longer sentence."
    elif place.query == 0:
        see = "The first word sees itself alone: all the weight is there. Move the query."
    else:
        see = (
            f"Head {held.head}: each step back multiplies the weight by the same factor, exp(-slope) = "
            f"{fixed(held.ratio, 3)}, where contents score alike."
        )
    lines = (
        *place.heads(),
        held.heads_line(),
        f"Weights of query {place.query} ({quoted(place.words[place.query], 16)}), from key 0: "
        f"{' '.join(fixed(weight) for weight in held.weights[: place.query + 1])}; later keys have none.",
        f"Each is {fixed(held.ratio)} = exp(-slope) times the next.",
    )
    return View((picture,), readings, see, _SAY, _WHY, lines)


def _mark(place: Grid, key: int) -> str:
    return " ".join(name for name, at in (("query", place.query), ("key", place.key)) if at == key)
