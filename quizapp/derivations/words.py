"""Comparisons in words: points, values, and the entry at which two matrices part."""

from __future__ import annotations

import re
from typing import Any

from quizapp.algebra import Names, read, to_latex
from quizapp.algebra.definitions import body
from quizapp.algebra.names import plain_name
from quizapp.derivations.checker import Settled


def point(found: Settled) -> str:
    """``at m = 2, n = -1`` ; empty where the sides differ without any symbol."""
    at = ", ".join(f"{name} = {value}" for name, value in found.counterexample.items())
    return f"at {at}" if at else ""


def apart(found: Settled, left: str = "the left side", right: str = "the right side") -> str:
    """The counterexample in one sentence: where, and what each side gives there.

    Of two matrices of one shape it names the first entry that differs.
    """
    one, other = found.verdict.left, found.verdict.right
    if one is None or other is None:
        return str(found.verdict.message)
    where = ""
    if isinstance(one, list) and isinstance(other, list) and (entry := _first_apart(one, other)):
        where, one, other = entry
    parts = [part for part in (point(found), where) if part]
    return f"{', '.join(parts)}{' ' if parts else ''}{left} gives {number(one)}, {right} {number(other)}"


def number(value: Any) -> str:
    """A number with six digits; a matrix row by row."""
    if isinstance(value, list | tuple):
        return "[" + ", ".join(number(entry) for entry in value) + "]"
    return f"{value:.6g}" if isinstance(value, float) else str(value)


def assumptions(symbols: dict[str, str]) -> str:
    """The declared symbols in one line, those of one kind together: ``m, n integer; theta real``."""
    kinds: dict[str, list[str]] = {}
    for name, kind in symbols.items():
        kinds.setdefault(kind, []).append(name)
    return "; ".join(f"{', '.join(names)} {kind}" for kind, names in kinds.items())


def span(value: str | list[str | int | float]) -> str:
    """The values that a ``for_all`` name runs over, in words: ``0 to 7``, ``all permutations of 3``."""
    if isinstance(value, list):
        return ", ".join(map(str, value))
    if found := re.fullmatch(r"\s*permutations?\s*\(\s*(\d+)\s*\)\s*", value):
        return f"all permutations of {found[1]}"
    if found := re.fullmatch(r"\s*(\S+?)\s*:\s*(-?\d+)\s*", value):
        return f"{found[1]} to {int(found[2]) - 1}"
    return value


def symbol(name: str) -> str:
    """A declared name as LaTeX."""
    return to_latex(read(name, Names()))


def definition(head: str, names: Names) -> str:
    """A named function or matrix (``R(x)``, ``M``) with what it stands for, as LaTeX.

    Raises QuizappError where it can't be read.
    """
    found = names.definitions[plain_name(head.partition("(")[0])]
    arguments = f"({', '.join(map(symbol, found.parameters))})" if found.parameters else ""
    return f"{symbol(found.name)}{arguments} = {to_latex(body(found.name, names))}"


def _first_apart(one: list[Any], other: list[Any]) -> tuple[str, Any, Any] | None:
    if len(one) != len(other):
        return None
    for i, (row, its) in enumerate(zip(one, other, strict=True), 1):
        if not (isinstance(row, list) and isinstance(its, list) and len(row) == len(its)):
            return None
        for j, (a, b) in enumerate(zip(row, its, strict=True), 1):
            if _differ(a, b):
                return f"row {i}, column {j}:", a, b
    return None


def _differ(a: Any, b: Any) -> bool:
    if isinstance(a, int | float) and isinstance(b, int | float):
        return abs(a - b) > 1e-12 * max(1.0, abs(a), abs(b))
    return bool(a != b)
