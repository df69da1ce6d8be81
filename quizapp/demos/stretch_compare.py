"""All methods side by side: how far the slow pairs reach, and what the fast ones pay."""

from __future__ import annotations

from collections.abc import Mapping

from quizapp.demos import stretch_methods as methods
from quizapp.demos.model import Choice, Control, Matrix, Reading, Value, View

FULL, HALF, TRAINED, SHORT = "full length", "half of it", "as trained", "512 tokens"


def controls(values: Mapping[str, Value]) -> tuple[Control, ...]:
    return (
        Choice("now", "text now", (FULL, HALF, TRAINED, SHORT), FULL),
        *methods.length_controls(values),
        *methods.head_controls(),
    )


def length_now(values: Mapping[str, Value]) -> int:
    wanted, trained = (methods.LENGTHS[str(values[name])] for name in ("wanted", "trained"))
    return {FULL: wanted, HALF: wanted // 2, TRAINED: trained, SHORT: 512}[str(values["now"])]


def view(values: Mapping[str, Value]) -> View:
    head, wanted, now = methods.head_of(values), methods.LENGTHS[str(values["wanted"])], length_now(values)
    reaches = {
        name: methods.reach(methods.scaled(name, head, wanted, now), methods.head_for(name, head), now)
        for name in methods.METHODS
    }
    pairs = {name: methods.head_for(name, head).dim // 2 for name in methods.METHODS}
    cells = tuple(
        (
            f"{found.past}/{pairs[name]}",
            f"{found.overshoot:.2f}",
            f"{found.step:.3f}",
            f"{found.kept:.1%}",
            f"{found.score:.2f}",
        )
        for name, found in reaches.items()
    )
    shades = tuple(
        (
            found.past / pairs[name],
            min(found.overshoot / (wanted / head.trained), 1.0),
            1.0 - found.step,
            1.0 - found.kept,
            min(found.score - 1.0, 1.0),
        )
        for name, found in reaches.items()
    )
    factor = wanted / head.trained
    untouched = reaches[methods.NONE]
    return View(
        pictures=(
            Matrix(
                f"set up for {wanted:,}, text of {now:,}",
                cells,
                ("none", "interpol.", "NTK", "dynamic", "YaRN", "YaRN eq.18", "Llama 3", "LongRoPE*"),
                ("past", "largest", "pair 0", "kept", "scores"),
                shades=shades,
            ),
        ),
        readings=(
            Reading("s = wanted / trained", factor, f"{factor:g}"),
            Reading("text now", now, f"{now:,}"),
            Reading("past, untouched", untouched.past, f"{untouched.past} of {pairs[methods.NONE]}"),
            Reading(
                "past, with NTK", reaches[methods.NTK].past, f"{reaches[methods.NTK].past} of {head.dim // 2}"
            ),
            Reading(
                "past, with YaRN",
                reaches[methods.YARN].past,
                f"{reaches[methods.YARN].past} of {head.dim // 2}",
            ),
        ),
        see=_see(head, now, reaches),
        say=(
            "Reach and blur trade: interpolation keeps every angle within training and blurs neighbours in "
            "all pairs; NTK keeps the fastest pair and overshoots with slow ones; YaRN and Llama 3 decide "
            "pair by pair."
        ),
        why=(
            "Past: pairs that made no full turn in training and go beyond their largest trained angle. "
            "Largest: the worst such angle over the trained one. Pair 0: its angle between neighbours. "
            "Kept: the mean share of their speed that pairs keep which came round in training. Scores: what "
            "they are multiplied by. * LongRoPE's divisors belong to one model: the row is Phi-3.5 mini "
            "(head of 96, base 10,000, trained at 4,096), its long list searched for 131,072 and used "
            "beyond 4,096. On short texts a fixed factor blurs for nothing; dynamic NTK does not, and "
            "LongRoPE has its short list. None of this is a measure of quality: after tuning, a model has "
            "seen its new angles. There is no best scheme without asking how much one may tune."
        ),
        words=(
            f"A {methods.head_words(head)}, set up for {wanted:,}; the text has {now:,} positions.",
            *(
                f"{name}{' (Phi-3.5 mini)' if name == methods.LONGROPE else ''}: {found.past} of "
                f"{pairs[name]} pairs past training, largest angle {found.overshoot:.2f} times the trained; "
                f"pair 0 turns {found.step:.4g} rad a position; fast pairs keep {found.kept:.1%}; scores "
                f"times {found.score:.4f}."
                for name, found in reaches.items()
            ),
        ),
    )


def _see(head: methods.Head, now: int, reaches: Mapping[str, methods.Reach]) -> str:
    spared = (methods.INTERPOLATION, methods.NTK, methods.YARN, methods.LLAMA3)
    if reaches[methods.NONE].past == 0:
        slow = reaches[methods.INTERPOLATION]
        return (
            f"A text of {now:,} is no longer than training: no pair leaves its angles, and interpolation "
            f"blurs pair 0 to {slow.step:.3f} rad a step for nothing."
        )
    counts = ", ".join(f"{name} {reaches[name].past}" for name in spared)
    return (
        f"Pairs past training: untouched {reaches[methods.NONE].past} of {head.dim // 2}; {counts}. "
        "What each pays stands in pair 0 and kept."
    )
