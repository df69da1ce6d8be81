"""A deck and its cards, as read from Markdown: plain immutable data."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Literal, get_args

import msgspec

Kind = Literal["recall", "cloze", "choice", "number", "expression", "derivation", "generated"]
KINDS: tuple[str, ...] = get_args(Kind)


class Claim(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A statement that ``quizapp verify`` recomputes.

    ``tolerance`` is absolute; without one, half a unit of the last digit given.
    ``symbols`` declares the assumptions of a symbolic claim, name to assumption.
    """

    claim: str
    tolerance: float | None = None
    symbols: dict[str, str] = {}


class Fields(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What a ``toml card`` block may say; ``docs/deck-format.md`` explains each key."""

    id: str | None = None
    kind: Kind | None = None
    tags: tuple[str, ...] = ()
    points: tuple[str, ...] = ()
    hints: tuple[str, ...] = ()
    derivation: str | None = None
    demo: str | None = None
    follow_ups: tuple[str, ...] = ()
    sources: tuple[str, ...] = ()
    checks: tuple[Claim, ...] = ()
    answer: str | int | float | None = None
    unit: str | None = None
    tolerance: float | None = None
    symbols: dict[str, str] = {}
    generator: str | None = None
    parameters: dict[str, Any] = {}


class Option(msgspec.Struct, frozen=True):
    """One line of a choice card's task list."""

    text: str
    right: bool


class Card(msgspec.Struct, frozen=True):
    """One thing to drill.

    A cloze entry makes one card a number: they share ``entry`` and differ in ``id`` (``ENTRY:1``, ``ENTRY:2``).
    ``heading``, ``prompt`` and ``answer`` are Markdown source; ``prompt`` is what stands between the heading and
    the answer (code, a table). For a choice, ``answer`` is the explanation. ``heading`` and ``prompt`` of a cloze
    keep their ``{{c1::...}}``.
    """

    id: str
    entry: str
    deck: str
    kind: Kind
    heading: str
    prompt: str
    answer: str
    path: str
    line: int
    pinned: bool
    fields: Fields
    options: tuple[Option, ...] = ()
    cloze: int = 0

    @property
    def tags(self) -> tuple[str, ...]:
        return self.fields.tags


class Problem(msgspec.Struct, frozen=True):
    """Something wrong in a deck file, said in one line. ``level`` is ``error`` or ``warning``."""

    path: str
    line: int
    message: str
    level: Literal["error", "warning"] = "error"

    def __str__(self) -> str:
        prefix = "" if self.level == "error" else "warning: "
        return f"{self.path}:{self.line}: {prefix}{self.message}"


class Deck(msgspec.Struct, frozen=True):
    """One Markdown file of cards. ``name`` is the slug of its path below its root; ``cards`` are in file order."""

    name: str
    title: str
    description: str
    path: str
    cards: tuple[Card, ...] = ()
    problems: tuple[Problem, ...] = ()

    @property
    def file(self) -> Path:
        return Path(self.path)
