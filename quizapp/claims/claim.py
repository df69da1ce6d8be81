"""One claim of a card: read it, and decide it by algebra or recompute it by numbers."""

from __future__ import annotations

import itertools
import math
from typing import Any

from quizapp.algebra import Expression, Names, Unreadable, decide, evaluate, read_relation
from quizapp.algebra.tree import free_symbols
from quizapp.claims.numeric import apart, flat, has_decimal, tolerances
from quizapp.claims.report import Finding
from quizapp.decks.card import Claim
from quizapp.derivations.words import number
from quizapp.encodings.claims import FUNCTIONS, WORDS
from quizapp.errors import QuizappError


def check_claim(claim: Claim, *, path: str, line: int, id: str, limit: float = 2.0) -> Finding:
    """Check ``a = b`` (or a chain) as a card states it.

    A claim with a tolerance, a call of an encoding's function, or a decimal as a whole side is recomputed
    with numbers; every other one is decided exactly. ``limit`` bounds one decision, in seconds.
    """
    names = Names(symbols=claim.symbols, functions=tuple(FUNCTIONS), words=tuple(WORDS))
    place: dict[str, Any] = {"path": path, "line": line, "id": id}
    try:
        sides = read_relation(claim.claim, names)
        if len(sides) < 2:
            raise Unreadable("a claim needs two sides, LEFT = RIGHT", 1)
        found = None
        for left, right in itertools.pairwise(sides):
            found = _pair(left, right, claim, names, place, limit)
            if not found.holds:
                break
    except Unreadable as error:
        return Finding(**place, outcome="unreadable", left=claim.claim, right="", message=str(error))
    except QuizappError as error:
        return Finding(**place, outcome="failed", left=claim.claim, right="", message=str(error))
    assert found is not None, "two sides make at least one pair"
    return found


def _pair(
    left: Expression, right: Expression, claim: Claim, names: Names, place: dict[str, Any], limit: float
) -> Finding:
    symbols = sorted(free_symbols(left) | free_symbols(right))
    calls = any(node.head == "external" for side in (left, right) for node in side.walk())
    numeric = claim.tolerance is not None or calls or has_decimal(left) or has_decimal(right)
    if symbols and (claim.tolerance is not None or calls):
        what = "a tolerance" if claim.tolerance is not None else "an encoding's numbers"
        raise Unreadable(f"{what} can't be compared with the symbol {symbols[0]}; write a number for it", 1)
    if numeric and not symbols:
        return _computed(left, right, claim, names, place)
    verdict = decide(left, right, names, limit=limit)
    sides: dict[str, Any] = {**place, "left": left.text, "right": right.text}
    if verdict.verdict == "equal":
        return Finding(**sides, outcome="proved", how="proved")
    if verdict.verdict == "different":
        point = ", ".join(f"{name} = {value}" for name, value in verdict.counterexample)
        where = f"at {point} " if point else ""
        return Finding(
            **sides,
            outcome="failed",
            message=f"{where}left is {number(verdict.left)}, right {number(verdict.right)}",
            counterexample=dict(verdict.counterexample),
            left_value=verdict.left,
            right_value=verdict.right,
        )
    return Finding(
        **sides, outcome="undecided", message=verdict.message or "no proof and no counterexample found"
    )


def _computed(
    left: Expression, right: Expression, claim: Claim, names: Names, place: dict[str, Any]
) -> Finding:
    sides: dict[str, Any] = {**place, "left": left.text, "right": right.text}
    one, other = (flat(evaluate(side, names, {}, FUNCTIONS)) for side in (left, right))
    values: dict[str, Any] = {"left_value": _plain(one), "right_value": _plain(other), "counterexample": {}}
    if len(one) != len(other):
        said = f"left has {len(one)} numbers, right {len(other)}"
        return Finding(**sides, **values, outcome="failed", message=said)
    if not all(map(math.isfinite, (*one, *other))):
        return Finding(**sides, **values, outcome="failed", message="a side is not a finite number")
    stated = tolerances(right, len(other)) or tolerances(left, len(one))
    wrong = apart(one, other, stated, claim.tolerance)
    if wrong is None:
        return Finding(**sides, outcome="computed", how="computed")
    index, allowed = wrong
    entry = f"entry {index}: " if len(one) > 1 else ""
    said = (
        f"{entry}left is {one[index]:.10g}, right {other[index]:.10g}; "
        f"they differ by {abs(one[index] - other[index]):.3g}, allowed is {allowed:.3g}"
    )
    return Finding(**sides, **values, outcome="failed", message=said)


def _plain(values: list[float]) -> float | list[float]:
    """One number by itself; no infinities, which JSON doesn't have."""
    kept = [value if math.isfinite(value) else str(value) for value in values]
    return kept[0] if len(kept) == 1 else kept  # type: ignore[return-value]
