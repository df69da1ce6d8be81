"""Rows of the two tables as plain data, and back."""

from __future__ import annotations

import datetime as dt
import sqlite3
from collections.abc import Iterable
from typing import Any

from quizapp.review.types import CardState, Grade, Memory, Review
from quizapp.storage.fold import Entry

Position = tuple[int, bool, int, int]
_EPOCH = dt.datetime(1970, 1, 1, tzinfo=dt.UTC)
_MILLISECOND = dt.timedelta(milliseconds=1)

LOG_COLUMNS = (
    "seq, at, utc_offset, day, action, card, batch, undoes, source, grade, was_new, leech, scheduler, "
    "stability, difficulty, interval, due, seconds, confidence, place"
)
STATE_COLUMNS = (
    "card, stability, difficulty, day, due, interval, reviews, lapses, suspended, buried_on, marked, leech"
)
# In time: the rows of this log as they were written, each merged row where it would have been.
ORDER = "coalesce(place, seq), place IS NOT NULL, at, seq"
# Rows that count: neither taken back nor taking back.
LIVE = "action <> 'undo' AND NOT EXISTS (SELECT 1 FROM log AS later WHERE later.undoes = log.seq)"


def milliseconds(moment: dt.datetime) -> int:
    """Milliseconds since 1970. Raises TypeError for a moment without a UTC offset."""
    return (moment - _EPOCH) // _MILLISECOND


def read_entry(row: tuple[Any, ...]) -> Entry:
    (seq, at, offset, day, action, card, batch, undoes, source, grade, was_new, leech, scheduler) = row[:13]
    stability, difficulty, interval, due, seconds, confidence, place = row[13:]
    return Entry(
        action=action,
        card=card,
        at=(_EPOCH + at * _MILLISECOND).astimezone(dt.timezone(dt.timedelta(seconds=offset))),
        day=dt.date.fromisoformat(day),
        seq=seq,
        batch=batch,
        undoes=undoes,
        source=source,
        grade=None if grade is None else Grade(grade),
        was_new=None if was_new is None else bool(was_new),
        leech=None if leech is None else bool(leech),
        scheduler=scheduler,
        stability=stability,
        difficulty=difficulty,
        interval=interval,
        due=_day(due),
        seconds=seconds,
        confidence=confidence,
        place=place,
    )


def position(place: int | None, seq: int, at: int) -> Position:
    """Where a row stands in :data:`ORDER`, to compare with another."""
    return (seq if place is None else place, place is not None, at, seq)


def write_entry(connection: sqlite3.Connection, entry: Entry, at: int) -> None:
    """Append one row; ``at`` is its unique moment in ms."""
    offset = entry.at.utcoffset()
    values = (
        entry.seq,
        at,
        0 if offset is None else offset // dt.timedelta(seconds=1),
        entry.day.isoformat(),
        entry.action,
        entry.card,
        entry.batch,
        entry.undoes,
        entry.source,
        entry.grade if entry.grade is None else int(entry.grade),
        entry.was_new,
        entry.leech,
        entry.scheduler,
        entry.stability,
        entry.difficulty,
        entry.interval,
        _text(entry.due),
        entry.seconds,
        entry.confidence,
        entry.place,
    )
    connection.execute(f"INSERT INTO log ({LOG_COLUMNS}) VALUES ({_marks(len(values))})", values)


def read_state(row: tuple[Any, ...]) -> CardState:
    (
        card,
        stability,
        difficulty,
        day,
        due,
        interval,
        reviews,
        lapses,
        suspended,
        buried_on,
        marked,
        leech,
    ) = row
    return CardState(
        card=card,
        memory=None if day is None else Memory(stability, difficulty, dt.date.fromisoformat(day)),
        due=_day(due),
        interval=interval,
        reviews=reviews,
        lapses=lapses,
        suspended=bool(suspended),
        buried_on=_day(buried_on),
        marked=bool(marked),
        leech=bool(leech),
    )


def write_states(connection: sqlite3.Connection, states: Iterable[CardState]) -> None:
    """Write the derived states; one that says nothing (a new card) loses its row."""
    for state in states:
        if state == CardState(state.card):
            connection.execute("DELETE FROM card_state WHERE card = ?", (state.card,))
            continue
        memory = state.memory
        values = (
            state.card,
            memory and memory.stability,
            memory and memory.difficulty,
            memory and memory.day.isoformat(),
            _text(state.due),
            state.interval,
            state.reviews,
            state.lapses,
            state.suspended,
            _text(state.buried_on),
            state.marked,
            state.leech,
        )
        connection.execute(
            f"INSERT OR REPLACE INTO card_state ({STATE_COLUMNS}) VALUES ({_marks(len(values))})", values
        )


def as_review(entry: Entry, card: str, *, undone: bool) -> Review:
    """A row of a review, for everyone outside storage; ``card`` is the id that owns it now."""
    if entry.grade is None or entry.due is None or entry.stability is None or entry.difficulty is None:
        raise AssertionError("the table's checks keep a review complete")
    return Review(
        card=card,
        grade=entry.grade,
        at=entry.at,
        day=entry.day,
        interval=entry.interval or 0,
        due=entry.due,
        stability=entry.stability,
        difficulty=entry.difficulty,
        seconds=entry.seconds or 0.0,
        confidence=entry.confidence,
        undone=undone,
    )


def _marks(count: int) -> str:
    return ", ".join("?" * count)


def _day(text: str | None) -> dt.date | None:
    return None if text is None else dt.date.fromisoformat(text)


def _text(day: dt.date | None) -> str | None:
    return None if day is None else day.isoformat()
