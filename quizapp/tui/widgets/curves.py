"""Curves over one pair of axes, in braille dots; each has a pattern and a name, not a colour alone."""

from __future__ import annotations

import math
from collections.abc import Sequence

from rich.cells import cell_len
from textual.strip import Strip

from quizapp.demos.model import Curve, Curves
from quizapp.tui.widgets.braille import Canvas
from quizapp.tui.widgets.look import Look, Span, fit, line, number, title

# A pattern of dots, and how the legend shows it.
_PATTERNS = (("#", "───"), ("###  ", "╌╌╌"), ("#  ", "┈┈┈"), ("###### # ", "─·─"), ("##        ", "╴ ╴"))
_SMALLEST = (30, 9)
_POINT = "●"


def size(picture: Curves) -> tuple[int, int]:  # noqa: ARG001  (every picture kind has the same functions)
    """The cells that it needs at least: width and height."""
    return _SMALLEST


def render(picture: Curves, width: int, height: int, look: Look) -> list[Strip]:
    """``height`` lines of ``width`` cells: title, legend, the drawing beside its numbers, the axis below it.

    Points that are not finite, or not positive on a logarithmic axis, leave a gap.
    """
    pieces = [_places(curve, log=picture.log_x) for curve in picture.curves]
    points = [point for piece in pieces for point in piece if point is not None]
    legend = _legend(picture, width, look)
    heading = [title(picture.title, width, look), *legend]
    room = height - len(heading) - 3
    if not points or room < 1:
        return heading[: max(height, 0)]
    low_x, high_x = _span([x for x, _ in points], padded=False)
    low_y, high_y = _span([y for _, y in points], padded=True)
    gutter = max(len(number(y)) for y in _ticks(low_y, high_y)) + 1
    canvas = Canvas(max(width - gutter - 1, 1), room)
    right, bottom = canvas.dots[0] - 1, canvas.dots[1] - 1

    def across(x: float) -> float:
        return (x - low_x) / (high_x - low_x) * right

    def down(y: float) -> float:
        return bottom - (y - low_y) / (high_y - low_y) * bottom

    if low_y < 0 < high_y:
        canvas.line(0, down(0), right, down(0), look.muted, "#   ")
    for at, piece in enumerate(pieces):
        style, pattern = look.lines[at % len(look.lines)], _PATTERNS[at % len(_PATTERNS)][0]
        before, start = None, 0
        finite = [point for point in piece if point is not None]
        if len(finite) == 1:
            x, y = finite[0]
            canvas.text(round(across(x)) // 2, round(down(y)) // 4, _POINT, style)
            continue
        for point in piece:
            if point is None:
                before = None
                continue
            here = across(point[0]), down(point[1])
            if before is not None:
                start = canvas.line(*before, *here, style, pattern, start)
            before = here
    return [*heading, *_framed(canvas, low_y, high_y, gutter, width, look),
            *_below(picture, low_x, high_x, gutter, width, look)][:height]  # fmt: skip


def _places(curve: Curve, *, log: bool) -> list[tuple[float, float] | None]:
    """The points as they are drawn; None for a gap."""
    places: list[tuple[float, float] | None] = []
    for x, y in zip(curve.x, curve.y, strict=True):
        fits = math.isfinite(x) and math.isfinite(y) and not (log and x <= 0)
        places.append((math.log10(x) if log else float(x), float(y)) if fits else None)
    return places


def _span(values: Sequence[float], *, padded: bool) -> tuple[float, float]:
    low, high = min(values), max(values)
    if low == high:
        room = abs(low) / 10 or 1.0
        return low - room, high + room
    if padded and low >= 0 > low - (high - low) / 2:
        low = 0.0  # so that heights can be compared
    return low, high


def _legend(picture: Curves, width: int, look: Look) -> list[Strip]:
    """The names of the curves behind their patterns, on as many lines as they need."""
    if len(picture.curves) == 1 and not picture.curves[0].label:
        return []
    rows: list[list[Span]] = [[]]
    used = 0
    for at, curve in enumerate(picture.curves):
        sign = _POINT if len(curve.x) == 1 else _PATTERNS[at % len(_PATTERNS)][1]
        text = fit(curve.label, min(cell_len(curve.label), max(width - 6, 1)))
        needed = cell_len(sign) + cell_len(text) + 3
        if used and used + needed > width:
            rows.append([])
            used = 0
        rows[-1] += [(sign, look.lines[at % len(look.lines)]), (f" {text}  ", look.text)]
        used += needed
    return [line(row, width, look) for row in rows]


def _framed(canvas: Canvas, low: float, high: float, gutter: int, width: int, look: Look) -> list[Strip]:
    """The drawing beside its axis, with round numbers."""
    named = {round((high - y) / (high - low) * (canvas.height - 1)): number(y) for y in _ticks(low, high)}
    strips = []
    for y, drawn in enumerate(canvas.strips(look)):
        text = named.get(y, "")
        axis = line([(fit(text, gutter - 1, right=True), look.muted), (" ┤" if text else " │", look.muted)],
                    gutter + 1, look)  # fmt: skip
        strips.append(Strip.join([axis, drawn]).adjust_cell_length(width, look.text))
    return strips


def _below(picture: Curves, low: float, high: float, gutter: int, width: int, look: Look) -> list[Strip]:
    """The horizontal axis with its numbers, and what both axes are."""
    room = max(width - gutter - 1, 1)
    numbers, rule = [" "] * room, ["─"] * room
    for x in _ticks(low, high, log=picture.log_x):
        text = number(10**x if picture.log_x else x)
        at = round((x - low) / (high - low) * (room - 1))
        start = min(max(at - len(text) // 2, 0), room - len(text))
        if start >= 0 and all(cell == " " for cell in numbers[max(start - 1, 0) : start + len(text) + 1]):
            numbers[start : start + len(text)] = text
            rule[at] = "┬"
    names = f"across: {picture.x_label}" + (f" · up: {picture.y_label}" if picture.y_label else "")
    return [
        line([(" " * gutter + "└" + "".join(rule), look.muted)], width, look),
        line([(" " * (gutter + 1) + "".join(numbers), look.muted)], width, look),
        line([(fit(names, width), look.muted)], width, look),
    ]


def _ticks(low: float, high: float, *, log: bool = False) -> list[float]:
    """Round numbers between the ends; on a logarithmic axis whole powers of ten, where there are two of them."""
    if log:
        powers = [float(power) for power in range(math.ceil(low - 1e-9), math.floor(high + 1e-9) + 1)]
        return powers if len(powers) >= 2 else [low, high]
    step = 10 ** math.floor(math.log10((high - low) / 2))
    for factor in (1, 2, 5, 10):
        if (high - low) / (step * factor) <= 5:
            step *= factor
            break
    first = math.ceil(low / step - 1e-9)
    return [at * step for at in range(first, math.floor(high / step + 1e-9) + 1)]
