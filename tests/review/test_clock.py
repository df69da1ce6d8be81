"""What the environment fixes, and what it says about values it can't read."""

from __future__ import annotations

import datetime as dt

import pytest

from quizapp.errors import UsageError
from quizapp.review.clock import FixedClock, SystemClock, clock_from_environment, seed_from_environment


def test_the_offset_of_quizapp_now_is_the_local_time_zone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("QUIZAPP_NOW", "2026-11-30T03:00:00-08:00")
    clock = clock_from_environment()
    assert clock.now().isoformat() == "2026-11-30T03:00:00-08:00"
    assert clock.now() == dt.datetime(2026, 11, 30, 11, tzinfo=dt.UTC)
    assert clock.now() == clock.now()


def test_z_is_an_offset(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("QUIZAPP_NOW", "2026-11-30T03:00:00Z")
    assert clock_from_environment().now().utcoffset() == dt.timedelta(0)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("tomorrow", "is not a time"),
        ("2026-11-30T03:00:00", "has no UTC offset"),
        ("2026-11-30", "has no UTC offset"),
        ("2026-13-30T03:00:00Z", "is not a time"),
        ("0001-01-01T00:00:00+00:00", "is not between the years 1971 and 9000"),
        ("9999-12-31T00:00:00+00:00", "is not between the years 1971 and 9000"),
    ],
)
def test_an_unreadable_time_is_one_line(monkeypatch: pytest.MonkeyPatch, text: str, said: str) -> None:
    monkeypatch.setenv("QUIZAPP_NOW", text)
    with pytest.raises(UsageError) as caught:
        clock_from_environment()
    message = str(caught.value)
    assert said in message
    assert text in message
    assert "such as 2026-11-30T09:00:00+01:00" in message
    assert "\n" not in message


def test_without_the_variable_the_machine_decides(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("QUIZAPP_NOW", raising=False)
    clock = clock_from_environment()
    assert isinstance(clock, SystemClock)
    assert clock.now().utcoffset() is not None
    assert clock.seconds() <= clock.seconds()


def test_a_fixed_clock_moves_only_when_told() -> None:
    clock = FixedClock(dt.datetime(2026, 11, 30, tzinfo=dt.UTC))
    clock.advance(dt.timedelta(seconds=90))
    clock.advance(dt.timedelta(days=-2))
    assert clock.now() == dt.datetime(2026, 11, 28, 0, 1, 30, tzinfo=dt.UTC)
    assert clock.seconds() == 90.0
    with pytest.raises(ValueError, match="UTC offset"):
        FixedClock(dt.datetime(2026, 11, 30))  # noqa: DTZ001


def test_the_seed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("QUIZAPP_SEED", raising=False)
    assert seed_from_environment() is None
    monkeypatch.setenv("QUIZAPP_SEED", "-7")
    assert seed_from_environment() == -7
    monkeypatch.setenv("QUIZAPP_SEED", "seven")
    with pytest.raises(UsageError, match="QUIZAPP_SEED='seven' is not a whole number"):
        seed_from_environment()
