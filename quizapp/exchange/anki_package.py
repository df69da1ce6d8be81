"""An Anki package as a file: a zip that may be broken, hostile or far larger inside than outside.

Sizes are counted while reading; what the headers claim is never trusted. A collection goes to a private temporary
file, media are read one at a time when asked for.
"""

from __future__ import annotations

import json
import os
import re
import tempfile
import zipfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any

from quizapp.exchange.anki_protobuf import ProtobufError, message, number_of
from quizapp.exchange.model import ExchangeError, Loss

MOST_COLLECTION = 512 * 2**20
MOST_MEDIUM = 64 * 2**20
MOST_MEDIA = 2 * 2**30
_MOST_MAP = 32 * 2**20
_MOST_DIRECTORY = 10 * 2**20
# Text packs ten to fifty times smaller; a bomb, a thousand times and more.
_MOST_RATIO = 200
_FREE = 16 * 2**20
_BLOCK = 2**18
_NEWEST = 3
# Anki writes one; each copies what is left of a block.
_MOST_FRAMES = 1000
_BROKEN = (zipfile.BadZipFile, zlib.error, EOFError, OSError, NotImplementedError, RuntimeError, ValueError)


_UNSAFE = re.compile(r"[/\\:\x00-\x1f]")


class Package:
    """An open .apkg or .colpkg. ``generation``: 1 (collection.anki2), 2 (anki21) or 3 (anki21b, zstd)."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.lost: list[Loss] = []
        self._media_read = 0
        self._size = 0
        check_directory(path)
        try:
            self._zip = zipfile.ZipFile(path)
            self._size = path.stat().st_size
        except _BROKEN as error:
            raise broken(path, "it is not a whole zip file") from error
        try:
            names = set(self._zip.namelist())
            self.generation = self._generation(names)
            self.collection = {1: "collection.anki2", 2: "collection.anki21", 3: "collection.anki21b"}[
                self.generation
            ]
            if self.collection not in names:
                raise ExchangeError(
                    f"{path}: there is no {self.collection} inside, so it is no Anki package; export it again from Anki"
                )
        except BaseException:
            self._zip.close()
            raise

    def close(self) -> None:
        self._zip.close()

    def _generation(self, names: set[str]) -> int:
        if "meta" in names:
            try:
                version = number_of(b"".join(self._blocks("meta", 1000)), 1, 1)
            except ProtobufError as error:
                raise broken(self.path, "its version cannot be read") from error
            if version > _NEWEST:
                raise ExchangeError(
                    f"{self.path}: written by a newer Anki (package version {version}); export it with "
                    '"Support older Anki versions" ticked'
                )
            if version:
                return version
        return 3 if "collection.anki21b" in names else 2 if "collection.anki21" in names else 1

    def _blocks(self, name: str, most: int, *, packed: bool = False) -> Iterator[bytes]:
        """A member in pieces; ``packed``: it is a zstd frame besides. Raises ExchangeError past ``most`` bytes."""
        try:
            info = self._zip.getinfo(name)
        except KeyError:
            raise broken(self.path, f"{name} is missing in it") from None
        if info.flag_bits & 1:
            raise ExchangeError(
                f"{self.path}: it is encrypted; unpack it and zip it again without a password"
            )
        check_packing(self.path, info)
        total = 0
        try:
            with self._zip.open(info) as member:
                for block in _unpacked(member) if packed else iter(lambda: member.read(_BLOCK), b""):
                    total += len(block)
                    if total > most:
                        raise ExchangeError(
                            f"{self.path}: {name} unpacks to more than {most // 2**20 or 1} MB; nothing was imported"
                        )
                    if total > _FREE and total > _MOST_RATIO * min(info.compress_size, self._size):
                        raise ExchangeError(
                            f"{self.path}: {name} unpacks to over {_MOST_RATIO} times its size, as only a "
                            "zip bomb does; nothing was imported"
                        )
                    yield block
        except _BROKEN as error:
            raise broken(self.path, f"{name} in it is damaged") from error

    @contextmanager
    def collection_file(self) -> Iterator[Path]:
        """The collection as a private temporary file, gone afterwards."""
        blocks = self._blocks(self.collection, MOST_COLLECTION, packed=self.generation == 3)
        handle, name = tempfile.mkstemp(prefix="quizapp-", suffix=".anki2")
        try:
            try:
                with os.fdopen(handle, "wb") as file:
                    file.writelines(blocks)
            except OSError as error:
                raise ExchangeError(
                    f"{self.path}: no room to unpack it in {Path(name).parent}: {error.strerror}"
                ) from error
            yield Path(name)
        finally:
            Path(name).unlink(missing_ok=True)

    def media(self) -> dict[str, str]:
        """The files that come along: their names, and the members that hold them. Unsafe names are left out."""
        members = self._zip.NameToInfo
        if "media" not in members:
            return {}
        text = b"".join(self._blocks("media", _MOST_MAP, packed=self.generation == 3))
        found: dict[str, str] = {}
        for member, name in self._media_map(text):
            if not is_safe(name):
                self.lost.append(Loss("a media file whose name leads out of its folder", repr(name)[:80]))
            elif member not in members:
                self.lost.append(Loss("a media file that is not in the package", name))
            else:
                found[name] = member
        return found

    def _media_map(self, text: bytes) -> list[tuple[str, str]]:
        try:
            if self.generation == 3:
                entries = [
                    value for number, value in message(text) if number == 1 and isinstance(value, bytes)
                ]
                return [(str(at), _name(entry)) for at, entry in enumerate(entries)]
            values: Any = json.loads(text)
            return [(str(member), str(name)) for member, name in values.items()]
        except (ProtobufError, ValueError, AttributeError, RecursionError) as error:
            raise broken(self.path, "its list of media cannot be read") from error

    def read_medium(self, member: str) -> bytes:
        """One media file whole. Raises ExchangeError where it, or all read so far, is too large."""
        data = b"".join(self._blocks(member, MOST_MEDIUM, packed=self.generation == 3))
        self._media_read += len(data)
        if self._media_read > MOST_MEDIA:
            raise ExchangeError(f"{self.path}: its media are larger than {MOST_MEDIA // 2**30} GB")
        return data


class Shelf:
    """The media of a package after its collection was read: opened again at the first one asked for."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._package: Package | None = None

    def read(self, member: str) -> bytes:
        if self._package is None:
            self._package = Package(self._path)
        return self._package.read_medium(member)

    def __del__(self) -> None:
        if self._package is not None:
            self._package.close()


