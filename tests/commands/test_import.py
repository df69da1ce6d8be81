"""``quizapp import`` as scripts see it: round trips, second computers, bad files."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from quizapp.cli import run
from quizapp.decks.library import built_in_decks
from quizapp.home import Home
from quizapp.storage import open_store
from quizapp.storage.lock import SessionLock


@pytest.fixture(autouse=True)
def fixed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("QUIZAPP_HOME", str(tmp_path / "home"))
    monkeypatch.setenv("QUIZAPP_NOW", "2026-11-30T12:00:00+01:00")


MINE = (
    '# Mine\n\n## One?\n\n```toml card\nid = "one"\n```\n\nYes.\n\n## Two {{c1::a}} {{c2::b}}\n\nBecause.\n'
)


@pytest.fixture
def mine(tmp_path: Path) -> Path:
    path = tmp_path / "mine.md"
    path.write_text(MINE, "utf-8")
    return path


def report(capsys: pytest.CaptureFixture[str], *arguments: str) -> dict[str, Any]:
    capsys.readouterr()
    assert run(["import", *arguments, "--json"]) == 0
    values: dict[str, Any] = json.loads(capsys.readouterr().out)
    return values


def refused(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    capsys.readouterr()
    assert run(["import", *arguments]) == 2
    (line,) = capsys.readouterr().err.splitlines()
    return line


def files(folder: Path) -> dict[str, tuple[int, bytes]]:
    found = (path for path in folder.rglob("*") if path.is_file() and path.name != "cache.msgpack")
    return {str(path): (path.stat().st_mtime_ns, path.read_bytes()) for path in found}


def exported(card: str, at: str, day: str) -> dict[str, Any]:
    return {
        "action": "review", "card": card, "at": at, "day": day, "grade": 3, "stability": 2.3065,
        "difficulty": 2.118, "interval": 2, "due": "2026-12-01", "seconds": 4.0,
    }  # fmt: skip


def json_file(path: Path, *log: dict[str, Any], **values: Any) -> Path:
    whole = {"quizapp": 1, "exported": "2026-11-30T10:00:00Z", "decks": [], "log": list(log), **values}
    path.write_text(json.dumps(whole), "utf-8")
    return path


def test_a_deck_file_is_copied_as_it_is(
    mine: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    values = report(capsys, str(mine))
    copy = tmp_path / "home" / "decks" / "mine.md"
    assert copy.read_bytes() == mine.read_bytes()
    assert (values["notes"], values["cards"], values["added"]) == (2, 3, 3)
    assert values["decks"] == [
        {"deck": "mine", "path": str(copy), "added": 3, "updated": 0, "unchanged": 0, "kept": 0}
    ]
    assert str(copy) in values["written"]
    assert run(["decks", "check", "--strict", str(copy)]) == 0


def test_again_changes_nothing(mine: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    report(capsys, str(mine))
    before = files(tmp_path / "home")
    values = report(capsys, str(mine))
    assert (values["added"], values["unchanged"], values["written"]) == (0, 3, [])
    assert files(tmp_path / "home") == before
    assert run(["import", str(mine)]) == 0
    assert capsys.readouterr().out.splitlines()[-1] == "nothing was written: all is as it was"


@pytest.mark.parametrize("name", ["all.json", "rope.md"])
def test_built_in_decks_round_trip_into_another_folder(name: str, tmp_path: Path) -> None:
    first, second = tmp_path / name, tmp_path / f"again-{name}"
    decks = [name.split(".")[0]] if name != "all.json" else []
    assert run(["export", *decks, "-o", str(first)]) == 0
    into = tmp_path / "into"
    assert run(["import", str(first), "--into", str(into)]) == 0
    found = sorted(str(path) for path in into.glob("*.md"))
    assert len(found) == (11 if not decks else 1)
    assert run(["decks", "check", "--strict", *found]) == 0
    # The folder's decks replace the built-in ones of the same names.
    assert run(["export", *decks, "-o", str(second), "--decks", str(into)]) == 0
    assert second.read_bytes() == first.read_bytes()


@pytest.mark.parametrize("name", ["all.apkg", "all.txt", "all.csv", "all.tsv", "all.mochi"])
def test_every_format_that_remembers_where_its_cards_came_from_brings_them_back_whole(
    name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    source, into = tmp_path / name, tmp_path / "into"
    assert run(["export", "-o", str(source)]) == 0
    values = report(capsys, str(source))
    assert (values["unchanged"], values["added"], values["updated"], values["written"]) == (295, 0, 0, [])
    assert run(["import", str(source), "--into", str(into)]) == 0
    assert run(["export", "-o", str(tmp_path / "here.json")]) == 0
    assert run(["export", "-o", str(tmp_path / "there.json"), "--decks", str(into)]) == 0
    assert (tmp_path / "there.json").read_bytes() == (tmp_path / "here.json").read_bytes()


def test_a_schedule_survives_the_way_through_an_anki_package(
    mine: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    other = ["--home", str(tmp_path / "other")]
    assert run(["import", str(mine)]) == 0
    rows = [
        exported("one", "2026-11-29T12:00:00.125+01:00", "2026-11-29"),
        exported("mine/two-c1-a-c2-b:2", "2026-11-29T12:01:00+01:00", "2026-11-29"),
        {"action": "suspend", "card": "one", "at": "2026-11-29T12:02:00+01:00", "day": "2026-11-29"},
    ]
    assert run(["import", str(json_file(tmp_path / "log.json", *rows))]) == 0
    assert run(["export", "mine", "-o", str(tmp_path / "a.apkg"), "--with-schedule"]) == 0
    assert report(capsys, str(tmp_path / "a.apkg"), *other)["reviews"]["reviews"] == 2
    for command, count in ((["cards", "deck:mine", "--json"], 3), (["log", "--json"], 2)):
        assert run(command) == 0
        here = json.loads(capsys.readouterr().out)
        assert run([*command, *other]) == 0
        there = json.loads(capsys.readouterr().out)
        assert len(here) == len(there) == count
        for left, right in zip(here, there, strict=True):
            assert {
                key: pytest.approx(v, rel=1e-3) if isinstance(v, float) else v for key, v in left.items()
            } == right
    assert report(capsys, str(tmp_path / "a.apkg"), *other)["reviews"]["added"] == 0


def test_an_unchanged_built_in_deck_leaves_the_home_as_it_was(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["export", "-o", str(tmp_path / "all.json")]) == 0
    values = report(capsys, str(tmp_path / "all.json"))
    assert (values["unchanged"], values["added"], values["written"]) == (295, 0, [])
    assert not (tmp_path / "home" / "decks").exists()


def test_an_edit_made_elsewhere_comes_home(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    source = tmp_path / "rope.json"
    assert run(["export", "rope", "-o", str(source)]) == 0
    whole = json.loads(source.read_text("utf-8"))
    entry = next(entry for entry in whole["decks"][0]["entries"] if entry["kind"] == "recall")
    entry["answer"] = "Edited elsewhere."
    source.write_text(json.dumps(whole), "utf-8")
    said = report(capsys, str(source), "--dry-run")
    assert (said["updated"], said["dry_run"]) == (1, True)
    assert not (tmp_path / "home" / "decks").exists()
    assert report(capsys, str(source))["updated"] == 1
    copy = tmp_path / "home" / "decks" / "rope.md"
    assert "Edited elsewhere." in copy.read_text("utf-8")
    assert copy.read_text("utf-8") != built_in_decks()["rope"].read_text("utf-8")
    assert run(["decks", "check", "--strict", str(copy)]) == 0


def test_a_second_computer_is_brought_up_to_date(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    deck = tmp_path / "mine.md"
    deck.write_text(MINE, "utf-8")
    other = ["--home", str(tmp_path / "other")]
    assert run(["import", str(deck)]) == 0
    rows = [
        exported("one", "2026-11-28T12:00:00+01:00", "2026-11-28"),
        exported("mine/two-c1-a-c2-b:1", "2026-11-28T12:01:00.250+01:00", "2026-11-28"),
        {"action": "mark", "card": "one", "at": "2026-11-28T12:02:00+01:00", "day": "2026-11-28"},
    ]
    assert report(capsys, str(json_file(tmp_path / "log.json", *rows)))["reviews"] == {
        "added": 3, "reviews": 2, "known": 0, "rescheduled": 0,
    }  # fmt: skip
    source = tmp_path / "all.json"
    assert run(["export", "--with-schedule", "-o", str(source)]) == 0
    assert report(capsys, str(source), *other)["reviews"]["added"] == 3
    for command in (["cards", "deck:mine", "--json"], ["log", "--json"]):
        assert run(command) == 0
        here = capsys.readouterr().out
        assert run([*command, *other]) == 0
        assert capsys.readouterr().out == here
        assert len(json.loads(here)) >= 2
    before = files(tmp_path / "other")
    assert report(capsys, str(source), *other)["reviews"]["added"] == 0
    assert files(tmp_path / "other") == before
    assert run(["doctor", *other]) == 0


def test_without_schedule_leaves_the_log_alone(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    source = json_file(tmp_path / "log.json", exported("one", "2026-11-28T12:00:00+01:00", "2026-11-28"))
    values = report(capsys, str(source), "--without-schedule")
    assert values["reviews"] is None
    assert [loss["what"] for loss in values["lost"]] == ["the schedule, as you asked"]
    assert not (tmp_path / "home" / "reviews.sqlite").exists()


def test_a_dry_run_says_what_a_merge_would_add(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    source = json_file(tmp_path / "log.json", exported("one", "2026-11-28T12:00:00+01:00", "2026-11-28"))
    assert report(capsys, str(source), "--dry-run")["reviews"]["reviews"] == 1
    assert not (tmp_path / "home" / "reviews.sqlite").exists()


def test_another_writer_is_one_line_and_no_deck_is_written(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    deck = {
        "name": "new",
        "title": "New",
        "entries": [{"id": "n", "kind": "recall", "heading": "?", "answer": "a"}],
    }
    source = json_file(
        tmp_path / "a.json", exported("n", "2026-11-28T12:00:00+01:00", "2026-11-28"), decks=[deck]
    )
    home = Home(tmp_path / "home")
    open_store(home, write=True).close()
    lock = SessionLock(home.lock)
    try:
        assert "another quizapp is writing" in refused(capsys, str(source))
    finally:
        lock.release()
    assert not home.decks.exists()
    assert report(capsys, str(source))["added"] == 1


def test_a_clock_set_back_is_one_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    source = json_file(tmp_path / "a.json", exported("n", "2026-11-28T12:00:00+01:00", "2026-11-28"))
    monkeypatch.setenv("QUIZAPP_NOW", "2026-11-20T12:00:00+01:00")
    assert "set the clock right" in refused(capsys, str(source))


@pytest.mark.parametrize(
    ("content", "words"),
    [
        ('{"quizapp": 1, "decks": [', "broken JSON"),
        ('{"quizapp": 99}', "newer quizapp"),
        ("[]", "no export of quizapp"),
    ],
)
def test_bad_json_is_one_line(
    content: str, words: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "a.json").write_text(content, "utf-8")
    assert words in refused(capsys, str(tmp_path / "a.json"))
    assert not (tmp_path / "home" / "decks").exists()


def test_wrong_use_is_one_line(mine: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert "no such file" in refused(capsys, str(tmp_path / "none.json"))
    assert "write NAME=PART" in refused(capsys, str(mine), "--column", "Front")
    assert "the formats are" in refused(capsys, str(mine), "--format", "word")
    assert "Missing argument" in refused(capsys)
    empty = tmp_path / "empty"
    empty.mkdir()
    assert "no file to import" in refused(capsys, str(empty))
    (tmp_path / "file").write_text("x")
    assert "no folder" in refused(capsys, str(mine), "--into", str(tmp_path / "file"))


def test_a_target_that_is_no_folder_is_one_line(
    mine: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "loop").symlink_to(tmp_path / "loop")
    (tmp_path / "nowhere").symlink_to(tmp_path / "none")
    for target in (mine, tmp_path / "loop", tmp_path / "nowhere"):
        assert "this is no folder" in refused(capsys, str(mine), "--into", str(target))
    assert not (tmp_path / "none").exists()


def test_several_files_and_a_folder(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = tmp_path / "notes"
    (folder / "maths").mkdir(parents=True)
    (folder / ".git").mkdir()
    (folder / "maths" / "Sets.md").write_text("# Sets\n\n## What?\n\nThat.\n", "utf-8")
    (folder / ".git" / "x.md").write_text("# X\n\n## What?\n\nThat.\n", "utf-8")
    (folder / "a.md").write_text("# A\n\n## What?\n\nThat.\n", "utf-8")
    (tmp_path / "b.md").write_text("# B\n\n## What?\n\nThat.\n", "utf-8")
    values = report(capsys, str(folder), str(tmp_path / "b.md"))
    assert [file["decks"][0]["deck"] for file in values["files"]] == ["a", "maths/sets", "b"]
    decks = tmp_path / "home" / "decks"
    assert sorted(str(path.relative_to(decks)) for path in decks.rglob("*.md")) == [
        "a.md",
        "b.md",
        "maths/sets.md",
    ]


def test_edits_stay_and_replace_takes_the_file(
    mine: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    report(capsys, str(mine))
    copy = tmp_path / "home" / "decks" / "mine.md"
    copy.write_text(MINE.replace("Yes.", "Yes, mine."), "utf-8")
    mine.write_text(MINE.replace("Yes.", "Yes, theirs."), "utf-8")
    values = report(capsys, str(mine))
    assert (values["kept"], values["updated"], values["kept_ids"]) == (1, 0, ["one"])
    assert "--replace" in values["kept_because"][0]["what"]
    assert "Yes, mine." in copy.read_text("utf-8")
    assert report(capsys, str(mine), "--replace")["updated"] == 1
    assert copy.read_text("utf-8") == MINE.replace("Yes.", "Yes, theirs.")


DERIVATION = """id = "mine-sum"
title = "A sum"
claim = "a + a = 2*a"

