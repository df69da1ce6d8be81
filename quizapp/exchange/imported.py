"""What was imported into a folder before, so that an edit made here is told from one made there.

It lies in the folder itself, in a hidden file beside the decks; without it nothing is lost but that knowledge.
"""

from __future__ import annotations

from pathlib import Path

import msgspec

# Of one entry; older ones are those of a file that nobody has any more.
MOST_VERSIONS = 12


class Imported(msgspec.Struct, frozen=True):
    """Hashes of the versions that came in, oldest first: of entries by id, of titles by the deck's name."""

    entries: dict[str, tuple[str, ...]] = {}
    decks: dict[str, tuple[str, ...]] = {}


def imported_path(folder: Path) -> Path:
    return folder / ".imported.json"


def read_imported(folder: Path) -> Imported:
    """What is remembered; nothing where the file is missing or spoiled."""
    try:
        return msgspec.json.decode(imported_path(folder).read_bytes(), type=Imported)
    except (OSError, msgspec.DecodeError):
        return Imported()


def remembered(seen: tuple[str, ...], version: str) -> tuple[str, ...]:
    """The versions seen, and one more at the end unless it was seen before."""
    return seen if version in seen else (*seen, version)[-MOST_VERSIONS:]
