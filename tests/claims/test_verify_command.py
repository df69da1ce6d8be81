"""``quizapp verify``: exit codes, JSON and the table, over decks and derivations written on the spot."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from quizapp.cli import run
from quizapp.commands.verify import command

CARD = """\
# A deck

## A first card

```toml card
id = "first"
checks = [
    { claim = "sinusoidal(1, 4)[0] = 0.8415" },
    { claim = "1 + 1 = 2" },
]
```

An answer.

## The {{c1::second}} {{c2::card}}

```toml card
id = "second"
checks = [{ claim = "2 * 3 = 6" }]
```
"""

DERIVATION = """\
id = "own"
title = "Own"
claim = "sin(2 x) = 2 sin(x) cos(x)"

[symbols]
x = "real"

[[steps]]
expr = "sin(2 x)"
why = "a"

[[steps]]
expr = "sin(x) cos(x) + cos(x) sin(x)"
why = "b"

[[steps]]
expr = "2 sin(x) cos(x)"
why = "c"
"""


@pytest.fixture
def deck(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("QUIZAPP_HOME", str(tmp_path / "home"))
    path = tmp_path / "content" / "deck.md"
    path.parent.mkdir()
    path.write_text(CARD, encoding="utf-8")
    path.with_name("own.toml").write_text(DERIVATION, encoding="utf-8")
    return path


def verify(*arguments: object) -> Result:
    return CliRunner().invoke(command, list(map(str, arguments)))


def test_what_holds_is_counted(deck: Path) -> None:
    # Three claims (a cloze's once, not once a card), three steps and the end of the derivation's claim.
    for paths, count in (((deck,), 3), ((deck.with_name("own.toml"),), 4), ((deck.parent,), 7)):
        result = verify("--json", *paths)
        assert result.exit_code == 0, result.output
        assert json.loads(result.output) == {
            "checked": count,
            "failed": [],
            "undecided": [],
            "unreadable": [],
        }
    text = verify(deck.parent).output
    assert "4 proved" in text
    assert "7 statements checked, 7 hold" in text


def test_a_wrong_step_is_reported_with_its_place_and_values(deck: Path) -> None:
    path = deck.with_name("own.toml")
    path.write_text(DERIVATION.replace("cos(x) + cos", "cos(x) - cos"), encoding="utf-8")
    result = verify("--json", path)
    assert getattr(result.exception, "exit_code", None) == 1
    failed = json.loads(result.output)["failed"]
    assert {"path", "line", "id", "step", "left", "right", "counterexample", "message"} <= set(failed[0])
    assert (failed[0]["path"], failed[0]["line"], failed[0]["id"], failed[0]["step"]) == (
        str(path),
        13,
        "own",
        2,
    )
    assert failed[0]["left"] == "sin(2 x)"
    assert list(failed[0]["counterexample"]) == ["x"]


def test_a_wrong_claim_names_its_own_line(deck: Path) -> None:
    deck.write_text(CARD.replace("1 + 1 = 2", "1 + 1 = 3"), encoding="utf-8")
    result = verify("--json", deck)
    (failed,) = json.loads(result.output)["failed"]
    assert (failed["line"], failed["id"], failed["step"]) == (9, "first", None)
    assert (failed["left"], failed["right"]) == ("1 + 1", "3")
    assert f"{deck}:9: first does not hold" in verify(deck).output


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ('"1 + 1 = 2"', '"1 + = 2"'),
        ('id = "first"', 'id = "first"\nderivation = "none-such"'),
        ('id = "first"', 'id = "first"\ncolour = "red"'),
    ],
)
def test_what_cannot_be_read_ends_with_2_and_one_line(
    deck: Path, old: str, new: str, capsys: pytest.CaptureFixture[str]
) -> None:
    deck.write_text(CARD.replace(old, new), encoding="utf-8")
    assert run(["verify", str(deck)]) == 2
    error = capsys.readouterr().err.splitlines()
    assert len(error) == 1
    assert f"{deck}:" in error[0]


@pytest.mark.parametrize("name", ["none.md", "note.txt", "empty"])
def test_paths_that_do_not_fit(deck: Path, name: str, capsys: pytest.CaptureFixture[str]) -> None:
    (deck.parent / "note.txt").write_text("x", encoding="utf-8")
    (deck.parent / "empty").mkdir()
    assert run(["verify", str(deck.parent / name)]) == 2
    assert name in capsys.readouterr().err


def test_a_broken_derivation_does_not_hide_the_others(deck: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (deck.parent / "bad.toml").write_text("id = 3", encoding="utf-8")
    assert run(["verify", "--json", str(deck.parent)]) == 2
    shown = capsys.readouterr()
    assert json.loads(shown.out)["checked"] == 7
    assert "bad.toml:1" in shown.err
