"""Fresh parameters against 40-digit arithmetic."""

from __future__ import annotations

import random

import mpmath
import numpy as np
import pytest

from quizapp.encodings import frequencies, scaling, sinusoidal, yarn


@pytest.fixture(autouse=True)
def _digits() -> object:
    with mpmath.workdps(40):
        yield


def exact_frequencies(dim: int, base: object) -> list[mpmath.mpf]:
    return [mpmath.mpf(base) ** (-mpmath.mpf(2 * i) / dim) for i in range(dim // 2)]


def relative_error(mine: np.ndarray, exact: list[mpmath.mpf]) -> float:
    return max(float(abs(mpmath.mpf(float(a)) - b) / b) for a, b in zip(mine, exact, strict=True))


def cases(count: int) -> list[tuple[int, float]]:
    draw = random.Random(20)
    return [(2 * draw.randint(2, 300), round(10 ** draw.uniform(0.5, 9), 3)) for _ in range(count)]


@pytest.mark.parametrize(("dim", "base"), cases(12))
def test_frequencies_to_the_last_places(dim: int, base: float) -> None:
    assert relative_error(frequencies.inverse_frequencies(dim, base), exact_frequencies(dim, base)) < 6e-16


@pytest.mark.parametrize(("dim", "base"), cases(6))
@pytest.mark.parametrize("position", [1, 4095, 131071, 10_000_019])
def test_sines_and_cosines(dim: int, base: float, position: int) -> None:
    row = sinusoidal.sinusoidal(position, dim, base)[0]
    for i, frequency in enumerate(exact_frequencies(dim, base)):
        angle = position * frequency
        allowed = 2e-15 * max(1.0, float(angle))
        assert abs(float(mpmath.mpf(float(row[2 * i])) - mpmath.sin(angle))) <= allowed
        assert abs(float(mpmath.mpf(float(row[2 * i + 1])) - mpmath.cos(angle))) <= allowed


@pytest.mark.parametrize(("dim", "base"), cases(6))
def test_extended_frequencies(dim: int, base: float) -> None:
    factor, original, length = 6.5, 3000, 7777
    plain = exact_frequencies(dim, base)
    assert (
        relative_error(scaling.linear(dim, base, factor), [value / mpmath.mpf(factor) for value in plain])
        < 1e-12
    )
    power = mpmath.mpf(dim) / (dim - 2)
    ntk = exact_frequencies(dim, base * mpmath.mpf(factor) ** power)
    assert relative_error(scaling.ntk(dim, base, factor), ntk) < 1e-12
    stretch = mpmath.mpf(factor) * length / original - (mpmath.mpf(factor) - 1)
    dynamic = scaling.scale(scaling.Scaling("dynamic-ntk", factor, original), dim, base, length)
    assert relative_error(dynamic.frequencies, exact_frequencies(dim, base * stretch**power)) < 1e-12
    made = [original * value / (2 * mpmath.pi) for value in plain]

    def blend(keep: list[mpmath.mpf]) -> list[mpmath.mpf]:
        return [(1 - g) * v / mpmath.mpf(factor) + g * v for g, v in zip(keep, plain, strict=True)]

    def clip(value: mpmath.mpf) -> mpmath.mpf:
        return min(max(value, mpmath.mpf(0)), mpmath.mpf(1))

    assert (
        relative_error(
            scaling.llama3(dim, base, factor, 1.5, 5, original), blend([clip((r - 1.5) / 3.5) for r in made])
        )
        < 1e-12
    )
    paper = yarn.yarn(dim, base, factor, original, paper_ramp=True)
    assert relative_error(paper, blend([clip((r - 1) / 31) for r in made])) < 1e-12

    def pair_with(rotations: int) -> mpmath.mpf:
        return dim * mpmath.log(original / (rotations * 2 * mpmath.pi)) / (2 * mpmath.log(base))

    for truncate in (True, False):
        low, high = pair_with(32), pair_with(1)
        if truncate:
            low, high = mpmath.floor(low), mpmath.ceil(high)
        low, high = max(low, mpmath.mpf(0)), min(high, mpmath.mpf(dim - 1))
        keep = [1 - clip((i - low) / (high - low)) for i in range(dim // 2)]
        assert relative_error(yarn.yarn(dim, base, factor, original, truncate=truncate), blend(keep)) < 1e-12
