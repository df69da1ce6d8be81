"""Markdown as plain lines, with its formulas drawn: what the line-mode front prints."""

from __future__ import annotations

import html
import re
from collections.abc import Iterator

from quizapp.notation.drawing import Drawing, draw, printable
from quizapp.notation.linear import inline
from quizapp.notation.markdown import Math, Text, code_spans, split_math
from quizapp.notation.width import cells

# A space inside a formula or a code span, at which no line breaks.
_FIXED = "\ue000"
_ITEM = re.compile(r"^(\s*(?:[-*+]|\d+[.)])\s+(?:\[[ xX]\]\s+)?)(.*)$", re.DOTALL)
_TABLE_OR_RULE = re.compile(r"^\s*(\||(?:[-*_]\s*){3,}$)")
# A backslash that no backslash escapes, or two spaces, at the end of a line.
_HARD_BREAK = re.compile(r"(?<!\\)((?:\\\\)*)\\$|  +$")
_INDENT = "  "


def render_text(markdown: str, *, width: int, latex: bool = False) -> list[str]:
    """``markdown`` as lines of at most ``width`` cells (formulas and code are never broken).

    Formulas stand in the line where one line says them, else on rows of their own. ``latex`` leaves their
    source. Code, tables and lists keep their lines. The lines hold no control characters.
    """
    lines: list[str] = []
    for kind, block in _blocks(markdown.replace("\r\n", "\n").expandtabs(4)):
        if kind == "verbatim":
            lines += [printable(line).rstrip() for line in block.split("\n")]
        else:
            lines += _paragraph(block, width, latex)
    return lines


def _blocks(markdown: str) -> Iterator[tuple[str, str]]:
    """Stretches to be wrapped, and lines to be kept as they are."""
    fences = [
        span
        for span in code_spans(markdown)
        if "\n" in markdown[span[0] : span[1]] and _is_fence(markdown, span)
    ]
    at = 0
    for start, end in fences:
        yield from _paragraphs(markdown[at:start].removesuffix("\n") if start > at else "", start > at)
        yield "verbatim", markdown[start:end]
        at = end + 1 if markdown[end : end + 1] == "\n" else end
    yield from _paragraphs(markdown[at:], at < len(markdown))


def _is_fence(text: str, span: tuple[int, int]) -> bool:
    return text[span[0] : span[1]].lstrip(" -*+0123456789.)").startswith(("```", "~~~"))


def _paragraphs(text: str, present: bool) -> Iterator[tuple[str, str]]:
    if not present:
        return
    held: list[str] = []
    formula = False
    for line in text.split("\n"):
        if formula or (line.lstrip().startswith("$$") and not held):
            held.append(line)
            formula = "".join(held).count("$$") % 2 == 1
            if not formula:
                yield "text", "\n".join(held)
                held = []
            continue
        alone = not line.strip() or _TABLE_OR_RULE.match(line) or line.lstrip().startswith(("#", ">"))
        if held and (alone or _ITEM.match(line) or line.lstrip().startswith("$$")):
            yield "text", "\n".join(held)
            held = []
        if not line.strip() or _TABLE_OR_RULE.match(line):
            yield ("verbatim", "") if not line.strip() else ("text", line)
        elif line.lstrip().startswith("$$"):
            held = [line]
            formula = line.count("$$") % 2 == 1
            if not formula:
                yield "text", line
                held = []
        elif alone:
            yield "text", line
        else:
            held.append(_HARD_BREAK.sub(r"\1", line))
            if held[-1] != line:
                yield "text", "\n".join(held)
                held = []
    if held:
        yield "text", "\n".join(held)


