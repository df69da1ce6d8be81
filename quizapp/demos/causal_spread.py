"""The spread of the uniform head's mean by simulation, and how far one row tells its position."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache

import numpy as np

from quizapp.demos.causal_mask import CAUSAL, NONE, SAY
from quizapp.demos.model import Choice, Control, Curve, Curves, Number, Reading, Value, View
from quizapp.demos.wording import counted, fixed
from quizapp.encodings.frequencies import Array
from quizapp.encodings.uniform_head import (
    counted_from_norm,
    drawn_values,
    expected_spread,
    keys_seen,
    mean_rows,
    spread,
    uniform_means,
)

TEXTS = ("100", "400", "1600")
LONGEST = 256
COUNTS = tuple(str(2**power) for power in range(11))
DIMS = ("16", "64", "256")
ROW_TEXTS = 200

_WHY = (
    "The variance of a mean of i + 1 values is σ²/(i + 1) only if they are uncorrelated and have mean 0; the "
    "spread is the standard deviation, σ/√(i + 1). It holds at random initialisation and was found after "
    "training too (Chi et al. 2023). The simulation draws standard normal values, one a token, and takes the "
    "mean that a head with equal scores returns; with t texts the measured spread itself scatters by about "
    "1/√(2t)."
)
_WHY_ROW = (
    "One head returns a row of d numbers, not the spread over many texts. Its squared length is on average d/(i "
    "+ 1), so d/|row|² estimates the count of keys, with a relative scatter of about √(2/d). That tells 10 from "
    "1000, not 64 from 65: a scale leaks, not a coordinate. A wider row or several heads help; values that are "
    "alike spoil it."
)


def controls() -> tuple[Control, ...]:
    return (
        Number("place", "position i", 0, LONGEST - 1, 15, leap=16),
        Choice("texts", "texts", TEXTS, "400"),
        Choice("mask", "mask", (CAUSAL, NONE), CAUSAL),
        Number("seed", "seed", 0, 99, 0),
    )


def row_controls() -> tuple[Control, ...]:
    return (
        Choice("count", "keys seen", COUNTS, "64"),
        Choice("dim", "width d", DIMS, "64"),
        Number("seed", "seed", 0, 99, 0),
    )


@lru_cache(maxsize=32)
def measured(texts: int, seed: int, causal: bool) -> Array:
    """The spread at every position over so many drawn texts; shape (LONGEST,)."""
    found = spread(uniform_means(drawn_values(texts, LONGEST, seed), causal=causal))
    return np.broadcast_to(found, (LONGEST,))


def view(values: Mapping[str, Value]) -> View:
    """Measured against 1/sqrt(i + 1)."""
    place, texts, seed = int(values["place"]), int(values["texts"]), int(values["seed"])
    causal = str(values["mask"]) == CAUSAL
    found, law = measured(texts, seed, causal), expected_spread(LONGEST, causal=causal)
    counts = keys_seen(LONGEST)
    name = "1/√(i + 1)" if causal else f"1/√{LONGEST}"
    picture = Curves(
        f"spread of the mean over {texts} texts",
        (
            Curve("measured", counts.tolist(), found.tolist()),
            Curve(name, counts.tolist(), law.tolist()),
            Curve("here", [place + 1], [float(found[place])]),
        ),
        "i + 1",
        "spread",
        log_x=True,
    )
    worst = float(np.abs(found / law - 1).max())
    here, there = float(found[place]), float(law[place])
    readings = (
        Reading(f"measured at {place}", here, fixed(here)),
        Reading(name, there, fixed(there)),
        Reading("farthest apart", worst, f"{100 * worst:.1f} %"),
    )
    if causal:
        see = (
            f"The mean of {counted(place + 1, 'value')} spreads by {fixed(here, 3)}, by the law {fixed(there, 3)}; "
            f"over {LONGEST} places the curves part by at most {100 * worst:.0f} %."
        )
        say = SAY
    else:
        see = f"Without the mask the spread is {fixed(here, 3)} at every place: nothing leaks."
        say = "Both ways each query averages the same keys, so no place is unlike another: encoders need encodings."
    lines = (
        f"{texts} texts of {LONGEST} values drawn with seed {seed}; {'causal mask' if causal else 'no mask'}.",
        *(
            f"Position {at}: measured {fixed(found[at])}, {name} = {fixed(law[at])}."
            for at in sorted({0, 1, 3, 7, 15, 31, 63, 127, 255, place})
        ),
        f"Farthest apart: {100 * worst:.1f} %.",
    )
    return View((picture,), readings, see, say, _WHY, lines)


@lru_cache(maxsize=32)
def guesses(dim: int, seed: int) -> Array:
    """The 10th, 50th and 90th percentile of the estimated count at each of COUNTS; shape (counts, 3)."""
    places = np.array([int(count) for count in COUNTS]) - 1
    found = counted_from_norm(mean_rows(places, dim, ROW_TEXTS, seed))
    return np.asarray(np.percentile(found, [10, 50, 90], axis=1).T)


def one_row(values: Mapping[str, Value]) -> View:
    """What one row's length says about how many keys it is a mean of."""
    count, dim, seed = int(values["count"]), int(values["dim"]), int(values["seed"])
    found = guesses(dim, seed)
    low, middle, high = (float(value) for value in found[COUNTS.index(str(count))])
    truth = np.array([float(each) for each in COUNTS])
    picture = Curves(
        "estimate over the true count",
        (
            *(
                Curve(name, truth.tolist(), (found[:, column] / truth).tolist())
                for column, name in enumerate(("10 %", "median", "90 %"))
            ),
            Curve("here", [count], [middle / count]),
        ),
        "keys seen",
        "ratio",
        log_x=True,
    )
    readings = (
        Reading("true count", count, str(count)),
        Reading("10 % of rows below", low, _round(low)),
        Reading("median", middle, _round(middle)),
        Reading("10 % of rows above", high, _round(high)),
    )
    see = (
        f"From the length of one row of {dim} numbers, {count} {'key looks' if count == 1 else 'keys look'} like "
        f"{_round(low)} to {_round(high)} in eight texts of ten: a scale, not a coordinate."
    )
    say = (
        "One row tells its place only roughly: its length says about how many keys were averaged. The signal of a "
        "mask alone is real but noisy, one reason why most layers get an encoding."
    )
    lines = (
        f"{ROW_TEXTS} drawn texts, rows of {dim} numbers, seed {seed}; estimate d/|row|².",
        *(
            f"{each} seen: 10 % below {_round(row[0])}, median {_round(row[1])}, 10 % above {_round(row[2])}."
            for each, row in zip(COUNTS, found.tolist(), strict=True)
        ),
    )
    return View((picture,), readings, see, say, _WHY_ROW, lines)


def _round(value: float) -> str:
    return fixed(value, 0 if value >= 20 else 1 if value >= 2 else 2)
