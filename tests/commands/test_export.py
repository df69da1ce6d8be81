"""``quizapp export`` as scripts see it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from quizapp.cli import run
from quizapp.decks.library import built_in_decks
from quizapp.decks.parse import parse_deck


@pytest.fixture(autouse=True)
def fixed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("QUIZAPP_HOME", str(tmp_path / "home"))
    monkeypatch.setenv("QUIZAPP_NOW", "2026-11-30T12:00:00+01:00")


def refused(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    """The one line that a refused export prints."""
    assert run(["export", *arguments]) == 2
    done = capsys.readouterr()
    assert done.out == ""
    (line,) = done.err.splitlines()
    return line


def test_all_decks_and_the_report(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    target = tmp_path / "all.json"
    assert run(["export", "-o", str(target)]) == 0
    assert capsys.readouterr().out == f"wrote 295 cards of 11 decks to {target} (everything, as JSON)\n"
    assert len(json.loads(target.read_text("utf-8"))["decks"]) == 11


def test_the_report_for_scripts(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    target = tmp_path / "some.json"
    assert run(["export", "rope", "sinusoidal", "-o", str(target), "--json"]) == 0
    values = json.loads(capsys.readouterr().out)
    assert set(values) == {"path", "format", "title", "decks", "entries", "cards", "reviews", "lost"}
    assert (values["format"], values["decks"], values["lost"]) == ("json", ["rope", "sinusoidal"], [])


def test_a_tag_a_search_and_a_deck_narrow_together(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["cards", "deck:rope tag:senior -is:due", "--json"]) == 0
    wanted = {card["id"].split(":")[0] for card in json.loads(capsys.readouterr().out)}
    target = tmp_path / "some.json"
    assert run(["export", "rope", "--tag", "senior", "--search", "-is:due", "-o", str(target)]) == 0
    (deck,) = json.loads(target.read_text("utf-8"))["decks"]
    assert wanted
    assert {entry["id"] for entry in deck["entries"]} == wanted


def test_due_takes_what_is_due(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert "is:due finds no card" in refused(capsys, "--due", "-o", str(tmp_path / "a.json"))


def test_text_to_standard_output(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["export", "rope", "-o", "-", "--format", "md"]) == 0
    out = capsys.readouterr().out
    original = built_in_decks()["rope"].read_bytes()
    ids = [card.id for card in parse_deck(original, name="rope", path="rope.md").cards]
    assert [card.id for card in parse_deck(out.encode(), name="rope", path="rope.md").cards] == ids


def test_an_export_over_a_file_replaces_it(tmp_path: Path) -> None:
    target = tmp_path / "a.json"
    target.write_text("old")
    assert run(["export", "rope", "-o", str(target)]) == 0
    assert json.loads(target.read_text("utf-8"))["quizapp"] == 1


def test_refusals_are_one_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert "this is a folder" in refused(capsys, "-o", str(tmp_path))
    assert "no such folder" in refused(capsys, "-o", str(tmp_path / "none" / "a.json"))
    assert "--format" in refused(capsys, "-o", str(tmp_path / "a.doc"))
    assert "did you mean rope?" in refused(capsys, "rpe", "-o", str(tmp_path / "a.json"))
    assert "one deck, not 2" in refused(capsys, "rope", "sinusoidal", "-o", str(tmp_path / "a.md"))
    assert "--format" in refused(capsys, "-o", "-")
    assert "no text" in refused(capsys, "-o", "-", "--format", "apkg")
    assert "quotation mark" in refused(capsys, "--tag", 'a"b', "-o", str(tmp_path / "a.json"))
    assert "Missing option" in refused(capsys, "rope")
    assert list(tmp_path.glob("*.*")) == []


def test_the_schedule_goes_along_where_it_can(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    deck = tmp_path / "home" / "decks" / "mine.md"
    deck.parent.mkdir(parents=True)
    deck.write_text('# Mine\n\n## One?\n\n```toml card\nid = "one"\n```\n\nYes.\n', "utf-8")
    log = {
        "action": "review", "card": "one", "at": "2026-11-29T12:00:00+01:00", "day": "2026-11-29", "grade": 3,
        "stability": 2.3, "difficulty": 5.0, "interval": 2, "due": "2026-12-01", "seconds": 4.0,
    }  # fmt: skip
    source = tmp_path / "in.json"
    source.write_text(
        json.dumps({"quizapp": 1, "exported": "2026-11-29T13:00:00Z", "decks": [], "log": [log]})
    )
    assert run(["import", str(source)]) == 0
    capsys.readouterr()
    assert run(["export", "mine", "--with-schedule", "-o", str(tmp_path / "out.json")]) == 0
    assert "1 card of 1 deck and 1 review" in capsys.readouterr().out
    (row,) = json.loads((tmp_path / "out.json").read_text("utf-8"))["log"]
    assert {key: row[key] for key in log} == log
    assert run(["export", "mine", "--with-schedule", "-o", str(tmp_path / "out.md")]) == 0
    assert "a review: this format has no place for a schedule" in capsys.readouterr().out
    # Without being asked for, nothing of it leaves.
    assert run(["export", "mine", "-o", str(tmp_path / "out.json")]) == 0
    assert "log" not in json.loads((tmp_path / "out.json").read_text("utf-8"))
