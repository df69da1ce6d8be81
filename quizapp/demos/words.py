"""A view in plain text: for pipes, screen readers and terminals that draw nothing."""

from __future__ import annotations

import textwrap
from collections.abc import Mapping

from quizapp.demos.model import Demo, Sentence, State, Value, View, settle
from quizapp.text import strip_controls

WIDTH = 78


def describe(demo: Demo, state: State, view: View) -> list[str]:
    """Lines of at most ``WIDTH`` characters: what it is, what to see, the picture in numbers, what to say."""
    step = f", step {state.step + 1} of {len(demo.steps)}: {demo.steps[state.step]}"
    lines = _wrapped(demo.title + (step if len(demo.steps) > 1 else ""))
    lines += _wrapped(_values(demo, state, settle(demo, state)))
    lines += ["", *_wrapped(view.see), ""]
    for text in view.words:
        lines += _wrapped(text)
    lines.append("")
    for reading in view.readings:
        lines += _wrapped(f"{reading.label}: {reading.text}")
    return [*lines, "", *_wrapped(f"Say it: {view.say}")]


def _values(demo: Demo, state: State, values: Mapping[str, Value]) -> str:
    said = []
    for control in demo.controls(state.step, values):
        value = values[control.name]
        said.append(
            f'{control.name} "{value}"' if isinstance(control, Sentence) else f"{control.name} {value}"
        )
    return f"Set: {'; '.join(said)}" if said else ""


def _wrapped(text: str) -> list[str]:
    """The lines of a text; what is indented stays so, and a word longer than a line is broken."""
    lines: list[str] = []
    for part in strip_controls(text).expandtabs().splitlines():
        indent = part[: len(part) - len(part.lstrip())]
        lines += textwrap.wrap(
            part, WIDTH, subsequent_indent=indent + "  ", break_on_hyphens=False, replace_whitespace=False
        )
    return lines
