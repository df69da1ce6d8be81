"""Migrations: in order, each whole or not at all, and never backwards."""

from __future__ import annotations

import contextlib
import datetime as dt
import signal
import sqlite3
import subprocess
import sys
from collections.abc import Callable, Iterator

import pytest

from quizapp.home import Home
from quizapp.review.types import Review
from quizapp.storage import StorageError, open_store, schema
from quizapp.storage.backup import backups_in

NOON = dt.datetime(2026, 11, 30, 12, tzinfo=dt.timezone(dt.timedelta(hours=1)))
SECOND = (
    "CREATE TABLE note (card TEXT PRIMARY KEY, text TEXT NOT NULL) STRICT",
    "ALTER TABLE card_state ADD COLUMN slow_stability REAL",
    "INSERT INTO note SELECT card, 'migrated' FROM card_state",
)
Answer = Callable[..., Review]


@pytest.fixture
def connection(home: Home, answer: Answer) -> Iterator[sqlite3.Connection]:
    """A version 1 database with a review, opened bare."""
    with open_store(home, write=True, now=NOON) as store:
        answer(store, "a")
    with contextlib.closing(sqlite3.connect(home.database, isolation_level=None)) as opened:
        yield opened


def shape(connection: sqlite3.Connection) -> list[tuple[str, str]]:
    return connection.execute("SELECT name, sql FROM sqlite_master ORDER BY name").fetchall()


def version(connection: sqlite3.Connection) -> int:
    return int(connection.execute("PRAGMA user_version").fetchone()[0])


def test_a_second_version_keeps_the_data(connection: sqlite3.Connection) -> None:
    schema.migrate(connection, (*schema.MIGRATIONS, SECOND))
    assert version(connection) == len(schema.MIGRATIONS) + 1
    assert connection.execute("SELECT * FROM note").fetchall() == [("a", "migrated")]
    assert connection.execute("SELECT count(*) FROM log").fetchone() == (1,)
    schema.migrate(connection, (*schema.MIGRATIONS, SECOND))
    assert connection.execute("SELECT count(*) FROM note").fetchone() == (1,)


def test_a_new_file_goes_through_all_versions() -> None:
    with contextlib.closing(sqlite3.connect(":memory:", isolation_level=None)) as connection:
        schema.migrate(connection, (*schema.MIGRATIONS, SECOND))
        assert version(connection) == len(schema.MIGRATIONS) + 1


def test_a_migration_that_fails_midway_changes_nothing(connection: sqlite3.Connection) -> None:
    before = shape(connection)
    broken = (*SECOND[:2], "INSERT INTO nowhere VALUES (1)")
    with pytest.raises(sqlite3.OperationalError, match="nowhere"):
        schema.migrate(connection, (*schema.MIGRATIONS, broken))
    assert shape(connection) == before
    assert version(connection) == len(schema.MIGRATIONS)
    assert not connection.in_transaction


KILLED = """
import os, signal, sqlite3, sys
from quizapp.storage import schema
connection = sqlite3.connect(sys.argv[1], isolation_level=None)
connection.create_function("die", 0, lambda: os.kill(os.getpid(), signal.SIGKILL))
second = ("CREATE TABLE note (x)", "ALTER TABLE card_state ADD COLUMN extra REAL", "SELECT die()")
schema.migrate(connection, (*schema.MIGRATIONS, second))
"""


def test_a_migration_killed_midway_changes_nothing(home: Home, connection: sqlite3.Connection) -> None:
    before = shape(connection)
    done = subprocess.run([sys.executable, "-c", KILLED, str(home.database)], timeout=60, check=False)
    assert done.returncode == -signal.SIGKILL
    assert shape(connection) == before
    assert version(connection) == len(schema.MIGRATIONS)
    assert connection.execute("PRAGMA integrity_check").fetchone() == ("ok",)


@pytest.mark.parametrize("write", [True, False])
def test_an_older_database_is_migrated_after_a_backup(
    home: Home, connection: sqlite3.Connection, write: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    connection.close()
    monkeypatch.setenv("QUIZAPP_NOW", NOON.isoformat())
    for module in ("quizapp.storage.open", "quizapp.storage.schema"):
        monkeypatch.setattr(f"{module}.MIGRATIONS", (*schema.MIGRATIONS, SECOND), raising=True)
    monkeypatch.setattr(schema.migrate, "__defaults__", (schema.MIGRATIONS,))
    monkeypatch.setattr(schema.version_of, "__defaults__", (len(schema.MIGRATIONS),))
    with open_store(home, write=write) as store:
        assert version(store.connection) == len(schema.MIGRATIONS)
        assert list(store.states()) == ["a"]
    (copy,) = backups_in(home.backups)
    with contextlib.closing(sqlite3.connect(copy)) as saved:
        assert version(saved) == len(schema.MIGRATIONS) - 1
        assert saved.execute("SELECT count(*) FROM log").fetchone() == (1,)


@pytest.mark.parametrize("write", [True, False])
def test_a_newer_database_is_refused_and_stays(
    home: Home, connection: sqlite3.Connection, write: bool
) -> None:
    connection.execute("PRAGMA user_version = 99")
    connection.close()
    before = home.database.read_bytes()
    with pytest.raises(StorageError) as caught:
        open_store(home, write=write, now=NOON)
    assert str(caught.value) == (
        f"{home.database}: written by a newer quizapp (data version 99, "
        f"this one knows {len(schema.MIGRATIONS)}); update quizapp"
    )
    assert home.database.read_bytes() == before
    assert not home.lock.exists()
