"""A heat map: two values a cell as half blocks in true colour, or shades where there is no colour."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray
from rich.cells import cell_len
from rich.color import Color
from rich.segment import Segment
from rich.style import Style
from textual.strip import Strip

from quizapp.demos.model import HeatMap
from quizapp.tui.widgets.look import Look, Span, fit, line, number, thinned, title
from quizapp.tui.widgets.scale import LEVELS, colours, is_light

SHADES = " ░▒▓█"
# Wider than this a cell says no more.
_WIDEST = 6
_LONGEST_LABEL = 10
_LEGEND = 12
_MASKED = -1

Levels = NDArray[np.int16]


def size(picture: HeatMap) -> tuple[int, int]:
    """The cells that it needs at least to show every value: width and height."""
    rows, columns = len(picture.values), len(picture.values[0]) if len(picture.values) else 0
    extra = 2 + bool(picture.column_labels or picture.cursor)
    return _gutter(picture) + columns, (rows + 1) // 2 + extra


def comfortable_height(picture: HeatMap) -> int:
    """The lines with which every row has one of its own, and so its label."""
    return len(picture.values) + 2 + bool(picture.column_labels or picture.cursor)


def render(picture: HeatMap, width: int, height: int, look: Look) -> list[Strip]:
    """At most ``height`` lines of ``width`` cells: title, rows, column labels, the scale with its numbers.

    Where there are more rows or columns than fit, some are left out evenly, never the marked ones or the cursor's.
    """
    values = np.asarray(picture.values, dtype=np.float64)
    if values.ndim != 2 or not values.size:
        return [title(picture.title, width, look)]
    gutter = min(_gutter(picture), width // 2)
    axis = bool(picture.column_labels or picture.cursor)
    room = max(height - 2 - axis, 1)
    per_line = 2 if look.colour else 1
    cursor = picture.cursor or (-1, -1)
    rows = thinned(values.shape[0], room * per_line, [*picture.marked, cursor[0]])
    columns = thinned(values.shape[1], max(width - gutter, 1), [cursor[1]] if picture.cursor else [])
    wide = max(1, min((width - gutter) // len(columns), _WIDEST))
    tall = _tall(len(rows), room, wide, halves=look.colour)
    levels = _levels(values[np.ix_(rows, columns)], picture.low, picture.high)
    lines = (len(rows) * tall + 1) // 2
    labels = _row_labels(picture, rows, tall, lines)
    strips = [title(picture.title, width, look)]
    here = (
        rows.index(cursor[0]) if cursor[0] in rows else -1,
        columns.index(cursor[1]) if cursor[1] in columns else -1,
    )
    for y in range(lines):
        cells = _cells(levels, y, wide, tall, look, here if _middle(here[0], tall) == y else None,
                       diverging=picture.diverging)  # fmt: skip
        text, style = labels[y]
        label = Segment(fit(text, gutter - 1, right=True) + " ", look.accent if style else look.muted)
        rest = Segment(" " * (width - gutter - wide * len(columns)), look.text)
        strips.append(Strip([label, *cells, rest], width))
    if axis:
        strips.append(_axis(picture, columns, gutter, wide, width, here[1], look))
    strips.append(_legend(picture, rows, columns, values, width, look))
    return strips[:height] if height > 0 else []


def _gutter(picture: HeatMap) -> int:
    longest = max((cell_len(label) for label in picture.row_labels), default=0)
    return min(longest, _LONGEST_LABEL) + 3 if picture.row_labels else 3


def _tall(rows: int, room: int, wide: int, *, halves: bool) -> int:
    """Half lines a row: as high as it is wide where there is room, a whole line at least."""
    if halves:
        tall = max(1, min(2 * room // rows, max(wide, 2)))
        return tall - tall % 2 if tall > 2 else tall
    return max(2, min(room // rows, max(wide // 2, 1)) * 2)


def _middle(row: int, tall: int) -> int:
    """The line on which a row is named."""
    return (row * tall + (tall - 1) // 2) // 2 if row >= 0 else -1


def _levels(values: NDArray[np.float64], low: float, high: float) -> Levels:
    span = high - low if high > low else 1.0
    with np.errstate(invalid="ignore"):
        shares = np.clip((values - low) / span, 0.0, 1.0) if high > low else np.full(values.shape, 0.5)
        levels = np.rint(shares * (LEVELS - 1))
    return np.where(np.isfinite(values), np.nan_to_num(levels), _MASKED).astype(np.int16)


def _cells(
    levels: Levels,
    y: int,
    wide: int,
    tall: int,
    look: Look,
    cursor: tuple[int, int] | None,
    *,
    diverging: bool,
) -> list[Segment]:
    """The cells of one line; equal neighbours are one segment."""
    tops = levels[2 * y // tall]
    below = (2 * y + 1) // tall
    bottoms = levels[below] if below < len(levels) else np.full_like(tops, _MASKED)
    held = cursor[1] if cursor is not None and cursor[1] >= 0 and wide >= 2 and tall >= 2 else None
    pairs = tops.astype(np.int32) * (LEVELS + 1) + bottoms
    starts = {0, *(np.flatnonzero(np.diff(pairs)) + 1).tolist()}
    if held is not None:
        starts |= {held, held + 1} - {len(tops)}
    edges = [*sorted(starts), len(tops)]
    top_of, bottom_of = tops.tolist(), bottoms.tolist()
    segments = []
    for at, end in pairwise(edges):
        top, bottom, count = top_of[at], bottom_of[at], end - at
        if not look.colour:
            segment = _shade(top, wide, count, look.text)
        elif top == bottom:
            segment = _full(top, wide, count, diverging, look.text)
        else:
            segment = _half(top, bottom, wide * count, diverging, look.text)
        segments.append(_bracketed(segment, top, look, diverging=diverging) if at == held else segment)
    return segments


def _bracketed(cell: Segment, level: int, look: Look, *, diverging: bool) -> Segment:
    """The cell in hand: brackets in an ink that is seen on it."""
    style = cell.style or look.text
    if look.colour and level != _MASKED:
        ink = "#000000" if is_light(colours(diverging=diverging)[level]) else "#ffffff"
        style += Style(color=ink, bold=True)
    return Segment(f"[{cell.text[1:-1]}]", style)


@lru_cache(maxsize=4096)
def _full(level: int, wide: int, count: int, diverging: bool, plain: Style) -> Segment:
    if level == _MASKED:
        return Segment("·".center(wide) * count, plain)
    return Segment(" " * (wide * count), plain + Style(bgcolor=_rich(level, diverging)))


# Every pair of levels, at a few widths.
@lru_cache(maxsize=16384)
def _half(top: int, bottom: int, wide: int, diverging: bool, plain: Style) -> Segment:
    if bottom == _MASKED:
        return Segment("▀" * wide, plain + Style(color=_rich(top, diverging)))
    if top == _MASKED:
        return Segment("▄" * wide, plain + Style(color=_rich(bottom, diverging)))
    return Segment("▀" * wide, plain + Style(color=_rich(top, diverging), bgcolor=_rich(bottom, diverging)))


@lru_cache(maxsize=1024)
def _shade(level: int, wide: int, count: int, plain: Style) -> Segment:
    if level == _MASKED:
        return Segment("·".center(wide) * count, plain)
    return Segment(SHADES[min(level * len(SHADES) // LEVELS, len(SHADES) - 1)] * (wide * count), plain)


@lru_cache(maxsize=2 * LEVELS)
def _rich(level: int, diverging: bool) -> Color:
    return Color.from_rgb(*colours(diverging=diverging)[level])


def _row_labels(picture: HeatMap, rows: Sequence[int], tall: int, lines: int) -> list[tuple[str, bool]]:
    """A label a line and whether it stands out; of two rows on one line the cursor's goes first, then a marked one."""
    labels: list[tuple[str, bool]] = [("", False)] * lines
    ranks = [-1] * lines
    for at, row in enumerate(rows):
        name = picture.row_labels[row] if row < len(picture.row_labels) else ""
        held = picture.cursor is not None and picture.cursor[0] == row
        marked = row in picture.marked
        rank = 2 if held else 1 if marked else 0
        y = _middle(at, tall)
        if rank > ranks[y]:
            sign = "▸ " if held else "● " if marked else ""
            labels[y], ranks[y] = (
                (fit(sign + name, min(cell_len(sign + name), _LONGEST_LABEL + 2)), rank > 0),
                rank,
            )
    return labels


