"""A card without a pinned id whose heading changed: which new card its history may belong to."""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Mapping
from typing import NamedTuple

from quizapp.decks.card import Card
from quizapp.review.types import CardState

# Headings less alike than this are different questions.
_ALIKE = 0.6


class Offer(NamedTuple):
    """The history of ``old`` may be carried over to ``new``."""

    old: str
    new: str
    reviews: int


def offers(cards: Iterable[Card], states: Mapping[str, CardState]) -> list[Offer]:
    """For each archived card of a deck, the nearest unpinned card of that deck without a history of its own."""
    cards = list(cards)
    loaded = {card.id for card in cards}
    fresh: dict[str, dict[str, str]] = {}
    for card in cards:
        state = states.get(card.id)
        if not card.pinned and (state is None or not state.reviews):
            fresh.setdefault(card.deck, {})[card.id] = card.id.removeprefix(f"{card.deck}/")
    found: list[Offer] = []
    for old, state in sorted(states.items()):
        if old in loaded or not state.reviews:
            continue
        deck = max((name for name in fresh if old.startswith(f"{name}/")), key=len, default=None)
        if deck is None:
            continue
        words = old.removeprefix(f"{deck}/")
        near = difflib.get_close_matches(words, fresh[deck].values(), 1, _ALIKE)
        new = next((name for name, slug in fresh[deck].items() if near and slug == near[0]), None)
        if new is not None:
            found.append(Offer(old, new, state.reviews))
            del fresh[deck][new]
    return found
