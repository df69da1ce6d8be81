"""Opening a home's database, for the one writer or for any number of readers."""

from __future__ import annotations

import datetime as dt
import os
import sqlite3
from pathlib import Path

from quizapp.home import Home
from quizapp.storage.backup import rotate
from quizapp.storage.errors import StorageError, explained
from quizapp.storage.lock import SessionLock
from quizapp.storage.schema import MIGRATIONS, OLDEST_SQLITE, migrate, version_of
from quizapp.storage.store import SqliteStore

# Another quizapp may be putting a crashed session's data in order; that takes a moment.
_PATIENCE = 5.0


def open_store(home: Home, *, write: bool, now: dt.datetime | None = None) -> SqliteStore:
    """Open the reviews of a home.

    With ``write`` the folder is made if need be, the session lock is held until ``close``, and the automatic
    backup is taken where the last is a day old at ``now`` (else by ``QUIZAPP_NOW`` or the machine).
    A reader works at any time, sees what is committed, changes nothing, and finds an empty log in a new home.

    Raises LockedError where another process writes, StorageError where the files can't be used.
    """
    if sqlite3.sqlite_version_info < OLDEST_SQLITE:
        wanted = ".".join(map(str, OLDEST_SQLITE))
        raise StorageError(
            f"Python's SQLite {sqlite3.sqlite_version} is too old; {wanted} or newer is needed"
        )
    return _open_writer(home, now) if write else _open_reader(home)


def _open_writer(home: Home, now: dt.datetime | None) -> SqliteStore:
    try:
        home.path.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        reason = (error.strerror or str(error)).lower()
        raise StorageError(f"{home.path}: can't be made ({reason}); choose another --home") from None
    lock = SessionLock(home.lock)
    try:
        with explained(home.database):
            connection = _connect(home.database)
            store = SqliteStore(connection, home.database)
            store.cleanup.callback(lock.release)
            try:
                version = version_of(connection, home.database)
                connection.execute("PRAGMA journal_mode = WAL")
                if version:
                    _back_up(store, home, now, force=version < len(MIGRATIONS))
                migrate(connection)
            except BaseException:
                connection.close()
                raise
    except BaseException:
        lock.release()
        raise
    return store


def _open_reader(home: Home) -> SqliteStore:
    path = home.database
    with explained(path):
        connection = _connect(path, frozen=_is_frozen(path)) if path.exists() else _empty()
        try:
            version = version_of(connection, path)
            if version < len(MIGRATIONS):
                connection.close()
                # Version 0 is a first session that has not got further yet, or was cut off.
                if version:
                    _open_writer(home, None).close()
                connection = _connect(path) if version else _empty()
            connection.execute("PRAGMA query_only = 1")
        except BaseException:
            connection.close()
            raise
    return SqliteStore(connection, path)


def _empty() -> sqlite3.Connection:
    connection = _connect(":memory:")
    migrate(connection)
    return connection


def _connect(path: Path | str, *, frozen: bool = False) -> sqlite3.Connection:
    """A connection that leaves transactions to us and has every commit on the disk before it returns."""
    if frozen:
        name = f"{Path(path).absolute().as_uri()}?immutable=1"
    else:
        name = path if path == ":memory:" else Path(path).absolute().as_uri()
    connection = sqlite3.connect(str(name), uri=True, isolation_level=None, timeout=_PATIENCE)
    try:
        connection.execute("PRAGMA synchronous = FULL")
        connection.execute("PRAGMA foreign_keys = ON")
    except BaseException:
        connection.close()
        raise
    return connection


def _is_frozen(path: Path) -> bool:
    """Whether SQLite could not make its -shm file here, and needs none, since nobody can be writing."""
    return not os.access(path.parent, os.W_OK) and not path.with_name(path.name + "-wal").exists()


def _back_up(store: SqliteStore, home: Home, now: dt.datetime | None, *, force: bool) -> None:
    from quizapp.review.clock import clock_from_environment

    try:
        if force or store.connection.execute("SELECT 1 FROM log LIMIT 1").fetchone():
            rotate(store.connection, home.backups, now or clock_from_environment().now(), force=force)
    except (StorageError, OSError) as error:
        store.backup_problem = f"no automatic backup was taken: {error}"
