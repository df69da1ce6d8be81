"""Verify a derivation: every step against the one before, and the ends against the claim."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from typing import Any, Literal

from quizapp.algebra import Expression, Unreadable
from quizapp.derivations.checker import Checker, Settled
from quizapp.derivations.model import Derivation, Step
from quizapp.derivations.words import apart, point

Outcome = Literal["proved", "checked", "failed", "undecided", "unreadable"]


@dataclass(frozen=True)
class StepResult:
    """How one step was settled. ``step`` counts from 1; the claim itself is step 0.

    ``left`` and ``right`` are the two texts compared. ``how`` says it in words: ``proved``, or ``checked
    over all 6 permutations``; for a step that isn't settled, ``message`` says what is wrong.
    """

    step: int
    line: int
    outcome: Outcome
    left: str
    right: str
    how: str = ""
    message: str = ""
    counterexample: dict[str, Any] | None = None
    left_value: Any = None
    right_value: Any = None
    conditions: tuple[str, ...] = ()


@dataclass(frozen=True)
class Report:
    """What :func:`verify_derivation` found: one result a step, and one for each end of the claim."""

    derivation: Derivation
    results: tuple[StepResult, ...]

    @property
    def ok(self) -> bool:
        """Whether every step is proved, or checked over its whole finite range."""
        return all(result.outcome in ("proved", "checked") for result in self.results)

    def having(self, outcome: Outcome) -> tuple[StepResult, ...]:
        """The results with that outcome."""
        return tuple(result for result in self.results if result.outcome == outcome)


def verify_derivation(derivation: Derivation, *, limit: float = 2.0) -> Report:
    """Check every step of a derivation.

    Each ``expr`` is compared with the one before it, the first with the claim's left side and the last with
    its right side; each ``relation`` is checked by itself; where a ``latex`` form can be read, it must say
    what was checked. ``limit`` bounds one decision, in seconds.

    Raises:
        DerivationError: the declarations can't be used at all.
    """
    return Report(derivation, tuple(_Verification(derivation, limit).results()))


@dataclass(frozen=True)
class _Compared:
    """Two lines and how their comparison ended; ``remark`` says what it was for, where that isn't plain."""

    left: Expression
    right: Expression
    found: Settled
    remark: str = ""


class _Verification:
    def __init__(self, derivation: Derivation, limit: float) -> None:
        self._derivation = derivation
        self._checker = Checker(derivation, limit=limit)

    def results(self) -> Iterator[StepResult]:
        claimed = self._settle(0, self._derivation.claim_line, self._derivation.claim, self._claim)
        if isinstance(claimed, StepResult):
            yield claimed
            return
        before: Expression | None = None
        for number, (step, line) in enumerate(
            zip(self._derivation.steps, self._derivation.lines, strict=True), 1
        ):
            check = partial(self._step, step, before, claimed.left)
            result = self._settle(number, line, step.text, check)
            if isinstance(result, StepResult):
                yield result
                if step.expr is not None:
                    return  # what follows has no line to be compared with
                continue
            yield _result(number, line, result)
            if step.expr is not None:
                before = self._checker.read(step.expr)
        yield from self._end(before, claimed)

    def _settle(
        self, number: int, line: int, text: str, check: Callable[[], _Compared]
    ) -> _Compared | StepResult:
        try:
            return check()
        except Unreadable as error:
            return StepResult(
                number, line, "unreadable", text, "", message=f"column {error.at}: {error.message}"
            )

    def _claim(self) -> _Compared:
        """The claim's two sides; nothing is decided about them, since the steps do that."""
        sides = self._checker.read_chain(self._derivation.claim)
        if len(sides) != 2:
            raise Unreadable("the claim must have one left and one right side", 1)
        return _Compared(*sides, self._checker.compare(sides[0], sides[0]))

    def _step(self, step: Step, before: Expression | None, claimed: Expression) -> _Compared:
        if step.expr is None:
            return _Compared(*self._checker.relation(step.text))
        here = self._checker.read(step.expr)
        found = self._checker.compare(claimed if before is None else before, here)
        if found.outcome == "equal" and (drawn := self._drawn(step)) is not None:
            as_drawn = self._checker.compare(here, drawn)
            if as_drawn.outcome == "different":
                return _Compared(here, drawn, as_drawn, "latex does not say what expr says")
        remark = "the first line is not the claim's left side" if before is None else ""
        return _Compared(claimed if before is None else before, here, found, remark)

    def _drawn(self, step: Step) -> Expression | None:
        """The drawn form as it reads, if it does: notation such as an ellipsis is for the eye only."""
        try:
            return self._checker.read(step.latex) if step.latex is not None else None
        except Unreadable:
            return None

    def _end(self, last: Expression | None, claimed: _Compared) -> Iterator[StepResult]:
        """The last line is the claim's right side; a derivation of relations ends in the claim."""
        chain = [index for index, step in enumerate(self._derivation.steps) if step.expr is not None]
        at = chain[-1] if chain else -1
        number, line = at % len(self._derivation.steps) + 1, self._derivation.lines[at]
        if last is not None:
            pairs = [(last, claimed.right, "the last line is not the claim's right side")]
        else:
            try:
                members = self._checker.read_chain(self._derivation.steps[-1].text)
            except Unreadable:
                return  # said at its step
            remark = "the last relation does not state the claim"
            pairs = [(members[0], claimed.left, remark), (members[-1], claimed.right, remark)]
        for left, right, remark in pairs:
            found = self._checker.compare(left, right)
            yield _result(number, line, _Compared(left, right, found, remark))


def _result(step: int, line: int, compared: _Compared) -> StepResult:
    found = compared.found
    sides = (compared.left.text, compared.right.text)
    if found.outcome == "equal":
        outcome: Outcome = "checked" if found.scope else "proved"
        return StepResult(step, line, outcome, *sides, how=found.how, conditions=found.conditions)
    if found.outcome == "undecided":
        why = found.verdict.message or "no proof and no counterexample found"
        said = " ".join(filter(None, (point(found), why)))
        return StepResult(step, line, "undecided", *sides, message=said)
    if found.verdict.verdict == "equal":
        said = "the two sides are equal, though != is stated"
        return StepResult(step, line, "failed", *sides, message=said, counterexample={})
    return StepResult(
        step,
        line,
        "failed",
        *sides,
        message=f"{compared.remark}: {apart(found)}" if compared.remark else apart(found),
        counterexample=found.counterexample,
        left_value=found.verdict.left,
        right_value=found.verdict.right,
    )
