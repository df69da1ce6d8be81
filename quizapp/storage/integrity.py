"""What ``quizapp doctor`` asks of the database: is it whole, and does it agree with itself?"""

from __future__ import annotations

import sqlite3

from quizapp.storage import rows
from quizapp.storage.errors import explained
from quizapp.storage.store import SqliteStore

_SHOWN = 3
# Before this version two connections that write and checkpoint at once can corrupt a write-ahead log. quizapp
# has one writer at a time, so this is a note and no danger.
_WAL_RESET_FIXED = (3, 51, 3)


def damages(store: SqliteStore) -> list[str]:
    """The ways in which the file is damaged, one line each; none where it is whole."""
    with explained(store.path):
        found = [str(row[0]) for row in store.connection.execute("PRAGMA quick_check(10)")]
        found += [
            f"row {row[1]} of {row[0]} refers to a row that is not there"
            for row in store.connection.execute("PRAGMA foreign_key_check")
        ]
    return [line for line in found if line != "ok"]


def differences(store: SqliteStore) -> list[str]:
    """The cards whose derived state is not what the log says."""
    derived, kept = store.derived(), store.states()
    return sorted(card for card in derived | kept if derived.get(card) != kept.get(card))


def days_backwards(store: SqliteStore) -> list[str]:
    """The cards with a review on an earlier study day than their review before."""
    sql = (
        "SELECT DISTINCT card FROM "
        f"(SELECT card, day, lag(day) OVER (PARTITION BY card ORDER BY {rows.ORDER}) AS before "
        f"FROM log WHERE action = 'review' AND {rows.LIVE}) WHERE day < before ORDER BY card"
    )
    with explained(store.path):
        return [str(row[0]) for row in store.connection.execute(sql)]


def sqlite_note() -> str:
    """The version of SQLite, with a remark where a known bug is around."""
    if sqlite3.sqlite_version_info < _WAL_RESET_FIXED:
        fixed = ".".join(map(str, _WAL_RESET_FIXED))
        advice = f"before {fixed} no other program may write there"
        return f"SQLite {sqlite3.sqlite_version}; {advice}"
    return f"SQLite {sqlite3.sqlite_version}"


def some(names: list[str]) -> str:
    """The first few names, and how many more there are."""
    more = len(names) - _SHOWN
    return ", ".join(names[:_SHOWN]) + (f" and {more} more" if more > 0 else "")
