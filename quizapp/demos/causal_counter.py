"""Where the law of the spread does not hold, and where a decoder can count exactly."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache

import numpy as np

from quizapp.demos.model import Choice, Control, Curve, Curves, Number, Reading, Value, View
from quizapp.demos.wording import fixed
from quizapp.encodings.frequencies import Array
from quizapp.encodings.stack import layer_norm
from quizapp.encodings.uniform_head import (
    drawn_values,
    expected_spread,
    keys_seen,
    marker_counts,
    spread,
    uniform_means,
)

LENGTH, TEXTS, DIM = 64, 400, 64
SHARED = 0.3
INDEPENDENT, IDENTICAL, ALIKE = "independent", "identical tokens", "tokens alike"
NORMED, RESIDUAL, MARKER = "LayerNorm", "residual", "start token"

# What is measured, and what to say about it.
CASES = {
    INDEPENDENT: ("spread of the mean", "Independent values of mean 0: here the law 1/√(i + 1) holds."),
    IDENTICAL: (
        "spread of the mean",
        "Identical tokens leak nothing: a mean of equal values is that value, anywhere.",
    ),
    ALIKE: (
        "spread of the mean",
        f"Tokens that correlate by {SHARED} stop leaking: the spread levels off at √{SHARED} = 0.55.",
    ),
    NORMED: (
        "size of LayerNorm(mean)",
        "A LayerNorm of the mean alone makes every row as long as every other: the scale is gone.",
    ),
    RESIDUAL: (
        "change of LayerNorm(x) by the mean",
        "Added to the token first, the mean still counts: a small mean changes the LayerNorm little, so the "
        "scale stays.",
    ),
    MARKER: (
        "value returned",
        "A head that puts a value on the start token alone counts exactly: it returns 1/(i + 1), without noise.",
    ),
}
_WHY = (
    "The law needs uncorrelated values of mean 0. Text is not so: words repeat, and values share a mean. With "
    "correlation ρ the variance of the mean is ρ + (1 - ρ)/(i + 1), which stops at ρ. A LayerNorm directly "
    "behind the mean divides its length out; in a transformer the residual stream x + mean comes between, and "
    "the length of the mean against that of x remains. A start token gives more: equal scores and a value that "
    "only the start token has return 1/(i + 1), an exact counter (Kazemnejad et al. 2023 build absolute "
    "positions from it)."
)


def controls(values: Mapping[str, Value]) -> tuple[Control, ...]:
    case = Choice("case", "values", tuple(CASES), IDENTICAL)
    place = Number("at", "position i", 0, LENGTH - 1, 15, leap=8)
    # A marker is counted, not drawn.
    return (case, place) if values.get("case") == MARKER else (case, place, Number("seed", "seed", 0, 99, 0))


@lru_cache(maxsize=64)
def curve(case: str, seed: int) -> Array:
    """What is measured at each position; shape (LENGTH,)."""
    if case == MARKER:
        return marker_counts(LENGTH)
    if case in (NORMED, RESIDUAL):
        # One value of each of DIM texts is one row of DIM numbers.
        rows = drawn_values(DIM, LENGTH, seed)[:, :, 0].T
        means = uniform_means(rows)
        shown = layer_norm(means) if case == NORMED else layer_norm(rows + means) - layer_norm(rows)
        return np.asarray(np.sqrt((shown**2).mean(axis=1)))
    shared = {INDEPENDENT: 0.0, IDENTICAL: 1.0, ALIKE: SHARED}[case]
    return spread(uniform_means(drawn_values(TEXTS, LENGTH, seed, shared)))


def view(values: Mapping[str, Value]) -> View:
    case, place = str(values["case"]), int(values["at"])
    seed = 0 if case == MARKER else int(values["seed"])
    found, law = curve(case, seed), expected_spread(LENGTH)
    what, see = CASES[case]
    if case == RESIDUAL and place == 0:
        see = "At position 0 the mean is the token itself, so adding it changes no direction. Move on to see the scale."
    counts = keys_seen(LENGTH).tolist()
    picture = Curves(
        what,
        (
            Curve(case, counts, found.tolist()),
            Curve("1/√(i + 1)", counts, law.tolist()),
            Curve("here", [place + 1], [float(found[place])]),
        ),
        "i + 1",
        "",
        log_x=True,
    )
    here, there, last = float(found[place]), float(law[place]), float(found[-1])
    readings = (
        Reading(f"measured at {place}", here, fixed(here)),
        Reading("1/√(i + 1)", there, fixed(there)),
        Reading(f"measured at {LENGTH - 1}", last, fixed(last)),
    )
    say = (
        "The leak is no theorem about text: identical tokens leak nothing, a pure LayerNorm removes the scale, the "
        "residual keeps it, and a start token gives an exact counter."
    )
    drawn = "nothing is drawn" if case == MARKER else f"seed {seed}"
    lines = (
        f"{what[0].upper()}{what[1:]}, {case}; {drawn}.",
        *(
            f"Position {at}: {fixed(found[at])}; 1/√(i + 1) = {fixed(law[at])}."
            for at in sorted({0, 1, 3, 7, 15, 31, 63, place})
        ),
    )
    return View((picture,), readings, see, say, _WHY, lines)
