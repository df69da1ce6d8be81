"""Copies of the database: one where the user wants it, and ten that rotate by themselves."""

from __future__ import annotations

import contextlib
import datetime as dt
import os
import re
import sqlite3
import sys
from pathlib import Path

from quizapp.storage.errors import StorageError, explained
from quizapp.storage.schema import APPLICATION_ID

KEPT = 10
_AGE = dt.timedelta(days=1)
_NAME = re.compile(r"reviews-(\d{8}T\d{6})Z\.sqlite")
_STAMP = "%Y%m%dT%H%M%S"


def copy_database(connection: sqlite3.Connection, target: Path) -> None:
    """Write a compact, checked copy to ``target``, whole or not at all. An earlier copy there is replaced.

    A file copy could miss what still stands in the write-ahead log; this can't.
    Raises StorageError where ``target`` is some other file or can't be written.
    """
    if target.is_dir():
        raise StorageError(f"{target}: this is a folder; name a file in it")
    if target.exists() and not is_database(target):
        raise StorageError(f"{target}: this file is no backup of quizapp, so it stays; choose another name")
    part = target.with_name(f".{target.name}.{os.getpid()}.part")
    try:
        part.unlink(missing_ok=True)
        with explained(target):
            _vacuum_into(connection, part)
            _check(part, target)
        _sync(part)
        part.replace(target)
        if sys.platform != "win32":
            _sync(target.parent)
    except OSError as error:
        reason = (error.strerror or str(error)).lower()
        raise StorageError(f"{target}: the copy can't be written ({reason}); choose another place") from None
    finally:
        with contextlib.suppress(OSError):
            part.unlink(missing_ok=True)


def is_database(path: Path) -> bool:
    """Whether the file is a database of quizapp, by its header (https://sqlite.org/fileformat.html, 1.3)."""
    try:
        with path.open("rb") as file:
            header = file.read(72)
    except OSError:
        return False
    return header[:16] == b"SQLite format 3\0" and int.from_bytes(header[68:72], "big") == APPLICATION_ID


def backups_in(folder: Path) -> list[Path]:
    """The automatic copies, oldest first; other files are left alone."""
    if not folder.is_dir():
        return []
    return sorted(path for path in folder.iterdir() if _NAME.fullmatch(path.name))


def rotate(
    connection: sqlite3.Connection, folder: Path, now: dt.datetime, *, force: bool = False
) -> Path | None:
    """Take the automatic copy where the newest is a day old (or with ``force``), and keep the ten newest.

    Returns the new copy, None where none was needed. Raises StorageError and OSError.
    """
    there = backups_in(folder)
    if there and not force and abs(now - _taken_at(there[-1])) < _AGE:
        return None
    folder.mkdir(parents=True, exist_ok=True)
    target = folder / f"reviews-{now.astimezone(dt.UTC).strftime(_STAMP)}Z.sqlite"
    copy_database(connection, target)
    for old in backups_in(folder)[:-KEPT]:
        old.unlink()
    return target


def _taken_at(path: Path) -> dt.datetime:
    stamp = path.name.removeprefix("reviews-").removesuffix("Z.sqlite")
    return dt.datetime.strptime(stamp, _STAMP).replace(tzinfo=dt.UTC)


def _vacuum_into(connection: sqlite3.Connection, part: Path) -> None:
    # A reader's connection refuses every write, this one to another file included.
    (reading,) = connection.execute("PRAGMA query_only").fetchone()
    connection.execute("PRAGMA query_only = 0")
    try:
        connection.execute("VACUUM INTO ?", (str(part),))
    finally:
        connection.execute(f"PRAGMA query_only = {reading}")


def _check(part: Path, target: Path) -> None:
    with contextlib.closing(sqlite3.connect(part)) as copy:
        found = copy.execute("PRAGMA quick_check(1)").fetchone()[0]
    if found != "ok":
        raise StorageError(f"{target}: the copy is damaged ({found}); run quizapp doctor")


def _sync(path: Path) -> None:
    # A folder opens for reading only, and Windows syncs only what is open for writing.
    handle = os.open(path, os.O_RDONLY if path.is_dir() else os.O_RDWR)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
