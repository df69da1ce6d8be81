"""The core form: sums, products and powers in a canonical order, with exact arithmetic done.

Only heads num, sym, const, add, mul, pow, call and sum occur. Every rule holds where both sides are defined.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from fractions import Fraction

from quizapp.algebra.errors import Unreadable
from quizapp.algebra.limits import MAX_BITS, check_number
from quizapp.algebra.tree import Expression, call, num

ZERO, ONE, MINUS_ONE, HALF = num(0), num(1), num(-1), num(Fraction(1, 2))
E, PI, I = (Expression("const", (), name) for name in ("e", "pi", "I"))


def is_number(node: Expression) -> bool:
    """Whether a core node is an exact number."""
    return node.head == "num"


def order(node: Expression) -> tuple[int, str, bytes]:
    """Where a node stands among others: numbers first, then by name, then by structure."""
    return (0 if node.head == "num" else 1, _label(node), node.digest)


def _label(node: Expression) -> str:
    while node.args and node.head != "call":
        node = node.args[-1] if node.head == "mul" else node.args[0]
    return str(node.value)


def add(terms: Iterable[Expression]) -> Expression:
    """A sum, flattened and in order, its numbers added up."""
    constant = Fraction(0)
    rest: list[Expression] = []
    for term in terms:
        for part in term.args if term.head == "add" else (term,):
            if part.head == "num":
                constant += part.number
            else:
                rest.append(part)
    rest.sort(key=order)
    if constant or not rest:
        rest.append(num(constant))
    return rest[0] if len(rest) == 1 else Expression("add", rest)


def mul(factors: Iterable[Expression]) -> Expression:
    """A product, flattened and in order, its numbers multiplied; zero wins."""
    constant = Fraction(1)
    rest: list[Expression] = []
    for factor in factors:
        for part in factor.args if factor.head == "mul" else (factor,):
            if part.head == "num":
                constant *= part.number
            else:
                rest.append(part)
    if constant == 0:
        return ZERO
    check_number(constant, 1)
    rest.sort(key=order)
    if constant != 1 or not rest:
        rest.insert(0, num(constant))
    return rest[0] if len(rest) == 1 else Expression("mul", rest)


def neg(node: Expression) -> Expression:
    """The negative."""
    return mul((MINUS_ONE, node))


def sub(a: Expression, b: Expression) -> Expression:
    """The difference; nothing where both are the same."""
    return ZERO if a == b else add((a, neg(b)))


def power(base: Expression, exponent: Expression, column: int = 1) -> Expression:
    """A power; whole exponents are carried out on numbers and spread over products and powers."""
    if exponent.head == "num":
        if exponent == ONE:
            return base
        if exponent.number.denominator == 1:
            return _whole_power(base, int(exponent.number), column)
    if base == ONE:
        return ONE
    return Expression("pow", (base, exponent))


def _whole_power(base: Expression, n: int, column: int) -> Expression:
    if base.head == "num":
        value = base.number
        if value == 0 and n < 0:
            raise Unreadable("this divides by zero", column)
        width = max(value.numerator.bit_length(), value.denominator.bit_length())
        if width > 1 and width * abs(n) > MAX_BITS:
            raise Unreadable(f"this power is too large: at most {MAX_BITS} bits are computed", column)
        return num(value**n)
    if n == 0:
        return ONE
    if base.head == "mul":
        return mul(power(factor, num(n), column) for factor in base.args)
    if base.head == "pow" and is_number(base.args[1]) and base.args[1].number.denominator == 1:
        return power(base.args[0], num(base.args[1].number * n), column)
    if base == I:
        return (ONE, I, MINUS_ONE, neg(I))[n % 4]
    return Expression("pow", (base, num(n)))


def div(above: Expression, below: Expression, column: int = 1) -> Expression:
    """A quotient."""
    return mul((above, power(below, MINUS_ONE, column)))


def apply(name: str, args: tuple[Expression, ...], column: int = 1) -> Expression:
    """A built-in function in core form: roots and ``exp`` become powers, ``sec`` and the like stay calls."""
    first = args[0]
    if name == "exp":
        return power(E, first)
    if name == "sqrt":
        return power(first, HALF, column)
    if name == "root":
        return _root(first, args[1], column)
    if name == "log" and len(args) == 2:
        return div(apply("log", (first,), column), apply("log", (args[1],), column), column)
    if name in ("min", "max"):
        unique = sorted(set(args), key=order)
        return unique[0] if len(unique) == 1 else Expression("call", unique, name)
    if first.head == "num":
        return _of_number(name, args)
    return call(name, *args)


def _root(base: Expression, degree: Expression, column: int) -> Expression:
    if (
        degree.head == "num"
        and degree.number.denominator == 1
        and degree.number.numerator % 2
        and degree.number > 0
    ):
        # An odd root of a negative number is real: sign(x) |x|^(1/n).
        return base if degree == ONE else call("oddroot", base, degree)
    return power(base, power(degree, MINUS_ONE, column), column)


def _of_number(name: str, args: tuple[Expression, ...]) -> Expression:
    value = args[0].number
    if name == "abs":
        return num(abs(value))
    if name == "sign":
        return num((value > 0) - (value < 0))
    if name == "floor":
        return num(math.floor(value))
    if name == "ceil":
        return num(math.ceil(value))
    if name == "factorial" and value.denominator == 1 and 0 <= value <= 50:
        return num(math.factorial(int(value)))
    if name in ("conj", "re"):
        return num(value)
    return call(name, *args)
