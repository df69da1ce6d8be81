"""Clocks: one, a row of them at geometric speeds, and what a shift does to each."""

from __future__ import annotations

import math

import numpy as np

from quizapp.demos.model import Dial, Hand, Reading, View
from quizapp.demos.wording import counted, small
from quizapp.encodings.frequencies import angles, wavelengths
from quizapp.encodings.sinusoidal import shift_matrix, sinusoidal, sinusoidal_frequencies

# Hands closer than this can't be told apart by eye.
_ALIKE = math.radians(5)
# Rows on either side of the place where the shifted row should be found.
_TABLE = 64


def _degrees(angle: float) -> str:
    """An angle as it stands on the dial, from 0° up to 360°."""
    return f"{math.degrees(angle) % 360:.1f}°".replace("360.0°", "0.0°")


def _length(value: float) -> str:
    return f"{value:.2f}" if value < 1000 else f"{value:,.0f}"


def one_clock(position: int, other: int) -> View:
    """Step 3: pair 0 alone, at two positions."""
    frequency = sinusoidal_frequencies(2)
    (first,), (second,) = angles([position, other], frequency).tolist()
    rows = sinusoidal([position, other], 2)
    apart = abs(math.remainder(second - first, 2 * math.pi))
    distance = float(np.linalg.norm(rows[0] - rows[1]))
    between = abs(other - position)
    if not between:
        see = "Both hands are of one position; move the other one, by 44 with shift and an arrow."
    elif apart < _ALIKE:
        see = (
            f"{position:,} and {other:,} are {counted(between, 'position')} apart, and their hands "
            f"{math.degrees(apart):.1f}°: one clock can't tell them apart."
        )
    else:
        see = "One clock is bounded, and a step is the same turn everywhere, but it comes round every 6.28 positions."
    return View(
        pictures=(Dial("pair 0: the angle is the position", (Hand("p", first), Hand("other", second))),),
        readings=(
            Reading("sin p", float(rows[0, 0]), f"{rows[0, 0]:+z.4f}"),
            Reading("cos p", float(rows[0, 1]), f"{rows[0, 1]:+z.4f}"),
            Reading("turns up to p", first / (2 * math.pi), f"{first / (2 * math.pi):.3f}"),
            Reading("positions apart", between, f"{between:,}"),
            Reading("between the hands", apart, f"{math.degrees(apart):.2f}°"),
            Reading("|PE(p) - PE(other)|", distance, f"{distance:.4f}"),
        ),
        see=see,
        say="Put the position on a clock, as sine and cosine: bounded, and a step is always the same turn. But one "
        "clock wraps round, so far positions look like near ones.",
        why="The hand points at the angle p·ω, anticlockwise from the right: its reach to the right is the cosine, "
        "its height the sine. With ω = 1 the positions p and p + 44 are 44 - 7·2π = 0.018 rad apart, 1.01°. Both "
        "sine and cosine are needed: either alone gives two positions of a turn the same value.",
        words=(
            f"The hand of p = {position:,} stands at {_degrees(first)}: sine {rows[0, 0]:+z.4f}, "
            f"cosine {rows[0, 1]:+z.4f}.",
            f"The hand of {other:,} stands at {_degrees(second)}: sine {rows[1, 0]:+z.4f}, "
            f"cosine {rows[1, 1]:+z.4f}.",
            f"They are {counted(between, 'position')} apart, their hands {math.degrees(apart):.2f}°.",
        ),
    )


