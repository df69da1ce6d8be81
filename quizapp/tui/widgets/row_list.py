"""A list of any length, one line a row: only the rows in sight are drawn."""

from __future__ import annotations

from collections.abc import Callable
from typing import ClassVar

from textual import events
from textual.binding import Binding, BindingType
from textual.content import Content
from textual.geometry import Region, Size
from textual.message import Message
from textual.scroll_view import ScrollView
from textual.strip import Strip
from textual.visual import Visual

Draw = Callable[[int, int], Content]


class RowList(ScrollView, can_focus=True, inherit_bindings=False):
    """Rows with one of them in hand."""

    class Moved(Message):
        """Another row is in hand, or another list is shown."""

    class Chosen(Message):
        """The row in hand was chosen."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("down,j", "move(1)", "Down", show=False, id="list-down", tooltip="The next row"),
        Binding("up,k", "move(-1)", "Up", show=False, id="list-up", tooltip="The row before"),
        Binding("pagedown", "page(1)", "Page down", show=False, id="list-page-down", tooltip="A page on"),
        Binding("pageup", "page(-1)", "Page up", show=False, id="list-page-up", tooltip="A page back"),
        Binding("home,g", "edge(0)", "First", show=False, id="list-first", tooltip="The first row"),
        Binding("end,G", "edge(-1)", "Last", show=False, id="list-last", tooltip="The last row"),
    ]
    COMPONENT_CLASSES: ClassVar[set[str]] = {"row-list--here"}
    DEFAULT_CSS = """
    RowList { height: 1fr; overflow: hidden auto; scrollbar-size-vertical: 1; }
    RowList > .row-list--here { background: $foreground 10%; }
    RowList:focus > .row-list--here { background: $primary 20%; text-style: bold; }
    """

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self._count = 0
        self._draw: Draw = lambda _row, _width: Content("")
        self._at: int | None = None

    @property
    def at(self) -> int | None:
        """The row in hand, from 0; None where there is none."""
        return self._at

    def show(self, count: int, draw: Draw, at: int = 0) -> None:
        """Show ``count`` rows; ``draw(row, width)`` makes one, ``at`` is taken in hand."""
        self._count = count
        self._draw = draw
        self._at = min(at, count - 1) if count else None
        self.virtual_size = Size(0, count)
        self.refresh()
        self.call_after_refresh(self._reveal)
        self.post_message(self.Moved())

    def hold(self, row: int) -> None:
        """Take a row in hand, the nearest where it is none."""
        at = max(0, min(row, self._count - 1)) if self._count else None
        if at != self._at:
            self._at = at
            self._reveal()
            self.refresh()
            self.post_message(self.Moved())

    def render_line(self, y: int) -> Strip:
        row, width = y + self.scroll_offset.y, self.scrollable_content_region.width
        if not width or row >= self._count:
            return Strip.blank(width, self.visual_style.rich_style)
        style = self.visual_style
        if row == self._at:
            style = self.get_visual_style("row-list--here")
        content = self._draw(row, width)
        return Visual.to_strips(self, content, width, 1, style, pad=True)[0]

    def on_click(self, event: events.Click) -> None:
        row = event.get_content_offset_capture(self).y + self.scroll_offset.y
        if row >= self._count:
            return
        if row == self._at:
            self.post_message(self.Chosen())
        self.hold(row)

    def action_move(self, by: int) -> None:
        self.hold((self._at or 0) + by)

    def action_page(self, by: int) -> None:
        self.action_move(by * max(self.size.height - 1, 1))

    def action_edge(self, row: int) -> None:
        self.hold(row if row >= 0 else self._count - 1)

    def _reveal(self) -> None:
        if self._at is not None:
            self.scroll_to_region(Region(0, self._at, 1, 1), animate=False, force=True, immediate=True)
