"""Logs that go to and fro between machines, in any order and with trouble on the way, end the same everywhere."""

from __future__ import annotations

import datetime as dt
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from quizapp.config import Config
from quizapp.exchange.history import log_rows, settled
from quizapp.exchange.model import Incoming
from quizapp.home import Home
from quizapp.review.day import study_day
from quizapp.review.leech import is_leech
from quizapp.review.scheduler import FsrsScheduler
from quizapp.review.types import Grade, Memory, Review
from quizapp.storage import SqliteStore, open_store
from quizapp.storage.integrity import days_backwards, differences
from quizapp.storage.merge import Merged

CONFIG = Config()
FSRS = FsrsScheduler(CONFIG)
START = dt.datetime(2026, 9, 1, 12, tzinfo=dt.UTC)
LATER = START + dt.timedelta(days=400)
DAY = 24 * 60


class Machine:
    """A store whose clock may be wrong by some minutes."""

    def __init__(self, folder: Path, name: str, ahead: int = 0) -> None:
        self.store: SqliteStore = open_store(Home(folder / name), write=True, now=START)
        self.store.connection.execute("PRAGMA synchronous = OFF")
        self._ahead = ahead

    def grade(self, card: str, grade: int, minutes: float) -> None:
        """Grade as a session does."""
        at = START + dt.timedelta(minutes=minutes + self._ahead)
        day = max(study_day(at, CONFIG.day_start), self.store.last_day() or dt.date.min)
        state = self.store.state(card)
        made = FSRS.outcome(state, Grade(grade), day)
        leech = is_leech(state, made.grade, day, CONFIG.leech_threshold)
        self.store.add_review(
            Review(
                card, made.grade, at, day, made.interval, made.due, made.memory.stability,
                made.memory.difficulty, 2.5,
            ),
            leech=leech,
        )  # fmt: skip

    def reset(self, card: str, minutes: float) -> None:
        at = START + dt.timedelta(minutes=minutes + self._ahead)
        self.store.reset([card], at, at.date())

    def take(self, other: Machine) -> Merged:
        incoming = Incoming((), 0, log=tuple(other.store.log()))
        found = log_rows(Path("x"), incoming, config=CONFIG, now=LATER, logged=self.store.logged())
        return self.store.merge(found, settled(CONFIG))

    def reviews(self) -> list[tuple[str, int]]:
        return [(review.card, int(review.grade)) for review in self.store.reviews()]


def settle(*machines: Machine) -> None:
    """Exchange until nobody has anything new, and see that all say the same."""
    for _ in range(5):
        if not sum(one.take(other).added for one in machines for other in machines if one is not other):
            break
    else:
        pytest.fail("each exchange brings something new")
    first, *others = machines
    for other in others:
        assert memories(other) == memories(first)
        assert sorted(other.reviews()) == sorted(first.reviews())
    for machine in machines:
        assert differences(machine.store) == []
        assert days_backwards(machine.store) == []
        machine.store.close()


def memories(machine: Machine) -> dict[str, tuple[object, ...]]:
    found: dict[str, tuple[object, ...]] = {}
    for card, state in machine.store.states().items():
        memory = state.memory or Memory(0.0, 0.0, START.date())
        said = (round(memory.stability, 6), round(memory.difficulty, 6), memory.day)
        found[card] = (*said, state.due, state.interval, state.reviews, state.lapses, state.leech)
    return found


def test_the_same_card_in_the_same_millisecond(tmp_path: Path) -> None:
    laptop, desktop = Machine(tmp_path, "laptop"), Machine(tmp_path, "desktop")
    laptop.grade("a", 3, 0)
    desktop.grade("a", 1, 0)
    desktop.grade("b", 3, 0)
    laptop.take(desktop)
    assert sorted(laptop.reviews()) == [("a", 1), ("a", 3), ("b", 3)]
    settle(laptop, desktop)


def test_rows_that_had_to_move_are_known_wherever_they_come_from(tmp_path: Path) -> None:
    laptop, desktop = Machine(tmp_path, "laptop"), Machine(tmp_path, "desktop")
    laptop.grade("a", 3, 0)
    desktop.grade("b", 3, 0)
    laptop.take(desktop)
    desktop.take(laptop)
    assert laptop.take(desktop).added == desktop.take(laptop).added == 0
    assert sorted(desktop.reviews()) == [("a", 3), ("b", 3)]
    settle(laptop, desktop)


def test_a_merge_that_was_undone_and_came_again_goes_back_as_it_was(tmp_path: Path) -> None:
    laptop, desktop = Machine(tmp_path, "laptop"), Machine(tmp_path, "desktop")
    laptop.grade("a", 3, 0)
    laptop.grade("a", 3, 3 * DAY)
    desktop.grade("a", 2, DAY)
    for _ in range(3):
        desktop.take(laptop)
        desktop.store.undo(LATER, LATER.date())
    desktop.take(laptop)
    laptop.take(desktop)
    assert sorted(laptop.reviews()) == [("a", 2), ("a", 3), ("a", 3)]
    settle(laptop, desktop)


def test_a_clock_an_hour_ahead(tmp_path: Path) -> None:
    """What was graded here after the import stands after it, although its clock says an earlier time."""
    laptop, desktop = Machine(tmp_path, "laptop"), Machine(tmp_path, "desktop", ahead=60)
    desktop.grade("a", 1, 0)
    laptop.take(desktop)
    laptop.grade("a", 4, 10)
    desktop.take(laptop)
    assert [grade for _, grade in desktop.reviews()] == [grade for _, grade in laptop.reviews()] == [1, 4]
    settle(laptop, desktop)


def test_a_reset_outlives_the_merges_of_those_who_did_not_know_of_it(tmp_path: Path) -> None:
    laptop, desktop = Machine(tmp_path, "laptop"), Machine(tmp_path, "desktop")
    laptop.grade("a", 3, 0)
    desktop.grade("a", 3, DAY)
    desktop.take(laptop)
    # The rescheduling of this merge is written now, and speaks of the reviews before.
    laptop.reset("a", 2 * DAY)
    laptop.take(desktop)
    desktop.take(laptop)
    assert laptop.store.state("a").memory is None
    assert desktop.store.state("a").memory is None
    settle(laptop, desktop)


STEP = st.tuples(
    st.integers(0, 2),  # the machine
    st.sampled_from(["grade", "grade", "grade", "grade", "take", "reset", "undo"]),
    st.sampled_from("ab"),
    st.integers(1, 4),  # the grade
    st.sampled_from([1, 300, DAY, 9 * DAY]),  # minutes since the step before
    st.integers(1, 2),  # how many machines further the other one is
)


@settings(max_examples=50, deadline=None)
@given(st.lists(STEP, max_size=25))
def test_three_machines_in_any_order(steps: list[tuple[int, str, str, int, int, int]]) -> None:
    with TemporaryDirectory() as folder:
        machines = [Machine(Path(folder), name) for name in "xyz"]
        minutes = 0
        for which, what, card, grade, pause, further in steps:
            minutes += pause
            machine = machines[which]
            match what:
                case "grade":
                    machine.grade(card, grade, minutes)
                case "reset":
                    machine.reset(card, minutes)
                case "take":
                    machine.take(machines[(which + further) % 3])
                case "undo":
                    # An own review that has left already comes off here alone, as docs/exchange.md says.
                    latest = machine.store.log()[-1:]
                    others = [other for other in machines if other is not machine]
                    if latest and not any(latest[0].at in {row.at for row in o.store.log()} for o in others):
                        at = START + dt.timedelta(minutes=minutes)
                        machine.store.undo(at, at.date())
        settle(*machines)
