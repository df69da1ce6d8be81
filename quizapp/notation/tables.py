"""Matrices, cases and aligned lines."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from quizapp.notation.boxes import Box, aligned, blank, lifted


@dataclass(frozen=True, slots=True)
class Cell:
    box: Box
    alignment: str = "center"


def table(
    rows: Sequence[Sequence[Cell]],
    *,
    gaps: Sequence[int] = (3,),
    loose: bool = False,
    column_lines: str = "",
    row_lines: Sequence[str] = (),
) -> Box:
    """Cells in rows and columns.

    ``gaps``: the cells between two columns, in turn (aligned lines have (0, 4)). ``loose`` tables have a blank
    row between any two rows. ``column_lines`` has one of ``.|`` before, between and after the columns; ``row_lines`` is
    "solid" at the place of a rule over a row.
    """
    columns = max((len(row) for row in rows), default=0)
    if not columns:
        return blank(1).classed("ord")
    widths = [max((row[at].box.width for row in rows if at < len(row)), default=0) for at in range(columns)]
    gap = loose or any(cell.box.height > 1 for row in rows for cell in row)
    lines: list[str] = []
    starts: list[tuple[int, int]] = []
    separators = _separators(columns, gaps, column_lines)
    total = sum(widths) + sum(len(separator) for separator in separators)
    blank_line = "".join(s + " " * w for s, w in zip(separators, [*widths, 0], strict=True))
    for number, row in enumerate(rows):
        solid = number < len(row_lines) and row_lines[number] == "solid"
        if solid:
            lines.append(_rule(blank_line, "┌┬┐" if not number else "├┼┤"))
        elif number and gap:
            lines.append(blank_line)
        above = max((cell.box.baseline for cell in row), default=0)
        below = max((cell.box.height - cell.box.baseline for cell in row), default=1)
        starts.append((len(lines), len(lines) + above))
        boxes = []
        for at in range(columns):
            cell = row[at] if at < len(row) else Cell(blank(0))
            padded = aligned(cell.box, widths[at], cell.alignment)
            boxes.append(lifted(padded, above - padded.baseline, below - (padded.height - padded.baseline)))
        for line in range(above + below):
            text = "".join(separators[at] + boxes[at].rows[line] for at in range(columns))
            lines.append(text + separators[columns])
    if len(row_lines) > len(rows) and row_lines[len(rows)] == "solid":
        lines.append(_rule(blank_line, "└┴┘"))
    middle = (len(lines) - 1) // 2 if len(rows) % 2 == 0 else starts[len(rows) // 2][1]
    return Box(tuple(lines), total, middle, "ord", "ord")


def _rule(blank_line: str, joints: str) -> str:
    """A line across, with ``joints`` where it meets the columns' lines: first, inner, last."""
    last = len(blank_line) - 1
    return "".join(
        "─" if mark != "│" else joints[0] if at == 0 else joints[2] if at == last else joints[1]
        for at, mark in enumerate(blank_line)
    )


def _separators(columns: int, gaps: Sequence[int], column_lines: str) -> list[str]:
    separators = [""]
    separators += [" " * gaps[at % len(gaps)] for at in range(columns - 1)]
    separators.append("")
    for at, mark in enumerate(column_lines[: columns + 1]):
        if mark == "|":
            separators[at] = "│ " if at == 0 else " │" if at == columns else " │ "
    return separators
