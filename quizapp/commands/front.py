"""Which front a command opens, and how the app's is imported."""

from __future__ import annotations

import gc
import importlib
import os
import sys
from typing import Any


def fit_for_the_app() -> bool:
    """Whether there is a terminal that can draw the app."""
    return sys.stdin.isatty() and sys.stdout.isatty() and os.environ.get("TERM", "dumb") != "dumb"


def front() -> Any:
    """The module that opens screens. All that it imports stays, so garbage waits until the first frame is there."""
    gc.disable()
    return importlib.import_module("quizapp.tui.app")
