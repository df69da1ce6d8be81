"""A canvas of braille dots, two by four a cell, which are square on nearly every terminal."""

from __future__ import annotations

import math

from rich.segment import Segment
from rich.style import Style
from textual.strip import Strip

from quizapp.tui.widgets.look import Look

_BLANK = 0x2800
# The bit of each dot by its row and column in the cell, as Unicode numbers them.
_BITS = ((0x01, 0x08), (0x02, 0x10), (0x04, 0x20), (0x40, 0x80))


class Canvas:
    """``width`` by ``height`` cells. Dots are addressed from the top left; what lies outside is not drawn."""

    def __init__(self, width: int, height: int) -> None:
        self.width, self.height = width, height
        self._bits = [[0] * width for _ in range(height)]
        self._styles: list[list[Style | None]] = [[None] * width for _ in range(height)]
        self._texts: list[list[str | None]] = [[None] * width for _ in range(height)]

    @property
    def dots(self) -> tuple[int, int]:
        """Dots across and down."""
        return 2 * self.width, 4 * self.height

    def dot(self, x: float, y: float, style: Style) -> None:
        """One dot; the cell takes the style of what was drawn last."""
        column, row = math.floor(x), math.floor(y)
        if 0 <= column < 2 * self.width and 0 <= row < 4 * self.height:
            self._bits[row // 4][column // 2] |= _BITS[row % 4][column % 2]
            self._styles[row // 4][column // 2] = style

    def line(
        self, x0: float, y0: float, x1: float, y1: float, style: Style, pattern: str = "#", start: int = 0
    ) -> int:
        """A line whose dots follow ``pattern``, where a space leaves one out, from its ``start``-th sign on.

        Returns where the pattern stands at the end, for the next piece of the same line.
        """
        steps = max(1, math.ceil(max(abs(x1 - x0), abs(y1 - y0))))
        for step in range(steps + 1):
            if pattern[(start + step) % len(pattern)] != " ":
                self.dot(x0 + (x1 - x0) * step / steps, y0 + (y1 - y0) * step / steps, style)
        return start + steps

    def text(self, column: int, row: int, text: str, style: Style) -> None:
        """Letters of one cell each, over the dots."""
        for at, letter in enumerate(text):
            if 0 <= column + at < self.width and 0 <= row < self.height:
                self._texts[row][column + at] = letter
                self._styles[row][column + at] = style

    def strips(self, look: Look) -> list[Strip]:
        """The lines of the canvas; neighbours of one style share a segment."""
        strips = []
        for bits, styles, texts in zip(self._bits, self._styles, self._texts, strict=True):
            segments: list[Segment] = []
            run, held = "", look.text
            for mask, style, text in zip(bits, styles, texts, strict=True):
                style = style or look.text
                if style != held and run:
                    segments.append(Segment(run, held))
                    run = ""
                held = style
                run += text or (chr(_BLANK + mask) if mask else " ")
            segments.append(Segment(run, held))
            strips.append(Strip(segments, self.width))
        return strips