[symbols]
a = "real"

[[steps]]
expr = "a + a"
why = "The left side."

[[steps]]
expr = "2*a"
why = "Both terms are the same."
"""


def test_own_derivations_travel_with_their_cards(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    home, other = tmp_path / "home", tmp_path / "other"
    (home / "derivations").mkdir(parents=True)
    (home / "derivations" / "mine-sum.toml").write_text(DERIVATION, "utf-8")
    (home / "decks").mkdir()
    block = '```toml card\nid = "sum"\nkind = "derivation"\nderivation = "mine-sum"\n```'
    (home / "decks" / "mine.md").write_text(f"# Mine\n\n## Derive it\n\n{block}\n", "utf-8")
    source = tmp_path / "mine.json"
    assert run(["export", "mine", "rope", "-o", str(source)]) == 0
    whole = json.loads(source.read_text("utf-8"))
    assert whole["derivations"] == {"mine-sum": DERIVATION}
    there = other / "derivations" / "mine-sum.toml"
    values = report(capsys, str(source), "--home", str(other))
    assert there.read_text("utf-8") == DERIVATION
    assert str(there) in values["written"]
    assert run(["decks", "check", "--strict", str(other / "decks" / "mine.md"), "--home", str(other)]) == 0
    assert report(capsys, str(source), "--home", str(other))["written"] == []
    there.write_text(DERIVATION.replace("A sum", "My sum"), "utf-8")
    assert [loss["where"] for loss in report(capsys, str(source), "--home", str(other))["lost"]] == [
        "mine-sum"
    ]
    assert "My sum" in there.read_text("utf-8")
    report(capsys, str(source), "--home", str(other), "--replace")
    assert there.read_text("utf-8") == DERIVATION


@pytest.mark.parametrize("name", ["../mine-sum", "/tmp/mine-sum", "mine-sum/../mine-sum", "other", ".."])
def test_a_derivation_never_leaves_its_folder(
    name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    source = json_file(tmp_path / "a.json", derivations={name: DERIVATION})
    values = report(capsys, str(source))
    assert [loss["where"] for loss in values["lost"]] == [name]
    assert list(tmp_path.rglob("*.toml")) == []
