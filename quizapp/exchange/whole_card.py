"""A whole card in one text, beside what a table or another program shows of it."""

from __future__ import annotations

from collections.abc import Sequence

from quizapp.decks.entry import Entry
from quizapp.exchange.anki_source import Source, checksum, read_source, sums, write_source
from quizapp.exchange.model import DeckText


def whole_card(entry: Entry, deck: DeckText, description: str, shown: Sequence[str]) -> str:
    """The entry and its deck as one line of text, with a checksum of each text that is ``shown``."""
    return write_source(entry, deck.name, deck.title, description, sums(shown))


class Whole:
    """A card that came back. ``edited``: which of the texts shown are not as they were written."""

    def __init__(self, source: Source, shown: Sequence[str]) -> None:
        self.entry = Entry(
            source.id,
            source.kind,
            source.heading,
            source.prompt,
            source.answer,
            source.fields,
            source.options,
        )
        self.deck = source.deck
        self.title = source.title
        self.description = source.description
        written = [*source.sums.split(","), *[""] * len(shown)]
        self.edited = tuple((checksum(text) if text else "") != written[at] for at, text in enumerate(shown))


def read_whole(text: str, shown: Sequence[str]) -> Whole | None:
    """What :func:`whole_card` wrote; None where it did not write this."""
    source = read_source(text)
    return None if source is None else Whole(source, shown)
