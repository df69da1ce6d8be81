"""The numbers of one row, and one column over the positions."""

from __future__ import annotations

import math

import numpy as np

from quizapp.demos.model import Bar, Bars, Curve, Curves, Reading, View
from quizapp.demos.wording import counted, fixed
from quizapp.encodings.frequencies import angles, wavelengths
from quizapp.encodings.sinusoidal import sinusoidal, sinusoidal_frequencies

# Positions over which one column is drawn.
POSITIONS = 200
# Two values of a column that differ by less are taken for the same here.
_ALIKE = 0.01


def wave(column: int, dim: int, layout: str) -> tuple[str, int]:
    """``sin`` or ``cos``, and the pair, of a column."""
    if layout == "interleaved":
        return ("cos" if column % 2 else "sin"), column // 2
    return ("sin", column) if column < dim // 2 else ("cos", column - dim // 2)


def row(position: int, column: int, dim: int, base: int, layout: str) -> View:
    """Step 1: every number of PE(p)."""
    entries = sinusoidal([position], dim, base, layout)[0].tolist()
    frequencies = sinusoidal_frequencies(dim, base, layout)
    turned = angles([position], frequencies)[0].tolist()
    length = wavelengths(frequencies).tolist()
    function, pair = wave(column, dim, layout)
    named = [wave(at, dim, layout) for at in range(dim)]
    bars = tuple(
        Bar(f"{at} {name} {of}", value, f"{value:+z.5f}", "chosen" if at == column else "")
        for at, (value, (name, of)) in enumerate(zip(entries, named, strict=True))
    )
    norm = math.sqrt(math.fsum(value * value for value in entries))
    return View(
        pictures=(Bars(f"PE({position:,}): column, wave and pair", bars, -1, 1),),
        readings=(
            Reading(f"{function} of pair {pair}", entries[column], f"{entries[column]:+z.12f}"),
            Reading("its frequency", float(frequencies[pair]), f"{frequencies[pair]:.8g}"),
            Reading("its angle p·ω (rad)", turned[pair], f"{turned[pair]:.8g}"),
            Reading("its wavelength", length[pair], f"{length[pair]:,.2f}"),
            Reading("norm of the row", norm, f"{norm:.8f}"),
            Reading("√(d/2)", math.sqrt(dim / 2), f"{math.sqrt(dim / 2):.8f}"),
        ),
        see=f"Column {column} is {function}(p·ω) = {function}({turned[pair]:.10g}) = {fixed(entries[column], 5)}; "
        "the norm of the row is √(d/2) at every position.",
        say=f"{_rule(base, layout)}: bounded, no parameters, and defined at every position.",
        why="The paper interleaves sine and cosine. Other code puts all sines first: the same numbers in another "
        "order. tensor2tensor, the authors' own code, has the exponent i/(d/2 - 1) as well, so its frequencies "
        "differ and no reordering helps. A larger base slows every pair but the first. That a row exists at a "
        "million does not say that a model trained to 512 does anything sensible with it.",
        words=(
            f"PE({position:,}) with d = {dim}, base {base:,}, {layout}:",
            *(
                f"column {at}, {name} of pair {of}: {value:+z.6f}"
                for at, (value, (name, of)) in enumerate(zip(entries, named, strict=True))
            ),
            f"The norm is {norm:.8f}.",
        ),
    )


def _rule(base: int, layout: str) -> str:
    exponent = "-i/(d/2 - 1)" if layout == "tensor2tensor" else "-2i/d"
    order = (
        "Sine on the even columns, cosine on the odd ones"
        if layout == "interleaved"
        else "All sines, then all cosines"
    )
    return f"{order}, with frequencies {base}^({exponent})"


def one_column(position: int, column: int, dim: int) -> View:
    """Step 3: one column over many positions, and how far it tells them apart."""
    rows = sinusoidal(range(POSITIONS), dim)
    curve = rows[:, column]
    value = float(curve[position])
    same = [at for at in np.flatnonzero(np.abs(curve - value) < _ALIKE).tolist() if at != position]
    distances = np.linalg.norm(rows - rows[position], axis=1)
    distances[position] = np.inf
    nearest, gap = int(np.argmin(distances)), float(distances.min())
    function, pair = wave(column, dim, "interleaved")
    listed = ", ".join(map(str, same[:12])) + (" and more" if len(same) > 12 else "")
    if same:
        see = (
            f"Column {column} has this value, within {_ALIKE}, at {counted(len(same), 'other position')} below "
            f"{POSITIONS}; the nearest other row is still {gap:.3f} away."
        )
    else:
        see = (
            f"Here no other position below {POSITIONS} has this value within {_ALIKE}; move p or the column: "
            "most values come back."
        )
    return View(
        pictures=(
            Curves(
                f"column {column}: {function} of pair {pair}, d = {dim}",
                (
                    Curve(f"column {column}", list(range(POSITIONS)), curve.tolist()),
                    Curve(f"p = {position}", [position], [value]),
                ),
                "position",
                "value",
            ),
        ),
        readings=(
            Reading(f"column {column} at p", value, f"{value:+z.6f}"),
            Reading(f"others within {_ALIKE}", len(same), str(len(same))),
            Reading("nearest other row", nearest, str(nearest)),
            Reading("its distance", gap, f"{gap:.4f}"),
        ),
        see=see,
        say="No single coordinate means 'this is token one'. A fast column repeats, a slow one hardly moves; only the "
        "whole row names the position.",
        why="A fast pair takes nearly the same value every few positions, a slow one hardly differs between "
        "neighbours. Sine and cosine together fix the angle of a pair, and all pairs together the position, as the "
        "digits of a number do.",
        words=(
            f"Column {column} at {position} is {value:+z.6f}.",
            f"Within {_ALIKE} of it below {POSITIONS}: {listed or 'no other position'}.",
            f"The row nearest to row {position} is row {nearest}, at a distance of {gap:.4f}.",
            "Values: " + ", ".join(f"{at}: {curve[at]:+z.3f}" for at in range(0, POSITIONS, 20)) + ".",
        ),
    )
