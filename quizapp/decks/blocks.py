"""The block structure of a deck: where its title, its cards and the parts of each card stand.

Only blocks are parsed: inline Markdown is read when a card is shown, so that loading many cards stays fast.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from functools import cache

from markdown_it import MarkdownIt
from markdown_it.token import Token
from mdit_py_plugins.dollarmath import dollarmath_plugin

# Each repair parses the file again; past this many the rest of the file counts as one broken card.
_MOST_REPAIRS = 25


@dataclass
class Section:
    """One heading and what stands below it; lines are 0-based, ``end`` is not included."""

    heading: str
    start: int
    body: int
    end: int
    blocks: list[Token] = field(default_factory=list)
    broken: list[tuple[int, str]] = field(default_factory=list)


@dataclass(frozen=True)
class Outline:
    """The titles (top-level ``#``) and the cards (top-level ``##``) of a file."""

    titles: list[Section]
    cards: list[Section]
    first: int


@cache
def _parser() -> MarkdownIt:
    parser = MarkdownIt("commonmark").enable("table").disable("lheading")
    parser.use(dollarmath_plugin, allow_digits=False, allow_space=False)
    parser.core.ruler.enableOnly(["normalize", "block"])
    return parser


def outline(lines: list[str]) -> Outline:
    """Find the sections of a file.

    A fence or comment that is not closed would swallow every card after it: it ends with its own card, which is
    marked broken.
    """
    lines = list(lines)
    broken: list[tuple[int, str]] = []
    while True:
        tokens = _parser().parse("\n".join(lines))
        unclosed = _unclosed(tokens, lines)
        if unclosed is None:
            break
        line, message = unclosed
        broken.append((line, message))
        stop = next((at for at in range(line + 1, len(lines)) if re.match(r"## ?\S", lines[at])), len(lines))
        if len(broken) >= _MOST_REPAIRS:
            stop = len(lines)
        lines[line:stop] = [""] * (stop - line)
    return _sections(tokens, lines, broken)


def _sections(tokens: list[Token], lines: list[str], broken: list[tuple[int, str]]) -> Outline:
    titles: list[Section] = []
    cards: list[Section] = []
    section: Section | None = None
    first = len(lines)
    for position, token in enumerate(tokens):
        if token.level or token.map is None:
            continue
        first = min(first, token.map[0])
        if token.type == "heading_open" and token.tag in ("h1", "h2"):
            start, body = token.map
            if section:
                section.end = start
            section = Section(tokens[position + 1].content, start, body, len(lines))
            (titles if token.tag == "h1" else cards).append(section)
        elif section:
            section.blocks.append(token)
    for line, message in broken:
        owner = next((s for s in reversed(titles + cards) if s.start <= line < s.end), None)
        if owner is None and titles:
            owner = titles[0]
        if owner:
            owner.broken.append((line, message))
    return Outline(titles, cards, first)


def _unclosed(tokens: list[Token], lines: list[str]) -> tuple[int, str] | None:
    for token in tokens:
        if token.level or token.map is None:
            continue
        start, end = token.map
        if token.type == "fence":
            last = lines[end - 1].strip() if end - 1 > start else ""
            open_ended = len(last) < len(token.markup) or last.strip(token.markup[0])
            if open_ended or _swallows_a_card(token.content, token.markup):
                return start, f"this code fence is not closed; end it with a line {token.markup}"
        elif (
            token.type == "html_block"
            and token.content.lstrip().startswith("<!--")
            and "-->" not in token.content
        ):
            return start, "this comment is not closed; end it with -->"
    return None


def _swallows_a_card(content: str, fence: str) -> bool:
    """Whether a block of code holds a heading and then the start of another block.

    The next card's own fence then closes one that its author forgot to close.
    """
    return bool(re.search(rf"(?m)^## .*\n(?:.*\n)*?{re.escape(fence)}[^\s`~]", content))
