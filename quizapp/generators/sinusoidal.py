"""Problems on the sinusoidal encoding."""

from __future__ import annotations

import math
from collections.abc import Mapping
from random import Random
from typing import Any

from quizapp.encodings import claims
from quizapp.generators.generator import Generator
from quizapp.generators.problem import Problem, Unsuitable, choice, number
from quizapp.generators.ranges import Parameter
from quizapp.generators.write import decimal, short

_DIM = Parameter("the dimension of the model", [4, 6, 8, 16], least=2, most=4096, even=True)


def _component(drawn: Mapping[str, Any], source: Random) -> Problem:  # noqa: ARG001
    dim, pos, column = drawn["dim"], drawn["pos"], drawn["column"]
    if column >= dim:
        raise Unsuitable
    pair, odd = divmod(column, 2)
    frequency = claims.sinusoidal_frequency(pair, dim)
    angle = pos * frequency
    answer = claims.sinusoidal(pos, dim)[column]
    wave, other = (math.cos, math.sin) if odd else (math.sin, math.cos)
    name = r"\cos" if odd else r"\sin"
    slips = [
        (other(angle), "Sine stands on even coordinates, cosine on odd ones; this is the other one."),
        (wave(pos * 10000 ** (-pair / dim)), "The exponent is 2i/d for pair i; this used i/d."),
        (
            wave(pos * 10000 ** (-column / dim)),
            "Both coordinates of a pair share 2i; this used the coordinate itself.",
        ),
        (
            claims.sinusoidal(pos, dim, "concatenated")[column],
            "This is the layout with all sines first, then all cosines.",
        ),
        (wave(math.radians(angle)), "The angle is in radians; this took it for degrees."),
        (claims.sinusoidal(pos + 1, dim)[column], "Positions count from 0; this is the next one's row."),
    ]
    return number(
        f"In the paper's sinusoidal encoding (base 10000, sine first in each pair) with $d = {dim}$: what "
        f"is coordinate {column} of the row for position {pos}? Coordinates count from 0. Give four "
        "decimals.",
        answer,
        slips,
        [
            f"Coordinate {column} belongs to pair $i = {pair}$ and is "
            f"{'odd: a cosine' if odd else 'even: a sine'}.",
            rf"The pair turns by $\omega = 10000^{{-{2 * pair}/{dim}}} = {short(frequency)}$ radians a "
            "position.",
            rf"At position {pos} the angle is ${pos} \cdot {short(frequency)} = {short(angle)}$ radians.",
            rf"${name}({short(angle)}) = {decimal(answer)}$.",
        ],
        tolerance=2e-4,
    )


