"""The search language of ``quizapp cards`` and the app: text, ``tag:``, ``deck:``, ``is:``, ``state:``."""

from __future__ import annotations

import datetime as dt
import difflib
import fnmatch
import re
from collections.abc import Callable, Iterable, Mapping
from typing import Literal

import msgspec

from quizapp.decks.card import Card
from quizapp.errors import UsageError
from quizapp.review.queue import is_due, is_held
from quizapp.review.types import CardState

State = Literal["new", "review", "suspended", "buried"]
STATES: tuple[State, ...] = ("new", "review", "suspended", "buried")
KEYS = ("tag", "deck", "is", "state", "kind", "id", "demo")


class Term(msgspec.Struct, frozen=True):
    """One condition: ``key`` is empty for plain text; ``negated`` where it begins with a minus sign."""

    key: str
    value: str
    negated: bool = False


def state_word(state: CardState, day: dt.date) -> State:
    """What a card is on a study day, in one word; held back says more than seen or not."""
    if state.suspended:
        return "suspended"
    if state.buried_on == day:
        return "buried"
    return "new" if state.memory is None else "review"


_CONDITIONS: dict[str, Callable[[CardState, dt.date], bool]] = {
    "due": lambda state, day: is_due(state, day) and not is_held(state, day),
    "new": lambda state, day: state_word(state, day) == "new",
    "suspended": lambda state, _: state.suspended,
    "buried": lambda state, day: state.buried_on == day,
    "marked": lambda state, _: state.marked,
    "leech": lambda state, _: state.leech,
}


def parse_query(text: str) -> tuple[Term, ...]:
    """Read a query: terms that must all hold, apart from those that begin with ``-``, which must not.

    ``"quoted text"`` is one term and never a key; ``*`` in a tag or a deck stands for anything.
    Raises UsageError for an unclosed quote, a misspelt key and a condition that does not exist.
    """
    if text.count('"') % 2:
        raise UsageError(f"search {text!r}: a quotation mark is not closed")
    return tuple(_read(part) for part in re.findall(r'-?(?:[^\s"]+:)?"[^"]*"|[^\s"]+', text))


def search(query: str, cards: Iterable[Card], states: Mapping[str, CardState], day: dt.date) -> list[Card]:
    """The cards that a query finds, in their order; an empty query finds all."""
    terms = parse_query(query)
    return [card for card in cards if matches(terms, card, states.get(card.id) or CardState(card.id), day)]


def matches(terms: Iterable[Term], card: Card, state: CardState, day: dt.date) -> bool:
    """Whether every term of a query holds for a card in that state on that study day."""
    return all(_holds(term, card, state, day) != term.negated for term in terms)


def _read(part: str) -> Term:
    negated = part.startswith("-") and len(part) > 1
    body = part[1:] if negated else part
    key, colon, value = body.partition(":")
    if body.startswith('"') or not colon or not key.isalpha():
        return Term("", body.strip('"').casefold(), negated)
    key, value = key.lower(), value.strip('"').casefold()
    if key not in KEYS:
        near = difflib.get_close_matches(key, KEYS, 1)
        if near:
            raise UsageError(
                f'search {part!r}: no key {key}; did you mean {near[0]}:? (text goes in "quotes")'
            )
        return Term("", body.replace('"', "").casefold(), negated)
    for known, choices in (("is", tuple(_CONDITIONS)), ("state", STATES)):
        if key == known and value not in choices:
            raise UsageError(f"search {part!r}: {key}: takes one of {', '.join(choices)}")
    if not value:
        raise UsageError(f"search {part!r}: {key}: needs a value, such as {key}:rope")
    return Term(key, value, negated)


def _holds(term: Term, card: Card, state: CardState, day: dt.date) -> bool:
    match term.key:
        case "tag":
            return any(fnmatch.fnmatchcase(tag.casefold(), term.value) for tag in card.tags)
        case "deck":
            return fnmatch.fnmatchcase(card.deck.casefold(), term.value)
        case "kind":
            return card.kind == term.value
        case "demo":
            return card.fields.demo == term.value
        case "id":
            return fnmatch.fnmatchcase(card.id.casefold(), term.value)
        case "is":
            return _CONDITIONS[term.value](state, day)
        case "state":
            return state_word(state, day) == term.value
        case _:
            return any(term.value in text.casefold() for text in _texts(card))


def _texts(card: Card) -> Iterable[str]:
    yield from (card.id, card.heading, card.prompt, card.answer)
    yield from card.fields.points
    for option in card.options:
        yield option.text
