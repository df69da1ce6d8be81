"""Whole numbers in short floats: positions that collide, and T5's buckets by a rounded logarithm."""

from __future__ import annotations

import math
from collections.abc import Mapping

import numpy as np

from quizapp.demos.model import Control, Matrix, Number, Reading, Value, View
from quizapp.demos.wording import counted, listed
from quizapp.encodings import precision, relative

FARTHEST = 131072
SHORT = ("bfloat16", "float16", "float32")
_ROWS = 8
BUCKETS, FURTHEST = 32, 128


def position_controls() -> tuple[Control, ...]:
    return (Number("position", "position", 0, FARTHEST, 257, leap=100),)


def positions(values: Mapping[str, Value]) -> View:
    position = int(values["position"])
    first = max(position - 3, 0)
    rows = np.arange(first, first + _ROWS)
    stored = {name: precision.to_format(rows, name) for name in SHORT}
    here = {name: float(precision.to_format(position, name)) for name in SHORT}
    marked = tuple(
        (row, column)
        for column, name in enumerate(SHORT)
        for row in range(_ROWS)
        if stored[name][row] != rows[row]
    )
    cells = tuple(
        tuple(_cell(float(stored[name][row]), int(rows[row])) for name in SHORT) for row in range(_ROWS)
    )
    different = {
        name: np.unique(precision.to_format(np.arange(position + 1), name)).size for name in SHORT[:2]
    }
    return View(
        pictures=(
            Matrix(
                "each position as it is stored (* not itself)",
                cells,
                tuple(f"{row:,}" for row in rows.tolist()),
                SHORT,
                cursor=(position - first, 0),
                marked=marked,
            ),
        ),
        readings=(
            *(Reading(name, here[name], _plain(here[name])) for name in SHORT),
            *(
                Reading(f"apart, {name}", count, f"{count:,} of {position + 1:,}")
                for name, count in different.items()
            ),
        ),
        see=_see(position, here, different["bfloat16"]),
        say=(
            "bfloat16 has 8 significant bits and counts without a gap to 256 only, float16 has 11 and "
            "counts to 2,048 and ends at 65,504. Beyond, neighbouring positions become one."
        ),
        why=(
            "With p significant bits all whole numbers up to 2^p are exact; 2^p + 1 is the first that is "
            "lost: 257 in bfloat16, 2,049 in float16, 16,777,217 in float32. Beyond, the gap doubles with "
            "every power of two. A position tensor that is cast to the model's 16-bit type, or to that of "
            "its frequencies, collapses there before any angle is computed. Positions belong in integers, "
            "angles in float32 at least; the cosines may be rounded at the end. Float16 has no number "
            "beyond 65,504 but infinity."
        ),
        words=(
            *(
                f"Position {position:,} is {_plain(here[name])} in {name}; the first whole number that is "
                f"lost there is {precision.first_lost_position(name):,}."
                for name in SHORT
            ),
            *(
                f"Of the {counted(position + 1, 'position')} up to {position:,}, {name} keeps {count:,} apart."
                for name, count in different.items()
            ),
            *(
                f"Stored in {name}, from {rows[0]:,} on: "
                f"{', '.join(_plain(value) for value in stored[name].tolist())}."
                for name in SHORT
            ),
        ),
    )


def _see(position: int, here: Mapping[str, float], apart: int) -> str:
    wrong = [f"{name} makes {_plain(here[name])} of it" for name in SHORT if here[name] != position]
    right = [name for name in SHORT if here[name] == position]
    held = f"{listed(right)} {'holds' if len(right) == 1 else 'hold'} position {position:,}" if right else ""
    if not wrong and apart == position + 1:
        return f"{held} exactly. Move on, and watch which format loses a position first."
    if not wrong:
        return (
            f"{held} exactly, but others have been lost before: of {position + 1:,} positions bfloat16 keeps "
            f"{apart:,} apart."
        )
    return f"{held}; {listed(wrong)}."


def bucket_controls() -> tuple[Control, ...]:
    return (Number("distance", "distance", 8, 127, 16, leap=8),)


def buckets(values: Mapping[str, Value]) -> View:
    distance = int(values["distance"])
    first = max(distance - 3, 1)
    rows = np.arange(first, first + _ROWS)
    names = ("exact", *SHORT)
    found = {name: _buckets(rows, name) for name in names}
    cells = tuple(
        tuple(
            f"{found[name][row]}{' *' if found[name][row] != found['exact'][row] else ''}" for name in names
        )
        for row in range(_ROWS)
    )
    everywhere = np.arange(201)
    wrong = {
        name: np.flatnonzero(_buckets(everywhere, name) != _buckets(everywhere, "exact")) for name in SHORT
    }
    here = {name: int(_buckets(np.array([distance]), name)[0]) for name in names}
    lost = ", ".join(map(str, wrong["bfloat16"].tolist()))
    return View(
        pictures=(
            Matrix(
                "T5's bucket by distance (* wrong)",
                cells,
                tuple(map(str, rows.tolist())),
                names,
                cursor=(distance - first, 0),
                marked=tuple(
                    (row, column)
                    for column, name in enumerate(names)
                    for row in range(_ROWS)
                    if found[name][row] != found["exact"][row]
                ),
            ),
        ),
        readings=(
            *(Reading(f"bucket, {name}", here[name], str(here[name])) for name in names),
            *(Reading(f"wrong in {name}", len(wrong[name]), str(len(wrong[name]))) for name in SHORT),
        ),
        see=(
            f"Distance {distance}: bucket {here['exact']}, by bfloat16 {here['bfloat16']}. Up to 200 "
            f"bfloat16 puts distances {lost} into the wrong bucket, float16 and float32 none."
        ),
        say=(
            "T5's buckets take the floor of a logarithm. Round the logarithm to bfloat16 and distances at "
            "the edge of a bucket fall over it: keep that computation in float32."
        ),
        why=(
            "Half of the buckets of a direction hold one distance each; the others grow with the logarithm "
            "up to 128. At the start of a bucket the logarithm is close to a whole number, and 8 bits "
            "cannot tell which side. Rounded here is every step of transformers' code, in its order, with "
            "constants in double precision. The exact buckets are computed in whole numbers, without a "
            "logarithm. Bidirectional: the distance of a key before the query; one after it has 16 more."
        ),
        words=(
            *(f"Distance {distance} falls into bucket {here[name]} by {name} arithmetic." for name in names),
            f"From {rows[0]} on, exact: {', '.join(map(str, found['exact'].tolist()))}; "
            f"bfloat16: {', '.join(map(str, found['bfloat16'].tolist()))}.",
            f"Up to distance 200 bfloat16 is wrong at {lost}.",
        ),
    )


def _buckets(distances: relative.Indices, name: str) -> relative.Indices:
    if name == "exact":
        return relative.t5_buckets(-distances, BUCKETS, FURTHEST)
    return relative.t5_buckets_rounded(-distances, name, BUCKETS, FURTHEST)


def _cell(stored: float, position: int) -> str:
    return _plain(stored) + (" *" if stored != position else "")


def _plain(value: float) -> str:
    return f"{value:,.0f}" if math.isfinite(value) else "infinity"
