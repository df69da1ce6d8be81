"""Compare lines of one derivation: read under its declared names, decided in every case of its ``for_all``."""

from __future__ import annotations

import itertools
import re
from dataclasses import dataclass, field
from typing import Any, Literal

from quizapp.algebra import Expression, Names, Unreadable, Verdict, decide, read, read_relation, same_form
from quizapp.derivations.cases import cases
from quizapp.derivations.model import Derivation
from quizapp.derivations.reading import DerivationError

Outcome = Literal["equal", "different", "undecided"]

_UNEQUAL = re.compile(r"!=|≠|\\neq?(?![a-zA-Z])")


@dataclass(frozen=True)
class Line:
    """A line as read: once in every case, with its names defined (``cases``), and once with its names kept.

    ``drawn`` is the form to draw and to compare by form: ``R(m theta)`` stays ``R(m theta)``.
    """

    text: str
    cases: tuple[Expression, ...]
    drawn: Expression


@dataclass(frozen=True)
class Settled:
    """How the comparison of two lines ended.

    ``scope`` is empty where one proof covers everything, else what was gone through ("6 permutations").
    ``case`` holds the ``for_all`` values at which the comparison failed.
    """

    outcome: Outcome
    verdict: Verdict
    scope: str = ""
    case: tuple[tuple[str, str], ...] = ()
    conditions: tuple[str, ...] = field(default=())

    @property
    def how(self) -> str:
        """The words for a comparison that succeeded: ``proved`` or ``checked over all N ...``."""
        return f"checked over all {self.scope}" if self.scope else "proved"

    @property
    def counterexample(self) -> dict[str, Any]:
        """The values at which the lines differ, those of ``for_all`` included."""
        return {**dict(self.case), **(self.verdict.counterexample or {})}


class Checker:
    """Reads and compares the lines of one derivation.

    Holds nothing that changes but a cache of what was read.
    """

    def __init__(self, derivation: Derivation, *, limit: float = 2.0) -> None:
        """``limit`` bounds one decision, in seconds.

        Raises:
            DerivationError: ``for_all`` or a definition can't be read.
        """
        self.derivation = derivation
        self._limit = limit
        self._cases, self._noun = cases(derivation)
        try:
            self._names = tuple(self._names_in(dict(case.values)) for case in self._cases)
            self._drawn = _names_kept(derivation)
        except Unreadable as error:
            raise DerivationError(f"{derivation.path}:{derivation.claim_line}: {error.message}") from None
        self._lines: dict[str, tuple[Line, ...]] = {}

    @property
    def names(self) -> Names:
        """The names of the first case, for naming slips and for spoiling lines."""
        return self._names[0]

    @property
    def drawn_names(self) -> Names:
        """The names under which ``Line.drawn`` was read: nothing is replaced by its definition."""
        return self._drawn

    def read(self, text: str) -> Line:
        """Read one expression.

        Raises:
            Unreadable: with the place.
        """
        if text not in self._lines:
            found = tuple(read(text, names) for names in self._names)
            self._lines[text] = (Line(text, found, read(text, self._drawn)),)
        return self._lines[text][0]

    def read_chain(self, text: str) -> tuple[Line, ...]:
        """Read ``a = b = c`` as its members; a single expression is a chain of one.

        Raises:
            Unreadable: with the place.
        """
        key = f"chain {text}"
        if key not in self._lines:
            by_case = [read_relation(text, names) for names in self._names]
            drawn = read_relation(text, self._drawn)
            self._lines[key] = tuple(
                Line(kept.text, tuple(members[i] for members in by_case), kept)
                for i, kept in enumerate(drawn)
            )
        return self._lines[key]

    def compare(self, a: Line, b: Line) -> Settled:
        """Decide whether two lines are equal in every case; stops at the first case that shows a
        difference.
        """
        undecided: Settled | None = None
        verdict: Verdict | None = None
        conditions: dict[str, None] = {}
        decided: set[tuple[Expression, Expression]] = set()
        for case, names, left, right in zip(self._cases, self._names, a.cases, b.cases, strict=True):
            if (left, right) in decided:
                continue
            decided.add((left, right))
            verdict = decide(left, right, names, limit=self._limit)
            conditions.update(dict.fromkeys(verdict.conditions))
            if verdict.verdict == "different":
                return Settled("different", verdict, case=case.values)
            if verdict.verdict != "equal" and undecided is None:
                undecided = Settled("undecided", verdict, case=case.values)
        if undecided is not None:
            return undecided
        assert verdict is not None, "a derivation has at least one case"
        scope = f"{len(decided)} {self._noun}" if len(decided) > 1 else ""
        return Settled("equal", verdict, scope, conditions=tuple(conditions))

    def same(self, a: Line, b: Line) -> bool:
        """Whether two lines have the same form, up to order and brackets; says nothing about value
        otherwise.
        """
        return same_form(a.drawn, b.drawn) or all(map(same_form, a.cases, b.cases))

    def relation(self, text: str) -> tuple[Line, Line, Settled]:
        """Check a statement by itself: ``a = b``, a chain, or ``a != b``.

        Returns the two sides that decide it, and how it was settled: *equal* means that the statement
        holds. ``a != b`` holds when a value is found at which the two differ.

        Raises:
            Unreadable: with the place, or because nothing is stated.
        """
        if sign := _UNEQUAL.search(text):
            left, right = self.read(text[: sign.start()].strip()), self.read(text[sign.end() :].strip())
            found = self.compare(left, right)
            outcome: Outcome = {"different": "equal", "equal": "different"}.get(found.outcome, "undecided")  # type: ignore[assignment]
            return left, right, Settled(outcome, found.verdict, case=found.case)
        members = self.read_chain(text)
        if len(members) < 2:
            raise Unreadable("a relation needs two sides, LEFT = RIGHT or LEFT != RIGHT", 1)
        for left, right in itertools.pairwise(members):
            found = self.compare(left, right)
            if found.outcome != "equal":
                return left, right, found
        return members[0], members[-1], found

    def _names_in(self, values: dict[str, str]) -> Names:
        return Names(symbols=self.derivation.symbols, let={**values, **self.derivation.let}, strict=True)


def _names_kept(derivation: Derivation) -> Names:
    """Names under which nothing is replaced by its definition, for drawing."""
    defined = [name.split("(")[0].strip() for name in derivation.let if "(" in name]
    plain = [name for name in (*derivation.let, *derivation.for_all) if "(" not in name]
    return Names(
        symbols={**derivation.symbols, **dict.fromkeys(plain, "real")}, functions=tuple(defined), strict=True
    )
