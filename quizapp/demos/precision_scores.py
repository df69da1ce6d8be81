"""One offset at growing positions: in double precision its score stays, in short floats it wanders."""

from __future__ import annotations

import math
from collections.abc import Mapping
from functools import lru_cache

import numpy as np

from quizapp.demos.here import upright
from quizapp.demos.model import Choice, Control, Curve, Curves, Number, Reading, Value, View
from quizapp.demos.precision_angles import DIM, EVERYTHING, ROUNDED
from quizapp.demos.rope_pairs import BASES
from quizapp.demos.wording import listed
from quizapp.encodings import precision
from quizapp.encodings.frequencies import inverse_frequencies

FARTHEST = 65536
NAMES = ("float64", "float32", "float16", "bfloat16")


def controls() -> tuple[Control, ...]:
    return (
        Number("offset", "offset n - m", 0, 64, 5, leap=8),
        Number("shift", "query at m", 0, FARTHEST, 4000, leap=1000),
        Choice("rounded", "rounded", tuple(ROUNDED), EVERYTHING),
        Choice("base", "base b", tuple(BASES), "10,000"),
    )


def view(values: Mapping[str, Value]) -> View:
    offset, shift = int(values["offset"]), int(values["shift"])
    upto, base = ROUNDED[str(values["rounded"])], BASES[str(values["base"])]
    turning = inverse_frequencies(DIM, base)
    here = {
        name: float(precision.rounded_mean_cosine(shift, shift + offset, turning, name, upto)[0])
        for name in NAMES
    }
    start = float(precision.rounded_mean_cosine(0, offset, turning, "float64")[0])
    lines = [Curve(name, *_wandering(name, offset, upto, base)) for name in NAMES]
    if shift:
        lines.append(upright(shift, lines))
    return View(
        pictures=(
            Curves(
                f"mean cosine at offset {offset}, q = k",
                tuple(lines),
                "query position m",
                "score / d",
                log_x=True,
            ),
        ),
        readings=(
            *(Reading(name, here[name], _number(here[name])) for name in NAMES),
            Reading("at m = 0, exact", start, f"{start:z.4f}"),
        ),
        see=_see(offset, shift, upto, here),
        say=(
            "RoPE's score depends on the offset alone only as long as positions and angles are exact "
            "enough. In bfloat16 the same offset scores differently from place to place: the relative "
            "property is gone."
        ),
        why=(
            "The rotations cancel because (m + s)θ and (n + s)θ differ by (n - m)θ. If each angle is "
            "rounded on its own, their difference is not the rounded difference, and the larger the angles, "
            "the larger what is left. With the frequency alone rounded the offset's angle is merely that of "
            "another frequency: the score is off, but the same everywhere. Rounding positions or angles is "
            "what breaks the property. q = k, all pairs of one norm, cosines and sums in double precision."
        ),
        words=(
            f"Offset {offset}, head of {DIM}, base {base:,.0f}. In double precision the mean cosine is "
            f"{start:z.4f} wherever the query stands.",
            *(
                f"Query at {place:,}: "
                + ", ".join(
                    f"{name} "
                    f"{_number(float(precision.rounded_mean_cosine(place, place + offset, turning, name, upto)[0]))}"
                    for name in NAMES
                )
                + "."
                for place in sorted({0, 100, 300, 1000, 4000, 30000, FARTHEST, shift})
            ),
        ),
    )


def _see(offset: int, shift: int, upto: str, here: Mapping[str, float]) -> str:
    told = ", ".join(f"{name} {_number(here[name], 3)}" for name in NAMES)
    one = [
        name
        for name in NAMES
        if upto != precision.PARTS[0]
        and offset
        and precision.to_format(shift, name) == precision.to_format(shift + offset, name)
    ]
    end = f"Query and key are one position in {listed(one)}." if one else "Double precision stays flat."
    return f"Offset {offset} with the query at {shift:,}: {told}. {end}"


def _number(value: float, digits: int = 4) -> str:
    return f"{value:z.{digits}f}" if math.isfinite(value) else "no number"


@lru_cache(maxsize=64)
def _wandering(name: str, offset: int, upto: str, base: float) -> tuple[list[float], list[float]]:
    x = np.unique(np.round(np.geomspace(1, FARTHEST, 60)))
    turning = inverse_frequencies(DIM, base)
    return x.tolist(), precision.rounded_mean_cosine(x, x + offset, turning, name, upto).tolist()
