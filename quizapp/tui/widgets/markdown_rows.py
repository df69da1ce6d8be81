"""Blocks of Markdown laid out in rows of a given width."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Literal

from rich.cells import cell_len
from textual.content import Content

from quizapp.tui.widgets.markdown_blocks import (
    Block,
    Code,
    Formula,
    Heading,
    Items,
    Paragraph,
    Quote,
    Rule,
    Table,
    blocks,
)

_BULLETS = ("• ", "▪ ", "‣ ", "◦ ")
_HEADINGS = {1: "bold $primary", 2: "underline $primary"}
_NOTHING = Content("")
_INDENT = Content("  ")
_LEAST = 4
Palette = Literal["", "dark", "light"]


@dataclass(frozen=True)
class Row:
    """One row. ``before`` stands still where ``body`` scrolls, which it does if ``wide``, its block's width, says so.

    A row with ``bar`` shows how far its block is scrolled.
    """

    body: Content
    before: Content = _NOTHING
    wide: int = 0
    bar: bool = False

    @property
    def indent(self) -> int:
        return self.before.cell_length


@lru_cache(maxsize=512)
def markdown_rows(text: str, width: int, palette: Palette) -> tuple[Row, ...]:
    """The rows of a Markdown text; ``palette`` names the terminal's own colours where code is shown in these."""
    return tuple(_flow(blocks(text), max(width, _LEAST), palette, depth=0))


def _flow(parts: Sequence[Block], width: int, palette: Palette, *, depth: int) -> Iterator[Row]:
    before: Block | None = None
    for block in parts:
        if before is not None and (depth == 0 or _stands_apart(before) or _stands_apart(block)):
            yield Row(_NOTHING)
        yield from _block(block, width, palette, depth)
        before = block


def _stands_apart(block: Block) -> bool:
    return not isinstance(block, (Paragraph, Items))


def _block(block: Block, width: int, palette: Palette, depth: int) -> Iterable[Row]:
    match block:
        case Paragraph(text):
            return map(Row, text.wrap(width))
        case Heading(text, level):
            return map(Row, text.stylize(_HEADINGS.get(level, "bold")).wrap(width))
        case Formula(text):
            return _unwrapped([Row(line, _INDENT) for line in text.split("\n", allow_blank=True)], width)
        case Code(text, language):
            return _code(text, language, width, palette)
        case Rule():
            return [Row(Content.styled("─" * width, "$foreground 25%"))]
        case Quote(parts):
            bar = Content.styled("▌ ", "$text-muted")
            return beside(bar, bar, _flow(parts, max(width - 2, _LEAST), palette, depth=depth))
        case Items(items):
            return _items(items, width, palette, depth)
        case Table(cells):
            return _table(cells, width)


def beside(first: Content, others: Content, inner: Iterable[Row]) -> Iterator[Row]:
    """Rows with something before them, the first one with its own."""
    mark = first
    for row in inner:
        yield replace(row, before=mark + row.before)
        mark = others


def _items(
    items: Sequence[tuple[str, tuple[Block, ...]]], width: int, palette: Palette, depth: int
) -> Iterator[Row]:
    bullet = _BULLETS[depth % len(_BULLETS)]
    room = max(cell_len(f"{mark} " if mark else bullet) for mark, _ in items)
    apart = False
    for mark, parts in items:
        if apart:
            yield Row(_NOTHING)
        head = Content.styled(f"{mark} ".rjust(room) if mark else bullet, "$text-primary")
        inner = list(_flow(parts, max(width - room, _LEAST), palette, depth=depth + 1))
        yield from beside(head, Content(" " * room), inner or [Row(_NOTHING)])
        apart = any(_stands_apart(block) for block in parts)


def _unwrapped(made: list[Row], width: int) -> Iterator[Row]:
    """Rows as they are, with a bar below them where they are wider than their place."""
    indent = made[0].indent
    wide = max(row.body.cell_length for row in made)
    if wide <= width - indent:
        yield from made
        return
    for row in made:
        yield replace(row, wide=wide)
    yield Row(_NOTHING, made[0].before, wide, bar=True)


def _code(text: str, language: str, width: int, palette: Palette) -> Iterator[Row]:
    lines = _highlighted(text, language, palette).split("\n", allow_blank=True)
    before = Content.styled("  ", ".code_block")
    room = max(width - 2, max(line.cell_length for line in lines))
    yield from _unwrapped(
        [
            Row(line.pad_right(room - line.cell_length).stylize_before(".code_block"), before)
            for line in lines
        ],
        width,
    )


def _highlighted(text: str, language: str, palette: Palette) -> Content:
    # Pygments is imported with the first code that is shown.
    from textual import highlight

    themes = {"dark": highlight.ANSIDarkHighlightTheme, "light": highlight.ANSILightHighlightTheme}
    shown = highlight.highlight(
        text, language=language or "text", theme=themes.get(palette, highlight.HighlightTheme)
    )
    return shown if shown.plain.rstrip("\n") == text.rstrip("\n") else Content(text)


def _table(cells: Sequence[Sequence[Content]], width: int) -> Iterator[Row]:
    columns = max(map(len, cells))
    rows = [[*row, *[_NOTHING] * (columns - len(row))] for row in cells]
    widths = _column_widths(rows, width - 3 * columns - 1)

    def line(left: str, middle: str, right: str) -> Row:
        return Row(_drawn(left + middle.join("─" * (w + 2) for w in widths) + right))

    yield line("┌", "┬", "┐")
    for number, row in enumerate(rows):
        wrapped = [cell.wrap(w) for cell, w in zip(row, widths, strict=True)]
        for at in range(max(map(len, wrapped))):
            texts = [lines[at] if at < len(lines) else _NOTHING for lines in wrapped]
            padded = [text.pad_right(w - text.cell_length) for text, w in zip(texts, widths, strict=True)]
            if not number:
                padded = [text.stylize("bold $text-primary") for text in padded]
            yield Row(_drawn("│ ") + _drawn(" │ ").join(padded) + _drawn(" │"))
        if not number:
            yield line("├", "┼", "┤")
    yield line("└", "┴", "┘")


def _drawn(text: str) -> Content:
    return Content.styled(text, "$foreground 25%")


def _column_widths(rows: Sequence[Sequence[Content]], room: int) -> list[int]:
    """The columns' widths: what they need, or less of the widest until they fit, a letter at the least."""
    widths = [
        max(1, *(cell.get_optimal_width({}, 0) for cell in column)) for column in zip(*rows, strict=True)
    ]
    while sum(widths) > room and max(widths) > 1:
        widths[widths.index(max(widths))] -= 1
    return widths
