"""When the content of each entry last changed, and which versions of it have left this home.

Other programs take a note only where its date is newer than theirs, so the date is that of the content, never that of
the export. What was exported is the common ground on which an import can tell an edit there from an edit here.
"""

from __future__ import annotations

import contextlib
import hashlib
from collections.abc import Iterable, Mapping
from pathlib import Path

import msgspec

from quizapp.decks.entry import Entry
from quizapp.decks.write import write_text
from quizapp.derivations.model import Derivation
from quizapp.exchange.entry_values import entry_values
from quizapp.exchange.imported import remembered
from quizapp.home import Home


class Version(msgspec.Struct, frozen=True, array_like=True):
    """``seconds`` since 1970 at which the content became what it is; ``seen`` the hashes that left."""

    seconds: int
    content: str
    seen: tuple[str, ...] = ()


def content_hash(entry: Entry, derivation: Derivation | None = None) -> str:
    """A short hash of what an entry says; of a derivation card also of its steps."""
    data = msgspec.json.encode(entry_values(entry))
    if derivation is not None:
        data += msgspec.json.encode((derivation.title, derivation.claim, derivation.let, derivation.steps))
    return hashlib.blake2b(data, digest_size=9).hexdigest()


def changed_path(home: Home) -> Path:
    return home.path / "exported.json"


def read_versions(home: Home) -> dict[str, Version]:
    """What is remembered; nothing where the file is missing or spoiled."""
    try:
        return msgspec.json.decode(changed_path(home).read_bytes(), type=dict[str, Version])
    except (OSError, msgspec.DecodeError):
        return {}


def modified(
    known: Mapping[str, Version], found: Iterable[tuple[Entry, Derivation | None, int]], now: int
) -> dict[str, Version]:
    """The versions of some entries at an export, where the third of each is its file's time of change.

    An entry that is new here dates from its file; one that has changed is later than it was, whatever the clock says.
    """
    versions = {}
    for entry, derivation, file_time in found:
        content, exported = content_hash(entry, derivation), content_hash(entry)
        before = known.get(entry.id)
        seen = before.seen if before else ()
        if before is None:
            seconds = min(file_time, now)
        elif before.content == content:
            seconds = before.seconds
        else:
            seconds = max(now, before.seconds + 1)
        versions[entry.id] = Version(seconds, content, remembered(seen, exported))
    return versions


def write_versions(home: Home, versions: Mapping[str, Version]) -> None:
    """Remember; a home that cannot be written is done without, since the dates are then those of the files."""
    with contextlib.suppress(OSError):
        home.path.mkdir(parents=True, exist_ok=True)
        write_text(changed_path(home), msgspec.json.encode(versions))
