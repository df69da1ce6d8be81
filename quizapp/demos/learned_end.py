"""The rows round a position in a published model's table, and the row after the last one missing."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache

import numpy as np

from quizapp.demos.model import Choice, Control, HeatMap, Number, Reading, Value, View
from quizapp.demos.wording import counted, fixed, listed
from quizapp.encodings.checks import EncodingError
from quizapp.encodings.frequencies import Array
from quizapp.encodings.learned import INITIAL_DEVIATION, LearnedTable, initial_rows
from quizapp.encodings.sinusoidal import sinusoidal

# Rows, width and rows kept for padding, as published.
TABLES = {
    "BERT base": LearnedTable(512, 768),
    "RoBERTa base": LearnedTable(514, 768, 2),
    "GPT-2 small": LearnedTable(1024, 768),
    "GPT-3 175B": LearnedTable(2048, 12288),
}
FIRST = "BERT base"
FURTHEST = 16000
ROWS_SHOWN, COLUMNS_SHOWN = 5, 24

_SAY = (
    "A learned table has a row for each position it was built with, and none beyond: the first missing index is how "
    "many positions it has. 512 positions do not become 16,000 without new rows, and new rows need training."
)


def controls(values: Mapping[str, Value]) -> tuple[Control, ...]:
    table = TABLES.get(str(values.get("model")), TABLES[FIRST])
    return (
        Choice("model", "model", tuple(TABLES), FIRST),
        Number("position", "position", 0, FURTHEST, table.first_missing, leap=100),
    )


def view(values: Mapping[str, Value]) -> View:
    name, position = str(values["model"]), int(values["position"])
    table = TABLES[name]
    start = max(0, position - ROWS_SHOWN // 2)
    places = range(start, start + ROWS_SHOWN)
    drawn = np.full((ROWS_SHOWN, COLUMNS_SHOWN), np.nan)
    there = [place for place in places if place < table.first_missing]
    if there:
        drawn[: len(there)] = initial_rows([table.row(place) for place in there], COLUMNS_SHOWN)
    # The whole row is as wide as the model; only its first columns are drawn.
    waves = _waves(start, table.dim)
    labels = tuple(str(place) for place in places)
    cursor = position - start
    reach = 3 * INITIAL_DEVIATION
    pictures = (
        HeatMap(f"{name}, before training", drawn.tolist(), -reach, reach, labels, (), True, (cursor,)),
        HeatMap("sinusoid", waves[:, :COLUMNS_SHOWN].tolist(), -1.0, 1.0, labels, (), True, (cursor,)),
    )
    lacking = max(0, position + 1 - table.first_missing)
    readings = (
        Reading("rows", table.rows, str(table.rows)),
        Reading("numbers to train", table.parameters, f"{table.parameters:,}"),
        Reading("first missing position", table.first_missing, str(table.first_missing)),
        Reading("tokens without a row", lacking, str(lacking)),
    )
    norm = float(np.linalg.norm(waves[cursor]))
    return View(pictures, readings, _see(name, table, position), _SAY, _why(name, table), (
        f"Table of {name}: {table.rows} rows of {table.dim} numbers, {table.parameters:,} to train.",
        *_row_words(table, position),
        f"Positions shown: {places[0]} to {places[-1]}; without a row: {_missing(table, places)}.",
        f"The sinusoid's row of position {position} exists: it starts "
        f"{listed(fixed(x) for x in waves[cursor, :4])}, and its length is {fixed(norm)}, as everywhere.",
    ))  # fmt: skip


@lru_cache(maxsize=64)
def _waves(start: int, dim: int) -> Array:
    return sinusoidal(range(start, start + ROWS_SHOWN), dim)


def _see(name: str, table: LearnedTable, position: int) -> str:
    last = table.first_missing - 1
    if position > last:
        return f"Position {position} has no row: {name} ends at position {last}. The sinusoid goes on."
    if position == last:
        return f"Position {position} is the last row of {name}; the next one is missing."
    return f"Position {position} has a row; {counted(last - position, 'row')} on, the table ends at {last}."


def _row_words(table: LearnedTable, position: int) -> tuple[str, ...]:
    try:
        row = table.row(position)
    except EncodingError as error:
        return (f"Asked for its row: {error}.",)
    values = initial_rows([row], 4)[0]
    return (f"Position {position} reads row {row}; drawn, it starts {listed(fixed(x) for x in values)}.",)


def _missing(table: LearnedTable, places: range) -> str:
    lacking = [place for place in places if place >= table.first_missing]
    if not lacking:
        return "none"
    return str(lacking[0]) if len(lacking) == 1 else f"{lacking[0]} to {lacking[-1]}"


def _why(name: str, table: LearnedTable) -> str:
    kept = f" {name} counts from row {table.reserved}, behind the padding's." if table.reserved else ""
    return (
        f"Positions count from 0, so {table.first_missing} positions end at {table.first_missing - 1}, and a text "
        f"of {table.first_missing + 1} tokens fails.{kept} On a CPU this is an index error, on a GPU an assert "
        "that takes the process with it. The sinusoid can be computed at any position, which does not mean that "
        "a model has learned to use it there. The table's rows are drawn here, as before training; their colours "
        f"span {3 * INITIAL_DEVIATION:g} either way, the sinusoid's 1."
    )
