"""Short prompts pass, long ones fail: a vector turned with the wrong frequencies, as its position grows."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import numpy as np

from quizapp.demos import stretch_methods as methods
from quizapp.demos.model import Choice, Control, Curve, Curves, Number, Reading, Value, View
from quizapp.demos.wording import significant
from quizapp.encodings import frequencies, models
from quizapp.encodings.frequencies import Array, inverse_frequencies
from quizapp.encodings.scaling import Scaling, scale

FARTHEST = 131072
_LLAMA2 = methods.Head(128, 10000.0, 4096)
_GPT_OSS = models.find("gpt-oss-20b")


def _extended(name: str, factor: int) -> Array:
    length = factor * _LLAMA2.trained
    return methods.scaled(name, _LLAMA2, length, length).frequencies


# By name: right frequencies, wrong ones, and what happened.
CASES: dict[str, tuple[Callable[[], Array], Callable[[], Array], str]] = {
    "scaling ignored": (
        lambda: models.find("llama-3.1-8b").scaled().frequencies,
        lambda: inverse_frequencies(128, 500000.0),
        "Llama 3.1 run without its scaling",
    ),
    "base changed": (
        lambda: inverse_frequencies(128, 10000.0),
        lambda: inverse_frequencies(128, 500000.0),
        "base 500,000 in place of the trained 10,000",
    ),
    "interpolated": (
        lambda: _LLAMA2.frequencies,
        lambda: _extended(methods.INTERPOLATION, 8),
        "Llama 2 interpolated by 8, not tuned",
    ),
    "NTK-aware": (
        lambda: _LLAMA2.frequencies,
        lambda: _extended(methods.NTK, 8),
        "Llama 2 with NTK-aware scaling by 8, not tuned",
    ),
    "YaRN": (
        lambda: _LLAMA2.frequencies,
        lambda: _extended(methods.YARN, 8),
        "Llama 2 with YaRN by 8, not tuned",
    ),
    "YaRN's other ramp": (
        lambda: _extended(methods.YARN, 16),
        lambda: _extended(methods.PAPER_YARN, 16),
        "the paper's ramp on weights tuned with the code's, Llama 2, s = 16",
    ),
    "range rounded": (
        lambda: _GPT_OSS.scaled().frequencies,
        lambda: scale(Scaling("yarn", 32.0, 4096), _GPT_OSS.rotary_dim, _GPT_OSS.base).frequencies,
        "gpt-oss with YaRN's range rounded, which it is not",
    ),
    "dynamic, old keys": (
        lambda: _extended(methods.DYNAMIC, 2),
        lambda: _LLAMA2.frequencies,
        "dynamic NTK at 8,192 beside keys that were cached at 4,096",
    ),
    "list switched": (
        lambda: methods.SEARCHED.scaled(FARTHEST).frequencies,
        lambda: methods.SEARCHED.scaled(4096).frequencies,
        "Phi-3.5 mini's short list in place of its long one",
    ),
}


# Keys that were cached while the text had 4,096 tokens stand before that.
FURTHEST = {"dynamic, old keys": _LLAMA2.trained - 1}


def controls(values: Mapping[str, Value]) -> tuple[Control, ...]:
    furthest = FURTHEST.get(str(values.get("case")), FARTHEST)
    return (
        Choice("case", "case", tuple(CASES), "scaling ignored"),
        Number("position", "position", 0, furthest, min(8192, furthest), leap=1000),
    )


def view(values: Mapping[str, Value]) -> View:
    position = int(values["position"])
    right_of, wrong_of, what = CASES[str(values["case"])]
    right, wrong = right_of(), wrong_of()
    off = right - wrong
    furthest = FURTHEST.get(str(values["case"]), FARTHEST)
    x = np.unique(np.round(np.geomspace(1, furthest, 160)))
    likeness = frequencies.mean_cosine(x, off)
    here = float(frequencies.mean_cosine(position, off))
    near, changed = float(frequencies.mean_cosine(100, off)), int(np.count_nonzero(off))
    worst = int(np.argmax(np.abs(off)))
    angle = position * float(abs(off[worst]))
    curves = [Curve("rightly and wrongly turned", x.tolist(), likeness.tolist())]
    if position:
        curves.append(Curve("here", [position], [here]))
    places = [place for place in (0, 10, 100, 1000, 8192, 20000, 60000) if place < furthest] + [furthest]
    told = ", ".join(f"{float(frequencies.mean_cosine(place, off)):z.3f} at {place:,}" for place in places)
    return View(
        pictures=(Curves(f"cosine: {what}", tuple(curves), "position", "cosine", log_x=True),),
        readings=(
            Reading("cosine here", here, f"{here:z.4f}"),
            Reading("at 100", near, f"{near:z.4f}"),
            Reading("pairs changed", changed, f"{changed} of {off.size}"),
            Reading("worst pair", worst, str(worst)),
            Reading("its angle is off", angle, f"{significant(angle, 3)} rad"),
        ),
        see=f"{what[0].upper()}{what[1:]}: a vector at {position:,} has cosine {here:z.3f} with itself turned rightly.",
        say=(
            "A wrong frequency is an angle that grows with the position: nothing at position 0, everything "
            "far out. When short prompts pass and long ones fail, I compare frequencies first, and test "
            "near the limit."
        ),
        why=(
            "The curve is the mean over the pairs of cos(p(θᵢ - θᵢ')): the cosine between a vector turned "
            "at position p with the right frequencies and with the wrong ones, all pairs of one norm. "
            "Attention factors are left out. It is exact at 0, so a test with one token passes. For a like "
            "reason a scheme, or its base, cannot be swapped after pretraining without training on: q "
            "and k are made for their frequencies. What the model then writes is not computed here."
        ),
        words=(f"{what[0].upper()}{what[1:]}.", f"Cosine {told}.", f"Here, at {position:,}: {here:z.4f}."),
    )
