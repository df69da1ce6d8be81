"""Markdown parsed with the mathematics in it: in a line where it fits one, else in rows of its own."""

from __future__ import annotations

import re

from markdown_it import MarkdownIt
from markdown_it.rules_core import StateCore
from markdown_it.token import Token

from quizapp.notation.dollars import use_dollars
from quizapp.text import strip_controls

# What belongs to the formula when it is set apart from its sentence.
_POINT = re.compile(r"\s*([.,;:!?]+)(?=\s|$)")


def parser() -> MarkdownIt:
    """CommonMark with tables and maths, without HTML and without live links.

    Formulas that fit a line become text; others become ``math_block`` tokens, whose ``meta["after"]`` is the
    punctuation that follows.
    """
    made = MarkdownIt("commonmark", {"html": False}).enable(["table", "strikethrough"]).disable("lheading")
    use_dollars(made)
    made.core.ruler.push("formulas", _set_formulas)
    return made


def latex_sources(text: str) -> list[str]:
    """The LaTeX of every formula in a Markdown text, in order."""
    from quizapp.notation import Math, split_math

    return [piece.latex for piece in split_math(strip_controls(text)) if isinstance(piece, Math)]


def _set_formulas(state: StateCore) -> None:
    from quizapp.notation import draw

    made: list[Token] = []
    tokens = iter(state.tokens)
    for token in tokens:
        if token.type == "inline":
            children = _plain(token.children or [])
            if made[-1].type == "paragraph_open":
                made += _paragraphs(made.pop(), token, children, next(tokens))
                continue
            token.children = [_text(_in_words(child)) if _is_formula(child) else child for child in children]
        made.append(token)
    for token in made:
        if token.type == "math_block":
            # Drawn here, in the parser's thread: the screen then finds it in the cache.
            draw(token.content.strip())
    state.tokens[:] = made


def _plain(children: list[Token]) -> list[Token]:
    """Links as text with their address, pictures as their alternative text: a click opens nothing."""
    made: list[Token] = []
    start = 0
    address = ""
    for child in children:
        if child.type == "image":
            made.append(_text(f"[picture: {child.content or child.attrs.get('src', '')}]"))
        elif child.type == "link_open":
            start, address = len(made), str(child.attrs.get("href", ""))
        elif child.type == "link_close":
            if "".join(part.content for part in made[start:]) != address:
                made.append(_text(f" ({address})"))
        else:
            made.append(child)
    return made


def _paragraphs(opening: Token, inline: Token, children: list[Token], closing: Token) -> list[Token]:
    """One paragraph, or several with the formulas between them that need rows of their own."""
    made: list[Token] = []
    for piece in _pieces(children):
        if isinstance(piece, Token):
            made.append(Token("math_block", "math", 0, content=piece.content, map=inline.map, block=True))
            continue
        if made and made[-1].type == "math_block":
            made[-1].meta = {"after": _take_point(piece)}
        _trim(piece)
        if any(child.content.strip() for child in piece):
            line = Token(
                "inline", "", 0, content=inline.content, children=piece, map=inline.map, level=inline.level
            )
            made += [opening, line, closing]
    return made


def _pieces(children: list[Token]) -> list[list[Token] | Token]:
    """Lines of text and formulas in turn; emphasis that a formula interrupts goes on after it."""
    from quizapp.notation import draw, inline

    pieces: list[list[Token] | Token] = []
    here: list[Token] = []
    emphasis: list[Token] = []
    for child in children:
        if not _is_formula(child):
            if child.nesting > 0:
                emphasis.append(child)
            elif child.nesting < 0:
                emphasis.pop()
            here.append(child)
        elif not child.meta["display"] and (drawn := inline(child.content)) is not None:
            here.append(_text(drawn))
        elif "\n" not in child.content and draw(child.content).is_source:
            here.append(_text(f"${child.content}$"))
        else:
            here += [Token(mark.type.replace("_open", "_close"), mark.tag, -1) for mark in reversed(emphasis)]
            pieces += [here, child]
            here = list(emphasis)
    return [*pieces, here]


def _take_point(piece: list[Token]) -> str:
    """Take the punctuation from the start of a line that goes on after a formula."""
    first = next((child for child in piece if child.type in ("text", "softbreak")), None)
    if first is None or not (found := _POINT.match(first.content)):
        return ""
    first.content = first.content[found.end() :]
    return found[1]


def _trim(piece: list[Token]) -> None:
    """Take away the spaces and line ends that stood beside a formula."""
    for seen, strip in ((piece, str.lstrip), (piece[::-1], str.rstrip)):
        for child in seen:
            if child.type == "softbreak":
                child.type = "text"
            elif child.type == "text":
                child.content = strip(child.content)
            if child.content:
                break


def _is_formula(child: Token) -> bool:
    return child.type == "math_inline"


def _in_words(child: Token) -> str:
    """A formula where there is one line only, as in a table: its source if it cannot be drawn in one."""
    from quizapp.notation import inline

    return inline(child.content) or f"${child.content}$"


def _text(content: str) -> Token:
    return Token("text", "", 0, content=content)
