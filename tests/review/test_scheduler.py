"""The scheduler against ``fsrs`` as the design tells to call it, and its own promises."""

from __future__ import annotations

import datetime as dt
import random

import fsrs
import pytest

from quizapp.config import Config
from quizapp.review.fuzz import fuzz_bounds
from quizapp.review.scheduler import FsrsScheduler, KernelScheduler
from quizapp.review.types import CardState, Grade, Memory

DAY = dt.date(2026, 11, 30)


def after(state: CardState, grade: Grade, day: dt.date, scheduler: KernelScheduler) -> CardState:
    outcome = scheduler.outcome(state, grade, day)
    return CardState(
        state.card,
        outcome.memory,
        outcome.due,
        outcome.interval,
        reviews=state.reviews + 1,
        lapses=state.lapses,
    )


def noon(day: dt.date) -> dt.datetime:
    return dt.datetime.combine(day, dt.time(12), dt.timezone.utc)  # noqa: UP017  (fsrs takes no other UTC)


@pytest.mark.parametrize("kind", [FsrsScheduler, KernelScheduler])
def test_random_histories_follow_fsrs_on_study_days(kind: type[KernelScheduler]) -> None:
    rng = random.Random(7)
    for number in range(300):
        config = Config(
            desired_retention=rng.choice((0.8, 0.9, 0.97)), maximum_interval=rng.choice((30, 36500))
        )
        scheduler = kind(config)
        official = fsrs.Scheduler(
            desired_retention=config.desired_retention,
            learning_steps=(),
            relearning_steps=(),
            maximum_interval=config.maximum_interval,
            enable_fuzzing=False,
        )
        state, theirs, day = CardState(f"card-{number}"), fsrs.Card(card_id=9), DAY
        for _ in range(10):
            grade = Grade(rng.choice((1, 2, 3, 3, 4)))
            preview = scheduler.preview(state, day)
            outcome = scheduler.outcome(state, grade, day)
            assert outcome == preview[grade]
            theirs, _ = official.review_card(theirs, fsrs.Rating(int(grade)), noon(day))
            assert theirs.stability is not None
            if theirs.stability > 36500:
                break
            assert outcome.memory.stability == pytest.approx(theirs.stability, rel=1e-6)
            assert outcome.memory.difficulty == pytest.approx(theirs.difficulty, rel=1e-6)
            low, high = fuzz_bounds((theirs.due - noon(day)).days, config.maximum_interval)
            # Where FSRS gives neighbouring grades the same interval, keeping them apart takes a day or two.
            assert low <= outcome.interval <= min(high + grade - 1, config.maximum_interval)
            assert outcome.due == day + dt.timedelta(days=outcome.interval)
            state = after(state, grade, day, scheduler)
            day = rng.choice((day, state.due or day, day + dt.timedelta(days=rng.randint(1, 300))))


def test_every_grade_has_its_own_interval_and_none_is_today() -> None:
    rng = random.Random(3)
    scheduler = KernelScheduler(Config())
    for number in range(3000):
        memory = Memory(
            10 ** rng.uniform(-3, 4), rng.uniform(1, 10), DAY - dt.timedelta(days=rng.randint(0, 900))
        )
        state = CardState(
            f"card-{number}", memory, DAY, interval=rng.randint(1, 900), reviews=rng.randint(1, 40)
        )
        again, hard, good, easy = (outcome.interval for outcome in scheduler.preview(state, DAY).values())
        assert 1 <= again <= hard
        assert hard < good < easy or easy == 36500


def test_a_longer_interval_is_never_fuzzed_back() -> None:
    rng = random.Random(4)
    scheduler = KernelScheduler(Config())
    checked = 0
    for number in range(3000):
        interval = rng.randint(1, 400)
        memory = Memory(float(interval), rng.uniform(1, 10), DAY - dt.timedelta(days=interval))
        state = CardState(f"card-{number}", memory, DAY, interval=interval, reviews=5)
        good = scheduler.outcome(state, Grade.GOOD, DAY)
        if round(good.memory.stability) > interval:
            assert good.interval > interval
            checked += 1
    assert checked > 2000


def test_the_maximum_interval_is_kept() -> None:
    for maximum in (1, 2, 5, 30):
        scheduler = KernelScheduler(Config(maximum_interval=maximum))
        for number in range(50):
            state = CardState(f"card-{number}", Memory(500.0, 4.0, DAY), DAY, interval=maximum, reviews=9)
            intervals = [
                outcome.interval for outcome in scheduler.preview(state, DAY + dt.timedelta(30)).values()
            ]
            assert max(intervals) <= maximum
            assert intervals == sorted(intervals)
            assert min(intervals) >= 1


def test_stability_is_clamped_as_anki_does() -> None:
    state = CardState("old", Memory(36000.0, 1.0, DAY), DAY, interval=36000, reviews=30)
    day = DAY + dt.timedelta(days=36000)
    for scheduler in (FsrsScheduler(Config()), KernelScheduler(Config())):
        assert scheduler.outcome(state, Grade.EASY, day).memory.stability == 36500.0


def test_a_day_before_the_last_review_counts_as_its_day() -> None:
    state = CardState("back", Memory(5.0, 5.0, DAY), DAY, interval=5, reviews=2)
    scheduler = FsrsScheduler(Config())
    early = scheduler.outcome(state, Grade.GOOD, DAY - dt.timedelta(days=3))
    assert early.memory == scheduler.outcome(state, Grade.GOOD, DAY).memory


def test_recall_falls_to_nine_tenths_after_the_stability() -> None:
    scheduler = FsrsScheduler(Config())
    memory = Memory(20.0, 5.0, DAY)
    assert scheduler.recall(memory, DAY) == 1.0
    assert scheduler.recall(memory, DAY + dt.timedelta(days=20)) == pytest.approx(0.9)
