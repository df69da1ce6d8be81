"""Demos are found by name and imported when they are asked for."""

from __future__ import annotations

import subprocess
import sys

import pytest

from quizapp.demos.registry import NAMES, load, load_all
from quizapp.errors import UsageError


def test_the_names_are_those_of_the_lesson() -> None:
    names = "set sinusoid vector learned offsets rope stretch causal cache precision"
    assert " ".join(NAMES) == names
    assert [demo.name for demo in load_all()] == list(NAMES)


@pytest.mark.parametrize("name", NAMES)
def test_every_name_has_its_demo(name: str) -> None:
    demo = load(name)
    assert demo.name == name
    assert demo.title
    assert demo.steps
    assert load(name) is demo


def test_an_unknown_name_is_told_the_nearest() -> None:
    with pytest.raises(UsageError, match=r"no demo sinusiod; did you mean sinusoid\?"):
        load("sinusiod")
    with pytest.raises(UsageError, match="quizapp demo --list names them"):
        load("xyzzy")


def test_looking_up_names_imports_no_numpy() -> None:
    code = "import quizapp.demos.registry, sys; sys.exit('numpy' in sys.modules or 'textual' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


def test_describing_a_demo_imports_no_textual() -> None:
    code = (
        "import quizapp.demos.words, quizapp.demos.registry as r, sys; r.load_all();"
        "sys.exit('textual' in sys.modules or 'rich.console' in sys.modules)"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
