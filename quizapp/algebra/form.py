"""Whether two lines have the same form: order and brackets aside, nothing computed."""

from __future__ import annotations

from quizapp.algebra.functions import FUNCTIONS
from quizapp.algebra.tree import Expression, num

_SCALAR = frozenset(FUNCTIONS) - {"softmax"}


def same_form(a: Expression, b: Expression) -> bool:
    """Whether both are the same but for order, brackets, and ``a - b`` as ``a + (-b)``.

    No arithmetic is done: ``2*3`` and ``6`` differ in form.
    """
    return a == b or _canonical(a) == _canonical(b)


def _canonical(node: Expression) -> Expression:
    if node.head == "add":
        return Expression("add", sorted(_terms(node, False), key=lambda term: term.digest))
    if node.head in ("mul", "div", "neg"):
        sign, factors = _factors(node, False)
        ordered = sorted((f for f in factors if _commutes(f)), key=lambda factor: factor.digest)
        ordered += [f for f in factors if not _commutes(f)]
        product = ordered[0] if len(ordered) == 1 else Expression("mul", ordered)
        return product if sign > 0 else Expression("neg", (product,))
    return Expression(node.head, map(_canonical, node.args), node.value)


def _commutes(factor: Expression) -> bool:
    """Whether a factor is surely a number: what was defined by name may be a matrix, and keeps its place."""
    return not any(
        node.head in ("mat", "transpose") or (node.head == "call" and node.name not in _SCALAR)
        for node in factor.walk()
    )


def _terms(node: Expression, negative: bool) -> list[Expression]:
    if node.head == "add":
        return [term for argument in node.args for term in _terms(argument, negative)]
    if node.head == "neg" and node.args[0].head != "add":
        return _terms(node.args[0], not negative)
    term = _canonical(node)
    if not negative:
        return [term]
    return [term.args[0] if term.head == "neg" else Expression("neg", (term,))]


def _factors(node: Expression, below: bool) -> tuple[int, list[Expression]]:
    """The sign and the factors of a product."""
    if node.head == "neg":
        sign, factors = _factors(node.args[0], below)
        return -sign, factors
    if node.head == "mul":
        sign, found = 1, []
        for argument in node.args:
            one, factors = _factors(argument, below)
            sign *= one
            found.extend(factors)
        return sign, found
    if node.head == "div":
        first, above = _factors(node.args[0], below)
        second, under = _factors(node.args[1], not below)
        above = [factor for factor in above if factor != num(1)] if under else above
        return first * second, above + under
    inner = _canonical(node)
    return 1, [_inverse(inner) if below else inner]


def _inverse(node: Expression) -> Expression:
    if node.head == "pow":
        base, exponent = node.args
        flipped = exponent.args[0] if exponent.head == "neg" else Expression("neg", (exponent,))
        return base if flipped == num(1) else Expression("pow", (base, flipped))
    return Expression("pow", (node, Expression("neg", (num(1),))))