def _axis(
    picture: HeatMap, columns: Sequence[int], gutter: int, wide: int, width: int, held: int, look: Look
) -> Strip:
    """Column labels as many as fit, the cursor's always; without labels an arrow points at its column."""
    spans: list[Span] = [(" " * gutter, look.muted)]
    if not picture.column_labels:
        spans += [(" " * (held * wide + (wide - 1) // 2), look.muted), ("▲", look.accent)]
        return line(spans, width, look)
    names = [
        picture.column_labels[column] if column < len(picture.column_labels) else "" for column in columns
    ]
    longest = min(max(cell_len(name) for name in names), _LONGEST_LABEL)
    stride = max(1, -(-(longest + 1) // wide))
    if stride > 1 and longest > wide - 1 >= 3 and not all(name.isdigit() for name in names):
        stride, longest = 1, wide - 1
    room = stride * wide
    first = held % stride if held >= 0 else 0
    at = gutter
    for place in range(first, len(names), stride):
        x = gutter + place * wide
        name = fit(names[place], min(cell_len(names[place]), longest, room - 1))
        if place == held:
            name = f"▲{name}" if cell_len(name) < room else name
        spans += [(" " * (x - at), look.muted), (name, look.accent if place == held else look.muted)]
        at = x + cell_len(name)
    return line(spans, width, look)


def _legend(
    picture: HeatMap, rows: Sequence[int], columns: Sequence[int], values: NDArray[np.float64], width: int, look: Look
) -> Strip:  # fmt: skip
    spans: list[Span] = [(f"   {number(picture.low)} ", look.muted)]
    if look.colour:
        steps = [round(at * (LEVELS - 1) / (_LEGEND - 1)) for at in range(_LEGEND)]
        spans += [(" ", look.text + Style(bgcolor=_rich(step, picture.diverging))) for step in steps]
    else:
        spans.append(("".join(shade * 2 for shade in SHADES), look.text))
    spans.append((f" {number(picture.high)}", look.muted))
    if not np.isfinite(values).all():
        spans.append(("   · masked", look.muted))
    if len(rows) < values.shape[0]:
        spans.append((f"  {len(rows)}/{values.shape[0]} rows", look.muted))
    if len(columns) < values.shape[1]:
        spans.append((f"  {len(columns)}/{values.shape[1]} cols", look.muted))
    return line(spans, width, look)
