"""Copies: complete, checked, rotating, and never in the way."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable
from pathlib import Path

import pytest

from quizapp.home import Home
from quizapp.review.types import Review
from quizapp.storage import StorageError, open_store
from quizapp.storage.backup import backups_in, is_database

NOON = dt.datetime(2026, 11, 30, 12, tzinfo=dt.timezone(dt.timedelta(hours=1)))
Answer = Callable[..., Review]


def sessions(home: Home, days: list[float]) -> None:
    for day in days:
        open_store(home, write=True, now=NOON + dt.timedelta(days=day)).close()


def test_a_copy_is_complete_also_while_a_session_writes(home: Home, tmp_path: Path, answer: Answer) -> None:
    target = tmp_path / "kept" / "copy.sqlite"
    target.parent.mkdir()
    with open_store(home, write=True, now=NOON) as store:
        for number in range(50):
            answer(store, f"card-{number}")
        with open_store(home, write=False) as reader:
            reader.backup(target)
            with pytest.raises(Exception, match="readonly"):
                reader.connection.execute("DELETE FROM card_state")
        expected = (list(store.reviews()), store.states())
    restored = Home(tmp_path / "other")
    restored.path.mkdir()
    target.rename(restored.database)
    assert list(target.parent.iterdir()) == []
    with open_store(restored, write=True, now=NOON) as copy:
        assert (list(copy.reviews()), copy.states()) == expected


def test_an_earlier_copy_is_replaced_but_no_other_file(home: Home, tmp_path: Path, answer: Answer) -> None:
    target, other = tmp_path / "copy.sqlite", tmp_path / "thesis.txt"
    other.write_text("years of work")
    with open_store(home, write=True, now=NOON) as store:
        answer(store, "a")
        store.backup(target)
        first = target.read_bytes()
        answer(store, "b")
        store.backup(target)
        assert target.read_bytes() != first
        assert is_database(target)
        with pytest.raises(StorageError, match="this file is no backup of quizapp, so it stays"):
            store.backup(other)
        with pytest.raises(StorageError, match="this is a folder"):
            store.backup(tmp_path)
        with pytest.raises(StorageError, match="nowhere"):
            store.backup(tmp_path / "nowhere" / "copy.sqlite")
    assert other.read_text() == "years of work"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["copy.sqlite", "home", "thesis.txt"]


def test_sessions_take_a_copy_a_day_and_keep_ten(home: Home, answer: Answer) -> None:
    sessions(home, [0])
    assert backups_in(home.backups) == []
    with open_store(home, write=True, now=NOON) as store:
        answer(store, "a")
    sessions(home, [0.1, 0.5, 1.05, 1.2, 2.2])
    names = [path.name for path in backups_in(home.backups)]
    assert names == [
        "reviews-20261130T132400Z.sqlite",
        "reviews-20261201T154800Z.sqlite",
        "reviews-20261202T154800Z.sqlite",
    ]
    (home.backups / "mine.sqlite").write_text("kept")
    sessions(home, [float(day) for day in range(4, 24, 2)])
    names = [path.name for path in backups_in(home.backups)]
    assert len(names) == 10
    assert names[0].startswith("reviews-20261204T")
    assert names[-1].startswith("reviews-20261222T")
    assert (home.backups / "mine.sqlite").exists()


def test_a_backup_that_fails_says_so_and_lets_everyone_drill(home: Home, answer: Answer) -> None:
    with open_store(home, write=True, now=NOON) as store:
        answer(store, "a")
    home.backups.write_text("a file where the folder should be")
    with open_store(home, write=True, now=NOON) as store:
        assert store.backup_problem is not None
        assert store.backup_problem.startswith("no automatic backup was taken: ")
        answer(store, "b")
        assert len(store.states()) == 2
