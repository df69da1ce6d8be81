"""What the home screen says: decks, today's work, the days ahead, the streak."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from quizapp.config import Config
from quizapp.decks.card import Card, Deck
from quizapp.review.queue import Done, counts
from quizapp.review.types import CardState, Review, Scheduler

AHEAD = 14
# Before there are reviews to learn from: what one card takes.
_SECONDS_A_CARD = 25.0


@dataclass(frozen=True)
class DeckLine:
    """One deck: ``recall`` is the mean predicted recall of the cards seen, None where none was."""

    name: str
    title: str
    description: str
    cards: int
    due: int
    new: int
    recall: float | None


@dataclass(frozen=True)
class Overview:
    """``ahead`` counts the cards that come due on each of the next days, today (with what is overdue) first."""

    day: dt.date
    decks: tuple[DeckLine, ...]
    due: int
    new: int
    minutes: int
    ahead: tuple[int, ...]
    recall: float | None
    streak: int
    next_due: dt.date | None
    reviewed: bool


def overview(
    decks: Sequence[Deck],
    cards: Mapping[str, Card],
    states: Mapping[str, CardState],
    reviews: Sequence[Review],
    scheduler: Scheduler,
    day: dt.date,
    config: Config,
    done: Done,
) -> Overview:
    """Put together what the home screen says, for one study day."""
    counted = counts(cards.values(), states, day, config, done)
    by_deck = {deck.deck: deck for deck in counted.decks}
    recalls: dict[str, list[float]] = {}
    dues: list[dt.date] = []
    for card in cards.values():
        state = states.get(card.id)
        if state is None or state.memory is None or state.suspended:
            continue
        recalls.setdefault(card.deck, []).append(scheduler.recall(state.memory, day))
        if state.due:
            dues.append(state.due)
    lines = tuple(
        DeckLine(
            deck.name,
            deck.title,
            deck.description,
            len({card.entry for card in deck.cards}),
            by_deck[deck.name].due if deck.name in by_deck else 0,
            by_deck[deck.name].new if deck.name in by_deck else 0,
            _mean(recalls.get(deck.name, ())),
        )
        for deck in decks
    )
    ahead = [0] * AHEAD
    for due in dues:
        if (days := max((due - day).days, 0)) < AHEAD:
            ahead[days] += 1
    recent = [min(review.seconds, 120.0) for review in reviews[-200:]]
    each = (_mean(recent) or _SECONDS_A_CARD) if recent else _SECONDS_A_CARD
    return Overview(
        day,
        lines,
        counted.due,
        counted.new,
        max(1, round((counted.due + counted.new) * each / 60)) if counted.due + counted.new else 0,
        tuple(ahead),
        _mean([value for values in recalls.values() for value in values]),
        streak({review.day for review in reviews}, day),
        min((due for due in dues if due > day), default=None),
        bool(reviews),
    )


def streak(days: Iterable[dt.date], today: dt.date) -> int:
    """How many study days in a row have a review, up to today, or up to yesterday while today has none."""
    known = set(days)
    at = today if today in known else today - dt.timedelta(days=1)
    count = 0
    while at in known:
        count += 1
        at -= dt.timedelta(days=1)
    return count


def _mean(values: Iterable[float]) -> float | None:
    found = list(values)
    return sum(found) / len(found) if found else None
