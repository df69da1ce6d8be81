"""Problems on ALiBi's slopes and bias."""

from __future__ import annotations

from collections.abc import Mapping
from random import Random
from typing import Any

from quizapp.encodings import claims
from quizapp.generators.generator import Generator
from quizapp.generators.problem import Problem, Unsuitable, number
from quizapp.generators.ranges import Parameter
from quizapp.generators.write import short

_HEADS = Parameter("the number of heads", [2, 4, 6, 8, 12, 16, 32], least=1, most=4096)


def _steps(heads: int, head: int, slope: float) -> list[str]:
    below = 1 << (heads.bit_length() - 1)
    if head < below:
        rest = "." if below == heads else f", the first {below} as if there were only those."
        return [
            rf"For a power of two $n$ head $h = 1, 2, \ldots$ gets $2^{{-8h/n}}${rest}",
            rf"Head {head} from 0 is $h = {head + 1}$: $2^{{-8 \cdot {head + 1}/{below}}} = {short(slope)}$.",
        ]
    index = 2 * (head - below) + 1
    return [
        f"{heads} is no power of two: the first {below} heads are those of {below}, the others every other "
        f"slope of {2 * below} heads.",
        rf"Head {head} from 0 takes $h = {index}$ of {2 * below}: $2^{{-8 \cdot {index}/{2 * below}}} = "
        f"{short(slope)}$.",
    ]


def _slope_slips(heads: int, head: int) -> list[tuple[float, str]]:
    slopes = claims.alibi_slopes(heads)
    slips = [(2.0 ** (-8 * head / heads), "The first head has h = 1, not 0.")]
    if heads & (heads - 1):
        slips.append((2.0 ** (-8 * (head + 1) / heads), "The formula in n holds for powers of two only."))
        slips.append((sorted(slopes, reverse=True)[head], "For other head counts the slopes are not sorted."))
    slips.append((2.0 ** (-(head + 1)), "The ratio is 2^(-8/n): a half for 8 heads only."))
    slips.append((2.0 ** (-8 * (head + 2) / heads), "One head too far."))
    return slips


def _slope(drawn: Mapping[str, Any], source: Random) -> Problem:  # noqa: ARG001
    heads, head = drawn["heads"], drawn["head"]
    if head >= heads:
        raise Unsuitable
    slope = claims.alibi_slopes(heads)[head]
    return number(
        f"ALiBi with {heads} heads: what slope has head {head}, counted from 0? Give three significant "
        "digits.",
        slope,
        _slope_slips(heads, head),
        _steps(heads, head, slope),
        tolerance=slope * 0.006,
    )


def _bias(drawn: Mapping[str, Any], source: Random) -> Problem:  # noqa: ARG001
    heads, head, query, key = drawn["heads"], drawn["head"], drawn["query_pos"], drawn["key_pos"]
    if head >= heads or key >= query:
        raise Unsuitable
    slope = claims.alibi_slopes(heads)[head]
    distance = query - key
    answer = claims.alibi_bias(query, key, heads, head)
    slips = [
        (-answer, "The bias is a penalty: it is negative."),
        (-slope * (distance + 1), "The query itself is at distance 0."),
        (-slope * key, "The distance counts, not the key's position."),
        (-slope * (query + key), "The positions are subtracted."),
        *((-distance * wrong, why) for wrong, why in _slope_slips(heads, head)),
    ]
    return number(
        f"ALiBi with {heads} heads, head {head} counted from 0: what is added to the score of the query at "
        f"position {query} and the key at position {key}? Give three significant digits.",
        answer,
        slips,
        [
            *_steps(heads, head, slope),
            rf"The key is {distance} back: $-{short(slope)} \cdot {distance} = {short(answer)}$.",
        ],
        tolerance=abs(answer) * 0.006,
    )


GENERATORS = (
    Generator(
        "alibi-slope",
        "The slope of a head in ALiBi",
        {"heads": _HEADS, "head": Parameter("the head, from 0", "0:32", most=4095)},
        _slope,
    ),
    Generator(
        "alibi-bias",
        "What ALiBi adds to a score",
        {
            "heads": _HEADS,
            "head": Parameter("the head, from 0", "0:16", most=4095),
            "query_pos": Parameter("the query's position", "1:64", least=1, most=1_000_000),
            "key_pos": Parameter("the key's position", "0:63", most=1_000_000),
        },
        _bias,
    ),
)
