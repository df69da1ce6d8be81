"""ALiBi's slope over the offsets, and the weights that it leaves where all contents score alike."""

from __future__ import annotations

import math
from collections.abc import Mapping

import numpy as np

from quizapp.demos.model import Bar, Bars, Control, Number, Reading, Value, View
from quizapp.demos.offsets_grid import bias, diagonals, grid, scaled, text_cells
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
    "a power of two, the slopes are 2^(-8h/n); otherwise those of the power of two below and then every other "
    "one of the next. Where contents score alike the weights fall by exp(-m) with each step back, exactly. "
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


def view(values: Mapping[str, Value]) -> View:
    held = grid(values)
    heads, head = int(values["heads"]), int(values["head"])
    table = alibi_bias(len(held.words), heads)[head]
    slope = float(alibi_slopes(heads)[head])
    weights = softmax(table[held.query])
    cells = text_cells(table, bias)
    picture = held.matrix(f"slope {slope:.6g} times offset; · is masked", cells, scaled(table))
    bars = Bars(
        f"weights of query {held.query} where contents score alike",
        tuple(
            Bar(word, float(weight), fixed(weight, 3), "query" if place == held.query else "")
            for place, (word, weight) in enumerate(zip(held.words, weights, strict=True))
        ),
        0.0,
        1.0,
    )
    value, ratio = float(table[held.query, held.key]), math.exp(-slope)
    masked = not np.isfinite(value)
    readings = (
        held.offset_reading(),
        Reading("slope", slope, f"{slope:.6g}"),
        Reading("bias of the pair", value, "masked" if masked else f"{value:.6g}"),
        Reading("weight of the key", float(weights[held.key]), fixed(weights[held.key])),
        Reading("a step back", ratio, f"times {fixed(ratio)}"),
        diagonals(table),
    )
    if len(held.words) == 1:
        see = "One word sees only itself, with bias 0. Type a longer sentence."
    else:
        see = (
            f"Head {head} of {heads}: each step back costs {slope:.6g} of score, so a weight {fixed(ratio, 3)} "
            "times as large. Every diagonal is constant."
        )
    row = [text for place, text in enumerate(cells[held.query]) if place <= held.query]
    lines = (
        *held.heads(),
        f"Head {head} of {heads}, slope {slope:.8g}; the slopes run from {alibi_slopes(heads).max():.6g} to "
        f"{alibi_slopes(heads).min():.6g}.",
        f"Bias of query {held.query} ({quoted(held.words[held.query], 16)}), from key 0: {' '.join(row)}; later "
        "keys are masked.",
        "Weights with equal contents, from key 0: "
        f"{' '.join(fixed(weight) for weight in weights[: held.query + 1])}.",
    )
    return View((picture, bars), readings, see, _SAY, _WHY, lines)
