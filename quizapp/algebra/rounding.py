"""Whether two sides differ by no more than the rounding of the decimals that were typed."""

from __future__ import annotations

from fractions import Fraction
from itertools import islice

from quizapp.algebra.errors import Uncertain, Undefined, Unreadable
from quizapp.algebra.floats import RealFloats
from quizapp.algebra.meaning import Matrix, meaning, symbols_of
from quizapp.algebra.names import Names
from quizapp.algebra.points import points
from quizapp.algebra.program import compile_program, run
from quizapp.algebra.tree import Expression, num

POINTS = 6


def agrees_to_digits(a: Expression, b: Expression, names: Names) -> bool:
    """Whether half a unit of each decimal's last digit covers the difference, at several points."""
    if not any(node.head == "dec" for tree in (a, b) for node in tree.walk()):
        return False
    try:
        plain = _differences(a, b, names)
        moved = [
            _differences(_moved(a, decimal), b, names) if in_a else _differences(a, _moved(b, decimal), names)
            for in_a, tree in ((True, a), (False, b))
            for decimal in {node.name for node in tree.walk() if node.head == "dec"}
        ]
    except (Unreadable, Undefined, Uncertain):
        return False
    if not plain:
        return False
    reach = [
        sum(abs(other[i] - gap) for other in moved if len(other) == len(plain)) for i, gap in enumerate(plain)
    ]
    return all(abs(gap) <= room * (1 + 1e-9) for gap, room in zip(plain, reach, strict=True))


def _moved(tree: Expression, decimal: str) -> Expression:
    if tree.head == "dec" and tree.name == decimal:
        return num(Fraction(decimal) + half_unit(decimal))
    return tree.with_args(_moved(argument, decimal) for argument in tree.args) if tree.args else tree


def half_unit(decimal: str) -> Fraction:
    """Half a unit of the last digit given: 0.0005 for ``0.123``."""
    digits, _, exponent = decimal.partition("e")
    places = len(digits.partition(".")[2])
    return Fraction(10) ** (int(exponent or 0) - places) / 2


def _differences(a: Expression, b: Expression, names: Names) -> list[float]:
    left, right = meaning(a, names), meaning(b, names)
    entries = [*(left.entries if isinstance(left, Matrix) else (left,))]
    entries += [*(right.entries if isinstance(right, Matrix) else (right,))]
    symbols = symbols_of(left) | symbols_of(right)
    program = compile_program(entries, {name for name in symbols if names.assumption(name).integer})
    found: list[float] = []
    for point in islice(points(symbols, names, ()), POINTS if symbols else 1):
        values = run(
            program, {k: float(v) for k, v in point.items() if isinstance(v, Fraction)}, RealFloats()
        )
        half = len(values) // 2
        found += [x - y for x, y in zip(values[:half], values[half:], strict=True)]
    return found
