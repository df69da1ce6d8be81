"""From the log to the state of each card: the same for a new row, for an undo and for a whole log."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable
from typing import Literal

import msgspec
from msgspec.structs import replace

from quizapp.review.leech import is_lapse
from quizapp.review.types import Action, CardState, Grade, Memory


class Entry(msgspec.Struct, frozen=True):
    """One row of the log. What an action doesn't need is None.

    ``source`` is the id whose history a *carry* takes over; ``undoes`` the row that an *undo* takes back;
    ``batch`` the first row of an action on several cards; ``was_new`` whether a review was the card's first;
    ``place`` of a merged row the row of this log that it follows in time.
    """

    action: Action | Literal["undo"]
    card: str
    at: dt.datetime
    day: dt.date
    seq: int = 0
    batch: int | None = None
    undoes: int | None = None
    source: str | None = None
    grade: Grade | None = None
    was_new: bool | None = None
    leech: bool | None = None
    scheduler: str | None = None
    stability: float | None = None
    difficulty: float | None = None
    interval: int | None = None
    due: dt.date | None = None
    seconds: float | None = None
    confidence: float | None = None
    place: int | None = None


def apply(states: dict[str, CardState], entry: Entry) -> None:
    """Change ``states`` by one row. Undone rows, and the rows that undo them, are left out by the caller."""
    state = states.get(entry.card) or CardState(entry.card)
    match entry.action:
        case "review":
            state = _reviewed(state, entry)
        case "suspend" | "unsuspend":
            state = replace(state, suspended=entry.action == "suspend")
        case "mark" | "unmark":
            state = replace(state, marked=entry.action == "mark")
        case "bury":
            state = replace(state, buried_on=entry.day)
        case "reset":
            state = CardState(entry.card, suspended=state.suspended, marked=state.marked)
        case "carry":
            state = _carried(states.pop(entry.source or "", CardState("")), state)
        case "reschedule":
            # A card that was learned elsewhere, and came without its reviews, has such rows alone.
            last = state.memory.day if state.memory and state.reviews else entry.day
            memory = Memory(entry.stability or 0.0, entry.difficulty or 0.0, last)
            state = replace(state, memory=memory, interval=entry.interval or 0, due=entry.due)
        case "undo":
            raise AssertionError("an undo is applied by leaving out the row that it undoes")
    if state == CardState(entry.card):
        states.pop(entry.card, None)
    else:
        states[entry.card] = state


def fold(entries: Iterable[Entry]) -> dict[str, CardState]:
    """The states after the given rows, in their order; a card that is as new as on the first day has none."""
    states: dict[str, CardState] = {}
    for entry in entries:
        apply(states, entry)
    return states


def _reviewed(state: CardState, entry: Entry) -> CardState:
    if entry.grade is None or entry.stability is None or entry.difficulty is None:
        raise AssertionError("the table's checks keep a review complete")
    return replace(
        state,
        memory=Memory(entry.stability, entry.difficulty, entry.day),
        due=entry.due,
        interval=entry.interval or 0,
        reviews=state.reviews + 1,
        lapses=state.lapses + is_lapse(state, entry.grade, entry.day),
        leech=state.leech or bool(entry.leech),
    )


def histories(entries: Iterable[Entry]) -> dict[str, list[Entry]]:
    """The reviews, and the rows that reschedule, which made each card's memory: those since it was last reset."""
    found: dict[str, list[tuple[int, Entry]]] = {}
    for number, entry in enumerate(entries):
        match entry.action:
            case "review" | "reschedule":
                found.setdefault(entry.card, []).append((number, entry))
            case "reset":
                found.pop(entry.card, None)
            case "carry":
                both = found.pop(entry.source or "", []) + found.get(entry.card, [])
                found[entry.card] = sorted(both, key=lambda row: row[0])
            case _:
                pass
    return {card: [entry for _, entry in rows] for card, rows in found.items()}


def _carried(old: CardState, new: CardState) -> CardState:
    """Both histories together: after a merge of two logs the new card may have one of its own."""
    later = max(
        (state for state in (new, old) if state.memory),
        key=lambda state: state.memory.day if state.memory else dt.date.min,
        default=old,
    )
    return replace(
        later,
        card=new.card,
        reviews=old.reviews + new.reviews,
        lapses=old.lapses + new.lapses,
        suspended=old.suspended or new.suspended,
        buried_on=old.buried_on or new.buried_on,
        marked=old.marked or new.marked,
        leech=old.leech or new.leech,
    )
