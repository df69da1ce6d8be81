"""Words of a foreign file in what the commands print: they neither move the cursor nor make lines of their own."""

from __future__ import annotations

from pathlib import Path

import pytest

from quizapp.cli import run
from tests.exchange.anki_files import BASIC, card, collection, note, package

BAD = "\x1b[2J\x1b]0;owned\x07 a\nmapped: nothing \u202eback"


def imported(path: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> tuple[int, str]:
    code = run(["import", str(path), "--home", str(tmp_path / "home"), "--into", str(tmp_path / "decks")])
    captured = capsys.readouterr()
    return code, captured.out + captured.err


def test_names_in_a_package_are_shown_without_what_a_terminal_obeys(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    data = collection(
        [note(1, ["a", "b", "lost"], guid=BAD)],
        [card(1, 1)],
        types={1: {**BASIC, "name": BAD}},
        decks={7: BAD},
    )
    code, said = imported(package(tmp_path / "x.apkg", data, 1, {f"{BAD}.png": b"x"}), tmp_path, capsys)
    assert code == 0
    assert not set("\x1b\x07\u202e") & set(said)
    assert "mapped: nothing" not in [line[:15] for line in said.splitlines()]
    assert "read 1 note" in said


def test_an_error_that_quotes_a_file_is_one_harmless_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    data = collection([note(1, ["a", "b"])], [card(1, 1)])
    data = data.replace(b"tablenotesnotes", b"table\x1b[2J\nnotes").replace(
        b"CREATE TABLE notes", b"CREATE TABEL notes"
    )
    code, said = imported(package(tmp_path / "x.apkg", data, 1), tmp_path, capsys)
    assert code == 2
    assert len(said.splitlines()) == 1
    assert "collection is damaged" in said
    assert "\x1b" not in said
