"""Rows of text and formulas, drawn by one widget."""

from __future__ import annotations

from itertools import accumulate
from typing import ClassVar

from rich.cells import cell_len
from textual.binding import BindingType
from textual.content import Content
from textual.css.styles import RulesMap
from textual.events import Blur, Click, Focus, MouseScrollLeft, MouseScrollRight
from textual.geometry import Region, Size
from textual.selection import Selection
from textual.strip import Strip
from textual.style import Style
from textual.visual import RenderOptions
from textual.widget import Widget

from quizapp.tui.widgets.formula import FormulaView
from quizapp.tui.widgets.markdown_rows import Palette, Row

_ONE_LINE: RulesMap = {"text_wrap": "nowrap", "text_overflow": "clip"}
# How many cells one turn of the wheel scrolls.
_WHEEL = 4


class RowView(Widget, can_focus=True):
    """Rows that are laid out for the width there is.

    One widget draws them all: a widget a paragraph takes many times as long to show a card. What may not wrap,
    formulas and code, scrolls where it is wider than its place: then the widget can be reached with tab, and the
    keys of a formula scroll all of these.
    """

    ALLOW_SELECT = True
    BINDINGS: ClassVar[list[BindingType]] = [*FormulaView.BINDINGS]
    COMPONENT_CLASSES: ClassVar[set[str]] = {"code_inline", "code_block"}
    DEFAULT_CSS = """
    RowView { height: auto; color: $foreground; }
    RowView > .code_block { background: $foreground 6%; }
    RowView:dark > .code_inline { background: $warning 10%; color: $text-warning 95%; }
    RowView:light > .code_inline { background: $error 5%; color: $text-error 95%; }
    RowView:ansi > .code_inline, RowView:ansi > .code_block { background: ansi_default; }
    """

    def __init__(self, *, id: str | None = None, classes: str | None = None) -> None:
        super().__init__(id=id, classes=classes)
        self.auto_links = False
        self._rows: tuple[int, Palette, list[Row]] | None = None
        self._x = 0

    def lay_out(self, width: int, palette: Palette) -> list[Row]:
        """The rows for a width in cells; ``palette`` names the terminal's own colours where they are used."""
        raise NotImplementedError

    def changed(self, *, same: bool = False) -> None:
        """Show what is to be shown now, of the ``same`` text as far as formulas are scrolled, else from their start.

        Where there are as many rows as before, only those that differ are drawn.
        """
        before, self._rows = self._rows, None
        width = self.content_size.width
        made = self.rows(width) if before and before[0] == width else []
        moved = bool(self._x) and not same
        if moved:
            self._x = 0
        if before is None or len(made) != len(before[2]) or moved:
            self.refresh(layout=True)
            return
        for y, (old, new) in enumerate(zip(before[2], made, strict=True)):
            if not (old.before.is_same(new.before) and old.body.is_same(new.body)):
                self.refresh(Region(0, y, width, 1))

    @property
    def palette(self) -> Palette:
        """Which of the terminal's own colours code is shown in; none where the theme has colours of its own."""
        if not self.app.native_ansi_color:
            return ""
        return "dark" if self.app.current_theme.dark else "light"

    def rows(self, width: int) -> list[Row]:
        """The rows for a width in cells, laid out once."""
        palette = self.palette
        if self._rows is None or self._rows[:2] != (width, palette):
            self._rows = width, palette, self.lay_out(width, palette)
        return self._rows[2]

    @property
    def max_x(self) -> int:
        """How far the widest formula can be scrolled, in cells; 0 where all have room."""
        width = self.content_size.width
        return max((row.wide - width + row.indent for row in self.rows(width) if row.wide), default=0)

    def get_content_width(self, container: Size, viewport: Size) -> int:  # noqa: ARG002
        return max((row.indent + row.body.cell_length for row in self.rows(container.width)), default=0)

    def get_content_height(self, container: Size, viewport: Size, width: int) -> int:  # noqa: ARG002
        return len(self.rows(width)) if width else 0

    def render_line(self, y: int) -> Strip:
        width = self.content_size.width
        made = self.rows(width)
        style = self.visual_style
        if y >= len(made):
            return Strip.blank(width, style.rich_style)
        shown = _seen(made[y], self._x, width, "$primary" if self.has_focus else "$foreground 50%")
        selection = self.text_selection
        if selection is not None and (span := selection.get_span(y)) is not None:
            start, end = span
            chosen = Style.from_styles(self.screen.get_component_styles("screen--selection"))
            shown = shown.stylize(chosen, start, len(shown.plain) if end == -1 else end)
        drawn = shown.render_strips(width, 1, style, RenderOptions(self._get_style, _ONE_LINE))
        return drawn[0].apply_offsets(0, y) if drawn else Strip.blank(width, style.rich_style)

    def get_selection(self, selection: Selection) -> tuple[str, str] | None:
        text = "\n".join((row.before + row.body).plain for row in self.rows(self.content_size.width))
        return selection.extract(text), "\n"

    def allow_focus(self) -> bool:
        return self.max_x > 0

    def scroll_formulas(self, x: int) -> None:
        """Scroll what is too wide so that its cell ``x`` is the first one, as far as each goes."""
        x = max(0, min(x, self.max_x))
        if x != self._x:
            self._x = x
            self.refresh()

    def action_scroll_left(self) -> None:
        self.scroll_formulas(self._x - 1)

    def action_scroll_right(self) -> None:
        self.scroll_formulas(self._x + 1)

    def action_scroll_home(self) -> None:
        self.scroll_formulas(0)

    def action_end_of_row(self) -> None:
        self.scroll_formulas(self.max_x)

    def on_focus(self, _event: Focus) -> None:
        self.refresh()

    def on_blur(self, _event: Blur) -> None:
        self.refresh()

    def on_mouse_scroll_left(self, event: MouseScrollLeft) -> None:
        if self.max_x:
            event.stop()
            self.scroll_formulas(self._x - _WHEEL)

    def on_mouse_scroll_right(self, event: MouseScrollRight) -> None:
        if self.max_x:
            event.stop()
            self.scroll_formulas(self._x + _WHEEL)

    def on_click(self, event: Click) -> None:
        """A click on a bar scrolls there."""
        at = event.get_content_offset(self)
        made = self.rows(self.content_size.width)
        if at is None or at.y >= len(made) or not made[at.y].bar:
            return
        event.stop()
        row = made[at.y]
        room = self.content_size.width - row.indent
        self.scroll_formulas(round(row.wide * (at.x - row.indent) / room) - room // 2)


def _seen(row: Row, x: int, width: int, bar: str) -> Content:
    """What is to be seen of a row; a block that is less wide than another stops at its end."""
    if not row.wide:
        return row.before + row.body
    room = width - row.indent
    x = max(0, min(x, row.wide - room))
    if row.bar:
        long = max(1, room * room // row.wide)
        start = round((room - long) * x / (row.wide - room)) if row.wide > room else 0
        return row.before + Content.assemble(
            ("─" * start, "$foreground 15%"),
            ("━" * long, bar),
            ("─" * (room - start - long), "$foreground 15%"),
        )
    return row.before + _cropped(row.body, x, room)


def _cropped(text: Content, x: int, width: int) -> Content:
    """The cells from ``x`` on, ``width`` at most; half of a wide character is left out."""
    ends = list(accumulate(cell_len(character) for character in text.plain))
    first = sum(end <= x for end in ends) if x else 0
    last = sum(end <= x + width for end in ends)
    return text[first:last]
