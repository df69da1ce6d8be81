"""What the store keeps, and what it says about it."""

from __future__ import annotations

import datetime as dt
import sqlite3
from collections.abc import Callable

import pytest
from msgspec.structs import replace

from quizapp.config import Config
from quizapp.home import Home
from quizapp.review.clock import FixedClock
from quizapp.review.day import current_day
from quizapp.review.reschedule import rescheduled
from quizapp.review.types import CardState, Grade, Memory, Review, Undone
from quizapp.storage import SqliteStore, StorageError, open_store

NOON = dt.datetime(2026, 11, 30, 12, tzinfo=dt.timezone(dt.timedelta(hours=1)))
DAY = NOON.date()
Answer = Callable[..., Review]


def test_a_review_comes_back_as_it_was_given(home: Home, store: SqliteStore, answer: Answer) -> None:
    given = answer(store, "rope", 3, confidence=0.8)
    store.close()
    with open_store(home, write=False) as reader:
        assert list(reader.reviews()) == [given]
        state = reader.state("rope")
        assert reader.last_day() == DAY
    memory = Memory(given.stability, given.difficulty, DAY)
    assert state == CardState("rope", memory, given.due, given.interval, reviews=1)


def test_the_moment_keeps_its_offset_to_the_millisecond(store: SqliteStore, answer: Answer) -> None:
    zone = dt.timezone(dt.timedelta(hours=-3, minutes=-30))
    at = dt.datetime(2026, 12, 1, 2, 0, 0, 123456, tzinfo=zone)
    store.add_review(replace(answer(store, "a"), at=at), leech=False)
    kept = list(store.reviews())[1].at
    assert kept.isoformat() == "2026-12-01T02:00:00.123000-03:30"


def test_moments_are_unique_also_under_a_clock_that_stands_still(store: SqliteStore, answer: Answer) -> None:
    for number in range(30):
        answer(store, f"card-{number}")
    moments = [review.at for review in store.reviews()]
    assert len(set(moments)) == 30
    assert max(moments) - NOON == dt.timedelta(milliseconds=29)


def test_lapses_reviews_and_leeches_are_counted(store: SqliteStore, answer: Answer) -> None:
    answer(store, "x", 1)
    answer(store, "x", 1)
    for day in range(1, 9):
        assert not store.state("x").leech
        answer(store, "x", 1, days=2 * day)
        answer(store, "x", 3, days=2 * day)
    state = store.state("x")
    assert (state.reviews, state.lapses, state.leech) == (18, 8, True)


def test_holds_and_marks(store: SqliteStore) -> None:
    store.set_suspended("a", True, NOON, DAY)
    store.set_suspended("a", True, NOON, DAY)
    store.bury("b", NOON, DAY)
    store.bury("b", NOON, DAY)
    store.set_marked("c", True, NOON, DAY)
    assert store.states() == {
        "a": CardState("a", suspended=True),
        "b": CardState("b", buried_on=DAY),
        "c": CardState("c", marked=True),
    }
    store.set_suspended("a", False, NOON, DAY)
    store.set_marked("c", False, NOON, DAY)
    assert store.states() == {"b": CardState("b", buried_on=DAY)}
    assert [store.undo(NOON, DAY) for _ in range(6)] == [
        Undone("unmark", "c"),
        Undone("unsuspend", "a"),
        Undone("mark", "c"),
        Undone("bury", "b"),
        Undone("suspend", "a"),
        None,
    ]


def test_done_today_tells_new_cards_from_others(store: SqliteStore, answer: Answer) -> None:
    answer(store, "old", days=-3)
    answer(store, "old", 1)
    answer(store, "new", 1)
    answer(store, "new", 3)
    answer(store, "mistake", 3)
    store.undo(NOON, DAY)
    assert store.done_on(DAY) == (frozenset({"new"}), frozenset({"old"}))
    assert store.done_on(DAY - dt.timedelta(days=3)) == (frozenset({"old"}), frozenset())
    assert store.done_on(DAY - dt.timedelta(days=1)) == (frozenset(), frozenset())


def test_undone_reviews_do_not_count_and_can_be_shown(store: SqliteStore, answer: Answer) -> None:
    first = answer(store, "a", 3, days=-5)
    second = answer(store, "a", 1)
    assert store.undo(NOON, DAY) == Undone("review", "a", Grade.AGAIN)
    assert list(store.reviews()) == [first]
    assert store.last_day() == first.day
    shown = list(store.reviews("a", undone=True))
    assert [(review.grade, review.undone) for review in shown] == [(first.grade, False), (second.grade, True)]


def test_a_reset_forgets_and_undo_remembers(store: SqliteStore, answer: Answer) -> None:
    for card in ("a", "b", "c"):
        answer(store, card)
    store.set_marked("b", True, NOON, DAY)
    before = store.states()
    assert store.reset(["b", "a", "never seen", "b"], NOON, DAY) == 2
    assert store.states() == {"b": CardState("b", marked=True), "c": before["c"]}
    assert len(list(store.reviews())) == 3
    assert store.undo(NOON, DAY) == Undone("reset", "b", None, 2)
    assert store.states() == before
    assert store.reset(["never seen"], NOON, DAY) == 0


