"""What the declared signs say about a core node, without computing anything."""

from __future__ import annotations

from quizapp.algebra.names import Names
from quizapp.algebra.tree import Expression

_ALWAYS_POSITIVE = frozenset(("cosh", "sech", "factorial"))
_NEVER_NEGATIVE = frozenset(("abs", "acosh", "acos", "asech"))


def is_positive(node: Expression, names: Names) -> bool:
    """Whether it is above zero wherever it is defined and real."""
    if node.head == "num":
        return node.number > 0
    if node.head == "const":
        return node.value != "I"
    if node.head == "sym":
        return names.assumption(node.name).positive
    if node.head == "add":
        return _shifted_positive(node, names) or (
            all(is_nonnegative(term, names) for term in node.args)
            and any(is_positive(term, names) for term in node.args)
        )
    if node.head == "mul":
        return all(is_positive(factor, names) for factor in node.args)
    if node.head == "pow":
        base, exponent = node.args
        # A symbolic power is real only where its base is not negative; zero stays possible.
        if is_positive(base, names):
            return True
        return exponent.head == "num" and _even(exponent) and is_nonzero(base, names)
    return node.head == "call" and node.value in _ALWAYS_POSITIVE


def _shifted_positive(node: Expression, names: Names) -> bool:
    """``d - 2`` with ``d > 2`` declared."""
    if len(node.args) != 2 or node.args[0].head != "sym" or node.args[1].head != "num":
        return False
    where = names.assumption(node.args[0].name)
    edge = -node.args[1].number
    return where.lower is not None and (where.lower > edge or (where.lower == edge and where.open_lower))


def is_nonnegative(node: Expression, names: Names) -> bool:
    """Whether it is never below zero where it is defined and real."""
    if is_positive(node, names):
        return True
    if node.head == "num":
        return node.number >= 0
    if node.head == "sym":
        return names.assumption(node.name).nonnegative
    if node.head in ("add", "mul"):
        return all(is_nonnegative(part, names) for part in node.args)
    if node.head == "pow":
        base, exponent = node.args
        if exponent.head == "num" and (_even(exponent) or exponent.number.denominator != 1):
            return not any(part.head == "const" and part.value == "I" for part in base.walk())
        return is_nonnegative(base, names)
    return node.head == "call" and node.value in _NEVER_NEGATIVE


def is_nonzero(node: Expression, names: Names) -> bool:
    """Whether it is never zero."""
    if node.head == "num":
        return node.number != 0
    if is_positive(node, names):
        return True
    if node.head == "sym":
        where = names.assumption(node.name)
        return where.negative
    if node.head == "mul":
        return all(is_nonzero(factor, names) for factor in node.args)
    if node.head == "pow":
        return is_nonzero(node.args[0], names)
    return False


def _even(exponent: Expression) -> bool:
    return exponent.number.denominator == 1 and exponent.number.numerator % 2 == 0
