"""Markdown of cards with its formulas drawn in two dimensions.

Card text is never read as markup, HTML stays text, links open nothing, and what is not drawn is shown as source.
"""

from __future__ import annotations

from markdown_it.token import Token
from textual.app import ComposeResult
from textual.widgets import Markdown
from textual.widgets.markdown import MarkdownBlock

from quizapp.text import strip_controls
from quizapp.tui.widgets.formula import FormulaView
from quizapp.tui.widgets.formula_tokens import latex_sources, parser

__all__ = ["CardMarkdown", "latex_sources"]


class FormulaBlock(MarkdownBlock):
    """A formula on rows of its own, indented like a quotation."""

    DEFAULT_CSS = """
    FormulaBlock { height: auto; margin: 0 0 1 0; padding: 0 0 0 2; }
    """

    def __init__(self, markdown: Markdown, token: Token) -> None:
        super().__init__(markdown, token)
        self.latex = token.content.strip()
        self._after = str((token.meta or {}).get("after", ""))

    def compose(self) -> ComposeResult:
        yield FormulaView(self.latex, after=self._after)


class CardMarkdown(Markdown):
    """The Markdown of a card. Parsed and drawn in a thread, so the formula's parser may be imported late."""

    DEFAULT_CSS = """
    CardMarkdown { height: auto; padding: 0; margin: 0; background: transparent; }
    CardMarkdown > MarkdownBlock:last-child { margin-bottom: 0; }
    """

    def __init__(self, text: str = "", *, id: str | None = None, classes: str | None = None) -> None:
        super().__init__(
            strip_controls(text), id=id, classes=classes, parser_factory=parser, open_links=False
        )

    def unhandled_token(self, token: Token) -> MarkdownBlock | None:
        return FormulaBlock(self, token) if token.type == "math_block" else None

    async def show(self, text: str) -> None:
        """Show another text."""
        await self.update(strip_controls(text))
