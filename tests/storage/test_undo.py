"""Undo against a model that keeps every earlier state of the world."""

from __future__ import annotations

import datetime as dt
import tempfile
from pathlib import Path

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, rule

from quizapp.config import Config
from quizapp.home import Home
from quizapp.review.scheduler import KernelScheduler
from quizapp.review.types import CardState, Grade, Review
from quizapp.storage import SqliteStore, StorageError, open_store

START = dt.datetime(2026, 11, 30, 12, tzinfo=dt.UTC)
CARDS = st.sampled_from(["a", "b", "c"])
Model = dict[str, CardState]


class UndoMachine(RuleBasedStateMachine):
    """Any mixture of actions, undos, restarts and days; the model is a stack of snapshots."""

    def __init__(self) -> None:
        super().__init__()
        self.folder = tempfile.TemporaryDirectory()
        self.home = Home(Path(self.folder.name))
        self.scheduler = KernelScheduler(Config())
        self.now = START
        self.store: SqliteStore = open_store(self.home, write=True, now=self.now)
        self.worlds: list[Model] = [{}]

    def remember(self) -> None:
        """Keep the new state of the world, if the last action made one."""
        world = self.store.states()
        if world != self.worlds[-1]:
            self.worlds.append(world)

    @rule(card=CARDS, grade=st.sampled_from(list(Grade)))
    def review(self, card: str, grade: Grade) -> None:
        outcome = self.scheduler.outcome(self.store.state(card), grade, self.now.date())
        memory = outcome.memory
        review = Review(
            card,
            grade,
            self.now,
            self.now.date(),
            outcome.interval,
            outcome.due,
            memory.stability,
            memory.difficulty,
            1.0,
        )
        self.store.add_review(review, leech=grade is Grade.AGAIN)
        state = self.store.state(card)
        assert (state.memory, state.due, state.interval) == (memory, outcome.due, outcome.interval)
        self.remember()

    @rule(card=CARDS, suspended=st.booleans())
    def suspend(self, card: str, suspended: bool) -> None:
        self.store.set_suspended(card, suspended, self.now, self.now.date())
        assert self.store.state(card).suspended == suspended
        self.remember()

    @rule(card=CARDS, marked=st.booleans())
    def mark(self, card: str, marked: bool) -> None:
        self.store.set_marked(card, marked, self.now, self.now.date())
        assert self.store.state(card).marked == marked
        self.remember()

    @rule(card=CARDS)
    def bury(self, card: str) -> None:
        self.store.bury(card, self.now, self.now.date())
        assert self.store.state(card).buried_on == self.now.date()
        self.remember()

    @rule(cards=st.sets(CARDS))
    def reset(self, cards: set[str]) -> None:
        self.store.reset(sorted(cards), self.now, self.now.date())
        assert all(self.store.state(card).reviews == 0 for card in cards)
        self.remember()

    @rule(old=CARDS, new=CARDS)
    def carry(self, old: str, new: str) -> None:
        try:
            self.store.carry(old, new, self.now, self.now.date())
        except StorageError:
            return
        assert self.store.state(old) == CardState(old)
        self.remember()

    @rule()
    def undo(self) -> None:
        undone = self.store.undo(self.now, self.now.date())
        assert (undone is None) == (len(self.worlds) == 1)
        if undone is not None:
            self.worlds.pop()

    @rule()
    def restart(self) -> None:
        self.store.close()
        self.store = open_store(self.home, write=True, now=self.now)

    @rule(days=st.integers(1, 40))
    def sleep(self, days: int) -> None:
        self.now += dt.timedelta(days=days)

    @invariant()
    def states_are_those_of_the_model_and_of_the_log(self) -> None:
        assert self.store.states() == self.worlds[-1]
        assert self.store.derived() == self.worlds[-1]

    def teardown(self) -> None:
        self.store.close()
        self.folder.cleanup()


TestUndo = UndoMachine.TestCase
TestUndo.settings = settings(max_examples=40, stateful_step_count=30, deadline=None)
