"""What an import finds: the deck files of its folder, and the decks that are loaded from elsewhere beside them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from quizapp.decks.card import Deck
from quizapp.decks.entry import Entry, entries
from quizapp.decks.library import Library
from quizapp.decks.load import sources
from quizapp.decks.write import original_note
from quizapp.exchange.changed import Version
from quizapp.exchange.deck_file import DeckFile, read_deck_file
from quizapp.exchange.model import ExchangeError
from quizapp.text import file_slug, strip_controls

# Decks inside decks; a path has an end too.
_DEEPEST = 8


@dataclass(frozen=True)
class Surroundings:
    """What an import has to know of the rest: the loaded decks, those built in, and what was exported before.

    ``library`` is None where the folder is none of the library's, so that nothing there can be in the way;
    ``built_in`` is empty where a deck of the folder replaces none.
    """

    library: Library | None = None
    built_in: Mapping[str, Path] = field(default_factory=dict)
    exported: Mapping[str, Version] = field(default_factory=dict)


def deck_name(name: str) -> str:
    """A deck's name as the path of its file: slugs joined by ``/``, whatever the other program wrote."""
    parts = [part for part in map(file_slug, re.split(r"/|::", strip_controls(name))) if part]
    if len(parts) > _DEEPEST:
        parts[_DEEPEST - 1 :] = [file_slug("-".join(parts[_DEEPEST - 1 :]))]
    return "/".join(parts) or "imported"


class There:
    """``files`` are the deck files of the folder by name, ``homes`` the file of each entry, ``outside`` the entries
    of decks that are loaded from elsewhere and stay so.
    """

    def __init__(self, target: Path, around: Surroundings) -> None:
        self._target = target
        self._around = around
        self._originals: dict[str, Mapping[str, Entry]] = {}
        self.files = _deck_files(target)
        self.homes = {name: file for file in self.files.values() for name in file.entries}
        self._decks = {deck.name: deck for deck in self._elsewhere()}
        self.outside = {
            entry.id: (deck, entry) for deck in self._decks.values() for entry in entries(deck.cards)
        }

    def _elsewhere(self) -> Iterator[Deck]:
        library = self._around.library
        target = self._target.resolve()
        for deck in library.decks if library else ():
            if not deck.file.resolve().is_relative_to(target):
                yield deck

    def is_built_in(self, deck: Deck) -> bool:
        return deck.file in self._around.built_in.values()

    def free_name(self, name: str) -> str:
        """``name``, unless a deck of the folder by that name would hide one of another folder, or be hidden by it."""
        hidden = self._decks.get(name)
        if name in self.files or hidden is None or self.is_built_in(hidden):
            return name
        return f"{name}-imported"

    def taken_over(self, name: str) -> DeckFile | None:
        """A copy of the built-in deck of that name, which is written only if something in it changes."""
        deck = self._decks.get(name)
        if deck is None or not self.is_built_in(deck) or name in self.files:
            return None
        path = self._target / f"{name}.md"
        self.files[name] = read_deck_file(path, name, deck.file.read_bytes(), deck.file)
        return self.files[name]

    def is_original(self, there: Entry, file: DeckFile | None) -> bool:
        """Whether a card is as it shipped with the program: nobody's edit is lost by an update."""
        if file is None:
            return False
        if file.original is not None:
            return True
        note = original_note(file.path)
        if file.name not in self._originals:
            data = note.read_bytes() if note.is_file() else b""
            self._originals[file.name] = read_deck_file(note, file.name, data).entries
        return self._originals[file.name].get(there.id) == there


def _deck_files(target: Path) -> dict[str, DeckFile]:
    if not target.is_dir():
        if target.exists():
            raise ExchangeError(f"{target}: this is no folder; name the folder of your decks")
        return {}
    return {
        source.name: read_deck_file(source.path, source.name, source.path.read_bytes())
        for source in sources(target)
    }
