"""RoPE's second step: all pairs of a head at one distance, their sum, and what of its fading is true."""

from __future__ import annotations

import math
from collections.abc import Mapping
from functools import lru_cache

import numpy as np

from quizapp.demos.model import (
    Bar,
    Bars,
    Choice,
    Control,
    Curve,
    Curves,
    Number,
    Reading,
    Value,
    View,
)
from quizapp.demos.wording import significant
from quizapp.encodings import decay, frequencies
from quizapp.encodings.frequencies import Array

FARTHEST = 32768
MOST_WORDS = 12
DIMS = ("8", "16", "64", "128")
BASES = {"10,000": 1e4, "500,000": 5e5, "1,000,000": 1e6}
PAIRS, SUM, RANDOM = "each pair", "sum, q = k", "sum, random q, k"
# A pair with a larger cosine has hardly moved: it stands within a 44th of a turn.
_STILL = 0.99

_CAVEAT = (
    "The sum for q = k is Σ cos(Dθᵢ). Its mean over the pairs goes like (Ci(D) - Ci(D/b)) / ln b as the "
    "pairs grow many, roughly 1 - (ln D + γ) / ln b in between. It falls on the whole but not steadily, and "
    "goes below zero far out. All that is about q parallel to k. One pair alone never fades, it comes round "
    "again. For independent random q and k the mean is 0 and the spread the same at every distance. Barbero "
    "et al. 2025 doubt that fading is why RoPE works: Gemma 7B uses its fastest pairs for heads that look "
    "at a position, its slowest for meaning."
)


def controls() -> tuple[Control, ...]:
    return (
        Number("distance", "distance D", 0, FARTHEST, 10, leap=100),
        Choice("show", "show", (PAIRS, SUM, RANDOM), PAIRS),
        Choice("dim", "head size d", DIMS, "128"),
        Choice("base", "base b", tuple(BASES), "10,000"),
    )


def sample(count: int, most: int = MOST_WORDS) -> list[int]:
    """Indices of at most ``most`` of ``count`` pairs, evenly spread, both ends among them."""
    if count <= most:
        return list(range(count))
    return [round(index * (count - 1) / (most - 1)) for index in range(most)]


def view(values: Mapping[str, Value]) -> View:
    distance, dim, base = int(values["distance"]), int(values["dim"]), BASES[str(values["base"])]
    turning = frequencies.inverse_frequencies(dim, base)
    match values["show"]:
        case "sum, q = k":
            return _sum(distance, dim, base, turning)
        case "sum, random q, k":
            return _random(distance, dim, base, turning)
    return _pairs(distance, turning)


def _pairs(distance: int, turning: Array) -> View:
    waves = frequencies.wavelengths(turning)
    cosines = np.cos(distance * turning)
    made = distance * turning / math.tau
    complete = int(np.count_nonzero(made >= 1.0))
    still = int(np.count_nonzero((cosines > _STILL) & (made < 0.5)))
    marks = {}
    if distance and 0 < complete < turning.size:
        marks[complete - 1] = "round"
    if distance and 0 < still < turning.size:
        marks[turning.size - still] = "still"
    bars = tuple(
        Bar(
            f"pair {pair}",
            float(cosines[pair]),
            f"{cosines[pair]:+z.2f} {_wave(float(waves[pair])):>6} {_turns(float(made[pair])):>5}",
            marks.get(pair, ""),
        )
        for pair in range(turning.size)
    )
    chosen = sample(turning.size)
    mean = float(frequencies.mean_cosine(distance, turning))
    listed = "" if len(chosen) == turning.size else f" {len(chosen)} of them follow."
    return View(
        pictures=(Bars("cos(Dθᵢ), wavelength, turns", bars, -1.0, 1.0),),
        readings=_readings(distance, turning, mean),
        see=_see_pairs(distance, complete, still, turning.size),
        say=(
            "Every pair is a clock of its own speed. The fast ones tell neighbours apart and soon repeat; "
            "the slow ones hardly move between neighbours and tell near from far."
        ),
        why=(
            "Pair i turns by θᵢ = b^(-2i/d) a position and comes round after λᵢ = 2π/θᵢ positions. At "
            "distance D it stands at Dθᵢ, so D and D + λᵢ look the same to it: no pair knows the distance "
            "alone, together they do. RoPE has no parameters; the base is its one knob, and a larger one "
            "slows every pair but the first. " + _CAVEAT
        ),
        words=(
            f"Head size {2 * turning.size}, {turning.size} pairs, distance {distance:,}.{listed}",
            *(
                f"Pair {pair}: wavelength {significant(waves[pair])}, {significant(made[pair])} turns, cosine "
                f"{cosines[pair]:z.4f}."
                for pair in chosen
            ),
            f"The sum of all cosines is {mean * turning.size:z.4f}, their mean {mean:z.4f}.",
        ),
    )


def _see_pairs(distance: int, complete: int, still: int, pairs: int) -> str:
    if distance == 0:
        return "At distance 0 every pair stands still and every cosine is 1: the score is at its largest for q = k."
    went = (
        "no pair has"
        if complete == 0
        else f"{complete} of {pairs} pairs {'has' if complete == 1 else 'have'}"
    )
    unmoved = "none has" if still == 0 else "1 has" if still == 1 else f"{still} have"
    return (
        f"At distance {distance:,}, {went} gone round at least once and {unmoved} hardly moved "
        f"(cosine above {_STILL})."
    )


