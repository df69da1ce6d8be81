"""The schedule that comes with a file, as rows of the log: of this program's own log, or made of another's reviews."""

from __future__ import annotations

import datetime as dt
import math
from collections.abc import Collection, Iterable, Mapping, Sequence
from pathlib import Path

from msgspec.structs import replace

from quizapp.config import Config
from quizapp.exchange.cards_of import fit_card
from quizapp.exchange.model import ExchangeError, Incoming, PastReview
from quizapp.review.day import study_day
from quizapp.review.leech import is_leech
from quizapp.review.scheduler import SCHEDULER_NAME, KernelScheduler
from quizapp.review.types import CardState, Memory, Outcome
from quizapp.storage.fold import Entry, apply
from quizapp.storage.merge import Settle
from quizapp.text import strip_controls

# A clock that is this far ahead of another is still called right.
_AHEAD = dt.timedelta(hours=1)
_MILLISECOND = dt.timedelta(milliseconds=1)
# Longer than any heading that an id is made of; a log and its lists show ids.
_LONGEST_ID = 500
# What FSRS takes a card for about which nothing is known.
_MIDDLE_DIFFICULTY = 5.0
# Two programs that round the same number differ less than this.
_SAME = 1e-3


def log_rows(
    source: Path,
    incoming: Incoming,
    *,
    config: Config,
    now: dt.datetime,
    logged: Collection[str],
) -> list[Entry]:
    """The rows to unite with the log, in the order of time.

    ``logged`` are the cards that the log here knows. Raises ExchangeError for a row that no log can hold, and where
    the clock here is behind the file's.
    """
    if incoming.log:
        found = [_checked(source, number, row) for number, row in enumerate(incoming.log, 1)]
    else:
        found = _foreign(source, incoming, config, now, logged)
    latest = max(found, key=lambda row: row.at, default=None)
    if latest is not None and latest.at > now + _AHEAD:
        raise ExchangeError(
            f"{source}: it holds a review of {latest.at:%Y-%m-%d %H:%M}, and the clock here says "
            f"{now:%Y-%m-%d %H:%M}; set the clock right, or add --without-schedule"
        )
    # A day never runs backwards, so that a single one of the far future would be today here until then.
    last = max((row.day for row in found if row.action == "review"), default=dt.date.min)
    if last > (now + _AHEAD).date() + dt.timedelta(days=1):
        raise ExchangeError(
            f"{source}: it holds a review of the study day {last}, and the clock here says {now:%Y-%m-%d %H:%M}; "
            "set the clock right, or add --without-schedule"
        )
    return found


def settled(config: Config) -> Settle:
    """Grades replayed in the order of time, as if all had been given on one machine."""
    scheduler = KernelScheduler(config)

    def settle(
        states: Mapping[str, CardState], histories: Mapping[str, Sequence[Entry]]
    ) -> Mapping[str, Outcome]:
        outcomes = {}
        for card, history in histories.items():
            outcome = _replayed(scheduler, card, history)
            state = states.get(card)
            if outcome is not None and state is not None and not _same(state, outcome):
                outcomes[card] = outcome
        return outcomes

    return settle


def _replayed(scheduler: KernelScheduler, card: str, history: Iterable[Entry]) -> Outcome | None:
    state = CardState(card)
    outcome = None
    for row in history:
        if row.action == "review" and row.grade is not None:
            outcome = scheduler.outcome(state, row.grade, row.day)
            state = replace(
                state, memory=outcome.memory, interval=outcome.interval, reviews=state.reviews + 1
            )
        elif not state.reviews:
            # What a card knew when it came from elsewhere without its reviews.
            memory = Memory(row.stability or 1.0, row.difficulty or _MIDDLE_DIFFICULTY, row.day)
            state = replace(state, memory=memory, interval=row.interval or 0)
    return outcome


def _same(state: CardState, outcome: Outcome) -> bool:
    memory = state.memory
    return (
        memory is not None
        and math.isclose(memory.stability, outcome.memory.stability, rel_tol=1e-6)
        and math.isclose(memory.difficulty, outcome.memory.difficulty, rel_tol=1e-6)
        and (state.interval, state.due) == (outcome.interval, outcome.due)
    )


def _checked(source: Path, number: int, row: Entry) -> Entry:
    """A row of another log of this program, which may have been edited on the way."""
    wrong = None
    if row.at.utcoffset() is None:
        wrong = "its moment has no UTC offset"
    elif not all(map(_is_id, (row.card, row.card if row.source is None else row.source))):
        wrong = f"its card has no id, which is up to {_LONGEST_ID} characters without blanks"
    elif row.action == "undo":
        wrong = "an undone action is not exported"
    elif (row.action == "carry") != (row.source is not None):
        wrong = "a history is carried over from one card to another"
    elif (row.action == "review") != (row.grade is not None):
        wrong = "a review has a grade"
    elif row.confidence is not None and not 0 <= row.confidence <= 1:
        wrong = "its confidence is not between 0 and 1"
    elif row.seconds is not None and not 0 <= row.seconds < math.inf:
        wrong = "its seconds are not zero or more"
    elif row.action in ("review", "reschedule") and not (
        row.due is not None
        and row.interval is not None
        and 0 <= row.interval < 2**31
        and 0 < (row.stability or 0) < math.inf
        and 1 <= (row.difficulty or 0) <= 10
    ):
        wrong = (
            "a review has a stability, a difficulty from 1 to 10, an interval and a day on which it is due"
        )
    if wrong:
        raise ExchangeError(
            f"{source}: row {number} of its log: {wrong}; export it again, or add --without-schedule"
        )
    if row.action in ("review", "reschedule") and row.scheduler is None:
        row = replace(row, scheduler=SCHEDULER_NAME)
    return replace(row, seq=0, batch=None, undoes=None, place=None)


