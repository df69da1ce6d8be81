"""Where only one of two equal lines is defined: a note, never a fault."""

from __future__ import annotations

from quizapp.algebra import core
from quizapp.algebra.meaning import Matrix, Meaning
from quizapp.algebra.names import Names
from quizapp.algebra.printing import to_text
from quizapp.algebra.signs import is_nonnegative, is_nonzero, is_positive
from quizapp.algebra.tree import Expression, num

MAX_NODES = 1500
MAX_LENGTH = 60
MAX_NOTES = 6

Need = tuple[Expression, str]


def domain_notes(a: Meaning, b: Meaning, names: Names) -> tuple[str, ...]:
    """What one side needs and the other does not: ``the second line needs x != 0``."""
    first, second = _needs(a, names), _needs(b, names)
    if first is None or second is None:
        return ()
    first = {need for need in first if _length(need[0]) <= MAX_LENGTH}
    second = {need for need in second if _length(need[0]) <= MAX_LENGTH}
    notes = [*_missing("first", first, second), *_missing("second", second, first)]
    return tuple(notes[:MAX_NOTES])


def _missing(which: str, needs: set[Need], others: set[Need]) -> list[str]:
    texts = {f"{to_text(_tidy(node))} {sign}" for node, sign in needs if not _covered(node, sign, others)}
    return [f"the {which} line needs {text}" for text in sorted(texts)]


def _length(node: Expression) -> int:
    """How many nodes are written out; counting stops where it is too long to show."""
    total = 1
    for argument in node.args:
        if total > MAX_LENGTH:
            break
        total += _length(argument)
    return total


def _covered(node: Expression, sign: str, others: set[Need]) -> bool:
    stronger = {">= 0": (">= 0", "> 0"), "> 0": ("> 0",), "!= 0": ("!= 0", "> 0")}[sign]
    return any((node, other) in others for other in stronger) or (
        sign == "!= 0" and (core.neg(node), "!= 0") in others
    )


def _needs(side: Meaning, names: Names) -> set[Need] | None:
    found: set[Need] = set()
    budget = MAX_NODES
    for entry in side.entries if isinstance(side, Matrix) else (side,):
        for node in entry.walk():
            budget -= 1
            if budget < 0:
                return None
            if node.head == "pow":
                _power(node, names, found)
            elif node.head == "call" and node.value == "log":
                _need(node.args[0], "> 0", names, found)
    return found


def _power(node: Expression, names: Names, found: set[Need]) -> None:
    base, exponent = node.args
    if base.head == "const" or not core.is_number(exponent):
        if not core.is_number(base) and base.head != "const" and not _whole(exponent, names):
            _need(base, "> 0", names, found)
        return
    value = exponent.number
    if value.denominator != 1:
        _need(base, ">= 0" if value > 0 else "> 0", names, found)
    elif value < 0:
        _need(base, "!= 0", names, found)


def _whole(node: Expression, names: Names) -> bool:
    if node.head == "sym":
        return names.assumption(node.name).integer or node.name.startswith("#")
    if node.head == "num":
        return node.number.denominator == 1
    return node.head in ("add", "mul") and all(_whole(argument, names) for argument in node.args)


def _need(node: Expression, sign: str, names: Names, found: set[Need]) -> None:
    if any((part.head == "const" and part.value == "I") or part.name.startswith("#") for part in node.walk()):
        return
    if node.head == "pow" and sign != "!= 0" and core.is_number(node.args[1]):
        exponent = node.args[1].number
        if exponent.denominator == 1 and exponent.numerator % 2:
            _need(node.args[0], "> 0" if exponent < 0 else sign, names, found)
            return
    if sign == "!= 0":
        if node.head == "mul":
            for factor in node.args:
                _need(factor, sign, names, found)
        elif node.head == "pow":
            if core.is_number(node.args[1]):
                _need(node.args[0], sign, names, found)
        elif not is_nonzero(node, names):
            found.add((node, sign))
    elif sign == "> 0" and is_nonnegative(node, names):
        _need(node, "!= 0", names, found)
    elif (sign == "> 0" and not is_positive(node, names)) or (
        sign == ">= 0" and not is_nonnegative(node, names)
    ):
        found.add((node, sign))


def _tidy(node: Expression) -> Expression:
    """For print: ``x - 1`` and ``a/b`` instead of ``(-1) + x`` and ``a*b^(-1)``."""
    if not node.args:
        return Expression("neg", (num(-node.number),)) if node.head == "num" and node.number < 0 else node
    if node.head == "mul":
        return _tidy_product(node)
    return Expression(node.head, map(_tidy, node.args), node.value)


def _tidy_product(node: Expression) -> Expression:
    above: list[Expression] = []
    below: list[Expression] = []
    negative = False
    for factor in node.args:
        if core.is_number(factor):
            value = factor.number
            negative = value < 0
            if abs(value.numerator) != 1:
                above.append(num(abs(value.numerator)))
            if value.denominator != 1:
                below.append(num(value.denominator))
        elif factor.head == "pow" and core.is_number(factor.args[1]) and factor.args[1].number < 0:
            below.append(_tidy(core.power(factor.args[0], num(-factor.args[1].number))))
        else:
            above.append(_tidy(factor))
    top = _product(above)
    tidy = Expression("div", (top, _product(below))) if below else top
    return Expression("neg", (tidy,)) if negative else tidy


def _product(factors: list[Expression]) -> Expression:
    if not factors:
        return core.ONE
    return factors[0] if len(factors) == 1 else Expression("mul", factors)
