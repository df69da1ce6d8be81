"""How values move, stay within their ranges, and follow each other."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import pytest

from quizapp.demos.model import (
    Choice,
    Control,
    Number,
    Sentence,
    State,
    Value,
    View,
    bounded,
    go,
    move,
    put,
    settle,
    view,
)


@dataclass(frozen=True)
class Pair:
    """A word of a sentence, and a colour; the range of the word follows the sentence, that of the last follows it."""

    name: str = "pair"
    title: str = "A pair"
    steps: tuple[str, ...] = ("one", "two", "three")
    derivation: str | None = None

    def controls(self, step: int, values: Mapping[str, Value]) -> tuple[Control, ...]:
        count = len(str(values.get("text", "a b c d")).split())
        word = values.get("word", 0)
        controls: tuple[Control, ...] = (
            Sentence("text", "text", "a b c d", most=6),
            Number("word", "word", 0, count - 1, 1, step=1, leap=3),
            Number("before", "before", 0, word if isinstance(word, int) else 0, 0),
        )
        return (*controls, Choice("colour", "colour", ("red", "blue"), "red")) if step else controls

    def view(self, step: int, values: Mapping[str, Value]) -> View:
        return View((), (), f"{step} {sorted(values.items())}", "", "", ())


PAIR = Pair()


def test_values_start_where_their_controls_say() -> None:
    assert settle(PAIR, State(1)) == {"text": "a b c d", "word": 1, "before": 0, "colour": "red"}


def test_a_range_that_shrinks_takes_its_value_and_what_hangs_on_it_along() -> None:
    state = put(PAIR, put(PAIR, State(), "word", 3), "before", 3)
    assert settle(PAIR, state)["before"] == 3
    assert settle(PAIR, put(PAIR, state, "text", "x y")) == {"text": "x y", "word": 1, "before": 1}


@pytest.mark.parametrize(
    ("name", "steps", "leap", "expected"),
    [("word", 1, False, 2), ("word", -5, False, 0), ("word", 1, True, 3), ("word", -1, True, 0)],
)
def test_arrows_move_a_number_within_its_range(name: str, steps: int, leap: bool, expected: int) -> None:
    assert settle(PAIR, move(PAIR, State(), name, steps, leap=leap))[name] == expected


def test_arrows_go_round_a_choice_and_leave_a_sentence_alone() -> None:
    state = State(1)
    assert [settle(PAIR, move(PAIR, state, "colour", by))["colour"] for by in (0, 1, 2, -1)] == [
        "red",
        "blue",
        "red",
        "blue",
    ]
    assert settle(PAIR, move(PAIR, state, "text", 1))["text"] == "a b c d"
    assert settle(PAIR, move(PAIR, state, "no such value", 1)) == settle(PAIR, state)


def test_steps_stop_at_both_ends_and_keep_the_values() -> None:
    state = put(PAIR, State(), "word", 3)
    assert go(PAIR, state, -1).step == 0
    assert go(PAIR, state, 9).step == 2
    assert settle(PAIR, go(PAIR, state, 1))["word"] == 3
    assert view(PAIR, go(PAIR, state, 1)).see.startswith("1 ")


@pytest.mark.parametrize(
    ("control", "value", "expected"),
    [
        (Number("n", "n", -3, 5, 1), 99, 5),
        (Number("n", "n", -3, 5, 1), -99, -3),
        (Number("n", "n", -3, 5, 1), "two", 1),
        (Choice("c", "c", ("a", "b"), "b"), "z", "b"),
        (Sentence("s", "s", "start", most=2), "  one \n two three ", "one two"),
        (Sentence("s", "s", "start"), "   ", "start"),
    ],
)
def test_a_value_that_does_not_fit_becomes_the_nearest_that_does(
    control: Control, value: Value, expected: Value
) -> None:
    assert bounded(control, value) == expected
