"""A view as plain text: whole, in order, and no wider than a terminal."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from quizapp.demos.model import Control, Number, Reading, Sentence, State, Value, View
from quizapp.demos.words import WIDTH, describe
from quizapp.notation.width import cells


@dataclass(frozen=True)
class Sample:
    shown: View
    name: str = "sample"
    title: str = "A sample"
    steps: tuple[str, ...] = ("one", "two")
    derivation: str | None = None

    def controls(self, step: int, values: Mapping[str, Value]) -> tuple[Control, ...]:  # noqa: ARG002
        return (Sentence("text", "the text", "a b"), Number("n", "a number", 0, 9, 3))

    def view(self, step: int, values: Mapping[str, Value]) -> View:  # noqa: ARG002
        return self.shown


def described(*words: str, see: str = "See this.", steps: tuple[str, ...] = ("one", "two")) -> list[str]:
    shown = View((), (Reading("a label", 1.5, "1.50"),), see, "Say that.", "Because.", words)
    return describe(Sample(shown, steps=steps), State(1 if len(steps) > 1 else 0), shown)


def test_everything_is_there_in_order() -> None:
    assert described("First.", "  indented 1 2 3") == [
        "A sample, step 2 of 2: two",
        'Set: text "a b"; n 3',
        "",
        "See this.",
        "",
        "First.",
        "  indented 1 2 3",
        "",
        "a label: 1.50",
        "",
        "Say it: Say that.",
    ]


def test_a_demo_of_one_step_names_none() -> None:
    assert described(steps=("all",))[0] == "A sample"


def test_long_lines_are_broken_by_what_they_take_on_the_screen() -> None:
    wide = "日本語のとても長い文 " * 12
    lines = described(wide, "x" * 200, "  " + "word " * 40)
    assert max(map(cells, lines)) <= WIDTH
    text = "".join(lines)
    assert text.count("日") == 12
    assert text.count("x" * 70) == 2
    assert text.replace(" ", "").count("word") == 40


def test_what_would_move_the_cursor_is_left_out() -> None:
    assert "red" in described("\x1b[31mred\x1b[0m\x07")[5]
    assert "\x1b" not in "".join(described("\x1b[31mred\x1b[0m\x07"))
