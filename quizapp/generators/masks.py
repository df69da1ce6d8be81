"""Problems on what a causal mask alone gives away."""

from __future__ import annotations

import math
from collections.abc import Mapping
from random import Random
from typing import Any

from quizapp.encodings import claims
from quizapp.generators.generator import Generator
from quizapp.generators.problem import Problem, number
from quizapp.generators.ranges import Parameter
from quizapp.generators.write import decimal


def _spread(drawn: Mapping[str, Any], source: Random) -> Problem:  # noqa: ARG001
    index, spread = drawn["index"], drawn["spread"]
    seen = index + 1
    answer = spread * claims.causal_mean_std(index)
    slips = [
        (spread / math.sqrt(index), "Query i sees i + 1 keys: its own too."),
        (spread / seen, "The variance falls with the count; the standard deviation with its root."),
        (spread**2 / seen, "This is the variance; the standard deviation is its root."),
        (spread, "A mean of several is narrower than one of them."),
        (spread * math.sqrt(seen), "This is the spread of the sum; the mean divides it by the count."),
    ]
    return number(
        "A causal head without positions attends uniformly. The values are uncorrelated, of mean 0 and "
        f"standard deviation {spread}. What standard deviation has its output at position {index} (from "
        "0)? Three decimals.",
        answer,
        slips,
        [
            f"The query at position {index} sees ${index} + 1 = {seen}$ keys, each with weight 1/{seen}.",
            rf"Variances add: ${seen} \cdot {spread}^2 / {seen}^2 = {spread}^2 / {seen}$.",
            rf"The root: ${spread} / \sqrt{{{seen}}} = {decimal(answer)}$.",
        ],
        tolerance=1e-3,
    )


def _visible(drawn: Mapping[str, Any], source: Random) -> Problem:  # noqa: ARG001
    length = drawn["length"]
    answer = length * (length + 1) // 2
    return number(
        f"A causal head reads {length} tokens. How many query and key pairs are not masked?",
        answer,
        [
            (length * length, "These are all pairs; the mask hides the keys after each query."),
            (length * (length - 1) // 2, "Each query sees itself too."),
            (length * length // 2, "Half of all pairs leaves out half of the diagonal."),
            (length, "This is the diagonal alone."),
        ],
        [
            "Query i, from 0, sees i + 1 keys: those before it and itself.",
            rf"$1 + 2 + \ldots + {length} = {length} \cdot {length + 1} / 2 = {answer}$.",
        ],
    )


GENERATORS = (
    Generator(
        "causal-spread",
        "The spread of a causal mean",
        {
            "index": Parameter("the position, from 0", "1:100", least=1, most=10**6),
            "spread": Parameter("the values' standard deviation", [1, 2, 3], least=1e-3, most=1e6, real=True),
        },
        _spread,
    ),
    Generator(
        "causal-pairs",
        "Pairs that a causal mask leaves",
        {"length": Parameter("the number of tokens", "3:40", least=3, most=10**6)},
        _visible,
    ),
)