def _is_id(card: str) -> bool:
    return 0 < len(card) <= _LONGEST_ID and card == strip_controls(card) and not any(map(str.isspace, card))


def _foreign(
    source: Path, incoming: Incoming, config: Config, now: dt.datetime, logged: Collection[str]
) -> list[Entry]:
    histories: dict[str, list[PastReview]] = {}
    for number, review in enumerate(incoming.reviews, 1):
        if review.at.utcoffset() is None:
            raise ExchangeError(f"{source}: review {number} has no UTC offset; add --without-schedule")
        histories.setdefault(fit_card(review.card), []).append(review)
    scheduler = KernelScheduler(config)
    found: list[Entry] = []
    states = {fit_card(card): state for card, state in incoming.states.items()}
    for card in dict.fromkeys((*histories, *states)):
        history = sorted(histories.get(card, ()), key=lambda review: review.at)
        reviews = _reviews(scheduler, config, card, history)
        state = states.get(card)
        if reviews and state and state.leech and not any(row.leech for row in reviews):
            reviews[-1] = replace(reviews[-1], leech=True)
        found += reviews
        if state:
            found += _state_rows(replace(state, card=card), reviews, config, now, known=card in logged)
    return sorted(found, key=lambda row: row.at)


def _reviews(
    scheduler: KernelScheduler, config: Config, card: str, history: Sequence[PastReview]
) -> list[Entry]:
    """The reviews with what the other program did not keep, by replaying its grades."""
    states: dict[str, CardState] = {}
    state = CardState(card)
    rows: list[Entry] = []
    for review in history:
        day = review.day or study_day(review.at, config.day_start)
        if state.memory is not None:
            day = max(day, state.memory.day)
        memory = scheduler.remember(state.memory, review.grade, day)
        if review.stability is not None and review.difficulty is not None:
            memory = Memory(review.stability, review.difficulty, day)
        interval = review.interval
        if interval is None:
            interval = scheduler.kernel.interval(
                memory.stability, config.desired_retention, config.maximum_interval
            )
        row = Entry(
            action="review",
            card=card,
            at=review.at,
            day=day,
            grade=review.grade,
            was_new=state.memory is None,
            leech=is_leech(state, review.grade, day, config.leech_threshold),
            scheduler=SCHEDULER_NAME,
            stability=memory.stability,
            difficulty=memory.difficulty,
            interval=interval,
            due=review.due or day + dt.timedelta(days=max(1, interval)),
            seconds=review.seconds,
            confidence=review.confidence,
        )
        rows.append(row)
        apply(states, row)
        state = states[card]
    return rows


def _state_rows(
    state: CardState, reviews: Sequence[Entry], config: Config, now: dt.datetime, *, known: bool
) -> list[Entry]:
    """What the other program says of a card beyond its reviews: memory and due day, and whether it is held back.

    The rows stand right behind the last review, so that importing again finds them there. A card without a single
    review gets its memory by a row that reschedules it.
    """
    last = reviews[-1] if reviews else None
    rows: list[Entry] = []
    memory = state.memory
    if memory is None and last is None and state.due is not None:
        # Another scheduler's card: its interval is the stability, as FSRS itself takes it.
        days = max(1, state.interval)
        memory = Memory(float(days), _MIDDLE_DIFFICULTY, state.due - dt.timedelta(days=days))
    day = last.day if last else memory.day if memory else None
    if day is None:
        at, day = now, study_day(now, config.day_start)
    elif last is not None:
        at = last.at
    else:
        # Any moment of that study day will do, as long as it is the same the next time.
        at = dt.datetime.combine(day, dt.time(12), tzinfo=dt.UTC)
    wanted = _rescheduling(state.card, memory, state, last, at + _MILLISECOND, day)
    if wanted is not None:
        rows.append(wanted)
    if last is None and memory is None and known:
        return rows
    if state.suspended:
        rows.append(Entry("suspend", state.card, at + 2 * _MILLISECOND, day))
    if state.marked:
        rows.append(Entry("mark", state.card, at + 3 * _MILLISECOND, day))
    if state.buried_on:
        rows.append(Entry("bury", state.card, at + 4 * _MILLISECOND, state.buried_on))
    return rows


def _rescheduling(
    card: str, memory: Memory | None, state: CardState, last: Entry | None, at: dt.datetime, day: dt.date
) -> Entry | None:
    stability = memory.stability if memory else last.stability if last else None
    difficulty = memory.difficulty if memory else last.difficulty if last else None
    due = state.due or (last.due if last else None)
    if stability is None or difficulty is None:
        return None
    if due is None:
        due = day + dt.timedelta(days=max(1, state.interval))
    if (
        last is not None
        and due == last.due
        and math.isclose(stability, last.stability or 0, rel_tol=_SAME)
        and math.isclose(difficulty, last.difficulty or 0, rel_tol=_SAME)
    ):
        return None
    interval = state.interval or max(1, (due - day).days)
    return Entry(
        "reschedule",
        card,
        at,
        day,
        scheduler=SCHEDULER_NAME,
        stability=stability,
        difficulty=min(max(difficulty, 1.0), 10.0),
        interval=interval,
        due=due,
    )
