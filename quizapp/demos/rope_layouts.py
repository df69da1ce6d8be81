"""RoPE's third step: the two memory layouts of the pairs, the permutation between them, and what mixing them does."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache

import numpy as np

from quizapp.demos.model import Choice, Control, Matrix, Number, Reading, Value, View
from quizapp.encodings import rope
from quizapp.encodings.frequencies import Array, inverse_frequencies

DIM = 8
FREQUENCIES_BASE = 10000.0
# One query and one key of a model whose weights write interleaved pairs.
QUERY = (0.5, -1.0, 0.8, 0.3, -0.6, 1.2, 0.4, -0.7)
KEY = (0.9, 0.2, -0.5, 1.1, 0.7, -0.4, 0.6, 1.0)

AGREE = "interleaved"
MIXED = "half split"
PERMUTED = "permuted first"

_CODES = {
    AGREE: "The code turns interleaved pairs too:",
    MIXED: "The code turns half-split pairs of what it finds:",
    PERMUTED: "q and k are permuted, then the code turns half-split pairs:",
}


def controls() -> tuple[Control, ...]:
    return (
        Number("coordinate", "coordinate", 0, DIM - 1, 2, leap=1),
        Choice("code", "code", (AGREE, MIXED, PERMUTED), MIXED),
        Number("m", "query at m", 0, 99, 7),
        Number("n", "key at n", 0, 99, 4),
    )


@lru_cache
def partner(coordinate: int, dim: int, layout: str) -> int:
    """The coordinate that a layout turns together with this one, found by turning it alone by a right angle."""
    unit = np.eye(dim)[coordinate][None, :]
    turned = rope.rotate(unit, [1], np.full(dim // 2, np.pi / 2), layout)[0]
    return int(np.argmax(np.abs(turned)))


@lru_cache
def pair_of(coordinate: int, dim: int, layout: str) -> int:
    """The pair that a coordinate belongs to, found by turning each pair in turn."""
    unit = np.eye(dim)[coordinate][None, :]
    for pair in range(dim // 2):
        if rope.rotate(unit, [1], np.eye(dim // 2)[pair] * np.pi, layout)[0, coordinate] < 0.0:
            return pair
    raise AssertionError("every coordinate belongs to a pair")


def turned(vector: tuple[float, ...], position: int, code: str) -> Array:
    """The vector, written interleaved, as the chosen code turns it at a position; in the order it lies in memory."""
    stored = np.asarray(vector)
    if code == PERMUTED:
        stored = stored[rope.half_split_order(len(vector))]
    layout = "interleaved" if code == AGREE else "half-split"
    frequencies = inverse_frequencies(len(vector), FREQUENCIES_BASE)
    result: Array = rope.rotate(stored[None, :], [position], frequencies, layout)[0]
    return result


def score(m: int, n: int, code: str) -> float:
    return float(turned(QUERY, m, code) @ turned(KEY, n, code))


def view(values: Mapping[str, Value]) -> View:
    coordinate, m, n = int(values["coordinate"]), int(values["m"]), int(values["n"])
    code = str(values["code"])
    order = rope.half_split_order(DIM).tolist()
    partners = {layout: partner(coordinate, DIM, layout) for layout in rope.LAYOUTS}
    interleaved, half = partners["interleaved"], partners["half-split"]
    right, found = score(m, n, AGREE), score(m, n, code)
    off = found - right
    here = turned(QUERY, m, code)
    inter = {coordinate, interleaved}
    split = {coordinate, half}
    cells = tuple(
        (
            f"pair {pair_of(row, DIM, 'interleaved')}{' *' if row in inter else ''}",
            f"pair {pair_of(row, DIM, 'half-split')}{' *' if row in split else ''}",
            str(order[row]),
            f"{QUERY[row]:.1f}",
            f"{here[row]:z.4f}",
        )
        for row in range(DIM)
    )
    return View(
        pictures=(
            Matrix(
                "Eight coordinates in memory; * turn together",
                cells,
                tuple(map(str, range(DIM))),
                ("interleaved", "half split", "taken from", "q", "q turned"),
                cursor=(coordinate, 0),
                marked=(*((row, 0) for row in sorted(inter)), *((row, 1) for row in sorted(split))),
            ),
        ),
        readings=(
            Reading("score", found, f"{found:z.6f}"),
            Reading("right score", right, f"{right:z.6f}"),
            Reading("error", off, f"{_clean(off):z.6f}"),
            Reading("interleaved partner", interleaved, str(interleaved)),
            Reading("half-split partner", half, str(half)),
        ),
        see=_see(coordinate, interleaved, half, m, n, code, off),
        say=(
            "There are two layouts: 2i with 2i + 1 (the paper, Meta's Llama), or i with i + d/2 (Hugging Face). "
            "They are one fixed permutation apart; mix weights of one with code of the other and scores are wrong."
        ),
        why=(
            "Permuting the rows of W_q and W_k to evens, then odds, makes half-split code give the scores "
            "that interleaved code gives without it: turning and reordering commute. Converters do it; with "
            "grouped-query attention they must count k's own, fewer heads. Code of the wrong layout pairs "
            "coordinates of different clocks. It still turns everything by the position, so its scores "
            "still depend on n - m alone, and at m = n they are exact. That is why tests with one token, "
            "with position 0 or with shifted positions pass, and the error shows only between different "
            "positions."
        ),
        words=(
            f"Coordinate {coordinate} is turned together with {interleaved} in the interleaved layout, where "
            f"they are pair {pair_of(coordinate, DIM, 'interleaved')}, and with {half} in the half-split "
            f"layout, where they are pair {pair_of(coordinate, DIM, 'half-split')}.",
            "Half split takes its coordinates from the interleaved ones in the order "
            f"{', '.join(map(str, order))}.",
            f"The weights write interleaved pairs: q = {', '.join(f'{value:g}' for value in QUERY)}.",
            f"{_CODES[code]} q turned at {m} is {', '.join(f'{value:z.4f}' for value in here)}.",
            f"The score of q at {m} and k at {n} is {found:z.6f}; the right one is {right:z.6f}.",
        ),
    )


def _see(coordinate: int, interleaved: int, half: int, m: int, n: int, code: str, off: float) -> str:
    pairs = f"Coordinate {coordinate} turns with {interleaved} if interleaved, with {half} if half split."
    match code:
        case "half split" if m == n:
            return f"{pairs} The layouts are mixed, yet at m = n the score is exact: nothing shows."
        case "half split":
            return f"{pairs} Mixed, the score at {m} and {n} is off by {off:+z.4f}."
        case "permuted first":
            return f"{pairs} With q and k permuted first, half-split code gives the right score."
    return f"{pairs} Weights and code agree here, so the score is right."


def _clean(value: float) -> float:
    """Zero for what is only the noise of double precision."""
    return 0.0 if abs(value) < 1e-12 else value
