"""``quizapp config`` and the mistakes that a configuration can have."""

from __future__ import annotations

import tomllib
from collections.abc import Callable
from typing import Any

import pytest

from quizapp.home import Home

Run = Callable[..., Any]


def test_the_defaults_and_where_they_would_be_changed(home: Home, quizapp: Run) -> None:
    ran = quizapp("config")
    assert ran.out.splitlines()[0] == f"# {home.config} (not there yet; these are the defaults)"
    values = quizapp("config", "--json").json
    assert values["new_per_day"] == 20
    assert values["reviews_per_day"] == 200
    assert values["desired_retention"] == 0.9
    assert tomllib.loads(ran.out) == values


def test_what_is_shown_is_a_configuration_again(home: Home, quizapp: Run) -> None:
    home.config.write_text(
        'day_start = 2\ndecks = ["~/my \\"own\\" decks"]\n[keys]\n"drill.undo" = "z"\n', encoding="utf-8"
    )
    ran = quizapp("config")
    assert ran.out.splitlines()[0] == f"# {home.config}"
    values = tomllib.loads(ran.out)
    assert (values["day_start"], values["decks"], values["keys"]) == (
        2,
        ['~/my "own" decks'],
        {"drill.undo": "z"},
    )
    home.config.write_text(ran.out, encoding="utf-8")
    assert quizapp("config").out == ran.out


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("\nnew_per_dya = 3\n", ":2: unknown setting new_per_dya; did you mean new_per_day?"),
        ("colour = 1\n", ":1: unknown setting colour; the settings are desired_retention, "),
        ("day_start = 4\ndesired_retention = 1.5\n", ":2: desired_retention: "),
        ("desired_retention = nan\n", ":1: desired_retention: "),
        ("maximum_interval = 0\n", ":1: maximum_interval: "),
        ("day_start = 24\n", ":1: day_start: "),
        ("new_per_day = '20'\n", ":1: new_per_day: expected "),
        ("day_start = 4\nnew_per_day = = 3\n", ":2: "),
        ("weights = [1.0, 2.0]\n", ":1: weights needs 17, 19 or 21 numbers, not 2"),
        (f"weights = {[0.5] * 20 + [0.9]}\n", ":1: weight 5 of 21 comes to 0.5, outside 1 to 10"),
        ('day_start = 4\ninterview = "soon"\n', ":2: interview: write the date as 2026-12-14"),
    ],
)
def test_a_mistake_is_one_line_with_its_place(home: Home, quizapp: Run, text: str, said: str) -> None:
    home.config.write_text(text, encoding="utf-8")
    for command in ("config", "due"):
        ran = quizapp(command)
        assert (ran.code, ran.out) == (2, "")
        assert ran.err.startswith(f"quizapp: {home.config}{said}")
        assert ran.err.count("\n") == 1


def test_a_file_that_is_no_text_is_one_line(home: Home, quizapp: Run) -> None:
    home.config.write_bytes(b"theme = '\xff'\n")
    ran = quizapp("config")
    assert (ran.code, ran.err) == (2, f"quizapp: {home.config}:1: not UTF-8 text; save the file as UTF-8\n")
