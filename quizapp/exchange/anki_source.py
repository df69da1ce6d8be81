"""The machine field of our Anki notes: the whole entry as one line of JSON, so that it comes back as it left.

Beside the entry it holds a checksum of every other field, so that an edit made in Anki is seen whatever version of
this program wrote the note.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence
from html import unescape
from zlib import crc32

import msgspec
from msgspec.structs import astuple

from quizapp.decks.card import Fields, Kind, Option
from quizapp.decks.entry import Entry

VERSION = 1
_OPENING = f'{{"quizapp":{VERSION},'
_DEFAULTS = Fields()
# What starts a formula or a sound in Anki.
_ACTIVE = ("[sound:", "[$", "[latex]", "[anki:")


class Source(msgspec.Struct, frozen=True):
    """What stands in the field; ``sums`` are the checksums of the other fields, in order."""

    quizapp: int
    id: str
    kind: Kind
    heading: str
    prompt: str = ""
    answer: str = ""
    fields: Fields = _DEFAULTS
    options: tuple[Option, ...] = ()
    deck: str = ""
    title: str = ""
    description: str = ""
    sums: str = ""

    def entry(self) -> Entry:
        return Entry(self.id, self.kind, self.heading, self.prompt, self.answer, self.fields, self.options)


class _Lean(Fields, frozen=True, omit_defaults=True):
    """The card block without what says nothing."""


_NOTHING = _Lean()


class _Written(msgspec.Struct, frozen=True, omit_defaults=True):
    """A source on its way out: the same, without what says nothing."""

    quizapp: int
    id: str
    kind: Kind
    heading: str
    prompt: str = ""
    answer: str = ""
    fields: _Lean = _NOTHING
    options: tuple[Option, ...] = ()
    deck: str = ""
    title: str = ""
    description: str = ""
    sums: str = ""


_encode = msgspec.json.Encoder().encode
_decode = msgspec.json.Decoder(Source).decode


def write_source(
    entry: Entry, deck: str, title: str, description: str = "", visible: Sequence[str] = ()
) -> str:
    """The field's text: JSON that is also HTML, without anything that Anki would act on."""
    fields = entry.fields
    source = _Written(
        VERSION, entry.id, entry.kind, entry.heading, entry.prompt, entry.answer,
        _NOTHING if fields == _DEFAULTS else _Lean(*astuple(fields)), entry.options,
        deck, title, description, sums(visible),
    )  # fmt: skip
    text = _encode(source).decode()
    # All of these stand inside JSON strings, where an escape says the same.
    text = (
        text.replace("&", "\\u0026").replace("<", "\\u003c").replace(">", "\\u003e").replace("{{", "\\u007b{")
    )
    for start in _ACTIVE:
        if start in text:
            text = text.replace(start, f"\\u005b{start[1:]}")
    if not text.isascii() and not unicodedata.is_normalized("NFC", text):
        # Anki composes letters and accents.
        text = "".join(letter if letter.isascii() else _escaped(letter) for letter in text)
    return text


def _escaped(letter: str) -> str:
    """One character as JSON escapes, a pair of them beyond the basic plane."""
    units = letter.encode("utf-16-be").hex()
    return "".join(f"\\u{units[at : at + 4]}" for at in range(0, len(units), 4))


def read_source(text: str) -> Source | None:
    """The content of the field; None where it is not ours, or broken."""
    if "&" in text:
        # Some editor of HTML went over it.
        text = unescape(text)
    if not text.startswith(_OPENING):
        return None
    try:
        return _decode(text)
    except (msgspec.DecodeError, UnicodeEncodeError):
        return None


def sums(fields: Sequence[str]) -> str:
    """A checksum of 24 bits for each field that is not empty."""
    return ",".join([checksum(text) if text else "" for text in fields]).rstrip(",")


def checksum(text: str) -> str:
    if not text.isascii():
        text = unicodedata.normalize("NFC", text)
    return f"{crc32(text.encode('utf-8', 'surrogatepass')) & 0xFFFFFF:06x}"