class Medium:
    """A media file of a package, read when asked for."""

    def __init__(self, name: str, member: str, shelf: Shelf) -> None:
        self.name = name
        self._member = member
        self._shelf = shelf

    def read(self) -> bytes:
        return self._shelf.read(self._member)


def broken(path: Path, what: str) -> ExchangeError:
    return ExchangeError(f"{path}: {what}; export or download it again")


def is_safe(name: str) -> bool:
    """Whether a media name is the name of a file and nothing else, on any system."""
    return bool(name.strip(". ")) and _UNSAFE.search(name) is None


def _name(entry: bytes) -> str:
    return next(
        (
            value.decode("utf-8", "replace")
            for number, value in message(entry)
            if number == 1 and isinstance(value, bytes)
        ),
        "",
    )


def _unpacked(member: IO[bytes]) -> Iterator[bytes]:
    """The content of a zstd stream. Raises ValueError where it is none or ends too early."""
    zstd = _zstd()
    # A frame may ask for a window of gigabytes; 2**27 is what every decoder grants.
    options = {zstd.DecompressionParameter.window_log_max: 27}
    decoder = zstd.ZstdDecompressor(options=options)
    fresh = True
    frames = 0
    try:
        while data := member.read(_BLOCK):
            while True:
                block = decoder.decompress(data, _BLOCK)
                fresh = False
                if block:
                    yield block
                if decoder.eof:
                    frames += 1
                    if frames > _MOST_FRAMES:
                        raise ValueError("absurdly many zstd frames")
                    data = decoder.unused_data
                    decoder, fresh = zstd.ZstdDecompressor(options=options), True
                    if not data:
                        break
                elif decoder.needs_input:
                    break
                else:
                    data = b""
    except zstd.ZstdError as error:
        raise ValueError(str(error)) from error
    if not fresh:
        raise ValueError("the zstd frame has no end")


def _zstd() -> Any:
    import sys

    if sys.version_info >= (3, 14):
        from compression import zstd
    else:
        from backports import zstd
    return zstd


def check_packing(path: Path, info: zipfile.ZipInfo) -> None:
    """Refuse what :mod:`zipfile` unpacks in one piece, however large: it bounds only what is deflated."""
    if info.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
        raise ExchangeError(
            f"{path}: {info.filename} in it is packed by a rare method; unpack it and zip it again"
        )


def check_directory(path: Path) -> None:
    """Refuse a zip whose list of members alone would fill memory, before anything reads it.

    The list's size stands in the record at the end of the file (PKWARE APPNOTE 4.3.16, and 4.3.14 for zip64).
    """
    try:
        with path.open("rb") as file:
            size = file.seek(0, os.SEEK_END)
            file.seek(max(0, size - 2**16 - 200))
            tail = file.read()
    except OSError as error:
        raise ExchangeError(f"{path}: {error.strerror or 'it cannot be read'}") from error
    end = tail.rfind(b"PK\x05\x06")
    if end < 0:
        what = "it is empty" if not size else "it is not a zip file, or its end is missing"
        raise broken(path, what)
    listed = int.from_bytes(tail[end + 12 : end + 16], "little")
    if listed == 0xFFFFFFFF:
        large = tail.rfind(b"PK\x06\x06")
        listed = int.from_bytes(tail[large + 40 : large + 48], "little") if large >= 0 else listed
    if listed > _MOST_DIRECTORY:
        raise ExchangeError(f"{path}: it lists far too many files; nothing was imported")
