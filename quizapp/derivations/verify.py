"""Verify a derivation: every step against the one before, and the ends against the claim."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any, Literal

from quizapp.algebra import Unreadable
from quizapp.derivations.checker import Checker, Line, Settled
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
    checker = Checker(derivation, limit=limit)
    return Report(derivation, tuple(_results(derivation, checker)))


def _results(derivation: Derivation, checker: Checker) -> Iterator[StepResult]:
    try:
        sides = checker.read_chain(derivation.claim)
        if len(sides) != 2:
            raise Unreadable("the claim must have one left and one right side", 1)
    except Unreadable as error:
        yield _unreadable(0, derivation.claim_line, derivation.claim, error)
        return
    claimed_left, claimed_right = sides
    before: Line | None = None
    last = 0
    for number, step in enumerate(derivation.steps, 1):
        line = derivation.lines[number - 1]
        try:
            if step.expr is None:
                left, right, found = checker.relation(step.text)
                yield _result(number, line, left, right, found)
                continue
            here = checker.read(step.expr)
        except Unreadable as error:
            yield _unreadable(number, line, step.text, error)
            if step.expr is not None:
                return  # what follows has no line to be compared with
            continue
        found = checker.compare(claimed_left if before is None else before, here)
        result = _result(number, line, claimed_left if before is None else before, here, found)
        if before is None and found.outcome == "different":
            result = _said(result, f"the first line is not the claim's left side: {result.message}")
        if found.outcome == "equal" and (wrong := _drawn_otherwise(checker, step, here)):
            result = _said(result, wrong, "failed")
        yield result
        before, last = here, number
    if before is None:
        yield from _all_relations(derivation, checker, claimed_left, claimed_right)
        return
    found = checker.compare(before, claimed_right)
    result = _result(last, derivation.lines[last - 1], before, claimed_right, found)
    if found.outcome == "different":
        result = _said(result, f"the last line is not the claim's right side: {result.message}")
    yield result


def _all_relations(derivation: Derivation, checker: Checker, left: Line, right: Line) -> Iterator[StepResult]:
    """A derivation of relations only has to end in its claim."""
    number, line = len(derivation.steps), derivation.lines[-1]
    try:
        members = checker.read_chain(derivation.steps[-1].text)
    except Unreadable as error:
        yield _unreadable(number, line, derivation.steps[-1].text, error)
        return
    for end, side in ((members[0], left), (members[-1], right)):
        found = checker.compare(end, side)
        result = _result(number, line, end, side, found)
        yield (
            _said(result, f"the last relation does not state the claim: {result.message}")
            if result.message
            else result
        )


def _drawn_otherwise(checker: Checker, step: Step, here: Line) -> str:
    """Says how the drawn form differs from the checked one, if it can be read and does."""
    if step.latex is None:
        return ""
    try:
        drawn = checker.read(step.latex)
    except Unreadable:
        return ""  # notation such as an ellipsis is for the eye only
    found = checker.compare(here, drawn)
    return f"latex does not say what expr says: {apart(found)}" if found.outcome == "different" else ""


def _result(step: int, line: int, left: Line, right: Line, found: Settled) -> StepResult:
    if found.outcome == "equal":
        outcome: Outcome = "checked" if found.scope else "proved"
        return StepResult(step, line, outcome, left.text, right.text, found.how, conditions=found.conditions)
    if found.outcome == "undecided":
        why = found.verdict.message or "no proof and no counterexample found"
        return StepResult(
            step,
            line,
            "undecided",
            left.text,
            right.text,
            message=" ".join(filter(None, (point(found), why))),
        )
    if found.verdict.verdict == "equal":
        said = "the two sides are equal, though != is stated"
        return StepResult(step, line, "failed", left.text, right.text, message=said, counterexample={})
    return StepResult(
        step,
        line,
        "failed",
        left.text,
        right.text,
        message=apart(found),
        counterexample=found.counterexample,
        left_value=found.verdict.left,
        right_value=found.verdict.right,
    )


def _said(result: StepResult, message: str, outcome: Outcome | None = None) -> StepResult:
    return replace(result, message=message, outcome=outcome or result.outcome)


def _unreadable(step: int, line: int, text: str, error: Unreadable) -> StepResult:
    return StepResult(step, line, "unreadable", text, "", message=f"column {error.at}: {error.message}")
