"""Where two lines are compared: points of the declared domain, the readable ones first."""

from __future__ import annotations

import random
from collections.abc import Collection, Iterator, Mapping
from fractions import Fraction

from quizapp.algebra.names import Assumption, Names

Point = Mapping[str, Fraction | tuple[Fraction, Fraction]]

SEED = 20_170_612
_READABLE = tuple(
    map(Fraction, ("2", "3", "1/2", "-1", "5", "-2", "1/3", "7", "-1/2", "4", "-3", "3/2", "1"))
)
_WITHIN = tuple(map(Fraction, ("1/2", "1/3", "3/4", "1/5", "2/3", "4/5", "1/4", "2/5")))
_SCALES = tuple(map(Fraction, ("1", "3", "1/2", "8", "1/10", "1", "20")))


def points(
    symbols: Collection[str], names: Names, integers: Collection[str], wide: bool = False
) -> Iterator[Point]:
    """Endless points of the domain; ``integers`` are symbols that must be whole though declared real.

    The same symbols give the same points in every run. ``wide`` reaches out to 20,000.
    """
    ordered = sorted(symbols)
    where = {name: names.assumption(name) for name in ordered}
    if not wide:
        for k in range(10):
            yield {name: _readable(where[name], name in integers, k, i) for i, name in enumerate(ordered)}
    generator = random.Random(SEED)
    k = 0
    while True:
        scale = Fraction(10) ** generator.randint(0, 4) * 2 if wide else _SCALES[k % len(_SCALES)]
        positive = k % 3 == 0
        yield {name: _random(where[name], name in integers, scale, positive, generator) for name in ordered}
        k += 1


def _readable(where: Assumption, whole: bool, k: int, i: int) -> Fraction | tuple[Fraction, Fraction]:
    if where.complex:
        return (_READABLE[(k + 2 * i) % 13], _READABLE[(2 * k + i + 1) % 13])
    if where.lower is not None and where.upper is not None and not (where.integer or whole):
        return where.lower + (where.upper - where.lower) * _WITHIN[(k + i) % len(_WITHIN)]
    if where.integer or whole:
        steps = (k + 2 * i + (k * i) % 3) % 6 + (1 if k < 5 else 0)
        value = (
            Fraction(steps) if where.lower is not None or where.upper is not None else _signed(steps, k, i)
        )
        return _shifted(where, value)
    value = _READABLE[(k + i + (k * i) % 5) % 13]
    if k < 2:
        # Two points with all symbols positive and different: the easiest to follow by hand.
        value = Fraction(k + 2 + i)
    return _shifted(where, abs(value) if where.lower is not None or where.upper is not None else value)


def _signed(steps: int, k: int, i: int) -> Fraction:
    return Fraction(-steps if k > 3 and (k + i) % 2 else steps)


def _shifted(where: Assumption, value: Fraction) -> Fraction:
    """A distance from the bound, inside the domain."""
    if where.lower is not None:
        start = where.lower if not where.integer else Fraction(-((-where.lower) // 1))
        value = start + (value if value or not where.open_lower else Fraction(1))
        if where.upper is not None and value > where.upper:
            value = where.upper if not where.open_upper else where.upper - 1
        return value
    if where.upper is not None:
        start = where.upper if not where.integer else Fraction(where.upper // 1)
        return Fraction(start) - (value if value or not where.open_upper else Fraction(1))
    return value


def _random(
    where: Assumption, whole: bool, scale: Fraction, positive: bool, generator: random.Random
) -> Fraction | tuple[Fraction, Fraction]:
    if where.complex:
        return (_draw(scale, False, generator), _draw(scale, False, generator))
    if where.integer or whole:
        value = Fraction(generator.randint(0 if where.lower is not None else 1, max(6, min(int(scale), 400))))
        bounded = where.lower is not None or where.upper is not None
        return _shifted(where, value if bounded or positive or whole else value * generator.choice((1, -1)))
    if where.lower is not None and where.upper is not None:
        return where.lower + (where.upper - where.lower) * Fraction(generator.randint(1, 96), 97)
    value = _draw(scale, positive, generator)
    return _shifted(where, abs(value) if where.lower is not None or where.upper is not None else value)


def _draw(scale: Fraction, positive: bool, generator: random.Random) -> Fraction:
    value = scale * Fraction(generator.randint(1, 60), generator.choice((31, 37, 41, 43)))
    return value if positive or generator.random() < 0.5 else -value
