"""What doctor finds in a database that someone else has changed."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable

from quizapp.review.types import Review
from quizapp.storage import SqliteStore, integrity

Answer = Callable[..., Review]


def test_a_sound_database_has_nothing(store: SqliteStore, answer: Answer) -> None:
    answer(store, "a", days=-1)
    answer(store, "a")
    store.undo(dt.datetime(2026, 11, 30, tzinfo=dt.UTC), dt.date(2026, 11, 30))
    assert integrity.damages(store) == []
    assert integrity.differences(store) == []
    assert integrity.days_backwards(store) == []


def test_a_changed_state_is_found(store: SqliteStore, answer: Answer) -> None:
    answer(store, "a")
    answer(store, "b")
    store.connection.execute("UPDATE card_state SET stability = stability * 1.0000001 WHERE card = 'b'")
    assert integrity.differences(store) == ["b"]


def test_days_that_run_backwards_are_found(store: SqliteStore, answer: Answer) -> None:
    answer(store, "a", days=3)
    answer(store, "a", days=1)
    answer(store, "b", days=0)
    assert integrity.days_backwards(store) == ["a"]


def test_an_undo_of_a_row_that_is_not_there_is_found(store: SqliteStore, answer: Answer) -> None:
    answer(store, "a")
    store.connection.execute("PRAGMA foreign_keys = 0")
    store.connection.execute(
        "INSERT INTO log (at, utc_offset, day, action, card, undoes) "
        "VALUES (1, 0, '2026-11-30', 'undo', 'a', 77)"
    )
    assert integrity.damages(store) == ["row 2 of log refers to a row that is not there"]


def test_long_lists_are_cut() -> None:
    assert integrity.some(["a", "b"]) == "a, b"
    assert integrity.some(list("abcde")) == "a, b, c and 2 more"
