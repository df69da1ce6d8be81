"""Compare two lists of core entries by numbers: floats to look, exact and many-digit numbers to certify."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import islice
from typing import Any

from quizapp.algebra.errors import Uncertain, Undefined
from quizapp.algebra.floats import ComplexFloats, RealFloats
from quizapp.algebra.names import Names
from quizapp.algebra.points import Point, points
from quizapp.algebra.program import Program, compile_program, run
from quizapp.algebra.tree import Expression, free_symbols

POINTS = 24
ATTEMPTS = 150
WIDE_POINTS = 10
WIDE_ATTEMPTS = 40
CERTIFICATES = 8
FLOAT_TOLERANCE = 1e-9
BITS = 200
# A long program is run at fewer points.
FLOAT_STEPS = 1_000_000
PRECISE_STEPS = 20_000


@dataclass(frozen=True)
class Difference:
    """A point at which the sides surely differ."""

    point: Point


@dataclass(frozen=True)
class Found:
    """How many points agreed, and the first certified difference."""

    agreed: int
    difference: Difference | None = None


@dataclass(frozen=True)
class Comparison:
    """The entries of both sides as one program, with what their symbols allow."""

    program: Program
    names: Names
    symbols: tuple[str, ...]
    integers: frozenset[str]
    whole: frozenset[str]
    complex: bool

    @staticmethod
    def of(a: Sequence[Expression], b: Sequence[Expression], names: Names) -> Comparison:
        """``integers`` are symbols that a bound of a sum makes whole; ``whole`` adds those declared so."""
        nodes = [*a, *b]
        symbols: frozenset[str] = frozenset().union(*map(free_symbols, nodes))
        integers = frozenset().union(*map(_in_bounds, nodes))
        declared = {name for name in symbols if names.assumption(name).integer}
        complex_field = any(names.assumption(name).complex for name in symbols) or any(
            part.head == "const" and part.value == "I" for node in nodes for part in node.walk()
        )
        whole = frozenset(declared | integers)
        program = compile_program(nodes, whole)
        return Comparison(program, names, tuple(sorted(symbols)), integers, whole, complex_field)

    def floats(self) -> RealFloats:
        """The floating-point field that fits."""
        return ComplexFloats() if self.complex else RealFloats()

    def precise(self, bits: int) -> Any:
        """The field of many digits that fits."""
        from quizapp.algebra.precise import Precise

        return Precise(bits, self.complex)

    def numbers(self, program: Program, point: Point, digits: int = 0) -> list[float | str | None]:
        """The values of another program at a point, as what JSON can hold; None where one is not defined.

        With ``digits`` they are texts of that many digits.
        """
        field = self.precise(BITS)
        try:
            values = run(program, _exact(point, field), field)
        except (Undefined, Uncertain):
            return [None for _ in program.results]
        if digits:
            return [field.context.nstr(field.big(value), digits) for value in values]
        return [_plain(value) for value in values]


def _plain(value: Any) -> float | str | None:
    number = complex(value)
    if number.imag:
        return f"{number.real:.12g} {'-' if number.imag < 0 else '+'} {abs(number.imag):.12g}*I"
    return number.real if abs(number.real) < 1e300 else str(value)


def _in_bounds(node: Expression) -> frozenset[str]:
    found: set[str] = set()
    for part in node.walk():
        if part.head == "sum":
            found |= free_symbols(part.args[1]) | free_symbols(part.args[2])
    return frozenset(name for name in found if not name.startswith("#"))


def _exact(point: Point, field: Any) -> Mapping[str, Any]:
    return {
        name: value if isinstance(value, Fraction) else field.context.mpc(*map(field.big, value))
        for name, value in point.items()
    }


def _rounded(point: Point) -> Mapping[str, Any]:
    return {
        name: float(value) if isinstance(value, Fraction) else complex(*map(float, value))
        for name, value in point.items()
    }


def compare(comparison: Comparison) -> Found:
    """Points of the domain until enough agree; a suspected difference counts once it is certified."""
    agreed = 0
    certificates = 0
    wanted = POINTS if comparison.symbols else 1
    attempts = (
        max(12, min(ATTEMPTS, FLOAT_STEPS // len(comparison.program.steps))) if comparison.symbols else 1
    )
    for point in islice(points(comparison.symbols, comparison.names, comparison.integers), attempts):
        close = _close(comparison, point)
        if close is None and comparison.symbols:
            continue
        if not close:
            if certificates >= CERTIFICATES:
                continue
            certificates += 1
            certain = certify(comparison, point)
            if certain:
                return Found(agreed, Difference(point))
            if certain is None:
                continue
        agreed += 1
        if agreed >= wanted:
            break
    return Found(agreed)


def _close(comparison: Comparison, point: Point) -> bool | None:
    """Whether floats agree at a point; None where a side has no value there or floats cannot tell."""
    field = comparison.floats()
    try:
        values = run(comparison.program, _rounded(point), field)
    except (Undefined, Uncertain):
        return None
    half = len(values) // 2
    for x, y in zip(values[:half], values[half:], strict=True):
        largest = max(abs(x), abs(y))
        if abs(x - y) > FLOAT_TOLERANCE * max(largest, field.peak):
            return False
    return True


def certify(comparison: Comparison, point: Point) -> bool | None:
    """True: the sides surely differ here. False: they agree to many digits. None: it cannot be told."""
    try:
        coarse = _gaps(comparison, point, BITS)
        if coarse is None:
            return True
        fine = _gaps(comparison, point, 2 * BITS)
    except (Undefined, Uncertain):
        return None
    if fine is None:
        return True
    certain = False
    for (gap, _), (finer, peak) in zip(coarse, fine, strict=True):
        if abs(finer) > peak * 2.0 ** (-BITS // 2):
            if abs(gap - finer) > abs(finer) * 2.0**-20:
                return None
            certain = True
    return certain


def _gaps(comparison: Comparison, point: Point, bits: int) -> list[tuple[Any, Any]] | None:
    """Each pair's difference and the size that its noise goes by; None for an exact difference."""
    field = comparison.precise(bits)
    values = run(comparison.program, _exact(point, field), field)
    half = len(values) // 2
    gaps = []
    for x, y in zip(values[:half], values[half:], strict=True):
        if isinstance(x, Fraction) and isinstance(y, Fraction):
            if x != y:
                return None
            continue
        big_x, big_y = field.big(x), field.big(y)
        gaps.append((big_x - big_y, max(abs(big_x), abs(big_y), field.peak)))
    return gaps


def compare_precisely(comparison: Comparison) -> Found:
    """Many-digit numbers at points near and far: what differs by less than floats can see."""
    agreed = 0
    attempts = max(4, min(WIDE_ATTEMPTS, PRECISE_STEPS // len(comparison.program.steps)))
    near = islice(points(comparison.symbols, comparison.names, comparison.integers), 4)
    far = islice(points(comparison.symbols, comparison.names, comparison.integers, wide=True), attempts)
    candidates = [{}] if not comparison.symbols else [*near, *far]
    for point in candidates:
        certain = certify(comparison, point)
        if certain:
            return Found(agreed, Difference(point))
        if certain is False:
            agreed += 1
            if agreed >= WIDE_POINTS:
                break
    return Found(agreed)
