"""What was acknowledged stays, whatever ends the process; what failed leaves no trace."""

from __future__ import annotations

import contextlib
import datetime as dt
import os
import shutil
import signal
import sqlite3
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from quizapp.home import Home
from quizapp.review.types import Review
from quizapp.storage import SqliteStore, StorageError, open_store

NOON = dt.datetime(2026, 11, 30, 12, tzinfo=dt.timezone(dt.timedelta(hours=1)))
Answer = Callable[..., Review]

KILLED = """
import datetime as dt, os, signal, sys
from pathlib import Path
from quizapp.config import Config
from quizapp.home import Home
from quizapp.review.scheduler import KernelScheduler
from quizapp.review.types import Grade, Review
from quizapp.storage import open_store

now = dt.datetime(2026, 11, 30, 12, tzinfo=dt.timezone.utc)
home, scheduler = Home(Path(sys.argv[1])), KernelScheduler(Config())

def session(number, pipe):
    store = open_store(home, write=True, now=now)
    card = f"card-{number % 9}"
    outcome = scheduler.outcome(store.state(card), Grade(number % 4 + 1), now.date())
    memory = outcome.memory
    store.add_review(Review(card, outcome.grade, now, now.date(), outcome.interval, outcome.due,
                            memory.stability, memory.difficulty, 1.0), leech=False)
    os.write(pipe, b"saved")
    signal.pause()

for number in range(50):
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        session(number, writing)
    os.close(writing)
    assert os.read(reading, 9) == b"saved"
    os.kill(child, signal.SIGKILL)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == -signal.SIGKILL
    os.close(reading)
    with open_store(home, write=False) as reader:
        assert reader.derived() == reader.states()
        print(len(list(reader.reviews())), flush=True)
"""


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs processes that can be killed")
def test_killing_after_each_of_fifty_grades_loses_nothing(home: Home) -> None:
    done = subprocess.run(
        [sys.executable, "-c", KILLED, str(home.path)],
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert done.stderr == ""
    assert done.stdout.split() == [str(number) for number in range(1, 51)]
    with open_store(home, write=True, now=NOON) as store:
        assert [int(review.grade) for review in store.reviews()] == [number % 4 + 1 for number in range(50)]
        assert store.connection.execute("PRAGMA integrity_check").fetchone() == ("ok",)


def grade_until_it_fails(store: SqliteStore, answer: Answer) -> tuple[int, str]:
    """How many reviews the log has then, the one before included, and what was said."""
    for number in range(10_000):
        try:
            answer(store, f"card-{number}")
        except StorageError as error:
            return number + 1, str(error)
    raise AssertionError("the disk took everything")


def test_a_full_database_refuses_in_one_line_and_keeps_what_it_has(
    store: SqliteStore, answer: Answer
) -> None:
    answer(store, "first")
    (pages,) = store.connection.execute("PRAGMA page_count").fetchone()
    store.connection.execute(f"PRAGMA max_page_count = {pages}")
    saved, error = grade_until_it_fails(store, answer)
    assert error == (
        f"{store.path}: the disk is full; free some space and try again (what was saved is safe)"
    )
    assert len(list(store.reviews())) == saved
    assert store.derived() == store.states()
    store.connection.execute("PRAGMA max_page_count = 100000")
    answer(store, "after")
    assert store.state("after").reviews == 1


@pytest.mark.skipif(sys.platform == "win32", reason="needs a limit on file sizes")
def test_a_disk_that_fails_while_writing_is_one_line(home: Home, answer: Answer) -> None:
    """The system call itself fails here, for the log of writes and for the copy alike."""
    import resource

    with open_store(home, write=True, now=NOON) as store:
        answer(store, "first")
        before = resource.getrlimit(resource.RLIMIT_FSIZE)
        ignored = signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (64 * 1024, before[1]))
        try:
            saved, error = grade_until_it_fails(store, answer)
        finally:
            resource.setrlimit(resource.RLIMIT_FSIZE, before)
            signal.signal(signal.SIGXFSZ, ignored)
        assert "what was saved is safe" in error
        assert "\n" not in error
        assert len(list(store.reviews())) == saved
        answer(store, "after")
    with open_store(home, write=False) as reader:
        assert len(list(reader.reviews())) == saved + 1
        assert reader.derived() == reader.states()


