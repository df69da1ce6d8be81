"""Prove that two sides are equal, by the cheapest route of sympy that does it. Runs in the worker only.

Every route is a proof: no numbers, no ``force``, no assumption beyond those declared or forced by the domain.
"""

from __future__ import annotations

import itertools
import time
from collections.abc import Callable, Iterator
from typing import Any

import sympy as sp

from quizapp.algebra import routes, sums
from quizapp.algebra.symbolic import Builder, Constraint

Difference = tuple[Any, Any]
Route = tuple[str, Callable[[Any], bool]]

_QUICK: tuple[Route, ...] = (
    ("arithmetic", routes.same),
    ("polynomial", routes.rational),
    ("trigonometric", routes.trigonometric),
    ("exponential", routes.exponential),
)
_SLOW: tuple[Route, ...] = (
    ("factorials", routes.factorials),
    ("logarithms", routes.logarithms),
    ("radicals", routes.radicals),
    ("inverse functions", routes.inverse_functions),
    ("rounding", routes.rounding),
    ("minimum and maximum", routes.extremes),
    ("derivative", routes.constant_zero),
    ("assumptions", routes.known_zero),
    ("conjugates", routes.complex_parts),
    ("algebraic numbers", routes.algebraic_number),
)
MAX_SPLIT = 3
MAX_FORCED = 6


def warm() -> None:
    """Run each quick route once, so that the first question finds sympy loaded."""
    x, y = sp.symbols("x y", real=True)
    p = sp.Symbol("p", positive=True)
    for d in (
        (x + y) ** 2 - x**2 - 2 * x * y - y**2,
        sp.cos(x - y) - sp.cos(x) * sp.cos(y) - sp.sin(x) * sp.sin(y),
    ):
        routes.trigonometric(d)
        routes.exponential(d)
    routes.exponential(p**x * p**y - p ** (x + y))


def prove(question: dict[str, Any]) -> str:
    """The method that proved every entry equal, or an empty text.

    ``question`` holds the program of both sides' entries (all of a, then all of b), the symbols, and
    whether complex values count.
    """
    deadline = time.monotonic() + float(question.get("limit", 2.0))
    builder = Builder(question["symbols"], bool(question["complex"]))
    entries = builder.build(question["program"])
    half = len(entries) // 2
    pairs = [(a, b) for a, b in zip(entries[:half], entries[half:], strict=True) if a != b]
    constraints = [c for c in builder.constraints if not c.expression.is_positive]
    methods: list[str] = []
    for a, b in dict.fromkeys(pairs):
        method = _prove_pair(a, b, constraints, builder.declared, deadline)
        if not method:
            return ""
        methods.append(method)
    return max(methods, key=len) if methods else "arithmetic"


def _prove_pair(
    a: Any, b: Any, constraints: list[Constraint], declared: dict[str, dict[str, Any]], deadline: float
) -> str:
    a, b = routes.zero_powers(a), routes.zero_powers(b)
    d = a - b
    for name, attempt in _attempts(a, b, d, constraints, declared):
        if time.monotonic() > deadline:
            return ""
        if attempt():
            return name
    return ""


def _attempts(
    a: Any, b: Any, d: Any, constraints: list[Constraint], declared: dict[str, dict[str, Any]]
) -> Iterator[tuple[str, Callable[[], bool]]]:
    if d.has(sp.Sum):
        yield "sums", lambda: sums.vanishes(a, b, _quick)
    for name, route in _QUICK:
        yield name, lambda route=route: route(d)  # type: ignore[misc]
    shift = _declared_shift(d, declared)
    if shift:
        yield "declared range", lambda: _quick(d.subs(shift))
    forced = _forced(constraints)
    if forced is not None:
        yield "domain", lambda: _in_domain(a, b, constraints, MAX_FORCED)
    for name, route in _SLOW:
        yield name, lambda route=route: route(d)  # type: ignore[misc]
    yield "squares", lambda: routes.squares(a, b)
    yield "case split", lambda: _case_split(a, b)
    yield "simplify", lambda: bool(sp.simplify(d) == 0)


