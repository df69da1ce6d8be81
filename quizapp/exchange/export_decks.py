"""An export from end to end, for the command and the app alike: choose, collect, write, report."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

import msgspec

from quizapp.config import Config
from quizapp.decks.card import Card
from quizapp.decks.library import Library, built_in_decks
from quizapp.derivations.model import Derivation
from quizapp.errors import QuizappError, UsageError
from quizapp.exchange.changed import read_versions, write_versions
from quizapp.exchange.collect import Collected, Schedule, collect
from quizapp.exchange.losses import Losses
from quizapp.exchange.model import Loss, Progress, silent
from quizapp.exchange.registry import Format, write_file
from quizapp.exchange.wording import counted, loss_line, loss_values
from quizapp.home import Home
from quizapp.storage import SqliteStore


class Exported(msgspec.Struct, frozen=True):
    """What an export did. ``as_lines`` says it to people, ``as_values`` to scripts."""

    path: str
    format: str
    title: str
    decks: tuple[str, ...]
    entries: int
    cards: int
    reviews: int
    lost: tuple[Loss, ...]

    def as_lines(self) -> list[str]:
        what = f"{counted(self.cards, 'card')} of {counted(len(self.decks), 'deck')}"
        if self.reviews:
            what += f" and {counted(self.reviews, 'review')}"
        return [f"wrote {what} to {self.path} ({self.title})", *map(loss_line, self.lost)]

    def as_values(self) -> dict[str, Any]:
        values = msgspec.structs.asdict(self)
        values["decks"] = list(self.decks)
        values["lost"] = [loss_values(loss) for loss in self.lost]
        return values


def gather(
    home: Home,
    config: Config,
    library: Library,
    store: SqliteStore,
    *,
    now: dt.datetime,
    day: dt.date,
    decks: Sequence[str] = (),
    query: str = "",
    with_schedule: bool = False,
    folders: Iterable[Path] = (),
) -> Collected:
    """Collect the cards of ``decks`` (all where none is named) that ``query`` finds (all where it is empty).

    ``folders`` are those of derivations, least important first. Raises UsageError where nothing is found.
    """
    cards = library.select(decks)
    if query:
        from quizapp.review.search import search

        cards = search(query, cards, store.states(), day)
    if not cards:
        raise UsageError(f"export: {query} finds no card" if query else "export: there is no card to export")
    schedule = None
    if with_schedule:
        schedule = _schedule(store, _siblings(library.entries, cards) if decks or query else None)
    return collect(
        library,
        cards,
        config=config,
        now=now,
        day=day,
        known=read_versions(home),
        schedule=schedule,
        derivation=_derivations(tuple(folders)),
        built_in=built_in_decks(),
    )


def send(
    home: Home, found: Format, collected: Collected, target: Path, progress: Progress = silent
) -> Exported:
    """Write what was collected, and remember which versions left. Raises ExchangeError, Cancelled."""
    bundle = collected.bundle
    written = write_file(found, bundle, target, progress)
    write_versions(home, {**read_versions(home), **collected.versions})
    lost = Losses((*collected.lost, *written.lost))
    carried = len(bundle.reviews) if found.schedule else 0
    if len(bundle.reviews) > carried:
        lost.add("a review: this format has no place for a schedule", count=len(bundle.reviews))
    decks = tuple(deck.name for deck in bundle.decks)
    return Exported(
        str(target), found.name, found.title, decks, written.entries, written.cards, carried, lost.grouped()
    )


def _siblings(entries: Mapping[str, tuple[Card, ...]], cards: Iterable[Card]) -> frozenset[str]:
    return frozenset(card.id for entry in {card.entry for card in cards} for card in entries[entry])


def _schedule(store: SqliteStore, wanted: frozenset[str] | None) -> Schedule:
    """Of the whole library the whole log: cards that no deck has any more go along then."""
    states, reviews = store.states(), store.reviews()
    if wanted is None:
        return Schedule(states, tuple(reviews), tuple(store.log()))
    return Schedule(
        {card: state for card, state in states.items() if card in wanted},
        tuple(review for review in reviews if review.card in wanted),
        tuple(store.log(wanted)),
    )


def _derivations(folders: tuple[Path, ...]) -> Callable[[str], Derivation | None]:
    from quizapp.derivations.reading import find

    def look_up(name: str) -> Derivation | None:
        try:
            return find(name, folders)
        except QuizappError:
            # The card says which derivation it wants; that there is none is said by quizapp decks check.
            return None

    return look_up
