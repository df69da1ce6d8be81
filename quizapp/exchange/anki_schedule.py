"""Memory, due days and the review log as Anki keeps them, and back.

Anki counts review days from the collection's first study day; its cards' ``data`` holds FSRS's stability ``s``,
difficulty ``d``, the moment of the last review ``lrt``, and its log the difficulty as ``factor`` (100 to 1100).
"""

from __future__ import annotations

import datetime as dt
import json
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from quizapp.exchange.anki_collection_read import ForeignCard, ForeignReview
from quizapp.exchange.anki_collection_write import CardRow, ReviewRow, unique
from quizapp.exchange.losses import Losses
from quizapp.exchange.model import Bundle, PastReview
from quizapp.review.day import study_day
from quizapp.review.types import CardState, Grade, Memory
from quizapp.review.weights import complete_weights

_NEW, _LEARNING, _REVIEW, _RELEARNING = range(4)
_SUSPENDED, _BURIED = -1, -3
# A due "day" beyond this is a moment in seconds.
_MOMENT = 1_000_000
_MOST_DAYS = 200_000
_CRAMMED = 3
_LONGEST_ANSWER = 2**31 - 1


class ScheduleOut:
    """A bundle's schedule in Anki's terms; without one, every card is new."""

    def __init__(self, bundle: Bundle) -> None:
        self._states = bundle.states if bundle.with_schedule else {}
        self._reviews = bundle.reviews if bundle.with_schedule else ()
        self._day = bundle.day
        self._now = int(bundle.now.timestamp())
        self._zone = bundle.now.tzinfo or dt.UTC
        self._start = bundle.day_start
        self._retention = bundle.retention
        self._decay = round(complete_weights(bundle.weights)[20], 4)
        self._last: dict[str, dt.datetime] = {review.card: review.at for review in self._reviews}
        days = [bundle.day, *(study_day(review.at, bundle.day_start) for review in self._reviews)]
        days += [state.memory.day for state in self._states.values() if state.memory]
        days += [state.due for state in self._states.values() if state.due]
        self.first = min(days)

    @property
    def created(self) -> int:
        """The moment at which the first study day began."""
        start = dt.datetime.combine(self.first, dt.time(self._start), self._zone)
        return int(start.timestamp())

    @property
    def west(self) -> int:
        """Minutes that the clock is behind UTC on the first day."""
        offset = dt.datetime.combine(self.first, dt.time(self._start), self._zone).utcoffset()
        return -int((offset or dt.timedelta()).total_seconds() // 60)

    def marked(self, cards: Iterable[str]) -> bool:
        return any((state := self._states.get(card)) is not None and state.marked for card in cards)

    def leech(self, cards: Iterable[str]) -> bool:
        return any((state := self._states.get(card)) is not None and state.leech for card in cards)

    def card_row(
        self, key: int, note: int, deck: int, place: int, card: str, mod: int, position: int
    ) -> CardRow:
        state = self._states.get(card)
        if state is None or (
            state.due is None and not state.suspended and not state.marked and not self._buried(state)
        ):
            return key, note, deck, place, mod, -1, _NEW, 0, position, 0, 0, 0, 0, 0, 0, 0, 0, ""
        queue = _SUSPENDED if state.suspended else _BURIED if self._buried(state) else None
        if queue == _BURIED:
            # Anki says by this which day a card was buried on.
            mod = self._now
        data: dict[str, Any] = {"pos": position}
        if state.marked or state.leech:
            data["cd"] = _json({name: 1 for name in OWN_FLAGS if getattr(state, _FLAGS[name])})
        if state.due is None:
            return (
                key, note, deck, place, mod, -1, _NEW, 0 if queue is None else queue, position, 0, 0, 0, 0, 0, 0, 0, 0,
                _json(data),
            )  # fmt: skip
        if state.memory is not None:
            data |= {
                "s": round(state.memory.stability, 4), "d": round(state.memory.difficulty, 3),
                "dr": self._retention, "decay": self._decay, "lrt": self._last_review(card, state.memory),
            }  # fmt: skip
        return (
            key, note, deck, place, mod, -1, _REVIEW, _REVIEW if queue is None else queue,
            (state.due - self.first).days, max(state.interval, 1), 2500, state.reviews, state.lapses, 0, 0, 0, 0,
            _json(data),
        )  # fmt: skip

    def _buried(self, state: CardState) -> bool:
        return state.buried_on == self._day

    def _last_review(self, card: str, memory: Memory) -> int:
        """The moment of the last review; where the log does not say, noon of its day."""
        last = self._last.get(card)
        if last is not None and study_day(last, self._start) == memory.day:
            return int(last.timestamp())
        return int(dt.datetime.combine(memory.day, dt.time(12), self._zone).timestamp())

    def review_rows(self, cards: Mapping[str, int]) -> Iterator[ReviewRow]:
        """The log, the oldest first, of the cards given by their ids in Anki. Two rows never share a millisecond."""
        known = [review for review in self._reviews if review.card in cards]
        known.sort(key=lambda review: review.at)
        before: dict[str, tuple[int, dt.date, bool]] = {}
        keys = unique(int(review.at.timestamp() * 1000 + 0.5) for review in known)
        for key, review in zip(keys, known, strict=True):
            day = review.day or study_day(review.at, self._start)
            last = before.get(review.card)
            # On the first day Anki calls it learning, a second time on a later day relearning.
            learning = last is None or (last[2] and last[1] == day)
            kind = _NEW if learning else 2 if last is not None and last[1] == day else 1
            interval = review.interval or 0
            factor = 0 if review.difficulty is None else round((review.difficulty - 1) / 9 * 1000 + 100)
            yield (
                key, cards[review.card], -1, int(review.grade), interval, last[0] if last else 0, factor,
                min(int(review.seconds * 1000 + 0.5), _LONGEST_ANSWER), kind,
            )  # fmt: skip
            before[review.card] = (interval, day, learning)


# Anki tags notes as marked or as leeches, this program single cards: what is meant goes into Anki's room for add-ons,
# with names of at most eight letters.
_FLAGS = {"mark": "marked", "leech": "leech"}
OWN_FLAGS = tuple(_FLAGS)


def own_flags(card: ForeignCard) -> frozenset[str]:
    """Those of ``OWN_FLAGS`` that our own export gave a card."""
    if '"cd"' not in card.data:
        return frozenset()
    flags = _data(str(_data(card.data).get("cd", "")))
    return frozenset(name for name in OWN_FLAGS if flags.get(name))


def state_of(card: ForeignCard, name: str, created: dt.date, zone: dt.tzinfo, start: int) -> CardState | None:
    """What an Anki card says of the card ``name``; None for one that is simply new."""
    data = _data(card.data)
    flags = own_flags(card)
    marked, leech = "mark" in flags, "leech" in flags
    suspended = card.queue == _SUSPENDED
    buried = _day(card.modified, zone, start) if card.queue in (-2, _BURIED) else None
    if card.type == _NEW or (card.reviews <= 0 and card.interval <= 0):
        if not suspended and not flags and buried is None:
            return None
        return CardState(name, suspended=suspended, buried_on=buried, marked=marked, leech=leech)
    interval = min(max(card.interval, 0), _MOST_DAYS)
    if card.due > _MOMENT:
        due = _day(card.due, zone, start)
    else:
        due = created + dt.timedelta(days=max(-_MOST_DAYS, min(card.due, _MOST_DAYS)))
    return CardState(
        name, _memory(data, due, interval, zone, start), due, interval, max(card.reviews, 0), max(card.lapses, 0),
        suspended, buried, marked, leech,
    )  # fmt: skip


def _memory(data: dict[str, Any], due: dt.date, interval: int, zone: dt.tzinfo, start: int) -> Memory | None:
    stability, difficulty, last = data.get("s"), data.get("d"), data.get("lrt")
    if not isinstance(stability, int | float) or not isinstance(difficulty, int | float):
        return None
    if not (0 < stability < 1e6 and 1 <= difficulty <= 10):
        return None
    day = _day(last, zone, start) if isinstance(last, int) else due - dt.timedelta(days=interval)
    return Memory(float(stability), float(difficulty), day)


def past_reviews(
    rows: Iterable[ForeignReview],
    names: Mapping[int, str],
    new: frozenset[int],
    zone: dt.tzinfo,
    losses: Losses,
) -> tuple[PastReview, ...]:
    """The answers in Anki's log of the cards in ``names``; ``new``: those that were reset since, whose log is over."""
    kept: list[PastReview] = []
    manual = crammed = unknown = reset = 0
    for row in rows:
        name = names.get(row.card)
        if row.grade not in (1, 2, 3, 4):
            manual += 1
        elif name is None:
            unknown += 1
        elif row.kind == _CRAMMED and not row.factor:
            crammed += 1
        elif row.card in new:
            reset += 1
        else:
            difficulty = (row.factor - 100) / 1000 * 9 + 1 if 100 <= row.factor <= 1100 else None
            kept.append(
                PastReview(
                    name,
                    Grade(row.grade),
                    _moment(row.at / 1000, zone),
                    max(row.milliseconds, 0) / 1000,
                    max(row.interval, 0),
                    difficulty=difficulty,
                )
            )
    for what, count in (
        ("log rows that Anki wrote itself (a card rescheduled or reset): they are no answers", manual),
        ("answers of cards that are not in the file", unknown),
        ("answers from cramming, which never touched the schedule", crammed),
        ("answers from before a card was reset", reset),
    ):
        if count:
            losses.add(what, count=count)
    return tuple(kept)


def _moment(seconds: float, zone: dt.tzinfo) -> dt.datetime:
    return dt.datetime.fromtimestamp(min(max(seconds, 0), 2**33), zone)


def _day(seconds: float, zone: dt.tzinfo, start: int) -> dt.date:
    return study_day(_moment(seconds, zone), start)


def _data(text: str) -> dict[str, Any]:
    if not text:
        return {}
    try:
        data = json.loads(text)
    except (ValueError, RecursionError):
        return {}
    return data if isinstance(data, dict) else {}


def _json(data: Mapping[str, Any]) -> str:
    return json.dumps(data, separators=(",", ":"))
