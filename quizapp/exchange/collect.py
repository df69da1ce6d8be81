"""From the library and the log to what is exported."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable, Collection, Iterable, Mapping
from pathlib import Path

import msgspec

from quizapp.config import Config
from quizapp.decks.card import Card, Deck
from quizapp.decks.entry import Entry, entries
from quizapp.decks.library import Library
from quizapp.derivations.model import Derivation
from quizapp.exchange.changed import Version, content_hash, modified
from quizapp.exchange.deck_file import read_deck_file
from quizapp.exchange.losses import Losses
from quizapp.exchange.media import PictureFile, beside, named, texts
from quizapp.exchange.model import Bundle, DeckText, Loss, Media, PastReview
from quizapp.library import content_root
from quizapp.review.types import CardState, Review
from quizapp.review.weights import complete_weights
from quizapp.storage.fold import Entry as LogEntry


class Schedule(msgspec.Struct, frozen=True):
    """What the store says of some cards: states, reviews that count (oldest first), and all rows that count."""

    states: Mapping[str, CardState]
    reviews: tuple[Review, ...]
    log: tuple[LogEntry, ...]


class Collected(msgspec.Struct, frozen=True):
    """``versions`` are to be remembered once the file is written; ``lost`` could not be taken along."""

    bundle: Bundle
    versions: Mapping[str, Version]
    lost: tuple[Loss, ...]


def collect(
    library: Library,
    cards: Collection[Card],
    *,
    config: Config,
    now: dt.datetime,
    day: dt.date,
    known: Mapping[str, Version],
    schedule: Schedule | None = None,
    derivation: Callable[[str], Derivation | None] = lambda _: None,
    built_in: Mapping[str, Path] | None = None,
) -> Collected:
    """Bundle the entries of ``cards``, deck by deck; an entry goes whole, whichever of its cards was chosen.

    ``built_in`` are the deck files that ship with the program, by the deck's name.
    """
    chosen = {card.entry for card in cards}
    lost = Losses()
    decks: list[DeckText] = []
    dated: list[tuple[Entry, Derivation | None, int]] = []
    used: dict[str, Derivation] = {}
    pictures: dict[str, PictureFile] = {}
    shipped: dict[str, str] = {}
    for deck in library.decks:
        own = [card for card in deck.cards if card.entry in chosen and card.id in library.cards]
        found = entries(card for card in own if library.cards[card.id].path == card.path)
        if not found:
            continue
        decks.append(DeckText(deck.name, deck.title, deck.description, found))
        shipped |= _shipped(deck, found, (built_in or {}).get(deck.name))
        file_time = _file_time(deck.file, now)
        for entry in found:
            name = entry.fields.derivation
            steps = derivation(name) if name else None
            if name and steps is not None:
                used[name] = steps
            dated.append((entry, steps, file_time))
        _add_pictures(pictures, found, deck.file, lost)
        broken = [problem for problem in deck.problems if problem.level == "error"]
        if broken:
            lost.add(
                "a mistake in a deck file (quizapp decks check says which): its card stays behind",
                f"{broken[0].path}:{broken[0].line}",
                len(broken),
            )
    versions = modified(known, dated, int(now.timestamp()))
    media: tuple[Media, ...] = tuple(pictures.values())
    bundle = Bundle(
        decks=tuple(decks),
        modified={name: version.seconds for name, version in versions.items()},
        now=now,
        day=day,
        day_start=config.day_start,
        retention=config.desired_retention,
        with_schedule=schedule is not None,
        states=schedule.states if schedule else {},
        reviews=tuple(map(past, schedule.reviews)) if schedule else (),
        derivations=used,
        weights=complete_weights(config.weights) if config.weights else (),
        log=schedule.log if schedule else (),
        shipped=shipped,
        own_derivations=_own(used),
        media=media,
    )
    return Collected(bundle, versions, lost.grouped())


def _shipped(deck: Deck, found: Iterable[Entry], original: Path | None) -> dict[str, str]:
    """The hashes of the entries of a deck that are as they ship."""
    if original is None:
        return {}
    if original != deck.file:
        there = read_deck_file(original, deck.name, original.read_bytes()).entries
        found = [entry for entry in found if there.get(entry.id) == entry]
    return {entry.id: content_hash(entry) for entry in found}


def _own(used: Mapping[str, Derivation]) -> dict[str, str]:
    """The files of the derivations that the other side cannot have already."""
    built_in = content_root() / "derivations"
    files = {name: Path(steps.path) for name, steps in used.items() if steps.path}
    return {
        name: path.read_text("utf-8")
        for name, path in files.items()
        if not path.is_relative_to(built_in) and path.is_file()
    }


def past(review: Review) -> PastReview:
    return PastReview(
        card=review.card,
        grade=review.grade,
        at=review.at,
        seconds=review.seconds,
        interval=review.interval,
        day=review.day,
        due=review.due,
        stability=review.stability,
        difficulty=review.difficulty,
        confidence=review.confidence,
    )


def _file_time(path: Path, now: dt.datetime) -> int:
    try:
        return int(path.stat().st_mtime)
    except OSError:
        return int(now.timestamp())


def _add_pictures(pictures: dict[str, PictureFile], found: Iterable[Entry], deck: Path, lost: Losses) -> None:
    for name in named(text for entry in found for text in texts(entry)):
        path = beside(deck, name)
        if path is None:
            lost.add("a picture that is not beside its deck file", name)
        elif pictures.setdefault(name, PictureFile(name, path)).path != path:
            lost.add("a second picture of the same name, in another folder", name)
