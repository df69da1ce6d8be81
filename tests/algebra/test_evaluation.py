"""The numbers that lines come to."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any

import pytest

from quizapp.algebra import Names, Unreadable, evaluate, read


def value(text: str, functions: dict[str, Any] | None = None, **values: Any) -> Any:
    names = Names(functions=tuple(functions or ()), words=("causal",))
    return evaluate(read(text, names), names, values, functions)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("sin(1)", math.sin(1)),
        ("10000^(2/4)", 100.0),
        ("sqrt(-4)", 2j),
        ("[[1, 2], [3, 4]]", [[1, 2], [3, 4]]),
        ("[[1, 2], [3, 4]] [1, 1]", [[3], [7]]),
        ("softmax([[0, 0]])", [[0.5, 0.5]]),
        ("e^(I pi)", -1),
        ("Sum(1/j, (j, 1, 4))", 25 / 12),
    ],
)
def test_plain_values(text: str, expected: Any) -> None:
    found = value(text)
    if isinstance(expected, list):
        assert found == [pytest.approx(row) for row in expected]
    else:
        assert found == pytest.approx(expected)


def test_symbols_take_values() -> None:
    assert value("x^2 + n", x=Fraction(1, 2), n=3) == 3.25
    with pytest.raises(Unreadable, match="x has no value"):
        value("x + 1")


def test_external_functions() -> None:
    calls: list[tuple[Any, ...]] = []

    def table(*args: Any) -> list[list[float]]:
        calls.append(args)
        return [[1.0, 2.0], [3.0, 4.5]]

    functions = {"table": table, "seven": lambda n: 7 * n}
    assert value("table(3, 1/2, causal)", functions) == [[1.0, 2.0], [3.0, 4.5]]
    assert calls[-1] == (3, 0.5, "causal")
    assert isinstance(calls[-1][0], int)
    assert value("table(1)[1]", functions) == [3.0, 4.5]
    assert value("2 table(1)[1][0] + seven(2)", functions) == 20
    assert value("table(1)[0, 1]", functions) == 2.0
    assert value("table(1) [1, 1]", functions) == [[3.0], [7.5]]


@pytest.mark.parametrize("text", ["table(1)[9]", "fails(1)", "1/(2-2)", "log(0)", "words(1)"])
def test_what_has_no_value_says_so(text: str) -> None:
    functions = {
        "table": lambda _: [1.0],
        "fails": lambda _: [][0],
        "words": lambda _: "text",
    }
    with pytest.raises(Unreadable):
        value(text, functions)
