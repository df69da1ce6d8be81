"""A matrix of short texts with labels; shades lie behind them, and the cell in hand stands in brackets."""

from __future__ import annotations

from rich.cells import cell_len
from rich.color import Color
from rich.style import Style
from textual.strip import Strip

from quizapp.demos.model import Matrix
from quizapp.tui.widgets.look import Look, Span, fit, line, title
from quizapp.tui.widgets.scale import colours, is_light, level

_LONGEST_LABEL = 12
_LONGEST_CELL = 12
# Cells are wider by this where there is room.
_AIR = 2


def size(picture: Matrix) -> tuple[int, int]:
    """The cells that it needs at least: width and height."""
    columns = max((len(row) for row in picture.cells), default=0)
    return _gutter(picture) + columns * (_cell(picture) + 1), len(picture.cells) + 2


def render(picture: Matrix, width: int, height: int, look: Look) -> list[Strip]:
    """At most ``height`` lines of ``width`` cells: title, column labels, a line a row.

    Where it is larger than that, the part round the cursor is shown, and the title says which.
    """
    rows = len(picture.cells)
    columns = max((len(row) for row in picture.cells), default=0)
    gutter = min(_gutter(picture), width // 2)
    cell = max(min(_cell(picture), width - gutter - 1), 1)
    wide = max(min(cell + _AIR, (width - gutter) // columns - 1), _cell_text(picture)) if columns else cell
    held = picture.cursor or (0, 0)
    down = _window(rows, max(height - 2, 1), held[0])
    across = _window(columns, max((width - gutter) // (wide + 1), 1), held[1])
    part = _part(rows, columns, down, across)
    named = fit(picture.title, min(cell_len(picture.title), max(width - len(part), 0)))
    strips = [title(named + part, width, look)]
    spans: list[Span] = [(" " * gutter, look.muted)]
    for column in across:
        name = picture.column_labels[column] if column < len(picture.column_labels) else ""
        here = picture.cursor is not None and picture.cursor[1] == column
        spans.append((f"{fit(name, wide, right=True)} ", look.accent if here else look.muted))
    strips.append(line(spans, width, look))
    marked = frozenset(picture.marked)
    for row in down:
        name = picture.row_labels[row] if row < len(picture.row_labels) else ""
        here = picture.cursor is not None and picture.cursor[0] == row
        sign = "▸" if here else " "
        spans = [(f"{sign}{fit(name, gutter - 2, right=True)} ", look.accent if here else look.muted)]
        for column in across:
            text = picture.cells[row][column] if column < len(picture.cells[row]) else ""
            spans += _spans(
                picture, row, column, fit(text, wide, right=True), look, stands_out=(row, column) in marked
            )
        strips.append(line(spans, width, look))
    return strips[:height] if height > 0 else []


def _spans(picture: Matrix, row: int, column: int, text: str, look: Look, *, stands_out: bool) -> list[Span]:
    style = look.text
    if picture.shades is not None and look.colour:
        shade = level(float(picture.shades[row][column]), 0.0, 1.0)
        if shade is not None:
            colour = colours()[shade]
            ink = "#000000" if is_light(colour) else "#ffffff"
            style += Style(color=ink, bgcolor=Color.from_rgb(*colour))
    if stands_out:
        style += Style(bold=True, underline=True)
    if picture.cursor == (row, column):
        # Brackets in the cell's own margins; the text keeps its place.
        bare = text.rstrip()
        if text.startswith(" "):
            text = " " * (len(text) - len(text.lstrip()) - 1) + "[" + bare.lstrip()
        return [(text, style + Style(bold=True, underline=stands_out)), ("]", style + Style(bold=True))]
    return [(text, style), (" ", style if picture.shades is not None else look.text)]


def _gutter(picture: Matrix) -> int:
    return min(max((cell_len(name) for name in picture.row_labels), default=0), _LONGEST_LABEL) + 2


def _cell_text(picture: Matrix) -> int:
    """Cells of the longest text, with a margin for the bracket of the cell in hand."""
    longest = max((cell_len(text) for row in picture.cells for text in row), default=1)
    return min(longest, _LONGEST_CELL) + (picture.cursor is not None)


def _cell(picture: Matrix) -> int:
    names = max((cell_len(name) for name in picture.column_labels), default=0)
    return max(min(names, _LONGEST_CELL), _cell_text(picture))


def _window(count: int, most: int, held: int) -> range:
    """As many indices as there is room for, with the one in hand in the middle where that can be."""
    if count <= most:
        return range(count)
    first = min(max(held - most // 2, 0), count - most)
    return range(first, first + most)


def _part(rows: int, columns: int, down: range, across: range) -> str:
    parts = [
        f"{name} {shown[0]}-{shown[-1]} of 0-{count - 1}"
        for name, shown, count in (("rows", down, rows), ("columns", across, columns))
        if len(shown) < count
    ]
    return f" · {', '.join(parts)}" if parts else ""
