"""``quizapp`` with no command: the app."""

from __future__ import annotations

from quizapp.commands.front import fit_for_the_app, front
from quizapp.commands.options import Common
from quizapp.errors import UsageError


def open_app(common: Common) -> None:
    """Open the app on its home screen."""
    if not fit_for_the_app():
        raise UsageError("the app needs a terminal that can draw; use quizapp drill --plain")
    front().open_home(common)
