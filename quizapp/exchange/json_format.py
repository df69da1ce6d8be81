"""Everything, as JSON: decks, pictures and, with the schedule, the whole log, so that nothing is lost on the way."""

from __future__ import annotations

import base64
import datetime as dt
from pathlib import Path
from typing import Any

import msgspec

from quizapp.decks.entry import Entry
from quizapp.exchange.cards_of import card_count
from quizapp.exchange.entry_values import entry_values
from quizapp.exchange.media import Picture
from quizapp.exchange.model import (
    Bundle,
    DeckText,
    ExchangeError,
    Incoming,
    Progress,
    ReadOptions,
    Written,
    silent,
)
from quizapp.storage.fold import Entry as LogEntry

VERSION = 1
MOST_BYTES = 512 * 2**20
# Where a row stands in this log is for this log alone.
_OWN = frozenset(("seq", "batch", "place", "undoes"))


class _Head(msgspec.Struct, frozen=True):
    quizapp: int


class _Deck(msgspec.Struct, frozen=True):
    name: str
    title: str
    description: str = ""
    entries: tuple[Entry, ...] = ()


class _Picture(msgspec.Struct, frozen=True):
    name: str
    data: bytes


class _File(msgspec.Struct, frozen=True):
    quizapp: int
    exported: dt.datetime
    decks: tuple[_Deck, ...]
    shipped: dict[str, str] = {}
    derivations: dict[str, str] = {}
    media: tuple[_Picture, ...] = ()
    log: tuple[LogEntry, ...] | None = None


def write(bundle: Bundle, target: Path, progress: Progress = silent) -> Written:
    total = sum(len(deck.entries) for deck in bundle.decks)
    decks, done = [], 0
    for deck in bundle.decks:
        entries = []
        for entry in deck.entries:
            entries.append(entry_values(entry))
            done += 1
            if done % 1000 == 0:
                progress(done, total)
        decks.append(
            {"name": deck.name, "title": deck.title, "description": deck.description, "entries": entries}
        )
    whole: dict[str, Any] = {"quizapp": VERSION, "exported": bundle.now.isoformat(), "decks": decks}
    if bundle.shipped:
        whole["shipped"] = dict(bundle.shipped)
    if bundle.own_derivations:
        whole["derivations"] = dict(bundle.own_derivations)
    if bundle.media:
        whole["media"] = [
            {"name": found.name, "data": base64.b64encode(found.read()).decode()} for found in bundle.media
        ]
    if bundle.with_schedule:
        whole["log"] = [_log_row(row) for row in bundle.log]
    target.write_bytes(msgspec.json.format(msgspec.json.encode(whole), indent=1) + b"\n")
    progress(total, total)
    return Written(total, card_count(bundle.decks))


def read(source: Path, options: ReadOptions) -> Incoming:
    """Raises ExchangeError for broken JSON, another program's file, and a later version."""
    if source.stat().st_size > MOST_BYTES:
        raise ExchangeError(f"{source}: larger than {MOST_BYTES // 2**20} MB; export it in parts")
    data = source.read_bytes().removeprefix(b"\xef\xbb\xbf")
    whole = _decode(source, data)
    decks = tuple(DeckText(deck.name, deck.title, deck.description, deck.entries) for deck in whole.decks)
    notes = sum(len(deck.entries) for deck in decks)
    options.progress(notes, notes)
    return Incoming(
        decks=decks,
        notes=notes,
        log=whole.log or (),
        shipped=whole.shipped,
        derivations=whole.derivations,
        media=tuple(Picture(picture.name, picture.data) for picture in whole.media),
    )


def _decode(source: Path, data: bytes) -> _File:
    try:
        version = msgspec.json.decode(data, type=_Head).quizapp
    except msgspec.ValidationError:
        raise ExchangeError(
            f"{source}: no export of quizapp (it says no version); other JSON cannot be read"
        ) from None
    except (msgspec.DecodeError, RecursionError, UnicodeDecodeError) as error:
        raise ExchangeError(f"{source}: broken JSON ({_where(error, data)}); export it again") from None
    if version != VERSION:
        newer = f"written by a newer quizapp (version {version} of the format, this one knows {VERSION})"
        raise ExchangeError(
            f"{source}: {newer}; update quizapp"
            if version > VERSION
            else f"{source}: no version {version} of the format exists"
        )
    try:
        return msgspec.json.decode(data, type=_File)
    except (msgspec.DecodeError, RecursionError, UnicodeDecodeError) as error:
        said = " ".join(str(error).split())
        raise ExchangeError(f"{source}: not what an export holds: {said}; export it again") from None


def _where(error: Exception, data: bytes) -> str:
    said = str(error).removeprefix("JSON is malformed: ")
    head, _, byte = said.rpartition(" (byte ")
    if not byte.rstrip(")").isdigit():
        return said
    at = int(byte.rstrip(")"))
    return f"line {data[:at].count(10) + 1}: {head}"


def _log_row(row: LogEntry) -> dict[str, Any]:
    said = msgspec.structs.asdict(row)
    return {key: value for key, value in said.items() if value is not None and key not in _OWN}
