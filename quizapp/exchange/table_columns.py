"""Which column of a table is which part of a card: by its name, by the user's word, or by its place."""

from __future__ import annotations

import difflib
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from quizapp.exchange.model import ExchangeError

# The parts of a card in the order in which they are written; ``Source`` holds the whole card for the way back.
PARTS = (
    "id", "deck", "kind", "heading", "prompt", "answer", "options", "value", "unit", "tags", "points", "hints",
    "sources",
)  # fmt: skip
SOURCE = "Source"
_NAMES: Mapping[str, tuple[str, ...]] = {
    "id": ("id", "guid", "uuid", "note id", "card id", "key", "number", "no"),
    "deck": ("deck", "deck name", "deck path", "subject", "folder", "chapter"),
    "kind": ("kind", "type", "card type", "note type", "notetype"),
    "heading": ("heading", "question", "front", "term", "word", "q", "side 1", "card front", "front of card",
                "expression", "text", "frage", "vorderseite", "pregunta"),
    "prompt": ("prompt", "details", "context", "question details"),
    "answer": ("answer", "back", "definition", "meaning", "translation", "a", "response", "side 2", "card back",
               "back of card", "correct answer", "solution", "antwort", "rückseite", "respuesta"),
    "options": ("options", "choices", "alternatives", "answers"),
    "value": ("value", "result"),
    "unit": ("unit",),
    "tags": ("tags", "tag", "labels", "label", "topics", "topic", "category", "categories", "keywords"),
    "points": ("points", "key points", "checklist"),
    "hints": ("hints", "hint", "clue"),
    "sources": ("sources", "source", "references", "reference", "url", "link"),
}  # fmt: skip
_PART_OF = {name: part for part, names in _NAMES.items() for name in names}
_LEAVE_OUT = ("", "-", "ignore", "skip")


@dataclass(frozen=True)
class Columns:
    """``parts``: what each column is; None for one that goes to the end of the answer under its name; ``""`` for one
    that the user leaves out. ``header``: whether the first row holds the names.
    """

    parts: tuple[str | None, ...]
    names: tuple[str, ...]
    header: bool

    def said(self) -> list[str]:
        """What became of the columns, a line each."""
        lines = []
        for at, part in enumerate(self.parts):
            name = self.names[at] if self.header and self.names[at] else str(at + 1)
            if part == "":
                lines.append(f"column {name}: left out, as you said")
            elif part is None:
                lines.append(f"column {name}: at the end of the answer, under its name")
            elif part != name:
                lines.append(f"column {name}: {part}")
        return lines


def columns(source: Path, row: Sequence[str], wanted: Mapping[str, str], width: int) -> Columns:
    """What the columns are, from the first row, the user's ``wanted`` (name or number to part) and the widest row.

    Raises ExchangeError for a column or part that does not exist.
    """
    names = tuple(cell.strip() for cell in row)
    known = [_part(name) for name in names]
    chosen = _chosen(source, names, wanted)
    header = len({part for part in known if part}) >= 2 or any(not key.isdigit() for key in wanted)
    if not header:
        parts: list[str | None] = ["heading", "answer"][:width] + [None] * max(0, width - 2)
        if chosen:
            parts = [None] * width
        return Columns(tuple(chosen.get(at, part) for at, part in enumerate(parts)), ("",) * width, False)
    made: list[str | None] = []
    for at, part in enumerate(known):
        said = chosen.get(at)
        if said is not None:
            made.append(said)
        elif names[at] == SOURCE:
            made.append(SOURCE)
        else:
            made.append(part if part not in made and part not in chosen.values() else None)
    if "heading" not in made and "prompt" in made:
        made[made.index("prompt")] = "heading"
    if "heading" not in made:
        raise ExchangeError(
            f"{source}: no column is the question; name one with --column NAME=heading (there are {', '.join(names)})"
        )
    return Columns(tuple(made), names, True)


def _part(name: str) -> str | None:
    if len(name) == 1 and name.islower():
        # Q and A name columns; q and a are somebody's words.
        return None
    return _PART_OF.get(" ".join(re.split(r"[\s_-]+", name.lower())).strip(" :?*."))


def _chosen(source: Path, names: Sequence[str], wanted: Mapping[str, str]) -> dict[int, str]:
    found: dict[int, str] = {}
    for name, part in wanted.items():
        part = part.strip().lower()
        if part in _LEAVE_OUT:
            part = ""
        elif part not in PARTS:
            part = _PART_OF.get(part, part)
        if part and part not in PARTS:
            near = difflib.get_close_matches(part, PARTS, 1)
            hint = f"did you mean {near[0]}?" if near else f"the parts are {', '.join(PARTS)}"
            raise ExchangeError(f"{source}: a card has no part {part!r}; {hint}")
        lower = [known.lower() for known in names]
        if name.strip().lower() in lower:
            found[lower.index(name.strip().lower())] = part
        elif name.isdigit() and int(name) >= 1:
            found[int(name) - 1] = part
        else:
            raise ExchangeError(f"{source}: no column {name!r}; there are {', '.join(names)}")
    return found
