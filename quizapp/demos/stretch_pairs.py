"""Every pair's largest angle against what training saw: untouched, and with one method."""

from __future__ import annotations

import math
from collections.abc import Mapping

import numpy as np

from quizapp.demos import stretch_methods as methods
from quizapp.demos.model import Bar, Bars, Choice, Control, Curve, Curves, Reading, Value, View
from quizapp.demos.rope_pairs import sample
from quizapp.demos.stretch_words import SAYS, WHYS
from quizapp.demos.wording import significant
from quizapp.encodings import frequencies

ANGLES, KEPT = "largest angle", "frequency kept"

_WHY_SLOW = (
    "A pair of wavelength λ = 2π/θ that is longer than the training text never came round: only part of its "
    "circle was seen, and beyond the trained length query and key meet at angles that training never had. A pair "
    "that came round saw its whole circle; larger distances give it no new angle. So the slow pairs break, "
    "not the fast ones."
)


def breaking_controls(values: Mapping[str, Value]) -> tuple[Control, ...]:
    return (*methods.length_controls(values), *methods.head_controls())


def breaking(values: Mapping[str, Value]) -> View:
    head, wanted = methods.head_of(values), methods.LENGTHS[str(values["wanted"])]
    trained, then = head.turns, frequencies.turns(head.frequencies, wanted)
    waves = frequencies.wavelengths(head.frequencies)
    first = frequencies.first_incomplete_pair(head.frequencies, head.trained)
    pairs = head.dim // 2
    late = 0 if first is None else pairs - first
    bars = tuple(
        Bar(
            f"pair {pair}",
            math.log10(trained[pair]),
            f"{_turns(trained[pair]):>5} → {_turns(then[pair]):>6}",
            "no turn" if pair == first else "",
        )
        for pair in range(pairs)
    )
    last = float(head.frequencies[-1])
    return View(
        pictures=(
            Bars(
                f"log10 of turns: {head.trained:,} → {wanted:,}",
                bars,
                min(float(np.log10(trained[-1])), 0.0),
                float(np.log10(trained[0])),
            ),
        ),
        readings=(
            Reading("no full turn", late, f"{late} of {pairs}"),
            Reading(
                "first of them", -1 if first is None else first, "none" if first is None else f"pair {first}"
            ),
            Reading("longest λ", float(waves[-1]), f"{waves[-1]:,.0f}"),
            Reading("its angle trained", last * head.trained, f"{last * head.trained:.3f} rad"),
            Reading("its angle wanted", last * wanted, f"{last * wanted:.3f} rad"),
        ),
        see=_see_breaking(head, wanted, first),
        say=(
            "The slow pairs break: they never completed a turn in training, so longer texts take them to "
            "angles the model has never seen. The fast ones have seen their whole circle."
        ),
        why=(
            f"{_WHY_SLOW} The first such pair is the first i with 2π b^(2i/d) > L. For Llama 2 (d = 128, b = "
            "10,000, L = 4,096) it is pair 46, so 18 of 64; for Llama 3 (b = 500,000, L = 8,192) pair 35, "
            "so 29 of 64. A larger base slows every pair but the first, and leaves more of them short of a "
            "turn."
        ),
        words=(
            f"A {methods.head_words(head)}, wanted at {wanted:,}.",
            *(
                f"Pair {pair}: wavelength {significant(waves[pair])}; {significant(trained[pair])} turns in "
                f"training, {significant(then[pair])} at {wanted:,}."
                for pair in _telling(pairs, first)
            ),
            "Every pair completes a turn in training."
            if first is None
            else f"{late} of {pairs} pairs, from pair {first} on, complete no turn in training.",
        ),
    )


def _see_breaking(head: methods.Head, wanted: int, first: int | None) -> str:
    pairs = head.dim // 2
    if first is None:
        return f"Every pair completes a turn in {head.trained:,} positions: {wanted:,} bring no new angle."
    return (
        f"{pairs - first} of {pairs} pairs, from pair {first} on, complete no turn in {head.trained:,} "
        f"positions; at {wanted:,} they reach angles that training never saw."
    )


