"""A formula on rows of its own."""

from __future__ import annotations

from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import ScrollableContainer
from textual.content import Content
from textual.widgets import Static

from quizapp.text import strip_controls


class FormulaView(ScrollableContainer, inherit_bindings=False):
    """LaTeX drawn in two dimensions, or its source where it cannot be drawn.

    It never wraps: one that is wider than its place scrolls, and then it can be reached with tab. ``before`` and
    ``after`` stand beside its baseline, such as a number and a full stop.
    """

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("left", "scroll_left", "Left", show=False, id="formula-left", tooltip="Scroll the formula left"),
        Binding("right", "scroll_right", "Right", show=False, id="formula-right", tooltip="Scroll the formula right"),
        Binding("home", "scroll_home", "Start", show=False, id="formula-start", tooltip="The formula's start"),
        Binding("end", "end_of_row", "End", show=False, id="formula-end", tooltip="The formula's end"),
    ]  # fmt: skip
    DEFAULT_CSS = """
    FormulaView {
        height: auto; overflow: auto hidden; scrollbar-size-horizontal: 1;
        scrollbar-color: $foreground 20%; scrollbar-background: transparent;
        scrollbar-color-hover: $primary; scrollbar-background-hover: transparent;
        scrollbar-color-active: $primary; scrollbar-background-active: transparent;
    }
    FormulaView:focus { background: $foreground 8%; }
    FormulaView > Static { width: auto; height: auto; }
    """

    def __init__(self, latex: str, *, before: str = "", after: str = "", classes: str | None = None) -> None:
        super().__init__(classes=classes)
        self._text = formula_text(latex, before=before, after=after)

    def compose(self) -> ComposeResult:
        yield Static(self._text)

    def show(self, latex: str, *, before: str = "", after: str = "") -> None:
        """Show another formula; an empty one shows nothing."""
        self._text = formula_text(latex, before=before, after=after) if latex else Content("")
        self.query_one(Static).update(self._text)

    def allow_focus(self) -> bool:
        return self.max_scroll_x > 0

    def action_end_of_row(self) -> None:
        self.scroll_to(x=self.max_scroll_x)


def formula_text(latex: str, *, before: str = "", after: str = "") -> Content:
    """The rows of a formula, with ``before`` and ``after`` on its baseline."""
    # Latecomers to the first frame: the parser of LaTeX is imported with the first formula.
    from quizapp.notation import draw
    from quizapp.notation.width import cells

    drawing = draw(strip_controls(latex).strip())
    indent = " " * cells(before)
    rows = [
        f"{before if number == drawing.baseline else indent}{row}{after if number == drawing.baseline else ''}"
        for number, row in enumerate(drawing.rows)
    ]
    return Content("\n".join(rows))
