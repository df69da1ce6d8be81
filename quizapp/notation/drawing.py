"""A formula as rows of terminal cells, or as its source where it cannot be drawn with certainty."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

from quizapp.notation.errors import UnreadableFormula
from quizapp.notation.width import cells

_SPACES = str.maketrans({"\t": "    ", "\u00a0": " ", "\u3000": "  "})


@dataclass(frozen=True, slots=True)
class Drawing:
    """``rows`` all take ``width`` cells; text beside the formula stands on row ``baseline``.

    ``is_source`` is true where ``rows`` are the LaTeX itself.
    """

    rows: tuple[str, ...]
    baseline: int
    width: int
    latex: str
    is_source: bool = False


@lru_cache(maxsize=4096)
def draw(latex: str, *, display: bool = True) -> Drawing:
    """``latex`` in two dimensions. Never raises: what is not understood is shown as its source.

    ``display`` sets limits under and over large operators; without it they stand beside.
    """
    from quizapp.notation.layout import layout
    from quizapp.notation.reader import read

    try:
        box = layout(read(latex, display))
    except (UnreadableFormula, RecursionError):
        return _source(latex)
    rows = [row.replace("\u00a0", " ") for row in box.rows]
    if not "".join(rows).strip() or not all(row.isprintable() and cells(row) == box.width for row in rows):
        # Nothing to see, or characters that join across the pieces of a row or are not for a terminal.
        return _source(latex)
    return Drawing(tuple(rows), box.baseline, box.width, latex)


def _source(latex: str) -> Drawing:
    rows = [printable(line) for line in latex.strip().split("\n")]
    width = max(map(cells, rows))
    return Drawing(tuple(row + " " * (width - cells(row)) for row in rows), 0, width, latex, is_source=True)


def printable(text: str) -> str:
    """``text`` without control characters and the like; every kind of space is a plain one."""
    text = text.translate(_SPACES)
    return "".join(character for character in text if character.isprintable())
