"""Numbers and heat maps as plain text that fits a width. No colour, so nothing depends on it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from quizapp.encodings.frequencies import Array

SHADES = " ░▒▓█"
ASCII_SHADES = " .:*#"
ELIDED = "..."


@dataclass(frozen=True)
class Table:
    """Cells of text under ``header``, right-aligned; the first column names the row."""

    header: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


def number(value: float) -> str:
    """Four to eight significant digits in at most 11 characters."""
    if value == 0:
        return "0"
    if np.isfinite(value) and float(value).is_integer() and abs(value) < 1e7:
        return str(int(value))
    if abs(value) >= 1e4:
        return f"{value:.6g}"
    return f"{value:.4f}" if abs(value) >= 1e-2 else f"{value:.4g}"


def fit(table: Table, width: int = 80, most_rows: int = 24) -> list[str]:
    """The lines of a table, with columns and rows left out of the middle where they do not fit."""
    header, rows = list(table.header), [list(row) for row in table.rows]
    if len(rows) > most_rows:
        kept = most_rows // 2
        rows = [*rows[:kept], [ELIDED] * len(header), *rows[-kept:]]
    columns = [[header[index], *(row[index] for row in rows)] for index in range(len(header))]
    widths = [max(map(len, column)) for column in columns]
    chosen = _columns_that_fit(widths, width)
    shown: list[tuple[int, Sequence[str]]] = []
    for position, index in enumerate(chosen):
        if position and index != chosen[position - 1] + 1:
            shown.append((len(ELIDED), [ELIDED] * (len(rows) + 1)))
        shown.append((widths[index], columns[index]))
    return [
        "  ".join(cells[line].rjust(size) for size, cells in shown).rstrip() for line in range(len(rows) + 1)
    ]


def _columns_that_fit(widths: Sequence[int], width: int) -> list[int]:
    """Column 0, then as many from the front as fit beside the last one."""
    if sum(widths) + 2 * (len(widths) - 1) <= width:
        return list(range(len(widths)))
    left = width - widths[0] - 2 - len(ELIDED) - 2 - widths[-1]
    chosen = [0]
    for index in range(1, len(widths) - 1):
        left -= widths[index] + 2
        if left < 0:
            break
        chosen.append(index)
    return [*chosen, len(widths) - 1]


def heat_map(values: Array, *, unicode: bool = True, width: int = 72, height: int = 16) -> list[str]:
    """Shaded cells, the darker the greater, and a line that says what the shades mean; values of shape
    (rows, columns).

    Larger arrays are shown by evenly spaced rows and columns. Cells that are not finite stay blank, marked
    as such.
    """
    shades = SHADES if unicode else ASCII_SHADES
    blank = "·" if unicode else "-"
    grid = np.atleast_2d(np.asarray(values, dtype=np.float64))
    rows, columns = _evenly(grid.shape[0], height), _evenly(grid.shape[1], width)
    sample = grid[np.ix_(rows, columns)]
    finite = np.isfinite(sample)
    low, high = float(sample[finite].min()), float(sample[finite].max())
    if low == high:
        return [f"All {number(low)}."]
    span = high - low
    level = np.zeros(sample.shape, dtype=np.int64)
    level[finite] = np.minimum((sample[finite] - low) / span * len(shades), len(shades) - 1).astype(np.int64)
    repeat = 2 if 2 * len(columns) <= width else 1
    marks = np.where(finite, np.array(list(shades))[level], blank)
    lines = ["".join(mark * repeat for mark in line).rstrip() for line in marks.tolist()]
    key = f"from {number(low)} ({shades[0]!r}) to {number(high)} ({shades[-1]!r})"
    if not finite.all():
        key += f"; {blank!r} is masked"
    if len(rows) < grid.shape[0] or len(columns) < grid.shape[1]:
        key += f"; {len(rows)} of {grid.shape[0]} rows, {len(columns)} of {grid.shape[1]} columns"
    return [*lines, key]


def _evenly(size: int, most: int) -> list[int]:
    if size <= most:
        return list(range(size))
    return [round(index * (size - 1) / (most - 1)) for index in range(most)]
