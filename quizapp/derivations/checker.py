"""Compare lines of one derivation, read under its declared names, in every case of its ``for_all``."""

from __future__ import annotations

import itertools
import re
from dataclasses import dataclass
from typing import Any, Literal

from quizapp.algebra import Expression, Names, Unreadable, Verdict, decide, read, read_relation, same_form
from quizapp.algebra.definitions import body
from quizapp.algebra.names import plain_name
from quizapp.derivations.cases import cases
from quizapp.derivations.model import Derivation
from quizapp.derivations.reading import DerivationError
from quizapp.errors import UsageError

Outcome = Literal["equal", "different", "undecided"]

_UNEQUAL = re.compile(r"!=|≠|\\neq?(?![a-zA-Z])")


@dataclass(frozen=True)
class Settled:
    """How the comparison of two lines ended.

    ``scope`` is empty where one proof covers everything, else what was gone through ("6 permutations").
    ``case``
    holds the ``for_all`` values at which the comparison failed. ``verdict`` is the last one reached.
    """

    outcome: Outcome
    verdict: Verdict
    scope: str = ""
    case: tuple[tuple[str, str], ...] = ()
    conditions: tuple[str, ...] = ()

    @property
    def how(self) -> str:
        """The words for a comparison that succeeded: ``proved`` or ``checked over all N ...``."""
        return f"checked over all {self.scope}" if self.scope else "proved"

    @property
    def counterexample(self) -> dict[str, Any]:
        """The values at which the lines differ, those of ``for_all`` included."""
        return {**dict(self.case), **dict(self.verdict.counterexample)}


class Checker:
    """Reads and compares the lines of one derivation."""

    def __init__(self, derivation: Derivation, *, limit: float = 2.0) -> None:
        """``limit`` bounds one decision, in seconds.

        Raises:
            DerivationError: a symbol, a definition or ``for_all`` can't be read.
        """
        self.derivation = derivation
        self._limit = limit
        self._cases, self._noun = cases(derivation)
        try:
            self._names = tuple(
                Names(symbols=derivation.symbols, let={**dict(case.values), **derivation.let}, strict=True)
                for case in self._cases
            )
            self._varying = frozenset(map(plain_name, derivation.for_all))
            for name in self.names.definitions:
                body(name, self.names)
        except UsageError as error:
            raise DerivationError(f"{derivation.path}:{derivation.symbols_line}: {error}") from None

    @property
    def names(self) -> Names:
        """The names under which lines are read, with the first value of each ``for_all``."""
        return self._names[0]

    def read(self, text: str) -> Expression:
        """Read one expression. Raises ``Unreadable`` with the place."""
        return read(text, self.names)

    def read_chain(self, text: str) -> tuple[Expression, ...]:
        """Read ``a = b = c`` as its members, one expression as a chain of one. Raises ``Unreadable``."""
        return tuple(read_relation(text, self.names))

    def compare(self, a: Expression, b: Expression) -> Settled:
        """Decide whether two lines are equal in every case; the first that shows a difference ends it.

        Raises:
            Unreadable: a line has no meaning, such as a sum of matrices of different shapes.
        """
        varies = not self._varying.isdisjoint(self._used(a, b))
        undecided: Settled | None = None
        conditions: dict[str, None] = {}
        pairs = list(zip(self._cases, self._names, strict=True))[: None if varies else 1]
        for case, names in pairs:
            verdict = decide(a, b, names, limit=self._limit)
            conditions.update(dict.fromkeys(verdict.conditions))
            values = case.values if varies else ()
            if verdict.verdict == "unreadable":
                raise Unreadable(verdict.message, verdict.at or 1)
            if verdict.verdict == "different":
                return Settled("different", verdict, case=values)
            if verdict.verdict == "undecided" and undecided is None:
                undecided = Settled("undecided", verdict, case=values)
        if undecided is not None:
            return undecided
        return Settled(
            "equal", verdict, f"{len(pairs)} {self._noun}" if varies else "", conditions=tuple(conditions)
        )

    def same(self, a: Expression, b: Expression) -> bool:
        """Whether two lines have the same form, order and brackets aside."""
        return same_form(a, b)

    def relation(self, text: str) -> tuple[Expression, Expression, Settled]:
        """Check a statement by itself: ``a = b``, a chain, or ``a != b``.

        Returns the two sides that decide it, and how it was settled: *equal* means that the statement holds.
        ``a != b`` holds when a value is found at which the two differ.

        Raises:
            Unreadable: with the place, or because nothing is stated.
        """
        if sides := unequal(text):
            left, right = map(self.read, sides)
            found = self.compare(left, right)
            outcome: Outcome = "undecided"
            if found.outcome != "undecided":
                outcome = "equal" if found.outcome == "different" else "different"
            return left, right, Settled(outcome, found.verdict, case=found.case)
        members = self.read_chain(text)
        if len(members) < 2:
            raise Unreadable("a relation needs two sides, LEFT = RIGHT or LEFT != RIGHT", 1)
        for left, right in itertools.pairwise(members):
            found = self.compare(left, right)
            if found.outcome != "equal":
                return left, right, found
        return members[0], members[-1], found

    def _used(self, *lines: Expression) -> set[str]:
        """The names that lines use, with those that definitions use in turn."""
        found: set[str] = set()
        waiting = list(lines)
        while waiting:
            for node in waiting.pop().walk():
                if node.head not in ("sym", "call") or node.name in found:
                    continue
                found.add(node.name)
                if node.name in self.names.definitions:
                    waiting.append(body(node.name, self.names))
        return found


def unequal(text: str) -> tuple[str, str] | None:
    """The two sides of ``a != b``; None for any other statement."""
    sign = _UNEQUAL.search(text)
    return (text[: sign.start()].strip(), text[sign.end() :].strip()) if sign else None
