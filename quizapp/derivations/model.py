"""A derivation as its author wrote it: plain immutable data, nothing read or checked yet."""

from __future__ import annotations

import msgspec


class Step(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One line of a derivation and why it follows.

    ``expr`` is a line of the chain: it equals the ``expr`` before it. ``relation`` is a fact used on the
    way, ``a = b`` (or ``a != b``): it is checked by itself and the chain runs on past it. A step has
    exactly one of them. ``rule`` is the short name shown beside the line, ``hint`` what a learner is told
    first, ``latex`` the form to draw.
    """

    why: str
    expr: str | None = None
    relation: str | None = None
    hint: str | None = None
    latex: str | None = None
    rule: str | None = None

    @property
    def text(self) -> str:
        """What the step states, whichever kind it is."""
        return self.expr if self.expr is not None else (self.relation or "")


class DerivationFile(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What a derivation file may say; :class:`Derivation` explains each key."""

    id: str
    title: str
    claim: str
    steps: tuple[Step, ...]
    symbols: dict[str, str] = {}
    let: dict[str, str] = {}
    for_all: dict[str, str | list[str | int | float]] = {}
    latex: str | None = None
    note: str | None = None
    sources: tuple[str, ...] = ()


class Derivation(DerivationFile, frozen=True):
    """A claim, declared symbols, and a chain of steps from the claim's left side to its right side.

    ``symbols`` maps a name to its assumption; ``let`` a function or matrix (``R(x)``, ``M``) to its
    definition; ``for_all`` a name to its finite range (``"0:8"``, ``"permutations(3)"`` or a list of
    values). ``lines`` holds the 1-based line of each step in ``path``, ``claim_line`` that of the claim,
    and so on.
    """

    path: str = ""
    claim_line: int = 1
    for_all_line: int = 1
    symbols_line: int = 1
    lines: tuple[int, ...] = ()
