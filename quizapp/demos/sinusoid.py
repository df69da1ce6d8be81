"""The demo of the sinusoidal encoding: seven steps from the index to a dot product that knows the distance."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from quizapp.demos import sinusoid_clocks, sinusoid_index, sinusoid_rows
from quizapp.demos.model import Choice, Control, Number, Sentence, Value, View

SENTENCE = Sentence("sentence", "sentence", "the cat sat on the")
FARTHEST = 10_000


def words_of(values: Mapping[str, Value]) -> list[str]:
    return str(values.get("sentence", SENTENCE.start)).split()


@dataclass(frozen=True)
class Sinusoid:
    name: str = "sinusoid"
    title: str = "A row of clocks for every position"
    steps: tuple[str, ...] = (
        "the index",
        "index over length",
        "one clock",
        "a row of clocks",
        "the table",
        "a shift turns",
        "dot product",
    )
    derivation: str | None = "linear-shift"

    def controls(self, step: int, values: Mapping[str, Value]) -> tuple[Control, ...]:
        count = len(words_of(values))
        word = Number("word", "word at", 0, count - 1, count - 1, leap=5)
        position = Number("position", "position p", 0, FARTHEST, 4, leap=100)
        match step:
            case 0:
                return (SENTENCE, Number("start", "first word at", 0, 100_000, 0, leap=1000))
            case 1:
                return (SENTENCE, word, Number("length", "words in all", count, 1000, count, leap=45))
            case 2:
                return (position, Number("other", "other position", 0, FARTHEST, 48, leap=44))
            case 3:
                return (position, Choice("dim", "dimension d", ("4", "8", "16"), "8"))
            case 4:
                dim = Choice("dim", "dimension d", ("4", "8", "16", "32", "64"), "8")
                columns = (
                    int(str(values.get("dim", "8"))) if str(values.get("dim", "8")) in dim.options else 8
                )
                return (SENTENCE, word, Number("column", "column", 0, columns - 1, 0, leap=8), dim)
            case 5:
                p = values.get("position", 4)
                back = min(int(p), 20) if isinstance(p, int) else 4
                return (
                    position,
                    Number("shift", "shift k", -back, 20, 3, leap=5),
                    Choice("dim", "dimension d", ("4", "8", "16"), "8"),
                )
        return (
            position,
            Number("distance", "distance k", 0, sinusoid_rows.FARTHEST_DISTANCE, 3),
            Choice("dim", "dimension d", ("4", "8", "64", "512"), "64"),
        )

    def view(self, step: int, values: Mapping[str, Value]) -> View:
        def number(name: str) -> int:
            return int(values[name])

        words = words_of(values)
        match step:
            case 0:
                return sinusoid_index.raw_index(words, number("start"))
            case 1:
                return sinusoid_index.share_of_length(words, number("word"), number("length"))
            case 2:
                return sinusoid_clocks.one_clock(number("position"), number("other"))
            case 3:
                return sinusoid_clocks.row_of_clocks(number("position"), number("dim"))
            case 4:
                return sinusoid_rows.table(words, number("word"), number("column"), number("dim"))
            case 5:
                return sinusoid_clocks.shift(number("position"), number("shift"), number("dim"))
        return sinusoid_rows.dot_product(number("position"), number("distance"), number("dim"))


demo = Sinusoid()
