"""Edit a card in the learner's own editor, and read its deck again."""

from __future__ import annotations

import os
import shlex
import subprocess
from pathlib import Path
from typing import TYPE_CHECKING

from quizapp.commands.context import Context
from quizapp.decks.card import Card
from quizapp.decks.library import Library, built_in_decks
from quizapp.decks.write import take_over
from quizapp.errors import UsageError

if TYPE_CHECKING:
    from quizapp.tui.app import QuizApp

# Editors that take a line number as +N before the file.
_PLUS_LINE = {"vi", "vim", "nvim", "nano", "emacs", "micro", "kak", "joe", "ne", "mcedit"}


def editor_command(editor: str, path: Path, line: int) -> list[str]:
    """The command that opens ``path`` at ``line``. Raises UsageError where the editor's text cannot be read."""
    try:
        words = shlex.split(editor)
    except ValueError:
        words = []
    if not words:
        raise UsageError(f"EDITOR={editor!r} names no program")
    program = Path(words[0]).name
    if program in _PLUS_LINE:
        return [*words, f"+{line}", str(path)]
    if program in ("hx", "helix", "subl", "zed"):
        return [*words, f"{path}:{line}"]
    if program in ("code", "codium", "code-insiders"):
        return [*words, "--wait", "--goto", f"{path}:{line}"]
    return [*words, str(path)]


def edit_card(app: QuizApp, card: Card) -> Library:
    """Open the card's file at its line; a built-in deck is copied to the learner's own first.

    Returns the library as it reads afterwards. Raises UsageError where the editor does not start.
    """
    path = Path(card.path)
    if path in built_in_decks().values():
        path = take_over(path, app.context.home.decks, card.deck)
    command = editor_command(os.environ.get("VISUAL") or os.environ.get("EDITOR") or "nano", path, card.line)
    with app.suspend():
        try:
            subprocess.run(command, check=False)
        except OSError as error:
            raise UsageError(
                f"{command[0]} does not start ({(error.strerror or '').lower()}); set EDITOR to your editor"
            ) from None
    app.context = Context(app.context.common)
    return app.context.library
