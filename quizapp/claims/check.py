"""Check derivations and cards one by one, so that a front can show how far it is."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from pathlib import Path

from quizapp.claims.claim import check_claim
from quizapp.claims.report import Finding, Row
from quizapp.decks.card import Card
from quizapp.derivations.model import Derivation
from quizapp.derivations.verify import verify_derivation

DERIVATIONS = "derivations"


def check_derivation(derivation: Derivation, *, limit: float = 2.0) -> Row:
    """Verify a whole derivation: one finding a step, and one for the end of the claim."""
    report = verify_derivation(derivation, limit=limit)
    findings = (
        Finding(
            path=derivation.path,
            line=result.line,
            id=derivation.id,
            outcome=result.outcome,
            left=result.left,
            right=result.right,
            step=result.step,
            how=result.how,
            message=result.message,
            counterexample=result.counterexample,
            left_value=result.left_value,
            right_value=result.right_value,
        )
        for result in report.results
    )
    return Row(DERIVATIONS, derivation.id, tuple(findings))


def check_card(card: Card, derivations: Collection[str], *, limit: float = 2.0) -> Row:
    """Check every claim of a card, and that the derivation it names is one of ``derivations``."""
    findings = [
        check_claim(
            claim,
            path=card.path,
            line=line,
            id=card.entry,
            limit=limit,
        )
        for claim, line in zip(card.fields.checks, _lines(card), strict=True)
    ]
    named = card.fields.derivation
    if named is not None and named not in derivations:
        message = f"there is no derivation {named!r}; quizapp derive --list shows them"
        findings.append(Finding(card.path, card.line, card.entry, "unreadable", named, "", message=message))
    return Row(card.deck, card.entry, tuple(findings))


def _lines(card: Card) -> Iterable[int]:
    """Where each claim of a card stands; the heading where that can't be told."""
    try:
        text = Path(card.path).read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError):
        text = []
    at = card.line
    for claim in card.fields.checks:
        for number in range(at, len(text) + 1):
            if claim.claim in text[number - 1] or claim.claim.replace("\\", "\\\\") in text[number - 1]:
                at = number
                break
        yield at
