"""Where the content that ships with the program lives, in a checkout and in an installed wheel alike."""

from __future__ import annotations

from pathlib import Path

from quizapp.errors import QuizappError


def content_root() -> Path:
    """The folder that holds the built-in ``decks/`` and ``derivations/``."""
    package = Path(__file__).resolve().parent
    for root in (package / "_library", package.parent):
        if (root / "decks").is_dir() and (root / "derivations").is_dir():
            return root
    raise QuizappError(f"the built-in decks are missing beside {package}; install quizapp again")
