"""Every generator, a thousand times: the answer by another method, and no slip that would pass for it."""

from __future__ import annotations

import cmath
import math
import re
from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import Any

import pytest

from quizapp.generators import GENERATORS, Problem, generate

RUNS = 1000
Oracle = Callable[[Mapping[str, Any], Problem], Any]


def theta(pair: int, dim: int, base: float = 10000.0) -> float:
    return math.exp(-2.0 * pair / dim * math.log(base))


def vectors(problem: Problem) -> list[list[int]]:
    """The vectors of whole numbers in a prompt, in order."""
    found = re.findall(r"\((-?\d+(?:, -?\d+)+)\)", problem.prompt)
    return [[int(part) for part in text.split(",")] for text in found]


def component(p: Mapping[str, Any], _: Problem) -> Any:
    clock = cmath.exp(1j * p["pos"] * theta(p["column"] // 2, p["dim"]))
    return clock.real if p["column"] % 2 else clock.imag


def dot(p: Mapping[str, Any], _: Problem) -> Any:
    return sum(math.cos(p["offset"] * theta(i, p["dim"])) for i in range(p["dim"] // 2))


def score(p: Mapping[str, Any], problem: Problem) -> Any:
    (a, b), (c, d) = vectors(problem)
    turned = complex(a, b) * cmath.exp(1j * p["query_pos"] * p["theta"])
    other = complex(c, d) * cmath.exp(1j * p["key_pos"] * p["theta"])
    return (turned * other.conjugate()).real


def partner(p: Mapping[str, Any], _: Problem) -> Any:
    dim, j = p["dim"], p["coordinate"]
    if p["layout"] == "half-split":
        pairs = list(zip(range(dim // 2), range(dim // 2, dim), strict=True))
    else:
        pairs = list(zip(range(0, dim, 2), range(1, dim, 2), strict=True))
    return next(sum(pair) - j for pair in pairs if j in pair)


def shaw(p: Mapping[str, Any], _: Problem) -> Any:
    return sorted((-p["clip"], p["key_pos"] - p["query_pos"], p["clip"]))[1] + p["clip"]


def t5(p: Mapping[str, Any], _: Problem) -> Any:
    """The published formula with exact comparisons: bucket e + t begins where (n/e)^(c-e) reaches (L/e)^t."""
    both = p["mode"] == "bidirectional"
    count = p["buckets"] // 2 if both else p["buckets"]
    exact, distance = count // 2, abs(p["offset"])
    add = count if both and p["offset"] > 0 else 0
    if distance < exact:
        return distance + add
    ratio, whole = Fraction(distance, exact), Fraction(p["max_distance"], exact)
    steps = [t for t in range(count - exact) if ratio ** (count - exact) >= whole**t]
    return exact + max(steps) + add


def parameters(p: Mapping[str, Any], _: Problem) -> Any:
    if p["scheme"] == "learned":
        return sum(p["dim"] for _ in range(p["length"]))
    if p["scheme"] == "shaw":
        return len(range(-p["clip"], p["clip"] + 1)) * p["dim"] // p["heads"]
    return len([(b, h) for b in range(p["buckets"]) for h in range(p["heads"])])


def slope(p: Mapping[str, Any], _: Problem) -> Any:
    """The recursive definition of the authors' code."""

    def slopes(n: int) -> list[float]:
        if math.log2(n).is_integer():
            start = 2 ** (-(2 ** -(math.log2(n) - 3)))
            return [start**h for h in range(1, n + 1)]
        below = 2 ** math.floor(math.log2(n))
        return slopes(below) + slopes(2 * below)[0::2][: n - below]

    return slopes(p["heads"])[p["head"]]


def bias(p: Mapping[str, Any], problem: Problem) -> Any:
    return -slope(p, problem) * (p["query_pos"] - p["key_pos"])


def wavelength(p: Mapping[str, Any], _: Problem) -> Any:
    return 2 * math.pi * math.pow(p["base"] ** (1.0 / p["dim"]), 2 * p["pair"])


def turns(p: Mapping[str, Any], problem: Problem) -> Any:
    return p["length"] / wavelength(p, problem)


def first_incomplete(p: Mapping[str, Any], _: Problem) -> Any:
    return next(i for i in range(p["dim"] // 2) if p["length"] * theta(i, p["dim"], p["base"]) < 2 * math.pi)


def ntk(p: Mapping[str, Any], _: Problem) -> Any:
    """Solve b'^(-(d-2)/d) = b^(-(d-2)/d) / s for b'."""
    power = (p["dim"] - 2) / p["dim"]
    return math.exp((power * math.log(p["base"]) + math.log(p["factor"])) / power)


def interpolated(p: Mapping[str, Any], _: Problem) -> Any:
    return p["pos"] / p["factor"] * theta(p["pair"], p["dim"])


def temperature(p: Mapping[str, Any], _: Problem) -> Any:
    root = 1 + math.log(p["factor"]) / 10
    return root**2 if p["place"] == "attention scores" else root


def next_position(p: Mapping[str, Any], _: Problem) -> Any:
    padding = [0] * (p["longest"] - p["prompt"])
    real = [1] * p["prompt"]
    mask = (padding + real if p["side"] == "left" else real + padding) + [1] * p["generated"]
    return sum(mask)


def padded_row(p: Mapping[str, Any], _: Problem) -> Any:
    rows, row = [], p["padding_index"]
    for kind in ["pad"] * p["left_padding"] + ["real"] * (p["token"] + 1):
        row += kind == "real"
        rows.append(row if kind == "real" else p["padding_index"])
    return rows[-1]


def causal_spread(p: Mapping[str, Any], _: Problem) -> Any:
    weight = 1.0 / (p["index"] + 1)
    return math.sqrt(math.fsum((weight * p["spread"]) ** 2 for _ in range(p["index"] + 1)))


def causal_pairs(p: Mapping[str, Any], _: Problem) -> Any:
    return sum(1 for m in range(p["length"]) for n in range(p["length"]) if n <= m)


def rounded(p: Mapping[str, Any], _: Problem) -> Any:
    bits = 8 if p["format"] == "bfloat16" else 11
    step = 2 ** max(0, p["pos"].bit_length() - bits)
    return round(Fraction(p["pos"], step)) * step


ORACLES: dict[str, Oracle] = {
    "sinusoidal-component": component,
    "sinusoidal-dot": dot,
    "rope-score": score,
    "rope-partner": partner,
    "shaw-index": shaw,
    "t5-bucket": t5,
    "parameter-count": parameters,
    "alibi-slope": slope,
    "alibi-bias": bias,
    "wavelength": wavelength,
    "turns": turns,
    "first-incomplete-pair": first_incomplete,
    "ntk-base": ntk,
    "interpolated-angle": interpolated,
    "yarn-temperature": temperature,
    "next-position": next_position,
    "padded-row": padded_row,
    "causal-spread": causal_spread,
    "causal-pairs": causal_pairs,
    "rounded-position": rounded,
}
CHOICES = {"sinusoidal-shift", "rope-rotate", "llama3-part"}


def test_every_generator_has_a_second_method() -> None:
    assert set(ORACLES) | CHOICES == set(GENERATORS)
    assert len(GENERATORS) >= 14


@pytest.mark.parametrize("name", ORACLES)
def test_numbers(name: str) -> None:
    for seed in range(RUNS):
        problem = generate(name, {}, seed)
        assert problem.kind == "number"
        second = ORACLES[name](problem.parameters, problem)
        assert problem.answer == pytest.approx(second, rel=1e-9, abs=1e-9), problem.prompt
        assert problem.accepts(second)
        assert problem.slip(problem.answer) is None
        assert len(problem.slips) >= 2
        for value, why in problem.slips:
            assert not problem.accepts(value)
            assert abs(value - problem.answer) > 2 * problem.tolerance
            assert problem.slip(value) == why


def shown_numbers(text: str) -> list[float]:
    return [float(part) for part in re.findall(r"-?\d+\.\d+", text)]


def rotated(problem: Problem) -> list[float]:
    p = problem.parameters
    query = vectors(problem)[0]
    pairs = ((0, 1), (2, 3)) if p["layout"] == "interleaved" else ((0, 2), (1, 3))
    result = [0.0] * 4
    for i, (a, b) in enumerate(pairs):
        turned = complex(query[a], query[b]) * cmath.exp(1j * int(p["pos"]) * theta(i, 4, float(p["base"])))
        result[a], result[b] = turned.real, turned.imag
    return result


def shifted(problem: Problem) -> list[float]:
    """The matrix, found from where two positions go."""
    p = problem.parameters
    w, k = theta(int(p["pair"]), int(p["dim"])), int(p["offset"])

    def column(position: float) -> tuple[float, float]:
        pair = (math.sin(position * w), math.cos(position * w))
        return pair if p["order"] == "sin, cos" else pair[::-1]

    # Positions a quarter turn apart make the columns a basis.
    one, two = 0.0, math.pi / 2 / w
    (a, c), (b, d) = column(one), column(two)
    (e, g), (f, h) = column(one + k), column(two + k)
    determinant = a * d - b * c
    inverse = [d / determinant, -b / determinant, -c / determinant, a / determinant]
    return [
        e * inverse[0] + f * inverse[2],
        e * inverse[1] + f * inverse[3],
        g * inverse[0] + h * inverse[2],
        g * inverse[1] + h * inverse[3],
    ]


@pytest.mark.parametrize(("name", "right"), [("rope-rotate", rotated), ("sinusoidal-shift", shifted)])
def test_choices_of_numbers(name: str, right: Callable[[Problem], list[float]]) -> None:
    for seed in range(RUNS):
        problem = generate(name, {}, seed)
        exact = right(problem)
        fitting = [
            choice
            for choice in problem.choices
            if all(abs(a - b) <= 5.1e-4 for a, b in zip(shown_numbers(choice.text), exact, strict=True))
        ]
        assert fitting == [choice for choice in problem.choices if choice.right]
        assert len(fitting) == 1
        assert problem.choices[int(problem.answer)] is fitting[0]
        assert len({choice.text for choice in problem.choices}) == len(problem.choices) >= 3


def test_llama3_part() -> None:
    seen = set()
    for seed in range(RUNS):
        problem = generate("llama3-part", {}, seed)
        p = problem.parameters
        waves = wavelength({"base": 500000, "dim": p["dim"], "pair": p["pair"]}, problem)
        length = float(p["length"])
        text = (
            "stays as it is"
            if waves < length / 4
            else f"divided by {p['factor']}."
            if waves > length
            else "blended of both"
        )
        assert [text in choice.text for choice in problem.choices] == [
            choice.right for choice in problem.choices
        ]
        assert sum(choice.right for choice in problem.choices) == 1
        seen.add(text.split()[0])
    assert seen == {"stays", "divided", "blended"}
