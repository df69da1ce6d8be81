"""What the steps of the offset demo share: a sentence along both edges, a query and a key, and the bare offsets."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from quizapp.demos.model import Control, Matrix, Number, Reading, Sentence, Value, View
from quizapp.demos.wording import counted, fixed, quoted
from quizapp.encodings.frequencies import Array
from quizapp.encodings.relative import Indices, offsets

START = "the cat sat on the mat"
MOST_WORDS = 12


def edge_controls(values: Mapping[str, Value]) -> tuple[Control, ...]:
    words = str(values.get("sentence", START)).split()[:MOST_WORDS] or START.split()
    last = len(words) - 1
    return (
        Sentence("sentence", "sentence", START, MOST_WORDS),
        Number("query", "query m", 0, last, min(2, last), leap=3),
        Number("key", "key n", 0, last, 0, leap=3),
    )


@dataclass(frozen=True)
class Grid:
    """The words, the offsets of every key to every query, shape (words, words), and the cell in hand."""

    words: tuple[str, ...]
    offsets: Indices
    query: int
    key: int

    @property
    def offset(self) -> int:
        return int(self.offsets[self.query, self.key])

    def matrix(
        self,
        title: str,
        cells: Sequence[Sequence[str]],
        shades: Array,
        marked: tuple[tuple[int, int], ...] = (),
    ) -> Matrix:
        return Matrix(
            title,
            tuple(tuple(row) for row in cells),
            self.words,
            self.words,
            shades.tolist(),
            (self.query, self.key),
            marked,
        )

    def line(self, row: Sequence[str]) -> str:
        """A row of the matrix in words, each key with its value."""
        pairs = ", ".join(f"{word} {text}" for word, text in zip(self.words, row, strict=True))
        return f"Query {self.query}, {self.words[self.query]}: {pairs}."

    def heads(self) -> tuple[str, ...]:
        query, key = (f"{place} ({self.words[place]})" for place in (self.query, self.key))
        return (
            f"Queries down, keys across: {' '.join(self.words)}.",
            f"Query {query}, key {key}: offset {signed(self.offset)}.",
        )

    def offset_reading(self) -> Reading:
        return Reading("offset n - m", self.offset, signed(self.offset))


def grid(values: Mapping[str, Value]) -> Grid:
    words = tuple(str(values["sentence"]).split())
    places = np.arange(len(words))
    return Grid(words, offsets(places, places), int(values["query"]), int(values["key"]))


def signed(value: int) -> str:
    return f"{value:+d}" if value else "0"


def text_cells(table: Array | Indices, write: Callable[[float], str]) -> list[list[str]]:
    return [[write(value) for value in row] for row in table.tolist()]


def scaled(table: Array | Indices) -> Array:
    """The values from 0 to 1 as shades; masked ones and a table of one value are 0."""
    finite = np.isfinite(table)
    low, high = float(table[finite].min()), float(table[finite].max())
    filled = np.where(finite, table, low)
    return np.asarray((filled - low) / (high - low)) if high > low else np.zeros(table.shape)


def diagonals(table: Array | Indices) -> Reading:
    """How many diagonals hold one value only: all of them, in each of these schemes."""
    size = table.shape[0]
    constant = sum(len(set(np.diagonal(table, shift).tolist())) == 1 for shift in range(1 - size, size))
    return Reading("constant diagonals", constant, f"{constant} of {2 * size - 1}")


def plain(values: Mapping[str, Value]) -> View:
    """The offsets themselves."""
    held = grid(values)
    cells = text_cells(held.offsets, lambda value: signed(int(value)))
    picture = held.matrix("offset n - m, key minus query", cells, scaled(held.offsets))
    size = len(held.words)
    row = cells[held.query]
    distinct = len(np.unique(held.offsets))
    readings = (
        held.offset_reading(),
        diagonals(held.offsets),
        Reading("different offsets", distinct, str(distinct)),
    )
    if size == 1:
        see = "One word: its only offset is 0. Type a longer sentence."
    else:
        see = (
            f"Every diagonal is constant, so {size * size} pairs share {distinct} offsets; the row of "
            f"{quoted(held.words[held.query], 12)} runs from {row[0]} to {row[-1]}."
        )
    say = (
        "A relative scheme gives the score one number or vector for each offset, key minus query. So the matrix is "
        "constant along its diagonals, and moving the whole sentence changes nothing."
    )
    why = (
        "score(i, j) = qᵢ·kⱼ/√d + b(j - i): content plus a bias that sees the offset only. One sign convention "
        "has to hold: here offset = key - query, so the word before is -1. Shaw and T5 write it so; ALiBi writes "
        "i - j, with the minus sign in front. All of them tell before from after, which a bare distance does not."
    )
    return View((picture,), readings, see, say, why, (*held.heads(), *_lines(held, cells)))


def _lines(held: Grid, cells: list[list[str]]) -> tuple[str, ...]:
    size = len(held.words)
    return (
        held.line(cells[held.query]),
        f"{counted(size * size, 'pair')}, {counted(2 * size - 1, 'diagonal')}, "
        f"offsets from {signed(1 - size)} to {signed(size - 1)}.",
    )


def bias(value: float) -> str:
    """Few enough places that twelve columns fit; the exact value stands beside the picture."""
    if not np.isfinite(value):
        return "·"
    text = fixed(value, 2 if abs(value) >= 0.1 else 3)
    return text.rstrip("0").rstrip(".")
