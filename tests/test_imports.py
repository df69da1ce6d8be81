"""What a command loads: nothing heavy on the way to an answer that needs none of it."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

HEAVY = ("textual", "rich", "numpy", "sympy", "mpmath", "fsrs")
LIST_MODULES = (
    "import sys\n"
    "from quizapp.cli import run\n"
    "code = run(sys.argv[1:])\n"
    "print(*sorted({name.partition('.')[0] for name in sys.modules}), file=sys.stderr)\n"
    "sys.exit(code)\n"
)


def loaded(home: Path, *arguments: str) -> set[str]:
    done = subprocess.run(
        [sys.executable, "-c", LIST_MODULES, *arguments], check=False, capture_output=True, encoding="utf-8",
        timeout=120, env=os.environ | {"QUIZAPP_HOME": str(home), "QUIZAPP_NOW": "2026-11-30T12:00:00+01:00"},
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert done.stdout
    return set(done.stderr.split())


@pytest.mark.parametrize(
    "arguments",
    [["due"], ["due", "--json"], ["decks", "list"], ["--help"], ["--version"], ["drill", "--help"]],
    ids=" ".join,
)
def test_nothing_heavy_is_loaded(tmp_path: Path, arguments: list[str]) -> None:
    modules = loaded(tmp_path, *arguments)
    assert {"quizapp", "click"} <= modules
    assert not modules.intersection(HEAVY)


def test_numpy_is_seen_where_it_is_needed(tmp_path: Path) -> None:
    assert "numpy" in loaded(tmp_path, "encode", "sinusoidal", "--dim", "4", "--pos", "0:2")


def test_help_and_version_load_no_storage(tmp_path: Path) -> None:
    assert not loaded(tmp_path, "--help").intersection({"sqlite3", "markdown_it"})
