"""``quizapp drill --plain`` as a script runs it: pipes, a home, a fixed clock."""

from __future__ import annotations

import datetime as dt
import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from quizapp.home import Home
from quizapp.storage import open_store

START = dt.datetime(2026, 11, 30, 12, tzinfo=dt.timezone(dt.timedelta(hours=1)))
SAVED = re.compile(r"^saved (\S+) (again|hard|good|easy) next (\d{4}-\d\d-\d\d) \((\d+) d\)$", re.MULTILINE)
CONTROLS = re.compile(r"[\x00-\x09\x0b-\x1f\x7f-\x9f]")


def quizapp(
    home: Path, *arguments: str, typed: str = "", now: dt.datetime = START, **environment: str
) -> subprocess.CompletedProcess[str]:
    fixed = {"QUIZAPP_NOW": now.isoformat(), "QUIZAPP_SEED": "1", "PYTHONUTF8": "1"}
    done = subprocess.run(
        [sys.executable, "-m", "quizapp", *arguments, "--home", str(home)], check=False,
        input=typed, capture_output=True,
        encoding="utf-8", errors="replace", timeout=120, env=os.environ | fixed | environment,
    )  # fmt: skip
    assert "Traceback" not in done.stderr, done.stderr
    assert not CONTROLS.search(done.stdout), done.stdout
    return done


def write_deck(home: Path, text: str) -> None:
    (home / "decks").mkdir(parents=True, exist_ok=True)
    (home / "decks" / "mine.md").write_text(text, "utf-8")


def test_a_pipe_grades_cards_and_the_same_home_goes_on(tmp_path: Path) -> None:
    typed = "\n3\n\n1\n\n3\n:q\n"
    first = quizapp(tmp_path, "drill", "rapid-fire", "--plain", typed=typed)
    assert (first.returncode, first.stderr) == (0, "")
    saved = SAVED.findall(first.stdout)
    assert [grade for _, grade, _, _ in saved] == ["good", "again", "good"]
    for _, _, due, days in saved:
        assert dt.date.fromisoformat(due) == START.date() + dt.timedelta(days=int(days))
    second = quizapp(tmp_path, "drill", "rapid-fire", "--plain", typed=typed)
    assert second.returncode == 0
    later = SAVED.findall(second.stdout)
    assert len({card for card, *_ in saved + later}) == 6
    log = json.loads(quizapp(tmp_path, "log", "--json").stdout)
    assert [(row["card"], row["grade"], str(row["interval"])) for row in log] == [
        (card, grade, days) for card, grade, _, days in saved + later
    ]


def test_an_empty_queue_says_when_the_next_card_is_due(tmp_path: Path) -> None:
    write_deck(tmp_path, "# Mine\n\n## One?\n\nYes.\n")
    due = SAVED.findall(quizapp(tmp_path, "drill", "mine", "--plain", typed="\n3\n").stdout)[0][2]
    done = quizapp(tmp_path, "drill", "mine", "--plain", typed="\n3\n")
    assert done.returncode == 0
    assert due in done.stdout
    assert "saved" not in done.stdout


def test_with_nothing_due_the_last_grade_can_still_be_undone(tmp_path: Path) -> None:
    write_deck(tmp_path, "# Mine\n\n## One?\n\nYes.\n")
    quizapp(tmp_path, "drill", "mine", "--plain", typed="\n1\n\n3\n")
    done = quizapp(tmp_path, "drill", "mine", "--plain", typed=":u\n\n4\n")
    assert done.returncode == 0
    assert "nothing is due" in done.stdout
    assert [grade for _, grade, _, _ in SAVED.findall(done.stdout)] == ["easy"]
    log = json.loads(quizapp(tmp_path, "log", "--json").stdout)
    assert [row["grade"] for row in log] == ["again", "easy"]


def test_a_second_writer_is_told_and_nothing_is_lost(tmp_path: Path) -> None:
    with open_store(Home(tmp_path), write=True, now=START):
        done = quizapp(tmp_path, "drill", "rapid-fire", "--plain", typed="\n3\n")
        assert quizapp(tmp_path, "due").returncode == 0
    assert (done.returncode, done.stdout) == (2, "")
    assert len(done.stderr.splitlines()) == 1
    assert quizapp(tmp_path, "drill", "rapid-fire", "--plain", typed="\n3\n").returncode == 0


def test_an_unknown_deck_names_the_nearest(tmp_path: Path) -> None:
    done = quizapp(tmp_path, "drill", "rapidfire", "--plain")
    assert (done.returncode, done.stdout) == (2, "")
    assert "rapid-fire" in done.stderr
    assert len(done.stderr.splitlines()) == 1


BROKEN = """# Mine

## Good one

Yes.

## No TOML

```toml card
tags = [
```

No.

## Unknown key

```toml card
tgas = ["a"]
```

No.

## One answer only

- [x] this

## Half a cloze {{c1::open

## Good one

Twice.

## Escape \x1b[31mred\x1b[0m

Yes.

## Good two

Yes.
"""


def test_mistakes_are_told_by_line_and_good_cards_drill(tmp_path: Path) -> None:
    write_deck(tmp_path, BROKEN)
    done = quizapp(tmp_path, "drill", "mine", "--plain", typed="\n3\n" * 9)
    assert done.returncode == 0
    lines = [int(line) for line in re.findall(r"mine\.md:(\d+): ", done.stderr)]
    for heading in (
        "## No TOML",
        "## Unknown key",
        "## One answer",
        "## Half",
        "## Good one\n\nTwice",
        "## Escape",
    ):
        at = BROKEN[: BROKEN.index(heading)].count("\n") + 1
        assert any(at <= line <= at + 4 for line in lines), (heading, done.stderr)
    assert len(done.stderr.splitlines()) == len(lines)
    assert not CONTROLS.search(done.stderr.replace("\n", ""))
    assert {"mine/good-one", "mine/good-two"} <= {card for card, *_ in SAVED.findall(done.stdout)}


@pytest.mark.parametrize("encoding", ["ascii", "latin-1", "utf-8"])
def test_any_output_encoding_will_do(tmp_path: Path, encoding: str) -> None:
    write_deck(tmp_path, "# Mine\n\n## \u4f4d\u7f6e \u03b8\u0302 \U0001f9e0 alike\n\n$\\theta$\n")
    done = quizapp(
        tmp_path, "drill", "mine", "--plain", typed="\n3\n", PYTHONIOENCODING=encoding, PYTHONUTF8="0"
    )
    assert (done.returncode, done.stderr) == (0, "")
    # An ascii stream is a misconfigured one to click, which writes UTF-8 to it.
    shown = "?? ?? ? alike" if encoding == "latin-1" else "\u4f4d\u7f6e \u03b8\u0302 \U0001f9e0 alike"
    assert shown in done.stdout.splitlines()
