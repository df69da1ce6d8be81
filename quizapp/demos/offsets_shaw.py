"""Shaw's clipped offsets: which row of the table a pair reads."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from quizapp.demos.model import Choice, Control, Number, Reading, Value, View
from quizapp.demos.offsets_grid import MOST_WORDS, diagonals, grid, scaled, signed
from quizapp.demos.wording import counted, quoted
from quizapp.encodings.relative import shaw_indices, shaw_rows

ROW, OFFSET = "table row", "clipped offset"

_SAY = (
    "Shaw learns a vector for each offset and adds it to the key. Offsets are clipped at k, so 2k + 1 vectors "
    "serve any length, and beyond k all distances look the same."
)
_WHY = (
    "The row is clip(j - i, -k, k) + k, from 0 to 2k. The query meets key + vector, so the bias depends on the content "
    "of the query: qᵢ·a(j - i)/√d. Shaw et al. added a second table to the values; T5 and ALiBi leave values alone. "
    "Clipping keeps the sign: the word before and the word after read different rows, while k = 0 leaves a single row, "
    "which tells nothing."
)


def controls() -> tuple[Control, ...]:
    return (
        Number("clip", "clip k", 0, MOST_WORDS, 2, leap=4),
        Choice("cells", "cells show", (ROW, OFFSET), ROW),
    )


def view(values: Mapping[str, Value]) -> View:
    held = grid(values)
    clip, shown = int(values["clip"]), str(values["cells"])
    rows = shaw_indices(held.offsets, clip)
    beyond = np.abs(held.offsets) > clip
    if shown == ROW:
        cells = [
            [f"{row}*" if cut else str(row) for row, cut in zip(*both, strict=True)]
            for both in zip(rows.tolist(), beyond.tolist(), strict=True)
        ]
        title = f"row of Shaw's table, k = {clip}; * clipped"
    else:
        # A clipped offset stands for all beyond it.
        cells = [
            [_clipped(row - clip, cut) for row, cut in zip(*both, strict=True)]
            for both in zip(rows.tolist(), beyond.tolist(), strict=True)
        ]
        title = f"offset clipped at k = {clip}"
    marked = tuple((int(i), int(j)) for i, j in np.argwhere(beyond))
    picture = held.matrix(title, cells, scaled(rows), marked)
    row, cut = int(rows[held.query, held.key]), bool(beyond[held.query, held.key])
    total, used = int(beyond.sum()), len(np.unique(rows))
    readings = (
        held.offset_reading(),
        Reading("row read", row, f"{row}, clipped" if cut else str(row)),
        Reading("rows of the table", shaw_rows(clip), str(shaw_rows(clip))),
        Reading("pairs clipped", total, f"{total} of {rows.size}"),
        diagonals(rows),
    )
    if not total:
        see = (
            f"k = {clip} reaches every offset of {counted(len(held.words), 'word')}: nothing is clipped yet."
        )
    elif clip == 0:
        see = f"With k = 0 all {rows.size} pairs read the one row 0: the scheme knows no position."
    else:
        see = (
            f"Beyond {clip} each side shares one row: {total} of {rows.size} pairs are clipped. Row of "
            f"{quoted(held.words[held.query], 12)}: {' '.join(cells[held.query])}."
        )
    lines = (
        *held.heads(),
        f"Clip k = {clip}: {counted(shaw_rows(clip), 'row')} of the table, {used} read here.",
        held.line(cells[held.query]),
        f"Clipped: {total} of {counted(rows.size, 'pair')}.",
    )
    return View((picture,), readings, see, _SAY, _WHY, lines)


def _clipped(offset: int, cut: bool) -> str:
    if not cut:
        return signed(offset)
    if offset == 0:
        return "any"
    return f"≥{signed(offset)}" if offset > 0 else f"≤{offset}"
