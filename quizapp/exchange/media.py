"""The pictures and sounds that go with a deck: which its cards name, and where they lie."""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path, PurePosixPath
from urllib.parse import unquote

import msgspec

from quizapp.decks.entry import Entry
from quizapp.exchange.model import ExchangeError

MOST_BYTES = 100 * 2**20
# What a browser, a phone or a terminal can show or play, and nothing that a program would run.
EXTENSIONS = frozenset(
    {
        ".apng", ".avif", ".bmp", ".flac", ".gif", ".ico", ".jfif", ".jpeg", ".jpg", ".m4a", ".mkv", ".mov", ".mp3",
        ".mp4", ".mpeg", ".oga", ".ogg", ".ogv", ".opus", ".png", ".svg", ".tif", ".tiff", ".wav", ".webm", ".webp",
    }
)  # fmt: skip
_REFERENCE = re.compile(r"(!\[(?:[^\[\]\n\\]|\\.)*+\]\()(<[^<>\n]++>|(?:[^\s()]|\([^\s()]*+\))++)(?=[\s)])")


class Picture(msgspec.Struct, frozen=True):
    """A file that is in memory already."""

    name: str
    data: bytes

    def read(self) -> bytes:
        return self.data


class PictureFile(msgspec.Struct, frozen=True):
    """A file beside a deck."""

    name: str
    path: Path

    def read(self) -> bytes:
        """Raises ExchangeError where it is gone or too large."""
        try:
            if self.path.stat().st_size > MOST_BYTES:
                raise ExchangeError(f"{self.path}: larger than {MOST_BYTES // 2**20} MB; make it smaller")
            return self.path.read_bytes()
        except OSError as error:
            raise ExchangeError(f"{self.path}: {(error.strerror or str(error)).lower()}") from None


def texts(entry: Entry) -> tuple[str, ...]:
    """Where an entry may name pictures."""
    return (entry.heading, entry.prompt, entry.answer, *(option.text for option in entry.options))


def named(found: Iterable[str]) -> list[str]:
    """The files that some texts name, as they stand there, each once; addresses of the network are left out."""
    names: dict[str, None] = {}
    for text in found:
        if "](" in text:
            for match in _REFERENCE.finditer(text):
                name = match[2].strip("<>")
                if "://" not in name and not name.startswith(("data:", "#")):
                    names[name] = None
    return list(names)


def renamed(text: str, names: dict[str, str]) -> str:
    """``text`` with its pictures under other names."""
    if "](" not in text:
        return text

    def change(match: re.Match[str]) -> str:
        name = match[2].strip("<>")
        new = names.get(name) or names.get(unquote(name))
        if new is None or new == name:
            return match[0]
        return match[1] + (f"<{new}>" if re.search(r"[\s()<>]", new) else new)

    return _REFERENCE.sub(change, text)


def beside(deck: Path, name: str) -> Path | None:
    """The file that a deck names, where there is one inside the deck's folder."""
    folder = deck.parent.resolve()
    for spelling in (name, unquote(name)):
        path = PurePosixPath(spelling)
        if (
            path.is_absolute()
            or "\\" in spelling
            or "\0" in spelling
            or path.suffix.lower() not in EXTENSIONS
        ):
            continue
        found = (folder / path).resolve()
        if found.is_relative_to(folder) and found.is_file():
            return found
    return None
