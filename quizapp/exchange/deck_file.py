"""A deck file that is changed in some places and stays as it is, byte for byte, in all others."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from pathlib import Path

import msgspec

from quizapp.decks.blocks import outline
from quizapp.decks.card import Deck
from quizapp.decks.entry import Entry, entries
from quizapp.decks.parse import parse_deck
from quizapp.text import strip_controls

_LINE = re.compile(rb"[^\r\n]*(?:\r\n|\r|\n)|[^\r\n]+\Z")


class DeckFile(msgspec.Struct, frozen=True):
    """``original`` is the built-in file that a copy was taken from, and is not written yet; else None."""

    path: Path
    name: str
    data: bytes
    deck: Deck
    entries: Mapping[str, Entry]
    original: Path | None = None


def read_deck_file(path: Path, name: str, data: bytes, original: Path | None = None) -> DeckFile:
    deck = parse_deck(data, name=name, path=str(path))
    return DeckFile(path, name, data, deck, {entry.id: entry for entry in entries(deck.cards)}, original)


def spliced(
    file: DeckFile, changed: Mapping[str, str], added: Sequence[str], head: str | None = None
) -> bytes:
    """The file with the text of some entries, and maybe its title and description, replaced, and others at its end."""
    lines = _LINE.findall(file.data)
    ending = b"\r\n" if b"\r\n" in file.data else b"\n"
    starts = {card.line - 1: card.entry for card in file.deck.cards}
    found = outline([strip_controls(line.decode("utf-8", "replace").rstrip("\r\n")) for line in lines])
    sections = sorted((section.start, section.end) for section in found.titles + found.cards)
    title = found.titles[0].start if found.titles else -1
    out: list[bytes] = []
    at = 0
    for start, end in sections:
        text = head if start == title else changed.get(starts.get(start, ""))
        if text is None:
            continue
        out += lines[at:start]
        blank = next((n for n in range(end, start, -1) if lines[n - 1].strip()), start)
        out.append(_bytes(text, ending))
        out += lines[blank:end]
        at = end
    out += lines[at:]
    data = b"".join(out)
    if added:
        if data and not data.endswith((b"\n", b"\r")):
            data += ending
        if data.strip() and not data.endswith(ending * 2):
            data += ending
        data += ending.join(_bytes(text, ending) for text in added)
    return data


def _bytes(text: str, ending: bytes) -> bytes:
    return text.encode().replace(b"\n", ending) + ending
