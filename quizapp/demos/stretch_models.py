"""Real models by name: what their own settings make of every pair at a length."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from quizapp.demos import stretch_methods as methods
from quizapp.demos.model import Choice, Control, Curve, Curves, Reading, Value, View
from quizapp.encodings import frequencies, models

OWN = "L × factor"
START = "llama-3.1-8b"
_METHODS = {
    "none": "none",
    "linear": "interpolation",
    "yarn": "YaRN",
    "llama3": "Llama 3",
    "longrope": "LongRoPE",
}


def controls(values: Mapping[str, Value]) -> tuple[Control, ...]:  # noqa: ARG001
    return (
        Choice("model", "model", tuple(models.MODELS), START),
        Choice("length", "text of", (OWN, *methods.LENGTHS), OWN),
    )


def length_of(values: Mapping[str, Value]) -> int:
    """The length chosen; a model's own is its factor times the length it was trained at."""
    model = models.find(str(values["model"]))
    chosen = str(values["length"])
    return round(model.length * model.scaling.factor) if chosen == OWN else methods.LENGTHS[chosen]


def view(values: Mapping[str, Value]) -> View:
    model, now = models.find(str(values["model"])), length_of(values)
    head = methods.Head(model.rotary_dim, model.base, model.length)
    found = model.scaled(now)
    reach = methods.reach(found, head, now)
    untouched = methods.reach(methods.scaled(methods.NONE, head, now, now), head, now)
    pairs = list(range(head.dim // 2))
    late = len(pairs) - frequencies.complete_pairs(head.frequencies, head.trained)
    curves = [
        Curve(f"trained, {head.trained:,}", pairs, np.log10(head.turns).tolist()),
        Curve(f"run, {now:,}", pairs, np.log10(frequencies.turns(found.frequencies, now)).tolist()),
    ]
    changed = model.scaling.method != "none"
    if changed:
        plain = frequencies.turns(head.frequencies, now)
        curves.append(Curve(f"unscaled, {now:,}", pairs, np.log10(plain).tolist()))
    settings = _METHODS[model.scaling.method] + (f" × {model.scaling.factor:g}" if changed else "")
    return View(
        pictures=(
            Curves(f"{model.title}: largest angle", tuple(curves), "pair", "turns, log10 (0: one turn)"),
        ),
        readings=(
            Reading("turns of a head", model.rotary_dim, f"{model.rotary_dim} of {model.head_dim}"),
            Reading("base", model.base, f"{model.base:,.0f}"),
            Reading("trained at", model.length, f"{model.length:,}"),
            Reading("scaling", model.scaling.factor, settings),
            Reading("no full turn", late, f"{late} of {len(pairs)}"),
            Reading("past, unscaled", untouched.past, f"{untouched.past} of {len(pairs)}"),
            Reading("past, as run", reach.past, f"{reach.past} of {len(pairs)}"),
            Reading("scores", reach.score, f"× {reach.score:.3f}"),
        ),
        see=_see(model.title, settings, now, late, len(pairs), untouched, reach, changed=changed),
        say=(
            "To judge a long-context model I ask three things: its base, the length it was pretrained at, "
            "and what it does to the pairs that never came round there."
        ),
        why=(
            "Counted are pairs that made no full turn at the first trained length and go beyond their "
            "largest angle there. Many models were trained on at greater lengths, and have seen those "
            "angles since: Llama 3 went on to 128k in stages, so a count above zero is no verdict. Settings "
            f"come from the places that words and `quizapp encode models` name; here: {model.source}."
        ),
        words=(
            f"{model.title}: {model.rotary_dim} of {model.head_dim} coordinates turn, base "
            f"{model.base:,.0f}, trained at {model.length:,}; scaling {settings}. Text of {now:,}.",
            f"{late} of {len(pairs)} pairs complete no turn in training.",
            f"At {now:,}, {untouched.past} pairs would go past training unscaled; as the model runs, "
            f"{reach.past} do. Of pairs without a full turn the largest angle is {reach.overshoot:.2f} times the "
            "trained one.",
            f"Pairs that came round keep {reach.kept:.1%} of their speed; scores are multiplied by "
            f"{reach.score:.4f}.",
            f"Source: {model.source}.",
        ),
    )


def _see(
    title: str,
    settings: str,
    now: int,
    late: int,
    pairs: int,
    untouched: methods.Reach,
    reach: methods.Reach,
    *,
    changed: bool,
) -> str:
    start = f"{title}: {late} of {pairs} pairs came short of a turn in training."
    if not changed:
        return f"{start} As pretrained, {_go(reach.past)} past their trained angles at {now:,}."
    return (
        f"{start} At {now:,}, {_go(untouched.past)} past their trained angles unscaled, "
        f"{reach.past} with {settings}."
    )


def _go(count: int) -> str:
    return {0: "none go", 1: "1 goes"}.get(count, f"{count} go")
