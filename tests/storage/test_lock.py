"""One writer at a time, any number of readers, and one file afterwards."""

from __future__ import annotations

import contextlib
import datetime as dt
import os
import signal
import sqlite3
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

import pytest

from quizapp.home import Home
from quizapp.review.types import Review
from quizapp.storage import LockedError, SqliteStore, open_store
from quizapp.storage.lock import SessionLock, holder

NOON = dt.datetime(2026, 11, 30, 12, tzinfo=dt.timezone(dt.timedelta(hours=1)))

HOLD = """
import sys
from pathlib import Path
from quizapp.home import Home
from quizapp.storage import open_store
with open_store(Home(Path(sys.argv[1])), write=True) as store:
    print("open", flush=True)
    sys.stdin.readline()
"""


def start_session(home: Home) -> subprocess.Popen[str]:
    process = subprocess.Popen(
        [sys.executable, "-c", HOLD, str(home.path)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    assert process.stdout is not None
    assert process.stdout.readline() == "open\n"
    return process


def end_session(process: subprocess.Popen[str]) -> None:
    process.communicate("\n", timeout=20)
    assert process.returncode == 0


def test_the_second_writer_is_told_who_writes_and_what_to_do(home: Home) -> None:
    process = start_session(home)
    try:
        with pytest.raises(LockedError) as caught:
            open_store(home, write=True, now=NOON)
        assert holder(home.lock) == str(process.pid)
    finally:
        end_session(process)
    assert str(caught.value) == (
        f"another quizapp is writing in {home.path} (process {process.pid}); "
        "close it, or use a reader such as quizapp due"
    )
    assert caught.value.exit_code == 2
    assert holder(home.lock) is None
    open_store(home, write=True, now=NOON).close()


def test_a_killed_session_locks_nobody_out(home: Home) -> None:
    process = start_session(home)
    process.send_signal(signal.SIGKILL)
    process.communicate(timeout=20)
    assert holder(home.lock) is None
    open_store(home, write=True, now=NOON).close()
    assert [path.name for path in home.path.iterdir()] == ["reviews.sqlite"]


def test_readers_work_meanwhile_and_write_nothing(
    home: Home, store: SqliteStore, answer: Callable[..., Review]
) -> None:
    answer(store, "a")
    with open_store(home, write=False) as reader, open_store(home, write=False) as other:
        assert list(reader.states()) == list(other.states()) == ["a"]
        answer(store, "b")
        assert len(reader.states()) == 2
        with pytest.raises(Exception, match="readonly"):
            reader.connection.execute("DELETE FROM card_state")
    store.close()
    assert [path.name for path in home.path.iterdir()] == ["reviews.sqlite"]


def test_a_reader_that_stays_longer_leaves_one_file_too(
    home: Home, store: SqliteStore, answer: Callable[..., Review]
) -> None:
    answer(store, "a")
    reader = open_store(home, write=False)
    assert reader.states()
    store.close()
    reader.close()
    assert [path.name for path in home.path.iterdir()] == ["reviews.sqlite"]
    with open_store(home, write=False) as again:
        assert list(again.states()) == ["a"]
    assert [path.name for path in home.path.iterdir()] == ["reviews.sqlite"]


def test_a_reader_of_a_new_home_makes_nothing(home: Home) -> None:
    with open_store(home, write=False) as reader:
        assert reader.states() == {}
        assert reader.last_day() is None
    assert not home.path.exists()


def test_a_reader_does_not_wait_for_the_first_session_to_make_its_tables(home: Home) -> None:
    home.path.mkdir()
    lock = SessionLock(home.lock)
    with contextlib.closing(sqlite3.connect(home.database)) as begun:
        begun.execute("PRAGMA journal_mode = WAL")
        with open_store(home, write=False) as reader:
            assert reader.states() == {}
    lock.release()


def test_a_lock_file_that_was_removed_meanwhile_locks_again(tmp_path: Path) -> None:
    path = tmp_path / "session.lock"
    first = SessionLock(path)
    path.unlink()
    second = SessionLock(path)
    with pytest.raises(LockedError):
        SessionLock(path)
    second.release()
    first.release()
    assert not path.exists()


WITHOUT_PERMISSION = """
import os, sys
from pathlib import Path
from quizapp.home import Home
from quizapp.storage import StorageError, open_store
home = Home(Path(sys.argv[1]))
open_store(home, write=False).close()
home.path.chmod(0o555)
if os.geteuid() == 0:
    os.setuid(65534)
with open_store(home, write=False) as store:
    print(list(store.states()))
try:
    open_store(home, write=True)
except StorageError as error:
    print(error)
"""


@pytest.mark.skipif(not hasattr(os, "setuid"), reason="needs the permissions of POSIX")
def test_a_folder_without_permission_to_write_is_one_line_and_readable(answer: Callable[..., Review]) -> None:
    # The folders of tmp_path belong to their owner alone, and another user could not even enter them.
    with tempfile.TemporaryDirectory() as folder:
        home = Home(Path(folder))
        with open_store(home, write=True, now=NOON) as store:
            answer(store, "a")
        done = subprocess.run(
            [sys.executable, "-c", WITHOUT_PERMISSION, folder],
            capture_output=True,
            text=True,
            timeout=60,
            check=True,
        )
        assert done.stdout.splitlines() == [
            "['a']",
            f"{home.path}: can't be written (permission denied); check its permissions",
        ]
        assert [path.name for path in home.path.iterdir()] == ["reviews.sqlite"]
        home.path.chmod(0o755)
