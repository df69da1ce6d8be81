"""What holds for every demo, at the start and at the ends of every value."""

from __future__ import annotations

import itertools
import math
import random
from collections.abc import Iterator

import numpy as np
import pytest

from quizapp.demos.model import (
    Bars,
    Choice,
    Control,
    Curves,
    Demo,
    Dial,
    HeatMap,
    Matrix,
    Number,
    Picture,
    Sentence,
    State,
    Value,
    View,
    put,
    settle,
    view,
)
from quizapp.demos.registry import load, load_all
from quizapp.demos.words import WIDTH, describe
from quizapp.notation.width import cells
from quizapp.text import has_controls

SENTENCES = (
    "word",
    "a b c d e f g h i j k l m n",
    "日本語 の 文 😀 👩‍👩‍👧 é ffi",
    "same same same same",
    "[b]not[/b] $x$ \\frac",
)


def ends(control: Control) -> list[Value]:
    match control:
        case Number():
            return [control.low, control.high]
        case Choice():
            return list(control.options)
        case Sentence():
            return list(SENTENCES)


def places() -> list[tuple[str, int]]:
    return [(demo.name, step) for demo in load_all() for step in range(len(demo.steps))]


def states(demo: Demo, step: int) -> Iterator[State]:
    """The start, every value at its ends alone, and forty mixtures of ends."""
    start = State(step)
    yield start
    controls = demo.controls(step, settle(demo, start))
    for control in controls:
        for value in ends(control):
            yield put(demo, start, control.name, value)
    chosen = random.Random(7)
    for _ in range(40):
        state = start
        for control in controls:
            state = put(demo, state, control.name, chosen.choice(ends(control)))
        yield state


def check_picture(picture: Picture) -> None:
    match picture:
        case HeatMap():
            shape = np.asarray(picture.values, dtype=float).shape
            assert len(shape) == 2
            assert min(shape) > 0
            assert picture.low < picture.high
            assert not picture.row_labels or len(picture.row_labels) == shape[0]
            assert not picture.column_labels or len(picture.column_labels) == shape[1]
            assert all(0 <= row < shape[0] for row in picture.marked)
            if picture.cursor:
                assert 0 <= picture.cursor[0] < shape[0]
                assert 0 <= picture.cursor[1] < shape[1]
        case Dial():
            assert picture.hands
            assert all(math.isfinite(hand.angle) and 0 <= hand.length <= 1 for hand in picture.hands)
        case Bars():
            assert picture.bars
            assert picture.low < picture.high
        case Curves():
            assert picture.curves
            assert all(len(curve.x) == len(curve.y) > 0 for curve in picture.curves)
        case Matrix():
            rows, columns = len(picture.cells), len(picture.cells[0])
            assert all(len(row) == columns for row in picture.cells)
            assert len(picture.row_labels) == rows
            assert len(picture.column_labels) == columns
            if picture.shades is not None:
                assert np.asarray(picture.shades, dtype=float).shape == (rows, columns)
            marks = [*picture.marked, *([picture.cursor] if picture.cursor else [])]
            assert all(0 <= row < rows and 0 <= column < columns for row, column in marks)


def check_view(demo: Demo, state: State, shown: View) -> None:
    assert shown.pictures
    for picture in shown.pictures:
        check_picture(picture)
    texts = [shown.see, shown.say, shown.why, *shown.words, *(reading.text for reading in shown.readings)]
    for text in texts:
        assert text.strip()
        assert "nan" not in text.casefold().split()
        assert "{" not in text
    assert shown.see[-1] in ".!?"
    assert shown.say[-1] in ".!?"
    for reading in shown.readings:
        assert "\n" not in reading.label + reading.text
    for line in describe(demo, state, shown):
        assert cells(line) <= WIDTH
        assert not has_controls(line)


@pytest.mark.parametrize(("name", "step"), places())
def test_a_view_is_whole_at_the_ends_of_every_value(name: str, step: int) -> None:
    demo = load(name)
    for state in states(demo, step):
        check_view(demo, state, view(demo, state))


@pytest.mark.parametrize(("name", "step"), places())
def test_what_there_is_to_read_fits_a_small_screen(name: str, step: int) -> None:
    demo = load(name)
    for state in states(demo, step):
        shown = view(demo, state)
        controls = demo.controls(step, settle(demo, state))
        assert cells(shown.see) <= 3 * 74, shown.see
        assert cells(shown.say) <= 4 * 72, shown.say
        assert 1 <= len(controls) <= 6
        assert all(cells(reading.text) <= 30 for reading in shown.readings)


@pytest.mark.parametrize(("name", "step"), places())
def test_every_value_changes_the_view(name: str, step: int) -> None:
    demo = load(name)
    start = settle(demo, State(step))
    for control in demo.controls(step, start):
        pairs = itertools.islice(states(demo, step), 60)
        assert any(
            view(demo, put(demo, state, control.name, value)) != view(demo, state)
            for state in pairs
            for value in ends(control)
        ), control.name


@pytest.mark.parametrize(("name", "step"), places())
def test_a_view_depends_on_the_values_alone(name: str, step: int) -> None:
    demo = load(name)
    state = State(step)
    first, second = describe(demo, state, view(demo, state)), describe(demo, state, view(demo, state))
    assert first == second


@pytest.mark.parametrize("name", [demo.name for demo in load_all()])
def test_names_of_values_are_words_for_a_command_line(name: str) -> None:
    demo = load(name)
    for step in range(len(demo.steps)):
        controls = demo.controls(step, settle(demo, State(step)))
        names = [control.name for control in controls]
        assert len(set(names)) == len(names)
        assert all(part.isidentifier() or part.replace("-", "_").isidentifier() for part in names)
