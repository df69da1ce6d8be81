"""Cards to cut out of a double-sided print: six on an A4 page, the answers mirrored on the page behind.

A card's type size is chosen here from an estimate of how many lines its text takes, since a style sheet cannot fit
text to a box. Measures are in millimetres and points.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from html import escape, unescape
from itertools import islice

from quizapp.exchange.sheet_card import Face, without_links

COLUMNS, ROWS = 2, 3
A_PAGE = COLUMNS * ROWS
_WIDTH, _HEIGHT = 84.0, 72.0  # of the text inside one card
_POINT = 0.3528
_SIZES = (10.0, 9.5, 9.0, 8.5, 8.0, 7.5, 7.0, 6.5, 6.0)
_LINE = 1.34  # line height, in type sizes
_LETTER = 0.46  # mean width of a character, in type sizes

_TOKEN = re.compile(r"<(/?)([a-z][a-z0-9]*)([^>]*)>|([^<]+)")
_MEASURE = re.compile(r"--w:(\d+);--h:(\d+)")
# Blocks, and the space that each takes besides its lines.
_GAPS = {
    "p": 0.45,
    "div": 0.0,
    "li": 0.15,
    "h3": 0.5,
    "h4": 0.6,
    "ul": 0.3,
    "ol": 0.3,
    "table": 0.5,
    "tr": 0.4,
}
_GAPS |= {"pre": 1.2, "blockquote": 0.5, "hr": 1.0, "section": 0.4, "br": 0.0}
_NARROWER = {"li": 3, "blockquote": 3}


@dataclass(frozen=True)
class Sheets:
    """The pages of all cards, and how many answers had to be shortened."""

    html: str
    cards: int
    pages: int
    shortened: int


@dataclass(frozen=True)
class Labelled:
    """A face with what its edge says: the deck, and the number of the card on the sheet."""

    face: Face
    deck: str
    number: int


def sheets(cards: Iterable[Labelled]) -> Sheets:
    """Pages in printing order: the questions of six cards, then their answers with the columns swapped, so that
    turning the paper on its long edge brings each answer behind its question.
    """
    pages: list[str] = []
    count = 0
    shortened = 0
    coming = iter(cards)
    while batch := list(islice(coming, A_PAGE)):
        fronts: list[str] = []
        backs: list[str] = []
        for card in batch:
            count += 1
            asked, _ = _fullest(card.face.questions, card.number)
            answer, whole = _fullest(card.face.answers, card.number)
            shortened += not whole
            fronts.append(_cell(card, "question", asked))
            backs.append(_cell(card, "answer", answer))
        blank = ['<div class="cut"></div>'] * (A_PAGE - len(fronts))
        pages += [_page(fronts + blank), _page(_mirrored(backs + blank))]
    return Sheets("".join(pages), count, len(pages), shortened)


def _mirrored(cells: Sequence[str]) -> list[str]:
    return [cell for at in range(0, len(cells), COLUMNS) for cell in reversed(cells[at : at + COLUMNS])]


def _page(cells: Sequence[str]) -> str:
    return f'<section class="page">{"".join(cells)}</section>'


def _cell(card: Labelled, side: str, html: str) -> str:
    size, _ = fitted(html)
    return (
        f'<div class="cut {side}"><div class="face" style="font-size:{size:g}pt">{html}</div>'
        f"<footer><span>{escape(card.deck)}</span><span>{card.number}</span></footer></div>"
    )


def _fullest(versions: Sequence[str], number: int) -> tuple[str, bool]:
    """The fullest version that fits, and whether that is the whole."""
    note = f'<p class="note">In full on the sheet, card {number}.</p>'
    versions = [without_links(html) for html in versions]
    for at, html in enumerate(versions):
        made = html + note if at else html
        if fitted(made)[1]:
            return made, at == 0
    return f'<div class="clip">{versions[-1]}</div>{note}', False


def fitted(html: str) -> tuple[float, bool]:
    """The largest type size in points at which ``html`` fits a card, and whether the smallest is enough."""
    for size in _SIZES:
        unit = size * _POINT
        if lines(html, int(_WIDTH / (unit * _LETTER))) * unit * _LINE <= _HEIGHT:
            return size, True
    return _SIZES[-1], False


def lines(html: str, width: int) -> float:
    """About how many lines of ``width`` characters a piece of a sheet takes."""
    total = 0.0
    taken = 0.0  # characters in the line that is being filled
    tall = 0.0  # what formulas in it add to its height
    room: list[int] = []
    skipping = 0  # inside a formula, whose size is known
    code = False

    def close() -> None:
        nonlocal total, taken, tall
        total += math.ceil(taken / max(width - sum(room), 8)) + tall
        taken = tall = 0.0

    for token in _TOKEN.finditer(html):
        closing, name, rest, text = token.groups()
        if skipping:
            skipping += {"": 1, "/": -1}[closing] if name == "span" else 0
            continue
        if text is not None:
            words = unescape(text)
            if code:
                total += sum(math.ceil(max(len(line), 1) * 1.15 / width) for line in words.split("\n"))
            else:
                taken += len(words)
        elif name == "span" and (measure := _MEASURE.search(rest)):
            cells, rows = int(measure[1]), int(measure[2])
            skipping = 1
            if 'class="formula"' in rest:
                close()
                scale = min(1.0, (width - sum(room)) / cells)
                total += rows * 1.15 * scale + 0.6
            else:
                taken += cells
                tall = max(tall, (rows - 1) * 0.45)
        elif name in _GAPS:
            close()
            if name == "pre":
                code = not closing
            if name in _NARROWER:
                room = room[:-1] if closing else [*room, _NARROWER[name]]
            total += _GAPS[name] if closing or name in ("hr", "br") else 0.0
        elif name == "td" or name == "th":
            taken += 2
    close()
    return total
