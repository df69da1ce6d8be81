"""The known mistakes: each turns one place of a line into what people write there by mistake.

Forwards a rule spoils a right line; where undoing it repairs a wrong line, it names what went wrong.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from fractions import Fraction

from quizapp.algebra.tree import Expression, num

Change = Callable[[Expression], Iterator[Expression]]


@dataclass(frozen=True)
class Mistake:
    """``sentence`` says what happened, with ``{place}`` for where; ``change`` makes it, at one node."""

    rule: str
    sentence: str
    change: Change


def _neg(node: Expression) -> Expression:
    return node.args[0] if node.head == "neg" else Expression("neg", (node,))


def _call(name: str, *args: Expression) -> Expression:
    return Expression("call", args, name)


def _sum(terms: list[Expression] | tuple[Expression, ...]) -> Expression:
    return terms[0] if len(terms) == 1 else Expression("add", terms)


def _product(factors: list[Expression] | tuple[Expression, ...]) -> Expression:
    return factors[0] if len(factors) == 1 else Expression("mul", factors)


def _replaced(args: tuple[Expression, ...], i: int, new: Expression) -> tuple[Expression, ...]:
    return (*args[:i], new, *args[i + 1 :])


def _is_call(node: Expression, *names: str) -> bool:
    return node.head == "call" and len(node.args) == 1 and node.name in names


_ANGULAR = ("sin", "cos", "tan", "sec", "csc", "cot")


def _flip_term(node: Expression) -> Iterator[Expression]:
    if node.head == "add":
        for i, term in enumerate(node.args):
            yield node.with_args(_replaced(node.args, i, _neg(term)))


def _flip_sign(node: Expression) -> Iterator[Expression]:
    if node.head == "neg":
        yield node.args[0]
    elif node.head in ("call", "mul", "div", "sym", "pow") and node.value != "exp":
        yield Expression("neg", (node,))


def _reverse_difference(node: Expression) -> Iterator[Expression]:
    if node.head == "add" and len(node.args) == 2 and any(term.head == "neg" for term in node.args):
        yield node.with_args(_neg(term) for term in node.args)


def _sum_for_difference(node: Expression) -> Iterator[Expression]:
    if _is_call(node, *_ANGULAR, "exp", "log") and node.args[0].head in ("add", "mul"):
        inner = node.args[0]
        places = [inner] if inner.head == "add" else [factor for factor in inner.args if factor.head == "add"]
        for place in places:
            changed = place.with_args(_replaced(place.args, len(place.args) - 1, _neg(place.args[-1])))
            yield node.with_args(
                [
                    changed
                    if inner is place
                    else inner.with_args(changed if f is place else f for f in inner.args)
                ]
            )


def _swap_function(*pairs: tuple[str, str]) -> Change:
    table = dict(pairs) | {b: a for a, b in pairs}

    def change(node: Expression) -> Iterator[Expression]:
        if node.head == "call" and len(node.args) == 1 and node.name in table:
            yield Expression("call", node.args, table[node.name])

    return change


def _lose_transpose(node: Expression) -> Iterator[Expression]:
    if node.head == "transpose":
        yield node.args[0]


def _extra_transpose(node: Expression) -> Iterator[Expression]:
    if node.head == "mat" or (node.head == "call" and node.name[:1].isupper()):
        yield Expression("transpose", (node,))


def _transpose_other(node: Expression) -> Iterator[Expression]:
    if node.head == "mul":
        for i, factor in enumerate(node.args):
            for j in (i - 1, i + 1):
                if (
                    factor.head == "transpose"
                    and 0 <= j < len(node.args)
                    and node.args[j].head != "transpose"
                ):
                    args = _replaced(node.args, i, factor.args[0])
                    yield node.with_args(_replaced(args, j, Expression("transpose", (node.args[j],))))


def _reverse_factors(node: Expression) -> Iterator[Expression]:
    if node.head == "mul":
        for i in range(len(node.args) - 1):
            yield node.with_args((*node.args[:i], node.args[i + 1], node.args[i], *node.args[i + 2 :]))


def _scaled(factor: Fraction) -> Change:
    def change(node: Expression) -> Iterator[Expression]:
        if node.head in ("call", "mul", "div", "pow", "sum") and not _is_call(node, "exp"):
            yield Expression("mul", (num(factor), node))
        elif node.head == "num" and node.number not in (0, 1) and factor == 2:
            yield num(node.number * 2)
        elif node.head == "num" and node.number not in (0, 1) and factor == Fraction(1, 2):
            yield num(node.number / 2)

    return change


def _scaled_angle(factor: Fraction) -> Change:
    def change(node: Expression) -> Iterator[Expression]:
        if _is_call(node, *_ANGULAR, "exp", "sinh", "cosh", "tanh"):
            yield node.with_args([Expression("mul", (num(factor), node.args[0]))])

    return change


def _flip_exponent(node: Expression) -> Iterator[Expression]:
    if node.head == "pow":
        yield node.with_args((node.args[0], _neg(node.args[1])))
    elif _is_call(node, "exp"):
        yield node.with_args([_neg(node.args[0])])


def _lose_exponent(node: Expression) -> Iterator[Expression]:
    if node.head == "pow":
        yield node.args[0]


def _extra_square(node: Expression) -> Iterator[Expression]:
    if node.head in ("call", "sym") and node.value != "exp" and node.args[1:] == ():
        yield Expression("pow", (node, num(2)))


def _lose_root(node: Expression) -> Iterator[Expression]:
    if _is_call(node, "sqrt"):
        yield node.args[0]


def _extra_root(node: Expression) -> Iterator[Expression]:
    if node.head in ("sym", "div", "num") and node != num(1):
        yield _call("sqrt", node)


def _upside_down(node: Expression) -> Iterator[Expression]:
    if node.head == "div":
        yield node.with_args(reversed(node.args))


def _multiply_for_divide(node: Expression) -> Iterator[Expression]:
    if node.head == "div":
        yield Expression("mul", node.args)


def _divide_for_multiply(node: Expression) -> Iterator[Expression]:
    if node.head == "mul":
        for i in range(1, len(node.args)):
            rest = node.args[:i] + node.args[i + 1 :]
            yield Expression("div", (_product(rest), node.args[i]))


def _exponents_multiplied(node: Expression) -> Iterator[Expression]:
    if node.head == "pow" and node.args[1].head == "add":
        yield node.with_args((node.args[0], _product(node.args[1].args)))
    elif _is_call(node, "exp") and node.args[0].head == "add":
        yield node.with_args([_product(node.args[0].args)])


def _exponents_added(node: Expression) -> Iterator[Expression]:
    if node.head == "pow" and node.args[0].head == "pow":
        base, inner = node.args[0].args
        yield Expression("pow", (base, Expression("add", (inner, node.args[1]))))
    elif node.head == "pow" and node.args[1].head == "mul":
        yield node.with_args((node.args[0], _sum(node.args[1].args)))


def _power_of_sum(node: Expression) -> Iterator[Expression]:
    if node.head == "pow" and node.args[0].head == "add":
        yield _sum([Expression("pow", (term, node.args[1])) for term in node.args[0].args])


def _power_of_product(node: Expression) -> Iterator[Expression]:
    if node.head == "pow" and node.args[0].head in ("mul", "div"):
        inner = node.args[0]
        yield inner.with_args((*inner.args[:-1], Expression("pow", (inner.args[-1], node.args[1]))))
        yield inner.with_args((Expression("pow", (inner.args[0], node.args[1])), *inner.args[1:]))


def _function_of_sum(*names: str) -> Change:
    def change(node: Expression) -> Iterator[Expression]:
        if _is_call(node, *names) and node.args[0].head == "add":
            yield _sum(
                [
                    Expression("neg", (node.with_args([term.args[0]]),))
                    if term.head == "neg"
                    else node.with_args([term])
                    for term in node.args[0].args
                ]
            )

    return change


def _log_of_product(node: Expression) -> Iterator[Expression]:
    if _is_call(node, "log") and node.args[0].head in ("mul", "div"):
        yield node.args[0].with_args(_call("log", part) for part in node.args[0].args)


def _half_distributed(node: Expression) -> Iterator[Expression]:
    if node.head == "mul":
        for i, factor in enumerate(node.args):
            rest = node.args[:i] + node.args[i + 1 :]
            if factor.head == "add":
                for j, term in enumerate(factor.args):
                    yield factor.with_args(_replaced(factor.args, j, Expression("mul", (*rest, term))))
    elif node.head == "div" and node.args[0].head == "add":
        above = node.args[0]
        for j, term in enumerate(above.args):
            yield above.with_args(_replaced(above.args, j, Expression("div", (term, node.args[1]))))


def _minus_distributed(node: Expression) -> Iterator[Expression]:
    if node.head == "neg" and node.args[0].head == "add":
        first, *rest = node.args[0].args
        yield _sum([_neg(first), *rest])


def _reciprocal_of_sum(node: Expression) -> Iterator[Expression]:
    if node.head == "div" and node.args[1].head == "add":
        yield _sum([Expression("div", (node.args[0], term)) for term in node.args[1].args])


def _drop_term(node: Expression) -> Iterator[Expression]:
    if node.head == "add":
        for i in range(len(node.args)):
            yield _sum(node.args[:i] + node.args[i + 1 :])


def _drop_factor(node: Expression) -> Iterator[Expression]:
    if node.head == "mul":
        for i in range(len(node.args)):
            yield _product(node.args[:i] + node.args[i + 1 :])
    elif node.head == "div":
        yield node.args[0]


def _bound(which: int, step: int) -> Change:
    def change(node: Expression) -> Iterator[Expression]:
        if node.head == "sum":
            shifted = Expression("add", (node.args[which], num(step)))
            yield node.with_args(_replaced(node.args, which, shifted))

    return change


def _lose_base(node: Expression) -> Iterator[Expression]:
    if node.head == "call" and node.value == "log" and len(node.args) == 2:
        yield _call("log", node.args[0])


def _constant(step: int) -> Change:
    def change(node: Expression) -> Iterator[Expression]:
        if node.head == "num":
            yield num(node.number + step)

    return change


def _lose_abs(node: Expression) -> Iterator[Expression]:
    if _is_call(node, "abs"):
        yield node.args[0]


def _square_inside(node: Expression) -> Iterator[Expression]:
    if node.head == "pow" and _is_call(node.args[0], *_ANGULAR, "log", "exp"):
        yield node.args[0].with_args([Expression("pow", (node.args[0].args[0], node.args[1]))])


def _lose_conj(node: Expression) -> Iterator[Expression]:
    if _is_call(node, "conj"):
        yield node.args[0]


def _flip_i(node: Expression) -> Iterator[Expression]:
    if node.head == "const" and node.value == "I":
        yield Expression("neg", (node,))


def _lose_i(node: Expression) -> Iterator[Expression]:
    if node.head == "mul" and any(factor.head == "const" and factor.value == "I" for factor in node.args):
        rest = [factor for factor in node.args if not (factor.head == "const" and factor.value == "I")]
        if rest:
            yield _product(rest)


def _flip_entry(node: Expression) -> Iterator[Expression]:
    if node.head == "mat":
        for i, entry in enumerate(node.args):
            if entry != num(0):
                yield node.with_args(_replaced(node.args, i, _neg(entry)))


def _swap_entries(node: Expression) -> Iterator[Expression]:
    if node.head == "mat" and node.shape == (2, 2):
        a, b, c, d = node.args
        yield node.with_args((a, c, b, d))


MISTAKES: tuple[Mistake, ...] = (
    Mistake("sign", "A sign is flipped in {place}.", _flip_term),
    Mistake("difference-reversed", "The difference is the wrong way round in {place}.", _reverse_difference),
    Mistake("sum-for-difference", "A sum and a difference are mixed up inside {place}.", _sum_for_difference),
    Mistake("sin-cos", "Sine and cosine are mixed up at {place}.", _swap_function(("sin", "cos"))),
    Mistake("lost-transpose", "A transpose is lost at {place}.", _lose_transpose),
    Mistake("extra-transpose", "There is a transpose too many at {place}.", _extra_transpose),
    Mistake("other-transpose", "The transpose stands on the wrong factor in {place}.", _transpose_other),
    Mistake("entry-sign", "One entry of the matrix has the wrong sign: {place}.", _flip_entry),
    Mistake("entries-swapped", "Two entries of the matrix are swapped: {place}.", _swap_entries),
    Mistake(
        "factor-order", "Two factors that do not commute are in the wrong order in {place}.", _reverse_factors
    ),
    Mistake(
        "minus-bracket",
        "The minus sign before a bracket reaches only its first term in {place}.",
        _minus_distributed,
    ),
    Mistake("exponent-sign", "The sign of an exponent is flipped at {place}.", _flip_exponent),
    Mistake("half-angle", "The angle is halved in {place}.", _scaled_angle(Fraction(1, 2))),
    Mistake("double-angle", "The angle is doubled in {place}.", _scaled_angle(Fraction(2))),
    Mistake("factor-two", "A factor 2 is off at {place}.", _scaled(Fraction(2))),
    Mistake("factor-half", "A factor 1/2 is off at {place}.", _scaled(Fraction(1, 2))),
    Mistake("imaginary-sign", "The sign of I is flipped.", _flip_i),
    Mistake("lost-i", "A factor I is lost in {place}.", _lose_i),
    Mistake("lost-conj", "A complex conjugate is lost at {place}.", _lose_conj),
    Mistake("minus", "A minus sign is off before {place}.", _flip_sign),
    Mistake("tan-cot", "Tangent and cotangent are mixed up at {place}.", _swap_function(("tan", "cot"))),
    Mistake(
        "sinh-cosh", "Hyperbolic sine and cosine are mixed up at {place}.", _swap_function(("sinh", "cosh"))
    ),
    Mistake("sec-csc", "Secant and cosecant are mixed up at {place}.", _swap_function(("sec", "csc"))),
    Mistake(
        "exp-log",
        "The exponential and the logarithm are mixed up at {place}.",
        _swap_function(("exp", "log")),
    ),
    Mistake("floor-ceil", "Rounding goes the wrong way at {place}.", _swap_function(("floor", "ceil"))),
    Mistake("power-of-sum", "A power of a sum is not the sum of the powers: {place}.", _power_of_sum),
    Mistake("power-of-product", "The exponent belongs to every factor of {place}.", _power_of_product),
    Mistake(
        "root-of-sum",
        "A root of a sum is not the sum of the roots: {place}.",
        _function_of_sum("sqrt", "cbrt"),
    ),
    Mistake("log-of-sum", "The log of a sum is not the sum of the logs: {place}.", _function_of_sum("log")),
    Mistake("log-of-product", "The log of a product is the sum of the logs: {place}.", _log_of_product),
    Mistake("exp-of-sum", "The exponential of a sum is a product: {place}.", _function_of_sum("exp")),
    Mistake(
        "angle-sum",
        "Sine and cosine of a sum need the addition theorem: {place}.",
        _function_of_sum(*_ANGULAR),
    ),
    Mistake(
        "abs-of-sum",
        "The absolute value of a sum is not the sum of the absolute values: {place}.",
        _function_of_sum("abs"),
    ),
    Mistake(
        "half-distributed", "A factor reaches only one term of the bracket in {place}.", _half_distributed
    ),
    Mistake(
        "reciprocal-of-sum", "One over a sum is not the sum of the reciprocals: {place}.", _reciprocal_of_sum
    ),
    Mistake(
        "exponents-multiplied", "Exponents are multiplied where they add up: {place}.", _exponents_multiplied
    ),
    Mistake("exponents-added", "Exponents are added where they multiply: {place}.", _exponents_added),
    Mistake(
        "square-inside", "The power belongs to the function, not to its argument: {place}.", _square_inside
    ),
    Mistake("upside-down", "A fraction is upside down: {place}.", _upside_down),
    Mistake("times-for-over", "There is a product where a quotient is meant: {place}.", _multiply_for_divide),
    Mistake("over-for-times", "There is a quotient where a product is meant: {place}.", _divide_for_multiply),
    Mistake("lost-exponent", "An exponent is lost at {place}.", _lose_exponent),
    Mistake("lost-root", "A square root is lost at {place}.", _lose_root),
    Mistake("lost-abs", "An absolute value is lost at {place}.", _lose_abs),
    Mistake("lost-base", "The base of the logarithm is lost at {place}.", _lose_base),
    Mistake("upper-bound", "The sum stops one term too late in {place}.", _bound(2, 1)),
    Mistake("upper-bound-early", "The sum stops one term too early in {place}.", _bound(2, -1)),
    Mistake("lower-bound", "The sum starts one term too late in {place}.", _bound(1, 1)),
    Mistake("lower-bound-early", "The sum starts one term too early in {place}.", _bound(1, -1)),
    Mistake("lost-term", "A term is lost in {place}.", _drop_term),
    Mistake("lost-factor", "A factor is lost in {place}.", _drop_factor),
    Mistake("extra-square", "There is a square too many at {place}.", _extra_square),
    Mistake("extra-root", "There is a square root too many at {place}.", _extra_root),
    Mistake("one-more", "A number is one too large at {place}.", _constant(1)),
    Mistake("one-less", "A number is one too small at {place}.", _constant(-1)),
)
