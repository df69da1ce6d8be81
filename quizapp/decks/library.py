"""All decks together: the built-in ones, the user's own, and those named on the command line."""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path

from quizapp.config import Config
from quizapp.decks.card import Card, Deck, Problem
from quizapp.decks.load import Progress, Source, load_decks, sources
from quizapp.errors import UsageError
from quizapp.home import Home
from quizapp.library import content_root


@dataclass(frozen=True)
class Library:
    """The decks in order, and every card by its id. Of two cards with one id the first counts."""

    decks: tuple[Deck, ...]
    problems: tuple[Problem, ...] = ()
    cards: Mapping[str, Card] = field(default_factory=dict)

    @cached_property
    def entries(self) -> dict[str, tuple[Card, ...]]:
        """The cards of each entry: several for a cloze, else one."""
        found: dict[str, list[Card]] = {}
        for card in self.cards.values():
            found.setdefault(card.entry, []).append(card)
        return {entry: tuple(cards) for entry, cards in found.items()}

    def entry(self, name: str) -> tuple[Card, ...]:
        """The cards of an entry, by its id or by the id of one of its cards; none where it is not there."""
        if name in self.cards:
            name = self.cards[name].entry
        return self.entries.get(name, ())

    def deck(self, name: str) -> Deck:
        """A deck by its name. Raises UsageError, with the nearest name."""
        for deck in self.decks:
            if deck.name == name:
                return deck
        names = [deck.name for deck in self.decks]
        near = difflib.get_close_matches(name, names, 1)
        raise UsageError(
            f"no deck {name!r}; "
            + (f"did you mean {near[0]}?" if near else f"there are {', '.join(names) or 'none'}")
        )

    def select(self, names: Iterable[str]) -> list[Card]:
        """The cards of some decks, in file order; of all decks where none is named."""
        wanted = {self.deck(name).name for name in names} or {deck.name for deck in self.decks}
        return [card for card in self.cards.values() if card.deck in wanted]


def built_in_decks() -> dict[str, Path]:
    """The deck files that ship with the program, by deck name."""
    return {source.name: source.path for source in sources(content_root() / "decks")}


def load_library(
    home: Home, config: Config, extra: Iterable[Path] = (), progress: Progress | None = None
) -> Library:
    """Built-in decks, then ``<home>/decks``, then the configuration's folders, then ``extra``.

    A later deck replaces an earlier one of the same name.
    """
    roots = [content_root() / "decks"]
    if home.decks.is_dir():
        roots.append(home.decks)
    roots += [Path(name).expanduser() for name in config.decks]
    roots += [path.expanduser() for path in extra]
    found: dict[str, Source] = {}
    for root in roots:
        for source in sources(root.absolute()):
            found[source.name] = source
    return assemble(load_decks(list(found.values()), home.cache, progress))


def assemble(decks: Iterable[Deck]) -> Library:
    """Put decks together; an id that stands in an earlier deck already is a problem of the later one."""
    decks = tuple(decks)
    cards: dict[str, Card] = {}
    entries: dict[str, Card] = {}
    problems: list[Problem] = []
    reported: set[tuple[str, int]] = set()
    for deck in decks:
        problems += deck.problems
        for card in deck.cards:
            first = entries.setdefault(card.entry, card)
            if (first.path, first.line) == (card.path, card.line):
                cards[card.id] = card
            elif (card.path, card.line) not in reported:
                reported.add((card.path, card.line))
                message = (
                    f"the id {card.entry} stands at {first.path}:{first.line} already; give this card another"
                )
                problems.append(Problem(card.path, card.line, message))
    return Library(decks, tuple(problems), cards)
