"""A view in plain text: for pipes, screen readers and terminals that draw nothing."""

from __future__ import annotations

from collections.abc import Mapping

from quizapp.demos.model import Demo, Sentence, State, Value, View, settle
from quizapp.notation.width import cells
from quizapp.text import strip_controls

WIDTH = 78
# How far the rest of a sentence that takes several lines is set in.
_HANGING = "  "


def describe(demo: Demo, state: State, view: View) -> list[str]:
    """Lines of at most ``WIDTH`` terminal cells: what it is, what to see, the picture in numbers, what to say."""
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
        indent = part[: len(part) - len(part.lstrip())][: WIDTH // 2]
        line = indent
        for word in part.split():
            for piece in _pieces(word, WIDTH - len(indent) - len(_HANGING)):
                joined = f"{line} {piece}" if line.strip() else line + piece
                if cells(joined) > WIDTH:
                    lines.append(line)
                    line = indent + _HANGING + piece
                else:
                    line = joined
        lines += [line] if line.strip() else []
    return lines


def _pieces(word: str, width: int) -> list[str]:
    """The word in pieces of at most ``width`` cells."""
    pieces = [""]
    for character in word:
        if cells(pieces[-1] + character) > width:
            pieces.append("")
        pieces[-1] += character
    return pieces
