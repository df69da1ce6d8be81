"""Sums with symbolic bounds: linearity, one common index, closed forms. Runs in the worker only."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import sympy as sp


def vanishes(a: Any, b: Any, quick: Callable[[Any], bool]) -> bool:
    """Whether both sides are equal once their sums are pulled apart, matched, or added up."""
    d = a - b
    linear = _linear(d)
    if linear == 0 or quick(linear):
        return True
    if _matched(linear, quick):
        return True
    return any(_pieces(closed, quick) for closed in (_closed(linear), _closed(d)))


def _linear(d: Any) -> Any:
    """Each sum split into one sum a term, what does not depend on the index in front, the index from 0."""

    def change(*arguments: Any) -> Any:
        body, limits = arguments[0], arguments[1]
        index, lower, upper = limits
        inner = (
            sp.expand(_linear(body).subs(index, index + lower)) if lower != 0 else sp.expand(_linear(body))
        )
        total = sp.Integer(0)
        for term in sp.Add.make_args(sp.powsimp(inner) if inner.is_Mul else inner):
            front, rest = term.as_independent(index, as_Add=False)
            # The same name for the same facts, so that equal sums are equal objects.
            plain = sp.Symbol("#j", integer=True, nonnegative=True) if lower.is_integer else index
            if rest == 1:
                total += front * (upper - lower + 1)
            else:
                total += front * sp.Sum(
                    sp.powsimp(sp.expand(rest)).subs(index, plain), (plain, 0, upper - lower)
                )
        return total

    return sp.expand(d.replace(sp.Sum, change)) if d.has(sp.Sum) else d


def _matched(d: Any, quick: Callable[[Any], bool]) -> bool:
    """Sums over the same range joined, so that their terms can cancel under one sign."""
    coefficients: dict[Any, Any] = {}
    rest = sp.Integer(0)
    for term in sp.Add.make_args(sp.expand(d)):
        sums = [factor for factor in sp.Mul.make_args(term) if isinstance(factor, sp.Sum)]
        if len(sums) != 1:
            rest += term
            continue
        found = sums[0]
        limits = found.limits[0]
        coefficients[limits] = coefficients.get(limits, 0) + term / found * found.function
    for limits, term in list(coefficients.items()):
        # Terms that together do not vary, such as sin^2 + cos^2, are counted.
        first = term.subs(limits[0], limits[1])
        if not quick(term) and quick(term - first):
            rest += first * (limits[2] - limits[1] + 1)
            del coefficients[limits]
    return quick(rest) and all(quick(term) for term in coefficients.values())


def _closed(d: Any) -> Any:
    return d.replace(lambda f: isinstance(f, sp.Sum), lambda f: f.doit())


def _pieces(d: Any, quick: Callable[[Any], bool]) -> bool:
    """Zero in every case: a special value is put in, the general case is what is left."""
    if d.has(sp.Sum):
        return False
    if not d.has(sp.Piecewise):
        return quick(d) or quick(sp.factor(d))
    folded = sp.piecewise_fold(d)
    if not isinstance(folded, sp.Piecewise):
        return False
    for value, condition in folded.args:
        if isinstance(condition, sp.Eq):
            if _never(condition):
                continue
            if condition.lhs.is_Symbol:
                value = value.subs(condition.lhs, condition.rhs)
        if not (value.has(sp.nan, sp.zoo) or quick(value)):
            return False
    return True


def _never(condition: Any) -> bool:
    """Whether ``exp(x) = 1`` is impossible, x being real and not zero: sympy does not see it by itself."""
    left, right = condition.lhs, condition.rhs
    if right == 1 and isinstance(left, sp.exp):
        return bool(left.args[0].is_real and left.args[0].is_zero is False)
    return bool((left - right).is_zero is False)
