"""xPos and M-RoPE as documents: the same arrays as JSON, as CSV and as a table."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from quizapp.encodings import frequencies, mrope
from quizapp.encodings import xpos as scaled
from quizapp.encodings.blocks import csv_table
from quizapp.encodings.checks import LARGEST_POSITION, EncodingError
from quizapp.encodings.documents import LARGEST, Document
from quizapp.encodings.text import Table, number


def xpos(start: int, stop: int, dim: int, base: float, scale_base: float) -> Document:
    """Frequencies, shares and scales of xPos for positions from ``start`` up to, not including, ``stop``."""
    turning = frequencies.inverse_frequencies(dim, base)
    if stop <= start or start < 0:
        raise EncodingError(f"positions {start}:{stop} are empty or negative; 0:16 is from 0 to 15")
    if stop > LARGEST_POSITION or (stop - start) * dim > LARGEST:
        raise EncodingError(
            f"positions {start}:{stop} with dim {dim} make too many numbers; at most {LARGEST:,}"
        )
    places = np.arange(start, stop)
    shares, queries = scaled.zeta(dim), scaled.scales(places, dim, scale_base)
    with np.errstate(divide="ignore", over="ignore"):
        keys = 1.0 / queries
    if not np.isfinite(keys).all():
        raise EncodingError(
            f"at position {stop - 1} and scale base {scale_base:g} a scale is too small for a float; "
            "use a larger scale base, or positions nearer to 0"
        )
    rows = [
        [int(place), pair, turning[pair], shares[pair], queries[row, pair], keys[row, pair]]
        for row, place in enumerate(places)
        for pair in range(turning.size)
    ]
    names = ("position", "pair", "inv_freq", "zeta", "query_scale", "key_scale")
    return Document(
        scheme="xpos",
        parameters={
            "pos": f"{start}:{stop}",
            "dim": dim,
            "base": float(base),
            "scale_base": float(scale_base),
        },
        shape=queries.shape,
        arrays={
            "inv_freq": turning,
            "zeta": shares,
            "query_scale": queries,
            "key_scale": keys,
        },
        csv=lambda: iter([csv_table(names, rows)]),
        table=Table(
            tuple(name.replace("_", " ") for name in names),
            tuple(
                (str(row[0]), str(row[1]), f"{row[2]:.6g}", *(number(value) for value in row[3:]))
                for row in rows
            ),
        ),
        notes=(
            "A query's pair is multiplied by zeta^(m / scale base), a key's divided by zeta^(n / scale "
            "base): the score of pair i is RoPE's times zeta_i^((m - n) / scale base). It shrinks with "
            "distance for keys before the query and grows for keys after it, so xPos is for causal models.",
        ),
    )


def multimodal(
    blocks: Sequence[mrope.Block], sections: Sequence[int], base: float, *, interleaved: bool
) -> Document:
    """M-RoPE's three positions of every token, and the axis and frequency of every pair."""
    ids = mrope.position_ids(blocks)
    axes = mrope.axis_of_pairs(sections, interleaved=interleaved)
    if not axes.size:
        raise EncodingError("sections 0, 0, 0 leave no pair; Qwen2-VL has 16, 24, 24")
    turning = frequencies.inverse_frequencies(2 * axes.size, base)
    tokens = ids.shape[1]
    after = int(ids.max()) + 1
    kinds = [
        kind
        for block in blocks
        for kind in (["text"] * block if isinstance(block, int) else ["vision"] * int(np.prod(block)))
    ]
    parameters: dict[str, Any] = {
        "blocks": ",".join(
            str(block) if isinstance(block, int) else "x".join(map(str, block)) for block in blocks
        ),
        "sections": ",".join(map(str, sections)),
        "interleaved": interleaved,
        "base": float(base),
    }
    rows = [[token, kinds[token], *ids[:, token].tolist()] for token in range(tokens)]
    names = ("token", "kind", *mrope.AXES)
    counts = ", ".join(
        f"{int(np.count_nonzero(axes == axis))} {name}" for axis, name in enumerate(mrope.AXES)
    )
    return Document(
        scheme="mrope",
        parameters=parameters,
        shape=ids.shape,
        arrays={
            "position_ids": ids,
            "axis_of_pair": axes,
            "inv_freq": turning,
            "next_position": after,
            "delta": after - tokens,
        },
        csv=lambda: iter([csv_table(names, rows)]),
        table=Table(names, tuple(tuple(map(str, row)) for row in rows)),
        notes=(
            f"The next token stands at {after}; {tokens} tokens came before, so the delta is "
            f"{after - tokens}.",
            f"Pairs by axis: {counts}, {'dealt in turn' if interleaved else 'time the fastest'}.",
        ),
    )
