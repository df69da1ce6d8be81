"""``quizapp decks``: list, check, pin, new, diff, reset, carry, as scripts see them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from quizapp.cli import run
from quizapp.decks.library import built_in_decks

GOOD = "# Mine\n\n## First?\n\nYes.\n\n## Second?\n\n- [x] this\n- [ ] that\n"


@pytest.fixture(autouse=True)
def fixed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("QUIZAPP_HOME", str(tmp_path / "home"))
    monkeypatch.setenv("QUIZAPP_NOW", "2026-11-30T12:00:00+01:00")


@pytest.fixture
def mine(tmp_path: Path) -> Path:
    path = tmp_path / "home" / "decks" / "mine.md"
    path.parent.mkdir(parents=True)
    path.write_text(GOOD, "utf-8")
    return path


def test_list_says_each_entry_once(mine: Path, capsys: pytest.CaptureFixture[str]) -> None:
    mine.write_text(GOOD + "\n## A {{c1::b}} c {{c2::d}}\n", "utf-8")
    assert run(["decks", "list", "--json"]) == 0
    deck = next(deck for deck in json.loads(capsys.readouterr().out) if deck["deck"] == "mine")
    assert (deck["title"], deck["path"]) == ("Mine", str(mine))
    assert [(card["kind"], card["line"]) for card in deck["cards"]] == [
        ("recall", 3),
        ("choice", 7),
        ("cloze", 12),
    ]
    assert set(deck["cards"][0]) == {
        "id", "kind", "line", "tags", "points", "sources", "checks", "derivation", "demo",
    }  # fmt: skip


def test_check_names_file_and_line_and_fails(mine: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["decks", "check", str(mine)]) == 0
    capsys.readouterr()
    mine.write_text(GOOD + "\n## Third?\n\n```toml card\ntgas = []\n```\n\nYes.\n", "utf-8")
    assert run(["decks", "check", str(mine)]) == 1
    done = capsys.readouterr()
    assert f"{mine}:15: " in done.out
    assert "tags" in done.out
    assert len(done.err.splitlines()) == 1
    assert run(["decks", "check", str(mine), "--json"]) == 1
    assert [(p["path"], p["line"]) for p in json.loads(capsys.readouterr().out)] == [(str(mine), 15)]


def test_a_dangling_follow_up_is_a_warning_and_strict_an_error(mine: Path) -> None:
    mine.write_text('# Mine\n\n## One?\n\n```toml card\nfollow_ups = ["gone"]\n```\n\nYes.\n', "utf-8")
    assert run(["decks", "check", str(mine)]) == 0
    assert run(["decks", "check", str(mine), "--strict"]) == 1


def test_pin_keeps_ids_and_text(mine: Path, capsys: pytest.CaptureFixture[str]) -> None:
    def ids() -> list[str]:
        capsys.readouterr()
        assert run(["decks", "list", "--json"]) == 0
        decks = json.loads(capsys.readouterr().out)
        return [card["id"] for deck in decks if deck["deck"] == "mine" for card in deck["cards"]]

    before = ids()
    assert run(["decks", "pin", "mine"]) == 0
    assert "2 ids written" in capsys.readouterr().out
    pinned = mine.read_text("utf-8")
    assert [line for line in GOOD.splitlines() if line] == [
        line for line in pinned.splitlines() if line in GOOD.splitlines() and line
    ]
    mine.write_text(pinned.replace("First?", "Reworded?"), "utf-8")
    assert ids() == before


def test_new_makes_a_deck_and_takes_no_name_twice(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["decks", "new", "Flow & matching"]) == 0
    made = tmp_path / "home" / "decks" / "flow-matching.md"
    assert made.read_text("utf-8").startswith("# Flow & matching\n")
    assert run(["decks", "check", str(made)]) == 0
    capsys.readouterr()
    assert run(["decks", "new", "Flow & matching"]) == 2
    assert len(capsys.readouterr().err.splitlines()) == 1


def test_diff_shows_and_reset_takes_the_built_in_deck(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    own = tmp_path / "home" / "decks" / "rope.md"
    own.parent.mkdir(parents=True)
    edited = built_in_decks()["rope"].read_text("utf-8") + "\n## Mine too?\n\nYes.\n"
    own.write_text(edited, "utf-8")
    assert run(["decks", "diff", "rope"]) == 0
    added = [line for line in capsys.readouterr().out.splitlines() if line[:1] == "+" and line[:3] != "+++"]
    assert added == ["+", "+## Mine too?", "+", "+Yes."]
    assert run(["decks", "reset", "rope", "--yes"]) == 0
    assert not own.exists()
    assert own.with_name("rope.md.old").read_text("utf-8") == edited
    capsys.readouterr()
    assert run(["decks", "diff", "rope"]) == 2
    assert run(["decks", "diff", "mine"]) == 2
    assert len(capsys.readouterr().err.splitlines()) == 2


def test_carry_refuses_what_it_does_not_know(mine: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert mine.exists()
    for arguments in (["old"], ["old", "nowhere"], ["old", "mine/first"]):
        assert run(["decks", "carry", *arguments]) == 2
        assert len(capsys.readouterr().err.splitlines()) == 1
