"""An encoding's numbers as a document: the same arrays as JSON, as CSV and as a table with a heat map."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from textwrap import wrap
from typing import Any

import numpy as np

from quizapp.encodings import alibi, frequencies, relative, rope
from quizapp.encodings import sinusoidal as sinusoidal_rows
from quizapp.encodings.blocks import Rows, csv_rows, csv_table, json_document
from quizapp.encodings.checks import LARGEST_POSITION, EncodingError, whole
from quizapp.encodings.frequencies import Array
from quizapp.encodings.learned import LearnedTable
from quizapp.encodings.text import Table, fit, heat_map, number

# The most numbers that are held at once where a scheme is not written block by block.
LARGEST = 1 << 24
_SHOWN = 24
_MAP_ROWS = 16


@dataclass(frozen=True)
class Document:
    """``arrays`` are the JSON keys of the scheme, ``shape`` is that of the first; ``picture`` is drawn
    darker = greater.
    """

    scheme: str
    parameters: Mapping[str, Any]
    shape: tuple[int, ...]
    arrays: Mapping[str, Any]
    csv: Callable[[], Iterator[bytes]]
    table: Table
    picture: Array | None = None
    notes: tuple[str, ...] = ()
    most_rows: int = _SHOWN

    def json(self) -> Iterator[bytes]:
        """One JSON object, in pieces."""
        return json_document(
            {"scheme": self.scheme, "parameters": self.parameters, "shape": self.shape, **self.arrays}
        )

    def lines(self, *, unicode: bool, width: int = 80) -> list[str]:
        """Title, table, heat map and notes, no wider than ``width``."""
        given = ", ".join(
            f"{key} {_plain(value)}" for key, value in self.parameters.items() if value is not None
        )
        lines = [*wrap(f"{self.scheme}: {given}", width), "", *fit(self.table, width, self.most_rows)]
        if self.picture is not None:
            lines += ["", *heat_map(self.picture, unicode=unicode, width=min(width, 72), height=_MAP_ROWS)]
        return [
            *lines,
            *([""] if self.notes else []),
            *(line for note in self.notes for line in wrap(note, width)),
        ]


def sinusoidal(start: int, stop: int, dim: int, base: float, layout: str) -> Document:
    """Rows of the sinusoidal encoding for positions from ``start`` up to, not including, ``stop``."""
    turning = sinusoidal_rows.sinusoidal_frequencies(dim, base, layout)
    _check_range(start, stop)

    def compute(first: int, last: int) -> Array:
        return sinusoidal_rows.sinusoidal(np.arange(first, last), dim, base, layout)

    def sample(places: Sequence[int]) -> Array:
        return sinusoidal_rows.sinusoidal(places, dim, base, layout)

    rows = Rows(compute, start, stop, dim)
    return Document(
        scheme="sinusoidal",
        parameters={"pos": f"{start}:{stop}", "dim": dim, "base": base, "layout": layout},
        shape=(stop - start, dim),
        arrays={"values": rows},
        csv=lambda: csv_rows(["position", *(f"pe_{index}" for index in range(dim))], rows.blocks()),
        table=_position_table(start, stop, range(dim), sample),
        picture=sample(_spread(start, stop)),
        notes=(f"Longest wavelength {number(float(frequencies.wavelengths(turning)[-1]))} positions.",),
    )


def rotary(
    start: int,
    stop: int,
    dim: int,
    base: float,
    *,
    partial: float | None = None,
    proportional: float | None = None,
) -> Document:
    """Frequencies, angles, cosines and sines of RoPE for positions from ``start`` up to, not including,
    ``stop``.
    """
    if partial is not None and proportional is not None:
        raise EncodingError("partial and proportional rotary exclude each other; give one of them")
    if partial is not None:
        turning = rope.partial_frequencies(dim, partial, base)
    elif proportional is not None:
        turning = rope.proportional_frequencies(dim, proportional, base)
    else:
        turning = frequencies.inverse_frequencies(dim, base)
    _check_range(start, stop)
    pairs = turning.size

    def rows(function: Callable[[Array], Array], width: int = pairs) -> Rows:
        return Rows(
            lambda first, last: function(frequencies.angles(np.arange(first, last), turning)),
            start,
            stop,
            width,
        )

    def side_by_side(turned: Array) -> Array:
        return np.concatenate([turned, np.cos(turned), np.sin(turned)], axis=1)

    header = ["position", *(f"{name}_{index}" for name in ("angle", "cos", "sin") for index in range(pairs))]
    return Document(
        scheme="rope",
        parameters={
            "pos": f"{start}:{stop}",
            "dim": dim,
            "base": base,
            "partial": partial,
            "proportional": proportional,
        },
        shape=(stop - start, pairs),
        arrays={
            "inv_freq": turning,
            "angles": rows(lambda turned: turned),
            "cos": rows(np.cos),
            "sin": rows(np.sin),
        },
        csv=lambda: csv_rows(header, rows(side_by_side, 3 * pairs).blocks()),
        table=_rotary_table(start, stop, turning),
        picture=np.cos(frequencies.angles(_spread(start, stop), turning)),
        notes=("The picture is the cosine: a row a position, a column a pair.",),
    )


def alibi_scheme(heads: int, length: int | None, form: str) -> Document:
    """ALiBi's slopes and, for a length, what is added to the scores."""
    slopes = alibi.alibi_slopes(heads)
    parameters: dict[str, Any] = {"heads": heads}
    if length is None:
        return Document(
            scheme="alibi",
            parameters=parameters,
            shape=slopes.shape,
            arrays={"slopes": slopes},
            csv=lambda: iter([csv_table(["head", "slope"], list(enumerate(slopes.tolist())))]),
            table=Table(
                ("head", "slope", "bias 10 back"),
                tuple(
                    (str(head), f"{slope:.6g}", number(-10 * slope))
                    for head, slope in enumerate(slopes.tolist())
                ),
            ),
            picture=slopes[None, :],
            notes=() if heads & (heads - 1) == 0 else ("Not a power of two: the slopes are not sorted.",),
        )
    _check_size(heads * whole(length, "length", 1) * (length if form == "paper" else 1), "length")
    bias = alibi.alibi_bias(length, heads, form)
    first = bias[0] if form == "paper" else bias
    label = "query" if form == "paper" else "head"
    keys = [f"key_{index}" for index in range(length)]
    flat = bias.reshape(-1, length).tolist()

    def csv() -> Iterator[bytes]:
        if form == "paper":
            rows = [[index // length, index % length, *row] for index, row in enumerate(flat)]
            yield csv_table(["head", "query", *keys], rows)
        else:
            yield csv_table(["head", *keys], [[index, *row] for index, row in enumerate(flat)])

    return Document(
        scheme="alibi",
        parameters={**parameters, "length": length, "form": form},
        shape=bias.shape,
        arrays={"bias": bias, "slopes": slopes},
        csv=csv,
        table=_index_table(label, first),
        picture=first,
        notes=(f"Shown: head 0, slope {slopes[0]:.6g}." if form == "paper" else "A row a head.",),
    )


def t5(start: int, stop: int, buckets: int, max_distance: int, *, bidirectional: bool) -> Document:
    """T5's bucket of each offset (key - query) from ``start`` up to, not including, ``stop``."""
    _check_range(start, stop, least=-LARGEST_POSITION, what="offsets")
    _check_size(stop - start, "offsets")
    offsets = np.arange(start, stop)
    found = relative.t5_buckets(offsets, buckets, max_distance, bidirectional=bidirectional)
    pairs = list(zip(offsets.tolist(), found.tolist(), strict=True))
    return Document(
        scheme="t5",
        parameters={
            "offsets": f"{start}:{stop}",
            "buckets": buckets,
            "max_distance": max_distance,
            "mode": "bidirectional" if bidirectional else "causal",
        },
        shape=found.shape,
        arrays={"buckets": found, "offsets": offsets},
        csv=lambda: iter([csv_table(["offset", "bucket"], pairs)]),
        table=Table(("offsets", "bucket"), _runs(pairs)),
        picture=found[None, :].astype(np.float64),
        notes=("Offset is key - query: negative is a key before the query.",),
    )


def shaw(length: int, clip: int) -> Document:
    """The table row that Shaw's scheme reads for every query (down) and key (across)."""
    size = whole(length, "length", 1)
    _check_size(size * size, "length")
    places = np.arange(size)
    found = relative.shaw_indices(relative.offsets(places, places), clip)
    rows = found.tolist()
    return Document(
        scheme="shaw",
        parameters={"length": size, "clip": clip},
        shape=found.shape,
        arrays={"indices": found, "rows": relative.shaw_rows(clip)},
        csv=lambda: iter(
            [
                csv_table(
                    ["query", *(f"key_{n}" for n in range(size))], [[m, *row] for m, row in enumerate(rows)]
                )
            ]
        ),
        table=_index_table("query", found.astype(np.float64)),
        picture=found.astype(np.float64),
        notes=(
            f"The table has {relative.shaw_rows(clip)} rows: one for each offset from {-clip} to {clip}.",
        ),
    )


def learned(length: int, dim: int, positions: tuple[int, int] | None) -> Document:
    """The size of a learned table; with positions, the rows they read, or an error for the first without
    one.
    """
    table = LearnedTable(length, dim)
    facts = {
        "parameters_count": table.parameters,
        "first_missing_position": table.first_missing,
    }
    arrays: dict[str, Any] = dict(facts)
    if positions is not None:
        start, stop = positions
        _check_range(start, stop)
        if stop > table.first_missing:
            table.row(max(start, table.first_missing))
        arrays["table_rows"] = list(range(start, stop))
    return Document(
        scheme="learned",
        parameters={
            "length": table.rows,
            "dim": table.dim,
            "pos": f"{positions[0]}:{positions[1]}" if positions else None,
        },
        shape=(table.rows, table.dim),
        arrays=arrays,
        csv=lambda: iter([csv_table(list(facts), [list(facts.values())])]),
        table=Table(
            ("rows", "dim", "parameters", "first missing position"),
            ((str(table.rows), str(table.dim), f"{table.parameters:,}", str(table.first_missing)),),
        ),
        notes=("Positions count from 0. Nothing in the table says that 10 is next to 11; training has to.",),
    )


def _check_range(start: int, stop: int, least: int = 0, what: str = "positions") -> None:
    if start < least:
        raise EncodingError(f"{what} start at {least}; {start} is before it")
    if stop <= start:
        raise EncodingError(f"{what} {start}:{stop} are empty; A:B includes A and ends before B")
    if stop > LARGEST_POSITION:
        raise EncodingError(f"{what} beyond 2^53 = {LARGEST_POSITION} are not exact in double precision")


def _check_size(count: int, what: str) -> None:
    if count > LARGEST:
        raise EncodingError(f"that {what} makes {count:,} numbers; at most {LARGEST:,} at a time")


def _plain(value: Any) -> str:
    return number(value) if isinstance(value, float) else str(value)


def _ends(start: int, stop: int) -> list[int]:
    """All positions, or one more than is shown from both ends, so that the table says that some are left
    out.
    """
    if stop - start <= _SHOWN:
        return list(range(start, stop))
    half = _SHOWN // 2
    return [*range(start, start + half + 1), *range(stop - half, stop)]


def _spread(start: int, stop: int) -> list[int]:
    if stop - start <= _MAP_ROWS:
        return list(range(start, stop))
    return [start + index * (stop - start - 1) // (_MAP_ROWS - 1) for index in range(_MAP_ROWS)]


def _position_table(
    start: int, stop: int, names: Sequence[int], sample: Callable[[Sequence[int]], Array]
) -> Table:
    places = _ends(start, stop)
    return Table(
        ("pos", *map(str, names)),
        tuple(
            (str(place), *(f"{value:.4f}" for value in row))
            for place, row in zip(places, sample(places).tolist(), strict=True)
        ),
    )


def _rotary_table(start: int, stop: int, turning: Array) -> Table:
    """One position: a row a pair. Several: the angles, a row a position."""
    if stop - start > 1:
        return _position_table(
            start, stop, range(turning.size), lambda places: frequencies.angles(places, turning)
        )
    turned = frequencies.angles(start, turning)[0]
    return Table(
        ("pair", "inv_freq", "wavelength", "angle", "cos", "sin"),
        tuple(
            (
                str(pair),
                f"{turning[pair]:.6g}",
                number(float(frequencies.wavelengths(turning)[pair])),
                number(float(turned[pair])),
                f"{np.cos(turned[pair]):.6f}",
                f"{np.sin(turned[pair]):.6f}",
            )
            for pair in range(turning.size)
        ),
    )


def _index_table(label: str, grid: Array) -> Table:
    rows = enumerate(grid.tolist())
    return Table(
        (label, *map(str, range(grid.shape[1]))),
        tuple(
            (str(index), *(number(value) if np.isfinite(value) else "-" for value in row))
            for index, row in rows
        ),
    )


def _runs(pairs: Sequence[tuple[int, int]]) -> tuple[tuple[str, str], ...]:
    """Neighbouring offsets of one bucket joined to one row."""
    runs: list[tuple[int, int, int]] = []
    for offset, bucket in pairs:
        if runs and runs[-1][2] == bucket:
            runs[-1] = (runs[-1][0], offset, bucket)
        else:
            runs.append((offset, offset, bucket))
    return tuple((str(a) if a == b else f"{a} to {b}", str(bucket)) for a, b, bucket in runs)
