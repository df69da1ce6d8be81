"""Study days: over daylight saving both ways, in several zones, and with a clock set back."""

from __future__ import annotations

import datetime as dt
from zoneinfo import ZoneInfo

import pytest

from quizapp.config import Config
from quizapp.review.day import study_day
from quizapp.review.scheduler import FsrsScheduler
from quizapp.review.types import CardState, Grade

ZONES = (
    "Europe/Paris",
    "America/New_York",
    "Australia/Lord_Howe",
    "Asia/Kolkata",
    "America/St_Johns",
    "Pacific/Chatham",
)


@pytest.mark.parametrize("zone", ZONES)
@pytest.mark.parametrize("start", [0, 4, 6])
def test_each_night_is_one_day_also_when_clocks_change(zone: str, start: int) -> None:
    """Wall time decides: from one evening to the next morning it is one day, 23 or 25 hours or not."""
    local = ZoneInfo(zone)
    day = dt.date(2026, 1, 1)
    while day < dt.date(2027, 1, 1):
        morning = dt.datetime.combine(day, dt.time(8), local)
        evening = dt.datetime.combine(day, dt.time(23), local)
        assert study_day(morning, start) == study_day(evening, start) == day
        day += dt.timedelta(days=1)


@pytest.mark.parametrize("zone", ZONES)
def test_the_day_begins_at_its_hour_on_every_date(zone: str) -> None:
    """Walks through a year by real half hours, so the hours that exist twice or not at all are met."""
    local, step = ZoneInfo(zone), dt.timedelta(minutes=30)
    moment = dt.datetime(2026, 1, 1, tzinfo=dt.UTC)
    last = study_day(moment.astimezone(local), 4)
    for _ in range(365 * 24 * 2):
        moment += step
        here = moment.astimezone(local)
        day = study_day(here, 4)
        expected = here.date() if here.hour >= 4 else here.date() - dt.timedelta(days=1)
        assert day == expected
        assert day - last in (dt.timedelta(0), dt.timedelta(days=1))
        last = day


@pytest.mark.parametrize(
    ("first", "second"),
    [
        # The night that clocks go back, and the one that they go forward, in Paris.
        ("2026-10-24T04:30:00+02:00", "2026-10-26T10:00:00+01:00"),
        ("2026-03-27T22:00:00+01:00", "2026-03-29T05:00:00+02:00"),
    ],
)
def test_two_days_over_a_change_of_clocks_are_two_days_of_forgetting(first: str, second: str) -> None:
    days = [study_day(dt.datetime.fromisoformat(text), 4) for text in (first, second)]
    assert (days[1] - days[0]).days == 2
    scheduler = FsrsScheduler(Config())
    outcome = scheduler.outcome(CardState("x"), Grade.GOOD, days[0])
    state = CardState("x", outcome.memory, outcome.due, outcome.interval, reviews=1)
    later = scheduler.outcome(state, Grade.GOOD, days[1])
    # Two whole days after S = 2.3065; three would give 13.83 (measured with Anki, which counts hours here).
    assert later.memory.stability == pytest.approx(10.96, abs=0.01)


def test_eleven_at_night_and_eight_in_the_morning_are_one_day_apart() -> None:
    night = dt.datetime.fromisoformat("2026-11-30T23:00:00+01:00")
    morning = dt.datetime.fromisoformat("2026-12-01T08:00:00+01:00")
    assert (study_day(morning, 4) - study_day(night, 4)).days == 1
    scheduler = FsrsScheduler(Config())
    outcome = scheduler.outcome(CardState("x"), Grade.GOOD, study_day(night, 4))
    state = CardState("x", outcome.memory, outcome.due, outcome.interval, reviews=1)
    stored = scheduler.outcome(state, Grade.GOOD, study_day(morning, 4)).memory.stability
    # With no sleep between, it would be 2.31.
    assert stored == pytest.approx(7.32, abs=0.01)


def test_a_moment_without_an_offset_is_refused() -> None:
    with pytest.raises(ValueError, match="UTC offset"):
        study_day(dt.datetime(2026, 1, 1), 4)  # noqa: DTZ001