def _paragraph(text: str, width: int, latex: bool) -> list[str]:
    item = _ITEM.match(text)
    first, body = (item[1], item[2]) if item else ("", text)
    if not item and (indented := re.match(r"[ ]+", text)):
        first, body = indented[0], text[len(indented[0]) :]
    following = " " * cells(first)
    if _TABLE_OR_RULE.match(text):
        return [printable(_one_line(body, latex).replace(_FIXED, " "))]
    lines: list[str] = []
    words: list[str] = []
    drawing: Drawing | None = None

    def flush() -> None:
        nonlocal words
        prefix = first if not lines else following
        lines.extend(_wrapped(words, width, prefix, following))
        words = []

    for piece in split_math(body):
        if isinstance(piece, Text):
            source = piece.source
            if drawing is not None:
                # A full stop or a comma right after a formula stays with it.
                mark = re.match(r"[.,;:!?)]+", source)
                if mark:
                    lines[len(lines) - len(drawing.rows) + drawing.baseline] += mark[0]
                    source = source[mark.end() :]
                drawing = None
            _add_words(words, _unmarked(source))
            continue
        drawing = None
        line = piece.source.replace("\n", " ") if latex else None if piece.display else inline(piece.latex)
        if line is not None and (not latex or not piece.display):
            _add_words(words, printable(line).replace(" ", _FIXED))
            continue
        flush()
        prefix = first if not lines and first.strip() else following
        if latex:
            rows = [printable(row) for row in piece.source.split("\n")]
            lines += [(prefix if not at else following) + row for at, row in enumerate(rows)]
            continue
        drawing = draw(piece.latex, display=piece.display)
        for at, drawn in enumerate(drawing.rows):
            lines.append(((prefix if at == 0 and prefix.strip() else following) + _INDENT + drawn).rstrip())
    flush()
    return lines


def _one_line(text: str, latex: bool) -> str:
    pieces = []
    for piece in split_math(text):
        if isinstance(piece, Math):
            pieces.append(piece.source if latex else inline(piece.latex) or piece.source)
        else:
            pieces.append(_unmarked(piece.source))
    return "".join(pieces)


def _add_words(words: list[str], text: str) -> None:
    """Append ``text`` to a list of words; a word goes on where no space divides it from the last."""
    if not text:
        return
    parts = re.split(r"[ \n]+", text)
    if words and words[-1] != "":
        words[-1] += parts[0]
    elif words:
        words[-1] = parts[0]
    else:
        words.append(parts[0])
    words.extend(parts[1:])


def _wrapped(words: list[str], width: int, first: str, following: str) -> list[str]:
    kept = [word for word in words if word]
    if not kept:
        return []
    lines = [first + kept[0]]
    for word in kept[1:]:
        if cells(lines[-1]) + 1 + cells(word) <= width:
            lines[-1] += " " + word
        else:
            lines.append(following + word)
    return [printable(line.replace(_FIXED, " ")) for line in lines]


_ESCAPE = re.compile(r"\\([!-/:-@\[-`{-~])")
_LINK = re.compile(r"(!?)\[([^\]]*)\]\(([^()\s]*)(?:\s+\"[^\"]*\")?\)")
_STRONG = re.compile(r"(?<!\w)(\*{1,3}|__)(?=\S)(.+?)(?<=\S)\1(?!\w)", re.DOTALL)


def _unmarked(text: str) -> str:
    """Markdown without its marks of emphasis, links and escapes; code spans keep every character."""
    pieces = []
    at = 0
    for start, end in code_spans(text):
        pieces += [_unmarked_prose(text[at:start]), text[start:end].replace("\n", " ").replace(" ", _FIXED)]
        at = end
    pieces.append(_unmarked_prose(text[at:]))
    return "".join(pieces)


def _unmarked_prose(text: str) -> str:
    escaped: list[str] = []

    def hold(match: re.Match[str]) -> str:
        escaped.append(match[1])
        return chr(0xE100 + len(escaped) - 1)

    text = _ESCAPE.sub(hold, text)
    text = _LINK.sub(lambda match: match[2] if match[1] or not match[3] else f"{match[2]} ({match[3]})", text)
    text = _STRONG.sub(lambda match: match[2], text)
    text = html.unescape(text)
    return re.sub("[\ue100-\uf8ff]", lambda match: _restored(match[0], escaped), text)


def _restored(mark: str, escaped: list[str]) -> str:
    index = ord(mark) - 0xE100
    return escaped[index] if index < len(escaped) else mark
