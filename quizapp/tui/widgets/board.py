"""Lines of a derivation, drawn one below the other."""

from __future__ import annotations

from typing import ClassVar

from textual import events
from textual.app import ComposeResult
from textual.containers import Horizontal, Vertical, VerticalScroll
from textual.content import Content
from textual.message import Message
from textual.widgets import Static

from quizapp.tui.widgets.formula import FormulaView

# Cells of the number before a line.
LABEL = 4


class BoardLine(Vertical):
    """A formula with a number before it and a remark behind it, or below it where there is no room."""

    class Chosen(Message):
        """The line was clicked."""

        def __init__(self, line: BoardLine) -> None:
            super().__init__()
            self.line = line

    ALLOW_SELECT: ClassVar[bool] = True
    DEFAULT_CSS = f"""
    BoardLine {{ height: auto; }}
    BoardLine > Horizontal {{ height: auto; }}
    BoardLine .label {{ width: {LABEL}; color: $text-muted; }}
    BoardLine FormulaView {{ width: 1fr; }}
    BoardLine .remark {{ width: auto; height: auto; color: $text-muted; }}
    BoardLine .beside {{ padding: 0 1 0 3; display: none; }}
    BoardLine .below {{ padding: 0 1 0 {LABEL}; width: 1fr; }}
    BoardLine.-wide .beside {{ display: block; }}
    BoardLine.-wide .below, BoardLine.-bare .below {{ display: none; }}
    BoardLine.-here {{ background: $foreground 8%; }}
    BoardLine.-here .label {{ color: $text-accent; text-style: bold; }}
    """

    def __init__(self, label: str, latex: str, remark: Content | None = None) -> None:
        super().__init__()
        self.latex = latex
        self._label = label
        self._remark = remark or Content("")
        self.set_class(not self._remark.plain, "-bare")

    def compose(self) -> ComposeResult:
        from quizapp.notation import draw

        drawing = draw(self.latex)
        self._width = LABEL + drawing.width + 4 + self._remark.cell_length
        self._above = "\n" * drawing.baseline
        with Horizontal():
            yield Static(Content(f"{self._above}{self._label}"), classes="label")
            yield FormulaView(self.latex)
            yield Static(Content(self._above) + self._remark, classes="remark beside")
        yield Static(self._remark, classes="remark below")

    def label(self, text: str, style: str = "") -> None:
        """Show another number before the line."""
        said = Content.styled(text, style) if style else Content(text)
        self.query_one(".label", Static).update(Content(self._above) + said)

    def on_mount(self) -> None:
        # A line is as wide as the screen, less a scroll bar; its own size is not known yet.
        self._fit(self.app.size.width - 2)

    def on_resize(self, event: events.Resize) -> None:
        if event.size.width:
            self._fit(event.size.width)

    def _fit(self, width: int) -> None:
        """Put the remark beside the formula, or below it where there is no room."""
        self.set_class(bool(self._remark.plain) and self._width <= width, "-wide")

    def on_click(self) -> None:
        self.post_message(self.Chosen(self))


class Board(VerticalScroll, can_focus=False):
    """Holds lines; the newest one comes into sight whenever a line or the room for them changes."""

    def on_resize(self) -> None:
        self.scroll_end(animate=False)

    def watch_virtual_size(self) -> None:
        self.scroll_end(animate=False)
