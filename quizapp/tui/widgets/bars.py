"""Horizontal bars with their numbers, the line of zero, and a limit across."""

from __future__ import annotations

import math

from rich.cells import cell_len
from textual.strip import Strip

from quizapp.demos.model import Bar, Bars
from quizapp.tui.widgets.look import Look, Span, blank, fit, line, number, thinned, title

_LONGEST_LABEL = 14
_EIGHTHS = " ▏▎▍▌▋▊▉█"
_LEAST_BAR = 10


def size(picture: Bars) -> tuple[int, int]:
    """The cells that it needs at least: width and height."""
    return _label(picture) + _LEAST_BAR + _text(picture) + _mark(picture) + 2, len(picture.bars) + 2


def render(picture: Bars, width: int, height: int, look: Look) -> list[Strip]:
    """At most ``height`` lines of ``width`` cells: title, a line a bar, the axis with its numbers.

    Where there are more bars than lines some are left out evenly, never a marked one; the title says so.
    """
    marked = [at for at, bar in enumerate(picture.bars) if bar.mark]
    shown = thinned(len(picture.bars), max(height - 2, 1), marked)
    label = min(_label(picture), width // 3)
    text = _text(picture)
    mark = _mark(picture) if width - label - text - _mark(picture) - 2 >= _LEAST_BAR else 0
    room = max(width - label - text - mark - 2, 1)
    strips = [title(picture.title, width, look, _note(picture, len(shown)))]
    # A line apart where there is room, which is calmer.
    apart = 2 * len(shown) - 1 <= height - 2
    for at in shown:
        if apart and at != shown[0]:
            strips.append(blank(width, look))
        strips.append(_bar(picture, picture.bars[at], label, room, text, mark, width, look))
    strips.append(_axis(picture, label, room, width, look))
    return strips[:height] if height > 0 else []


def _label(picture: Bars) -> int:
    return min(max((cell_len(bar.label) for bar in picture.bars), default=0), _LONGEST_LABEL)


def _text(picture: Bars) -> int:
    return max((cell_len(bar.text) for bar in picture.bars), default=0)


def _mark(picture: Bars) -> int:
    longest = max((cell_len(bar.mark) for bar in picture.bars), default=0)
    return longest + 3 if longest else 0


def _bar(
    picture: Bars, bar: Bar, label: int, room: int, text: int, mark: int, width: int, look: Look
) -> Strip:  # fmt: skip
    stands_out = bool(bar.mark)
    style = look.accent if stands_out else look.text
    cells = _filled(bar.value, picture.low, picture.high, room)
    if (
        picture.limit is not None
        and (at := _place(picture.limit, picture.low, picture.high, room)) is not None
    ):
        cells[at] = "┃" if cells[at] == "█" else "┊"
    bar_style = look.lines[1] if stands_out else look.lines[0]
    spans: list[Span] = [(fit(bar.label, label, right=True) + " ", style if stands_out else look.muted)]
    run = ""
    for cell in cells:
        if cell in "┊┃│":
            spans += [(run, bar_style), (cell, look.accent if cell != "│" else look.muted)]
            run = ""
        else:
            run += cell
    spans += [(run, bar_style), (f" {fit(bar.text, text, right=True)}", style)]
    if bar.mark and mark:
        spans.append((f" ◂ {bar.mark}", look.accent))
    elif bar.mark:
        spans.append(("◂", look.accent))
    return line(spans, width, look)


def _filled(value: float, low: float, high: float, room: int) -> list[str]:
    """The cells of one bar, from zero or from the end that is nearer to it; ``room`` of them."""
    cells = [" "] * room
    zero = _place(0.0, low, high, room) if low < 0 < high else None
    if not math.isfinite(value) or high <= low:
        return cells
    start = min(max(0.0, low), high)
    left, right = sorted((_share(start, low, high) * room, _share(value, low, high) * room))
    if zero is not None:
        # The line of zero takes a cell of its own; bars end at its sides.
        left, right = (left, zero) if value < 0 else (zero + 1.0, max(right, zero + 1.0))
        left = min(left, right)
    for at in range(room):
        begin, end = min(max(left - at, 0.0), 1.0), min(max(right - at, 0.0), 1.0)
        if end <= begin:
            continue
        if begin == 0:
            cells[at] = _EIGHTHS[round(8 * end)]
        else:
            # A cell that is filled from the right comes in halves only.
            cells[at] = "█" if end - begin > 0.75 else "▐" if end - begin > 0.25 else " "
    if zero is not None:
        cells[zero] = "│"
    return cells


def _share(value: float, low: float, high: float) -> float:
    return min(max((value - low) / (high - low), 0.0), 1.0)


def _place(value: float, low: float, high: float, room: int) -> int | None:
    """The cell of a value; None where it lies outside."""
    if not (math.isfinite(value) and high > low and low <= value <= high):
        return None
    return min(int(_share(value, low, high) * room), room - 1)


def _note(picture: Bars, shown: int) -> str:
    """What the limit is, and how many bars are shown where not all are."""
    notes = []
    if picture.limit is not None:
        outside = "" if picture.low <= picture.limit <= picture.high else ", outside"
        notes.append(f"┊ {number(picture.limit)}{outside}")
    if shown < len(picture.bars):
        notes.append(f"{shown}/{len(picture.bars)} bars")
    return "  ".join(notes)


def _axis(picture: Bars, label: int, room: int, width: int, look: Look) -> Strip:
    """The numbers at the ends and at zero."""
    marks = [(0, number(picture.low)), (room - len(number(picture.high)), number(picture.high))]
    zero = _place(0.0, picture.low, picture.high, room) if picture.low < 0 < picture.high else None
    if zero is not None:
        marks.insert(1, (zero, "0"))
    axis = [" "] * room
    for at, text in marks:
        if at >= 0 and all(cell == " " for cell in axis[max(at - 1, 0) : at + len(text) + 1]):
            axis[at : at + len(text)] = text
    spans: list[Span] = [(" " * (label + 1), look.muted), ("".join(axis[:room]), look.muted)]
    return line(spans, width, look)
