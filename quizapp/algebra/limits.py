"""Refuse numbers that would never fit, before they are computed."""

from __future__ import annotations

import math
from fractions import Fraction

from quizapp.algebra.errors import Unreadable
from quizapp.algebra.tree import Expression

MAX_BITS = 4096
MAX_FACTORIAL = 50
MAX_DEGREE = 64


def bits(node: Expression) -> float | None:
    """About how many bits a constant takes, or None where the value depends on a symbol."""
    if node.head in ("num", "dec"):
        number = node.number
        return float(max(number.numerator.bit_length(), number.denominator.bit_length()))
    if node.head == "const":
        return 2.0
    if node.head in ("neg", "transpose"):
        return bits(node.args[0])
    if node.head == "fact":
        return 220.0 if bits(node.args[0]) is not None else None
    if node.head == "pow":
        base, exponent = bits(node.args[0]), size(node.args[1])
        return None if base is None or exponent is None else max(base, 1.0) * max(exponent, 1.0)
    parts = [bits(argument) for argument in node.args]
    if not parts or any(part is None for part in parts) or node.head not in ("add", "mul", "div", "call"):
        return None
    known = [part for part in parts if part is not None]
    if node.head == "call":
        return 2.0 ** min(max(known), 64.0) if node.value == "exp" else max(known)
    return sum(known) + 1


def size(node: Expression) -> float | None:
    """About how large a constant is in absolute value, at most 2^64; None where it depends on a symbol."""
    width = bits(node)
    if width is None:
        return None
    if node.head in ("num", "dec"):
        number = abs(node.number)
        return float(number) if number < 2**64 else 2.0**64
    if node.head == "neg":
        return size(node.args[0])
    if node.head in ("div", "mul", "add"):
        parts = [size(argument) or 0.0 for argument in node.args]
        if node.head == "div":
            return parts[0] / parts[1] if parts[1] else parts[0]
        whole: float = math.prod(parts) if node.head == "mul" else sum(parts)
        return min(whole, 2.0**64)
    return float(2.0 ** min(width, 64.0))


def check_power(base: Expression, exponent: Expression, column: int) -> None:
    """Refuse a constant power beyond the limit, and a high power of a symbol."""
    degree = size(exponent)
    if degree is None:
        return
    width = bits(base)
    if width is not None and _is_one(base):
        return
    if width is not None and max(width, 1.0) * degree > MAX_BITS:
        raise Unreadable(f"this power is too large: at most {MAX_BITS} bits are computed", column)
    if width is None and degree > MAX_DEGREE:
        raise Unreadable(f"an exponent beyond {MAX_DEGREE} is not expanded", column)


def _is_one(node: Expression) -> bool:
    return node.head in ("num", "dec") and abs(node.number) == 1


def check_factorial(argument: Expression, column: int) -> None:
    """Refuse the factorial of a large constant."""
    value = size(argument)
    if value is not None and value > MAX_FACTORIAL:
        raise Unreadable(f"a factorial beyond {MAX_FACTORIAL}! is not computed", column)


def check_number(value: Fraction, column: int) -> None:
    """Refuse an exact number that has grown beyond the limit."""
    if max(value.numerator.bit_length(), value.denominator.bit_length()) > MAX_BITS:
        raise Unreadable(f"a number grew beyond {MAX_BITS} bits", column)
