"""Numeric claims: recompute both sides and compare them within what the claim states."""

from __future__ import annotations

from collections.abc import Iterator
from decimal import Decimal
from typing import Any

from quizapp.algebra import Expression

# Two sides that are computed, not stated, agree up to the rounding of float64 arithmetic.
_ROUNDING = 1e-9
# A whole number is exact; this much is the rounding of the function that gave it.
_WHOLE = 1e-12


def flat(value: Any) -> list[float]:
    """The numbers of a value, row by row; a column, a row and a plain list of numbers are the same."""
    if isinstance(value, list | tuple):
        return [number for entry in value for number in flat(entry)]
    return [value]


def tolerances(expression: Expression, count: int) -> list[float] | None:
    """Half a unit of the last digit of each stated number; None where the side is computed, not stated."""
    entries = list(_entries(expression))
    steps = [_half_unit(entry) for entry in entries]
    known = [step for step in steps if step is not None]
    return known if len(known) == count == len(entries) else None


def apart(
    left: list[float], right: list[float], stated: list[float] | None, tolerance: float | None
) -> tuple[int, float] | None:
    """The first entry at which two sides differ by more than allowed, and how much is allowed there.

    ``tolerance`` is absolute and goes before ``stated``; with neither, both sides are computed and may
    differ by rounding.
    """
    for index, (a, b) in enumerate(zip(left, right, strict=True)):
        size = max(1.0, abs(a), abs(b))
        if tolerance is not None:
            allowed = tolerance
        elif stated is not None:
            allowed = stated[index]
        else:
            allowed = _ROUNDING * size
        # The difference of two floats near the edge is itself rounded.
        if not abs(a - b) <= allowed + _WHOLE * size:
            return index, allowed
    return None


def is_stated(expression: Expression) -> bool:
    """Whether a side is a number, or a list of numbers, that was written down."""
    return all(_half_unit(entry) is not None for entry in _entries(expression))


def has_decimal(expression: Expression) -> bool:
    """Whether a stated side has a decimal, which is a rounded number."""
    return is_stated(expression) and any(node.head == "dec" for node in expression.walk())


def _entries(expression: Expression) -> Iterator[Expression]:
    if expression.head == "mat":
        for argument in expression.args:
            yield from _entries(argument)
    else:
        yield expression


def _half_unit(expression: Expression) -> float | None:
    while expression.head == "neg":
        (expression,) = expression.args
    if expression.head == "num":
        # A fraction is exact, as a whole number is.
        return 0.0
    if expression.head == "dec":
        exponent = Decimal(str(expression.value)).as_tuple().exponent
        return 0.5 * 10.0**exponent if isinstance(exponent, int) else None
    return None
