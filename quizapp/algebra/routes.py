"""Ways to show that a sympy expression is zero wherever it is defined. Runs in the worker only."""

from __future__ import annotations

import functools
from typing import Any

import sympy as sp


def same(d: Any) -> bool:
    """sympy's constructors cancelled it."""
    return bool(d == 0)


def numerator(d: Any) -> Any:
    """The numerator over a common denominator."""
    return sp.fraction(sp.together(d))[0]


def rational(d: Any) -> bool:
    """The numerator, expanded, is nothing."""
    return bool(sp.expand(numerator(d)) == 0)


def _plain_trigonometry(d: Any) -> Any:
    """tan, sec, csc and cot as quotients of sine and cosine."""
    if d.has(sp.tan):
        d = d.replace(sp.tan, lambda x: sp.sin(x) / sp.cos(x))
    if d.has(sp.cot):
        d = d.replace(sp.cot, lambda x: sp.cos(x) / sp.sin(x))
    if d.has(sp.sec):
        d = d.replace(sp.sec, lambda x: 1 / sp.cos(x))
    if d.has(sp.csc):
        d = d.replace(sp.csc, lambda x: 1 / sp.sin(x))
    return d


def trigonometric(d: Any) -> bool:
    """Addition theorems, then the remainder modulo sin^2 + cos^2 - 1 for each angle."""
    if not d.has(sp.sin, sp.cos, sp.tan, sp.cot, sp.sec, sp.csc):
        return False
    n = numerator(_plain_trigonometry(_expanded_angles(d)))
    n = sp.expand(sp.expand_trig(n))
    if n == 0:
        return True
    angles = {f.args[0] for f in n.atoms(sp.sin)}
    sines = {angle: sp.Dummy("s") for angle in angles}
    n = n.subs({sp.sin(angle): s for angle, s in sines.items()})
    for angle, s in sines.items():
        if n.has(sp.sin(angle)) or not n.is_polynomial(s):
            return False
        poly = sp.Poly(n, s)
        square = 1 - sp.cos(angle) ** 2
        n = sp.expand(sp.Add(*(c * square ** (k // 2) * s ** (k % 2) for (k,), c in poly.terms())))
    return bool(n == 0)


def _expanded_angles(d: Any) -> Any:
    """The angles multiplied out, so that ``(m - n) t`` is seen as a difference."""
    return d.replace(
        lambda f: (
            f.func in (sp.sin, sp.cos, sp.tan, sp.cot, sp.sec, sp.csc) and f.args[0] != sp.expand(f.args[0])
        ),
        lambda f: f.func(sp.expand(f.args[0])),
    )


def _primes(base: Any) -> Any:
    if base.is_Integer and 1 < base < 10**12:
        return list(sp.factorint(int(base)).items())
    return None


def settled_powers(d: Any) -> Any:
    """Powers over one set of bases: exponents multiplied out, whole numbers as products of primes."""

    def change(power: Any) -> Any:
        base, exponent = power.args
        if exponent.is_Integer:
            return power
        if not exponent.is_Rational:
            below = sp.fraction(sp.together(exponent))[1]
            exponent = sp.expand(sp.cancel(exponent) if below.free_symbols else exponent)
        if base.is_Rational and base > 0 and not base.is_Integer:
            return change(sp.Pow(sp.Integer(base.p), exponent, evaluate=False)) * change(
                sp.Pow(sp.Integer(base.q), -exponent, evaluate=False)
            )
        primes = _primes(base)
        if primes and not exponent.is_Rational:
            return sp.Mul(*(sp.Pow(p, sp.expand(k * exponent)) for p, k in primes))
        return sp.Pow(base, exponent)

    return d.replace(lambda f: f.is_Pow, change)


def exponential(d: Any) -> bool:
    """Everything that has one as an exponential, over a common denominator, multiplied out."""
    e = settled_powers(
        d.rewrite(sp.exp) if d.has(sp.sin, sp.cos, sp.tan, sp.cot, sp.sec, sp.csc, *_HYPERBOLIC) else d
    )
    if e == 0:
        return True
    n = sp.expand(numerator(e))
    if n == 0:
        return True
    n = sp.expand(settled_powers(sp.powsimp(sp.expand(settled_powers(n)))))
    if n == 0:
        return True
    n = sp.expand(numerator(sp.expand_power_base(sp.expand(n))))
    return bool(n == 0 or sp.powsimp(n) == 0 or sp.expand(sp.powdenest(n)) == 0)


_HYPERBOLIC = (sp.sinh, sp.cosh, sp.tanh, sp.coth, sp.sech, sp.csch)


def factorials(d: Any) -> bool:
    """Factorials and binomials as gamma functions, shifted onto each other."""
    if not d.has(sp.factorial, sp.gamma, sp.binomial):
        return False
    return bool(sp.expand(sp.gammasimp(sp.expand_func(d))) == 0)


def logarithms(d: Any) -> bool:
    """Arguments factored, then each logarithm split as far as the signs are known."""
    if not d.has(sp.log):
        return False
    e = d.replace(sp.log, lambda x: sp.log(sp.factor(sp.together(x))))
    e = sp.expand_log(e)
    return bool(sp.expand(e) == 0 or rational(e) or rational(sp.expand_log(sp.expand_log(e), deep=True)))


def radicals(d: Any) -> bool:
    """Nested roots taken apart, denominators made rational."""
    if not any(power.exp.is_Rational and not power.exp.is_Integer for power in d.atoms(sp.Pow)):
        return False
    e = sp.radsimp(sp.sqrtdenest(d))
    return bool(e == 0 or rational(e) or rational(sp.expand(sp.powdenest(sp.expand_power_base(e)))))


def squares(a: Any, b: Any) -> bool:
    """Two sides that are never negative are equal when their squares are."""
    if not (a.is_nonnegative and b.is_nonnegative):
        return False
    d = sp.expand(a**2) - sp.expand(b**2)
    return rational(d) or trigonometric(d)


_RECIPROCAL = (
    (sp.asec, sp.acos),
    (sp.acsc, sp.asin),
    (sp.acot, sp.atan),
    (sp.asech, sp.acosh),
    (sp.acsch, sp.asinh),
    (sp.acoth, sp.atanh),
)


def zero_powers(d: Any) -> Any:
    """``0^u`` counts only where u > 0, and is zero there; an integer u may be zero and stays."""
    return d.replace(lambda f: f.is_Pow and f.base == 0 and not f.exp.is_integer, lambda _: sp.Integer(0))


def inverse_functions(d: Any) -> bool:
    """Arguments of functions factored; inverse hyperbolic functions as logarithms."""
    functions = [f for f in d.atoms(sp.Function) if f.args]
    if not functions:
        return False
    e = d.replace(
        lambda f: isinstance(f, sp.Function) and len(f.args) == 1,
        lambda f: f.func(sp.factor(sp.together(f.args[0]))),
    )
    for inverse, plain in _RECIPROCAL:
        e = e.replace(inverse, lambda x, plain=plain: plain(1 / x))
    e = e.replace(sp.acos, lambda x: sp.pi / 2 - sp.asin(x))
    if e == 0 or rational(e):
        return True
    if e.has(sp.asinh, sp.acosh, sp.atanh, sp.acoth, sp.asech, sp.acsch):
        e = e.rewrite(sp.log)
        return rational(e) or logarithms(e)
    return False


_SMOOTH = (sp.atan, sp.asinh, sp.sin, sp.cos, sp.exp, sp.log, sp.sinh, sp.cosh, sp.tanh)


def constant_zero(d: Any) -> bool:
    """On x > 0, where d is smooth: its derivative is zero, and so is its value at 1."""
    symbols = d.free_symbols
    if len(symbols) != 1 or not d.has(sp.atan, sp.acot, sp.asinh):
        return False
    x = next(iter(symbols))
    e = d.replace(sp.acot, lambda y: sp.atan(1 / y))
    functions = e.atoms(sp.Function)
    smooth = all(isinstance(f, _SMOOTH) for f in functions) and all(
        f.args[0].is_positive for f in functions if isinstance(f, sp.log)
    )
    poles = [power.base for power in e.atoms(sp.Pow) if not power.exp.is_nonnegative]
    if not (x.is_positive and smooth and all(base.is_positive for base in poles)):
        return False
    return rational(e.diff(x)) and bool(e.subs(x, 1) == 0)


def extremes(d: Any) -> bool:
    """Minimum and maximum by absolute values."""
    return bool(d.has(sp.Min, sp.Max)) and rational(d.rewrite(sp.Abs))


def rounding(d: Any) -> bool:
    """Every ceiling as a floor."""
    if not d.has(sp.ceiling):
        return False
    return rational(d.replace(sp.ceiling, lambda x: -sp.floor(-x)))


def known_zero(d: Any) -> bool:
    """sympy's assumptions know it."""
    return d.is_zero is True


def complex_parts(d: Any) -> bool:
    """Real and imaginary part apart."""
    if not d.has(sp.I, sp.conjugate, sp.re, sp.im):
        return False
    e = sp.expand(d, complex=True)
    return bool(e == 0) or rational(e) or trigonometric(e)


@functools.cache
def _generator() -> Any:
    return sp.Dummy("x")


def algebraic_number(d: Any) -> bool:
    """A constant whose minimal polynomial is that of zero."""
    if d.free_symbols or not d.is_algebraic:
        return False
    x = _generator()
    return bool(sp.minimal_polynomial(d, x) == x)
