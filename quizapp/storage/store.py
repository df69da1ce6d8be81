"""The store: an append-only log of what the learner did, and the state of each card that follows from it."""

from __future__ import annotations

import contextlib
import datetime as dt
import sqlite3
from collections.abc import Collection, Iterable, Iterator, Sequence
from pathlib import Path
from types import TracebackType
from typing import Self

import msgspec
from msgspec.structs import replace

from quizapp.review.scheduler import SCHEDULER_NAME
from quizapp.review.types import Action, CardState, Outcome, Review, Undone
from quizapp.storage import rows
from quizapp.storage.backup import copy_database
from quizapp.storage.errors import StorageError, explained
from quizapp.storage.fold import Entry, apply, fold
from quizapp.storage.merge import Merged, Settle, mixed, plan

# Beyond so many cards one pass over the whole log is faster than asking for each.
_MANY = 1000


class Rebuilt(msgspec.Struct, frozen=True):
    """What deriving memory again found: rows that count, cards with a state, and the cards that differed."""

    reviews: int
    cards: int
    changed: tuple[str, ...]


class SqliteStore:
    """Reviews, holds and marks in one SQLite file. Every method that writes commits before it returns.

    Made by ``quizapp.storage.open_store``; one thread only. Raises StorageError where the disk fails, and
    then nothing of the failed action is kept.
    """

    def __init__(self, connection: sqlite3.Connection, path: Path) -> None:
        self.connection = connection
        self.path = path
        # Why the automatic backup failed, where it did: worth a line, no reason to keep anyone from drilling.
        self.backup_problem: str | None = None
        self.cleanup = contextlib.ExitStack()
        self._last_at = (0, 0)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Close the file and let the next writer in. Closing twice is fine."""
        try:
            with explained(self.path):
                self.connection.close()
        finally:
            self.cleanup.close()

    # Reading

    def state(self, card: str) -> CardState:
        """The state of one card; a new one where the log says nothing about it."""
        sql = f"SELECT {rows.STATE_COLUMNS} FROM card_state WHERE card = ?"
        with explained(self.path):
            row = self.connection.execute(sql, (card,)).fetchone()
        return CardState(card) if row is None else rows.read_state(row)

    def states(self) -> dict[str, CardState]:
        """The states of all cards that the log says anything about, archived ones included."""
        with explained(self.path):
            found = self.connection.execute(f"SELECT {rows.STATE_COLUMNS} FROM card_state").fetchall()
        return {row[0]: rows.read_state(row) for row in found}

    def last_day(self) -> dt.date | None:
        """The latest study day with a review that counts. A day never runs backwards."""
        sql = f"SELECT day FROM log WHERE action = 'review' AND {rows.LIVE} ORDER BY day DESC LIMIT 1"
        with explained(self.path):
            row = self.connection.execute(sql).fetchone()
        return None if row is None else dt.date.fromisoformat(row[0])

    def done_on(self, day: dt.date) -> tuple[frozenset[str], frozenset[str]]:
        """The cards first seen on that study day, and the other cards reviewed on it."""
        sql = f"SELECT card, was_new, place, seq, at FROM log WHERE day = ? AND action = 'review' AND {rows.LIVE}"
        with explained(self.path):
            owner = self._owners()
            found = self.connection.execute(sql, (day.isoformat(),)).fetchall()
        owned = [(owner(card, rows.position(*where)), was_new) for card, was_new, *where in found]
        first = frozenset(card for card, was_new in owned if was_new)
        return first, frozenset(card for card, _ in owned) - first

    def reviews(self, card: str | None = None, *, undone: bool = False) -> Iterator[Review]:
        """The reviews, oldest first: all or one card's, with the undone ones where asked for.

        A review made under an earlier id of a card is given under the present one.
        """
        taken_back = "EXISTS (SELECT 1 FROM log AS later WHERE later.undoes = log.seq)"
        where, values = "action = 'review'", []
        with explained(self.path):
            owner = self._owners()
            if card is not None:
                values = sorted(self._relatives([card]))
                where += f" AND card IN ({', '.join('?' * len(values))})"
            if not undone:
                where += f" AND NOT {taken_back}"
            sql = f"SELECT {rows.LOG_COLUMNS}, {taken_back} FROM log WHERE {where} ORDER BY {rows.ORDER}"
            for row in self.connection.execute(sql, values):
                entry = rows.read_entry(row[:-1])
                owned_by = owner(entry.card, rows.position(entry.place, entry.seq, row[1]))
                if card is None or card == owned_by:
                    yield rows.as_review(entry, owned_by, undone=bool(row[-1]))

    def review_count(self) -> int:
        """How many reviews count."""
        sql = f"SELECT count(*) FROM log WHERE action = 'review' AND {rows.LIVE}"
        with explained(self.path):
            return int(self.connection.execute(sql).fetchone()[0])

    def log(self, cards: Iterable[str] | None = None) -> list[Entry]:
        """All rows that count, in the order of time: of every card, or of some and of those they took over."""
        with explained(self.path):
            return list(self._stream("1") if cards is None else self._of(self._relatives(cards)))

    def logged(self) -> frozenset[str]:
        """The cards that the log has ever named."""
        with explained(self.path):
            return frozenset(row[0] for row in self.connection.execute("SELECT DISTINCT card FROM log"))

    def archived(self, loaded: Collection[str]) -> list[str]:
        """The cards with a state that no loaded deck has, by name."""
        return sorted(set(self.states()).difference(loaded))

    # Writing

    def add_review(self, review: Review, *, leech: bool) -> None:
        """Log one graded answer; ``leech`` where it makes the card one."""
        entry = Entry(
            action="review",
            card=review.card,
            at=review.at,
            day=review.day,
            grade=review.grade,
            was_new=self.state(review.card).memory is None,
            leech=leech,
            scheduler=SCHEDULER_NAME,
            stability=review.stability,
            difficulty=review.difficulty,
            interval=review.interval,
            due=review.due,
            seconds=review.seconds,
            confidence=review.confidence,
        )
        self._append([entry])

    def set_suspended(self, card: str, suspended: bool, at: dt.datetime, day: dt.date) -> None:
        """Keep a card out of every queue, or let it back in."""
        if self.state(card).suspended != suspended:
            self._append([Entry("suspend" if suspended else "unsuspend", card, at, day)])

    def bury(self, card: str, at: dt.datetime, day: dt.date) -> None:
        """Keep a card out of the queue for the rest of the study day."""
        if self.state(card).buried_on != day:
            self._append([Entry("bury", card, at, day)])

    def set_marked(self, card: str, marked: bool, at: dt.datetime, day: dt.date) -> None:
        """Mark a card, or take the mark off."""
        if self.state(card).marked != marked:
            self._append([Entry("mark" if marked else "unmark", card, at, day)])

    def reset(self, cards: Iterable[str], at: dt.datetime, day: dt.date) -> int:
        """Make the cards new again; the log keeps their reviews. Returns how many were not new."""
        known = [card for card in dict.fromkeys(cards) if self.state(card).memory is not None]
        self._append([Entry("reset", card, at, day) for card in known])
        return len(known)

    def carry(self, old: str, new: str, at: dt.datetime, day: dt.date) -> None:
        """Give the history of ``old`` to ``new``, as when a card's heading was reworded.

        Raises StorageError where ``old`` has no history or ``new`` has one of its own.
        """
        if old == new or old not in self.states():
            raise StorageError(f"{old}: there is no history to carry over to {new}")
        if self.state(new).memory is not None:
            raise StorageError(f"{new}: has a history of its own; reset it first to take over that of {old}")
        self._append([Entry("carry", new, at, day, source=old)])

    def reschedule(self, outcomes: dict[str, Outcome], at: dt.datetime, day: dt.date) -> None:
        """Log a new memory and due day for each card, in one action; the day of its last review stays."""
        self._append([_rescheduled(card, outcome, at, day) for card, outcome in outcomes.items()])

    def merge(self, incoming: Iterable[Entry], settle: Settle) -> Merged:
        """Unite rows of another log with this one, all of them or none; what is known already is left alone.

        The states are those of all rows in the order of time. ``settle`` says what the memory should be where a
        review was graded without knowing of an earlier one; that is logged by rows that reschedule. One undo takes
        the whole merge back.
        """
        with explained(self.path), self._transaction():
            found = plan(self.connection, incoming)
            first = self._next_seq()
            for number, (entry, moment) in enumerate(found.new):
                row = replace(entry, seq=first + number, batch=first, undoes=None)
                rows.write_entry(self.connection, row, moment)
            touched = {card for entry, _ in found.new for card in (entry.card, entry.source) if card}
            relatives = self._relatives(touched)
            live = list(self._of(relatives))
            states = fold(live)
            unsettled = mixed(live, first, found.known)
            outcomes = settle(states, unsettled)
            ends = {entry.card: entry for entry in live if entry.action in ("review", "reschedule", "carry")}
            for number, (card, outcome) in enumerate(outcomes.items()):
                seq = first + len(found.new) + number
                # Right behind what it speaks of: a reset after that, which comes with a later merge, forgets both.
                last = ends[card]
                place = last.seq if last.place is None else last.place
                row = replace(
                    _rescheduled(card, outcome, last.at, last.day), seq=seq, batch=first, place=place
                )
                rows.write_entry(self.connection, row, self._unique(last.at))
                apply(states, row)
            rows.write_states(self.connection, (states.get(card, CardState(card)) for card in relatives))
        reviews = sum(entry.action == "review" for entry, _ in found.new)
        return Merged(len(found.new), reviews, len(found.known), len(outcomes))

    def undo(self, at: dt.datetime, day: dt.date) -> Undone | None:
        """Take back the latest action that still counts, of whichever session; None if none does."""
        sql = f"SELECT seq, batch FROM log WHERE {rows.LIVE} ORDER BY seq DESC LIMIT 1"
        with explained(self.path), self._transaction():
            latest = self.connection.execute(sql).fetchone()
            if latest is None:
                return None
            seq, batch = latest
            entries = self._live("seq BETWEEN ? AND ?", (seq if batch is None else batch, seq))
            following = self._next_seq()
            for number, entry in enumerate(entries):
                row = Entry("undo", entry.card, at, day, seq=following + number, undoes=entry.seq)
                rows.write_entry(self.connection, row, self._unique(at))
            touched = {entry.card for entry in entries} | {entry.source for entry in entries if entry.source}
            self._derive(touched)
        return Undone(_action(entries[0]), entries[0].card, entries[0].grade, len(entries))

    # The whole

    def backup(self, target: Path) -> None:
        """Write a compact, checked copy of the database to ``target``."""
        copy_database(self.connection, target)

    def rebuild(self) -> Rebuilt:
        """Derive every card's state again from the log."""
        with explained(self.path), self._transaction():
            before = self.states()
            after = fold(self._stream("1"))
            changed = [card for card in before | after if before.get(card) != after.get(card)]
            rows.write_states(self.connection, (after.get(card, CardState(card)) for card in changed))
        return Rebuilt(self.review_count(), len(after), tuple(sorted(changed)))

    def derived(self) -> dict[str, CardState]:
        """What the log says the states should be."""
        with explained(self.path):
            return fold(self._stream("1"))

    # Within

    def _append(self, entries: Sequence[Entry]) -> None:
        if not entries:
            return
        with explained(self.path), self._transaction():
            first = self._next_seq()
            batch = first if len(entries) > 1 else None
            states: dict[str, CardState] = {}
            for number, entry in enumerate(entries):
                for card in filter(None, (entry.card, entry.source)):
                    states.setdefault(card, self.state(card))
                row = replace(entry, seq=first + number, batch=batch)
                rows.write_entry(self.connection, row, self._unique(entry.at))
                apply(states, row)
            touched = {card for entry in entries for card in (entry.card, entry.source) if card}
            rows.write_states(self.connection, (states.get(card, CardState(card)) for card in touched))

    def _derive(self, cards: set[str]) -> None:
        """Derive the states of these cards, and of all that exchanged history with them, from the log."""
        relatives = self._relatives(cards)
        states = fold(self._of(relatives))
        rows.write_states(self.connection, (states.get(card, CardState(card)) for card in relatives))

    def _relatives(self, cards: Iterable[str]) -> set[str]:
        found = set(cards)
        carries = self.connection.execute("SELECT source, card FROM log WHERE action = 'carry'").fetchall()
        while more := {card for pair in carries if found.intersection(pair) for card in pair} - found:
            found |= more
        return found

    def _owners(self) -> _Owners:
        sql = f"SELECT place, seq, at, source, card FROM log WHERE action = 'carry' AND {rows.LIVE}"
        found = self.connection.execute(f"{sql} ORDER BY {rows.ORDER}").fetchall()
        return _Owners([(rows.position(*row[:3]), row[3], row[4]) for row in found])

    def _of(self, cards: Collection[str]) -> Iterator[Entry]:
        """The rows of some cards that count."""
        if len(cards) > _MANY:
            return (entry for entry in self._stream("1") if entry.card in cards)
        return self._stream(f"card IN ({', '.join('?' * len(cards))})", tuple(cards))

    def _live(self, where: str, values: Sequence[object] = ()) -> list[Entry]:
        return list(self._stream(where, values))

    def _stream(self, where: str, values: Sequence[object] = ()) -> Iterator[Entry]:
        sql = f"SELECT {rows.LOG_COLUMNS} FROM log WHERE {where} AND {rows.LIVE} ORDER BY {rows.ORDER}"
        return map(rows.read_entry, self.connection.execute(sql, values))

    def _next_seq(self) -> int:
        return int(self.connection.execute("SELECT coalesce(max(seq), 0) + 1 FROM log").fetchone()[0])

    def _unique(self, moment: dt.datetime) -> int:
        """The moment in ms, or the next ms that no row has: other programs take it for the id of a review."""
        at = asked = rows.milliseconds(moment)
        if self._last_at[0] == asked:
            at = self._last_at[1] + 1
        while self.connection.execute("SELECT 1 FROM log WHERE at = ?", (at,)).fetchone():
            at += 1
        self._last_at = (asked, at)
        return at

    @contextlib.contextmanager
    def _transaction(self) -> Iterator[None]:
        self.connection.execute("BEGIN IMMEDIATE")
        try:
            yield
            self.connection.execute("COMMIT")
        except BaseException:
            # SQLite has rolled back by itself after some errors.
            if self.connection.in_transaction:
                self.connection.execute("ROLLBACK")
            raise


def _rescheduled(card: str, outcome: Outcome, at: dt.datetime, day: dt.date) -> Entry:
    return Entry(
        "reschedule",
        card,
        at,
        day,
        scheduler=SCHEDULER_NAME,
        stability=outcome.memory.stability,
        difficulty=outcome.memory.difficulty,
        interval=outcome.interval,
        due=outcome.due,
    )


class _Owners:
    """Which card a row belongs to now, after the histories that were carried over since."""

    def __init__(self, carries: Sequence[tuple[rows.Position, str, str]]) -> None:
        self._carries = carries

    def __call__(self, card: str, position: rows.Position) -> str:
        for carried_at, old, new in self._carries:
            if carried_at > position and old == card:
                card = new
        return card


def _action(entry: Entry) -> Action:
    if entry.action == "undo":
        raise AssertionError("an undo can't be undone")
    return entry.action
