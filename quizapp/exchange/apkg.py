"""Anki packages: written as schema 11, which every Anki reads; read in all their generations, collections too."""

from __future__ import annotations

import re
import tempfile
import zipfile
from collections.abc import Iterator
from pathlib import Path

from quizapp.exchange.anki_collection_read import Collection
from quizapp.exchange.anki_collection_write import (
    CardRow,
    NewCollection,
    NoteRow,
    checksum,
    conf,
    deck_id,
    deck_rows,
    presets,
    sort_text,
)
from quizapp.exchange.anki_incoming import Reader
from quizapp.exchange.anki_notes import AnkiNote, anki_deck, anki_notes, flat_name
from quizapp.exchange.anki_package import Package, broken
from quizapp.exchange.anki_schedule import ScheduleOut
from quizapp.exchange.collection_off import without_collection
from quizapp.exchange.losses import Losses
from quizapp.exchange.model import (
    Bundle,
    ExchangeError,
    Incoming,
    Loss,
    Progress,
    ReadOptions,
    Written,
    silent,
)

# The highest level takes four times as long and saves a twentieth.
_LEVEL = 1
_BLOCK = 2**20
_STEP = 500
_STUB = re.compile(r"Please update to the latest Anki version")


@without_collection()
def write(bundle: Bundle, target: Path, progress: Progress = silent) -> Written:
    """Write a package that Anki 2.1 and later import. Raises ExchangeError where there is no room."""
    lost: list[Loss] = []
    try:
        with tempfile.TemporaryDirectory(prefix="quizapp-") as folder:
            path = Path(folder, "collection.anki2")
            counts = _write_collection(bundle, path, lost, progress)
            _write_zip(bundle, path, target, lost)
    except OSError as error:
        raise ExchangeError(f"{target}: it cannot be written: {error.strerror or error}") from error
    if bundle.with_schedule and any(review.confidence is not None for review in bundle.reviews):
        count = sum(review.confidence is not None for review in bundle.reviews)
        lost.append(Loss("how sure you were of an answer", count=count))
    return Written(*counts, Losses(lost).grouped())


@without_collection()
def read(source: Path, options: ReadOptions) -> Incoming:
    """Read a package or a collection of any version of Anki. Raises ExchangeError where it is broken or hostile."""
    package = Package(source)
    try:
        with package.collection_file() as path:
            collection = Collection(path, source)
            try:
                total = collection.count()
                reader = Reader(collection, package, options)
                for done, note in enumerate(collection.notes()):
                    if done % _STEP == 0:
                        options.progress(done, total)
                    if done == 0 and package.generation == 1 and any(map(_STUB.search, note.fields)):
                        raise broken(source, "it holds nothing but a notice to update Anki")
                    reader.add(note)
                options.progress(total, total)
                return reader.incoming(total)
            finally:
                collection.close()
    finally:
        package.close()


def _write_collection(bundle: Bundle, path: Path, lost: list[Loss], progress: Progress) -> tuple[int, int]:
    schedule = ScheduleOut(bundle)
    total = sum(len(deck.entries) for deck in bundle.decks)
    now = int(bundle.now.timestamp())
    preset, preset_rows = presets(bundle.retention, bundle.weights, now, own=bundle.with_schedule)
    rows = _Rows(bundle, schedule, progress, total)
    new = NewCollection(path)
    try:
        new.add_notes(rows.notes(lost))
        new.add_cards(rows.cards)
        new.add_reviews(schedule.review_rows(rows.card_keys))
        descriptions = {anki_deck(deck.name): deck.description for deck in bundle.decks}
        new.finish(
            created=schedule.created,
            modified=now,
            conf=conf(
                west=schedule.west,
                rollover=bundle.day_start,
                next_position=total + 1,
                fsrs=bundle.with_schedule,
            ),
            decks=deck_rows(descriptions, now, preset),
            presets=preset_rows,
            tags=sorted(rows.tags),
        )
    finally:
        new.close()
    gone = sum(review.card not in rows.card_keys for review in bundle.reviews)
    if gone:
        lost.append(Loss("answers of cards that are not exported", count=gone))
    return total, len(rows.cards)


class _Rows:
    """The rows of a new collection: ids are moments just before the export, in the order of the decks."""

    def __init__(self, bundle: Bundle, schedule: ScheduleOut, progress: Progress, total: int) -> None:
        self._bundle = bundle
        self._schedule = schedule
        self._progress = progress
        self._total = total
        self.cards: list[CardRow] = []
        self.card_keys: dict[str, int] = {}
        self.tags: set[str] = set()
        self._tag_texts: dict[tuple[str, ...], str] = {}

    def notes(self, lost: list[Loss]) -> Iterator[NoteRow]:
        card_row = self._schedule.card_row
        now = int(self._bundle.now.timestamp())
        key = card_key = now * 1000 - 10 * self._total
        decks: dict[str, int] = {}
        for position, note in enumerate(anki_notes(self._bundle, lost), 1):
            if position % _STEP == 0:
                self._progress(position, self._total)
            deck = decks.get(note.deck)
            if deck is None:
                deck = decks[note.deck] = deck_id(note.deck)
            mod = note.modified or now
            for place, card in note.cards:
                self.cards.append(card_row(card_key, key, deck, place, card, mod, position))
                self.card_keys[card] = card_key
                card_key += 1
            fields = note.fields
            first = sort_text(fields[0])
            yield (
                key, note.guid, note.notetype.id, mod, -1, self._tag_text(note), "\x1f".join(fields), first,
                checksum(first), 0, "",
            )  # fmt: skip
            key += 1

    def _tag_text(self, note: AnkiNote) -> str:
        tags = note.tags
        if self._bundle.with_schedule:
            cards = [card for _, card in note.cards]
            tags += ("marked",) * self._schedule.marked(cards) + ("leech",) * self._schedule.leech(cards)
        text = self._tag_texts.get(tags)
        if text is None:
            self.tags.update(note.tags)
            text = self._tag_texts[tags] = f" {' '.join(dict.fromkeys(tags))} " if tags else ""
        return text


def _write_zip(bundle: Bundle, collection: Path, target: Path, lost: list[Loss]) -> None:
    import json

    date = bundle.now.timetuple()[:6] if bundle.now.year >= 1980 else (1980, 1, 1, 0, 0, 0)
    names: dict[str, str] = {}
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED, compresslevel=_LEVEL) as package:

        def member(name: str) -> zipfile.ZipInfo:
            info = zipfile.ZipInfo(name, date)
            info.compress_type = zipfile.ZIP_DEFLATED
            info._compresslevel = _LEVEL  # type: ignore[attr-defined]
            return info

        with (
            package.open(member(collection.name), "w", force_zip64=True) as out,
            collection.open("rb") as file,
        ):
            while block := file.read(_BLOCK):
                out.write(block)
        for medium in bundle.media:
            try:
                data = medium.read()
            except ExchangeError as error:
                lost.append(Loss(f"a picture: {error}", medium.name))
                continue
            package.writestr(member(str(len(names))), data)
            names[str(len(names))] = flat_name(medium.name)
        package.writestr(member("media"), json.dumps(names, ensure_ascii=False))


__all__ = ["read", "write"]
