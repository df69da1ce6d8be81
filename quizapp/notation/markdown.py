"""Mathematics inside Markdown text: where it is, and its other delimiters."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Text:
    """Markdown without mathematics, as it is written."""

    source: str


@dataclass(frozen=True, slots=True)
class Math:
    """A formula. ``source`` is what stands in the text, delimiters included."""

    latex: str
    display: bool
    source: str


_FENCE = re.compile(r"[ ]{0,3}(?:(?:[-*+]|\d+[.)])[ ]+)*(`{3,}|~{3,})([^\n]*)")
_TICKS = re.compile(r"`+")


def code_spans(text: str) -> list[tuple[int, int]]:
    """The stretches of ``text`` that are code: fenced blocks and code spans, by start and end."""
    spans: list[tuple[int, int]] = []
    at, paragraph = 0, -1
    unclosed: set[str] = set()
    while at < len(text):
        if at > paragraph:
            # Looked for once a paragraph: for each mark again it would take the square of the time.
            paragraph = _paragraph_end(text, at)
            unclosed.clear()
        line_start = at == 0 or text[at - 1] == "\n"
        if line_start and (fence := _FENCE.match(text, at)) and not (fence[1][0] == "`" and "`" in fence[2]):
            end = _fence_end(text, fence.end(), fence[1])
            spans.append((at, end))
            at = end
            continue
        if text[at] == "\\":
            at += 2
            continue
        if text[at] == "`":
            ticks = _TICKS.match(text, at)
            run = ticks[0] if ticks else "`"
            close = None
            if run not in unclosed:
                close = re.compile(rf"(?<!`){run}(?!`)").search(text, at + len(run), paragraph)
            if close is None:
                unclosed.add(run)
            else:
                spans.append((at, close.end()))
                at = close.end()
                continue
            at += len(run)
            continue
        at += 1
    return spans


def _fence_end(text: str, at: int, mark: str) -> int:
    close = re.compile(rf"^[^\S\n]*{re.escape(mark[0])}{{{len(mark)},}}[ \t]*$", re.MULTILINE).search(
        text, at
    )
    return len(text) if close is None else close.end()


def _paragraph_end(text: str, at: int) -> int:
    blank = re.compile(r"\n[ \t]*\n").search(text, at)
    return len(text) if blank is None else blank.start()


def split_math(text: str) -> list[Text | Math]:
    """``text`` in pieces, whose sources joined are ``text``.

    ``$..$`` within a paragraph is a formula unless a space follows the first dollar or comes before the
    last, or a digit comes before the first or follows the last (prices). ``$$..$$`` is a formula on its
    own. Never inside code; ``\\$`` is a dollar.
    """
    code = iter(code_spans(text))
    span = next(code, None)
    pieces: list[Text | Math] = []
    start = at = 0
    paragraph = -1
    while at < len(text):
        if at > paragraph:
            paragraph = _paragraph_end(text, at)
        while span is not None and span[1] <= at:
            span = next(code, None)
        if span is not None and span[0] <= at:
            at = span[1]
        elif text[at] == "\\":
            at += 2
        elif text[at] == "$" and (
            found := _formula(text, at, min(paragraph, span[0]) if span else paragraph)
        ):
            pieces += [Text(text[start:at])] if at > start else []
            pieces.append(found)
            start = at = at + len(found.source)
        elif text.startswith("$$", at):
            at += 2
        else:
            at += 1
    return [*pieces, Text(text[start:])] if start < len(text) else pieces


def _formula(text: str, at: int, end: int) -> Math | None:
    """The formula that begins at the dollar at ``at`` and ends before ``end`` (of the paragraph, or the next code)."""
    if text.startswith("$$", at):
        close = _unescaped("$$", text, at + 2, end)
        if close is None or not text[at + 2 : close].strip():
            return None
        return Math(_unquoted(text, at, text[at + 2 : close]), True, text[at : close + 2])
    if at + 1 >= len(text) or text[at + 1].isspace() or (at and text[at - 1].isdigit()):
        return None
    close = _unescaped("$", text, at + 1, end)
    if close is None or close == at + 1 or text[close - 1].isspace() or text[close + 1 : close + 2].isdigit():
        return None
    return Math(_unquoted(text, at, text[at + 1 : close]), False, text[at : close + 1])


def _unquoted(text: str, at: int, latex: str) -> str:
    """The formula without the marks of a block quote at the start of its lines."""
    if "\n" in latex and re.compile(r"[^\S\n]*>").match(text, text.rfind("\n", 0, at) + 1, at):
        latex = re.sub(r"\n[ \t]*>[ \t]?", "\n", latex)
    return latex.strip()


def _unescaped(mark: str, text: str, start: int, end: int) -> int | None:
    at = text.find(mark, start, end)
    while at >= 0:
        before = at
        while before > start and text[before - 1] == "\\":
            before -= 1
        if (at - before) % 2 == 0:
            return at
        at = text.find(mark, at + 1, end)
    return None


def to_mathjax(text: str) -> str:
    r"""``$..$`` as ``\(..\)`` and ``$$..$$`` as ``\[..\]``; nothing else changes."""
    pieces = []
    for piece in split_math(text):
        if isinstance(piece, Text):
            pieces.append(piece.source)
        elif piece.display:
            pieces.append(rf"\[{piece.source[2:-2]}\]")
        else:
            pieces.append(rf"\({piece.source[1:-1]}\)")
    return "".join(pieces)


_OPENING = re.compile(r"(?<!\\)\\([(\[])")
_CLOSING = {"(": re.compile(r"(?<!\\)\\\)"), "[": re.compile(r"(?<!\\)\\\]")}


def _delimited(text: str) -> Iterator[tuple[int, int, bool]]:
    r"""Where ``\(..\)`` and ``\[..\]`` begin and end, and whether it is the latter; in time linear in the text."""
    at = 0
    absent: set[str] = set()
    while opening := _OPENING.search(text, at):
        kind = opening[1]
        closing = None if kind in absent else _CLOSING[kind].search(text, opening.end() + 1)
        if closing is None:
            absent.add(kind)
            at = opening.end()
        else:
            yield opening.start(), closing.end(), kind == "["
            at = closing.end()


def from_mathjax(text: str) -> str:
    r"""``\(..\)`` as ``$..$`` and ``\[..\]`` as ``$$..$$``, outside code.

    A dollar in the text that would now begin a formula is escaped, and a digit beside a formula is written
    as its entity, since a digit beside a dollar means a price.
    """
    pieces: list[str] = []
    at = 0
    code = code_spans(text)
    code_ends = [end for _, end in code]
    for start, end, display in _delimited(text):
        following = bisect_right(code_ends, start)
        if following < len(code) and code[following][0] < end:
            continue
        pieces.append(_without_formulas(text[at:start]))
        latex = text[start + 2 : end - 2]
        if display:
            pieces.append(f"$${latex}$$")
        else:
            if pieces[-1][-1:].isdigit():
                pieces[-1] = f"{pieces[-1][:-1]}&#{ord(pieces[-1][-1])};"
            pieces.append(f"${latex.strip()}$")
        at = end
        if not display and text[at : at + 1].isdigit():
            pieces.append(f"&#{ord(text[at])};")
            at += 1
    pieces.append(_without_formulas(text[at:]))
    return "".join(pieces)


def _without_formulas(text: str) -> str:
    return "".join(
        piece.source if isinstance(piece, Text) else piece.source.replace("$", r"\$")
        for piece in split_math(text)
    )
