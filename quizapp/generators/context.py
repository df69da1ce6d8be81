"""Problems on wavelengths, and on which rotary pairs complete a turn in training."""

from __future__ import annotations

import math
from collections.abc import Mapping
from random import Random
from typing import Any

from quizapp.encodings import claims
from quizapp.generators.generator import Generator
from quizapp.generators.problem import Problem, Unsuitable, number
from quizapp.generators.ranges import Parameter
from quizapp.generators.write import short

_DIM = Parameter("the dimension of a head", [64, 80, 96, 128], least=4, most=4096, even=True)
_BASE = Parameter("the base", [10000, 500000, 1000000], least=2, most=10**9)
_PAIR = Parameter("the pair, from 0", "0:64", most=2047)
_LENGTH = Parameter("the trained length", [2048, 4096, 8192, 32768], least=8, most=10**8)


def _wavelength(drawn: Mapping[str, Any], source: Random) -> Problem:  # noqa: ARG001
    dim, base, pair = drawn["dim"], drawn["base"], drawn["pair"]
    if pair >= dim // 2:
        raise Unsuitable
    answer = claims.wavelength(pair, dim, base)
    stretch = base ** (2 * pair / dim)
    slips = [
        (stretch, "This is 1 over the frequency; a full turn is 2 pi radians."),
        (2 * math.pi / stretch, "This is 2 pi times the frequency; the wavelength is 2 pi over it."),
        (2 * math.pi * base ** (pair / dim), "The exponent is 2i/d; this used i/d."),
        (2 * math.pi * base ** (2 * (pair + 1) / dim), "Pairs count from 0; this is the next one."),
        (math.pi * stretch, "A full turn is 2 pi radians, not pi."),
    ]
    return number(
        f"RoPE with head dimension {dim} and base {base}: after how many positions has pair {pair} (from "
        "0) made one full turn? Three significant digits.",
        answer,
        slips,
        [
            rf"The pair turns by $\theta = {base}^{{-{2 * pair}/{dim}}} = {short(1 / stretch)}$ radians a "
            "position.",
            rf"A turn is $2\pi$: $\lambda = 2\pi / \theta = {short(answer)}$ positions.",
        ],
        tolerance=answer * 0.006,
        unit="positions",
    )


def _turns(drawn: Mapping[str, Any], source: Random) -> Problem:  # noqa: ARG001
    dim, base, pair, length = drawn["dim"], drawn["base"], drawn["pair"], drawn["length"]
    if pair >= dim // 2:
        raise Unsuitable
    wavelength = claims.wavelength(pair, dim, base)
    answer = claims.turns(pair, dim, base, length)
    slips = [
        (wavelength / length, "Upside down: turns are length over wavelength."),
        (answer * 2 * math.pi, "This is the angle in radians; a turn is 2 pi."),
        (length / (2 * math.pi * base ** (pair / dim)), "The exponent is 2i/d; this used i/d."),
        (claims.turns(0, dim, base, length), "This is pair 0."),
        (answer * 2, "A full turn is 2 pi radians, not pi."),
    ]
    return number(
        f"Head dimension {dim}, base {base}, trained on {length} positions: how many full turns (with "
        f"fractions) does pair {pair} make? Three significant digits.",
        answer,
        slips,
        [
            rf"$\lambda = 2\pi \cdot {base}^{{{2 * pair}/{dim}}} = {short(wavelength)}$ positions.",
            rf"$r = L / \lambda = {length} / {short(wavelength)} = {short(answer)}$"
            + (", less than one turn." if answer < 1 else "."),
        ],
        tolerance=answer * 0.006,
        unit="turns",
    )


def _first_incomplete(drawn: Mapping[str, Any], source: Random) -> Problem:  # noqa: ARG001
    dim, base, length = drawn["dim"], drawn["base"], drawn["length"]
    pairs = dim // 2
    complete = claims.complete_pairs(dim, base, length)
    if not 0 < complete < pairs:
        raise Unsuitable
    answer = claims.first_incomplete_pair(dim, base, length)
    exact = dim * math.log(length / (2 * math.pi)) / (2 * math.log(base))
    without_pi = math.ceil(dim * math.log(length) / (2 * math.log(base)))
    slips = [
        (answer - 1, "This is the last pair that completes a turn."),
        (answer + 1, "Pairs count from 0."),
        (pairs - answer, "This is how many pairs never complete a turn."),
        (2 * answer, "This is a coordinate; two of them make a pair."),
        (without_pi, "A turn is 2 pi radians: the wavelength is 2 pi over the frequency."),
    ]
    return number(
        f"RoPE with head dimension {dim} and base {base}, trained on {length} positions. Which pair, "
        "counted from 0, is the first that never completes a turn?",
        answer,
        slips,
        [
            rf"Pair $i$ completes a turn if $\lambda_i = 2\pi \cdot {base}^{{2i/{dim}}} \leq {length}$.",
            rf"That is $i \leq \frac{{{dim} \ln({length} / 2\pi)}}{{2 \ln {base}}} = {exact:.3f}$.",
            f"So the first incomplete one is pair {answer}; {pairs - answer} of {pairs} pairs never "
            "complete a turn.",
        ],
    )


GENERATORS = (
    Generator(
        "wavelength", "The wavelength of a pair", {"dim": _DIM, "base": _BASE, "pair": _PAIR}, _wavelength
    ),
    Generator(
        "turns",
        "How often a pair turns in training",
        {"dim": _DIM, "base": _BASE, "pair": _PAIR, "length": _LENGTH},
        _turns,
    ),
    Generator(
        "first-incomplete-pair",
        "The first pair that never completes a turn",
        {"dim": _DIM, "base": _BASE, "length": _LENGTH},
        _first_incomplete,
    ),
)
