"""``quizapp backup``, ``rebuild``, ``reset`` and ``doctor``."""

from __future__ import annotations

import datetime as dt
import io
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from quizapp.decks.library import built_in_decks
from quizapp.decks.write import original_note, take_over
from quizapp.home import Home
from quizapp.review.types import Review
from quizapp.storage import open_store
from quizapp.storage.backup import is_database

Run = Callable[..., Any]
Answer = Callable[..., Review]
NOON = dt.datetime(2026, 11, 30, 12, tzinfo=dt.timezone(dt.timedelta(hours=1)))


def test_backup_copies_and_says_what(home: Home, quizapp: Run, answer: Answer, tmp_path: Path) -> None:
    target = tmp_path / "copy.sqlite"
    ran = quizapp("backup", str(target))
    assert (ran.code, ran.err) == (2, f"quizapp: backup: {home.path} has no reviews yet\n")
    with open_store(home, write=True) as store:
        answer(store, "zz-why")
        # A session that runs is no obstacle.
        report = quizapp("backup", str(target), "--json").json
    assert report == {"path": str(target), "reviews": 1, "bytes": target.stat().st_size}
    assert is_database(target)
    assert quizapp("backup", str(home.database)).code == 2
    assert quizapp("backup", str(home.config.parent / "decks")).err.endswith(
        "this is a folder; name a file in it\n"
    )


def test_rebuild_reports_what_it_put_right(home: Home, quizapp: Run, answer: Answer) -> None:
    with open_store(home, write=True) as store:
        answer(store, "zz-why")
        answer(store, "zz-slope")
        store.connection.execute("DELETE FROM card_state WHERE card = 'zz-why'")
    report = quizapp("rebuild", "--json").json
    assert report == {"reviews": 2, "cards": 2, "changed": ["zz-why"], "rescheduled": []}
    assert quizapp("rebuild").out == "2 reviews of 2 cards replayed: all were right\n"


def test_rebuild_reschedules_under_a_new_retention(home: Home, quizapp: Run, answer: Answer) -> None:
    with open_store(home, write=True) as store:
        answer(store, "zz-why", 4)
    assert quizapp("rebuild", "--reschedule", "--json").json["rescheduled"] == []
    home.config.write_text("desired_retention = 0.8\n")
    before = quizapp("cards", "id:zz-why", "--json").json[0]
    assert quizapp("rebuild", "--reschedule", "--json").json["rescheduled"] == ["zz-why"]
    after = quizapp("cards", "id:zz-why", "--json").json[0]
    assert after["due"] > before["due"]
    assert after["stability"] == before["stability"]
    assert quizapp("rebuild", "--reschedule", "--json").json["rescheduled"] == []


def test_reset_asks_and_forgets(
    home: Home, quizapp: Run, answer: Answer, monkeypatch: pytest.MonkeyPatch
) -> None:
    with open_store(home, write=True) as store:
        for card in ("zz-why", "zz-base", "zz-slope", "zz-removed"):
            answer(store, card)
    for refusal in ("n\n", ""):
        monkeypatch.setattr("sys.stdin", io.StringIO(refusal))
        ran = quizapp("reset", "zz-rotary")
        assert (ran.code, ran.out) == (0, "nothing was changed\n")
        assert "Forget the memory of 2 cards (zz-rotary)?" in ran.err
    monkeypatch.setattr("sys.stdin", io.StringIO("y\n"))
    assert quizapp("reset", "zz-rotary").out == "zz-rotary: 2 cards new again\n"
    assert quizapp("reset", "zz-rotary").out == "zz-rotary: nothing to forget, all is new\n"
    assert quizapp("reset", "zz-removed", "--yes", "--json").json == {"reset": ["zz-removed"]}
    with open_store(home, write=True) as store:
        assert set(store.states()) == {"zz-slope"}
        assert len(list(store.reviews())) == 4
        store.undo(NOON, NOON.date())
        store.undo(NOON, NOON.date())
        assert set(store.states()) == {"zz-slope", "zz-why", "zz-base", "zz-removed"}


def test_reset_takes_a_cloze_as_a_whole(home: Home, quizapp: Run, answer: Answer) -> None:
    with open_store(home, write=True) as store:
        answer(store, "zz-pairs:1")
        answer(store, "zz-pairs:2")
    assert quizapp("reset", "zz-pairs", "--yes", "--json").json == {"reset": ["zz-pairs:1", "zz-pairs:2"]}