def _dot(drawn: Mapping[str, Any], source: Random) -> Problem:  # noqa: ARG001
    dim, pos, offset = drawn["dim"], drawn["pos"], drawn["offset"]
    frequencies = [claims.sinusoidal_frequency(pair, dim) for pair in range(dim // 2)]
    terms = [math.cos(offset * frequency) for frequency in frequencies]
    answer = claims.pe_dot(pos, offset, dim)
    slips = [
        (answer / (dim // 2), "This is the mean over the pairs; the dot product is their sum."),
        (
            sum(math.cos(pos * frequency) for frequency in frequencies),
            "Only the offset counts; this used the position.",
        ),
        (
            sum(math.sin(offset * frequency) for frequency in frequencies),
            "The sines cancel; what remains is a cosine.",
        ),
        (sum(terms[1:]), "Pair 0 counts too; this left it out."),
        (terms[0], "This is pair 0 alone."),
        (dim / 2, "This is a row with itself: the offset is not zero."),
        (
            sum(math.cos((2 * pos + offset) * frequency) for frequency in frequencies),
            "The angles are subtracted, not added.",
        ),
    ]
    summed = " + ".join(rf"\cos({short(offset * frequency)})" for frequency in frequencies)
    return number(
        f"Two rows of the sinusoidal encoding with $d = {dim}$ (base 10000): positions {pos} and "
        f"{pos + offset}. What is their dot product? Give three decimals.",
        answer,
        slips,
        [
            r"In each pair $\sin a \sin b + \cos a \cos b = \cos(b - a)$, so the position drops out.",
            rf"What remains is $\sum_i \cos(k \omega_i)$ with $k = {offset}$.",
            rf"${summed} = {decimal(answer, 3)}$.",
        ],
        tolerance=2e-3,
    )


def _shift(drawn: Mapping[str, Any], source: Random) -> Problem:
    dim, pair, offset, sine_first = drawn["dim"], drawn["pair"], drawn["offset"], drawn["order"] == "sin, cos"
    if pair >= dim // 2:
        raise Unsuitable
    frequency = claims.sinusoidal_frequency(pair, dim)
    angle = offset * frequency
    cosine, sine = math.cos(angle), math.sin(angle)
    if abs(sine) < 0.05 or abs(cosine) < 0.05 or abs(abs(sine) - abs(cosine)) < 0.01:
        raise Unsuitable
    upper = sine if sine_first else -sine
    row = r"(\sin p\omega, \cos p\omega)" if sine_first else r"(\cos p\omega, \sin p\omega)"
    sign = "minus" if sine_first else "plus"
    return choice(
        rf"Pair {pair} of a sinusoidal encoding with $d = {dim}$ is kept as the column ${row}$, $\omega = "
        f"{short(frequency)}$. Which matrix takes position $p$ to $p + {offset}$, for every $p$?",
        (
            _matrix(cosine, upper, -upper, cosine),
            f"On this order the shift is the rotation by {sign} the angle.",
        ),
        [
            (
                _matrix(cosine, -upper, upper, cosine),
                f"This steps back by {offset}: it belongs to the other order.",
            ),
            (
                _matrix(sine, cosine, -cosine, sine),
                "Sine and cosine are swapped: this does not even keep k = 0 fixed.",
            ),
            (_matrix(cosine, sine, sine, cosine), "Both sines have the same sign: it is no rotation."),
            (
                _matrix(math.cos(offset), math.sin(offset), -math.sin(offset), math.cos(offset)),
                "This turns by k radians; the angle is k times the frequency.",
            ),
        ],
        [
            rf"The angle is $k\omega = {offset} \cdot {short(frequency)} = {short(angle)}$, with cosine "
            f"{decimal(cosine, 3)} and sine {decimal(sine, 3)}.",
            r"$\sin(a + b) = \sin a \cos b + \cos a \sin b$ and $\cos(a + b) = \cos a \cos b - \sin a \sin "
            "b$.",
            f"Read off the rows in the order of ${row}$: ${_entries(cosine, upper, -upper, cosine)}$.",
        ],
        [source.random() for _ in range(5)],
    )


def _entries(a: float, b: float, c: float, d: float) -> str:
    rows = rf"{decimal(a, 3)} & {decimal(b, 3)} \\ {decimal(c, 3)} & {decimal(d, 3)}"
    return rf"\begin{{pmatrix}} {rows} \end{{pmatrix}}"


def _matrix(a: float, b: float, c: float, d: float) -> str:
    return f"${_entries(a, b, c, d)}$"


GENERATORS = (
    Generator(
        "sinusoidal-component",
        "One coordinate of a sinusoidal encoding",
        {
            "dim": _DIM,
            "pos": Parameter("the position", "1:32", most=100_000),
            "column": Parameter("the coordinate, from 0", "0:8", most=4095),
        },
        _component,
    ),
    Generator(
        "sinusoidal-dot",
        "Dot product of two sinusoidal rows",
        {
            "dim": Parameter("the dimension of the model", [4, 6, 8], least=4, most=16, even=True),
            "pos": Parameter("the first position", "1:50", most=100_000),
            "offset": Parameter("how far the second is ahead", "1:20", least=1, most=100_000),
        },
        _dot,
    ),
    Generator(
        "sinusoidal-shift",
        "The matrix that shifts a pair",
        {
            "dim": _DIM,
            "pair": Parameter("the pair, from 0", "0:3", most=2047),
            "offset": Parameter("how far to shift", "1:12", least=1, most=100_000),
            "order": Parameter(
                "which of the two comes first", ["sin, cos", "cos, sin"], words=("sin, cos", "cos, sin")
            ),
        },
        _shift,
    ),
)
