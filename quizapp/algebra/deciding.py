"""Decide whether two lines are equal: *equal* only with a proof, *different* only certified.

1. Both read, both brought to core form: the same core is a proof.
2. Floating-point values at points of the declared domain look for a difference; one that is found is
   certified with exact and many-digit numbers before it counts.
3. sympy, in a process that can be stopped, looks for a proof.
4. Without one, many-digit numbers over a wide range look for a difference too small for floats.
5. Else it is undecided.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import lru_cache
from typing import Any

from quizapp.algebra.comparing import Comparison, Difference, compare, compare_precisely
from quizapp.algebra.conditions import domain_notes
from quizapp.algebra.errors import Unreadable
from quizapp.algebra.form import same_form
from quizapp.algebra.meaning import Matrix, Meaning, meaning, symbols_of
from quizapp.algebra.names import Names
from quizapp.algebra.points import points
from quizapp.algebra.program import Program, compile_program
from quizapp.algebra.reader import read
from quizapp.algebra.rounding import agrees_to_digits
from quizapp.algebra.tree import Expression
from quizapp.algebra.worker import Answer, shared

Number = float | str | None
Value = Number | list[list[Number]]


@dataclass(frozen=True)
class Verdict:
    """What was found, and how.

    ``left`` and ``right`` are both sides' values at the counterexample (nested lists for matrices);
    ``points`` counts the points at which both sides agreed; ``conditions`` say where one side alone is
    defined; ``side`` and ``at`` (1-based column) say where an unreadable line breaks off.
    """

    verdict: str
    method: str = ""
    counterexample: tuple[tuple[str, str], ...] = ()
    left: Value = None
    right: Value = None
    side: str = ""
    at: int | None = None
    message: str = ""
    conditions: tuple[str, ...] = ()
    agrees_to_digits: bool = False
    points: int = 0

    @property
    def proved(self) -> bool:
        """Whether it is *equal*, which is never said without a proof."""
        return self.verdict == "equal"

    @property
    def equal(self) -> bool:
        """The same as ``proved``."""
        return self.verdict == "equal"

    def to_json(self) -> dict[str, Any]:
        """The JSON of ``quizapp equal``."""
        found: dict[str, Any] = {
            "verdict": self.verdict,
            "method": self.method,
            "counterexample": dict(self.counterexample),
            "left": self.left,
            "right": self.right,
            "side": self.side,
            "at": self.at,
            "message": self.message,
        }
        if self.verdict == "different" and self.agrees_to_digits:
            found["agrees_to_digits"] = True
        if self.conditions:
            found["conditions"] = list(self.conditions)
        return found


def decide(a: str | Expression, b: str | Expression, names: Names, *, limit: float = 2.0) -> Verdict:
    """Decide whether ``a`` equals ``b`` wherever both are defined. Never raises for what is typed.

    ``limit`` is the time in seconds that sympy may take once it is warm.
    """
    sides: list[tuple[Expression, Meaning]] = []
    for side, line in (("a", a), ("b", b)):
        try:
            sides.append(_understood(line, names))
        except Unreadable as error:
            return Verdict("unreadable", "reading", side=side, at=error.at, message=error.message)
    (tree_a, left), (tree_b, right) = sides
    return _decided(tree_a, tree_b, left, right, names, limit)


@lru_cache(maxsize=512)
def _understood(line: str | Expression, names: Names) -> tuple[Expression, Meaning]:
    tree = read(line, names) if isinstance(line, str) else line
    return tree, meaning(tree, names)


@lru_cache(maxsize=2048)
def _remembered(left: Meaning, right: Meaning, names: Names, limit: float) -> Verdict:
    return _settled(left, right, names, limit)


def _decided(
    tree_a: Expression, tree_b: Expression, left: Meaning, right: Meaning, names: Names, limit: float
) -> Verdict:
    if _shape(left) != _shape(right):
        return Verdict(
            "different", "shape", message=f"one side is {_describe(left)}, the other {_describe(right)}"
        )
    verdict = _remembered(left, right, names, limit)
    if verdict.verdict == "undecided" and verdict.method in ("stopped", "no worker"):
        # A busy machine or a learner may have stopped it: the next time it may succeed.
        _remembered.cache_clear()
    if verdict.verdict == "equal":
        method = (
            "same form" if verdict.method == "arithmetic" and same_form(tree_a, tree_b) else verdict.method
        )
        return replace(verdict, method=method, conditions=domain_notes(left, right, names))
    if verdict.verdict == "different" and agrees_to_digits(tree_a, tree_b, names):
        return replace(
            verdict, agrees_to_digits=True, message="both agree to the digits given, but decimals are exact"
        )
    return verdict


def _settled(left: Meaning, right: Meaning, names: Names, limit: float) -> Verdict:
    if left == right:
        return Verdict("equal", "arithmetic", points=0)
    a, b = _entries(left), _entries(right)
    pairs = [(x, y) for x, y in zip(a, b, strict=True) if x != y]
    comparison = Comparison.of([x for x, _ in pairs], [y for _, y in pairs], names)
    found = compare(comparison)
    if found.difference is not None:
        return _different(left, right, comparison, found.difference)
    answer = _ask(comparison, names, limit) if found.agreed else Answer(False)
    if answer.proved:
        return Verdict("equal", answer.method, points=found.agreed)
    wide = compare_precisely(comparison)
    if wide.difference is not None:
        return _different(left, right, comparison, wide.difference)
    agreed = found.agreed + wide.agreed
    if agreed == 0:
        return Verdict("undecided", "no points", message="no point was found at which both sides are defined")
    method = "stopped" if answer.timed_out else "no worker" if answer.failed else "no proof"
    reason = f"sympy was stopped after {limit:g} s" if answer.timed_out else "no proof is known"
    return Verdict(
        "undecided", method, message=f"both sides agree at {agreed} points, and {reason}", points=agreed
    )


def _ask(comparison: Comparison, names: Names, limit: float) -> Answer:
    symbols: dict[str, dict[str, Any]] = {}
    for name in comparison.symbols:
        where = names.assumption(name)
        symbols[name] = {
            "complex": where.complex,
            "integer": where.integer or name in comparison.integers,
            "positive": where.positive,
            "nonnegative": where.nonnegative,
            "negative": where.negative,
            "lower": None if where.lower is None else str(where.lower),
            "open_lower": where.open_lower,
            "upper": None if where.upper is None else str(where.upper),
            "open_upper": where.open_upper,
        }
    question = {"program": comparison.program.to_json(), "symbols": symbols, "complex": comparison.complex}
    return shared().prove(question, limit)


def _different(left: Meaning, right: Meaning, comparison: Comparison, found: Difference) -> Verdict:
    free = symbols_of(left) | symbols_of(right)
    program = _program([*_entries(left), *_entries(right)], comparison)
    # Entries that are equal may hold symbols of their own; any value does for those.
    others = next(points(free - found.point.keys(), comparison.names, comparison.whole))
    point = {**others, **found.point}
    values = comparison.numbers(program, point)
    half = len(values) // 2
    if values[:half] == values[half:]:
        values = comparison.numbers(program, point, digits=40)
    shown = tuple((name, number_text(point[name])) for name in sorted(free))
    return Verdict(
        "different",
        "certified counterexample",
        counterexample=shown,
        left=_grid(left, values[:half]),
        right=_grid(right, values[half:]),
    )


def _program(entries: Sequence[Expression], comparison: Comparison) -> Program:
    return compile_program(entries, comparison.whole)


def number_text(value: Fraction | tuple[Fraction, Fraction]) -> str:
    """An exact number as text; a complex one as ``a + b*I``."""
    if isinstance(value, Fraction):
        return str(value)
    real, imaginary = value
    return f"{real} + {imaginary}*I"


def _grid(side: Meaning, values: Sequence[Number]) -> Value:
    if isinstance(side, Matrix):
        columns = side.shape[1]
        return [list(values[i : i + columns]) for i in range(0, len(values), columns)]
    return values[0]


def _entries(side: Meaning) -> tuple[Expression, ...]:
    return side.entries if isinstance(side, Matrix) else (side,)


def _shape(side: Meaning) -> tuple[int, int]:
    return side.shape if isinstance(side, Matrix) else (1, 1)


def _describe(side: Meaning) -> str:
    rows, columns = _shape(side)
    return f"a {rows}x{columns} matrix" if isinstance(side, Matrix) else "a number"