def _sum(distance: int, dim: int, base: float, turning: Array) -> View:
    x, exact, limit, rises, first = _fading(dim, base)
    here = float(frequencies.mean_cosine(distance, turning))
    smooth = float(decay.mean_cosine_limit(distance, base))
    curves = [Curve(f"{turning.size} pairs", x, exact), Curve("ever more pairs", x, limit)]
    if distance:
        curves.append(Curve("here", [distance], [here]))
    below = (
        f"It is below zero for the first time at D = {first:,}."
        if first is not None
        else f"Up to D = {FARTHEST:,} it is never below zero."
    )
    return View(
        pictures=(Curves("mean of cos(Dθᵢ), q = k", tuple(curves), "distance D", "C(D)", log_x=True),),
        readings=(
            *_readings(distance, turning, here),
            Reading("ever more pairs", smooth, f"{smooth:z.4f}"),
            Reading("rises in 100 steps", rises, str(rises)),
        ),
        see=(
            f"For q = k the mean cosine is {here:z.3f} at distance {distance:,}. Within the first 100 steps "
            f"it rises {_times(rises)}. {below}"
        ),
        say=(
            "For q parallel to k the summed score falls with distance on the whole, though not steadily. "
            "For queries and keys in general nothing falls, so I would not call decay the reason why RoPE "
            "works."
        ),
        why=_CAVEAT,
        words=(
            f"Mean cosine of {turning.size} pairs, base {base:,.0f}, over the distance.",
            *(
                f"At distance {place:,}: {float(frequencies.mean_cosine(place, turning)):z.4f}; "
                f"with ever more pairs {float(decay.mean_cosine_limit(place, base)):z.4f}."
                for place in (1, 10, 100, 1000, 4096, 8192, FARTHEST)
            ),
            f"Here, at distance {distance:,}: {here:z.4f}. {below}",
        ),
    )


def _random(distance: int, dim: int, base: float, turning: Array) -> View:
    x, means, spreads = _draws(dim, base)
    mean, spread = (float(found[0]) for found in decay.random_score_moments(distance, turning))
    curves = [Curve("spread", x, spreads), Curve("mean", x, means)]
    if distance:
        curves.append(Curve("here", [distance], [spread]))
    return View(
        pictures=(
            Curves("random q and k, 200 draws", tuple(curves), "distance D", "score / √d", log_x=True),
        ),
        readings=(
            Reading("mean", mean, f"{mean:z.4f}"),
            Reading("spread", spread, f"{spread:.4f}"),
            Reading("draws", 200, "200"),
            Reading("pairs", turning.size, str(turning.size)),
        ),
        see=(
            f"Random q and k, 200 draws: at distance {distance:,} the mean is {mean:z.2f} and the spread "
            f"{spread:.2f}. In expectation they are 0 and 1 everywhere; nothing fades."
        ),
        say=(
            "A rotation keeps lengths, so for independent random queries and keys the scores are spread "
            "alike at every distance. The fading is a statement about q parallel to k."
        ),
        why=_CAVEAT,
        words=(
            f"200 draws of independent normal q and k of {dim} coordinates; score over the root of {dim}.",
            *(
                f"At distance {int(place):,}: mean {found:z.4f}, spread {width:.4f}."
                for place, found, width in list(zip(x, means, spreads, strict=True))[:: max(1, len(x) // 6)]
            ),
            f"Here, at distance {distance:,}: mean {mean:z.4f}, spread {spread:.4f}.",
        ),
    )


def _readings(distance: int, turning: Array, mean: float) -> tuple[Reading, ...]:
    waves = frequencies.wavelengths(turning)
    complete = frequencies.complete_pairs(turning, distance) if distance else 0
    return (
        Reading("sum of cosines", mean * turning.size, f"{mean * turning.size:z.3f}"),
        Reading("mean C(D)", mean, f"{mean:z.4f}"),
        Reading("full turns made by", complete, f"{complete} of {turning.size}"),
        Reading("shortest λ", float(waves[0]), f"{waves[0]:.2f}"),
        Reading("longest λ", float(waves[-1]), f"{waves[-1]:,.0f}"),
    )


@lru_cache(maxsize=16)
def _fading(dim: int, base: float) -> tuple[list[float], list[float], list[float], int, int | None]:
    """Distances, mean cosines, their limit, how often the mean rises in 100 steps, and where it is first negative."""
    turning = frequencies.inverse_frequencies(dim, base)
    x = np.unique(np.round(np.geomspace(1, FARTHEST, 160)))
    steps = np.diff(frequencies.mean_cosine(np.arange(101), turning))
    first = frequencies.first_negative_mean_cosine(turning, FARTHEST)
    return (
        x.tolist(),
        frequencies.mean_cosine(x, turning).tolist(),
        decay.mean_cosine_limit(x, base).tolist(),
        int(np.count_nonzero(steps > 0)),
        first,
    )


@lru_cache(maxsize=16)
def _draws(dim: int, base: float) -> tuple[list[float], list[float], list[float]]:
    x = np.unique(np.round(np.geomspace(1, FARTHEST, 24)))
    means, spreads = decay.random_score_moments(x, frequencies.inverse_frequencies(dim, base))
    return x.tolist(), means.tolist(), spreads.tolist()


def _wave(value: float) -> str:
    if value >= 100_000:
        return f"{value / 1000:,.0f}k"
    return f"{value:.1f}" if value < 100 else f"{value:,.0f}"


def _turns(value: float) -> str:
    return f"{value:.2f}" if value < 100 else f"{value:,.0f}"


def _times(count: int) -> str:
    return {0: "not once", 1: "once", 2: "twice"}.get(count, f"{count} times")
