"""``quizapp due`` and ``quizapp cards``."""

from __future__ import annotations

import datetime as dt
import os
import subprocess
import sys
from collections.abc import Callable
from typing import Any

import pytest

from quizapp.home import Home
from quizapp.review.types import Review
from quizapp.storage import open_store

Run = Callable[..., Any]
Answer = Callable[..., Review]
NOON = dt.datetime(2026, 11, 30, 12, tzinfo=dt.timezone(dt.timedelta(hours=1)))


def of_ours(counts: Any) -> dict[str, tuple[int, int]]:
    return {
        deck["deck"]: (deck["due"], deck["new"]) for deck in counts["decks"] if deck["deck"].startswith("zz-")
    }


def test_due_counts_what_a_drill_would_ask(home: Home, quizapp: Run, answer: Answer) -> None:
    # Of the two siblings of a cloze one is new today.
    assert of_ours(quizapp("due", "--json").json) == {"zz-rotary": (0, 3), "zz-bias": (0, 1)}
    with open_store(home, write=True) as store:
        answer(store, "zz-why", 3, days=-5)
        answer(store, "zz-slope", 3)
        store.set_suspended("zz-base", True, NOON, NOON.date())
    ran = quizapp("due", "--json")
    assert set(ran.json) == {"due", "new", "decks"}
    assert ran.json["due"] == 1
    assert of_ours(ran.json) == {"zz-rotary": (1, 1), "zz-bias": (0, 0)}


def test_due_as_text_begins_with_a_line_for_a_status_bar(home: Home, quizapp: Run, answer: Answer) -> None:
    with open_store(home, write=True) as store:
        answer(store, "zz-why", 3, days=-5)
    home.config.write_text("new_per_day = 0\n")
    assert quizapp("due").out.splitlines() == ["1 due, 0 new", "     1 due     0 new   zz-rotary"]


def test_cards_as_json(home: Home, quizapp: Run, answer: Answer) -> None:
    with open_store(home, write=True) as store:
        review = answer(store, "zz-why", 3, days=-2)
    seen, new = quizapp("cards", "id:zz-why", "--json").json, quizapp("cards", "id:zz-base", "--json").json
    assert seen == [
        {
            "id": "zz-why",
            "deck": "zz-rotary",
            "kind": "recall",
            "tags": ["zz-rotary", "zz-senior"],
            "state": "review",
            "due": review.due.isoformat(),
            "stability": 2.3065,
            "difficulty": review.difficulty,
            "reviews": 1,
            "lapses": 0,
            "recall": pytest.approx((1 + (0.9 ** (-1 / 0.1542) - 1) * 2 / 2.3065) ** -0.1542),
        }
    ]
    assert new == [
        {
            "id": "zz-base",
            "deck": "zz-rotary",
            "kind": "number",
            "tags": [],
            "state": "new",
            "due": None,
            "stability": None,
            "difficulty": None,
            "reviews": 0,
            "lapses": 0,
            "recall": None,
        }
    ]


def test_cards_searches(home: Home, quizapp: Run, answer: Answer) -> None:
    with open_store(home, write=True) as store:
        answer(store, "zz-why", 3, days=-5)
        store.set_suspended("zz-slope", True, NOON, NOON.date())
        store.bury("zz-base", NOON, NOON.date())

    def found(*query: str) -> list[str]:
        return [card["id"] for card in quizapp("cards", *query, "--json").json]

    assert found("tag:zz-senior") == ["zz-why"]
    assert found("deck:zz-*", "is:due") == ["zz-why"]
    assert found("deck:zz-bias", "is:suspended") == ["zz-slope"]
    assert found("deck:zz-* state:buried") == ["zz-base"]
    assert found("deck:zz-rotary", "is:new") == ["zz-pairs:1", "zz-pairs:2"]
    assert found("count less", "deck:zz-*") == ["zz-slope"]


def test_cards_as_text(quizapp: Run) -> None:
    lines = quizapp("cards", "deck:zz-bias").out.splitlines()
    assert lines == ["new        –              –  zz-slope  What does a slope do?", "1 card"]


def test_a_query_with_a_mistake_is_one_line(quizapp: Run) -> None:
    ran = quizapp("cards", "is:dew")
    assert (ran.code, ran.out) == (2, "")
    assert ran.err.startswith("quizapp: search 'is:dew': is: takes one of due, new,")


@pytest.mark.parametrize("arguments", [["due"], ["due", "--json"], ["--help"], ["cards", "--help"]])
def test_light_commands_import_nothing_heavy(home: Home, arguments: list[str]) -> None:
    code = (
        "import sys\nfrom quizapp import cli\ncode = cli.run(sys.argv[1:])\n"
        "heavy = {'textual', 'rich', 'numpy', 'sympy', 'mpmath', 'fsrs'} & set(sys.modules)\n"
        "sys.exit(f'imported {heavy}' if heavy else code)\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", code, *arguments],
        env={**os.environ, "QUIZAPP_HOME": str(home.path)},
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout
