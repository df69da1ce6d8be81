"""What can go wrong with the data on disk, each in one line that says how to mend it."""

from __future__ import annotations

import contextlib
import sqlite3
from collections.abc import Iterator
from pathlib import Path

from quizapp.errors import QuizappError


class StorageError(QuizappError):
    """The data can't be read or written. What was saved before stays as it is."""


class LockedError(StorageError):
    """Another quizapp is writing in the same home."""


@contextlib.contextmanager
def explained(path: Path) -> Iterator[None]:
    """Turn SQLite's errors about the database at ``path`` into StorageError."""
    try:
        yield
    except sqlite3.Error as error:
        raise StorageError(f"{path}: {_advice(error, path)}") from error


def _advice(error: sqlite3.Error, path: Path) -> str:
    # The low byte of the result code says what kind it is (https://sqlite.org/rescode.html).
    match getattr(error, "sqlite_errorcode", 0) & 0xFF:
        case 13:  # FULL
            return "the disk is full; free some space and try again (what was saved is safe)"
        case 3 | 8 | 14:  # PERM, READONLY, CANTOPEN
            return "can't be opened for writing; check the permissions of the file and of its folder"
        case 11 | 26:  # CORRUPT, NOTADB
            newest = f"copy the newest file of {path.parent / 'backups'} in its place"
            return f"the file is damaged ({error}); move it away and {newest}"
        case 5 | 6:  # BUSY, LOCKED
            return "another program keeps the file locked; close it and try again"
        case 10:  # IOERR
            return f"the disk failed ({error}); check its space and its health (what was saved is safe)"
        case _:
            return f"the database refused ({error}); run quizapp doctor"