def test_reset_of_an_unknown_name_is_one_line(quizapp: Run) -> None:
    ran = quizapp("reset", "zz-rotry", "--yes")
    assert (ran.code, ran.err) == (2, "quizapp: reset: no card or deck zz-rotry; did you mean zz-rotary?\n")


def test_a_second_writer_gets_one_line_and_readers_work(home: Home, quizapp: Run, answer: Answer) -> None:
    with open_store(home, write=True) as store:
        answer(store, "zz-why")
        for command in (["rebuild"], ["reset", "zz-why", "--yes"]):
            ran = quizapp(*command)
            assert (ran.code, ran.out) == (2, "")
            assert ran.err.startswith(f"quizapp: another quizapp is writing in {home.path} (process ")
            assert ran.err.endswith("); close it, or use a reader such as quizapp due\n")
        for command in (["due"], ["cards"], ["log"], ["config"]):
            assert quizapp(*command).code == 0


def levels(report: Any) -> dict[str, set[str]]:
    found: dict[str, set[str]] = {}
    for check in report["checks"]:
        found.setdefault(check["check"], set()).add(check["level"])
    return found


def test_doctor_finds_nothing_wrong_in_a_sound_home(home: Home, quizapp: Run, answer: Answer) -> None:
    with open_store(home, write=True) as store:
        answer(store, "zz-why")
        answer(store, "zz-removed")
    ran = quizapp("doctor", "--json")
    assert ran.code == 0
    assert ran.json["ok"] is True
    assert "error" not in {check["level"] for check in ran.json["checks"]}
    said = quizapp("doctor").out
    assert "2 reviews, and the memory is what they say" in said
    assert "in no deck any more, its reviews are kept: zz-removed" in said


def test_doctor_finds_what_is_wrong(home: Home, quizapp: Run, answer: Answer) -> None:
    with open_store(home, write=True) as store:
        answer(store, "zz-why")
        store.connection.execute("UPDATE card_state SET lapses = 5")
    (home.decks / "zz-broken.md").write_text("no title here\n")
    ran = quizapp("doctor", "--json")
    assert ran.code == 1
    assert "error" in levels(ran.json)["reviews"]
    assert "error" in levels(ran.json)["decks"]
    home.config.write_text("desired_retention = 9\n")
    ran = quizapp("doctor")
    assert ran.code == 1
    assert "error  configuration: " in ran.out
    assert "run quizapp rebuild" in ran.out
    assert ran.err == f"quizapp: doctor: 2 problems in {home.path}\n"


def test_doctor_tells_of_a_damaged_file_and_an_open_session(home: Home, quizapp: Run, answer: Answer) -> None:
    with open_store(home, write=True) as store:
        answer(store, "zz-why")
        assert levels(quizapp("doctor", "--json").json)["session"] == {"note"}
    home.database.write_bytes(home.database.read_bytes()[:4096] + bytes(8192))
    ran = quizapp("doctor")
    assert ran.code == 1
    assert "error  reviews: " in ran.out
    assert ran.err.count("\n") == 1


def test_doctor_notes_a_clock_that_was_ahead(home: Home, quizapp: Run, answer: Answer) -> None:
    with open_store(home, write=True) as store:
        answer(store, "zz-why", days=40)
    ran = quizapp("doctor")
    assert ran.code == 0
    assert "the clock was ahead: the last review's study day 2027-01-09 counts as today" in ran.out


def test_doctor_works_before_the_first_session(quizapp: Run, tmp_path: Path) -> None:
    ran = quizapp("doctor", "--home", str(tmp_path / "nowhere"))
    assert ran.code == 0
    assert "the first session makes it" in ran.out
    assert not (tmp_path / "nowhere").exists()


def test_doctor_tells_of_an_edited_deck_whose_original_has_changed(home: Home, quizapp: Run) -> None:
    own = take_over(built_in_decks()["rope"], home.decks, "rope")
    assert "has changed" not in quizapp("doctor").out
    original_note(own).write_text("# As it was in an earlier version\n")
    assert "the original of rope has changed since you edited it" in quizapp("doctor").out
