"""Entries of a foreign file gathered into decks, each with an id of its own that is the same at every import."""

from __future__ import annotations

import hashlib
from pathlib import Path

from msgspec.structs import replace

from quizapp.decks.cloze import ClozeError, deletions
from quizapp.decks.entry import Entry
from quizapp.exchange.anki_foreign import split_front
from quizapp.exchange.changed import content_hash
from quizapp.exchange.losses import Losses
from quizapp.exchange.media import PictureFile, beside
from quizapp.exchange.model import DeckText, Media, ReadOptions
from quizapp.text import slug, without_surrogates

# A longer card is refused by the deck format.
LONGEST = 90_000


class DeckMaker:
    """Takes entries with the deck each belongs to; ``losses`` says what could not be taken."""

    def __init__(self, source: Path, options: ReadOptions, losses: Losses) -> None:
        self.losses = losses
        self.media: dict[str, Media] = {}
        self._source = source
        self._default = options.deck or source.stem
        self._titles: dict[str, str] = {}
        self._descriptions: dict[str, str] = {}
        self._entries: dict[str, list[Entry]] = {}
        self._taken: dict[str, Entry] = {}
        self._copies: dict[str, set[str]] = {}
        self._numbers: dict[str, int] = {}

    def __len__(self) -> int:
        return len(self._taken)

    def name_deck(self, name: str, title: str, description: str = "") -> None:
        """What the file says of a deck; ``name`` is its slug path."""
        self._titles.setdefault(name, title)
        if description:
            self._descriptions.setdefault(name, description)

    def deck(self, path: str = "") -> str:
        """The slug path of a deck that a file calls ``A::B`` or ``A/B``; of the file's own deck without a path."""
        parts = [
            part.strip() for part in without_surrogates(path or self._default).replace("::", "/").split("/")
        ]
        pairs = [(slug(part), part) for part in parts if slug(part)]
        if not pairs:
            return self.deck("deck")
        name = "/".join(short for short, _ in pairs)
        self._titles.setdefault(name, pairs[-1][1])
        return name

    def fits(self, text: str, where: str) -> bool:
        """Whether a text may be looked at; one that no card could hold is reported at once."""
        if len(text) > 10 * LONGEST:
            self.losses.add(f"a text of more than {10 * LONGEST:,} characters", where)
            return False
        return True

    def picture(self, name: str) -> None:
        """Take a picture or sound that a card names along, where it lies beside the file."""
        if name in self.media:
            return
        path = beside(self._source, name)
        if path is None:
            self.losses.add("a picture or sound that is not beside the file", name)
        else:
            self.media[name] = PictureFile(name, path)

    def add(self, deck: str, entry: Entry, where: str) -> str | None:
        """Put an entry into a deck and return the id it got; None where it is in the file already or is too long."""
        if len(entry.heading) + len(entry.prompt) + len(entry.answer) > LONGEST:
            self.losses.add(f"a card of more than {LONGEST:,} characters", where)
            return None
        identity = entry.id
        if identity in self._taken:
            # By hashes and a count: a file may ask one question a hundred thousand times.
            first = replace(self._taken[identity], id=entry.id)
            seen = self._copies.setdefault(identity, {content_hash(first)})
            known = len(seen)
            seen.add(content_hash(entry))
            if len(seen) == known:
                self.losses.add("a card that is in the file twice", where)
                return None
            number = self._numbers.get(entry.id, 1) + 1
            while f"{entry.id}-{number}" in self._taken:
                number += 1
            self._numbers[entry.id] = number
            identity = f"{entry.id}-{number}"
        self._taken[identity] = entry = replace(entry, id=identity)
        self._entries.setdefault(deck, []).append(entry)
        return identity

    def decks(self) -> tuple[DeckText, ...]:
        return tuple(
            DeckText(name, self._titles.get(name, name), self._descriptions.get(name, ""), tuple(found))
            for name, found in self._entries.items()
        )


def text_id(question: str) -> str:
    """The id of a card that has none: of its question, so that a corrected answer updates it."""
    digest = hashlib.blake2b(" ".join(question.split()).encode("utf-8", "replace"), digest_size=8)
    return f"text-{digest.hexdigest()}"


def asked(markdown: str, deck: str) -> tuple[str, str]:
    """A question as heading and prompt. A question that begins with a table or code stands under the deck's name."""
    fallback = deck.rpartition("/")[2].replace("-", " ").capitalize() or "Question"
    first, _, rest = markdown.strip("\n").partition("\n\n")
    heading, more = split_front(first, fallback)
    if "\n" in first or more:
        return split_front(markdown, fallback)
    return heading, rest.strip("\n")


def has_holes(*texts: str) -> bool:
    """Whether some texts hold a readable cloze deletion."""
    try:
        return any(deletions(text) for text in texts)
    except ClozeError:
        return False
