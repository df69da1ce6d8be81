"""What verification found, in the words and the JSON that scripts rely on."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, Literal

Outcome = Literal["proved", "checked", "computed", "failed", "undecided", "unreadable"]
HOLDS: tuple[Outcome, ...] = ("proved", "checked", "computed")


@dataclass(frozen=True)
class Finding:
    """One statement and how it came out.

    ``proved`` by algebra, ``checked`` in every case of a finite range, ``computed`` with numbers; or not.
    ``step`` counts from 1 in a derivation (0 is its claim) and is None on a card. ``left`` and ``right``
    are the two sides as text. ``how`` says in words how it was settled, ``message`` what is wrong.
    """

    path: str
    line: int
    id: str
    outcome: Outcome
    left: str
    right: str
    step: int | None = None
    how: str = ""
    message: str = ""
    counterexample: dict[str, Any] | None = None
    left_value: Any = None
    right_value: Any = None

    @property
    def holds(self) -> bool:
        return self.outcome in HOLDS

    def __str__(self) -> str:
        step = f", step {self.step}" if self.step else ""
        word = {"failed": "does not hold", "undecided": "can't be decided", "unreadable": "can't be read"}
        said = word.get(self.outcome, self.how)
        sides = f"{self.left} = {self.right}" if self.right else self.left
        return f"{self.path}:{self.line}: {self.id}{step} {said}: {self.message}\n    {sides}"

    def to_json(self) -> dict[str, Any]:
        return {
            "path": self.path,
            "line": self.line,
            "id": self.id,
            "step": self.step,
            "left": self.left,
            "right": self.right,
            "counterexample": self.counterexample,
            "left_value": self.left_value,
            "right_value": self.right_value,
            "message": self.message,
        }


@dataclass(frozen=True)
class Row:
    """All findings of one derivation or one card. ``group`` is the deck, or ``derivations``."""

    group: str
    id: str
    findings: tuple[Finding, ...]

    @property
    def summary(self) -> str:
        """How the statements were settled: ``5 proved, 2 checked over all 6 permutations``."""
        counts = Counter(finding.how if finding.holds else finding.outcome for finding in self.findings)
        return ", ".join(f"{count} {words}" for words, count in counts.items())


@dataclass(frozen=True)
class Report:
    """Everything that was checked."""

    rows: tuple[Row, ...]

    @property
    def findings(self) -> Iterable[Finding]:
        return (finding for row in self.rows for finding in row.findings)

    @property
    def checked(self) -> int:
        """How many statements were looked at."""
        return sum(len(row.findings) for row in self.rows)

    def having(self, outcome: Outcome) -> tuple[Finding, ...]:
        return tuple(finding for finding in self.findings if finding.outcome == outcome)

    def to_json(self) -> dict[str, Any]:
        return {
            "checked": self.checked,
            **{
                name: [finding.to_json() for finding in self.having(name)]
                for name in ("failed", "undecided", "unreadable")
            },
        }
