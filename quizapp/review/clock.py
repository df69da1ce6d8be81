"""Clocks, and what the environment fixes: ``QUIZAPP_NOW`` the time, ``QUIZAPP_SEED`` the random source."""

from __future__ import annotations

import datetime as dt
import os
import time

from quizapp.errors import UsageError
from quizapp.review.types import Clock

# Dates must leave room for intervals of a century, and SQLite and JSON for the usual four digits.
_FIRST_YEAR, _LAST_YEAR = 1970, 9000


class SystemClock:
    """The machine's clock in the machine's time zone."""

    def now(self) -> dt.datetime:
        return dt.datetime.now().astimezone()

    def seconds(self) -> float:
        return time.monotonic()


class FixedClock:
    """A clock that stands still at one moment; ``advance`` moves it. Its offset is the local time zone."""

    def __init__(self, moment: dt.datetime) -> None:
        if moment.utcoffset() is None:
            raise ValueError("a clock needs a moment with a UTC offset")
        self._moment = moment
        self._seconds = 0.0

    def now(self) -> dt.datetime:
        return self._moment

    def seconds(self) -> float:
        return self._seconds

    def advance(self, step: dt.timedelta) -> None:
        self._moment += step
        self._seconds += max(step.total_seconds(), 0.0)


def clock_from_environment() -> Clock:
    """A clock fixed by ``QUIZAPP_NOW``, else the machine's.

    Raises UsageError where the variable can't be read.
    """
    text = os.environ.get("QUIZAPP_NOW", "").strip()
    if not text:
        return SystemClock()
    wanted = "write a date and time with its offset, such as 2026-11-30T09:00:00+01:00"
    try:
        moment = dt.datetime.fromisoformat(text)
    except ValueError:
        raise UsageError(f"QUIZAPP_NOW={text!r} is not a time; {wanted}") from None
    if moment.utcoffset() is None:
        raise UsageError(f"QUIZAPP_NOW={text!r} has no UTC offset; {wanted}")
    if not _FIRST_YEAR < moment.year <= _LAST_YEAR:
        raise UsageError(
            f"QUIZAPP_NOW={text!r} is not between the years {_FIRST_YEAR + 1} and {_LAST_YEAR}; {wanted}"
        )
    return FixedClock(moment)


def seed_from_environment() -> int | None:
    """The seed that ``QUIZAPP_SEED`` fixes, else None. Raises UsageError where it is not a whole number."""
    text = os.environ.get("QUIZAPP_SEED", "").strip()
    if not text:
        return None
    try:
        return int(text)
    except ValueError:
        raise UsageError(f"QUIZAPP_SEED={text!r} is not a whole number; write one, such as 7") from None
