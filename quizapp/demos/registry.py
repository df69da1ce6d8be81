"""The demos by name; a demo is imported when it is asked for."""

from __future__ import annotations

import difflib
from importlib import import_module

from quizapp.demos.model import Demo
from quizapp.errors import UsageError

# In the order of the lesson: why order is lost, how it is put back, what goes wrong in use.
NAMES = (
    "set",
    "sinusoid",
    "vector",
    "learned",
    "offsets",
    "rope",
    "stretch",
    "causal",
    "cache",
    "precision",
)


def load(name: str) -> Demo:
    """The demo of that name. Raises UsageError where there is none, with the nearest name."""
    if name not in NAMES:
        near = difflib.get_close_matches(name, NAMES, 1)
        meant = f"did you mean {near[0]}?" if near else "quizapp demo --list names them"
        raise UsageError(f"there is no demo {name}; {meant}")
    demo: Demo = import_module(f"quizapp.demos.{name}").demo
    return demo


def load_all() -> tuple[Demo, ...]:
    """Every demo, in order."""
    return tuple(load(name) for name in NAMES)
