"""A ``.mochi`` file: a zip that holds ``data.edn`` or ``data.json`` and the pictures, whatever its headers claim."""

from __future__ import annotations

import hashlib
import json
import re
import zipfile
import zlib
from collections.abc import Mapping
from pathlib import Path, PurePosixPath
from typing import Any

from quizapp.exchange.anki_package import check_directory, check_packing, is_safe
from quizapp.exchange.edn import EdnError, Keyword, read_edn
from quizapp.exchange.losses import Losses
from quizapp.exchange.media import EXTENSIONS
from quizapp.exchange.model import ExchangeError
from quizapp.exchange.transit import TransitError, read_transit

# A line --- parts the sides of a card; a sign of no width behind one keeps it text.
RULE = re.compile(r"\s*---\s*$")
GUARD = "\u200b"
# What stands before the key points at the end of an answer, and the field that holds a whole card of ours.
POINTS = "\n\n**Key points**\n\n"
FIELD = "quizapp"
MOST_DATA = 128 * 2**20
MOST_MEDIUM = 64 * 2**20
_MOST_RATIO = 200
_FREE = 16 * 2**20
_BLOCK = 2**18
_BROKEN = (zipfile.BadZipFile, zlib.error, EOFError, OSError, NotImplementedError, RuntimeError, ValueError)


def mochi_id(name: str) -> Keyword:
    """The id of a deck or card in Mochi, the same at every export."""
    return Keyword("q" + hashlib.blake2b(name.encode(), digest_size=8, person=b"quizapp").hexdigest())


def member_of(name: str) -> str:
    """What a picture of ours is called in the file."""
    suffix = PurePosixPath(name).suffix.lower()
    return f"{mochi_id(name)}{suffix if suffix in EXTENSIONS else ''}"


class Medium:
    """A picture or sound in the file, read when asked for."""

    def __init__(self, path: Path, member: str, name: str) -> None:
        self.name = name
        self.path = path
        self.member = member

    def read(self) -> bytes:
        """Raises ExchangeError where it is broken or too large."""
        return _read(self.path, self.member, MOST_MEDIUM)


def read_data(path: Path, lost: Losses) -> tuple[Mapping[str, Any], dict[str, Medium]]:
    """What the file says, and its media by name. Raises ExchangeError."""
    check_directory(path)
    try:
        with zipfile.ZipFile(path) as archive:
            names = archive.namelist()
    except _BROKEN:
        raise ExchangeError(f"{path}: it is not a whole zip file; export or download it again") from None
    data = next((name for name in ("data.edn", "data.json") if name in names), None)
    if data is None:
        raise ExchangeError(f"{path}: there is no data.edn or data.json inside, so it is no Mochi file")
    try:
        text = _read(path, data, MOST_DATA).decode("utf-8-sig")
        found = read_edn(text) if data.endswith("edn") else read_transit(json.loads(text))
    except UnicodeDecodeError:
        raise ExchangeError(f"{path}: {data} inside is not UTF-8; export it again") from None
    except EdnError as error:
        raise ExchangeError(f"{path}: {data}, line {error.line}: {error}; export it again") from None
    except (TransitError, ValueError, RecursionError):
        raise ExchangeError(f"{path}: {data} inside is not readable; export it again") from None
    if not isinstance(found, dict) or not isinstance(found.get("decks"), list):
        raise ExchangeError(f"{path}: {data} inside names no decks; export it again from Mochi")
    media: dict[str, Medium] = {}
    for name in names:
        if name == data or name.endswith("/"):
            continue
        if not is_safe(name) or Path(name).suffix.lower() not in EXTENSIONS:
            lost.add("a file in the package that is no picture or sound, or whose name is unsafe", repr(name))
        else:
            media[name] = Medium(path, name, name)
    return found, media


def _read(path: Path, member: str, most: int) -> bytes:
    parts: list[bytes] = []
    size = 0
    try:
        with zipfile.ZipFile(path) as archive, archive.open(member) as file:
            info = archive.getinfo(member)
            check_packing(path, info)
            limit = min(most, max(_FREE, info.compress_size * _MOST_RATIO))
            while block := file.read(_BLOCK):
                size += len(block)
                if size > limit:
                    raise ExchangeError(f"{path}: {member} inside is absurdly large; nothing was read")
                parts.append(block)
    except (*_BROKEN, KeyError):
        raise ExchangeError(f"{path}: {member} inside is broken; export or download it again") from None
    return b"".join(parts)
