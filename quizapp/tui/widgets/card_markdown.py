"""Markdown of cards with its formulas drawn in two dimensions.

Card text is never read as markup, HTML stays text, links do nothing, and what is not drawn is shown as source.
"""

from __future__ import annotations

import re

from markdown_it import MarkdownIt
from markdown_it.rules_core import StateCore
from markdown_it.token import Token
from mdit_py_plugins.dollarmath import dollarmath_plugin
from textual.app import ComposeResult
from textual.containers import HorizontalScroll
from textual.content import Content
from textual.widgets import Markdown, Static
from textual.widgets.markdown import MarkdownBlock

from quizapp.text import strip_controls


class Formula(MarkdownBlock):
    """A formula on rows of its own; a wide one scrolls, it never wraps."""

    DEFAULT_CSS = """
    Formula { height: auto; margin: 0 0 1 0; padding: 0 0 0 2; }
    Formula > HorizontalScroll { height: auto; scrollbar-size-horizontal: 1; }
    Formula > HorizontalScroll > Static { width: auto; height: auto; }
    """

    def __init__(self, markdown: Markdown, token: Token) -> None:
        super().__init__(markdown, token)
        self.latex = token.content.strip()

    def compose(self) -> ComposeResult:
        from quizapp.notation import draw

        with HorizontalScroll(can_focus=False):
            yield Static(Content("\n".join(draw(self.latex).rows)))


class CardMarkdown(Markdown):
    """The Markdown of a card."""

    DEFAULT_CSS = """
    CardMarkdown { height: auto; padding: 0; margin: 0; background: transparent; }
    CardMarkdown > MarkdownBlock:last-child { margin-bottom: 0; }
    """

    def __init__(self, text: str, *, id: str | None = None, classes: str | None = None) -> None:
        super().__init__(prepare(text), id=id, classes=classes, parser_factory=parser, open_links=False)

    def unhandled_token(self, token: Token) -> MarkdownBlock | None:
        return Formula(self, token) if token.type.startswith("math_block") else None

    async def show(self, text: str) -> None:
        """Show another text."""
        await self.update(prepare(text))


def parser() -> MarkdownIt:
    """CommonMark with tables and maths, without HTML; formulas in a line become text."""
    made = MarkdownIt("commonmark", {"html": False}).enable(["table", "strikethrough"]).disable("lheading")
    made.use(dollarmath_plugin, allow_digits=False, allow_space=False)
    made.core.ruler.push("formulas_in_lines", _draw_inline)
    return made


def prepare(text: str) -> str:
    """``text`` with each formula that needs rows of its own set apart, where a sentence can be split."""
    from quizapp.notation import Math, inline, split_math

    text = strip_controls(text)
    if "$" not in text:
        return text
    parts: list[str] = []
    for piece in split_math(text):
        line = "".join(parts).rpartition("\n")[2]
        if (
            not isinstance(piece, Math)
            or re.match(r"\s*([-*+|>#]|\d+[.)])", line)
            or (not line.strip() if piece.display else inline(piece.latex) is not None)
        ):
            parts.append(piece.source)
        else:
            parts.append(f"\n\n$$\n{piece.latex}\n$$\n\n")
    return "".join(parts)


def latex_sources(text: str) -> list[str]:
    """The LaTeX of every formula in a text, in order."""
    from quizapp.notation import split_math

    return [piece.latex for piece in split_math(text) if hasattr(piece, "latex")]


def _draw_inline(state: StateCore) -> None:
    from quizapp.notation import inline

    for token in state.tokens:
        for child in token.children or []:
            if child.type.startswith("math_inline"):
                child.content = inline(child.content) or f"${child.content}$"
                child.type = "text"
