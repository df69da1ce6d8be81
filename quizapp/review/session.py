"""One run through a queue of cards: a pure state machine that both fronts drive.

The clock, the store, the scheduler and the random source are passed in; nothing here waits, prints or reads.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from quizapp.config import Config
from quizapp.decks.card import Card
from quizapp.errors import UsageError
from quizapp.review.check import Checked, check_answer, preview
from quizapp.review.day import study_day
from quizapp.review.leech import is_leech
from quizapp.review.question import Question, ask
from quizapp.review.summary import Graded, Summary, summarise
from quizapp.review.turn import Turn
from quizapp.review.types import Clock, Grade, Outcome, Review, Scheduler, Store, Undone
from quizapp.review.waiting import Snapshot, Waiting

Phase = Literal["asked", "answered", "done"]

# Someone who left the terminal open was not thinking all the while.
MOST_SECONDS = 600.0


@dataclass(frozen=True)
class Counts:
    """What is still ahead: cards to come back, due ones, new ones; the card in hand is counted."""

    again: int
    due: int
    new: int


@dataclass(frozen=True)
class _Moment:
    """Everything that changes, so that undo can bring it back as it was.

    ``undone`` says what undo takes back where the store was not written to, as in a cram; else None.
    """

    waiting: Snapshot
    turn: Turn | None
    stack: tuple[Turn, ...]
    graded: tuple[Graded, ...]
    undone: Undone | None = None


class Session:
    """``current``, ``reveal``, ``answer``, ``grade``, ``undo`` and what goes with them.

    In a *cram* no grade touches the schedule. ``cards`` is the whole library, where follow-ups are found.
    """

    def __init__(
        self,
        queue: Sequence[Card],
        *,
        store: Store,
        scheduler: Scheduler,
        clock: Clock,
        day: dt.date,
        config: Config,
        cram: bool = False,
        seed: int = 0,
        cards: Mapping[str, Card] | None = None,
    ) -> None:
        self.cram = cram
        self._store = store
        self._scheduler = scheduler
        self._clock = clock
        self._day = day
        self._config = config
        self._seed = seed
        self._cards = cards if cards is not None else {card.id: card for card in queue}
        self._waiting = Waiting(queue, store.states)
        self._stack: list[Turn] = []
        self._graded: list[Graded] = []
        self._history: list[_Moment] = []
        self._turn: Turn | None = None
        self._next()

    # What is in hand.

    @property
    def turn(self) -> Turn | None:
        return self._turn

    @property
    def current(self) -> Card | None:
        return self._turn.card if self._turn else None

    @property
    def phase(self) -> Phase:
        if self._turn is None:
            return "done"
        return "answered" if self._turn.answered else "asked"

    @property
    def outcomes(self) -> Mapping[Grade, Outcome]:
        """What each grade would do; empty in a cram."""
        return self._turn.outcomes if self._turn else {}

    @property
    def suggested_grade(self) -> Grade:
        """The grade that the answer, the ticks and the hints speak for; the learner decides."""
        return self._here().suggested_grade

    @property
    def counts(self) -> Counts:
        last = {graded.card.id: graded.grade for graded in self._graded}
        here = self._in_hand()
        back = sum(last.get(turn.card.id) is Grade.AGAIN for turn in here)
        new = sum(turn.state.memory is None for turn in here if last.get(turn.card.id) is not Grade.AGAIN)
        due = self._waiting.fresh - self._waiting.new + len(here) - back - new
        return Counts(self._waiting.again + back, due, self._waiting.new + new)

    @property
    def position(self) -> int:
        """Which card this is, from 1; a card that comes back keeps counting as one."""
        done = {graded.card.id for graded in self._graded}
        return min(len(done | ({self._turn.card.id} if self._turn else set())), self.total)

    @property
    def total(self) -> int:
        seen = {graded.card.id for graded in self._graded}.union(turn.card.id for turn in self._in_hand())
        return len(self._waiting) + sum(card not in self._waiting for card in seen)

    @property
    def graded(self) -> tuple[Graded, ...]:
        return tuple(self._graded)

    def next_question(self) -> Question | None:
        """What is asked after this card, as far as its grade lets know; None for a problem that is yet to be drawn."""
        if self._stack:
            return self._stack[-1].question
        card = self._waiting.first
        if card is None or card.kind == "generated":
            return None
        return ask(card, self._store.state(card.id).reviews, self._seed)

    # Before the answer.

    def hint(self) -> str | None:
        """The next hint, or None where there is no further one."""
        turn = self._here()
        if turn.hints >= len(turn.card.fields.hints):
            return None
        self._turn = replace(turn, hints=turn.hints + 1)
        return turn.card.fields.hints[turn.hints]

    def reveal(self) -> None:
        self._turn = replace(self._here(), answered=True)

    def was_away(self, seconds: float) -> None:
        """Leave ``seconds`` that were spent elsewhere, at a demo, out of the time this card took."""
        turn = self._here()
        self._turn = replace(turn, opened=turn.opened + max(seconds, 0.0))

    def preview(self, text: str) -> str:
        """How a typed answer is read."""
        return preview(self._here().question, text)

    def answer(self, text: str) -> Checked:
        """Check a typed answer; unless it cannot be read, the card is answered."""
        return self.accept(check_answer(self._here().question, text))

    def accept(self, checked: Checked) -> Checked:
        """Take a verdict on the card in hand, as when it was found in the background."""
        if checked.verdict != "unreadable":
            self._turn = replace(self._here(), answered=True, checked=checked)
        return checked

    # After the answer.

    def toggle_point(self, number: int) -> None:
        """Tick or untick a key point, counted from 0."""
        turn = self._here()
        if 0 <= number < len(turn.card.fields.points):
            self._turn = replace(turn, ticked=turn.ticked ^ {number})

    def suggest(self, grade: Grade) -> None:
        """Let something else speak for a grade, as a derivation that was stepped through."""
        self._turn = replace(self._here(), answered=True, suggestion=grade)

    def grade(self, grade: Grade) -> Review | None:
        """Commit a grade and go on. Returns the review; None in a cram."""
        turn = self._here()
        if not turn.answered:
            raise UsageError("a card is graded after its answer")
        self._remember(Undone("review", turn.card.id, grade) if self.cram else None)
        seconds = min(max(self._clock.seconds() - turn.opened, 0.0), MOST_SECONDS)
        review = None
        outcome = None
        if not self.cram:
            outcome = turn.outcomes[grade]
            review = Review(
                card=turn.card.id,
                grade=grade,
                at=self._clock.now(),
                day=turn.day,
                interval=outcome.interval,
                due=outcome.due,
                stability=outcome.memory.stability,
                difficulty=outcome.memory.difficulty,
                seconds=round(seconds, 3),
            )
            try:
                leech = is_leech(turn.state, grade, turn.day, self._config.leech_threshold)
                self._store.add_review(review, leech=leech)
            except BaseException:
                self._history.pop()
                raise
        self._graded.append(Graded(turn.card, grade, outcome, seconds, turn.state.memory is None))
        if grade is Grade.AGAIN:
            self._waiting.come_back(turn.card)
        else:
            self._waiting.drop(turn.card)
        self._leave()
        return review

    # At any time.

    def suspend(self) -> None:
        """Take the card out of the schedule until it is brought back."""
        turn = self._here()
        self._put_away(
            "suspend", lambda: self._store.set_suspended(turn.card.id, True, self._clock.now(), turn.day)
        )

    def bury(self) -> None:
        """Put the card off until the next study day."""
        turn = self._here()
        self._put_away("bury", lambda: self._store.bury(turn.card.id, self._clock.now(), turn.day))

    def toggle_mark(self) -> bool:
        """Mark the card, or take its mark away; returns whether it is marked now."""
        turn = self._here()
        marked = not turn.state.marked
        self._remember()
        try:
            self._store.set_marked(turn.card.id, marked, self._clock.now(), turn.day)
        except BaseException:
            self._history.pop()
            raise
        self._turn = replace(turn, state=self._store.state(turn.card.id))
        return marked

    def undo(self) -> Undone | None:
        """Take the latest action back, of an earlier session too; None where there is none."""
        if self._history:
            moment = self._history[-1]
            undone = moment.undone or self._store.undo(self._clock.now(), self._today())
            self._history.pop()
            self._restore(moment)
            return undone
        if self.cram:
            return None
        undone = self._store.undo(self._clock.now(), self._today())
        if undone:
            self._waiting.count_anew()
            self._bring_back(undone)
        return undone

    def follow_ups(self) -> tuple[Card, ...]:
        """The cards that an interviewer would ask next, as far as the library has them and none waits already."""
        here = self._here()
        waiting = {turn.card.id for turn in (*self._stack, here)}
        found = (
            self._cards.get(name) or self._cards.get(f"{name}:1") for name in here.card.fields.follow_ups
        )
        return tuple(card for card in found if card is not None and card.id not in waiting)

    def open_follow_up(self, name: str) -> None:
        """Ask a follow-up now; the card in hand comes back as it is."""
        card = next((card for card in self.follow_ups() if name in (card.id, card.entry)), None)
        if card is None:
            raise UsageError(f"{name} does not follow this card")
        self._stack.append(self._here())
        self._waiting.drop(card)
        self._open(card)

    def reload(self, cards: Mapping[str, Card]) -> None:
        """Take over an edited library; the card in hand is asked as it reads now."""
        self._cards = cards
        self._waiting.reload(cards)
        self._stack = [turn for turn in self._stack if turn.card.id in cards]
        if self._turn:
            here = self._turn
            if here.card.id not in cards:
                self._leave()
            elif cards[here.card.id] != here.card:
                card = cards[here.card.id]
                question = ask(card, here.state.reviews, self._seed)
                self._turn = replace(here, card=card, question=question, ticked=frozenset(), checked=None)

    def summary(self) -> Summary:
        left = len(self._waiting) + len(self._in_hand())
        return summarise(self._graded, left=left, cram=self.cram)

    def hardest_again(self) -> Session:
        """A cram of the hardest cards of this session."""
        return Session(
            self.summary().hardest, store=self._store, scheduler=self._scheduler, clock=self._clock,
            day=self._today(), config=self._config, cram=True, seed=self._seed, cards=self._cards,
        )  # fmt: skip

    # How it moves.

    def _here(self) -> Turn:
        if self._turn is None:
            raise UsageError("no card is in hand; the session is over")
        return self._turn

    def _in_hand(self) -> list[Turn]:
        """The card in hand, after those whose follow-up it is."""
        return [*self._stack, *([self._turn] if self._turn else [])]

    def _today(self) -> dt.date:
        """The study day now; it never runs backwards, so a clock set back changes nothing."""
        self._day = max(self._day, study_day(self._clock.now(), self._config.day_start))
        return self._day

    def _open(self, card: Card) -> None:
        state = self._store.state(card.id)
        day = self._today()
        outcomes = {} if self.cram else self._scheduler.preview(state, day)
        question = ask(card, state.reviews, self._seed)
        self._turn = Turn(card, question, state, day, outcomes, self._clock.seconds())

    def _next(self) -> None:
        card = self._waiting.pop()
        if card is None:
            self._turn = None
        else:
            self._open(card)

    def _leave(self) -> None:
        """Go on: back to the card whose follow-up this was, else to the next one."""
        if self._stack:
            self._resume(self._stack.pop())
        else:
            self._next()

    def _resume(self, before: Turn) -> None:
        """Ask a card as far as it was; what a grade does is worked out afresh, as its memory may differ."""
        card = self._cards.get(before.card.id, before.card)
        self._open(card)
        if card == before.card:
            self._turn = replace(
                self._here(),
                question=before.question,
                answered=before.answered,
                hints=before.hints,
                ticked=before.ticked,
                checked=before.checked,
                suggestion=before.suggestion,
            )

    def _bring_back(self, undone: Undone) -> None:
        """After undoing what an earlier session did: ask that card, where it was one card and is still there."""
        card = self._cards.get(undone.card) if undone.cards == 1 else None
        if card is not None and undone.action in ("review", "suspend", "bury"):
            self._waiting.drop(card)
            self._stack = [turn for turn in self._stack if turn.card.id != card.id]
            if self._turn and self._turn.card.id != card.id:
                self._waiting.put_first(self._turn.card)
            self._open(card)
        elif self._turn:
            self._resume(self._turn)

    def _put_away(self, action: Literal["suspend", "bury"], write: Callable[[], None]) -> None:
        card = self._here().card
        before = self._store.state(card.id)
        self._remember()
        try:
            write()
        except BaseException:
            self._history.pop()
            raise
        if self._store.state(card.id) == before:
            # It was put away already, as a follow-up can be: the log has no row for undo to take back.
            self._history[-1] = replace(self._history[-1], undone=Undone(action, card.id))
        self._waiting.drop(card)
        self._leave()

    def _remember(self, undone: Undone | None = None) -> None:
        self._history.append(
            _Moment(
                self._waiting.snapshot(),
                self._turn,
                tuple(self._stack),
                tuple(self._graded),
                undone,
            )
        )

    def _restore(self, moment: _Moment) -> None:
        self._waiting.restore(moment.waiting, self._cards)
        self._stack = list(moment.stack)
        self._graded = list(moment.graded)
        self._turn = None
        if moment.turn:
            self._resume(moment.turn)
