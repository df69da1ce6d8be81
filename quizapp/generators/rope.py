"""Problems on rotary encoding."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from random import Random
from typing import Any

from quizapp.encodings import claims
from quizapp.generators.generator import Generator
from quizapp.generators.problem import Problem, Unsuitable, choice, number
from quizapp.generators.ranges import Parameter
from quizapp.generators.write import decimal, short, signed, vector

_LAYOUTS = ("interleaved", "half-split")
_PAIRS = {"interleaved": ((0, 1), (2, 3)), "half-split": ((0, 2), (1, 3))}


def _turned(entries: Sequence[float], angles: Sequence[float], layout: str) -> list[float]:
    result = list(entries)
    for (first, second), angle in zip(_PAIRS[layout], angles, strict=True):
        result[first], result[second] = claims.rotate([entries[first], entries[second]], angle)
    return result


def _rotate(drawn: Mapping[str, Any], source: Random) -> Problem:
    position, layout, base = drawn["pos"], drawn["layout"], drawn["base"]
    entries = [source.choice([-2, -1, 1, 2, 3]) for _ in range(4)]
    angles = [position * frequency for frequency in claims.rope_inv_freq(4, base)]
    other = _LAYOUTS[1 - _LAYOUTS.index(layout)]

    def shown(values: Sequence[float]) -> str:
        return f"${vector(values, 3)}$"

    right = _turned(entries, angles, layout)
    steps = [
        rf"Pair {number}: $({entries[a]}, {entries[b]})$ by {short(angle)} rad: $({entries[a]} \cos - "
        rf"{signed(entries[b])} \sin, {entries[a]} \sin + {signed(entries[b])} \cos) = "
        f"({decimal(right[a], 3)}, {decimal(right[b], 3)})$."
        for number, ((a, b), angle) in enumerate(zip(_PAIRS[layout], angles, strict=True))
    ]
    return choice(
        f"Rotate the query ${vector(entries)}$ at position {position} with RoPE, base {base}, {layout} "
        "layout. What comes out?",
        (shown(right), f"Each {layout} pair turns counter-clockwise by its own angle."),
        [
            (
                shown(_turned(entries, [-angle for angle in angles], layout)),
                "Turned clockwise: the sign of the sine.",
            ),
            (shown(_turned(entries, angles, other)), f"These are the pairs of the {other} layout."),
            (
                shown(_turned(entries, [angles[0]] * 2, layout)),
                "Both pairs turned by the angle of the first.",
            ),
            (shown(_turned(entries, angles[::-1], layout)), "The frequencies of the two pairs are swapped."),
            (shown(entries), "Only position 0 leaves a query as it is."),
        ],
        [
            f"With $d = 4$ the frequencies are 1 and ${short(claims.rope_inv_freq(4, base)[1])}$; at "
            f"position {position} the angles are {short(angles[0])} and ${short(angles[1])}$ radians.",
            f"The {layout} pairs are coordinates {' and '.join(str(pair) for pair in _PAIRS[layout])}.",
            *steps,
        ],
        [source.random() for _ in range(6)],
        least=3,
    )


def _score(drawn: Mapping[str, Any], source: Random) -> Problem:
    m, n, theta = drawn["query_pos"], drawn["key_pos"], drawn["theta"]
    if m == n:
        raise Unsuitable
    q = [source.choice([-2, -1, 0, 1, 2]) for _ in range(2)]
    k = [source.choice([-2, -1, 0, 1, 2]) for _ in range(2)]
    dot, cross = q[0] * k[0] + q[1] * k[1], q[1] * k[0] - q[0] * k[1]
    if cross == 0 or not any(q) or not any(k):
        raise Unsuitable
    angle = (n - m) * theta
    answer = claims.rope_score(q, k, m, n, theta)
    slips = [
        (claims.rope_score(q, k, n, m, theta), "The sign of the offset: it is key minus query, n - m."),
        (float(dot), "This is the score without any rotation."),
        (claims.rope_score(q, k, 0, m + n, theta), "The angles are subtracted, not added."),
        (claims.rope_score(q, k, 0, n, theta), "The query has to be rotated too."),
        (dot * math.cos(angle), "The cross term is missing; it vanishes only for parallel q and k."),
    ]
    return number(
        f"One RoPE pair: $q = {vector(q)}$ at position $m = {m}$, $k = {vector(k)}$ at position $n = {n}$, "
        rf"$\theta = {theta}$ rad. What is the dot product of the rotated vectors? Give three decimals.",
        answer,
        slips,
        [
            r"Only the offset counts: the score is $q^\top R((n - m)\theta) k$.",
            rf"The angle is $({n} - {m}) \cdot {theta} = {short(angle)}$ rad.",
            rf"$q \cdot k = {dot}$ and $q_2 k_1 - q_1 k_2 = {cross}$.",
            rf"${dot} \cos({short(angle)}) + {signed(cross)} \sin({short(angle)}) = {decimal(answer, 3)}$.",
        ],
        tolerance=2e-3,
    )


def _partner(drawn: Mapping[str, Any], source: Random) -> Problem:  # noqa: ARG001
    dim, coordinate, layout = drawn["dim"], drawn["coordinate"], drawn["layout"]
    if coordinate >= dim:
        raise Unsuitable
    half = (coordinate + dim // 2) % dim
    neighbour = coordinate + 1 if coordinate % 2 == 0 else coordinate - 1
    answer, other = (half, neighbour) if layout == "half-split" else (neighbour, half)
    rule = (
        f"Half-split pairs coordinate i with i + d/2, and d/2 = {dim // 2}."
        if layout == "half-split"
        else "Interleaved pairs coordinate 2i with 2i + 1."
    )
    slips = [
        (other, "That is the partner in the other layout."),
        (dim - 1 - coordinate, "The halves are not mirrored."),
        (
            coordinate + 1,
            "The next coordinate is the partner only of an even one, and only when interleaved.",
        ),
        (coordinate, "A rotation needs two coordinates."),
    ]
    return number(
        f"RoPE on a head of $d = {dim}$ in the {layout} layout: which coordinate is rotated together with "
        f"coordinate {coordinate}? Coordinates count from 0.",
        answer,
        slips,
        [rule, f"Coordinate {coordinate} goes with {answer}."],
    )


GENERATORS = (
    Generator(
        "rope-rotate",
        "Rotate a query of four coordinates",
        {
            "pos": Parameter("the position", "1:20", least=1, most=100_000),
            "base": Parameter("the base", [100, 10000], least=2, most=100_000_000),
            "layout": Parameter("how coordinates are paired", list(_LAYOUTS), words=_LAYOUTS),
        },
        _rotate,
    ),
    Generator(
        "rope-score",
        "The relative score of one pair",
        {
            "query_pos": Parameter("the query's position", "0:12", most=100_000),
            "key_pos": Parameter("the key's position", "0:12", most=100_000),
            "theta": Parameter("radians a position", [0.1, 0.25, 0.5, 1.0], least=1e-6, most=4, real=True),
        },
        _score,
    ),
    Generator(
        "rope-partner",
        "Which coordinate is rotated with which",
        {
            "dim": Parameter("the dimension of a head", [8, 16, 64, 128], least=8, most=4096, even=True),
            "coordinate": Parameter("the coordinate, from 0", "0:64", most=4095),
            "layout": Parameter("how coordinates are paired", list(_LAYOUTS), words=_LAYOUTS),
        },
        _partner,
    ),
)
