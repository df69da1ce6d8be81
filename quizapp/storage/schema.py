"""The tables, and how a database of an earlier version becomes one of this version."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from pathlib import Path

from quizapp.storage.errors import StorageError

# Says in the file's header that it is ours ("QUIZ").
APPLICATION_ID = 0x5155495A
# STRICT tables.
OLDEST_SQLITE = (3, 37, 0)

# One tuple of statements a version. A version that was ever released is never edited: a new one follows it.
MIGRATIONS: tuple[tuple[str, ...], ...] = (
    (
        f"PRAGMA application_id = {APPLICATION_ID}",
        # The truth. `at` is in ms since 1970; `batch` is the first `seq` of an action on several cards.
        """
        CREATE TABLE log (
            seq INTEGER PRIMARY KEY,
            at INTEGER NOT NULL UNIQUE,
            utc_offset INTEGER NOT NULL,
            day TEXT NOT NULL,
            action TEXT NOT NULL CHECK (action IN ('review', 'suspend', 'unsuspend', 'bury', 'mark', 'unmark',
                                                   'reset', 'carry', 'reschedule', 'undo')),
            card TEXT NOT NULL,
            batch INTEGER,
            undoes INTEGER REFERENCES log (seq),
            source TEXT,
            grade INTEGER CHECK (grade BETWEEN 1 AND 4),
            was_new INTEGER CHECK (was_new IN (0, 1)),
            leech INTEGER CHECK (leech IN (0, 1)),
            scheduler TEXT,
            stability REAL,
            difficulty REAL,
            interval INTEGER,
            due TEXT,
            seconds REAL,
            confidence REAL CHECK (confidence BETWEEN 0 AND 1),
            CHECK ((action = 'undo') = (undoes IS NOT NULL)),
            CHECK ((action = 'carry') = (source IS NOT NULL)),
            CHECK ((action = 'review') = (grade IS NOT NULL)),
            CHECK (action NOT IN ('review', 'reschedule')
                   OR (stability > 0 AND difficulty BETWEEN 1 AND 10 AND interval >= 0 AND due IS NOT NULL
                       AND scheduler IS NOT NULL))
        ) STRICT
        """,
        "CREATE INDEX log_card ON log (card)",
        "CREATE INDEX log_day ON log (day)",
        "CREATE UNIQUE INDEX log_undoes ON log (undoes) WHERE undoes IS NOT NULL",
        "CREATE INDEX log_carry ON log (seq) WHERE action = 'carry'",
        """
        CREATE TRIGGER log_is_append_only_update BEFORE UPDATE ON log
        BEGIN SELECT RAISE(ABORT, 'the review log is append-only'); END
        """,
        """
        CREATE TRIGGER log_is_append_only_delete BEFORE DELETE ON log
        BEGIN SELECT RAISE(ABORT, 'the review log is append-only'); END
        """,
        # Derived from the log, in the same transaction.
        """
        CREATE TABLE card_state (
            card TEXT PRIMARY KEY,
            stability REAL,
            difficulty REAL,
            day TEXT,
            due TEXT,
            interval INTEGER NOT NULL,
            reviews INTEGER NOT NULL,
            lapses INTEGER NOT NULL,
            suspended INTEGER NOT NULL,
            buried_on TEXT,
            marked INTEGER NOT NULL,
            leech INTEGER NOT NULL
        ) STRICT, WITHOUT ROWID
        """,
    ),
    # A row that was made elsewhere and merged later: the `seq` of the row of this log that it follows in time.
    ("ALTER TABLE log ADD COLUMN place INTEGER",),
)


def version_of(connection: sqlite3.Connection, path: Path, known: int = len(MIGRATIONS)) -> int:
    """The version of the open database, 0 for an empty one.

    Raises StorageError for a file of another program, and for one that a newer quizapp has written.
    """
    version = int(connection.execute("PRAGMA user_version").fetchone()[0])
    ours = connection.execute("PRAGMA application_id").fetchone()[0] == APPLICATION_ID
    if not ours and (version or connection.execute("SELECT 1 FROM sqlite_master LIMIT 1").fetchone()):
        raise StorageError(f"{path}: this is no database of quizapp; move it away or choose another --home")
    if version > known:
        versions = f"data version {version}, this one knows {known}"
        raise StorageError(f"{path}: written by a newer quizapp ({versions}); update quizapp")
    return version


def migrate(connection: sqlite3.Connection, migrations: Sequence[Sequence[str]] = MIGRATIONS) -> None:
    """Bring the open database to the latest version, each version whole or not at all."""
    while True:
        # Asked within the transaction: another process may have migrated meanwhile.
        connection.execute("BEGIN IMMEDIATE")
        try:
            version = int(connection.execute("PRAGMA user_version").fetchone()[0])
            if version >= len(migrations):
                connection.execute("ROLLBACK")
                return
            for statement in migrations[version]:
                connection.execute(statement)
            connection.execute(f"PRAGMA user_version = {version + 1}")
            connection.execute("COMMIT")
        except BaseException:
            if connection.in_transaction:
                connection.execute("ROLLBACK")
            raise
