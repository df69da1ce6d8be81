"""An entry: one heading of a deck file with all that stands below it, which is written and exchanged as one."""

from __future__ import annotations

from collections.abc import Iterable

import msgspec
from msgspec.structs import replace

from quizapp.decks.card import Card, Fields, Kind, Option


class Entry(msgspec.Struct, frozen=True):
    """What an author writes under one ``##``: a cloze with three numbers is one entry and three cards.

    ``heading``, ``prompt`` and ``answer`` are Markdown source as on :class:`Card`. ``fields.id`` is None: the id
    stands in ``id`` alone.
    """

    id: str
    kind: Kind
    heading: str
    prompt: str = ""
    answer: str = ""
    fields: Fields = Fields()
    options: tuple[Option, ...] = ()


def entries(cards: Iterable[Card]) -> tuple[Entry, ...]:
    """The entries of some cards, in order, each once."""
    found: dict[str, Entry] = {}
    for card in cards:
        if card.entry not in found:
            found[card.entry] = Entry(
                card.entry,
                card.kind,
                card.heading,
                card.prompt,
                card.answer,
                replace(card.fields, id=None),
                card.options,
            )
    return tuple(found.values())
