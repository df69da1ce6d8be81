"""Floating-point numbers, real and complex: quick, and never the last word."""

from __future__ import annotations

import cmath
import math
from collections.abc import Callable
from fractions import Fraction
from typing import Any

from quizapp.algebra.errors import Uncertain, Undefined

HUGE = 1e120


class RealFloats:
    """Real numbers; what is not real raises ``Undefined``. ``peak`` is the largest term of any sum so far."""

    def __init__(self) -> None:
        self.peak = 0.0

    def number(self, value: Fraction) -> float:
        """An exact number, rounded."""
        return value.numerator / value.denominator

    def constant(self, name: str) -> float:
        """``pi`` and ``e``."""
        if name == "I":
            raise Undefined
        return math.pi if name == "pi" else math.e

    def add(self, values: list[float]) -> float:
        """A sum; remembers its largest term."""
        for value in values:
            if abs(value) > self.peak:
                self.peak = abs(value)
        return sum(values)

    def mul(self, values: list[float]) -> float:
        """A product."""
        return self.checked(math.prod(values))

    def checked(self, value: float) -> float:
        """The value, unless it overflowed or is so large that nothing can be told from it."""
        if not -HUGE < value < HUGE:
            raise Uncertain
        return value

    def power(self, base: float, exponent: float, whole: bool) -> float:
        """A real power; a negative base has whole exponents only."""
        if base == 0:
            if whole and exponent == 0:
                return 1.0
            if exponent <= 0:
                raise Undefined
            return 0.0
        if base < 0 and not whole:
            raise Undefined
        try:
            value = base ** (round(exponent) if whole else exponent)
        except OverflowError:
            raise Uncertain from None
        return self.checked(value)

    def call(self, name: str, args: list[float]) -> float:
        """A built-in function."""
        try:
            return self.checked(_REAL[name](*args))
        except ZeroDivisionError:
            raise Undefined from None
        except ValueError:
            raise Undefined from None
        except OverflowError:
            raise Uncertain from None

    def integer(self, value: float) -> int:
        """The integer that a bound is."""
        if value != round(value):
            raise Undefined
        return round(value)


def _sign(x: float) -> float:
    return float((x > 0) - (x < 0))


def _oddroot(x: float, n: float) -> float:
    return math.copysign(abs(x) ** (1 / n), x)


def _factorial(x: float) -> float:
    if x != round(x) or x < 0:
        raise ValueError
    if x > 100:
        raise OverflowError
    return float(math.factorial(round(x)))


def _acot(x: float) -> float:
    return math.pi / 2 if x == 0 else math.atan(1 / x)


def _one(x: float) -> float:
    return x


def _zero(x: float) -> float:  # noqa: ARG001
    return 0.0


def _atan2(y: float, x: float) -> float:
    if x == 0 and y == 0:
        raise ValueError
    return math.atan2(y, x)


_REAL: dict[str, Callable[..., float]] = {
    "sin": math.sin, "cos": math.cos, "tan": math.tan, "asin": math.asin, "acos": math.acos,
    "atan": math.atan, "sinh": math.sinh, "cosh": math.cosh, "tanh": math.tanh, "asinh": math.asinh,
    "acosh": math.acosh,
    "atanh": math.atanh, "log": math.log, "abs": abs, "floor": math.floor, "ceil": math.ceil, "min": min,
    "max": max, "atan2": _atan2, "sign": _sign, "oddroot": _oddroot, "factorial": _factorial, "acot": _acot,
    "conj": _one, "re": _one, "im": _zero,
    "sec": lambda x: 1 / math.cos(x), "csc": lambda x: 1 / math.sin(x),
    "cot": lambda x: math.cos(x) / math.sin(x),
    "sech": lambda x: 1 / math.cosh(x), "csch": lambda x: 1 / math.sinh(x),
    "coth": lambda x: math.cosh(x) / math.sinh(x),
    "asec": lambda x: math.acos(1 / x), "acsc": lambda x: math.asin(1 / x),
    "asech": lambda x: math.acosh(1 / x),
    "acsch": lambda x: math.asinh(1 / x), "acoth": lambda x: math.atanh(1 / x),
}  # fmt: skip


