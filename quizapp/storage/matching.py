"""Which rows of another log are here already, and which moment a row gets that is not."""

from __future__ import annotations

import datetime as dt
import sqlite3
from collections.abc import Sequence

from msgspec.structs import replace

from quizapp.review.types import Grade
from quizapp.storage.fold import Entry

Key = tuple[object, ...]
# No row is moved further than this from its own moment (ms).
_NEAR = 1000


class Moments:
    """The moments (ms) of a log's rows, each of which only one row has.

    Where two machines wrote in the same millisecond, or a merge that was undone comes again, a row is moved to a
    moment beside its own. So a row is looked for at its moment first, then near it.
    """

    def __init__(self, connection: sqlite3.Connection) -> None:
        undone = "EXISTS (SELECT 1 FROM log AS later WHERE later.undoes = log.seq)"
        self._taken: set[int] = set()
        self._rows: dict[Key, dict[int, tuple[int, float | None]]] = {}
        self._places: dict[int, int] = {}
        for at, seq, seconds, place, gone, *said in connection.execute(
            f"SELECT at, seq, seconds, coalesce(place, seq), place IS NOT NULL AND {undone}, "
            "card, action, source, grade, stability, difficulty, due FROM log"
        ):
            self._taken.add(at)
            # A merge that was undone may come again; a review that was undone here never does.
            if not gone:
                self._rows.setdefault(_key(*said), {})[at] = (seq, seconds)
                self._places[seq] = place

    def matched(self, incoming: Sequence[tuple[Entry, int]]) -> dict[int, int]:
        """The ``seq`` of the rows that are here already, by their number in ``incoming``; each matches one."""
        keys = [key_of(entry) for entry, _ in incoming]
        found: dict[int, int] = {}
        for number, (_, at) in enumerate(incoming):
            here = self._rows.get(keys[number], {}).get(at)
            if here is not None:
                found[number] = here[0]
        used = set(found.values())
        for number, (entry, at) in enumerate(incoming):
            if number in found:
                continue
            near = [
                (abs(there - at), seq)
                for there, (seq, seconds) in self._rows.get(keys[number], {}).items()
                if abs(there - at) <= _NEAR and seconds == entry.seconds and seq not in used
            ]
            if near:
                found[number] = min(near)[1]
                used.add(found[number])
        return found

    def place(self, seq: int) -> int:
        """The row that a row of this log follows in time: itself, where it was written here."""
        return self._places[seq]

    def take(self, entry: Entry, at: int) -> int:
        """A free moment for a new row: its own, or one on the side that lets both machines read both rows alike."""
        step = 1
        if at in self._taken and entry.grade is not None:
            higher = (grade for grade in Grade if grade > entry.grade)
            others = (self._rows.get(key_of(replace(entry, grade=grade)), {}) for grade in higher)
            if any(abs(there - at) <= _NEAR for other in others for there in other):
                step = -1
        while at in self._taken:
            at += step
        self._taken.add(at)
        return at


def key_of(entry: Entry) -> Key:
    """What a row says, apart from its moment; a study day may have been fitted on the way."""
    due = entry.due.isoformat() if isinstance(entry.due, dt.date) else None
    return _key(entry.card, entry.action, entry.source, entry.grade, entry.stability, entry.difficulty, due)


def _key(
    card: str,
    action: str,
    source: str | None,
    grade: Grade | int | None,
    stability: float | None,
    difficulty: float | None,
    due: str | None,
) -> Key:
    if action == "reschedule":
        return card, action, stability, difficulty, due
    return card, action, source, None if grade is None else int(grade)
