"""The cards that are still ahead in a session."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from quizapp.decks.card import Card
from quizapp.review.types import CardState


@dataclass(frozen=True)
class Snapshot:
    """The cards ahead at one moment."""

    fresh: tuple[Card, ...]
    again: tuple[Card, ...]
    new: frozenset[str] | None


class Waiting:
    """First the cards not asked yet, then those that come back; none twice.

    Counted as it changes: to count ten thousand cards anew at each grade would be felt. ``states`` gives the
    states of all cards, and is asked when new cards are first counted.
    """

    def __init__(self, cards: Sequence[Card], states: Callable[[], Mapping[str, CardState]]) -> None:
        self._fresh = deque(cards)
        self._again: deque[Card] = deque()
        self._ids = {card.id for card in cards}
        self._states = states
        self._new: set[str] | None = None

    def __len__(self) -> int:
        return len(self._fresh) + len(self._again)

    def __contains__(self, card: str) -> bool:
        return card in self._ids

    @property
    def fresh(self) -> int:
        """How many were not asked yet."""
        return len(self._fresh)

    @property
    def again(self) -> int:
        """How many come back."""
        return len(self._again)

    @property
    def new(self) -> int:
        """How many of those not asked yet were never graded."""
        if self._new is None:
            states = self._states()
            self._new = {
                card.id
                for card in self._fresh
                if (state := states.get(card.id)) is None or state.memory is None
            }
        return len(self._new)

    @property
    def first(self) -> Card | None:
        """The card that ``pop`` would give."""
        queue = self._fresh or self._again
        return queue[0] if queue else None

    def pop(self) -> Card | None:
        """Take the next card; None where there is none."""
        card = self.first
        if card is not None:
            self.drop(card)
        return card

    def drop(self, card: Card) -> None:
        """Take a card out, wherever it waits."""
        if card.id not in self._ids:
            return
        self._ids.discard(card.id)
        if self._new is not None:
            self._new.discard(card.id)
        for queue in (self._fresh, self._again):
            if queue and queue[0].id == card.id:
                queue.popleft()
                return
        self._fresh = deque(other for other in self._fresh if other.id != card.id)
        self._again = deque(other for other in self._again if other.id != card.id)

    def put_first(self, card: Card) -> None:
        """Let a card that was in hand be asked next."""
        self.drop(card)
        self._fresh.appendleft(card)
        self._ids.add(card.id)
        self._new = None

    def come_back(self, card: Card) -> None:
        """Let a card be asked again after the others."""
        self.drop(card)
        self._again.append(card)
        self._ids.add(card.id)

    def count_anew(self) -> None:
        """Ask for the states again, as after an action that may have changed any card."""
        self._new = None

    def reload(self, cards: Mapping[str, Card]) -> None:
        """Take the cards as they read now, without those that are gone."""
        self._take(
            deque(cards[card.id] for card in self._fresh if card.id in cards),
            deque(cards[card.id] for card in self._again if card.id in cards),
        )
        self._new = None

    def snapshot(self) -> Snapshot:
        """The cards ahead now, for ``restore``."""
        return Snapshot(
            tuple(self._fresh), tuple(self._again), None if self._new is None else frozenset(self._new)
        )

    def restore(self, snapshot: Snapshot, cards: Mapping[str, Card]) -> None:
        """Go back to a snapshot; a deck that was edited since is asked as it reads now."""
        self._take(
            deque(cards.get(card.id, card) for card in snapshot.fresh),
            deque(cards.get(card.id, card) for card in snapshot.again),
        )
        self._new = None if snapshot.new is None else set(snapshot.new)

    def _take(self, fresh: deque[Card], again: deque[Card]) -> None:
        self._fresh, self._again = fresh, again
        self._ids = {card.id for card in (*fresh, *again)}
