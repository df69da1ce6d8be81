"""What a screen shows, as text and as a picture."""

from __future__ import annotations

import re

from quizapp.tui.app import QuizApp


def picture(app: QuizApp) -> str:
    """The screen as SVG, without the number that differs from run to run."""
    return re.sub(r"\bterminal-\d+-", "terminal-", app.export_screenshot())


def screen_text(app: QuizApp) -> str:
    return "\n".join(
        "".join(segment.text for segment in strip).rstrip()
        for strip in app.screen._compositor.render_strips()
    )
