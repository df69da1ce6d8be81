"""Screens as text files: easy to read, and their differences too. ``UPDATE=1`` writes them anew."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Callable
from pathlib import Path

from textual.pilot import Pilot

from quizapp.tui.app import QuizApp
from tests.tui.shots import screen_text

FOLDER = Path(__file__).parents[1] / "golden" / "screens_derive"


def assert_golden(name: str, text: str) -> None:
    path = FOLDER / f"{name}.txt"
    if os.environ.get("UPDATE"):
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(f"{text}\n", encoding="utf-8")
    assert f"{text}\n" == path.read_text(encoding="utf-8")


async def shows(pilot: Pilot[None], wanted: str | Callable[[str], bool], limit: float = 20.0) -> str:
    """Wait until the screen shows ``wanted``, across lines too; returns the screen's text."""
    app = pilot.app
    assert isinstance(app, QuizApp)
    last = ""
    for _ in range(int(limit / 0.02)):
        await pilot.pause(0.02)
        text = screen_text(app)
        flat = " ".join(text.replace("│", " ").split())
        # Twice the same: it has come to rest.
        if text == last and (wanted(flat) if callable(wanted) else wanted in flat):
            return text
        last = text
        await asyncio.sleep(0)
    raise AssertionError(f"the screen never showed {wanted!r}:\n{last}")
