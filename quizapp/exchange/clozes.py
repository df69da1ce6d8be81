r"""Cloze texts as Anki writes them, and back.

Both write ``{{c1::hidden::hint}}``. Ours is Markdown whose braces balance and whose last ``::`` starts the hint; Anki's
is HTML that ends at the first ``}}`` and whose first ``::`` starts the hint, in formulas and code too. So ``}}`` and
``::`` inside a deletion are broken on the way out: by a space in a formula, where it shows nothing, and by an empty
comment elsewhere. The way back mends both, so that a text comes back as it was.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from quizapp.decks.cloze import ClozeError, Deletion, deletions
from quizapp.exchange.from_html import Converted, convert, read_html
from quizapp.exchange.html_tree import HOLE, HOLE_END, HOLE_NAMED, HOLES, NONCHARACTERS
from quizapp.exchange.to_html import mathjax, to_html
from quizapp.notation import Math, split_math
from quizapp.notation.markdown import code_spans

# Signs that Markdown reads as it reads the braces they stand for; the first pair that a text does not use.
_STAND_INS = (("⸨", "⸩"), ("⟬", "⟭"), ("⦇", "⦈"), ("⦉", "⦊"), ("⧼", "⧽"), ("〚", "〛"))
_FORMULA, _FORMULA_END = "\ufdd0", "\ufdd1"
_BRACE = re.compile(r"(?<!\\)[{}]")
_LITERAL = re.compile(r"\{(?=\{c[\d,]+::)")
_ANKI = re.compile(r"\{\{c([1-9]\d{0,2}+)(,[\d,]*+)?::|\}\}|::|\\[(\[]|\\[)\]]|\}( +)(?=\})|:( +)(?=:)")
_SEVERAL = "hiding a part on several cards: it is hidden on the first of them"


def to_anki(markdown: str, inline: bool = False) -> str:
    """The Anki HTML of a cloze text. Raises ClozeError where a deletion of ours is not closed."""
    holes = deletions(markdown)
    opening, closing = next((pair for pair in _STAND_INS if not set(pair) & set(markdown)), _STAND_INS[0])
    parts: list[str] = []
    at = 0
    for hole in holes:
        parts += [markdown[at : hole.start], opening, hole.hidden, closing]
        at = hole.end
    html = to_html(_apart("".join(parts) + markdown[at:], opening, closing), _marked, inline)
    if holes and (html.count(opening), html.count(closing)) == (len(holes), len(holes)):
        return _written(html, holes, opening, closing)
    return _LITERAL.sub("{<!-- -->", html.replace(_FORMULA, "").replace(_FORMULA_END, ""))


def _apart(markdown: str, opening: str, closing: str) -> str:
    """The text with no formula that reaches over one end of a deletion: a dollar inside does not meet one outside."""
    while True:
        at = 0
        for piece in split_math(markdown):
            if isinstance(piece, Math) and _reaches_over(piece.source, opening, closing):
                markdown = f"{markdown[:at]}\\{markdown[at:]}"
                break
            at += len(piece.source)
        else:
            return markdown


def _reaches_over(formula: str, opening: str, closing: str) -> bool:
    ends = [sign for sign in formula if sign in (opening, closing)]
    return ends != [opening, closing] * (len(ends) // 2)


def _marked(tex: str, display: bool) -> str:
    return f"{_FORMULA}{mathjax(tex, display)}{_FORMULA_END}"


def _written(html: str, holes: list[Deletion], opening: str, closing: str) -> str:
    """Put the deletions in where their stand-ins are, and break what would end them early."""
    token = re.compile(
        rf"[{_FORMULA}{_FORMULA_END}{opening}{closing}]|\}}(?= *[}}{closing}])|:(?= *[:{closing}])|\{{(?=\{{c[\d,]+::)"
    )
    parts: list[str] = []
    at = number = 0
    inside = formula = False
    for found in token.finditer(html):
        mark = found[0]
        parts.append(html[at : found.start()])
        at = found.end()
        following = html[at : at + 1]
        if mark in (_FORMULA, _FORMULA_END):
            formula = mark == _FORMULA
        elif mark == opening:
            parts.append(f"{{{{c{holes[number].number}::")
            inside = True
        elif mark == closing:
            hint = holes[number].hint
            parts.append(f"::{_hint(hint)}}}}}" if hint else "}}")
            inside = False
            number += 1
        elif mark == "{":
            parts.append("{<!-- -->")
        elif inside and formula:
            parts.append(mark + " ")
        elif inside and following != " ":
            parts.append(mark + "<!-- -->")
        else:
            parts.append(mark)
    return "".join(parts) + html[at:]


def _hint(markdown: str) -> str:
    html = to_html(markdown, mathjax, True)
    return re.sub(r"(?<=:)(?=:)|(?<=\})(?=\})|(?<=\})\Z", "<!-- -->", html)


@dataclass
class _Hole:
    """A deletion of Anki's on its way: where it starts in the parts written so far, its number and its hint."""

    number: int
    hint: list[str] | None = None


def from_anki(html: str, inline: bool = False) -> Converted:
    """Markdown of an Anki cloze text. A deletion that cannot stay one becomes plain text, and is in ``lost``."""
    html = NONCHARACTERS.sub("", html)
    if "{{c" not in html:
        return convert(html, inline)
    marked, holes, lost = _find(html)
    made = read_html(marked, inline, dollars=True)
    hints = [convert("".join(hole.hint or ()), inline=True) for hole in holes]
    markdown = _sound(_put_in(made.markdown, holes, [hint.markdown for hint in hints], lost), lost)
    for hint in hints:
        lost += hint.lost
    return Converted(markdown, made.media, made.lost + tuple(lost))


