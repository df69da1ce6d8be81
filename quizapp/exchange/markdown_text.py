"""Words, formulas and code put together as Markdown that shows exactly the same characters."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Sequence
from itertools import groupby, pairwise
from typing import NamedTuple

from quizapp.exchange.html_tree import HOLE, HOLE_END, HOLES

BOLD, ITALIC, STRUCK = 1, 2, 4
_MARKS = ((BOLD, "**"), (ITALIC, "*"), (STRUCK, "~~"))
_SPECIAL = re.compile(r"[\\*_`\[<&$~{]")
# Words in which nothing is special, at the start of a line too.
_WORDS = re.compile(r"(?!\d)\w[^\\*_`\[<&$~{\n\ufdd0-\ufdef]*")
_LINE_START = re.compile(r"(?:(\d{1,9})(?=[.)](?:\s|$))|(?=[-+](?:[\s:|-]|$)|#{1,6}(?:\s|$)|>|=+\s*$|[|:]))")
_PUNCTUATION = frozenset("!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~")
_LINK = re.compile(r"\][(\[:]")
_ENTITY = re.compile(r"&(?:#\d+|#[xX][0-9a-fA-F]+|\w+);")
# What a browser shows as one space, less one that is one already.
_SPACES = re.compile(r"[ \t\n\r\f]{2,}|[\t\n\r\f]")
_CLOZE = re.compile(r"\{\{c\d+::")


class Piece(NamedTuple):
    """A stretch of one line. ``source`` is finished Markdown (code, a formula, a link), or None for plain words.

    ``plain`` is what a reader sees of it, ``styles`` the sum of :data:`BOLD`, :data:`ITALIC` and :data:`STRUCK`.
    """

    plain: str
    styles: int = 0
    source: str | None = None


def escaped(text: str, *, start: bool = False, dollars: bool = True, brackets: bool | None = None) -> str:
    """``text`` as Markdown that shows these characters.

    ``start``: it begins a line. ``dollars``: a dollar could begin a formula here. ``brackets``: it could become a
    link; None looks for one.
    """
    if start:
        if _WORDS.fullmatch(text):
            return text
    elif not _SPECIAL.search(text):
        return text
    if brackets is None:
        brackets = _LINK.search(text) is not None
    before = ""
    if start and (hole := HOLES.match(text)):
        before = hole[0]
        text = text[hole.end() :]
    if start and (found := _LINE_START.match(text)):
        before += (found[1] or "") + "\\"
        before += text[found.end()]
        text = text[found.end() + 1 :]

    def escape(match: re.Match[str]) -> str:
        mark, at = match[0], match.start()
        previous = text[at - 1] if at else before[-1:]
        following = text[at + 1 : at + 2]
        if mark == "\\":
            plain = (
                following != "" and following not in _PUNCTUATION and following not in ("\n", HOLE, HOLE_END)
            )
        elif mark == "*":
            plain = previous == " " and following == " "
        elif mark == "_":
            plain = previous.isalnum() and following.isalnum()
        elif mark == "[":
            if following == "@":
                return "\\[\\"
            plain = not brackets and following not in ("^", "") and not (start and not (at or before))
        elif mark == "<":
            plain = following != "" and not following.isalpha() and following not in "/!?"
        elif mark == "&":
            plain = _ENTITY.match(text, at) is None
        elif mark == "$":
            plain = not dollars
        elif mark == "~":
            plain = previous not in ("~", "") and following not in ("~", "")
        elif mark == "`":
            plain = False
        else:
            return "{\\" if _CLOZE.match(text, at) else "{"
        return mark if plain else "\\" + mark

    return before + _SPECIAL.sub(escape, text)


def code_span(code: str) -> str:
    """``code`` between backticks."""
    longest = max((len(run) for run in re.findall("`+", code)), default=0)
    ticks = "`" * (longest + 1)
    padded = (
        code.startswith("`") or code.endswith("`") or (code[:1] == code[-1:] == " " and code.strip() != "")
    )
    return f"{ticks} {code} {ticks}" if padded else f"{ticks}{code}{ticks}"


def code_block(code: str, language: str = "") -> str:
    """``code`` between fences that are longer than any in it."""
    longest = max((len(run) for run in re.findall("`{3,}", code)), default=2)
    fence = "`" * (longest + 1)
    return f"{fence}{language}\n{code}\n{fence}" if code else f"{fence}{language}\n{fence}"


def line(
    pieces: Sequence[Piece], *, start: bool = True, dollars: bool = True, brackets: bool = False
) -> tuple[str, bool]:
    """One line of Markdown, and whether all its emphasis could be kept.

    ``brackets``: a bracket here may meet another in the lines around, as a link.

    Emphasis that CommonMark would not read beside these characters is drawn in to where it does, or left out.
    """
    pieces = _merged(_trimmed(pieces))
    if len(pieces) == 1 and pieces[0].source is None and not pieces[0].styles:
        return escaped(pieces[0].plain, start=start, dollars=dollars, brackets=brackets or None), True
    brackets = brackets or (
        any("[" in piece.plain for piece in pieces if piece.source is None)
        and (len(pieces) > 1 or _LINK.search(pieces[0].plain) is not None)
    )
    styled = [piece.styles for piece in pieces]
    if not any(styled):
        return _plain(pieces, start, dollars, brackets), True
    used = [mark for mark in _MARKS if any(style & mark[0] for style in styled)]
    made, kept = _styled(pieces, start, dollars, brackets, used)
    adjacent = any(a and b and a != b for a, b in pairwise(styled))
    if not adjacent or _shows(made, pieces):
        return made, kept
    return _plain(pieces, start, dollars, brackets), False


def _plain(pieces: Iterable[Piece], start: bool, dollars: bool, brackets: bool) -> str:
    parts: list[str] = []
    for piece in pieces:
        parts.append(
            piece.source
            if piece.source is not None
            else escaped(piece.plain, start=start and not parts, dollars=dollars, brackets=brackets)
        )
    if any(part.startswith("$") for part in parts):
        return _beside_formulas(parts, pieces)
    return "".join(parts)


def _beside_formulas(parts: list[str], pieces: Iterable[Piece]) -> str:
    """A digit beside a dollar means a price, so next to a formula it is written as its entity."""
    formulas = [piece.source is not None and piece.source.startswith("$") for piece in pieces]
    for at, formula in enumerate(formulas):
        if not formula or parts[at].startswith("$$"):
            continue
        if at and not formulas[at - 1] and parts[at - 1][-1:].isdigit():
            parts[at - 1] = f"{parts[at - 1][:-1]}&#{ord(parts[at - 1][-1])};"
        if at + 1 < len(parts) and not formulas[at + 1] and parts[at + 1][:1].isdigit():
            parts[at + 1] = f"&#{ord(parts[at + 1][0])};{parts[at + 1][1:]}"
    return "".join(parts)


def _trimmed(pieces: Sequence[Piece]) -> list[Piece]:
    """White space as a browser shows it: one space between words, none at the ends."""
    made: list[Piece] = []
    space = True
    for piece in pieces:
        if piece.source is None:
            text = _SPACES.sub(" ", piece.plain)
            if space:
                text = text.lstrip(" ")
            if not text:
                continue
            space = text.endswith(" ")
            made.append(piece._replace(plain=text))
        else:
            space = False
            made.append(piece)
    while made and made[-1].source is None:
        made[-1] = made[-1]._replace(plain=made[-1].plain.rstrip(" "))
        if made[-1].plain:
            break
        made.pop()
    return made


def _merged(pieces: Sequence[Piece]) -> list[Piece]:
    made: list[Piece] = []
    for piece in pieces:
        if made and piece.source is None and made[-1].source is None and made[-1].styles == piece.styles:
            made[-1] = made[-1]._replace(plain=made[-1].plain + piece.plain)
        else:
            made.append(piece)
    return made


def _styled(
    pieces: Sequence[Piece],
    start: bool,
    dollars: bool,
    brackets: bool,
    marks: Sequence[tuple[int, str]] = _MARKS,
) -> tuple[str, bool]:
    if not marks:
        return _plain(pieces, start, dollars, brackets), True
    (style, mark), *inner = marks
    parts: list[str] = []
    kept = True
    groups = [(on, list(group)) for on, group in groupby(pieces, lambda piece: bool(piece.styles & style))]
    for at, (on, group) in enumerate(groups):
        begins = start and not parts
        if not on:
            text, ok = _styled(group, begins, dollars, brackets, inner)
            parts.append(text)
            kept = kept and ok
            continue
        before = groups[at - 1][1][-1].plain[-1:] if at else ""
        after = groups[at + 1][1][0].plain[:1] if at + 1 < len(groups) else ""
        head, body, tail = _drawn_in(group, before, after)
        for stretch, marked in ((head, False), (body, True), (tail, False)):
            if not stretch:
                continue
            text, ok = _styled(stretch, start and not any(parts), dollars, brackets, inner)
            parts.append(f"{mark}{text}{mark}" if marked else text)
            kept = kept and ok and (marked or not "".join(piece.plain for piece in stretch).strip())
    return "".join(parts), kept


def _drawn_in(group: list[Piece], before: str, after: str) -> tuple[list[Piece], list[Piece], list[Piece]]:
    """What of a group can be emphasised, and what before and after it cannot."""
    head: list[Piece] = []
    tail: list[Piece] = []
    body = list(group)
    while body:
        first = body[0]
        if not (first.plain[:1].isspace() or (_word(before) and _sign(first, 0))):
            break
        before = _move(body, head, 0)
    while body:
        last = body[-1]
        if not (last.plain[-1:].isspace() or (_word(after) and _sign(last, -1))):
            break
        after = _move(body, tail, -1)
    return head, body, tail


def _move(body: list[Piece], beside: list[Piece], end: int) -> str:
    """Move one character (or a whole formula, link or code span) from an end of ``body`` out of the emphasis."""
    piece = body.pop(end)
    if piece.source is None and len(piece.plain) > 1:
        gone, rest = (piece.plain[0], piece.plain[1:]) if end == 0 else (piece.plain[-1], piece.plain[:-1])
        body.insert(0 if end == 0 else len(body), piece._replace(plain=rest))
        piece = piece._replace(plain=gone)
    beside.insert(len(beside) if end == 0 else 0, piece)
    return piece.plain[-1:] if end == 0 else piece.plain[:1]


def _sign(piece: Piece, end: int) -> bool:
    return piece.source is not None or not _word(piece.plain[end])


def _word(character: str) -> bool:
    """Whether Markdown takes the character for part of a word."""
    if not character or character.isspace():
        return False
    return unicodedata.category(character)[0] not in "PS" and not "\ufdd0" <= character <= "\ufdef"


def _shows(markdown: str, pieces: Sequence[Piece]) -> bool:
    """Whether the Markdown reads as the pieces' characters."""
    from quizapp.exchange.to_html import plain_text

    # A deletion begins and ends with braces, which are signs to Markdown.
    wanted = HOLES.sub("⸨", "".join(piece.plain for piece in pieces))
    return "".join(plain_text(HOLES.sub("⸨", markdown)).split()) == "".join(wanted.split())
