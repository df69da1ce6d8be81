"""The blocks of a card's Markdown: a small tree that can be laid out at any width."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

from markdown_it.token import Token
from textual.content import Content, Span

from quizapp.text import strip_controls
from quizapp.tui.widgets.formula import formula_text
from quizapp.tui.widgets.formula_tokens import parser

_STYLES = {"em_open": "italic", "strong_open": "bold", "s_open": "strike"}
_SPACE = re.compile(r"\s+")


@dataclass(frozen=True)
class Paragraph:
    """Text that wraps."""

    text: Content


@dataclass(frozen=True)
class Heading:
    """A heading inside an answer; ``level`` from 1."""

    text: Content
    level: int


@dataclass(frozen=True)
class Formula:
    """The rows of a formula, which never wrap."""

    text: Content


@dataclass(frozen=True)
class Code:
    """Code as it stands, which never wraps."""

    text: str
    language: str


@dataclass(frozen=True)
class Rule:
    """A line across."""


@dataclass(frozen=True)
class Quote:
    """What is quoted."""

    blocks: tuple[Block, ...]


@dataclass(frozen=True)
class Items:
    """A list; each item has its mark, empty for a bullet."""

    items: tuple[tuple[str, tuple[Block, ...]], ...]


@dataclass(frozen=True)
class Table:
    """Rows of cells; the first row is the head."""

    rows: tuple[tuple[Content, ...], ...]


Block = Paragraph | Heading | Formula | Code | Rule | Quote | Items | Table

# Making a parser takes longer than reading a card.
_parser = lru_cache(maxsize=1)(parser)


@lru_cache(maxsize=512)
def blocks(markdown: str) -> tuple[Block, ...]:
    """The blocks of a Markdown text, its formulas drawn. Read once and kept, since cards come back."""
    return tuple(_read(iter(_parser().parse(strip_controls(markdown))), ""))


def _read(tokens: Iterator[Token], end: str) -> Iterator[Block]:
    """The blocks up to the token that ends their parent."""
    for token in tokens:
        match token.type:
            case kind if kind == end:
                return
            case "inline":
                yield Paragraph(_inline(token))
            case "heading_open":
                yield Heading(_inline(next(tokens)), int(token.tag[1:]))
            case "math_block":
                yield Formula(formula_text(token.content, after=str((token.meta or {}).get("after", ""))))
            case "fence" | "code_block":
                yield Code(token.content.rstrip("\n").expandtabs(4), token.info.split(" ")[0])
            case "hr":
                yield Rule()
            case "blockquote_open":
                yield Quote(tuple(_read(tokens, "blockquote_close")))
            case "bullet_list_open" | "ordered_list_open":
                yield Items(tuple(_items(tokens, token.type.replace("open", "close"))))
            case "table_open":
                yield Table(tuple(_rows(tokens)))


def _items(tokens: Iterator[Token], end: str) -> Iterator[tuple[str, tuple[Block, ...]]]:
    for token in tokens:
        if token.type == end:
            return
        if token.type == "list_item_open":
            # The parser notes an item's number, and nothing for a bullet.
            mark = f"{token.info}{token.markup}" if token.info else ""
            yield mark, tuple(_read(tokens, "list_item_close"))


def _rows(tokens: Iterator[Token]) -> Iterator[tuple[Content, ...]]:
    cells: list[Content] = []
    for token in tokens:
        if token.type == "table_close":
            return
        if token.type == "inline":
            cells.append(_inline(token))
        elif token.type == "tr_close":
            yield tuple(cells)
            cells.clear()


def _inline(token: Token) -> Content:
    """The text of one line of Markdown with its emphasis."""
    texts: list[str] = []
    spans: list[Span] = []
    opened: list[tuple[str, int]] = []
    at = 0

    def add(text: str) -> None:
        nonlocal at
        texts.append(text)
        at += len(text)

    for child in token.children or []:
        if child.type == "text":
            add(_SPACE.sub(" ", child.content))
        elif child.type == "softbreak":
            add(" ")
        elif child.type == "hardbreak":
            add("\n")
        elif child.type == "code_inline":
            spans.append(Span(at, at + len(child.content), ".code_inline"))
            add(child.content)
        elif child.type in _STYLES:
            opened.append((_STYLES[child.type], at))
        elif child.nesting < 0 and opened:
            style, start = opened.pop()
            spans.append(Span(start, at, style))
    return Content("".join(texts), spans=spans)
