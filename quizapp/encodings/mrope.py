"""M-RoPE (Qwen2-VL): three positions a token, for time, height and width, and a share of the pairs for each."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from quizapp.encodings.checks import EncodingError, whole
from quizapp.encodings.frequencies import Array

AXES = ("time", "height", "width")
# Pairs of each axis in a head of 128.
QWEN2_VL = (16, 24, 24)
QWEN3_VL = (24, 20, 20)
# The most tokens of all blocks together.
LARGEST = 1 << 18

Indices = NDArray[np.int64]
# A run of text tokens, or a block of vision: frames, rows and columns, after patches are merged.
Block = int | tuple[int, int, int]


def position_ids(blocks: Sequence[Block]) -> Indices:
    """Time, height and width of every token; shape (3, tokens).

    Text has the same number three times and goes on from there. A vision block counts its three axes from where it
    starts; what follows starts behind the largest of them. Source: Wang et al. 2024 (Qwen2-VL); transformers,
    get_rope_index. Raises EncodingError for an empty block.
    """
    if not blocks:
        raise EncodingError("M-RoPE needs at least one block of text or vision")
    parts: list[Indices] = []
    start = total = 0
    for block in blocks:
        given = (block,) if isinstance(block, int) else block
        sizes = tuple(whole(size, "tokens of a block", 1, LARGEST) for size in given)
        total += int(np.prod(sizes, dtype=object))
        if total > LARGEST:
            raise EncodingError(f"the blocks have more than {LARGEST:,} tokens; use fewer")
        grid = np.indices(sizes, dtype=np.int64).reshape(len(sizes), -1)
        parts.append(start + (np.repeat(grid, 3, axis=0) if len(sizes) == 1 else grid))
        start += max(sizes)
    return np.concatenate(parts, axis=1)


def axis_of_pairs(sections: Sequence[int] = QWEN2_VL, *, interleaved: bool = False) -> Indices:
    """Which axis each pair follows: 0 time, 1 height, 2 width; shape (sum of sections,).

    In blocks, as Qwen2-VL has it: time takes the fastest pairs. ``interleaved`` (Qwen3-VL) deals them in turn, so that
    every axis gets fast and slow ones; the pairs left over go to time. Raises EncodingError where they cannot be dealt.
    """
    if len(sections) != 3:
        raise EncodingError(f"M-RoPE has 3 sections (time, height, width), not {len(sections)}")
    time, height, width = (whole(section, "section", 0, LARGEST) for section in sections)
    if not interleaved:
        return np.repeat(np.arange(3), (time, height, width))
    pairs = time + height + width
    axes = np.zeros(pairs, dtype=np.int64)
    for axis, size in ((1, height), (2, width)):
        places = np.arange(axis, 3 * size, 3)
        if size and places[-1] >= pairs:
            raise EncodingError(
                f"sections {time}, {height}, {width} cannot be interleaved: {AXES[axis]} has more than a third"
            )
        axes[places] = axis
    return axes


def angles(ids: Indices, frequencies: Array, axes: Indices) -> Array:
    """The angle of every pair: the position on its own axis times its frequency; shape (tokens, pairs).

    Raises EncodingError where frequencies and axes differ in number.
    """
    if frequencies.shape != axes.shape:
        raise EncodingError(
            f"{axes.size} pairs have an axis and {frequencies.size} a frequency; they must agree"
        )
    result: Array = ids[axes].T * frequencies
    return result
