"""Markdown of cards with its formulas drawn in two dimensions.

Card text is never read as markup, HTML stays text, links open nothing, and what is not drawn is shown as source.
"""

from __future__ import annotations

from quizapp.tui.widgets.formula_tokens import latex_sources
from quizapp.tui.widgets.markdown_rows import Palette, Row, markdown_rows
from quizapp.tui.widgets.row_view import RowView

__all__ = ["CardMarkdown", "latex_sources"]


class CardMarkdown(RowView):
    """One text of a card."""

    def __init__(self, text: str = "", *, id: str | None = None, classes: str | None = None) -> None:
        super().__init__(id=id, classes=classes)
        self._text = text

    def show(self, text: str) -> None:
        """Show another text."""
        if text != self._text:
            self._text = text
            self.changed()

    def lay_out(self, width: int, palette: Palette) -> list[Row]:
        return list(markdown_rows(self._text, width, palette))