def test_reviews_after_a_reset_begin_anew(store: SqliteStore, answer: Answer) -> None:
    answer(store, "a", 4, days=-9)
    store.reset(["a"], NOON, DAY)
    answer(store, "a", 4)
    assert store.state("a").reviews == 1
    assert store.state("a").memory == Memory(8.2956, 1.0, DAY)
    assert store.done_on(DAY) == (frozenset({"a"}), frozenset())


def test_history_is_carried_over_and_back(store: SqliteStore, answer: Answer) -> None:
    answer(store, "old", 3, days=-9)
    answer(store, "old", 3, days=-2)
    store.set_marked("old", True, NOON, DAY)
    store.set_suspended("new", True, NOON, DAY)
    before = store.states()
    store.carry("old", "new", NOON, DAY)
    assert store.states() == {"new": replace(before["old"], card="new", suspended=True)}
    answer(store, "new", 2)
    store.carry("new", "newest", NOON, DAY)
    assert [review.card for review in store.reviews("newest")] == ["newest"] * 3
    assert list(store.reviews("old")) == list(store.reviews("new")) == []
    # The old id may come back for another card.
    answer(store, "old", 4)
    assert [review.grade for review in store.reviews("old")] == [Grade.EASY]
    assert [review.card for review in store.reviews()] == ["newest", "newest", "newest", "old"]
    assert store.done_on(DAY) == (frozenset({"old"}), frozenset({"newest"}))
    assert store.derived() == store.states()
    for _ in range(4):
        store.undo(NOON, DAY)
    assert store.states() == before


def test_carrying_needs_a_history_and_a_free_id(store: SqliteStore, answer: Answer) -> None:
    answer(store, "a")
    answer(store, "b")
    with pytest.raises(StorageError, match="b: has a history of its own; reset it first"):
        store.carry("a", "b", NOON, DAY)
    with pytest.raises(StorageError, match="nobody: there is no history"):
        store.carry("nobody", "c", NOON, DAY)


def test_archived_cards_are_those_that_no_deck_has(store: SqliteStore, answer: Answer) -> None:
    answer(store, "kept")
    answer(store, "removed")
    assert store.archived({"kept", "other"}) == ["removed"]


def test_a_clock_set_back_does_not_turn_back_the_day(store: SqliteStore, answer: Answer) -> None:
    clock = FixedClock(NOON)
    assert current_day(clock, store, Config()) == DAY
    answer(store, "x")
    clock.advance(dt.timedelta(days=-5))
    assert current_day(clock, store, Config()) == DAY
    store.undo(clock.now(), DAY)
    assert current_day(clock, store, Config()) == DAY - dt.timedelta(days=5)
    clock.advance(dt.timedelta(days=9))
    assert current_day(clock, store, Config()) == DAY + dt.timedelta(days=4)


def test_the_log_refuses_changes(store: SqliteStore, answer: Answer) -> None:
    answer(store, "x")
    for statement in ("UPDATE log SET grade = 4", "DELETE FROM log"):
        with pytest.raises(sqlite3.IntegrityError, match="append-only"):
            store.connection.execute(statement)


def test_rebuild_puts_derived_states_right(store: SqliteStore, answer: Answer) -> None:
    for card in ("a", "b", "c"):
        answer(store, card, 1)
        answer(store, card, 3, days=3)
    store.bury("c", NOON, DAY)
    before = store.states()
    assert store.rebuild().changed == ()
    store.connection.execute("UPDATE card_state SET reviews = 99 WHERE card = 'a'")
    store.connection.execute("DELETE FROM card_state WHERE card = 'b'")
    store.connection.execute(
        "INSERT INTO card_state SELECT 'ghost', stability, difficulty, day, due, interval, reviews,"
        " lapses, suspended, buried_on, marked, leech FROM card_state WHERE card = 'c'"
    )
    built = store.rebuild()
    assert (built.reviews, built.cards, built.changed) == (6, 3, ("a", "b", "ghost"))
    assert store.states() == before


def test_rescheduling_changes_nothing_under_the_same_configuration(
    store: SqliteStore, answer: Answer
) -> None:
    for number in range(40):
        day = 0
        for step in range(number % 7 + 1):
            answer(store, f"card-{number}", (number + 3 * step) % 4 + 1, days=day)
            day += (number * step) % 9
    store.reset(["card-3"], NOON, DAY)
    answer(store, "card-3", 2, days=90)
    assert rescheduled(store.reviews(), store.states(), Config()) == {}


def test_rescheduling_is_one_action(store: SqliteStore, answer: Answer) -> None:
    for card in ("a", "b"):
        answer(store, card, 4)
    before = store.states()
    moved = rescheduled(store.reviews(), before, Config(desired_retention=0.8))
    store.reschedule(moved, NOON, DAY)
    after = store.states()
    for card in ("a", "b"):
        # The time until recall is 0.8 on FSRS-6's curve: S (0.8^(-1/w) - 1) / (0.9^(-1/w) - 1).
        w = 0.1542
        plain = round(8.2956 * (0.8 ** (-1 / w) - 1) / (0.9 ** (-1 / w) - 1))
        assert abs(after[card].interval - plain) <= round(1 + 0.15 * 4.5 + 0.1 * 13 + 0.05 * (plain - 20))
        assert after[card].interval > before[card].interval
        assert after[card].due == DAY + dt.timedelta(days=after[card].interval)
        assert after[card].memory == before[card].memory
    assert store.derived() == after
    assert store.undo(NOON, DAY) == Undone("reschedule", "a", None, 2)
    assert store.states() == before
