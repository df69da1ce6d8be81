"""The machine field of our Anki notes: the entry as one line of JSON, so that it comes back as it left.

Beside the entry it holds a checksum of every other field, so that an edit made in Anki is seen whatever version of
this program wrote the note. A text that is the same as Markdown and as HTML stands in its own field alone.
"""

from __future__ import annotations

import re
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
_PLAIN = re.compile(r"""[A-Za-z][-A-Za-z0-9 !"#%'()+,./:;=?@]*(?<! )""")
# What starts a cloze, a sound or a formula in Anki.
_ACTIVE = ("{{", "[sound:", "[$", "[latex]")


class Source(msgspec.Struct, frozen=True):
    """What stands in the field; ``sums`` are the checksums of the other fields, in order.

    An empty ``heading``, ``prompt`` or ``answer`` is what the field says that shows it.
    """

    quizapp: int
    id: str
    kind: Kind
    heading: str = ""
    prompt: str = ""
    answer: str = ""
    fields: Fields = _DEFAULTS
    options: tuple[Option, ...] = ()
    deck: str = ""
    title: str = ""
    description: str = ""
    sums: str = ""


class _Lean(Fields, frozen=True, omit_defaults=True):
    """The card block without what says nothing."""


_NOTHING = _Lean()


class _Written(Source, frozen=True, omit_defaults=True):
    """A source on its way out: the same, without what says nothing."""

    fields: _Lean = _NOTHING


_encode = msgspec.json.Encoder().encode
_decode = msgspec.json.Decoder(Source).decode


def is_plain(text: str) -> bool:
    """Whether a text is the same as Markdown and as HTML: letters of ASCII and nothing that either reads."""
    return _PLAIN.fullmatch(text) is not None and "  " not in text


def write_source(entry: Entry, deck: str, title: str, description: str, sums: str) -> str:
    """The field's text: JSON that is also HTML, without anything that Anki would act on.

    ``entry`` comes without the texts that stand in their own fields alone.
    """
    fields = entry.fields
    source = _Written(
        VERSION, entry.id, entry.kind, entry.heading, entry.prompt, entry.answer,
        _NOTHING if fields == _DEFAULTS else _Lean(*astuple(fields)), entry.options,
        deck, title, description, sums,
    )  # fmt: skip
    text = _encode(source).decode()
    # All of these stand inside JSON strings, where an escape says the same.
    text = text.replace("&", "\\u0026").replace("<", "\\u003c").replace(">", "\\u003e")
    for start in _ACTIVE:
        if start in text:
            text = text.replace(start, f"\\u{ord(start[0]):04x}{start[1:]}")
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
    if not any(fields):
        return ""
    return ",".join([checksum(text) if text else "" for text in fields]).rstrip(",")


def checksum(text: str) -> str:
    if text.isascii():
        return "%06x" % (crc32(text.encode()) & 0xFFFFFF)
    text = unicodedata.normalize("NFC", text)
    return "%06x" % (crc32(text.encode("utf-8", "surrogatepass")) & 0xFFFFFF)
