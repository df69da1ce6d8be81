"""Programs as sympy objects, built by constructors, never from text. Runs in the worker only."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import sympy as sp

_FUNCTIONS: dict[str, Any] = {
    "sin": sp.sin, "cos": sp.cos, "tan": sp.tan, "sec": sp.sec, "csc": sp.csc, "cot": sp.cot,
    "asin": sp.asin, "acos": sp.acos, "atan": sp.atan, "asec": sp.asec, "acsc": sp.acsc, "acot": sp.acot,
    "sinh": sp.sinh, "cosh": sp.cosh, "tanh": sp.tanh, "sech": sp.sech, "csch": sp.csch, "coth": sp.coth,
    "asinh": sp.asinh, "acosh": sp.acosh, "atanh": sp.atanh, "asech": sp.asech, "acsch": sp.acsch,
    "acoth": sp.acoth, "log": sp.log, "abs": sp.Abs, "sign": sp.sign, "floor": sp.floor, "ceil": sp.ceiling,
    "factorial": sp.factorial, "min": sp.Min, "max": sp.Max, "atan2": sp.atan2, "conj": sp.conjugate,
    "re": sp.re, "im": sp.im,
}  # fmt: skip


@dataclass(frozen=True)
class Constraint:
    """What must hold at every point that counts: ``expression`` is >= 0, or > 0 when ``strict``."""

    expression: Any
    strict: bool


class Builder:
    """Builds sympy expressions of one question; collects what the real domain forces on the way."""

    def __init__(self, symbols: dict[str, dict[str, Any]], complex_field: bool) -> None:
        self.declared = symbols
        self.complex = complex_field
        self.constraints: list[Constraint] = []
        self.symbols: dict[str, Any] = {}

    def symbol(self, name: str) -> Any:
        """The sympy symbol with the declared assumptions."""
        if name not in self.symbols:
            self.symbols[name] = sp.Symbol(name, **self._assumptions(name))
        return self.symbols[name]

    def _assumptions(self, name: str) -> dict[str, bool]:
        declared = self.declared.get(name, {})
        if declared.get("complex"):
            return {"complex": True}
        found = {"integer": True} if declared.get("integer") else {"real": True}
        for key in ("positive", "nonnegative", "negative"):
            if declared.get(key):
                found[key] = True
                break
        return found

    def build(self, program: list[Any]) -> list[Any]:
        """The expressions that a program (in its JSON form) stands for."""
        steps, results = program
        values: list[Any] = []
        for head, value, places in steps:
            args = [values[i] for i in places]
            values.append(self._step(head, value, args))
        return [values[i] for i in results]

    def _step(self, head: str, value: Any, args: list[Any]) -> Any:
        if head == "num":
            number = Fraction(value)
            return sp.Rational(number.numerator, number.denominator)
        if head == "sym":
            return self.symbol(value)
        if head == "const":
            return {"pi": sp.pi, "e": sp.E, "I": sp.I}[value]
        if head == "add":
            return sp.Add(*args)
        if head == "mul":
            return sp.Mul(*args)
        if head == "pow":
            return self._power(args[0], args[1], whole=bool(value))
        if head == "call":
            return self._call(value, args)
        return self._sum(value, args)

    def _power(self, base: Any, exponent: Any, whole: bool) -> Any:
        if not self.complex and not whole and not base.is_nonnegative:
            self.constraints.append(Constraint(base, bool(exponent.is_negative)))
        return sp.Pow(base, exponent)

    def _call(self, name: str, args: list[Any]) -> Any:
        if name == "oddroot":
            if self.complex:
                return args[0] ** (1 / args[1])
            return sp.sign(args[0]) * sp.Abs(args[0]) ** (1 / args[1])
        if name == "log" and not self.complex and not args[0].is_positive:
            self.constraints.append(Constraint(args[0], True))
        return _FUNCTIONS[name](*args)

    def _sum(self, value: Any, args: list[Any]) -> Any:
        name, body = value
        lower, upper = args
        facts: dict[str, bool] = {"integer": True}
        if lower.is_positive:
            facts["positive"] = True
        elif lower.is_nonnegative:
            facts["nonnegative"] = True
        outer = self.symbols.get(name)
        # Nested sums number their bound names from the inside out, so that a name is never bound twice.
        index = sp.Symbol(name, **facts)
        self.symbols[name] = index
        outside = len(self.constraints)
        term = self.build(body)[0]
        if not (upper - lower).is_nonnegative:
            # An empty sum asks nothing of its terms.
            del self.constraints[outside:]
        if outer is None:
            del self.symbols[name]
        else:
            self.symbols[name] = outer
        return sp.Sum(term, (index, lower, upper))
