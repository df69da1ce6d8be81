"""The words that several screens say."""

from __future__ import annotations

from collections.abc import Sequence

from quizapp.decks.card import Card
from quizapp.review.types import CardState, Grade, Review, Undone

GRADE_WORDS = {Grade.AGAIN: "Again", Grade.HARD: "Hard", Grade.GOOD: "Good", Grade.EASY: "Easy"}


def said_undone(undone: Undone) -> str:
    """What undo took back."""
    return f"Undone: {undone.words}."


def history(card: Card, state: CardState, reviews: Sequence[Review]) -> str:
    """A card's whole history, oldest first."""
    lines = [f"{card.path}:{card.line}", f"{card.kind} · {' · '.join(card.tags) or 'no tags'}", ""]
    if state.memory is None:
        return "\n".join([*lines, "New: not reviewed yet."])
    due = f"due {state.due.isoformat()}" if state.due else ""
    lines.append(
        f"{due} · stability {state.memory.stability:.1f} d · difficulty {state.memory.difficulty:.1f} of 10"
    )
    lines.append(
        f"{state.reviews} reviews · {state.lapses} lapses{' · suspended' if state.suspended else ''}"
    )
    lines.append("")
    lines += [
        f"{review.day.isoformat()}  {review.grade.word:<5}  next in {review.interval:>4} d   {review.seconds:5.0f} s"
        for review in reviews
    ]
    return "\n".join(lines)
