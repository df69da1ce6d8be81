"""Our own deck files: written in one normal form, read to be copied as they are."""

from __future__ import annotations

from pathlib import Path

from quizapp.decks.entry import entries
from quizapp.decks.load import MOST_BYTES
from quizapp.decks.parse import parse_deck
from quizapp.decks.render import render_deck
from quizapp.exchange.cards_of import card_count
from quizapp.exchange.losses import Losses
from quizapp.exchange.media import PictureFile, beside, named, texts
from quizapp.exchange.model import (
    Bundle,
    DeckText,
    ExchangeError,
    Incoming,
    Media,
    Progress,
    ReadOptions,
    Written,
    silent,
)
from quizapp.text import slug


def write(bundle: Bundle, target: Path, progress: Progress = silent) -> Written:
    """One deck; ids are always written. Raises ExchangeError for several."""
    if len(bundle.decks) != 1:
        names = ", ".join(deck.name for deck in bundle.decks) or "none"
        raise ExchangeError(
            f"a deck file holds one deck, not {len(bundle.decks)} ({names}); name one, or choose another format"
        )
    deck = bundle.decks[0]
    target.write_text(render_deck(deck.title, deck.description, deck.entries), "utf-8", newline="\n")
    lost = Losses()
    if bundle.media:
        lost.add(
            "a picture: a deck file names it and cannot hold it", bundle.media[0].name, len(bundle.media)
        )
    progress(len(deck.entries), len(deck.entries))
    return Written(len(deck.entries), card_count(bundle.decks), lost.grouped())


def read(source: Path, options: ReadOptions) -> Incoming:
    """A deck file; what is wrong with it is reported, and it stays in the file."""
    if source.stat().st_size > MOST_BYTES:
        raise ExchangeError(f"{source}: larger than {MOST_BYTES:,} bytes; split it")
    data = source.read_bytes()
    parts = [slug(part) for part in (options.deck or source.stem).split("/")]
    name = "/".join(part for part in parts if part) or "deck"
    deck = parse_deck(data, name=name, path=str(source))
    found = entries(deck.cards)
    errors = [problem for problem in deck.problems if problem.level == "error"]
    if not found:
        why = f" ({errors[0].message}, line {errors[0].line})" if errors else ""
        raise ExchangeError(f"{source}: a deck file without a card{why}; a line ## starts one")
    lost = Losses()
    for problem in errors:
        lost.add(f"stays in the file and is not drilled: {problem.message}", f"line {problem.line}")
    media: list[Media] = []
    for picture in named(text for entry in found for text in texts(entry)):
        path = beside(source, picture)
        if path is None:
            lost.add("a picture that is not beside the deck file", picture)
        else:
            media.append(PictureFile(picture, path))
    options.progress(len(found), len(found))
    text = DeckText(name, deck.title, deck.description, found, data)
    return Incoming(
        (text,), len(found), (f"deck file {source.name}: deck {name}",), lost.grouped(), media=tuple(media)
    )