def _find(html: str) -> tuple[str, list[_Hole], list[str]]:
    """``html`` with a mark at each deletion's start and end; one inside another parts the outer in two."""
    tokens = list(_ANKI.finditer(html))
    partners = _partners(tokens)
    ignored: set[int] = set()
    parts: list[str] = []
    holes: list[_Hole] = []
    stack: list[_Hole] = []
    lost: list[str] = []
    formula = False
    at = 0

    def put(text: str) -> None:
        hint = stack[-1].hint if stack else None
        (parts if hint is None else hint).append(text)

    def start(hole: _Hole) -> None:
        parts.append(f"{HOLE}{len(holes)}{HOLE_NAMED}")
        holes.append(hole)

    for position, token in enumerate(tokens):
        put(html[at : token.start()])
        at = token.end()
        mark = token[0]
        if position in ignored or (token[1] and position not in partners):
            put(mark)
        elif token[1] and stack and stack[-1].hint is not None:
            # No deletion stands inside a hint.
            ignored.add(partners[position])
            put(mark)
        elif token[1]:
            if stack and stack[-1].hint is None:
                parts.append(HOLE_END)
                lost.append("a deletion inside another: the outer one hides what stands around it")
            if token[2]:
                lost.append(_SEVERAL)
            hole = _Hole(int(token[1]))
            stack.append(hole)
            start(hole)
        elif mark == "}}" and position in partners:
            stack.pop()
            parts.append(HOLE_END)
            if stack and stack[-1].hint is None:
                start(_Hole(stack[-1].number))
        elif mark == "::" and stack and stack[-1].hint is None:
            stack[-1].hint = []
        else:
            if mark[0] == "\\":
                formula = mark[1] in "(["
            # One of the spaces that part braces and colons inside a formula is ours.
            ours = stack and formula and (token[3] or token[4])
            put(mark[:-1] if ours else mark)
    put(html[at:])
    return "".join(parts), holes, lost


def _partners(tokens: list[re.Match[str]]) -> dict[int, int]:
    """Which opening and closing marks belong together, both ways."""
    found: dict[int, int] = {}
    waiting: list[int] = []
    for position, token in enumerate(tokens):
        if token[1]:
            waiting.append(position)
        elif token[0] == "}}" and waiting:
            opening = waiting.pop()
            found[opening], found[position] = position, opening
    return found


def _put_in(markdown: str, holes: list[_Hole], hints: list[str], lost: list[str]) -> str:
    """Write the deletions where their marks are, each checked to read back as it is."""
    parts: list[str] = []
    inside: int | None = None
    shown: set[int] = set()
    at = 0
    for mark in HOLES.finditer(markdown):
        text = markdown[at : mark.start()]
        at = mark.end()
        if inside is None:
            parts.append(text)
        else:
            written = deletion(holes[inside].number, text, hints[inside])
            if written is not None:
                shown.add(holes[inside].number)
            elif text.strip():
                lost.append("hiding a part whose braces do not match: it is shown")
            parts.append(text if written is None else written)
            inside = None
        if mark[0] != HOLE_END:
            inside = int(mark[0][1:-1])
    missing = {hole.number for hole in holes} - shown
    lost += [f"the deletion c{number}, which hides nothing" for number in sorted(missing)]
    return ("".join(parts) + markdown[at:]).strip(" ")


def _sound(markdown: str, lost: list[str]) -> str:
    """The text with every deletion readable: braces in a formula that only look like one are parted."""
    while True:
        try:
            deletions(markdown)
        except ClozeError as error:
            lost.append("hiding a part whose braces do not match: it is shown")
            markdown = f"{markdown[: error.offset + 1]} {markdown[error.offset + 1 :]}"
        else:
            return markdown


def deletion(number: int, hidden: str, hint: str) -> str | None:
    """One deletion of ours, or None where it cannot be written."""
    if not hidden.strip():
        return None
    lead = hidden[: len(hidden) - len(hidden.lstrip())]
    tail = hidden[len(hidden.rstrip()) :]
    hidden = hidden.strip()
    # Without a hint, an empty one keeps colons inside from starting one.
    # A blank keeps a colon at the end of the text from it.
    endings = [f"::{hint}", f" ::{hint}"] if hint else ["", "::", " ::"]
    for escape in (str, _escaped_braces):
        text, told = escape(hidden), escape(hint)
        for ending in endings:
            written = f"{{{{c{number}::{text}{escape(ending)}}}}}"
            try:
                found = deletions(written)
            except ClozeError:
                continue
            if len(found) == 1 and (found[0].end, found[0].hidden, found[0].hint) == (
                len(written),
                text,
                told,
            ):
                return lead + written + tail
    return None


def _escaped_braces(markdown: str) -> str:
    parts: list[str] = []
    for piece in split_math(markdown):
        if isinstance(piece, Math):
            parts.append(piece.source)
            continue
        at = 0
        for start, end in code_spans(piece.source):
            parts += [_BRACE.sub(r"\\\g<0>", piece.source[at:start]), piece.source[start:end]]
            at = end
        parts.append(_BRACE.sub(r"\\\g<0>", piece.source[at:]))
    return "".join(parts)
