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
_PLAYED = frozenset(
    {
        ".3gp", ".aac", ".avi", ".flac", ".m4a", ".m4v", ".mkv", ".mov", ".mp3", ".mp4", ".mpeg", ".mpg", ".oga",
        ".ogg", ".ogv", ".opus", ".spx", ".wav", ".webm",
    }
)  # fmt: skip
EXTENSIONS = _PLAYED | {
    ".apng", ".avif", ".bmp", ".gif", ".ico", ".jfif", ".jpeg", ".jpg", ".png", ".svg", ".tif", ".tiff", ".webp",
}  # fmt: skip
# A picture, or a link, which counts where it leads to a sound or film.
_REFERENCE = re.compile(
    r"(?<!\\)(!?\[(?:[^\[\]\n\\]|\\.)*+\]\()(<[^<>\n]++>|(?:[^\s()]|\([^\s()]*+\))++)(?=[\s)])"
)


_ADDRESS = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*:|//|#")


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


def is_played(name: str) -> bool:
    """Whether a name is that of a sound or film beside a deck, which a card names by a link."""
    return PurePosixPath(unquote(name)).suffix.lower() in _PLAYED and not _ADDRESS.match(name)


def linked_sounds(markdown: str) -> str:
    """Other programs' ``![](sound.mp3)`` as a link with words."""

    def change(match: re.Match[str]) -> str:
        name = match[2].strip("<>")
        if not match[1].startswith("!") or not is_played(name):
            return match[0]
        label = match[1][2:-2] or re.sub(r"([\\\[\]`*_<$&])", r"\\\1", PurePosixPath(unquote(name)).name)
        return f"[{label}]({match[2]}"

    return _REFERENCE.sub(change, markdown) if "![" in markdown else markdown


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
                if _names_a_file(match, name):
                    names[name] = None
    return list(names)


def _names_a_file(match: re.Match[str], name: str) -> bool:
    if match[1].startswith("!"):
        return "://" not in name and not name.startswith(("data:", "#"))
    return is_played(name)


def renamed(text: str, names: dict[str, str]) -> str:
    """``text`` with its pictures under other names."""
    if "](" not in text:
        return text

    def change(match: re.Match[str]) -> str:
        name = match[2].strip("<>")
        new = names.get(name) or names.get(unquote(name))
        if new is None or new == name or not _names_a_file(match, name):
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
