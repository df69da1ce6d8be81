"""T5's buckets over the offsets: near distances exact, far ones shared, all beyond the last in one."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from quizapp.demos.model import Choice, Control, Curve, Curves, Number, Reading, Value, View
from quizapp.demos.offsets_grid import diagonals, grid, scaled, signed
from quizapp.demos.wording import counted, quoted
from quizapp.encodings.relative import Indices, t5_buckets

BOTH, CAUSAL = "both ways", "causal"
BUCKETS = ("32", "16", "8")
FURTHEST = 512

_SAY = (
    "T5 learns one number for each bucket of offsets and head. Near offsets have a bucket of their own, farther "
    "ones share in a logarithmic way, and everything beyond shares the last."
)
_WHY = (
    "Half of the buckets of a direction are exact; a distance n from e on falls in bucket e + "
    "⌊ln(n/e)/ln(L/e)·(c - e)⌋, at most c - 1, with c buckets a direction, e = c/2 exact ones and L the largest "
    "distance. So the last bucket starts before L: with 32 buckets and L = 128 at 91 in an encoder, at 113 in a "
    "decoder. Before and after are told apart, -1 and +1 by different buckets; in the causal form all later keys "
    "would share bucket 0, and the mask hides them. The numbers belong to a head and are shared by all layers; "
    "T5's scores are not divided by √d."
)


def controls() -> tuple[Control, ...]:
    return (
        Choice("direction", "direction", (BOTH, CAUSAL), BOTH),
        Choice("buckets", "buckets", BUCKETS, BUCKETS[0]),
        Number("furthest", "largest distance", 20, FURTHEST, 128, step=4, leap=32),
    )


def offset_control() -> Control:
    return Number("distance", "distance", 0, FURTHEST, 91, leap=10)


class Buckets:
    """The buckets of one choice of sizes."""

    def __init__(self, values: Mapping[str, Value]) -> None:
        self.both = str(values["direction"]) == BOTH
        self.buckets, self.furthest = int(values["buckets"]), int(values["furthest"])
        # Far enough that the last bucket is seen to begin.
        self.before = self.of(-np.arange(self.furthest + 2))
        self.after = self.of(np.arange(self.furthest + 2))

    def of(self, offset: Indices) -> Indices:
        return t5_buckets(offset, self.buckets, self.furthest, bidirectional=self.both)

    @property
    def last_from(self) -> int:
        """The smallest distance in the last bucket."""
        return int(np.argmax(self.before == self.before[-1]))

    @property
    def exact(self) -> int:
        """The largest distance up to which each has its own bucket."""
        _, first, counts = np.unique(self.before, return_index=True, return_counts=True)
        return int(first[counts > 1].min()) - 1

    def shared(self, offset: Indices) -> NDArray[np.bool_]:
        """Whether other distances fall into the same bucket; shape of ``offset``."""
        counts = np.bincount(self.before)
        distance = np.minimum(np.abs(offset), self.before.size - 1)
        return np.asarray(counts[self.before[distance]] > 1)

    def distances(self, bucket: int) -> str:
        """Which distances the keys before the query have in that bucket."""
        found = np.flatnonzero(self.before == bucket)
        if not found.size:
            found = np.flatnonzero(self.after == bucket)
        if found[-1] == self.before.size - 1:
            return f"{found[0]} and beyond"
        return str(found[0]) if found.size == 1 else f"{found[0]} to {found[-1]}"

    def readings(self) -> tuple[Reading, ...]:
        before, after = int(self.before[1]), int(self.after[1])
        return (
            Reading("before, after", after - before, f"{before} and {after}, {after - before:+d}"),
            Reading("exact up to distance", self.exact, str(self.exact)),
            Reading("last bucket from", self.last_from, str(self.last_from)),
        )

    def words(self) -> str:
        return (
            f"{self.buckets} buckets, {BOTH if self.both else CAUSAL}, largest distance {self.furthest}: "
            f"distances up to {self.exact} are exact, from {self.last_from} on all share bucket "
            f"{int(self.before[-1])} before the query."
        )


def view(values: Mapping[str, Value]) -> View:
    """The bucket of each pair of words."""
    held, made = grid(values), Buckets(values)
    table = made.of(held.offsets)
    shared = made.shared(held.offsets)
    hidden = (held.offsets > 0) & (not made.both)
    cells = [
        [
            "·" if masked else f"{bucket}*" if also else str(bucket)
            for bucket, also, masked in zip(*row, strict=True)
        ]
        for row in zip(table.tolist(), shared.tolist(), hidden.tolist(), strict=True)
    ]
    signs = ["* shared"] * bool((shared & ~hidden).any()) + ["· masked"] * bool(hidden.any())
    marked = tuple((int(i), int(j)) for i, j in np.argwhere(shared & ~hidden))
    picture = held.matrix("; ".join(["T5's bucket", *signs]), cells, scaled(table), marked)
    bucket = int(table[held.query, held.key])
    masked = bool(hidden[held.query, held.key])
    readings = (
        held.offset_reading(),
        Reading("bucket", bucket, "masked" if masked else str(bucket)),
        *made.readings(),
        diagonals(table),
    )
    if len(held.words) == 1:
        see = "One word: offset 0, bucket 0. Type a longer sentence."
    elif marked:
        see = (
            f"Distances up to {made.exact} are exact; {counted(len(marked), 'pair')} farther apart fall into "
            f"shared buckets. Row of {quoted(held.words[held.query], 12)}: {' '.join(cells[held.query])}."
        )
    else:
        see = (
            f"In so short a sentence each offset has its own bucket. Row of {quoted(held.words[held.query], 12)}: "
            f"{' '.join(cells[held.query])}."
        )
    lines = (*held.heads(), made.words(), held.line(cells[held.query]))
    return View((picture,), readings, see, _SAY, _WHY, lines)


def far(values: Mapping[str, Value]) -> View:
    """The buckets against the distance, far beyond a sentence."""
    made = Buckets(values)
    distance = int(values["distance"])
    places = np.arange(1, max(made.furthest + made.furthest // 2, distance + 1))
    curves = [Curve("keys before", places.tolist(), made.of(-places).tolist())]
    if made.both:
        curves.append(Curve("keys after", places.tolist(), made.of(places).tolist()))
    before, after = (int(made.of(np.array([sign * distance]))[0]) for sign in (-1, 1))
    if distance:
        curves.append(Curve("here", [distance], [before]))
    picture = Curves("bucket against distance", tuple(curves), "distance", "bucket", log_x=True)
    beside = made.distances(before)
    readings = (
        Reading("distance", distance, str(distance)),
        Reading("bucket, key before", before, str(before)),
        *((Reading("bucket, key after", after, str(after)),) if made.both else ()),
        *made.readings(),
    )
    if distance >= made.last_from:
        which = "all keys of a side share its last bucket" if made.both else "all keys share the last bucket"
        see = f"Distance {distance} is merely far: from {made.last_from} on {which}."
    elif not made.shared(np.array([distance]))[0]:
        # With buckets to spare the logarithm gives some distances their own, behind others that share.
        starts = f"sharing {'starts' if distance <= made.exact else 'started'} at {made.exact + 1}"
        see = f"Distance {distance} has a bucket of its own; {starts}."
    else:
        see = (
            f"Distance {distance} is known roughly: its bucket holds {beside}; from {made.last_from} on all share "
            "one."
        )
    lines = (
        made.words(),
        *(
            f"Bucket {bucket}, key before: distance {made.distances(int(bucket))}."
            for bucket in np.unique(made.before)
        ),
        f"Offset {signed(-distance)} is in bucket {before}"
        + (
            f", offset {signed(distance)} in bucket {after}."
            if made.both
            else ", keys after the query are masked."
        ),
    )
    return View((picture,), readings, see, _SAY, _WHY, lines)
