"""Histories of two machines, and of other programs, united with the log here."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from quizapp.config import Config
from quizapp.exchange.history import log_rows, settled
from quizapp.exchange.model import ExchangeError, Incoming, PastReview
from quizapp.home import Home
from quizapp.review.leech import is_leech
from quizapp.review.scheduler import KernelScheduler
from quizapp.review.types import CardState, Grade, Memory, Review
from quizapp.storage import SqliteStore, open_store
from quizapp.storage.fold import Entry
from quizapp.storage.integrity import days_backwards, differences
from quizapp.storage.merge import Merged

CONFIG = Config()
START = dt.datetime(2026, 9, 1, 12, tzinfo=dt.timezone(dt.timedelta(hours=1)))
NOW = START + dt.timedelta(days=90)
SCHEDULER = KernelScheduler(CONFIG)
Event = tuple[int, str, int]  # minutes after START, card, grade (0: reset)
Open = Callable[[str], SqliteStore]


@pytest.fixture
def machine(tmp_path: Path, request: pytest.FixtureRequest) -> Open:
    """The store of a machine, by its name."""

    def opened(name: str) -> SqliteStore:
        store = fast(Home(tmp_path / name))
        request.addfinalizer(store.close)
        return store

    return opened


def fast(home: Home) -> SqliteStore:
    """A store that does not wait for the disk, since no test here cuts the power."""
    store = open_store(home, write=True, now=NOW)
    store.connection.execute("PRAGMA synchronous = OFF")
    return store


def moment(minutes: int) -> dt.datetime:
    return START + dt.timedelta(minutes=minutes)


def day_of(minutes: int) -> dt.date:
    return (moment(minutes) - dt.timedelta(hours=4)).date()


def do(store: SqliteStore, events: Iterable[Event]) -> None:
    """Grade as a session does."""
    for minutes, card, grade in events:
        at, day = moment(minutes), day_of(minutes)
        if not grade:
            store.reset([card], at, day)
            continue
        state = store.state(card)
        outcome = SCHEDULER.outcome(state, Grade(grade), day)
        review = Review(
            card, outcome.grade, at, day, outcome.interval, outcome.due,
            outcome.memory.stability, outcome.memory.difficulty, 2.5,
        )  # fmt: skip
        store.add_review(review, leech=is_leech(state, review.grade, day, CONFIG.leech_threshold))


def merge(store: SqliteStore, rows: Sequence[Entry], now: dt.datetime = NOW) -> Merged:
    incoming = Incoming((), 0, log=tuple(rows))
    found = log_rows(Path("x.json"), incoming, config=CONFIG, now=now, logged=store.logged())
    return store.merge(found, settled(CONFIG))


def same(first: SqliteStore, second: SqliteStore) -> None:
    """The memory, due day and counts of every card; floats as FSRS computes them."""
    left, right = first.states(), second.states()
    assert left.keys() == right.keys()
    for card, state in left.items():
        other = right[card]
        assert (state.due, state.interval, state.reviews, state.lapses) == (
            other.due, other.interval, other.reviews, other.lapses,
        ), card  # fmt: skip
        if state.memory and other.memory:
            assert state.memory.day == other.memory.day
            assert state.memory.stability == pytest.approx(other.memory.stability, rel=1e-6)
            assert state.memory.difficulty == pytest.approx(other.memory.difficulty, rel=1e-6)
        else:
            assert state.memory == other.memory


def sound(store: SqliteStore) -> None:
    assert differences(store) == []
    assert days_backwards(store) == []


DAY = 24 * 60
LAPTOP: list[Event] = [(0, "a", 3), (10, "b", 3), (3 * DAY, "a", 3), (20 * DAY, "a", 1), (21 * DAY, "b", 4)]
DESKTOP: list[Event] = [(DAY, "a", 2), (DAY + 5, "c", 3), (11 * DAY, "a", 3), (40 * DAY, "c", 3)]


def test_two_machines_end_where_one_would_have(machine: Open) -> None:
    laptop, desktop, one = machine("laptop"), machine("desktop"), machine("one")
    do(laptop, LAPTOP)
    do(desktop, DESKTOP)
    do(one, sorted(LAPTOP + DESKTOP))
    merged = merge(laptop, desktop.log())
    assert (merged.added, merged.reviews, merged.rescheduled) == (4, 4, 1)
    same(laptop, one)
    # The desktop gets all that the laptop knows, and then both know the same.
    merge(desktop, laptop.log())
    same(desktop, one)
    assert merge(laptop, desktop.log()).added == 0
    assert [(r.card, r.at) for r in laptop.reviews()] == [(r.card, r.at) for r in one.reviews()]
    for store in (laptop, desktop, one):
        sound(store)


def test_both_ways_at_once_ends_the_same(machine: Open) -> None:
    laptop, desktop, one = machine("laptop"), machine("desktop"), machine("one")
    do(laptop, LAPTOP)
    do(desktop, DESKTOP)
    do(one, sorted(LAPTOP + DESKTOP))
    first, second = laptop.log(), desktop.log()
    merge(laptop, second)
    merge(desktop, first)
    same(laptop, one)
    same(desktop, one)


def test_importing_twice_adds_nothing(machine: Open) -> None:
    laptop, desktop = machine("laptop"), machine("desktop")
    do(laptop, LAPTOP)
    do(desktop, DESKTOP)
    rows = desktop.log()
    merge(laptop, rows)
    before = laptop.connection.execute("SELECT * FROM log").fetchall()
    assert merge(laptop, rows).added == 0
    assert laptop.connection.execute("SELECT * FROM log").fetchall() == before


EVENTS = st.lists(
    st.tuples(st.integers(0, 80 * DAY), st.sampled_from("abc"), st.sampled_from([0, 1, 2, 3, 3, 4])),
    max_size=14,
    unique_by=lambda event: event[0],
).map(sorted)


@settings(max_examples=100, deadline=None)
@given(EVENTS, st.data())
def test_any_two_histories_end_where_one_would_have(
    tmp_path_factory: pytest.TempPathFactory, events: list[Event], data: st.DataObject
) -> None:
    sides = data.draw(st.lists(st.booleans(), min_size=len(events), max_size=len(events)))
    root = tmp_path_factory.mktemp("any")
    with (
        fast(Home(root / "l")) as laptop,
        fast(Home(root / "d")) as desktop,
        fast(Home(root / "o")) as one,
    ):
        do(one, events)
        # A reset of a card that is new does nothing and leaves no row, so that it is given where one side knows it.
        rows = {(row.card, row.at) for row in one.log()}
        kept = [(e, side) for e, side in zip(events, sides, strict=True) if (e[1], moment(e[0])) in rows]
        for store, wanted in ((laptop, True), (desktop, False)):
            for event, side in kept:
                if side == wanted and (event[2] or store.state(event[1]).memory):
                    do(store, [event])
        made = {(row.card, row.at) for row in (*laptop.log(), *desktop.log())}
        if made != rows:
            return
        merge(laptop, desktop.log())
        same(laptop, one)
        sound(laptop)
        merge(desktop, laptop.log())
        same(desktop, one)
        sound(desktop)
        assert merge(laptop, desktop.log()).added == 0


def test_reviews_from_before_a_reset_stay_forgotten(machine: Open) -> None:
    laptop, desktop = machine("laptop"), machine("desktop")
    do(laptop, [(0, "a", 3), (5 * DAY, "a", 0)])
    do(desktop, [(2 * DAY, "a", 3)])
    merge(laptop, desktop.log())
    assert laptop.state("a").memory is None
    assert laptop.state("a").reviews == 0
    assert laptop.review_count() == 2
    sound(laptop)


def test_a_reset_on_the_other_machine_counts_from_its_moment(machine: Open) -> None:
    laptop, desktop, one = machine("laptop"), machine("desktop"), machine("one")
    do(desktop, [(0, "a", 3), (5 * DAY, "a", 0)])
    do(laptop, [(9 * DAY, "a", 2)])
    do(one, [(0, "a", 3), (5 * DAY, "a", 0), (9 * DAY, "a", 2)])
    merge(laptop, desktop.log())
    same(laptop, one)
    sound(laptop)


def test_an_undone_review_is_not_exported_and_never_comes_back(machine: Open) -> None:
    laptop, desktop = machine("laptop"), machine("desktop")
    do(desktop, [(0, "a", 3), (DAY, "a", 3)])
    merge(laptop, desktop.log())
    do(laptop, [(30 * DAY, "b", 3)])
    do(desktop, [(30 * DAY, "b", 3)])
    laptop.undo(NOW, NOW.date())
    assert laptop.state("b").memory is None
    assert merge(laptop, desktop.log()).added == 0
    assert laptop.state("b").memory is None
    assert [row.card for row in laptop.log()] == ["a", "a"]


def test_one_undo_takes_a_merge_back_and_it_may_come_again(machine: Open) -> None:
    laptop, desktop = machine("laptop"), machine("desktop")
    do(laptop, LAPTOP)
    do(desktop, DESKTOP)
    before = laptop.states()
    merged = merge(laptop, desktop.log())
    after = laptop.states()
    undone = laptop.undo(NOW, NOW.date())
    assert undone is not None
    assert undone.cards == merged.added + merged.rescheduled
    assert laptop.states() == before
    assert merge(laptop, desktop.log()).reviews == merged.reviews
    assert laptop.states() == after
    assert merge(laptop, desktop.log()).added == 0
    sound(laptop)


def test_undo_after_a_merge_goes_on_with_what_was_done_here(machine: Open) -> None:
    laptop, desktop = machine("laptop"), machine("desktop")
    do(laptop, LAPTOP)
    do(desktop, DESKTOP)
    merge(laptop, desktop.log())
    do(laptop, [(60 * DAY, "a", 3)])
    laptop.undo(NOW, NOW.date())
    one = machine("one")
    do(one, sorted(LAPTOP + DESKTOP))
    same(laptop, one)
    sound(laptop)


def test_holds_and_marks_follow_the_latest_word(machine: Open) -> None:
    laptop, desktop = machine("laptop"), machine("desktop")
    do(laptop, [(0, "a", 3)])
    laptop.set_suspended("a", True, moment(10), day_of(10))
    laptop.set_marked("b", True, moment(11), day_of(11))
    do(desktop, [(0, "a", 3)])
    desktop.set_suspended("a", True, moment(5), day_of(5))
    desktop.set_suspended("a", False, moment(6), day_of(6))
    desktop.set_marked("b", True, moment(12), day_of(12))
    desktop.set_marked("b", False, moment(13), day_of(13))
    merge(laptop, desktop.log())
    assert laptop.state("a").suspended
    assert not laptop.state("b").marked


def test_a_history_carried_over_on_both_machines_is_one(machine: Open) -> None:
    laptop, desktop, one = machine("laptop"), machine("desktop"), machine("one")
    do(laptop, [(0, "old", 3)])
    merge(desktop, laptop.log())
    laptop.carry("old", "new", moment(DAY), day_of(DAY))
    desktop.carry("old", "new", moment(2 * DAY), day_of(2 * DAY))
    do(laptop, [(4 * DAY, "new", 3)])
    do(desktop, [(9 * DAY, "new", 2)])
    do(one, [(0, "old", 3)])
    one.carry("old", "new", moment(DAY), day_of(DAY))
    do(one, [(4 * DAY, "new", 3), (9 * DAY, "new", 2)])
    merge(laptop, desktop.log())
    same(laptop, one)
    assert [review.card for review in laptop.reviews("new")] == ["new"] * 3
    sound(laptop)


def test_days_of_another_time_zone_never_run_backwards(machine: Open) -> None:
    laptop, desktop = machine("laptop"), machine("desktop")
    do(laptop, [(0, "a", 3), (3 * DAY, "a", 3)])
    do(desktop, [(2 * DAY, "a", 3)])
    (row,) = desktop.log()
    merge(laptop, [replace(row, day=row.day + dt.timedelta(days=5))])
    sound(laptop)
    assert [review.day for review in laptop.reviews("a")] == [day_of(0), day_of(3 * DAY), day_of(3 * DAY)]


def test_reviews_of_the_same_millisecond_are_all_kept(machine: Open) -> None:
    laptop, desktop = machine("laptop"), machine("desktop")
    do(laptop, [(0, "a", 3)])
    do(desktop, [(0, "b", 3)])
    assert merge(laptop, desktop.log()).reviews == 1
    assert merge(laptop, desktop.log()).added == 0
    assert laptop.review_count() == 2


def test_a_clock_that_is_behind_is_one_line_and_nothing_is_merged(machine: Open) -> None:
    laptop, desktop = machine("laptop"), machine("desktop")
    do(desktop, LAPTOP)
    with pytest.raises(ExchangeError, match="set the clock right") as caught:
        merge(laptop, desktop.log(), moment(2 * DAY))
    assert "\n" not in str(caught.value)
    assert laptop.log() == []


def test_a_study_day_of_the_far_future_is_refused(machine: Open) -> None:
    laptop, desktop = machine("laptop"), machine("desktop")
    do(desktop, [(0, "a", 3)])
    (row,) = desktop.log()
    with pytest.raises(ExchangeError, match="study day 2999-01-01"):
        merge(laptop, [replace(row, day=dt.date(2999, 1, 1))])
    # Another time zone may have a day more.
    assert merge(laptop, [replace(row, day=NOW.date() + dt.timedelta(days=1))]).reviews == 1


GOOD = Entry(
    "review", "a", START, START.date(), grade=Grade.GOOD, scheduler="fsrs6", stability=2.0, difficulty=5.0,
    interval=2, due=dt.date(2026, 9, 3), seconds=1.0,
)  # fmt: skip


@pytest.mark.parametrize(
    "bad",
    [
        replace(GOOD, at=START.replace(tzinfo=None)), replace(GOOD, card="a b"), replace(GOOD, card=""),
        replace(GOOD, card="a\x1b[2J"), replace(GOOD, card="a\0"), replace(GOOD, card="a" * 501),
        replace(GOOD, grade=None), replace(GOOD, stability=0.0), replace(GOOD, stability=None),
        replace(GOOD, difficulty=11.0), replace(GOOD, due=None), replace(GOOD, interval=-1),
        replace(GOOD, interval=2**70), replace(GOOD, confidence=1.5), replace(GOOD, seconds=-1.0),
        replace(GOOD, action="carry", grade=None), replace(GOOD, action="undo", grade=None, undoes=1),
        replace(GOOD, source="b"), replace(GOOD, action="mark"),
    ],
)  # fmt: skip
def test_a_row_that_no_log_can_hold_is_one_line(bad: Entry, machine: Open) -> None:
    laptop = machine("laptop")
    with pytest.raises(ExchangeError, match=r"row 2 of its log: ") as caught:
        merge(laptop, [replace(GOOD, card="b"), bad])
    assert "\n" not in str(caught.value)
    assert laptop.log() == []


# Other programs.


def foreign(store: SqliteStore, *reviews: PastReview, states: Sequence[CardState] = ()) -> Merged:
    incoming = Incoming((), 0, reviews=reviews, states={state.card: state for state in states})
    found = log_rows(Path("x.apkg"), incoming, config=CONFIG, now=NOW, logged=store.logged())
    return store.merge(found, settled(CONFIG))


def test_missing_memory_is_replayed(machine: Open) -> None:
    laptop, one = machine("laptop"), machine("one")
    do(one, LAPTOP)
    foreign(laptop, *(PastReview(card, Grade(grade), moment(minutes)) for minutes, card, grade in LAPTOP))
    left, right = laptop.state("a"), one.state("a")
    assert left.memory
    assert right.memory
    assert left.memory.stability == pytest.approx(right.memory.stability, rel=1e-6)
    assert (left.memory.day, left.reviews, left.lapses) == (right.memory.day, right.reviews, right.lapses)
    sound(laptop)


def test_the_study_day_is_that_of_the_reviews_own_clock(machine: Open) -> None:
    laptop = machine("laptop")
    night = dt.datetime(2026, 9, 2, 3, 30, tzinfo=dt.timezone(dt.timedelta(hours=9)))
    foreign(laptop, PastReview("a", Grade.GOOD, night))
    assert [review.day for review in laptop.reviews()] == [dt.date(2026, 9, 1)]


def test_the_state_of_the_file_wins_over_the_replay(machine: Open) -> None:
    laptop = machine("laptop")
    due = dt.date(2027, 1, 15)
    state = CardState(
        "a",
        Memory(77.0, 3.5, day_of(0)),
        due,
        40,
        1,
        suspended=True,
        marked=True,
        leech=True,
        buried_on=NOW.date(),
    )
    reviews = (PastReview("a", Grade.GOOD, moment(0), interval=4),)
    foreign(laptop, *reviews, states=[state])
    assert laptop.state("a") == replace(state, reviews=1)
    assert foreign(laptop, *reviews, states=[state]).added == 0
    # What is done here afterwards is not taken back by importing again.
    laptop.set_suspended("a", False, NOW, NOW.date())
    assert foreign(laptop, *reviews, states=[state]).added == 0
    assert not laptop.state("a").suspended
    sound(laptop)


def test_a_card_without_reviews_keeps_memory_and_due_day(machine: Open) -> None:
    laptop = machine("laptop")
    state = CardState("a", Memory(30.0, 4.0, dt.date(2026, 11, 1)), dt.date(2026, 12, 1), 30)
    assert foreign(laptop, states=[state]).added == 1
    assert laptop.state("a") == state
    assert foreign(laptop, states=[state]).added == 0
    later = replace(
        state, memory=Memory(60.0, 4.5, dt.date(2026, 11, 20)), due=dt.date(2027, 1, 19), interval=60
    )
    foreign(laptop, states=[later])
    assert laptop.state("a") == later
    assert laptop.review_count() == 0
    sound(laptop)


def test_a_card_of_another_scheduler_keeps_its_interval(machine: Open) -> None:
    laptop = machine("laptop")
    foreign(laptop, states=[CardState("a", None, dt.date(2026, 12, 10), 20)])
    state = laptop.state("a")
    assert (state.due, state.interval) == (dt.date(2026, 12, 10), 20)
    assert state.memory == Memory(20.0, 5.0, dt.date(2026, 11, 20))


def test_more_reviews_later_are_added_to_what_was_done_here(machine: Open) -> None:
    laptop, one = machine("laptop"), machine("one")
    phone = [(0, "a", 3), (4 * DAY, "a", 3), (30 * DAY, "a", 3)]
    here: list[Event] = [(15 * DAY, "a", 2)]
    foreign(laptop, *(PastReview(card, Grade(grade), moment(at)) for at, card, grade in phone[:2]))
    do(laptop, here)
    merged = foreign(laptop, *(PastReview(card, Grade(grade), moment(at)) for at, card, grade in phone))
    assert (merged.reviews, merged.known, merged.rescheduled) == (1, 2, 1)
    do(one, sorted([*phone, *here]))
    same(laptop, one)


def test_a_new_card_that_was_held_back_is_so_here_once(machine: Open) -> None:
    laptop = machine("laptop")
    foreign(laptop, states=[CardState("a", suspended=True)])
    assert laptop.state("a").suspended
    laptop.set_suspended("a", False, NOW, NOW.date())
    assert foreign(laptop, states=[CardState("a", suspended=True)]).added == 0


def test_ids_that_had_to_change_change_in_the_log_too(machine: Open) -> None:
    laptop = machine("laptop")
    reviews = tuple(PastReview(card, Grade.GOOD, moment(n)) for n, card in enumerate(("x y", "x y:2", "z")))
    found = log_rows(Path("x"), Incoming((), 0, reviews=reviews), config=CONFIG, now=NOW, logged=())
    laptop.merge(found, settled(CONFIG))
    assert sorted(laptop.states()) == ["x-y", "x-y:2", "z"]


def test_a_whole_merge_or_nothing(machine: Open, monkeypatch: pytest.MonkeyPatch) -> None:
    laptop, desktop = machine("laptop"), machine("desktop")
    do(desktop, DESKTOP)

    def fail(*_: object) -> None:
        raise RuntimeError

    monkeypatch.setattr("quizapp.storage.rows.write_states", fail)
    with pytest.raises(RuntimeError):
        merge(laptop, desktop.log())
    monkeypatch.undo()
    assert laptop.log() == []


def test_what_an_undo_took_back_is_said(machine: Open) -> None:
    laptop, desktop = machine("laptop"), machine("desktop")
    do(laptop, [(0, "a", 3), (1, "b", 3)])
    do(desktop, [(2, "c", 3)])
    laptop.reset(["a", "b"], moment(3), day_of(3))
    merge(laptop, desktop.log())
    assert laptop.log()[-1].action == "reset"
    said = []
    while undone := laptop.undo(NOW, NOW.date()):
        said.append(undone.words)
    assert said == ["good on c", "reset of 2 cards", "good on b", "good on a"]
    merge(laptop, replace_days(desktop.log()))
    last = laptop.undo(NOW, NOW.date())
    assert last is not None
    assert last.words == "import of 2 actions"


def replace_days(rows: Sequence[Entry]) -> list[Entry]:
    """The rows, and each again a day later."""
    day = dt.timedelta(days=1)
    return [*rows, *(replace(row, at=row.at + day, day=row.day + day) for row in rows)]
