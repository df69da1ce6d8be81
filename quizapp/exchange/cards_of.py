"""The cards that entries make, and their ids."""

from __future__ import annotations

import re
from collections.abc import Iterable

from quizapp.decks.cloze import ClozeError, deletions
from quizapp.decks.entry import Entry
from quizapp.exchange.model import DeckText
from quizapp.text import strip_controls


def cards_of(entry: Entry) -> tuple[str, ...]:
    """The ids of an entry's cards: one, or one a number of a cloze."""
    if entry.kind != "cloze":
        return (entry.id,)
    try:
        numbers = {hole.number for text in (entry.heading, entry.prompt) for hole in deletions(text)}
    except ClozeError:
        numbers = set()
    return tuple(f"{entry.id}:{number}" for number in sorted(numbers)) or (entry.id,)


def card_count(decks: Iterable[DeckText]) -> int:
    """How many cards the entries of some decks make."""
    return sum(len(cards_of(entry)) for deck in decks for entry in deck.entries)


def fit_id(entry: str) -> str:
    """An entry's id as a deck may write it: without blanks, colons and control characters."""
    return re.sub(r"[\s:]+", "-", strip_controls(entry)).strip("-") or "card"


def fit_card(card: str) -> str:
    """The id of a card (``ENTRY`` or ``ENTRY:1``) whose entry is called by :func:`fit_id`."""
    entry, colon, number = card.rpartition(":")
    return f"{fit_id(entry)}:{number}" if colon and number.isdigit() else fit_id(card)
