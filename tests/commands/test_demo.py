"""quizapp demo as scripts and screen readers see it."""

from __future__ import annotations

import json
import math
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from quizapp.demos.registry import NAMES


def run(home: Path, *arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "quizapp", "demo", *arguments], check=False, capture_output=True,
        encoding="utf-8", timeout=120, stdin=subprocess.DEVNULL,
        env=os.environ | {"QUIZAPP_HOME": str(home), "PYTHONIOENCODING": "utf-8"} | environment,
    )  # fmt: skip


def out(home: Path, *arguments: str) -> str:
    done = run(home, *arguments)
    assert done.returncode == 0, done.stderr
    assert done.stderr == ""
    return done.stdout


def complaint(home: Path, *arguments: str, **environment: str) -> str:
    done = run(home, *arguments, **environment)
    assert done.returncode == 2, done.stdout
    assert done.stdout == ""
    assert len(done.stderr.splitlines()) == 1
    return done.stderr


def document(home: Path, *arguments: str) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(out(home, *arguments, "--json"))
    return found


def test_the_list_names_every_demo(tmp_path: Path) -> None:
    listed: list[dict[str, str]] = json.loads(out(tmp_path, "--list", "--json"))
    assert [one["name"] for one in listed] == list(NAMES)
    assert all(set(one) == {"name", "title"} for one in listed)
    text = out(tmp_path, "--list")
    assert [line.split()[0] for line in text.splitlines() if not line.startswith(" ")] == list(NAMES)
    assert max(map(len, text.splitlines())) < 80


def test_plain_says_title_values_picture_numbers_and_what_to_say(tmp_path: Path) -> None:
    text = out(tmp_path, "vector", "--plain", "--step", "bank")
    assert text.startswith("One position as a vector, step 2 of 4: bank\nSet: place 1; entry 0\n")
    for part in ("h(1): 1.04147, 1.24030, -0.09000, 1.39995", "their sum: 1.041470984808", "Say it: "):
        assert part in text
    assert max(map(len, text.splitlines())) < 80
    assert all(line.isprintable() for line in text.splitlines())


def test_values_are_set_by_name(tmp_path: Path) -> None:
    found = document(tmp_path, "sinusoid", "--step", "5", "--set", "sentence=a b a", "--set", "word=0")
    assert found["values"] == {"sentence": "a b a", "word": 0, "column": 0, "dim": "8"}
    assert found["step"] == "the table"
    assert found["derivation"] == "linear-shift"
    assert '"a" stands at 0 and 2' in found["see"]
    labels = {reading["label"]: reading["value"] for reading in found["readings"]}
    # |PE(0) - PE(2)|² is the sum over the pairs of 2 - 2 cos 2ω, with ω = 1, 1/10, 1/100, 1/1000.
    assert labels["rows 0 and 2"] ** 2 == pytest.approx(sum(2 - 2 * math.cos(2 / 10**i) for i in range(4)))
    assert set(found["readings"][0]) == {"label", "value", "text"}


def test_a_value_within_a_range_that_another_opens_may_come_first(tmp_path: Path) -> None:
    assert document(tmp_path, "vector", "--set", "column=31", "--set", "dim=32")["values"]["column"] == 31


@pytest.mark.parametrize("step", ["6", "a shift turns", "A SHIFT", "a sh"])
def test_a_step_goes_by_number_by_name_and_by_its_beginning(tmp_path: Path, step: str) -> None:
    assert document(tmp_path, "sinusoid", "--step", step)["step"] == "a shift turns"


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["rop"], "did you mean rope?"),
        (["zzz"], "--list names them"),
        (["vector", "--plain", "--set", "position"], "write NAME=VALUE"),
        (["vector", "--plain", "--set", "positon=3"], "did you mean position?"),
        (["vector", "--plain", "--set", "position=x"], "a whole number from 0 to 1000000"),
        (["vector", "--plain", "--set", "position=-1"], "position goes from 0 to 1000000"),
        (["vector", "--plain", "--set", "column=8"], "column goes from 0 to 7"),
        (["vector", "--plain", "--set", "dim=7"], "one of 4, 8, 16, 32"),
        (["sinusoid", "--plain", "--set", "sentence= "], "at least one word"),
        (["sinusoid", "--plain", "--step", "8"], "steps 1 to 7"),
        (["sinusoid", "--plain", "--step", "a"], "has the steps 1 the index"),
        (["--plain"], "name a demo"),
        (["--json"], "name a demo"),
        (["--step", "2"], "go with the name of a demo"),
    ],
)
def test_what_does_not_fit_is_said_in_one_line(tmp_path: Path, arguments: list[str], said: str) -> None:
    assert said in complaint(tmp_path, *arguments)


@pytest.mark.parametrize("arguments", [[], ["rope"]])
def test_without_a_terminal_it_points_to_plain(tmp_path: Path, arguments: list[str]) -> None:
    assert f"quizapp demo {arguments[0] if arguments else 'NAME'} --plain" in complaint(tmp_path, *arguments)


def test_a_sentence_with_escape_sequences_is_shown_without_them(tmp_path: Path) -> None:
    text = out(
        tmp_path, "sinusoid", "--plain", "--step", "5", "--set", "sentence=\x1b[31mred\x1b[0m [b]x[/b] 日本語"
    )
    assert "\x1b" not in text
    assert "red" in text
    assert "[b]x[/b]" in text


def test_a_terminal_of_ascii_shows_signs_it_lacks_as_question_marks(tmp_path: Path) -> None:
    done = run(tmp_path, "sinusoid", "--plain", PYTHONIOENCODING="ascii")
    assert done.returncode == 0
    assert done.stdout.isascii()


def test_the_app_is_not_imported_for_plain(tmp_path: Path) -> None:
    code = "import sys; from quizapp.cli import run; run(sys.argv[1:]); print('textual' in sys.modules)"
    done = subprocess.run(
        [sys.executable, "-c", code, "demo", "sinusoid", "--json"], check=True, capture_output=True,
        encoding="utf-8", env=os.environ | {"QUIZAPP_HOME": str(tmp_path)},
    )  # fmt: skip
    assert done.stdout.splitlines()[-1] == "False"
