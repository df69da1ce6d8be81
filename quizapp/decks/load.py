"""From folders to decks, with a disposable cache so that only files that changed are parsed again."""

from __future__ import annotations

import gc
import os
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import msgspec

from quizapp import __version__
from quizapp.decks.card import Deck, Problem
from quizapp.errors import UsageError
from quizapp.text import slug

# Part of the cache's stamp: raised whenever the same file would be read differently.
_FORMAT = 1
MOST_BYTES = 50_000_000

Progress = Callable[[int, int], None]


@dataclass(frozen=True)
class Source:
    """A deck file and the name it has in the library."""

    path: Path
    name: str


class _Entry(msgspec.Struct, frozen=True, array_like=True):
    modified: int
    size: int
    deck: Deck


class _Cache(msgspec.Struct, frozen=True):
    stamp: str
    entries: dict[str, _Entry]


_STAMP = f"{__version__}/{_FORMAT}"


def sources(root: Path) -> Iterator[Source]:
    """The deck files below a folder, by path; a file stands for itself. Hidden files are left out."""
    if root.is_file():
        yield Source(root, slug(root.stem))
        return
    if not root.is_dir():
        raise UsageError(f"{root}: no such folder of decks")
    for path in sorted(root.rglob("*.md")):
        parts = path.relative_to(root).with_suffix("").parts
        if path.is_file() and not any(part.startswith(".") for part in parts):
            yield Source(path, "/".join(slug(part) or "deck" for part in parts))


@contextmanager
def _without_collection() -> Iterator[None]:
    """Many small objects that all stay make the garbage collector's passes a third of the time."""
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            gc.enable()


@_without_collection()
def load_decks(found: list[Source], cache: Path | None, progress: Progress | None = None) -> list[Deck]:
    """Read deck files in the order given; a file that cannot be read is an empty deck with one problem."""
    known = _read_cache(cache)
    kept: dict[str, _Entry] = {}
    decks: list[Deck] = []
    changed = False
    for number, source in enumerate(found):
        if progress:
            progress(number, len(found))
        key = f"{source.name}\0{source.path}"
        try:
            status = source.path.stat()
            entry = known.get(key)
            if entry is None or (entry.modified, entry.size) != (status.st_mtime_ns, status.st_size):
                entry = _Entry(status.st_mtime_ns, status.st_size, _parse(source, status.st_size))
                changed = True
        except OSError as error:
            problem = Problem(
                str(source.path), 1, f"cannot be read: {(error.strerror or str(error)).lower()}"
            )
            decks.append(Deck(source.name, source.name, "", str(source.path), problems=(problem,)))
            continue
        kept[key] = entry
        decks.append(entry.deck)
    if progress and found:
        progress(len(found), len(found))
    if cache and (changed or kept.keys() != known.keys()):
        _write_cache(cache, _Cache(_STAMP, kept))
    return decks


def _parse(source: Source, size: int) -> Deck:
    from quizapp.decks.parse import parse_deck  # Markdown is not imported where every deck is in the cache

    path = str(source.path)
    if size > MOST_BYTES:
        problem = Problem(path, 1, f"this file has {size:,} bytes; the most is {MOST_BYTES:,}: split it")
        return Deck(source.name, source.name, "", path, problems=(problem,))
    return parse_deck(source.path.read_bytes(), name=source.name, path=path)


def _read_cache(path: Path | None) -> dict[str, _Entry]:
    if path is None:
        return {}
    try:
        cache = msgspec.msgpack.decode(path.read_bytes(), type=_Cache)
    except (OSError, msgspec.DecodeError):
        return {}
    return cache.entries if cache.stamp == _STAMP else {}


def _write_cache(path: Path, cache: _Cache) -> None:
    """Write beside and rename; a cache that cannot be written is done without, as before the first session."""
    try:
        handle, temporary = tempfile.mkstemp(dir=path.parent, prefix=".cache-")
        try:
            with os.fdopen(handle, "wb") as file:
                file.write(msgspec.msgpack.encode(cache))
            Path(temporary).replace(path)
        except OSError:
            Path(temporary).unlink(missing_ok=True)
    except OSError:
        return
