"""A session: any sequence of actions against a small model, and each rule of study by itself."""

from __future__ import annotations

import contextlib
import copy
import datetime as dt
import tempfile
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from quizapp.config import Config
from quizapp.decks.card import Card, Fields
from quizapp.errors import UsageError
from quizapp.home import Home
from quizapp.review.clock import FixedClock
from quizapp.review.scheduler import KernelScheduler
from quizapp.review.session import Session
from quizapp.review.types import Grade
from quizapp.storage import SqliteStore, open_store

NOON = dt.datetime(2026, 11, 30, 12, tzinfo=dt.timezone(dt.timedelta(hours=1)))
FOLLOW_UPS = {"a": ("b", "c"), "b": ("c",), "c": ("a",), "d": ("a", "gone"), "e": ()}


def recall_card(name: str) -> Card:
    fields = Fields(follow_ups=FOLLOW_UPS[name], hints=("one", "two"), points=("p", "q"))
    return Card(name, name, "deck", "recall", name, "", "answer", "deck.md", 1, True, fields)


CARDS = {name: recall_card(name) for name in FOLLOW_UPS}


def open_session(
    store: SqliteStore, clock: FixedClock, *, names: str = "abcd", cram: bool = False
) -> Session:
    return Session(
        [CARDS[name] for name in names], store=store, scheduler=KernelScheduler(Config()), clock=clock,
        day=clock.now().date(), config=Config(), cram=cram, cards=CARDS,
    )  # fmt: skip


@dataclass
class Model:
    """Names in lists: what is ahead, what comes back, whose follow-up is asked; ``log`` outlives a session."""

    ahead: list[str]
    back: list[str] = field(default_factory=list)
    waiting: list[tuple[str, bool]] = field(default_factory=list)
    here: tuple[str, bool] | None = None
    log: list[tuple[str, str, int]] = field(default_factory=list)
    past: list[Model] = field(default_factory=list)

    def remember(self, action: str, grade: int = 0) -> str:
        before = copy.copy(self)
        before.ahead, before.back, before.waiting = self.ahead[:], self.back[:], self.waiting[:]
        before.log, before.past = self.log[:], self.past[:]
        self.past.append(before)
        assert self.here
        self.log.append((action, self.here[0], grade))
        return self.here[0]

    def go_on(self, name: str, *, again: bool = False) -> None:
        self.forget(name)
        self.back += [name] if again else []
        if self.waiting:
            self.here = self.waiting.pop()
        else:
            self.here = (next_ahead.pop(0), False) if (next_ahead := self.ahead or self.back) else None

    def forget(self, name: str) -> None:
        self.ahead = [other for other in self.ahead if other != name]
        self.back = [other for other in self.back if other != name]

    def reviews(self, name: str) -> int:
        return sum(action == "review" and card == name for action, card, _ in self.log)

    def has(self, action: str, name: str) -> bool:
        return (action, name, 0) in self.log

    def marked(self, name: str) -> bool:
        return sum(action == "mark" and card == name for action, card, _ in self.log) % 2 == 1


def act(session: Session, model: Model, action: str) -> None:
    if model.here is None:
        with pytest.raises(UsageError):
            session.reveal()
        return
    name, answered = model.here
    if action == "reveal":
        session.reveal()
        model.here = (name, True)
    elif action in "1234" and not answered:
        with pytest.raises(UsageError):
            session.grade(Grade(int(action)))
    elif action in "1234":
        model.remember("review", int(action))
        promised = session.outcomes[Grade(int(action))]
        review = session.grade(Grade(int(action)))
        assert review is not None
        assert (review.card, review.grade) == (name, int(action))
        state = session._store.state(name)
        assert (state.interval, state.due, state.memory) == (promised.interval, promised.due, promised.memory)
        assert promised.due > review.day
        model.go_on(name, again=action == "1")
    elif action in ("suspend", "bury") and not model.has(action, name):
        model.remember(action)
        getattr(session, action)()
        model.go_on(name)
    elif action == "mark":
        model.remember("mark")
        assert session.toggle_mark() is model.marked(name)
    elif action == "follow":
        open_now = {name, *(waiting for waiting, _ in model.waiting)}
        names = [other for other in FOLLOW_UPS[name] if other in CARDS and other not in open_now]
        assert [card.id for card in session.follow_ups()] == names
        if names:
            session.open_follow_up(names[0])
            model.waiting.append(model.here)
            model.forget(names[0])
            model.here = (names[0], False)


def undo(session: Session, model: Model) -> None:
    undone = session.undo()
    if not model.log:
        assert undone is None
        return
    action, name, grade = model.log[-1]
    assert undone is not None
    assert (undone.card, undone.grade or 0) == (name, grade)
    if model.past:
        before = model.past.pop()
        model.ahead, model.back, model.waiting = before.ahead, before.back, before.waiting
        model.here, model.log = before.here, before.log
        return
    model.log.pop()
    if action == "mark":
        return
    model.forget(name)
    model.waiting = [pair for pair in model.waiting if pair[0] != name]
    if model.here and model.here[0] != name:
        model.ahead.insert(0, model.here[0])
    model.here = (name, False)


def agree(session: Session, model: Model) -> None:
    assert (session.current.id if session.current else None) == (model.here[0] if model.here else None)
    phase = "done" if model.here is None else "answered" if model.here[1] else "asked"
    assert session.phase == phase
    counts = session.counts
    here = [name for name, _ in (*model.waiting, *([model.here] if model.here else []))]
    assert counts.again + counts.due + counts.new == len(model.ahead) + len(model.back) + len(here)
    assert session.summary().left == len(model.ahead) + len(model.back) + len(here)
    for name in CARDS:
        state = session._store.state(name)
        assert state.reviews == model.reviews(name)
        assert (state.memory is None) == (model.reviews(name) == 0)
        assert state.suspended == model.has("suspend", name)
        assert (state.buried_on is not None) == model.has("bury", name)
        assert state.marked == model.marked(name)


ACTIONS = st.sampled_from(
    ["reveal", "reveal", *"1234", "suspend", "bury", "mark", "follow", "undo", "restart"]
)


@settings(max_examples=80, deadline=None)
@given(st.lists(ACTIONS, max_size=40))
@example(["reveal", "follow", "reveal", "follow", "follow", "reveal", "1", "3", "3"])
@example(["reveal", "1", "reveal", "3", "restart", "undo", "reveal", "4", "undo", "undo", "undo"])
def test_any_sequence_of_actions_is_what_the_model_says(actions: list[str]) -> None:
    with tempfile.TemporaryDirectory() as folder, contextlib.ExitStack() as stack:
        home = Home(Path(folder))
        store = stack.enter_context(open_store(home, write=True, now=NOON))
        session, model = open_session(store, FixedClock(NOON)), Model(list("bcd"), here=("a", False))
        for action in actions:
            if action == "restart":
                store.close()
                store = stack.enter_context(open_store(home, write=True, now=NOON))
                session = open_session(store, FixedClock(NOON))
                model = Model(list("bcd"), here=("a", False), log=model.log)
            elif action == "undo":
                undo(session, model)
            else:
                act(session, model, action)
            agree(session, model)
        while model.log:
            undo(session, model)
            agree(session, model)
        assert session.undo() is None
