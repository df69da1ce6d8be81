"""Numbers of many digits, exact where they are rational: what a verdict of *different* rests on."""

from __future__ import annotations

import math
import threading
from fractions import Fraction
from typing import Any

import mpmath

from quizapp.algebra.errors import Uncertain, Undefined

_RECIPROCAL = {
    "asec": "acos", "acsc": "asin", "acot": "atan", "asech": "acosh", "acsch": "asinh", "acoth": "atanh"
}  # fmt: skip
MAX_ARGUMENT = 10**6
MAX_RATIONAL_BITS = 20_000


class _Contexts(threading.local):
    """mpmath changes the precision of a context while it works: each thread has its own."""

    def __init__(self) -> None:
        self.known: dict[int, Any] = {}

    def of(self, bits: int) -> Any:
        if bits not in self.known:
            self.known[bits] = mpmath.MPContext()
            self.known[bits].prec = bits
        return self.known[bits]


_CONTEXTS = _Contexts()


class Precise:
    """Rationals stay exact; the rest has ``bits`` bits. In the real field what is not real is ``Undefined``.

    A value too near to a jump, a pole or the edge of a domain to tell the side raises ``Uncertain``.
    """

    def __init__(self, bits: int, complex_field: bool) -> None:
        self.context = _CONTEXTS.of(bits)
        self.complex = complex_field
        self.peak = self.context.mpf(0)
        self.near = self.context.mpf(2) ** (-(bits * 3) // 4)

    def number(self, value: Fraction) -> Any:
        """An exact number stays exact."""
        return value

    def constant(self, name: str) -> Any:
        """``pi``, ``e``, and ``I`` in the complex field."""
        if name == "I":
            if not self.complex:
                raise Undefined
            return self.context.mpc(0, 1)
        return +self.context.pi if name == "pi" else +self.context.e

    def big(self, value: Any) -> Any:
        """The value with ``bits`` bits."""
        if isinstance(value, Fraction):
            return self.context.mpf(value.numerator) / value.denominator
        return value

    def real(self, value: Any) -> Any:
        """The value in the field, its vanishing imaginary part dropped only where it is exactly zero."""
        if isinstance(value, Fraction):
            return value
        if not self.context.isfinite(value):
            raise Undefined
        if isinstance(value, self.context.mpc):
            if value.imag == 0:
                return value.real
            if not self.complex:
                raise Undefined
        return value

    def exact(self, value: Fraction) -> Fraction:
        """An exact value, unless it grew too long."""
        if value.numerator.bit_length() + value.denominator.bit_length() > MAX_RATIONAL_BITS:
            raise Uncertain
        return value

    def add(self, values: list[Any]) -> Any:
        """A sum; remembers its largest term."""
        if all(isinstance(value, Fraction) for value in values):
            return self.exact(sum(values, Fraction(0)))
        total = self.context.mpf(0)
        for value in values:
            term = self.big(value)
            self.peak = max(self.peak, abs(term))
            total += term
        return self.real(total)

    def mul(self, values: list[Any]) -> Any:
        """A product."""
        if all(isinstance(value, Fraction) for value in values):
            return self.exact(math.prod(values, start=Fraction(1)))
        total = self.context.mpf(1)
        for value in values:
            total *= self.big(value)
        return self.real(total)

    def is_zero(self, value: Any) -> bool:
        """Whether a value is zero. Raises ``Uncertain`` where it is only near."""
        if isinstance(value, Fraction):
            return value == 0
        if abs(value) < self.near * max(self.peak, 1):
            raise Uncertain
        return False

    def is_negative(self, value: Any) -> bool:
        """Whether a real value is below zero. Raises ``Uncertain`` where it is only near."""
        return not self.is_zero(value) and bool(value < 0)

    def power(self, base: Any, exponent: Any, whole: bool) -> Any:
        """A power, on the principal branch."""
        if self.is_zero(base):
            if whole and exponent == 0:
                return Fraction(1)
            if self.real_part(exponent) <= 0:
                raise Undefined
            return Fraction(0)
        if isinstance(exponent, Fraction) and exponent.denominator == 1 and abs(exponent) < 100_000:
            n = int(exponent)
            if isinstance(base, Fraction):
                width = max(base.numerator.bit_length(), base.denominator.bit_length())
                if width * abs(n) <= MAX_RATIONAL_BITS:
                    return base**n
            return self.real(self.big(base) ** n)
        if abs(exponent) > MAX_ARGUMENT:
            raise Uncertain
        if not self.complex and not whole and self.is_negative(base):
            raise Undefined
        root = self.exact_root(base, exponent)
        if root is not None:
            return root
        if self.complex:
            self.check_cut(base)
        return self.real(self.context.power(self.big(base), self.big(exponent)))

    def exact_root(self, base: Any, exponent: Any) -> Fraction | None:
        """``4^(1/2)`` is exactly 2: the edges of a domain are often such values."""
        if not (isinstance(base, Fraction) and isinstance(exponent, Fraction) and base > 0):
            return None
        degree = exponent.denominator
        if (
            degree > 6
            or abs(exponent) > 40
            or base.numerator.bit_length() > 400
            or base.denominator.bit_length() > 400
        ):
            return None
        roots = [_integer_root(part, degree) for part in (base.numerator, base.denominator)]
        if roots[0] is None or roots[1] is None:
            return None
        return Fraction(roots[0], roots[1]) ** exponent.numerator

    def real_part(self, value: Any) -> Any:
        """The real part."""
        return value if isinstance(value, Fraction) else value.real

    def check_cut(self, value: Any) -> None:
        """Refuse a value so near to the negative axis that its side is a matter of rounding."""
        if not isinstance(value, self.context.mpc) or value.real >= 0:
            return
        if value.imag != 0 and abs(value.imag) < self.near * abs(value.real):
            raise Uncertain

    def integer(self, value: Any) -> int:
        """The integer that a bound is."""
        if isinstance(value, Fraction):
            if value.denominator != 1:
                raise Undefined
            return int(value)
        raise Uncertain

    def call(self, name: str, args: list[Any]) -> Any:
        """A built-in function."""
        # The noise of an argument becomes noise of the value: sin(500 pi) is as exact as 500 pi is.
        for argument in args:
            if not isinstance(argument, Fraction):
                self.peak = max(self.peak, abs(argument))
        special = getattr(self, f"_{name}", None)
        if special is not None:
            return special(*args)
        value = args[0]
        if abs(value) > MAX_ARGUMENT:
            raise Uncertain
        if value == 0 and name in ("sin", "tan", "asin", "atan", "sinh", "tanh", "asinh", "atanh"):
            return Fraction(0)
        if value == 0 and name in ("cos", "sec", "cosh", "sech"):
            return Fraction(1)
        if name in ("sec", "csc", "cot", "tan", "csch", "coth"):
            return self.quotient(name, self.big(value))
        if name in _RECIPROCAL:
            if self.is_zero(value):
                if name == "acot":
                    return self.context.pi / 2
                raise Undefined
            return self.call(_RECIPROCAL[name], [self.power(value, Fraction(-1), True)])
        self.check_edge(name, value)
        return self.real(getattr(self.context, name)(self.big(value)))

    def quotient(self, name: str, value: Any) -> Any:
        """A function that is a quotient: its denominator must be surely nonzero."""
        c = self.context
        above, below = {
            "sec": (lambda _: c.mpf(1), c.cos), "csc": (lambda _: c.mpf(1), c.sin), "cot": (c.cos, c.sin),
            "tan": (c.sin, c.cos), "csch": (lambda _: c.mpf(1), c.sinh), "coth": (c.cosh, c.sinh),
        }[name]  # fmt: skip
        denominator = below(value)
        if denominator == 0:
            raise Undefined
        if self.is_zero(denominator):
            raise Undefined
        return self.real(above(value) / denominator)

    def check_edge(self, name: str, value: Any) -> None:
        """Refuse a value at the very edge of a domain, unless it is exact."""
        if name in ("asin", "acos", "atanh", "acosh") and not isinstance(value, Fraction):
            for edge in (1, -1):
                if abs(value - edge) < self.near:
                    raise Uncertain
        if name == "atanh" and value in (1, -1):
            raise Undefined
        if name == "atan" and self.complex and isinstance(value, self.context.mpc) and value in (1j, -1j):
            raise Undefined

    def _log(self, value: Any) -> Any:
        if self.is_zero(value) or (not self.complex and self.is_negative(value)):
            raise Undefined
        if value == 1:
            return Fraction(0)
        self.check_cut(value)
        return self.real(self.context.log(self.big(value)))

    def _abs(self, value: Any) -> Any:
        return abs(value)

    def _sign(self, value: Any) -> Any:
        if isinstance(value, self.context.mpc):
            return value / abs(value)
        return Fraction(0) if self.is_zero(value) else Fraction(-1 if value < 0 else 1)

    def _real_only(self, *values: Any) -> None:
        if any(isinstance(value, self.context.mpc) for value in values):
            raise Undefined

    def _rounded(self, value: Any, down: bool) -> Fraction:
        self._real_only(value)
        if isinstance(value, Fraction):
            return Fraction(math.floor(value) if down else math.ceil(value))
        if abs(value - self.context.nint(value)) < self.near * max(1, abs(value)):
            raise Uncertain
        return Fraction(int(self.context.floor(value) if down else self.context.ceil(value)))

    def _floor(self, value: Any) -> Any:
        return self._rounded(value, True)

    def _ceil(self, value: Any) -> Any:
        return self._rounded(value, False)

    def _min(self, *values: Any) -> Any:
        self._real_only(*values)
        return min(values, key=self.big)

    def _max(self, *values: Any) -> Any:
        self._real_only(*values)
        return max(values, key=self.big)

    def _factorial(self, value: Any) -> Any:
        if not isinstance(value, Fraction):
            raise Uncertain
        if value.denominator != 1 or value < 0:
            raise Undefined
        if value > 500:
            raise Uncertain
        return Fraction(math.factorial(int(value)))

    def _oddroot(self, value: Any, degree: Any) -> Any:
        if isinstance(value, self.context.mpc):
            return self.power(value, 1 / degree, False)
        root = self.power(abs(value), 1 / degree, False)
        return -root if value < 0 else root

    def _atan2(self, y: Any, x: Any) -> Any:
        self._real_only(y, x)
        if y == 0 and x == 0:
            raise Undefined
        if x < 0 and y != 0:
            self.is_zero(y)
        if y == 0 and x > 0:
            return Fraction(0)
        return self.context.atan2(self.big(y), self.big(x))

    def _conj(self, value: Any) -> Any:
        return self.context.conj(value) if isinstance(value, self.context.mpc) else value

    def _re(self, value: Any) -> Any:
        return value.real if isinstance(value, self.context.mpc) else value

    def _im(self, value: Any) -> Any:
        return value.imag if isinstance(value, self.context.mpc) else Fraction(0)


def _integer_root(value: int, degree: int) -> int | None:
    if degree == 1:
        return value
    guess = round(value ** (1 / degree)) if value < 10**15 else math.isqrt(value) if degree == 2 else None
    if guess is None:
        return None
    return next((g for g in (guess - 1, guess, guess + 1) if g >= 0 and g**degree == value), None)