def method_controls(values: Mapping[str, Value]) -> tuple[Control, ...]:
    """LongRoPE's factors belong to one head, so with it neither head nor trained length can be moved."""
    shown = (
        Choice("method", "method", methods.METHODS, methods.YARN),
        Choice("show", "show", (ANGLES, KEPT), ANGLES),
    )
    if values.get("method") == methods.LONGROPE:
        longer = tuple(name for name, size in methods.LENGTHS.items() if size > methods.LONGROPE_HEAD.trained)
        return (*shown, methods.wanted_control(longer))
    return (*shown, *methods.length_controls(values), *methods.head_controls())


def method(values: Mapping[str, Value]) -> View:
    name, wanted = str(values["method"]), methods.LENGTHS[str(values["wanted"])]
    head = methods.LONGROPE_HEAD if name == methods.LONGROPE else methods.head_of(values)
    found = methods.scaled(name, head, wanted, wanted)
    reach = methods.reach(found, head, wanted)
    trained, then = head.turns, frequencies.turns(found.frequencies, wanted)
    untouched = frequencies.turns(head.frequencies, wanted)
    kept = found.frequencies / head.frequencies
    pairs = list(range(head.dim // 2))
    first = frequencies.first_incomplete_pair(head.frequencies, head.trained)
    if values["show"] == KEPT:
        picture = Curves(
            f"{name}: share of its frequency that each pair keeps",
            (Curve(name, pairs, kept.tolist()), Curve("all", pairs, [1.0] * len(pairs))),
            "pair",
            "new over old frequency",
        )
    else:
        lines = [
            Curve(f"trained, {head.trained:,}", pairs, np.log10(trained).tolist()),
            Curve(f"{name}, {wanted:,}", pairs, np.log10(then).tolist()),
        ]
        if name != methods.NONE:
            lines.append(Curve(f"untouched, {wanted:,}", pairs, np.log10(untouched).tolist()))
        picture = Curves("largest angle of each pair", tuple(lines), "pair", "turns, log10 (0: one turn)")
    return View(
        pictures=(picture,),
        readings=(
            Reading("past training", reach.past, f"{reach.past} of {len(pairs)}"),
            Reading("at most", reach.overshoot, f"× {reach.overshoot:.2f}"),
            Reading("pair 0 a step", reach.step, f"{reach.step:.4g} rad"),
            Reading("fast pairs keep", reach.kept, f"{reach.kept:.1%}"),
            Reading("scores", reach.score, f"× {reach.score:.3f}"),
        ),
        see=_see_method(name, head, reach),
        say=SAYS[name],
        why=f"{WHYS[name]} Every such trick chooses new θᵢ so that the angles of long texts land on trained ones.",
        words=(
            f"{name}, {methods.head_words(head)}, wanted at {wanted:,}.",
            *(
                f"Pair {pair}: {significant(trained[pair])} turns in training; at {wanted:,} "
                f"{significant(then[pair])} with {name}, {significant(untouched[pair])} untouched; "
                f"it keeps {kept[pair]:.4f} of its frequency."
                for pair in _telling(len(pairs), first)
            ),
            f"{reach.past} of {len(pairs)} pairs go past their trained angles. Of pairs without a full turn the "
            f"largest angle is {reach.overshoot:.2f} times the trained one.",
            f"Scores are multiplied by {reach.score:.4f}.",
        ),
    )


def _see_method(name: str, head: methods.Head, reach: methods.Reach) -> str:
    pairs = head.dim // 2
    whose = "On Phi-3.5 mini, whose factors were searched for 131,072, " if name == methods.LONGROPE else ""
    past = (
        "no pair goes past the angles that training saw"
        if reach.past == 0
        else f"{reach.past} of {pairs} pairs go past the angles that training saw, up to {reach.overshoot:.2f} times"
    )
    sentence = f"{whose}{past}; pairs that came round in training keep {reach.kept:.1%} of their speed."
    return sentence[0].upper() + sentence[1:]


def _telling(pairs: int, first: int | None) -> list[int]:
    """The pairs whose numbers are told: some of all, and where the turns are no longer full."""
    chosen = set(sample(pairs, 9))
    if first is not None:
        chosen |= {max(first - 1, 0), first}
    return sorted(chosen)


def _turns(value: float) -> str:
    return f"{value:.2f}" if value < 100 else f"{value:,.0f}"
