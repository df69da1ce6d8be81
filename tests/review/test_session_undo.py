"""What undo does with actions that are no grade of this session."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator
from pathlib import Path

import pytest

from quizapp.config import Config
from quizapp.decks.card import Card, Fields
from quizapp.home import Home
from quizapp.review.clock import FixedClock
from quizapp.review.scheduler import KernelScheduler
from quizapp.review.session import Session
from quizapp.review.types import Grade, Undone
from quizapp.storage import SqliteStore, open_store

NOON = dt.datetime(2026, 11, 30, 12, tzinfo=dt.timezone(dt.timedelta(hours=1)))
DAY = NOON.date()
CARDS = {
    name: Card(name, name, "deck", "recall", name, "", "x", "deck.md", 1, True, Fields(follow_ups=("c",)))
    for name in "abc"
}


@pytest.fixture
def store(tmp_path: Path) -> Iterator[SqliteStore]:
    with open_store(Home(tmp_path / "home"), write=True, now=NOON) as opened:
        yield opened


def open_session(store: SqliteStore, names: str, *, cram: bool = False) -> Session:
    return Session(
        [CARDS[name] for name in names], store=store, scheduler=KernelScheduler(Config()),
        clock=FixedClock(NOON), day=DAY, config=Config(), cards=CARDS, cram=cram,
    )  # fmt: skip


def grade(session: Session, number: int) -> None:
    session.reveal()
    session.grade(Grade(number))


def test_a_card_of_an_earlier_session_is_asked_and_the_one_in_hand_waits(store: SqliteStore) -> None:
    grade(open_session(store, "a"), 3)
    session = open_session(store, "bc")
    assert session.undo() == Undone("review", "a", Grade.GOOD)
    assert (session.current, session.phase) == (CARDS["a"], "asked")
    assert store.state("a").memory is None
    grade(session, 4)
    assert session.current == CARDS["b"]
    assert session.total == 3


def test_a_card_that_no_deck_has_any_more_is_undone_but_not_asked(store: SqliteStore) -> None:
    gone = Session(
        [CARDS["a"]], store=store, scheduler=KernelScheduler(Config()), clock=FixedClock(NOON), day=DAY,
        config=Config(),
    )  # fmt: skip
    grade(gone, 3)
    session = Session(
        [CARDS["b"]], store=store, scheduler=KernelScheduler(Config()), clock=FixedClock(NOON), day=DAY,
        config=Config(), cards={"b": CARDS["b"]},
    )  # fmt: skip
    assert session.undo() == Undone("review", "a", Grade.GOOD)
    assert session.current == CARDS["b"]
    assert session.undo() is None


def test_undoing_a_reset_leaves_the_card_in_hand_with_its_memory_back(store: SqliteStore) -> None:
    first = open_session(store, "ab")
    grade(first, 3)
    grade(first, 3)
    before = [KernelScheduler(Config()).preview(store.state(name), DAY) for name in "ab"]
    assert store.reset("ab", NOON, DAY) == 2
    session = open_session(store, "ba")
    session.reveal()
    assert session.outcomes != before[1]
    undone = session.undo()
    assert undone is not None
    assert (undone.action, undone.cards) == ("reset", 2)
    assert (session.current, session.phase, session.outcomes) == (CARDS["b"], "answered", before[1])
    session.grade(Grade.GOOD)
    assert (session.current, session.outcomes) == (CARDS["a"], before[0])


def test_putting_away_what_was_put_away_is_undone_alone(store: SqliteStore) -> None:
    session = open_session(store, "ab")
    grade(session, 3)
    store.bury("c", NOON, DAY)
    session.open_follow_up("c")
    session.bury()
    assert session.current == CARDS["b"]
    assert session.undo() == Undone("bury", "c")
    assert session.current == CARDS["c"]
    assert store.state("a").reviews == 1
    assert store.state("c").buried_on == DAY


def test_a_mark_is_undone_and_the_answer_stays_open(store: SqliteStore) -> None:
    session = open_session(store, "ab")
    session.reveal()
    assert session.toggle_mark()
    assert store.state("a").marked
    assert session.undo() == Undone("mark", "a")
    assert (session.current, session.phase) == (CARDS["a"], "answered")
    assert not store.state("a").marked


def test_in_a_cram_undo_stops_at_the_start(store: SqliteStore) -> None:
    grade(open_session(store, "a"), 3)
    session = open_session(store, "ab", cram=True)
    grade(session, 2)
    assert session.undo() == Undone("review", "a", Grade.HARD)
    assert (session.current, session.phase) == (CARDS["a"], "answered")
    assert session.undo() is None
    assert store.state("a").reviews == 1
