"""What a drill asks, and in which order: pure functions of the cards, their states and the study day."""

from __future__ import annotations

import datetime as dt
import random
from collections.abc import Collection, Iterable, Mapping

import msgspec

from quizapp.config import Config
from quizapp.decks.card import Card
from quizapp.review.kernel import Kernel
from quizapp.review.types import CardState

# The cards first seen on a study day, and the other cards reviewed on it, as Store.done_on gives them.
Done = tuple[Collection[str], Collection[str]]
NOTHING_DONE: Done = (frozenset(), frozenset())


class Queue(msgspec.Struct, frozen=True):
    """The cards to ask, in order; ``held_due`` and ``held_new`` count those the day's limits keep back."""

    cards: tuple[Card, ...]
    due: int
    new: int
    held_due: int = 0
    held_new: int = 0


class DeckCount(msgspec.Struct, frozen=True):
    """How many due and new cards a drill would ask."""

    deck: str
    due: int
    new: int


class Counts(msgspec.Struct, frozen=True):
    """What a drill of everything would ask, and what a drill of each deck alone would.

    The day's limits hold for each drill as a whole, so the decks may add up to more.
    """

    due: int
    new: int
    decks: tuple[DeckCount, ...]


def is_held(state: CardState, day: dt.date) -> bool:
    """Whether a card stays out of the queue: suspended, or buried on that study day."""
    return state.suspended or state.buried_on == day


def is_due(state: CardState, day: dt.date) -> bool:
    """Whether a card that was seen before is due on that study day or was earlier."""
    return state.due is not None and state.due <= day


def build_queue(
    cards: Iterable[Card],
    states: Mapping[str, CardState],
    day: dt.date,
    config: Config,
    *,
    limit: int | None = None,
    done_today: Done = NOTHING_DONE,
    cram: bool = False,
    seed: int | None = None,
) -> Queue:
    """The queue of a drill over ``cards``, which stand in file order.

    First what is due, the least likely to be recalled first (ties in file order); then new cards in file
    order. Suspended and buried cards stay out; of cards with one entry only one is asked a study day, the due
    before the new. The day's limits count what was done today already; ``limit`` counts distinct cards. With
    ``cram`` every card that is not held is asked, due or not, shuffled by ``seed``.
    """
    if cram:
        found = [card for card in cards if not _held(card, states, day)]
        random.Random(seed).shuffle(found)
        chosen = found[:limit]
        new = sum(_is_new(states.get(card.id)) for card in chosen)
        return Queue(tuple(chosen), len(chosen) - new, new)
    due, fresh = _eligible(cards, states, day, done_today)
    kernel = Kernel(config.weights)
    due.sort(key=lambda card: _recall(kernel, states[card.id], day))
    due, fresh = _one_an_entry(due, fresh)
    due_left, new_left = _left(config, done_today)
    asked_due = due[:due_left][:limit]
    asked_new = fresh[:new_left][: None if limit is None else limit - len(asked_due)]
    return Queue(
        (*asked_due, *asked_new),
        due=len(asked_due),
        new=len(asked_new),
        held_due=max(len(due) - due_left, 0),
        held_new=max(len(fresh) - new_left, 0),
    )


def counts(
    cards: Iterable[Card],
    states: Mapping[str, CardState],
    day: dt.date,
    config: Config,
    done: Done = NOTHING_DONE,
) -> Counts:
    """How many cards ``build_queue`` would ask, for all decks and for each, in the order of the cards."""
    decks: dict[str, list[Card]] = {}
    for card in cards:
        decks.setdefault(card.deck, []).append(card)
    due_left, new_left = _left(config, done)
    by_deck, all_due, all_new = [], 0, 0
    for deck, members in decks.items():
        due, fresh = _one_an_entry(*_eligible(members, states, day, done))
        by_deck.append(DeckCount(deck, min(len(due), due_left), min(len(fresh), new_left)))
        all_due += len(due)
        all_new += len(fresh)
    return Counts(min(all_due, due_left), min(all_new, new_left), tuple(by_deck))


def _eligible(
    cards: Iterable[Card], states: Mapping[str, CardState], day: dt.date, done: Done
) -> tuple[list[Card], list[Card]]:
    """The due and the new cards that nothing holds back but the limits and siblings in the same queue."""
    cards = tuple(cards)
    done_cards = {*done[0], *done[1]}
    # A card that was reset today is new again and may be asked.
    done_entries = {
        card.entry for card in cards if card.id in done_cards and not _is_new(states.get(card.id))
    }
    due, fresh = [], []
    for card in cards:
        state = states.get(card.id)
        if card.entry in done_entries or _held(card, states, day):
            continue
        if state is None or _is_new(state):
            fresh.append(card)
        elif is_due(state, day):
            due.append(card)
    return due, fresh


def _one_an_entry(due: list[Card], fresh: list[Card]) -> tuple[list[Card], list[Card]]:
    taken: set[str] = set()

    def first_of_entry(card: Card) -> bool:
        seen = card.entry in taken
        taken.add(card.entry)
        return not seen

    return [card for card in due if first_of_entry(card)], [card for card in fresh if first_of_entry(card)]


def _left(config: Config, done: Done) -> tuple[int, int]:
    return max(config.reviews_per_day - len(done[1]), 0), max(config.new_per_day - len(done[0]), 0)


def _held(card: Card, states: Mapping[str, CardState], day: dt.date) -> bool:
    state = states.get(card.id)
    return state is not None and is_held(state, day)


def _is_new(state: CardState | None) -> bool:
    return state is None or state.memory is None


def _recall(kernel: Kernel, state: CardState, day: dt.date) -> float:
    if state.memory is None:
        return 0.0
    return kernel.recall(state.memory.stability, (day - state.memory.day).days)
