"""The study day: a calendar day of the learner's clock that starts at the day start hour, not at midnight."""

from __future__ import annotations

import datetime as dt

from quizapp.config import Config
from quizapp.review.types import Clock, Store


def study_day(moment: dt.datetime, day_start: int) -> dt.date:
    """The study day of a moment with its local UTC offset; ``day_start`` is the hour, 0 to 23.

    The wall clock decides, so a day of 23 or 25 hours is one day like any other.
    Raises ValueError for a moment without an offset.
    """
    if moment.utcoffset() is None:
        raise ValueError("a study day needs a moment with a UTC offset")
    return (moment.replace(tzinfo=None) - dt.timedelta(hours=day_start)).date()


def current_day(clock: Clock, store: Store, config: Config) -> dt.date:
    """The study day now, or the last review's where that is later: a day never runs backwards."""
    today = study_day(clock.now(), config.day_start)
    last = store.last_day()
    return today if last is None else max(today, last)
