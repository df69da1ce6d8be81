"""A home with two small decks and a fixed clock, and a way to run a command in it."""

from __future__ import annotations

import datetime as dt
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from quizapp import cli
from quizapp.config import Config
from quizapp.home import Home
from quizapp.review.scheduler import KernelScheduler
from quizapp.review.types import Grade, Review
from quizapp.storage import SqliteStore

NOW = "2026-11-30T12:00:00+01:00"

ROPE = """# Rotary test deck

Two cards and a cloze.

## Why rotate queries and keys?

```toml card
id = "zz-why"
tags = ["zz-rotary", "zz-senior"]
points = ["relative", "norms stay"]
```

The score depends on the offset only.

## What is the base?

```toml card
id = "zz-base"
kind = "number"
answer = 10000
```

It sets the slowest wavelength.

## {{c1::Pairs}} of dimensions turn by {{c2::angles}}.

```toml card
id = "zz-pairs"
```
"""
BIAS = """# Bias test deck

## What does a slope do?

```toml card
id = "zz-slope"
```

It makes far keys count less.
"""


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Home:
    """The built-in decks are there too, so what a test looks for has names of its own."""
    monkeypatch.setenv("QUIZAPP_HOME", str(tmp_path / "home"))
    monkeypatch.setenv("QUIZAPP_NOW", NOW)
    monkeypatch.delenv("QUIZAPP_SEED", raising=False)
    home = Home(tmp_path / "home")
    home.decks.mkdir(parents=True)
    (home.decks / "zz-rotary.md").write_text(ROPE, encoding="utf-8")
    (home.decks / "zz-bias.md").write_text(BIAS, encoding="utf-8")
    return home


class Ran:
    """What a command printed, and its exit code."""

    def __init__(self, code: int, out: str, err: str) -> None:
        self.code, self.out, self.err = code, out, err

    @property
    def json(self) -> Any:
        return json.loads(self.out)


@pytest.fixture
def quizapp(home: Home, capsys: pytest.CaptureFixture[str]) -> Callable[..., Ran]:
    assert home.path.exists()

    def run(*arguments: str) -> Ran:
        capsys.readouterr()
        code = cli.run(list(arguments))
        captured = capsys.readouterr()
        return Ran(code, captured.out, captured.err)

    return run


@pytest.fixture
def answer() -> Callable[..., Review]:
    """Grade a card as a session does, at noon ``days`` after the fixed clock."""
    scheduler = KernelScheduler(Config())

    def grade_card(
        store: SqliteStore, card: str, grade: int = 3, days: int = 0, confidence: float | None = None
    ) -> Review:
        at = dt.datetime.fromisoformat(NOW) + dt.timedelta(days=days)
        outcome = scheduler.outcome(store.state(card), Grade(grade), at.date())
        memory = outcome.memory
        review = Review(
            card,
            outcome.grade,
            at,
            at.date(),
            outcome.interval,
            outcome.due,
            memory.stability,
            memory.difficulty,
            2.5,
            confidence,
        )
        store.add_review(review, leech=False)
        return review

    return grade_card
