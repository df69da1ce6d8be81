"""How a screen reaches the app's context."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from textual.widget import Widget

from quizapp.commands.context import Context

if TYPE_CHECKING:
    from quizapp.tui.app import QuizApp


def app_of(node: Widget) -> QuizApp:
    return cast("QuizApp", node.app)


def context_of(node: Widget) -> Context:
    """Home, configuration, clock, library and store, as the app was opened with."""
    return app_of(node).context
