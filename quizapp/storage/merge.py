"""Rows of another log, or of another program, united with this one: each stands where it would have been in time."""

from __future__ import annotations

import bisect
import datetime as dt
import sqlite3
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence

import msgspec
from msgspec.structs import replace

from quizapp.review.types import CardState, Outcome
from quizapp.storage import rows
from quizapp.storage.fold import Entry, histories
from quizapp.storage.matching import Moments, key_of

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
    """Match rows by card, action and moment, and place those that are new, which keep the order that they come in.

    A row that was undone here counts as known, so that it never comes back; unless the merge as a whole was undone.
    """
    found = list(
        {(key_of(entry), entry.at): (entry, rows.milliseconds(entry.at)) for entry in incoming}.values()
    )
    moments = Moments(connection)
    known = moments.matched(found)
    replaced = _replaced([entry for entry, _ in found], known)
    places, seqs = _moments(connection)
    new: list[tuple[Entry, int]] = []
    behind = 0
    for number, (entry, asked) in enumerate(found):
        if number in known:
            # Clocks differ: what was done later there stays behind it here, whatever the moments say.
            behind = max(behind, moments.place(known[number]))
        elif number not in replaced:
            at = moments.take(entry, asked)
            before = bisect.bisect_right(places, at)
            place = seqs[before - 1] if before else 0
            new.append((replace(entry, place=max(place, behind)), at))
    return Plan(tuple(_fitted(connection, new)), frozenset(known.values()))


def _replaced(incoming: Sequence[Entry], known: Collection[int]) -> set[int]:
    """The numbers of rows that reschedule a card and that the file itself takes back by one that is known here."""
    found: set[int] = set()
    again: set[str] = set()
    for number in reversed(range(len(incoming))):
        entry = incoming[number]
        if entry.action == "reschedule":
            if number in known:
                again.add(entry.card)
            elif entry.card in again:
                found.add(number)
    return found


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