class ComplexFloats(RealFloats):
    """Complex numbers on the principal branches."""

    def constant(self, name: str) -> Any:
        """``pi``, ``e`` and ``I``."""
        return 1j if name == "I" else super().constant(name)

    def add(self, values: list[Any]) -> Any:
        """A sum; remembers its largest term."""
        return super().add(values)

    def checked(self, value: Any) -> Any:
        """The value, unless it overflowed."""
        if not abs(value) < HUGE:
            raise Uncertain
        return value

    def power(self, base: Any, exponent: Any, whole: bool) -> Any:
        """A power on the principal branch."""
        if base == 0:
            if whole and exponent == 0:
                return 1.0
            if complex(exponent).real <= 0:
                raise Undefined
            return 0.0
        try:
            if whole:
                return self.checked(base ** round(complex(exponent).real))
            base = complex(base)
            if base.real < 0 and abs(base.imag) < 1e-9 * abs(base.real) and base.imag != 0:
                # On which side of the cut it lies is a matter of rounding.
                raise Uncertain
            return self.checked(
                cmath.exp(complex(exponent) * cmath.log(complex(base.real, base.imag or 0.0)))
            )
        except OverflowError:
            raise Uncertain from None

    def call(self, name: str, args: list[Any]) -> Any:
        """A built-in function."""
        try:
            return self.checked(self._call(name, [complex(value) for value in args]))
        except (ZeroDivisionError, ValueError):
            raise Undefined from None
        except OverflowError:
            raise Uncertain from None

    def _call(self, name: str, args: list[complex]) -> Any:
        z = args[0]
        if name == "log" and z.real < 0 and z.imag != 0 and abs(z.imag) < 1e-9 * abs(z.real):
            raise Uncertain
        if name in _COMPLEX:
            return _COMPLEX[name](z)
        if any(value.imag for value in args):
            if name == "oddroot":
                return self.power(z, 1 / args[1], False)
            raise Undefined
        return _REAL[name](*(value.real for value in args))

    def integer(self, value: Any) -> int:
        """The integer that a bound is."""
        if complex(value).imag:
            raise Undefined
        return super().integer(complex(value).real)


def _direction(z: complex) -> complex:
    return z / abs(z) if z else 0


_COMPLEX: dict[str, Callable[[complex], complex]] = {
    "sin": cmath.sin, "cos": cmath.cos, "tan": cmath.tan, "asin": cmath.asin, "acos": cmath.acos,
    "atan": cmath.atan, "sinh": cmath.sinh, "cosh": cmath.cosh, "tanh": cmath.tanh, "asinh": cmath.asinh,
    "acosh": cmath.acosh, "atanh": cmath.atanh, "log": cmath.log, "abs": abs, "sign": _direction,
    "conj": lambda z: z.conjugate(), "re": lambda z: z.real, "im": lambda z: z.imag,
    "sec": lambda z: 1 / cmath.cos(z), "csc": lambda z: 1 / cmath.sin(z),
    "cot": lambda z: cmath.cos(z) / cmath.sin(z), "sech": lambda z: 1 / cmath.cosh(z),
    "csch": lambda z: 1 / cmath.sinh(z), "coth": lambda z: cmath.cosh(z) / cmath.sinh(z),
    "asec": lambda z: cmath.acos(1 / z), "acsc": lambda z: cmath.asin(1 / z),
    "acot": lambda z: cmath.atan(1 / z),
    "asech": lambda z: cmath.acosh(1 / z), "acsch": lambda z: cmath.asinh(1 / z),
    "acoth": lambda z: cmath.atanh(1 / z),
}  # fmt: skip
