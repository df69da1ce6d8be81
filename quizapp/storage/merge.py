"""Rows of another log, or of another program, united with this one: each stands where it would have been in time."""

from __future__ import annotations

import bisect
import datetime as dt
import sqlite3
from collections.abc import Callable, Iterable, Mapping, Sequence

import msgspec
from msgspec.structs import replace

from quizapp.review.types import CardState, Outcome
from quizapp.storage import rows
from quizapp.storage.fold import Entry, histories

# Given the states and the histories of the cards whose memory was made of rows that did not know of each other:
# what each should be.
Settle = Callable[[Mapping[str, CardState], Mapping[str, Sequence[Entry]]], Mapping[str, Outcome]]


class Merged(msgspec.Struct, frozen=True):
    """What a merge did: rows added, of them reviews, rows that were here already, cards rescheduled."""

    added: int = 0
    reviews: int = 0
    known: int = 0
    rescheduled: int = 0


class Plan(msgspec.Struct, frozen=True):
    """The rows to add with their moments in ms, and the ``seq`` of the rows that both sides know."""

    new: tuple[tuple[Entry, int], ...]
    known: frozenset[int]


def plan(connection: sqlite3.Connection, incoming: Iterable[Entry]) -> Plan:
    """Match rows by card, action and moment.

    A row that was undone here counts as known, so that it never comes back; unless the merge as a whole was undone.
    """
    undone = "EXISTS (SELECT 1 FROM log AS later WHERE later.undoes = log.seq)"
    taken: dict[int, tuple[int, str, str] | None] = {
        at: (seq, card, action) if not gone else None
        for seq, at, card, action, gone in connection.execute(
            f"SELECT seq, at, card, action, place IS NOT NULL AND {undone} FROM log"
        )
    }
    places, seqs = _moments(connection)
    new: list[tuple[Entry, int]] = []
    known: set[int] = set()
    for entry in incoming:
        at = rows.milliseconds(entry.at)
        while at in taken:
            other = taken[at]
            if other is not None and other[1:] == (entry.card, entry.action):
                known.add(other[0])
                break
            at += 1
        else:
            # A row of this very merge may stand in the file twice.
            taken[at] = (-1, entry.card, entry.action)
            before = bisect.bisect_right(places, at)
            new.append((replace(entry, place=seqs[before - 1] if before else 0), at))
    return Plan(tuple(_fitted(connection, new)), frozenset(known - {-1}))


def mixed(live: Sequence[Entry], first: int, known: frozenset[int]) -> dict[str, Sequence[Entry]]:
    """The histories of the cards that both sides went on with, not knowing of each other.

    ``live`` are the rows of the cards touched, in the order of time; those from ``first`` on are new.
    """
    carried: dict[str, str] = {}

    def whole(card: str) -> str:
        while card in carried:
            card = carried[card]
        return card

    for entry in live:
        if entry.source and whole(entry.source) != whole(entry.card):
            carried[whole(entry.source)] = whole(entry.card)
    new: set[str] = set()
    unknown: set[str] = set()
    for entry in live:
        if entry.action not in ("review", "reset", "carry", "reschedule"):
            continue
        if entry.seq >= first:
            new.add(whole(entry.card))
        elif entry.seq not in known and entry.action != "reschedule":
            unknown.add(whole(entry.card))
    both = new & unknown
    return {card: history for card, history in histories(live).items() if whole(card) in both}


def _moments(connection: sqlite3.Connection) -> tuple[list[int], list[int]]:
    """When each row of this log was written, as a clock would say that never runs backwards; and its ``seq``."""
    places: list[int] = []
    seqs: list[int] = []
    latest = 0
    for seq, at in connection.execute("SELECT seq, at FROM log WHERE place IS NULL ORDER BY seq"):
        latest = max(latest, at)
        places.append(latest)
        seqs.append(seq)
    return places, seqs


def _fitted(connection: sqlite3.Connection, new: Sequence[tuple[Entry, int]]) -> list[tuple[Entry, int]]:
    """The new rows with study days that run backwards for no card: clocks and time zones of two machines differ."""
    there: dict[str, list[tuple[rows.Position, dt.date, int]]] = {}
    wanted = {entry.card for entry, _ in new if entry.action == "review"}
    sql = f"SELECT card, place, seq, at, day FROM log WHERE action = 'review' AND {rows.LIVE}"
    for card, place, seq, at, day in connection.execute(sql):
        if card in wanted:
            there.setdefault(card, []).append((rows.position(place, seq, at), dt.date.fromisoformat(day), -1))
    last = 2**62
    for number, (entry, at) in enumerate(new):
        if entry.action == "review":
            there.setdefault(entry.card, []).append((rows.position(entry.place, last, at), entry.day, number))
    fitted = list(new)
    for timeline in there.values():
        timeline.sort()
        ahead = dt.date.max
        limits: list[dt.date] = []
        for _, day, number in reversed(timeline):
            limits.append(ahead)
            ahead = min(ahead, day) if number < 0 else ahead
        before = dt.date.min
        for (_, day, number), limit in zip(timeline, reversed(limits), strict=True):
            if number >= 0:
                day = min(max(day, before), limit)
                entry, at = fitted[number]
                if day != entry.day:
                    fitted[number] = (replace(entry, day=day), at)
            before = max(before, day)
    return fitted