def _quick(d: Any) -> bool:
    return any(route(d) for _, route in _QUICK)


def _declared_shift(d: Any, declared: dict[str, dict[str, Any]]) -> dict[Any, Any]:
    """``d > 2`` becomes ``2 + p`` with p positive: then sympy knows that ``d - 2`` is no zero."""
    found = {}
    for symbol in d.free_symbols:
        facts = declared.get(symbol.name, {})
        kind = {"integer": True} if facts.get("integer") else {"real": True}
        if facts.get("lower") not in (None, "0"):
            sign = {"positive": True} if facts["open_lower"] else {"nonnegative": True}
            found[symbol] = sp.Rational(facts["lower"]) + sp.Dummy(symbol.name, **kind, **sign)
        elif facts.get("upper") not in (None, "0") and facts.get("lower") is None:
            sign = {"positive": True} if facts["open_upper"] else {"nonnegative": True}
            found[symbol] = sp.Rational(facts["upper"]) - sp.Dummy(symbol.name, **kind, **sign)
    return found


def _forced(constraints: list[Constraint]) -> tuple[Any, Any, Any, bool] | None:
    """The first symbol that the domain bounds: it, its edge, its replacement, whether the edge is inside."""
    for constraint in constraints:
        expression = constraint.expression
        for symbol in sorted(expression.free_symbols, key=str):
            if symbol.is_positive or not symbol.is_real:
                continue
            slope = expression.diff(symbol)
            if not (slope.is_Rational and slope != 0):
                continue
            edge = -expression.subs(symbol, 0) / slope
            step = sp.Dummy(symbol.name, positive=True)
            if symbol.is_integer and edge.is_integer:
                step = sp.Dummy(symbol.name, positive=True, integer=True)
            elif symbol.is_integer:
                continue
            return symbol, edge, edge + step * sp.sign(slope), not constraint.strict
    return None


def _in_domain(a: Any, b: Any, constraints: list[Constraint], depth: int) -> bool:
    """Write a bounded symbol as its edge plus something positive; the edge itself is put in."""
    forced = _forced(constraints)
    if forced is None or depth == 0:
        return False
    symbol, edge, replacement, with_edge = forced
    if with_edge and not _equal_or_undefined(a.subs(symbol, edge), b.subs(symbol, edge)):
        return False
    inner_a, inner_b = a.subs(symbol, replacement), b.subs(symbol, replacement)
    rest = [Constraint(c.expression.subs(symbol, replacement), c.strict) for c in constraints]
    rest = [c for c in rest if not c.expression.is_positive]
    d = inner_a - inner_b
    return (
        _quick(d)
        or _in_domain(inner_a, inner_b, rest, depth - 1)
        or routes.logarithms(d)
        or routes.radicals(d)
        or routes.squares(inner_a, inner_b)
        or _case_split(inner_a, inner_b)
    )


def _equal_or_undefined(a: Any, b: Any) -> bool:
    if any(side.has(sp.nan, sp.zoo, sp.oo, -sp.oo) for side in (a, b)):
        return True
    return _quick(routes.zero_powers(a) - routes.zero_powers(b))


def _case_split(a: Any, b: Any) -> bool:
    """Each real symbol of unknown sign is positive, negative or zero."""
    d = a - b
    unknown = [
        s
        for s in sorted(d.free_symbols, key=str)
        if s.is_real and s.is_positive is None and not s.is_negative
    ]
    if not unknown or len(unknown) > MAX_SPLIT:
        return False
    choices = []
    for symbol in unknown:
        kind = {"integer": True} if symbol.is_integer else {}
        p = sp.Dummy(symbol.name, positive=True, **kind)
        choices.append([(symbol, p), (symbol, -p), (symbol, sp.Integer(0))])
    for choice in itertools.product(*choices):
        left, right = a.subs(choice), b.subs(choice)
        if not _equal_or_undefined(left, right):
            return False
    return True
