"""A row added to an embedding, and what a score is made of then."""

from __future__ import annotations

import numpy as np

from quizapp.demos.model import Bar, Bars, Matrix, Reading, View
from quizapp.demos.wording import fixed, small
from quizapp.encodings.sinusoidal import sinusoidal

DIM = 4
FARTHEST = 99
# The embedding of the example, in four dimensions, and one more for the key.
BANK = (0.2, 0.7, -0.1, 0.4)
RIVER = (0.5, -0.2, 0.3, 0.1)
BETWEEN = ("identity", "another")
# No score here is larger than this.
_REACH = 4.0
# A fixed W_Q W_K^T that is neither symmetric nor a rotation.
_ANOTHER = ((0.5, -0.3, 0.2, 0.1), (0.4, 0.6, -0.2, 0.3), (-0.1, 0.2, 0.7, -0.4), (0.3, -0.2, 0.1, 0.8))


def bank(place: int, entry: int) -> View:
    """Step 2: the word *bank* at position 0 and at p, digit by digit."""
    word = np.array(BANK)
    rows = sinusoidal([0, place], DIM)
    here, there = word + rows[0], word + rows[1]
    shown = {"e": word, "PE(0)": rows[0], "h(0)": here, f"PE({place})": rows[1], f"h({place})": there}
    lines = list(shown.items())
    gap = float(np.linalg.norm(there - here))
    if place:
        see = (
            f"The same word enters the first layer as two vectors, h(0) and h({place}), {gap:.4f} apart; "
            f"entry {entry} is {fixed(BANK[entry])} + {fixed(rows[1, entry])} = {fixed(there[entry])}."
        )
    else:
        see = "PE(0) is 0, 1, 0, 1: position 0 is not nothing, it adds 1 to every cosine entry."
    return View(
        pictures=(
            Matrix(
                "bank: h(p) = e + PE(p)",
                tuple(tuple(fixed(value) for value in line.tolist()) for _, line in lines),
                tuple(name for name, _ in lines),
                tuple(map(str, range(DIM))),
                cursor=(len(lines) - 1, entry),
            ),
        ),
        readings=(
            Reading(f"e, entry {entry}", BANK[entry], f"{BANK[entry]:g}"),
            Reading(f"PE({place})", float(rows[1, entry]), f"{rows[1, entry]:.12f}"),
            Reading("their sum", float(there[entry]), f"{there[entry]:.12f}"),
            Reading(f"|h({place}) - h(0)|", gap, f"{gap:.8f}"),
        ),
        see=see,
        say="The encoding is added, not appended: h = e + PE(p). So queries and keys, made from h, depend on the "
        "position as well as on the word.",
        why="The embedding of four numbers is an example. Adding costs no dimensions; a model can learn to keep word "
        "and position apart, which many dimensions make easy. With learned tables the same sum is made, with a row "
        "that was trained in place of the sines.",
        words=(
            *(f"{name}: {', '.join(fixed(value, 5) for value in line.tolist())}" for name, line in lines),
            f"h({place}) and h(0) are {gap:.8f} apart.",
        ),
    )


def four_terms(query: int, key: int, between: str) -> View:
    """Step 4: (e + PE(m))ᵀ W (f + PE(n)), multiplied out."""
    matrix = np.eye(DIM) if between == BETWEEN[0] else np.array(_ANOTHER)
    first, second = np.array(BANK), np.array(RIVER)
    places = sinusoidal([query, key, query + 1, key + 1], DIM)
    terms = [
        ("word, word", float(first @ matrix @ second)),
        ("word, place", float(first @ matrix @ places[1])),
        ("place, word", float(places[0] @ matrix @ second)),
        ("place, place", float(places[0] @ matrix @ places[1])),
    ]
    total = float((first + places[0]) @ matrix @ (second + places[1]))
    moved = float(places[2] @ matrix @ places[3])
    change = moved - terms[3][1]
    if between == BETWEEN[0]:
        see = (
            "Only the first term is free of positions. With W the identity the last one depends on n - m alone: "
            f"one on, both, changes it by {small(change)}."
        )
    else:
        see = (
            "Only the first term is free of positions. With this W even the last one is not relative: one on, both, "
            f"changes it by {small(change)}."
        )
    bars = (
        *(Bar(name, value, f"{value:+z.4f}") for name, value in terms),
        Bar("score", total, f"{total:+z.4f}", "sum"),
    )
    return View(
        pictures=(Bars(f"e at {query} asks, f at {key} answers", bars, -_REACH, _REACH),),
        readings=(
            *(Reading(name, value, f"{value:+z.8f}") for name, value in terms),
            Reading("their sum, the score", total, f"{total:+z.8f}"),
            Reading("last term, both one on", moved, f"{moved:+z.8f}"),
        ),
        see=see,
        say="Add positions at the input and the score has four terms: word with word, the two mixed ones, and place "
        "with place. Nothing forces it to depend on the offset alone.",
        why="Multiply out (e + PE(m))ᵀ W (f + PE(n)), where W is W_Q W_Kᵀ. The sinusoid's last term is relative when W "
        "leaves each pair's rotations alone, as the identity does; a learned W need not. Relative schemes and RoPE "
        "change the score itself instead. (The division by √d is left out here.)",
        words=(
            f"The query is the word e = {list(BANK)} at m = {query}, the key f = {list(RIVER)} at n = {key}.",
            *(f"{name}: {value:+z.8f}" for name, value in terms),
            f"Their sum is the score, {total:+z.8f}.",
            f"The last term with both positions one on: {moved:+z.8f}.",
        ),
    )
