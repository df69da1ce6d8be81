"""Cloze deletions in a prompt: ``{{c1::hidden text::hint}}``.

They are taken out before Markdown or maths is looked at, never inside code; braces inside them balance, so
``{{c1::$\\frac{a}{10000^{2i/d}}$}}`` ends where its author meant.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from quizapp.notation.markdown import Math, split_math

_OPENING = re.compile(r"\{\{c(\d+)::")
_FENCE = re.compile(r"(?m)^ {0,3}(`{3,}|~{3,})")


class ClozeError(ValueError):
    """A cloze that is not closed or nested; ``offset`` is where it starts."""

    def __init__(self, message: str, offset: int) -> None:
        super().__init__(message)
        self.offset = offset


@dataclass(frozen=True)
class Deletion:
    """One deletion: ``text[start:end]`` is the whole ``{{c1::...}}``."""

    start: int
    end: int
    number: int
    hidden: str
    hint: str


def deletions(text: str) -> list[Deletion]:
    """All deletions of a prompt, in order. Raises ClozeError."""
    found: list[Deletion] = []
    code = _code_spans(text)
    position = 0
    while match := _OPENING.search(text, position):
        inside = next((end for start, end in code if start <= match.start() < end), None)
        if inside is not None:
            position = inside
            continue
        found.append(_read(text, match))
        position = found[-1].end
    return found


def show(text: str, number: int, *, reveal: bool, mark: tuple[str, str] = ("**", "**")) -> str:
    """The prompt of one cloze card: its own deletions hidden (or revealed between ``mark``), the others shown."""
    parts: list[str] = []
    position = 0
    found = deletions(text)
    formulas = _formulas(text) if "$" in text and found else []
    for deletion in found:
        parts.append(text[position : deletion.start])
        inside = any(start < deletion.start < end for start, end in formulas)
        if deletion.number != number:
            parts.append(deletion.hidden)
        elif reveal:
            # Emphasis around a formula, or within one, would become part of its reading: it stays bare.
            bare = inside or deletion.hidden.startswith("$")
            parts.append(deletion.hidden if bare else f"{mark[0]}{deletion.hidden}{mark[1]}")
        elif inside and deletion.hint:
            parts.append(rf"[\text{{{deletion.hint}}}]")
        else:
            parts.append(f"[{deletion.hint or '…'}]")
        position = deletion.end
    parts.append(text[position:])
    return "".join(parts)


def hidden_texts(text: str, number: int) -> list[str]:
    """What one cloze card hides, in order."""
    return [deletion.hidden for deletion in deletions(text) if deletion.number == number]


def _formulas(text: str) -> list[tuple[int, int]]:
    found = []
    at = 0
    for piece in split_math(text):
        if isinstance(piece, Math):
            found.append((at, at + len(piece.source)))
        at += len(piece.source)
    return found


def _read(text: str, opening: re.Match[str]) -> Deletion:
    start = opening.end()
    depth = 0
    hint_at = -1
    position = start
    maths = ""
    while position < len(text):
        character = text[position]
        if character == "\\":
            position += 2
            continue
        if character == "`" and not maths:
            position = _skip_code(text, position)
            continue
        if text.startswith("{{c", position) and _OPENING.match(text, position):
            raise ClozeError("a cloze inside a cloze; close the first one with }} before the next", position)
        if character == "$":
            run = "$$" if text.startswith("$$", position) else "$"
            maths = "" if maths == run else (maths or run)
            position += len(run)
            continue
        if character == "{":
            depth += 1
        elif character == "}":
            if depth:
                depth -= 1
            elif text.startswith("}}", position):
                return _finish(text, opening, start, position, hint_at)
        elif text.startswith("::", position) and not maths and not depth:
            hint_at = position
            position += 2
            continue
        position += 1
    raise ClozeError(f"the cloze c{opening[1]} is not closed; end it with }}}}", opening.start())


def _finish(text: str, opening: re.Match[str], start: int, end: int, hint_at: int) -> Deletion:
    number = int(opening[1])
    hidden = text[start : hint_at if hint_at >= 0 else end]
    hint = text[hint_at + 2 : end] if hint_at >= 0 else ""
    if number == 0:
        raise ClozeError("cloze numbers start at 1: {{c1::...}}", opening.start())
    if not hidden.strip():
        raise ClozeError(
            f"the cloze c{number} hides nothing; write {{{{c{number}::hidden text}}}}", opening.start()
        )
    return Deletion(opening.start(), end + 2, number, hidden.strip(), hint.strip())


def _skip_code(text: str, position: int) -> int:
    run = 1
    while text.startswith("`", position + run):
        run += 1
    ticks = "`" * run
    close = position + run
    while (close := text.find(ticks, close)) >= 0:
        after = close + run
        if text[after : after + 1] != "`" and text[close - 1] != "`":
            return after
        close = after
    return position + run


def _code_spans(text: str) -> list[tuple[int, int]]:
    return list(_spans(text))


def _spans(text: str) -> Iterator[tuple[int, int]]:
    fences = _fenced(text)
    position = 0
    while (tick := text.find("`", position)) >= 0:
        block = next(((start, end) for start, end in fences if start <= tick < end), None)
        if block:
            yield block
            position = block[1]
            continue
        end = _skip_code(text, tick)
        if text[tick:end].strip("`"):
            yield tick, end
        position = end
    yield from (block for block in fences if text[block[0]] == "~")


def _fenced(text: str) -> list[tuple[int, int]]:
    blocks: list[tuple[int, int]] = []
    position = 0
    while opening := _FENCE.search(text, position):
        fence = opening[1]
        closing = re.compile(rf"(?m)^ {{0,3}}{re.escape(fence[0])}{{{len(fence)},}}[ \t]*$").search(
            text, opening.end()
        )
        end = closing.end() if closing else len(text)
        blocks.append((opening.start(1), end))
        position = end
    return blocks