@pytest.mark.parametrize(
    "content", [b"not a database at all, but some text of a user" * 30, b"SQLite format 3\0" + b"\xff" * 4000]
)
def test_a_file_that_is_no_database_is_one_line_and_stays(home: Home, content: bytes) -> None:
    home.path.mkdir()
    home.database.write_bytes(content)
    for write in (False, True):
        with pytest.raises(StorageError) as caught:
            open_store(home, write=write, now=NOON)
        assert str(caught.value).startswith(f"{home.database}: ")
        assert "\n" not in str(caught.value)
        assert home.database.read_bytes() == content
    assert not home.lock.exists()


def test_a_damaged_page_is_one_line(home: Home, answer: Answer) -> None:
    with open_store(home, write=True, now=NOON) as store:
        for number in range(200):
            answer(store, f"card-{number}")
    data = bytearray(home.database.read_bytes())
    data[4096:] = bytes(len(data) - 4096)
    home.database.write_bytes(data)
    with pytest.raises(StorageError, match=r"the file is damaged .*copy the newest file of .*backups"):
        open_store(home, write=False).states()


def test_another_programs_database_stays_untouched(home: Home) -> None:
    home.path.mkdir()
    with contextlib.closing(sqlite3.connect(home.database)) as other:
        other.execute("CREATE TABLE notes (x)")
    before = home.database.read_bytes()
    for write in (False, True):
        with pytest.raises(StorageError, match="this is no database of quizapp; move it away"):
            open_store(home, write=write, now=NOON)
    assert home.database.read_bytes() == before


def test_a_home_that_is_a_file_is_one_line(tmp_path: Path) -> None:
    home = Home(tmp_path / "file")
    home.path.write_text("x")
    with pytest.raises(StorageError, match=r"can't be made .*choose another --home"):
        open_store(home, write=True, now=NOON)


def test_an_empty_file_of_a_start_that_was_cut_off_is_a_new_log(home: Home, answer: Answer) -> None:
    home.path.mkdir()
    home.database.touch()
    with open_store(home, write=False) as reader:
        assert reader.states() == {}
    with open_store(home, write=True, now=NOON) as store:
        answer(store, "a")


def test_a_copied_home_opens(home: Home, tmp_path: Path, answer: Answer) -> None:
    with open_store(home, write=True, now=NOON) as store:
        answer(store, "a")
    shutil.copytree(home.path, tmp_path / "copy")
    with open_store(Home(tmp_path / "copy"), write=True, now=NOON) as copy:
        assert list(copy.states()) == ["a"]


def test_a_failed_action_of_several_rows_leaves_none(
    store: SqliteStore, answer: Answer, monkeypatch: pytest.MonkeyPatch
) -> None:
    for card in ("a", "b", "c"):
        answer(store, card)
    before, rows = store.states(), store.connection.execute("SELECT count(*) FROM log").fetchone()
    from quizapp.storage import rows as row_module

    real, written = row_module.write_entry, []

    def fails_at_the_second(*arguments: object) -> None:
        written.append(arguments)
        if len(written) == 2:
            raise sqlite3.OperationalError("power cut")
        real(*arguments)  # type: ignore[arg-type]

    monkeypatch.setattr(row_module, "write_entry", fails_at_the_second)
    with pytest.raises(StorageError, match="power cut"):
        store.reset(["a", "b", "c"], NOON, NOON.date())
    assert store.states() == before
    assert store.connection.execute("SELECT count(*) FROM log").fetchone() == rows
    assert not store.connection.in_transaction
