"""Large arrays written block by block, as CSV or inside JSON, so that memory stays bounded.

msgspec formats a whole block of floats in C, in the shortest text that reads back as the same number.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import msgspec
import numpy as np

from quizapp.encodings.frequencies import Array

# Numbers in memory at a time: as Python floats some 8 MB.
BLOCK = 1 << 18


@dataclass(frozen=True)
class Rows:
    """A table given by a function of a range of positions: ``compute(start, stop)`` has shape (stop -
    start, width).
    """

    compute: Callable[[int, int], Array]
    start: int
    stop: int
    width: int

    def blocks(self) -> Iterator[tuple[int, Array]]:
        """Each block with the position of its first row."""
        step = max(1, BLOCK // max(1, self.width))
        for start in range(self.start, self.stop, step):
            yield start, self.compute(start, min(start + step, self.stop))


def csv_rows(header: Sequence[str], blocks: Iterable[tuple[int, Array]]) -> Iterator[bytes]:
    """CSV text: a header, then each row behind its position."""
    yield (",".join(header) + "\n").encode()
    for start, block in blocks:
        rows = [[start + index, *row] for index, row in enumerate(block.tolist())]
        yield msgspec.json.encode(rows)[2:-2].replace(b"],[", b"\n") + b"\n"


def csv_table(header: Sequence[str], rows: Sequence[Sequence[Any]]) -> bytes:
    """CSV text of rows that fit in memory; None is an empty cell."""
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerows([header, *rows])
    return text.getvalue().encode()


def json_document(fields: Mapping[str, Any]) -> Iterator[bytes]:
    """One JSON object; a value of Rows is written block by block, an infinite number as null."""
    for index, (key, value) in enumerate(fields.items()):
        yield (b"," if index else b"{") + msgspec.json.encode(key) + b":"
        if isinstance(value, Rows):
            yield from _json_rows(value)
        else:
            yield msgspec.json.encode(value.tolist() if isinstance(value, np.ndarray) else value)
    yield b"}\n"


def _json_rows(rows: Rows) -> Iterator[bytes]:
    for index, (_, block) in enumerate(rows.blocks()):
        yield (b"," if index else b"[") + msgspec.json.encode(block.tolist())[1:-1]
    yield b"]"
