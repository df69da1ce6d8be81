"""Problems on stretching the context."""

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

_FACTOR = Parameter(
    "wanted length over trained length", [2, 4, 8, 16, 32], least=1.01, most=100_000, real=True
)
_DIM = Parameter("the dimension of a head", [64, 96, 128], least=4, most=4096, even=True)
_BASE = Parameter("the base", [10000, 500000], least=2, most=10**9)
_PLACES = ("cosines and sines", "attention scores")


def _ntk_base(drawn: Mapping[str, Any], source: Random) -> Problem:  # noqa: ARG001
    dim, base, factor = drawn["dim"], drawn["base"], drawn["factor"]
    answer = claims.ntk_base(base, factor, dim)
    slips = [
        (base * factor, "Close, but the last pair would not reach 1/s: the exponent is d/(d - 2)."),
        (base * factor ** ((dim - 2) / dim), "The exponent is upside down."),
        (base * factor**2, "The exponent is d/(d - 2), hardly above 1."),
        (base ** (dim / (dim - 2)) * factor, "The power is on the factor, not on the base."),
        (base / factor, "A longer context needs slower pairs: a larger base."),
    ]
    return number(
        f"NTK-aware scaling stretches the context {factor} times: head dimension {dim}, base {base}. What "
        "is the new base? Give five significant digits.",
        answer,
        slips,
        [
            r"Pair 0 shall keep its frequency, the last pair's be divided by exactly $s$: $b' = b\, "
            r"s^{d/(d-2)}$.",
            rf"$d/(d-2) = {dim}/{dim - 2} = {dim / (dim - 2):.6f}$.",
            rf"${base} \cdot {factor}^{{{dim / (dim - 2):.6f}}} = {short(answer, 6)}$.",
        ],
        tolerance=answer * 2e-4,
    )


def _interpolated(drawn: Mapping[str, Any], source: Random) -> Problem:  # noqa: ARG001
    dim, factor, pair, pos = drawn["dim"], drawn["factor"], drawn["pair"], drawn["pos"]
    if pair >= dim // 2:
        raise Unsuitable
    frequency = claims.rope_inv_freq(dim, 10000)[pair]
    answer = pos * claims.linear_inv_freq(dim, 10000, factor)[pair]
    slips = [
        (pos * frequency, "This is the angle without interpolation."),
        (pos * frequency * factor, "Interpolation squeezes positions together: divide by s."),
        (
            pos * claims.ntk_inv_freq(dim, 10000, factor)[pair],
            "This is NTK-aware scaling, which treats pairs unequally.",
        ),
        (pos * 10000 ** (-pair / dim) / factor, "The exponent is 2i/d; this used i/d."),
    ]
    return number(
        f"Position interpolation with $s = {factor}$ on head dimension {dim}, base 10000: by what angle is "
        f"pair {pair} turned at position {pos}? Three significant digits, in radians.",
        answer,
        slips,
        [
            f"The position becomes ${pos}/{factor} = {short(pos / factor)}$.",
            rf"The pair's frequency stays $10000^{{-{2 * pair}/{dim}}} = {short(frequency)}$.",
            rf"The angle is ${short(pos / factor)} \cdot {short(frequency)} = {short(answer)}$ rad.",
        ],
        tolerance=answer * 0.006,
        unit="rad",
    )


def _temperature(drawn: Mapping[str, Any], source: Random) -> Problem:  # noqa: ARG001
    factor, place = drawn["factor"], drawn["place"]
    root = claims.yarn_attention_factor(factor)
    on_scores = place == "attention scores"
    answer = root * root if on_scores else root
    slips = [
        (
            root if on_scores else root * root,
            "Cosines and sines of both q and k carry it, so scores get its square.",
        ),
        (0.1 * math.log(factor), "The 1 is missing: at s = 1 nothing changes."),
        (0.1 * math.log2(factor) + 1, "The logarithm is natural, not to base 2."),
        (0.1 * math.log10(factor) + 1, "The logarithm is natural, not to base 10."),
        (1 / answer, "Attention is sharpened: the factor is above 1."),
    ]
    return number(
        f"YaRN stretches a context {factor} times. By what does it multiply the {place}? Three decimals.",
        answer,
        slips,
        [
            rf"$\sqrt{{1/t}} = 0.1 \ln s + 1 = 0.1 \cdot {short(math.log(factor))} + 1 = {decimal(root)}$, "
            "on cosines and sines.",
            "A rotated query meets a rotated key, so a score is multiplied by its square"
            + (rf": ${decimal(root)}^2 = {decimal(answer)}$." if on_scores else "; that is not asked here."),
        ],
        tolerance=1e-3,
    )


def _llama3_part(drawn: Mapping[str, Any], source: Random) -> Problem:
    dim, pair, factor, length = drawn["dim"], drawn["pair"], drawn["factor"], drawn["length"]
    base, low, high = 500000, 1, 4
    if pair >= dim // 2:
        raise Unsuitable
    turns = claims.turns(pair, dim, base, length)
    if min(abs(turns - low), abs(turns - high)) < 0.02:
        raise Unsuitable
    fates = {
        "kept": ("It stays as it is.", "That is for fast pairs: 4 turns or more in training."),
        "divided": (f"It is divided by {factor}.", "That is for slow pairs: less than one turn in training."),
        "blended": ("It is blended of both.", "That is for pairs of 1 to 4 turns in training."),
        "multiplied": (
            f"It is multiplied by {factor}.",
            "A longer context needs slower pairs, never faster ones.",
        ),
    }
    fate = "kept" if turns > high else "divided" if turns < low else "blended"
    return choice(
        f"Llama 3.1's scaling (base {base}, trained on {length} positions, factor {factor}, low 1, high 4) "
        f"on head dimension {dim}: what happens to the frequency of pair {pair}?",
        (fates[fate][0], f"The pair makes {short(turns, 3)} turns in {length} positions."),
        [text for name, text in fates.items() if name != fate],
        [
            rf"$\lambda = 2\pi \cdot {base}^{{{2 * pair}/{dim}}} = "
            f"{short(claims.wavelength(pair, dim, base))}$ positions.",
            rf"In {length} positions that is $r = {short(turns, 4)}$ turns.",
            "More than 4 turns: kept. Fewer than 1: divided by the factor. Between: blended, linear in r.",
        ],
        [source.random() for _ in fates],
    )


GENERATORS = (
    Generator(
        "ntk-base",
        "The new base of NTK-aware scaling",
        {"dim": _DIM, "base": _BASE, "factor": _FACTOR},
        _ntk_base,
    ),
    Generator(
        "interpolated-angle",
        "An angle under position interpolation",
        {
            "dim": _DIM,
            "factor": _FACTOR,
            "pair": Parameter("the pair, from 0", "0:20", most=2047),
            "pos": Parameter("the position", [1000, 5000, 10000, 30000], least=1, most=10**9),
        },
        _interpolated,
    ),
    Generator(
        "yarn-temperature",
        "YaRN's factor on attention",
        {"factor": _FACTOR, "place": Parameter("where the factor is", list(_PLACES), words=_PLACES)},
        _temperature,
    ),
    Generator(
        "llama3-part",
        "What Llama 3.1 does to a pair",
        {
            "dim": Parameter("the dimension of a head", [64, 128], least=4, most=4096, even=True),
            "pair": Parameter("the pair, from 0", "0:64", most=2047),
            "factor": Parameter("the factor", [8, 32], least=2, most=100_000),
            "length": Parameter("the trained length", [8192], least=8, most=10**8),
        },
        _llama3_part,
    ),
)
