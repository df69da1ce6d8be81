"""What the steps of the demo of context extension share: lengths, heads, methods by name, and how far each reaches."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from quizapp.demos.model import Choice, Control, Value
from quizapp.encodings import frequencies, models
from quizapp.encodings.frequencies import Array
from quizapp.encodings.scaling import Scaled, Scaling, scale

LENGTHS = {f"{size}k": size * 1024 for size in (2, 4, 8, 16, 32, 64, 128)}
TRAINED = ("2k", "4k", "8k", "16k", "32k")
BASES = {"10,000": 1e4, "500,000": 5e5, "1,000,000": 1e6}
DIMS = ("64", "96", "128")

NONE, INTERPOLATION, NTK, DYNAMIC = "none", "interpolation", "NTK-aware", "dynamic NTK"
YARN, PAPER_YARN, LLAMA3, LONGROPE = "YaRN", "YaRN, eq. 18", "Llama 3", "LongRoPE"
METHODS = (NONE, INTERPOLATION, NTK, DYNAMIC, YARN, PAPER_YARN, LLAMA3, LONGROPE)

# LongRoPE's factors are searched for one model; these are the published ones of a model with Llama 2's base and length.
SEARCHED = models.find("phi-3.5-mini")
# Angles that differ by rounding alone are the same.
_SAME = 1.0 + 1e-9


@dataclass(frozen=True)
class Head:
    """One head's rotation: its coordinates, its base, and the length it was trained at."""

    dim: int
    base: float
    trained: int

    @property
    def frequencies(self) -> Array:
        return frequencies.inverse_frequencies(self.dim, self.base)

    @property
    def turns(self) -> Array:
        """Turns that each pair made in training; shape (dim/2,)."""
        return frequencies.turns(self.frequencies, self.trained)


LONGROPE_HEAD = Head(SEARCHED.rotary_dim, SEARCHED.base, SEARCHED.length)


def length_controls(values: Mapping[str, Value]) -> tuple[Control, ...]:
    """The trained and the wanted length; only longer ones can be wanted."""
    trained = str(values.get("trained", "4k"))
    longer = tuple(name for name, size in LENGTHS.items() if size > LENGTHS.get(trained, 4096))
    return (
        Choice("trained", "trained at", TRAINED, "4k"),
        wanted_control(longer),
    )


def wanted_control(longer: tuple[str, ...]) -> Choice:
    return Choice("wanted", "wanted at", longer, "32k" if "32k" in longer else longer[0])


def head_controls() -> tuple[Control, ...]:
    return (
        Choice("base", "base b", tuple(BASES), "10,000"),
        Choice("dim", "head size d", DIMS, "128"),
    )


def head_of(values: Mapping[str, Value]) -> Head:
    return Head(int(values["dim"]), BASES[str(values["base"])], LENGTHS[str(values["trained"])])


def head_for(method: str, head: Head) -> Head:
    """The head itself, but LongRoPE's own."""
    return LONGROPE_HEAD if method == LONGROPE else head


def scaled(method: str, head: Head, wanted: int, now: int) -> Scaled:
    """What a method makes of a head that is set up for ``wanted`` positions and runs at ``now`` of them.

    Dynamic NTK takes the factor from the current length (s = max(1, l/L); Peng et al. 2023, section 3.3). LongRoPE is
    that of ``SEARCHED``, whatever the head.
    """
    factor = max(wanted / head.trained, 1.0)
    settings = {
        NONE: Scaling(),
        INTERPOLATION: Scaling("linear", factor),
        NTK: Scaling("ntk", factor),
        DYNAMIC: Scaling("dynamic-ntk", 1.0, head.trained),
        YARN: Scaling("yarn", factor, head.trained),
        PAPER_YARN: Scaling("yarn", factor, head.trained, paper_ramp=True),
        LLAMA3: Scaling("llama3", factor, head.trained),
    }
    if method == LONGROPE:
        return SEARCHED.scaled(now)
    return scale(settings[method], head.dim, head.base, now)


@dataclass(frozen=True)
class Reach:
    """How a method fares at a length.

    ``past``: pairs that made no full turn in training and now go beyond their largest trained angle. ``overshoot``:
    the largest angle of a pair without a full turn over the largest in training. ``step``: the angle between
    neighbours in pair 0, in radians. ``kept``: the mean share that pairs with a full turn keep of their frequency.
    ``score``: what the scores are multiplied by.
    """

    past: int
    overshoot: float
    step: float
    kept: float
    score: float


def reach(found: Scaled, head: Head, now: int) -> Reach:
    trained = head.turns
    ratio = frequencies.turns(found.frequencies, now) / trained
    late = trained < 1.0
    kept = found.frequencies / head.frequencies
    return Reach(
        past=int(np.count_nonzero(late & (ratio > _SAME))),
        overshoot=float(ratio[late].max()) if late.any() else 0.0,
        step=float(found.frequencies[0]),
        kept=float(kept[~late].mean()) if not late.all() else 0.0,
        score=found.attention_factor**2,
    )


def head_words(head: Head) -> str:
    return f"head of {head.dim}, base {head.base:,.0f}, trained at {head.trained:,}"
