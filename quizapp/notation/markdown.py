"""Mathematics inside Markdown text: where it is, and its other delimiters."""

from __future__ import annotations

import re
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
    at = 0
    while at < len(text):
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
            close = re.compile(rf"(?<!`){run}(?!`)").search(text, at + len(run), _paragraph_end(text, at))
            if close is not None:
                spans.append((at, close.end()))
                at = close.end()
                continue
            at += len(run)
            continue
        at += 1
    return spans


def _fence_end(text: str, at: int, mark: str) -> int:
    close = re.compile(rf"^\s*{re.escape(mark[0])}{{{len(mark)},}}[ \t]*$", re.MULTILINE).search(text, at)
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
    while at < len(text):
        while span is not None and span[1] <= at:
            span = next(code, None)
        if span is not None and span[0] <= at:
            at = span[1]
        elif text[at] == "\\":
            at += 2
        elif text[at] == "$" and (found := _formula(text, at, span[0] if span else len(text))):
            pieces += [Text(text[start:at])] if at > start else []
            pieces.append(found)
            start = at = at + len(found.source)
        elif text.startswith("$$", at):
            at += 2
        else:
            at += 1
    return [*pieces, Text(text[start:])] if start < len(text) else pieces


def _formula(text: str, at: int, limit: int) -> Math | None:
    """The formula that begins at the dollar at ``at`` and ends before ``limit`` (the next code)."""
    end = min(_paragraph_end(text, at), limit)
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
    line = text[text.rfind("\n", 0, at) + 1 : at]
    if re.match(r"\s*>", line):
        latex = re.sub(r"\n[ \t]*>[ \t]?", "\n", latex)
    return latex.strip()


def _unescaped(mark: str, text: str, start: int, end: int) -> int | None:
    at = text.find(mark, start, end)
    while at >= 0:
        slashes = len(text[:at]) - len(text[:at].rstrip("\\"))
        if slashes % 2 == 0:
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


_MATHJAX = re.compile(r"(?<!\\)\\\((.+?)(?<!\\)\\\)|(?<!\\)\\\[(.+?)(?<!\\)\\\]", re.DOTALL)


def from_mathjax(text: str) -> str:
    r"""``\(..\)`` as ``$..$`` and ``\[..\]`` as ``$$..$$``, outside code.

    A dollar in the text that would now begin a formula is escaped, and a digit beside a formula is written
    as its entity, since a digit beside a dollar means a price.
    """
    pieces: list[str] = []
    at = 0
    code = code_spans(text)
    for match in _MATHJAX.finditer(text):
        if any(start < match.end() and match.start() < end for start, end in code):
            continue
        pieces.append(_without_formulas(text[at : match.start()]))
        if match[2] is not None:
            pieces.append(f"$${match[2]}$$")
        else:
            if pieces[-1][-1:].isdigit():
                pieces[-1] = f"{pieces[-1][:-1]}&#{ord(pieces[-1][-1])};"
            pieces.append(f"${match[1].strip()}$")
        at = match.end()
        if match[1] is not None and text[at : at + 1].isdigit():
            pieces.append(f"&#{ord(text[at])};")
            at += 1
    pieces.append(_without_formulas(text[at:]))
    return "".join(pieces)


def _without_formulas(text: str) -> str:
    return "".join(
        piece.source if isinstance(piece, Text) else piece.source.replace("$", r"\$")
        for piece in split_math(text)
    )
