"""Where the pictures and sounds of an import go: beside the deck that shows them, and never anywhere else."""

from __future__ import annotations

import hashlib
import re
import unicodedata
from collections.abc import Collection, Iterable
from pathlib import Path, PurePosixPath
from urllib.parse import unquote

from msgspec.structs import replace

from quizapp.decks.entry import Entry
from quizapp.exchange.losses import Losses
from quizapp.exchange.media import EXTENSIONS, named, renamed, texts
from quizapp.exchange.model import DeckText, ExchangeError, Media
from quizapp.text import file_slug, is_device

_PART = re.compile(r"[^.\s<>:\"/\\|?*\x00-\x1f][^<>:\"/\\|?*\x00-\x1f]*")


class MediaPlan:
    """Collects which files are written where.

    ``files`` maps a path to a copy of its content in ``spool``, so that no more than one is in memory.
    """

    def __init__(self, media: Iterable[Media], target: Path, spool: Path, lost: Losses) -> None:
        self._media: dict[str, Media] = {}
        for medium in media:
            self._media.setdefault(_plain(medium.name), medium)
        self._unused = set(self._media)
        self._target = target
        self._spool = spool
        self._lost = lost
        self.files: dict[Path, Path] = {}

    def entries(self, deck: DeckText, name: str, path: Path) -> tuple[Entry, ...]:
        """The entries of a deck with its pictures named as they are beside the deck file at ``path``."""
        if not self._media:
            return deck.entries
        names: dict[str, str] = {}
        for reference in named(text for entry in deck.entries for text in texts(entry)):
            medium = self._media.get(_plain(reference))
            if medium is None:
                continue
            self._unused.discard(_plain(reference))
            new = self._placed(medium, reference, name, path, keep=bool(deck.text))
            if new is not None and new != reference:
                names[reference] = new
        if not names:
            return deck.entries
        return tuple(_with_names(entry, names) for entry in deck.entries)

    def keep_only(self, wanted: Collection[Path]) -> None:
        """Leave out the files that nothing written shows, and report what no card shows."""
        self.files = {path: copy for path, copy in self.files.items() if path in wanted}
        for name in sorted(self._unused):
            self._lost.add("a picture or sound that no card shows", name)

    def _placed(self, medium: Media, reference: str, deck: str, path: Path, *, keep: bool) -> str | None:
        """What the text of a deck calls the medium, which it names by ``reference``; None where it cannot be kept.

        A name with a folder is one that this program wrote, and stays; so does every name where ``keep`` says so.
        """
        wanted = PurePosixPath(unquote(medium.name))
        if wanted.suffix.lower() not in EXTENSIONS:
            self._lost.add("a file that is no picture or sound", medium.name[:80])
            return None
        folder = f"{deck.rsplit('/', 1)[-1]}-media"
        stays = (keep or bool(wanted.parent.name)) and _is_safe(wanted)
        place = wanted if stays else PurePosixPath(folder, _safe_name(wanted.name))
        try:
            data = medium.read()
        except ExchangeError as error:
            self._lost.add(f"a picture or sound that cannot be read: {error}", medium.name[:80])
            return None
        if not self._fits(path.parent / place, data):
            stays = False
            digest = hashlib.blake2b(data, digest_size=4).hexdigest()
            place = place.with_name(f"{place.stem}-{digest}{place.suffix}")
            if not self._fits(path.parent / place, data):
                self._lost.add("a picture whose name leads out of the folder", medium.name[:80])
                return None
        if path.parent / place not in self.files:
            copy = self._spool / str(len(self.files))
            copy.write_bytes(data)
            self.files[path.parent / place] = copy
        return reference if stays else str(place)

    def _fits(self, path: Path, data: bytes) -> bool:
        """Whether the file may stand there: inside the target, and over none that says something else."""
        if not path.resolve().is_relative_to(self._target.resolve()):
            return False
        if path in self.files:
            return self.files[path].read_bytes() == data
        return not path.exists() or (path.is_file() and path.read_bytes() == data)


def _plain(name: str) -> str:
    """One spelling of a name, whether it is written as an address or by a system that takes letters apart."""
    return unicodedata.normalize("NFC", unquote(name))


def _with_names(entry: Entry, names: dict[str, str]) -> Entry:
    options = tuple(replace(option, text=renamed(option.text, names)) for option in entry.options)
    return replace(
        entry,
        heading=renamed(entry.heading, names),
        prompt=renamed(entry.prompt, names),
        answer=renamed(entry.answer, names),
        options=options,
    )


def _is_safe(path: PurePosixPath) -> bool:
    """Whether a relative name stays below its folder on every system, and hides nothing."""
    return not path.is_absolute() and all(
        _PART.fullmatch(part) and not part.endswith((" ", ".")) and not is_device(part) for part in path.parts
    )


def _safe_name(name: str) -> str:
    # Another system's separators are part of a name here.
    last = re.split(r"[\\/]", name)[-1]
    path = PurePosixPath(last)
    return (file_slug(path.stem) or "picture") + path.suffix.lower()