def row_of_clocks(position: int, dim: int) -> View:
    """Step 4: every pair's hand at one position."""
    frequencies = sinusoidal_frequencies(dim)
    turned = angles([position], frequencies)[0].tolist()
    lengths = wavelengths(frequencies).tolist()
    row = sinusoidal([position], dim)[0]
    last = len(turned) - 1
    return View(
        pictures=tuple(Dial(f"pair {at}", (Hand("", angle),)) for at, angle in enumerate(turned)),
        readings=tuple(
            Reading(f"pair {at}, once in {_length(length)}", angle, _degrees(angle))
            for at, (angle, length) in enumerate(zip(turned, lengths, strict=True))
        ),
        see=f"Pair 0 goes round once in {_length(lengths[0])} positions, pair {last} once in {_length(lengths[-1])}: "
        "fast hands part neighbours, slow ones far positions.",
        say="Take many clocks at geometric speeds, from one turn in 6 positions to one in up to 62,832. Together "
        "they read like the digits of a number.",
        why="Pair i turns by ω = 10000^(-2i/d) a position, so the wavelengths grow from 2π towards 10000·2π in a "
        "geometric row. Like the digits of a number the fast ones say where exactly, the slow ones where roughly. "
        "The slowest clock's wavelength is 10000^((d-2)/d)·2π, below 62,832 for every d.",
        words=tuple(
            f"Pair {at}: frequency {frequency:.4g} rad a position, once round in {_length(length)} positions; "
            f"at p = {position:,} its hand stands at {_degrees(angle)}, sine {row[2 * at]:+z.4f}, "
            f"cosine {row[2 * at + 1]:+z.4f}."
            for at, (frequency, length, angle) in enumerate(
                zip(frequencies.tolist(), lengths, turned, strict=True)
            )
        ),
    )


def shift(position: int, offset: int, dim: int) -> View:
    """Step 6: the hands at p and p + k, and the matrix that leads from one row to the other."""
    frequencies = sinusoidal_frequencies(dim)
    before, after = (line.tolist() for line in angles([position, position + offset], frequencies))
    turns = (offset * frequencies).tolist()
    matrix = shift_matrix(offset, dim)
    rows = sinusoidal([position, position + offset], dim)
    moved = matrix @ rows[0]
    error = float(np.abs(moved - rows[1]).max())
    low = max(position + offset - _TABLE, 0)
    found = low + int(np.argmax(sinusoidal(range(low, position + offset + _TABLE + 1), dim) @ moved))
    if offset == 0:
        see = "k is 0, so nothing turns; give k a value, then move p."
    else:
        ways = "forward" if offset > 0 else "back"
        see = (
            f"{counted(abs(offset), 'position')} {ways}: every pair turns by k times its frequency. "
            "Move p: the hands turn, the wedges stay."
        )
    return View(
        pictures=tuple(
            Dial(
                f"pair {at}",
                (Hand("p", first), Hand("p+k", second)),
                # More than a turn would fill the whole dial; the wedge shows what is left of it.
                (first, first + math.fmod(turn, 2 * math.pi)),
            )
            for at, (first, second, turn) in enumerate(zip(before, after, turns, strict=True))
        ),
        readings=(
            *(Reading(f"pair {at} turns by (rad)", turn, f"{turn:+z.4f}") for at, turn in enumerate(turns)),
            Reading("largest error of R PE(p)", error, small(error)),
            Reading("row nearest to R PE(p)", found, f"{found:,}"),
        ),
        see=see,
        say="PE(p + k) = R PE(p), with a matrix of rotations that depends on k and not on p. So a linear layer can "
        "learn to look k tokens back.",
        why="For each pair (sin, cos) the addition theorems give the block [[cos kω, sin kω], [-sin kω, cos kω]]. On "
        "the order (sin, cos) that is the rotation by -kω in the anticlockwise convention that RoPE is written in; "
        "its transpose leads to p - k instead. Drawn with the cosine across and the sine up, as here, the hand "
        "turns by +kω. A layer can learn this map; that a trained one does is another question.",
        words=(
            *(
                f"Pair {at}: from {_degrees(first)} to {_degrees(second)}, a turn of {turn:+z.4f} rad."
                for at, (first, second, turn) in enumerate(zip(before, after, turns, strict=True))
            ),
            f"R PE({position:,}) and PE({position + offset:,}) differ by {small(error)} at most.",
            f"Of the rows {low:,} to {position + offset + _TABLE:,}, the nearest to R PE({position:,}) is {found:,}.",
        ),
    )
