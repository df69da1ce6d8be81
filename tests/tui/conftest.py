"""Apps for the tests of the screens: a small library of their own, a fixed clock, no animation."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from syrupy.assertion import SnapshotAssertion
from syrupy.extensions.single_file import SingleFileSnapshotExtension, WriteMode
from textual.screen import Screen

from quizapp.commands.context import Context
from quizapp.commands.options import Common
from quizapp.tui.app import QuizApp

DECK = Path(__file__).with_name("kinds.md")


class SvgExtension(SingleFileSnapshotExtension):
    """Keeps a screen as an SVG beside the tests, to be looked at before it is accepted."""

    file_extension = "svg"
    _write_mode = WriteMode.TEXT


@pytest.fixture
def svg(snapshot: SnapshotAssertion) -> SnapshotAssertion:
    return snapshot.use_extension(SvgExtension)


@pytest.fixture
def make_app(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., QuizApp]:
    """Make an app on a home in ``tmp_path``; the built-in library is one deck with a card of each kind."""
    monkeypatch.setenv("QUIZAPP_NOW", "2026-11-30T19:00:00+01:00")
    monkeypatch.setenv("QUIZAPP_SEED", "1")
    monkeypatch.delenv("COLORFGBG", raising=False)
    shipped = tmp_path / "shipped"
    (shipped / "decks").mkdir(parents=True)
    (shipped / "decks" / "kinds.md").write_bytes(DECK.read_bytes())
    monkeypatch.setattr("quizapp.decks.library.content_root", lambda: shipped)

    def make(first: Screen[None] | None = None, config: str = "", *decks: Path) -> QuizApp:
        home = tmp_path / "home"
        home.mkdir(exist_ok=True)
        if config:
            (home / "config.toml").write_text(config)
        return QuizApp(Context(Common(home, decks, False)), first)

    return make
