"""The demo of one row: its numbers, the row added to an embedding, one column of it, and the four terms of a score."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from quizapp.demos import vector_row, vector_sum
from quizapp.demos.model import Choice, Control, Number, Value, View
from quizapp.encodings.sinusoidal import LAYOUTS

_DIMS = ("4", "8", "16", "32")


@dataclass(frozen=True)
class Vector:
    name: str = "vector"
    title: str = "One position as a vector"
    steps: tuple[str, ...] = ("row", "bank", "one column", "four terms")
    derivation: str | None = "four-term-expansion"

    def controls(self, step: int, values: Mapping[str, Value]) -> tuple[Control, ...]:
        dim = Choice("dim", "dimension d", _DIMS, "8")
        chosen = str(values.get("dim", dim.start))
        column = Number("column", "column", 0, int(chosen if chosen in _DIMS else dim.start) - 1, 0, leap=4)
        match step:
            case 0:
                return (
                    Number("position", "position p", 0, 1_000_000, 3, leap=100),
                    column,
                    dim,
                    Choice("base", "base", ("100", "1000", "10000", "100000", "500000"), "10000"),
                    Choice("layout", "layout", LAYOUTS, "interleaved"),
                )
            case 1:
                return (
                    Number("place", "position p", 0, vector_sum.FARTHEST, 1),
                    Number("entry", "entry", 0, vector_sum.DIM - 1, 0),
                )
            case 2:
                return (Number("near", "position p", 0, vector_row.POSITIONS - 1, 3), column, dim)
        return (
            Number("query", "query at m", 0, vector_sum.FARTHEST, 3),
            Number("key", "key at n", 0, vector_sum.FARTHEST, 1),
            Choice("between", "W between", vector_sum.BETWEEN, vector_sum.BETWEEN[0]),
        )

    def view(self, step: int, values: Mapping[str, Value]) -> View:
        def number(name: str) -> int:
            return int(values[name])

        match step:
            case 0:
                return vector_row.row(
                    number("position"), number("column"), number("dim"), number("base"), str(values["layout"])
                )
            case 1:
                return vector_sum.bank(number("place"), number("entry"))
            case 2:
                return vector_row.one_column(number("near"), number("column"), number("dim"))
        return vector_sum.four_terms(number("query"), number("key"), str(values["between"]))


demo = Vector()
