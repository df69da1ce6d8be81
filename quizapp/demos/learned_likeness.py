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
SQUARE = 12
LEARNED, SINUSOID = "learned, untrained", "sinusoid"
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
        Number("seed", "seed", 0, 99, 0),
    )


def square_controls(values: Mapping[str, Value]) -> tuple[Control, ...]:
    row, dim, seed = controls()
    apart = Number("apart", "rows apart", 1, (ROWS - 1) // (SQUARE - 1), 2, leap=5)
    table = Choice("table", "table", (LEARNED, SINUSOID), LEARNED)
    # The sinusoid is not drawn.
    return (table, row, apart, dim) if values.get("table") == SINUSOID else (table, row, apart, dim, seed)


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
    dim, seed = int(values["dim"]), int(values.get("seed", 0))
    return int(values["row"]), dim, learned_cosines(dim, seed), sinusoid_cosines(dim)


def neighbours(values: Mapping[str, Value]) -> View:
    """The cosine of one row with those round it."""
    row, dim, learned, waves = _tables(values)
    others = range(max(0, row - REACH), min(ROWS, row + REACH + 1))
    steps = [float(other - row) for other in others]
    picture = Curves(
        f"cosine of row {row} with row {row} + k",
        (
            Curve(LEARNED, steps, learned[row, others].tolist()),
            Curve(SINUSOID, steps, waves[row, others].tolist()),
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
    """The cosines of some rows with each other, of one table or the other."""
    row, dim, learned, waves = _tables(values)
    which, apart = str(values["table"]), int(values["apart"])
    start = min(row, ROWS - 1 - (SQUARE - 1) * apart)
    places = range(start, start + SQUARE * apart, apart)
    found = (learned if which == LEARNED else waves)[np.ix_(places, places)]
    # One scale for both tables, so that one may be held against the other.
    low = math.floor(10 * min(table[np.ix_(places, places)].min() for table in (learned, waves))) / 10
    labels = tuple(str(place) for place in places)
    held = (places.index(row),) if row in places else ()
    picture = HeatMap(f"cosines, {which}", found.tolist(), low, 1.0, labels, labels, False, held)
    beside = float(found[0, 1])
    off = np.abs(found)[~np.eye(SQUARE, dtype=bool)]
    readings = (
        Reading(f"rows {places[0]} and {places[1]}", beside, fixed(beside)),
        Reading(f"rows {places[0]} and {places[-1]}", float(found[0, -1]), fixed(found[0, -1])),
        Reading("largest off diagonal", float(off.max()), fixed(off.max())),
    )
    if which == LEARNED:
        see = (
            f"Off the diagonal there is no pattern: cosines scatter round 0 by about 1/√d = "
            f"{fixed(1 / math.sqrt(dim), 2)}, the largest has size {fixed(off.max(), 2)}."
        )
    elif beside == off.max():
        see = (
            f"A band along the diagonal: rows {apart} apart have {fixed(beside, 2)}, wherever they stand; every "
            "diagonal is constant."
        )
    else:
        see = (
            f"Every diagonal is constant: rows {apart} apart have {fixed(beside, 2)}, wherever they stand. At so "
            "large a step the cosine does not fall each time."
        )
    lines = (
        f"Rows {', '.join(labels)} of {ROWS}, width {dim}, {which}.",
        "Distance and cosine with row "
        + f"{start}: "
        + ", ".join(f"{place - start} {fixed(found[0, at])}" for at, place in enumerate(places))
        + ".",
        f"Off the diagonal the largest size is {fixed(off.max())}.",
    )
    return View((picture,), readings, see, _SAY, _WHY, lines)
