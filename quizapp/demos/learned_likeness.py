"""How alike the rows of a table are: neighbours and strangers, beside the sinusoid's."""

from __future__ import annotations

import math
from collections.abc import Mapping
from functools import lru_cache

import numpy as np

from quizapp.demos.model import Choice, Control, Curve, Curves, HeatMap, Number, Reading, Value, View
from quizapp.demos.wording import fixed
from quizapp.encodings.frequencies import Array
from quizapp.encodings.learned import initial_rows
from quizapp.encodings.similarity import cosines
from quizapp.encodings.sinusoidal import sinusoidal

ROWS = 128
REACH = 32
SQUARE = 24
DIMS = ("16", "64", "256", "768")

_SAY = (
    "Nothing tells a learned table that 10 is next to 11: the rows are free, and before training neighbours are no "
    "closer than strangers. The sinusoid has it by construction: rows alike near, less so far."
)
_WHY = (
    "A learned table is a set of free vectors; a row gets a gradient only from its own position. Between independent "
    "random rows of width d the cosine scatters round 0 by 1/√d, at every distance. Training can bring neighbours "
    "close, and in published models it often does, but only for positions it saw, and no formula ties row p + 1 to "
    "row p. For the sinusoid PE(p)·PE(p + k) = Σ cos(kωᵢ), which depends on k alone: near 1 for neighbours, smaller "
    "far away, though not at every step. So a table cannot do two things by construction: go beyond its end, and "
    "express that two positions are near."
)


def controls() -> tuple[Control, ...]:
    return (
        Number("row", "row p", 0, ROWS - 1, 64),
        Choice("dim", "width d", DIMS, "64"),
        Number("seed", "drawn anew", 0, 99, 0),
    )


@lru_cache(maxsize=32)
def learned_cosines(dim: int, seed: int) -> Array:
    """Of every row of the untrained table with every other."""
    rows = initial_rows(range(ROWS), dim, seed)
    return cosines(rows, rows)


@lru_cache(maxsize=8)
def sinusoid_cosines(dim: int) -> Array:
    rows = sinusoidal(range(ROWS), dim)
    return cosines(rows, rows)


def typical(table: Array, near: bool) -> float:
    """The root mean square cosine of rows next to each other, or of rows at least REACH apart."""
    places = np.arange(ROWS)
    apart = np.abs(places[:, None] - places[None, :])
    return float(np.sqrt(np.square(table[apart == 1 if near else apart >= REACH]).mean()))


def _tables(values: Mapping[str, Value]) -> tuple[int, int, Array, Array]:
    dim = int(values["dim"])
    return int(values["row"]), dim, learned_cosines(dim, int(values["seed"])), sinusoid_cosines(dim)


def neighbours(values: Mapping[str, Value]) -> View:
    """The cosine of one row with those round it."""
    row, dim, learned, waves = _tables(values)
    others = range(max(0, row - REACH), min(ROWS, row + REACH + 1))
    steps = [float(other - row) for other in others]
    picture = Curves(
        f"cosine of row {row} with row {row} + k",
        (
            Curve("learned, untrained", steps, learned[row, others].tolist()),
            Curve("sinusoid", steps, waves[row, others].tolist()),
        ),
        "k",
        "cosine",
    )
    near, far = typical(learned, True), typical(learned, False)
    wave_near, wave_far = typical(waves, True), typical(waves, False)
    readings = (
        Reading("rms cos, neighbours", near, fixed(near, 3)),
        Reading("rms cos, strangers", far, fixed(far, 3)),
        Reading("1/√d", 1 / math.sqrt(dim), fixed(1 / math.sqrt(dim), 3)),
        Reading("sinusoid, near", wave_near, fixed(wave_near, 3)),
        Reading("sinusoid, far", wave_far, fixed(wave_far, 3)),
    )
    see = (
        f"In the table neighbours ({fixed(near, 2)}) are about as unlike as strangers ({fixed(far, 2)}); in the "
        f"sinusoid they are alike ({fixed(wave_near, 2)} against {fixed(wave_far, 2)})."
    )
    shown = sorted({other for other in (row - 1, row + 1, row - REACH, row + REACH) if 0 <= other < ROWS})
    lines = (
        f"Untrained table of {ROWS} rows of {dim}; root mean square cosine of neighbours {fixed(near)}, of rows "
        f"{REACH} or more apart {fixed(far)}.",
        f"Sinusoid of the same width: {fixed(wave_near)} and {fixed(wave_far)}.",
        *(
            f"Row {row} with row {other}: learned {fixed(learned[row, other])}, sinusoid {fixed(waves[row, other])}."
            for other in shown
        ),
    )
    return View((picture,), readings, see, _SAY, _WHY, lines)


def square(values: Mapping[str, Value]) -> View:
    """The cosines of a run of rows with each other, both tables side by side."""
    row, dim, learned, waves = _tables(values)
    start = min(row, ROWS - SQUARE)
    part = slice(start, start + SQUARE)
    labels = tuple(str(place) for place in range(ROWS)[part])
    tables = (("learned, untrained", learned[part, part]), ("sinusoid", waves[part, part]))
    pictures = tuple(
        HeatMap(title, table.tolist(), -1.0, 1.0, labels, labels, True, (row - start,))
        for title, table in tables
    )
    beside = row + 1 if row + 1 < start + SQUARE else row - 1
    found, wave = float(learned[row, beside]), float(waves[row, beside])
    readings = (
        Reading(f"learned {row}, {beside}", found, fixed(found)),
        Reading(f"sinusoid {row}, {beside}", wave, fixed(wave)),
    )
    see = "In the table each row is like itself alone: the diagonal. In the sinusoid near rows are alike: a band."
    off = np.abs(tables[0][1])[~np.eye(SQUARE, dtype=bool)]
    lines = (
        f"Rows {start} to {start + SQUARE - 1} of {ROWS}, width {dim}.",
        f"Learned: 1 on the diagonal; off it at most {fixed(float(off.max()))} in size.",
        "Sinusoid: "
        + ", ".join(f"{fixed(float(waves[start, start + k]))} at distance {k}" for k in (0, 1, 2, 4, 8, 16))
        + ", whichever row.",
    )
    return View(pictures, readings, see, _SAY, _WHY, lines)
