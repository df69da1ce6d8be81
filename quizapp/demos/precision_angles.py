"""Angles in short floats against double precision: the worst pair as the position grows, and pair by pair."""

from __future__ import annotations

import math
from collections.abc import Mapping
from functools import lru_cache

import numpy as np

from quizapp.demos.here import upright
from quizapp.demos.model import Bar, Bars, Choice, Control, Curve, Curves, Number, Reading, Value, View
from quizapp.demos.rope_pairs import BASES, sample
from quizapp.encodings import precision
from quizapp.encodings.frequencies import Array, inverse_frequencies

DIM = 128
FARTHEST = 131072
SHORT = ("bfloat16", "float16", "float32")
# The words on screen for what is rounded, in the order of ``precision.PARTS``.
ROUNDED = dict(zip(("frequency", "+ position", "+ product"), precision.PARTS, strict=True))
EVERYTHING = "+ product"

_WHY = (
    "A rounded frequency is off by a share of itself, at most 2^-8 in bfloat16, 2^-11 in float16 and 2^-24 "
    "in float32 (float16 keeps fewer bits below 6e-5, where a large base puts slow pairs), so its angle is "
    "off by that share of the angle: the error grows with the position, most in the fast pairs. Rounding "
    "the position and the product adds up to the same share each. An error of π is the opposite direction: "
    "nothing is left. Position 0 is exact, so a test with one token sees nothing. In float32 an angle near "
    "131,000 is off by thousandths of a radian. Compute angles in float32 or double, and round the cosines "
    "after that, if at all; automatic mixed precision must be switched off around them."
)


def curve_controls() -> tuple[Control, ...]:
    return (
        Number("position", "position", 0, FARTHEST, 4095, leap=1000),
        Choice("rounded", "rounded", tuple(ROUNDED), EVERYTHING),
        Choice("base", "base b", tuple(BASES), "10,000"),
    )


def pair_controls() -> tuple[Control, ...]:
    return (Choice("format", "format", SHORT, "bfloat16"), *curve_controls())


def curves(values: Mapping[str, Value]) -> View:
    position, upto = int(values["position"]), ROUNDED[str(values["rounded"])]
    base = BASES[str(values["base"])]
    turning = inverse_frequencies(DIM, base)
    worst = {name: _worst(precision.phase_errors(position, turning, name, upto)) for name in SHORT}
    grown = {name: _grown(name, upto, base) for name in SHORT}
    lines = [Curve(name, *_drawn(*grown[name])) for name in SHORT]
    if position:
        lines.append(upright(position, lines))
    return View(
        pictures=(
            Curves(
                "largest angle error of a head so far",
                tuple(lines),
                "position",
                "log10 rad (π: 0.5)",
                log_x=True,
            ),
        ),
        readings=tuple(Reading(f"{name} here", worst[name], radians(worst[name])) for name in SHORT),
        see=_see(position, worst),
        say=(
            "An angle is position times frequency, so a relative error of the format becomes an absolute "
            "one that grows with the position. In bfloat16 RoPE's fast pairs point anywhere after a few "
            "thousand tokens."
        ),
        why=_WHY,
        words=(
            f"Head of {DIM}, base {base:,.0f}; rounded: {_parts(upto)}. Errors against double precision, on "
            f"the circle, of the worst of {DIM // 2} pairs.",
            *(f"At position {position:,} in {name}: {radians(worst[name])}." for name in SHORT),
            *(
                f"Largest in {name} up to {place:,}: "
                f"{radians(max((error for x, error in zip(*grown[name], strict=True) if x <= place), default=0.0))}."
                for place in (100, 1000, 10000, FARTHEST)
                for name in SHORT
            ),
        ),
    )


def _see(position: int, worst: Mapping[str, float]) -> str:
    if position == 0:
        return "At position 0 every angle is 0 and exact, in every format. The errors begin after it."
    told = ", ".join(f"{name} {radians(worst[name])}" for name in SHORT)
    return f"At position {position:,} the worst of {DIM // 2} pairs is off by: {told}. π is the opposite direction."


def pairs(values: Mapping[str, Value]) -> View:
    name, position = str(values["format"]), int(values["position"])
    upto, base = ROUNDED[str(values["rounded"])], BASES[str(values["base"])]
    turning = inverse_frequencies(DIM, base)
    off = precision.phase_errors(position, turning, name, upto)[0]
    exact = position * turning
    rounded = precision.rounded_angles(position, turning, name, upto)[0]
    bad = int(np.count_nonzero(~(off < 0.1)))
    bars = tuple(
        Bar(f"pair {pair}", float(off[pair]), radians(float(off[pair])), "worst" if pair == _at(off) else "")
        for pair in range(turning.size)
    )
    return View(
        pictures=(Bars(f"angle error in rad, {name}", bars, 0.0, math.pi),),
        readings=(
            Reading("worst", _worst(off[None, :]), radians(_worst(off[None, :]))),
            Reading("more than 0.1 rad", bad, f"{bad} of {off.size}"),
            Reading("significant bits", precision.FORMATS[name], str(precision.FORMATS[name])),
        ),
        see=_see_pairs(name, position, off, bad),
        say=(
            "The fast pairs go first: their angles are the largest numbers, and a format keeps digits, not "
            "places. The slow pairs stay right far longer."
        ),
        why=_WHY,
        words=(
            f"Head of {DIM}, base {base:,.0f}, position {position:,}, {name}; rounded: {_parts(upto)}.",
            *(
                f"Pair {pair}: angle {exact[pair]:.6g} rad, "
                + (
                    f"in {name} {rounded[pair]:.6g}, off by {radians(float(off[pair]))} on the circle."
                    if math.isfinite(off[pair])
                    else f"infinite in {name}, so there is no error to measure."
                )
                for pair in sample(off.size)
            ),
        ),
    )


def _see_pairs(name: str, position: int, off: Array, bad: int) -> str:
    if not np.isfinite(off).all():
        return f"{name} cannot hold {position:,}: it becomes infinite, and an infinite angle has no cosine."
    if float(off.max()) == 0.0:
        return f"At position {position:,} in {name} every angle is exact."
    return (
        f"At position {position:,} in {name}, {bad} of {off.size} pairs {'is' if bad == 1 else 'are'} off by "
        f"more than 0.1 rad; the worst is pair {_at(off)}, by {radians(float(off.max()))}."
    )


def radians(value: float) -> str:
    if not math.isfinite(value):
        return "no number"
    if value == 0:
        return "0 rad"
    return f"{value:.3f} rad" if value >= 0.01 else f"{value:.1e} rad"


def _parts(upto: str) -> str:
    return {"frequency": "the frequency", "position": "frequency and position"}.get(
        upto, "frequency, position and their product"
    )


def _worst(off: Array) -> float:
    """The largest error; not a number where an angle is none."""
    return float(off.max())


def _at(off: Array) -> int:
    return int(np.argmax(off)) if np.isfinite(off).all() else -1


@lru_cache(maxsize=64)
def _grown(name: str, upto: str, base: float) -> tuple[list[float], list[float]]:
    """Positions, and the largest error of a pair at any of those up to there; not a number once one is infinite."""
    x = np.unique(np.round(np.geomspace(1, FARTHEST, 160)))
    found = precision.phase_errors(x, inverse_frequencies(DIM, base), name, upto).max(axis=1)
    return x.tolist(), np.maximum.accumulate(found).tolist()


def _drawn(x: list[float], errors: list[float]) -> tuple[list[float], list[float]]:
    """As logarithms; nothing is drawn where there is no error, or no number."""
    return x, [math.log10(error) if error > 0.0 else math.nan for error in errors]
