"""The rules of study, one by one: again, follow-ups, the day, cram, undo after a restart."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator
from pathlib import Path

import fsrs
import pytest
from msgspec.structs import replace

from quizapp.config import Config
from quizapp.decks.card import Card, Fields
from quizapp.home import Home
from quizapp.review.clock import FixedClock
from quizapp.review.scheduler import KernelScheduler
from quizapp.review.session import MOST_SECONDS, Session
from quizapp.review.types import Grade
from quizapp.storage import SqliteStore, StorageError, open_store

ZONE = dt.timezone(dt.timedelta(hours=1))
NOON = dt.datetime(2026, 11, 30, 12, tzinfo=ZONE)
DAY = NOON.date()


def recall_card(name: str, *follow_ups: str, points: int = 4) -> Card:
    fields = Fields(follow_ups=follow_ups, points=tuple("wxyz"[:points]), hints=("one", "two"))
    return Card(name, name, "deck", "recall", name, "", "answer", "deck.md", 1, True, fields)


CARDS = {"a": recall_card("a", "c"), "b": recall_card("b"), "c": recall_card("c")}


@pytest.fixture
def store(tmp_path: Path) -> Iterator[SqliteStore]:
    with open_store(Home(tmp_path / "home"), write=True, now=NOON) as opened:
        yield opened


def open_session(store: SqliteStore, names: str = "abc", **values: object) -> Session:
    rest = {"clock": FixedClock(NOON), "day": DAY, "config": Config(), "cards": CARDS} | values
    return Session([CARDS[n] for n in names], store=store, scheduler=KernelScheduler(Config()), **rest)  # type: ignore[arg-type]


def grade(session: Session, number: int) -> str:
    assert session.current
    name = session.current.id
    session.reveal()
    session.grade(Grade(number))
    return name


def test_again_comes_back_after_the_others_until_hard_or_better(store: SqliteStore) -> None:
    session = open_session(store)
    grades = {"a": [1, 1, 2], "b": [3], "c": [1, 4]}
    asked = []
    while session.current:
        asked.append(grade(session, grades[session.current.id].pop(0)))
        assert session.total == 3
    assert asked == ["a", "b", "c", "a", "c", "a"]
    assert [(review.card, int(review.grade)) for review in store.reviews()] == [
        ("a", 1), ("b", 3), ("c", 1), ("a", 1), ("c", 4), ("a", 2),
    ]  # fmt: skip
    summary = session.summary()
    assert (summary.cards, summary.learned, summary.left) == (3, 3, 0)
    assert [card.id for card in summary.hardest] == ["a", "c"]
    assert sum(summary.comes_back.values()) == 3


def test_counts_and_position_follow_the_cards(store: SqliteStore) -> None:
    session = open_session(store)
    seen = []
    for number in (1, 3, 3, 3):
        counts = session.counts
        seen.append((session.position, counts.again, counts.due, counts.new))
        grade(session, number)
    assert seen == [(1, 0, 0, 3), (2, 1, 0, 2), (3, 1, 0, 1), (3, 1, 0, 0)]


def test_a_follow_up_comes_back_to_the_card_as_it_was(store: SqliteStore) -> None:
    session = open_session(store)
    session.hint()
    session.reveal()
    session.toggle_point(1)
    before = session.turn
    session.open_follow_up("c")
    assert session.current == CARDS["c"]
    assert session.phase == "asked"
    grade(session, 3)
    assert session.turn == before
    assert [grade(session, 3), grade(session, 3)] == ["a", "b"]
    assert session.summary().left == 0


def test_a_grade_after_the_follow_up_crossed_the_day_start_counts_on_the_new_day(store: SqliteStore) -> None:
    clock = FixedClock(NOON + dt.timedelta(hours=15, minutes=55))
    session = open_session(store, clock=clock)
    session.reveal()
    session.open_follow_up("c")
    clock.advance(dt.timedelta(minutes=10))
    grade(session, 3)
    grade(session, 3)
    grade(session, 3)
    tomorrow = DAY + dt.timedelta(days=1)
    assert [(review.card, review.day) for review in store.reviews()] == [
        ("c", DAY), ("a", tomorrow), ("b", tomorrow),
    ]  # fmt: skip


def test_days_never_run_backwards(store: SqliteStore) -> None:
    clock = FixedClock(NOON)
    session = open_session(store, clock=clock)
    grade(session, 1)
    clock.advance(dt.timedelta(days=2))
    grade(session, 3)
    clock.advance(dt.timedelta(days=-5))
    grade(session, 3)
    grade(session, 3)
    days = [review.day for review in store.reviews()]
    assert days == sorted(days)
    # The card in hand when the clock moves was opened on the day before.
    assert days == [DAY, DAY, DAY + dt.timedelta(days=2), DAY + dt.timedelta(days=2)]


def test_each_grade_of_a_day_goes_through_fsrs_with_no_days_elapsed(store: SqliteStore) -> None:
    session = open_session(store, "a")
    for number in (1, 1, 3):
        grade(session, number)
    noon = dt.datetime(2026, 11, 30, 12, tzinfo=dt.timezone.utc)  # noqa: UP017  (fsrs takes no other UTC)
    official, card = (
        fsrs.Scheduler(enable_fuzzing=False, learning_steps=(), relearning_steps=()),
        fsrs.Card(1),
    )
    for number in (1, 1, 3):
        card, _ = official.review_card(card, fsrs.Rating(number), noon)
    memory = store.state("a").memory
    assert memory is not None
    assert memory.stability == pytest.approx(card.stability, rel=1e-9)
    assert memory.difficulty == pytest.approx(card.difficulty, rel=1e-9)


def test_cram_writes_nothing(store: SqliteStore) -> None:
    session = open_session(store, cram=True)
    assert session.outcomes == {}
    for number in (1, 3, 3, 2):
        session.reveal()
        assert session.grade(Grade(number)) is None
    assert session.phase == "done"
    undone = session.undo()
    assert undone is not None
    assert (undone.card, undone.grade) == ("a", Grade.HARD)
    assert session.current == CARDS["a"]
    assert list(store.reviews()) == []
    assert store.states() == {}
    assert store.connection.execute("SELECT count(*) FROM log").fetchone()[0] == 0


def test_undo_goes_on_past_a_restart_and_the_memory_is_as_before(store: SqliteStore) -> None:
    first = open_session(store)
    grade(first, 3)
    after_one = store.state("a")
    grade(first, 4)
    second = open_session(store, "c", clock=FixedClock(NOON + dt.timedelta(days=1)))
    undone = second.undo()
    assert undone is not None
    assert (undone.card, undone.grade) == ("b", Grade.EASY)
    assert second.current == CARDS["b"]
    assert store.state("b").memory is None
    assert store.state("a") == after_one
    assert grade(second, 3) == "b"
    assert second.current == CARDS["c"]


def test_the_grade_suggested_follows_ticks_and_hints(store: SqliteStore) -> None:
    session = open_session(store)
    session.reveal()
    suggested = []
    for number in range(4):
        session.toggle_point(number)
        suggested.append(session.suggested_grade.word)
    session.toggle_point(9)
    assert suggested == ["again", "hard", "hard", "good"]
    assert [session.hint(), session.hint(), session.hint()] == ["one", "two", None]
    assert session.suggested_grade is Grade.HARD


def test_seconds_are_capped(store: SqliteStore) -> None:
    clock = FixedClock(NOON)
    session = open_session(store, clock=clock)
    clock.advance(dt.timedelta(seconds=7.25))
    grade(session, 3)
    clock.advance(dt.timedelta(hours=3))
    grade(session, 3)
    assert [review.seconds for review in store.reviews()] == [7.25, MOST_SECONDS]


def test_a_disk_that_fails_loses_no_card(store: SqliteStore, monkeypatch: pytest.MonkeyPatch) -> None:
    session = open_session(store)
    session.reveal()
    before = session.turn

    def fail(*_: object, **__: object) -> None:
        raise StorageError("the disk is full")

    with monkeypatch.context() as patch:
        patch.setattr(SqliteStore, "add_review", fail)
        patch.setattr(SqliteStore, "set_suspended", fail)
        patch.setattr(SqliteStore, "set_marked", fail)
        for action in (lambda: session.grade(Grade.GOOD), session.suspend, session.toggle_mark):
            with pytest.raises(StorageError):
                action()
            assert session.turn == before
    assert session.undo() is None
    session.grade(Grade.GOOD)
    assert store.state("a").reviews == 1


def test_an_edited_card_is_asked_as_it_reads_now(store: SqliteStore) -> None:
    session = open_session(store)
    session.reveal()
    edited = CARDS | {"a": replace(CARDS["a"], heading="new a"), "b": replace(CARDS["b"], heading="new b")}
    del edited["c"]
    session.reload(edited)
    assert session.turn
    assert session.turn.question.heading == "new a"
    grade(session, 3)
    assert session.turn.question.heading == "new b"
    session.undo()
    assert session.turn.question.heading == "new a"
    assert [grade(session, 3), grade(session, 3)] == ["a", "b"]
