"""How many cards some decks make."""

from __future__ import annotations

from collections.abc import Iterable

from quizapp.decks.cloze import ClozeError, deletions
from quizapp.decks.entry import Entry
from quizapp.exchange.model import DeckText


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
