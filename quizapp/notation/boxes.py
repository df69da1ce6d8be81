"""A rectangle of terminal cells with a baseline, and the ways to join such rectangles."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from quizapp.notation.width import cells


@dataclass(frozen=True, slots=True)
class Box:
    """``rows`` all take ``width`` cells; row ``baseline`` is the one that text stands on.

    ``left`` and ``right`` are the spacing classes that its neighbours see ("" sees none). ``flat``: scripts
    go to the baseline's row, though parts of the box reach over or under it (a bracket of one row).
    """

    rows: tuple[str, ...]
    width: int
    baseline: int = 0
    left: str = ""
    right: str = ""
    flat: bool = False

    @property
    def height(self) -> int:
        return len(self.rows)

    def classed(self, left: str, right: str | None = None) -> Box:
        """The same box with other spacing classes."""
        return replace(self, left=left, right=left if right is None else right)


EMPTY = Box(("",), 0)


def text_box(text: str, spacing: str = "ord") -> Box:
    """One line of text."""
    return Box((text,), cells(text), 0, spacing, spacing)


def blank(width: int) -> Box:
    """One row of spaces."""
    return Box((" " * width,), width)


def beside(boxes: Sequence[Box]) -> Box:
    """Boxes side by side on one baseline."""
    boxes = [box for box in boxes if box.width]
    if not boxes:
        return EMPTY
    if len(boxes) == 1:
        return boxes[0]
    if all(box.height == 1 for box in boxes):
        rows: tuple[str, ...] = ("".join(box.rows[0] for box in boxes),)
        return Box(rows, sum(box.width for box in boxes), 0, boxes[0].left, boxes[-1].right)
    above = max(box.baseline for box in boxes)
    below = max(box.height - box.baseline for box in boxes)
    lines = []
    for row in range(above + below):
        line = ""
        for box in boxes:
            at = row - above + box.baseline
            line += box.rows[at] if 0 <= at < box.height else " " * box.width
        lines.append(line)
    return Box(tuple(lines), sum(box.width for box in boxes), above, boxes[0].left, boxes[-1].right)


def aligned(box: Box, width: int, alignment: str = "center") -> Box:
    """``box`` padded to ``width`` cells. An odd cell goes to the left of centred content."""
    spare = width - box.width
    if spare <= 0:
        return box
    left = {"left": 0, "right": spare}.get(alignment, (spare + 1) // 2)
    rows = tuple(" " * left + row + " " * (spare - left) for row in box.rows)
    return replace(box, rows=rows, width=width)


def stacked(boxes: Sequence[Box], base: int, alignment: str = "center") -> Box:
    """Boxes one above the other; the baseline is that of ``boxes[base]``."""
    width = max(box.width for box in boxes)
    padded = [aligned(box, width, alignment) for box in boxes]
    baseline = sum(box.height for box in padded[:base]) + padded[base].baseline
    rows = tuple(row for box in padded for row in box.rows)
    return Box(rows, width, baseline, boxes[base].left, boxes[base].right)


def lifted(box: Box, above: int, below: int) -> Box:
    """``box`` with blank rows over and under it."""
    space = " " * box.width
    rows = (space,) * above + box.rows + (space,) * below
    return replace(box, rows=rows, baseline=box.baseline + above)
