"""The command line as a whole: one line on stderr for every mistake, exit codes, pipes that close."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

import quizapp
from quizapp.cli import COMMANDS

COMMAND = (sys.executable, "-m", "quizapp")


def run(home: Path, *arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
    fixed = {"QUIZAPP_HOME": str(home), "QUIZAPP_NOW": "2026-11-30T12:00:00+01:00"}
    return subprocess.run(
        [*COMMAND, *arguments], check=False, stdin=subprocess.DEVNULL, capture_output=True, encoding="utf-8",
        timeout=120, env=os.environ | fixed | environment,
    )  # fmt: skip


@pytest.mark.parametrize(
    ("arguments", "named"),
    [
        (["dril"], "dril"),
        (["--wrong"], "--wrong"),
        (["due", "--wrong"], "--wrong"),
        (["drill", "--limit", "none"], "none"),
        (["drill", "--limit", "0"], "--limit"),
        (["decks", "sort"], "sort"),
        (["decks", "diff"], "DECK"),
        (["due", "--decks", "/no/such/folder"], "/no/such/folder"),
        (["equal", "x"], "B"),
        ([], "drill --plain"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else "",
)
def test_wrong_usage_is_one_line_and_exit_2(tmp_path: Path, arguments: list[str], named: str) -> None:
    done = run(tmp_path, *arguments)
    assert (done.returncode, done.stdout) == (2, "")
    assert len(done.stderr.splitlines()) == 1
    assert done.stderr.startswith("quizapp")
    assert named in done.stderr


@pytest.mark.parametrize(
    ("command", "home"),
    [
        *((name, "file") for name in ("due", "log", "cards", "doctor", "config", "drill")),
        ("drill", "file/below"),
    ],
)
def test_a_home_that_is_a_file_is_said(tmp_path: Path, command: str, home: str) -> None:
    (tmp_path / "file").write_text("", "utf-8")
    done = run(tmp_path, command, "--home", str(tmp_path / home))
    assert (done.returncode, done.stdout) == (2, "")
    assert len(done.stderr.splitlines()) == 1
    assert "file" in done.stderr


@pytest.mark.parametrize("moment", ["yesterday", "2026-11-30T12:00:00", ""])
def test_a_clock_that_cannot_be_read_is_said(tmp_path: Path, moment: str) -> None:
    done = run(tmp_path, "due", QUIZAPP_NOW=moment)
    if moment:
        assert done.returncode == 2
        assert len(done.stderr.splitlines()) == 1
        assert "QUIZAPP_NOW" in done.stderr
    else:
        assert done.returncode == 0


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_has_help(tmp_path: Path, command: str) -> None:
    done = run(tmp_path, command, "--help")
    assert (done.returncode, done.stderr) == (0, "")
    assert "Usage: quizapp" in done.stdout
    assert "--home" in done.stdout or "Commands:" in done.stdout


def test_the_version(tmp_path: Path) -> None:
    done = run(tmp_path, "--version")
    assert (done.returncode, quizapp.__version__ in done.stdout) == (0, True)


def test_options_before_the_command_count_too(tmp_path: Path) -> None:
    (tmp_path / "more").mkdir()
    (tmp_path / "more" / "mine.md").write_text("# Mine\n\n## One?\n\nYes.\n", "utf-8")
    assert "mine" in run(tmp_path, "--decks", str(tmp_path / "more"), "decks", "list").stdout.split()
    assert "mine" in run(tmp_path, "decks", "list", "--decks", str(tmp_path / "more")).stdout.split()


@pytest.mark.parametrize(
    "arguments", [["cards", "--json"], ["decks", "list", "--json"], ["--help"]], ids=" ".join
)
def test_a_reader_that_leaves_is_no_error(tmp_path: Path, arguments: list[str]) -> None:
    end, start = os.pipe()
    os.close(end)
    done = subprocess.run(
        [*COMMAND, *arguments], check=False, stdin=subprocess.DEVNULL, stdout=start, stderr=subprocess.PIPE,
        timeout=120, env=os.environ | {"QUIZAPP_HOME": str(tmp_path)},
    )  # fmt: skip
    os.close(start)
    assert (done.returncode, done.stderr) == (0, b"")
