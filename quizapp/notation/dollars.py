"""Formulas between dollars as tokens of markdown-it: every reader of Markdown here finds the same ones."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from quizapp.notation.markdown import Math, split_math

if TYPE_CHECKING:
    from markdown_it import MarkdownIt
    from markdown_it.rules_inline import StateInline


def use_dollars(parser: MarkdownIt) -> None:
    """Add ``math_block`` tokens, and ``math_inline`` ones whose ``meta["display"]`` says which dollars stood there."""
    from mdit_py_plugins.dollarmath import dollarmath_plugin

    parser.use(dollarmath_plugin, allow_labels=False, allow_space=False, allow_digits=False)
    # The plug-in's own rule looks at the line's last character where it means the one before the dollar.
    parser.inline.ruler.at("math_inline", _dollars)


def _dollars(state: StateInline, silent: bool) -> bool:
    if state.src[state.pos] != "$":
        return False
    known = cast("dict[str, dict[int, Math]]", state.env.setdefault("formulas", {}))
    if state.src not in known:
        at = 0
        starts: dict[int, Math] = {}
        for piece in split_math(state.src):
            if isinstance(piece, Math):
                starts[at] = piece
            at += len(piece.source)
        known[state.src] = starts
    found = known[state.src].get(state.pos)
    if found is None:
        return False
    if not silent:
        token = state.push("math_inline", "math", 0)
        token.content = found.latex
        token.meta = {"display": found.display}
    state.pos += len(found.source)
    return True
