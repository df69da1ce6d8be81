"""RoPE's first step: one pair as a dial, with the hand of the query, the hand of the key and the wedge between."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

import numpy as np

from quizapp.demos.model import Choice, Control, Dial, Hand, Number, Reading, Value, View
from quizapp.encodings import frequencies, rope
from quizapp.encodings.text import number

# A head of 8 has the frequencies 1, 0.1, 0.01 and 0.001: products one can do in the head.
DIM = 8
BASE = 10000.0

Vector = tuple[float, float]

GENERAL = "any two"
# The pair of q and of k before they are turned.
CONTENTS: dict[str, tuple[Vector, Vector]] = {
    GENERAL: ((0.9, 0.5), (-0.3, 0.8)),
    "q = k": ((1.0, 0.0), (1.0, 0.0)),
    "at right angles": ((1.0, 0.0), (0.0, 1.0)),
    "k 0.25 rad ahead": ((2.0, 0.0), (math.cos(0.25), math.sin(0.25))),
}

_SAY = (
    "Each query and each key is turned once, by its own position, and their product sees only n - m. So the "
    "rotation is absolute and the score is relative."
)
_WHY = (
    "A transposed rotation turns back, and angles add: R(mθ)ᵀ R(nθ) = R((n - m)θ). So qₘ·kₙ = qᵀ R((n - "
    "m)θ) k, written out (q·k) cos((n - m)θ) + (q₂k₁ - q₁k₂) sin((n - m)θ). The sign counts: with m - n in "
    "its place the formula is wrong, and unless q and k are parallel the token before scores otherwise than "
    "the token after. Only q and k are turned, never v, so the next layer has to turn again. A turned key "
    "can be cached because nobody turns it later. That holds while the frequencies stay as they are, so not "
    "with dynamic NTK, LongRoPE's switch of lists or a context shift."
)


def controls() -> tuple[Control, ...]:
    return (
        Number("m", "query at m", 0, 99, 7),
        Number("n", "key at n", 0, 99, 5),
        Number("both", "both on by", 0, 9999, 0, leap=100),
        Number("pair", "pair i", 0, DIM // 2 - 1, 0, leap=1),
        Choice("content", "q and k", tuple(CONTENTS), GENERAL),
    )


def wrapped(angle: float) -> float:
    """The same direction from -pi, excluded, to pi."""
    return math.pi - (math.pi - angle) % math.tau


def view(values: Mapping[str, Value]) -> View:
    m, n, both, pair = (int(values[name]) for name in ("m", "n", "both", "pair"))
    query, key = CONTENTS[str(values["content"])]
    theta = float(frequencies.inverse_frequencies(DIM, BASE)[pair])
    turned_query, turned_key = rope.turn(query, m + both, theta), rope.turn(key, n + both, theta)
    query_angle, key_angle = _angle(turned_query), _angle(turned_key)
    wedge = wrapped(key_angle - query_angle)
    score = rope.pair_score(query, key, m + both, n + both, theta)
    relative = float(np.asarray(query) @ rope.turn(key, n - m, theta))
    wave = math.tau / theta
    longest = max(math.hypot(*query), math.hypot(*key))
    phase = wrapped(_angle(key) - _angle(query))
    moved = both * theta
    return View(
        pictures=(
            Dial(
                f"pair {pair}: q at {m + both}, k at {n + both}",
                (
                    Hand("q", query_angle, math.hypot(*query) / longest),
                    Hand("k", key_angle, math.hypot(*key) / longest),
                ),
                (query_angle, query_angle + wedge),
            ),
        ),
        readings=(
            Reading("score", score, f"{score:z.12f}"),
            Reading("by n - m alone", relative, f"{relative:z.12f}"),
            Reading("wedge (rad)", wedge, f"{wedge:z.12f}"),
            Reading("n - m", n - m, str(n - m)),
            Reading("θ", theta, number(theta)),
            Reading("wavelength", wave, f"{wave:.2f}"),
        ),
        see=_see(m, n, both, moved),
        say=_SAY,
        why=_WHY,
        words=(
            f"Pair {pair} of a head of {DIM} turns by θ = {number(theta)} rad a position, once round in "
            f"{wave:.2f} positions.",
            f"Before turning, q is ({query[0]:g}, {query[1]:g}) and k is ({_short(key[0])}, "
            f"{_short(key[1])}): k stands {phase:z.4f} rad from q.",
            f"At {m + both}, q points at {_degrees(query_angle)}; at {n + both}, k points at "
            f"{_degrees(key_angle)}, anticlockwise from the right.",
            f"The wedge from q to k is (n - m)θ + φ = {n - m} × {number(theta)} + {phase:z.4f}, on the "
            f"circle {wedge:z.12f} rad or {_degrees(wedge)}.",
            f"The score of the turned vectors is {score:z.12f}; from n - m alone it is {relative:z.12f}.",
        ),
    )


def _see(m: int, n: int, both: int, moved: float) -> str:
    if both:
        steps = "1 position" if both == 1 else f"{both} positions"
        return (
            f"Both went on by {steps}: each hand turned {moved:.4g} rad further; wedge and score are those "
            f"of m = {m}, n = {n}, to 12 digits."
        )
    if m == n:
        return "Query and key share a position: the wedge is the angle that q and k had before turning."
    return "Move m or n alone: the wedge opens or closes. Move both: the hands turn, wedge and score stay."


def _angle(vector: Any) -> float:
    return math.atan2(float(vector[1]), float(vector[0]))


def _degrees(angle: float) -> str:
    return f"{math.degrees(angle):z.1f}°"


def _short(value: float) -> str:
    return f"{value:.4g}"
