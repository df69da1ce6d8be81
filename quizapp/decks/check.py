"""What ``quizapp decks check`` says beyond reading: dangling references and matters of style."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass

from quizapp.decks.card import Card, Problem

LEVELS = ("warm-up", "core", "senior")


@dataclass(frozen=True)
class Known:
    """What references may point to; None where that was not looked up."""

    entries: Collection[str]
    derivations: Collection[str] | None = None
    generators: Collection[str] | None = None
    demos: Collection[str] | None = None


def check_cards(cards: Iterable[Card], known: Known) -> list[Problem]:
    """Warnings on cards that were read without error; each cloze entry is looked at once."""
    found: list[Problem] = []
    for card in cards:
        if card.cloze in (0, 1):
            found += [Problem(card.path, card.line, message, "warning") for message in _messages(card, known)]
    return found


def _messages(card: Card, known: Known) -> Iterable[str]:
    fields = card.fields
    for name in fields.follow_ups:
        if name not in known.entries:
            yield f"follow-up {name}: no such card"
        elif name == card.entry:
            yield f"follow-up {name}: a card cannot follow itself"
    for what, wanted, names in (
        ("derivation", fields.derivation, known.derivations),
        ("generator", fields.generator, known.generators),
        ("demo", fields.demo, known.demos),
    ):
        if wanted and names is not None and wanted not in names:
            yield f"{what} {wanted}: there is none of that name"
    if len(set(fields.tags)) < len(fields.tags):
        yield "a tag stands twice"
    if sum(tag in LEVELS for tag in fields.tags) > 1:
        yield f"more than one level; choose one of {', '.join(LEVELS)}"
    if card.kind == "recall" and len(fields.points) > 7:
        yield f"{len(fields.points)} key points; nobody ticks more than seven, split the card"
