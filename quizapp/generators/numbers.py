"""Problems on 16-bit positions."""

from __future__ import annotations

import math
from collections.abc import Mapping
from random import Random
from typing import Any

from quizapp.encodings import claims
from quizapp.generators.generator import Generator
from quizapp.generators.problem import Problem, Unsuitable, number
from quizapp.generators.ranges import Parameter

_FORMATS = {"bfloat16": 8, "float16": 11}


def _rounded(drawn: Mapping[str, Any], source: Random) -> Problem:  # noqa: ARG001
    position, name = drawn["pos"], drawn["format"]
    bits = _FORMATS[name]
    step = 2 ** max(0, math.floor(math.log2(position)) + 1 - bits)
    function = claims.bfloat16 if name == "bfloat16" else claims.float16
    answer = function(position)
    if step == 1 or answer == position or not math.isfinite(answer):
        raise Unsuitable
    down = position // step * step
    other = "float16" if name == "bfloat16" else "bfloat16"
    slips = [
        (position, f"{name} has {bits} significant bits: beyond {2**bits} not every whole number exists."),
        (
            down if answer != down else down + step,
            "Rounded the wrong way: to nearest, ties to the even multiple.",
        ),
        (
            claims.float16(position) if name == "bfloat16" else claims.bfloat16(position),
            f"This is what {other} makes of it.",
        ),
        (position // (2 * step) * 2 * step, "The grid is twice as fine here."),
    ]
    return number(
        f"Position {position} is stored in {name}. Which number is kept?",
        answer,
        slips,
        [
            f"{name} has {bits} significant bits, so between powers of two its numbers are {step} apart "
            "here.",
            f"The neighbours of {position} are {down} and {down + step}.",
            f"To nearest, a tie to the even multiple of {step}: {answer:.0f}.",
        ],
    )


GENERATORS = (
    Generator(
        "rounded-position",
        "A position in 16 bits",
        {
            "pos": Parameter("the position", "257:9000", least=257, most=65000),
            "format": Parameter("the number format", ["bfloat16", "float16"], words=tuple(_FORMATS)),
        },
        _rounded,
    ),
)
