"""Four months of plain drills, each grade followed beside it by the ``fsrs`` package on study days."""

from __future__ import annotations

import datetime as dt
import io
import json
import math
import random
import re
from collections.abc import Iterator
from pathlib import Path

import fsrs
import pytest

from quizapp import cli

DECK = "# Months\n" + "".join(f"\n## Card {letter}\n\nAnswer {letter}.\n" for letter in "abcdefghijkl")
SAVED = re.compile(r"saved (\S+) (again|hard|good|easy) next (\d{4}-\d\d-\d\d) \((\d+) d\)")
GRADES = ("again", "hard", "good", "easy")


def noon(day: dt.date) -> dt.datetime:
    return dt.datetime(day.year, day.month, day.day, 12, tzinfo=dt.UTC)


def moments(source: random.Random) -> Iterator[tuple[dt.date, dt.datetime]]:
    """Study days and a moment in each: mornings, late evenings, after midnight; summer time ends on the way."""
    day = dt.date(2026, 9, 1)
    while day < dt.date(2027, 1, 1):
        zone = dt.timezone(dt.timedelta(hours=2 if day < dt.date(2026, 10, 25) else 1))
        hours = source.choice((4.0, 9.0, 23.5, 26.0, 27.99))
        yield day, dt.datetime(day.year, day.month, day.day, tzinfo=zone) + dt.timedelta(hours=hours)
        day += dt.timedelta(days=source.randint(1, 3))


def fuzz_range(interval: int) -> tuple[int, int]:
    """What Anki's fuzz may make of an interval, in days: 15 %, 10 %, 5 % of its parts, and one day."""
    if interval < 2.5:
        return interval, interval
    delta = 1.0
    for start, end, share in ((2.5, 7.0, 0.15), (7.0, 20.0, 0.1), (20.0, math.inf, 0.05)):
        if interval > start:
            delta += share * (min(interval, end) - start)
    return max(2, round(interval - delta)), round(interval + delta)


@pytest.mark.parametrize("seed", [1, 2])
def test_months_follow_fsrs_on_study_days(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], seed: int
) -> None:
    source = random.Random(seed)
    home, deck = tmp_path / "home", tmp_path / "decks" / "months.md"
    deck.parent.mkdir()
    deck.write_text(DECK, "utf-8")
    monkeypatch.delenv("QUIZAPP_SEED", raising=False)
    scheduler = fsrs.Scheduler(learning_steps=(), relearning_steps=(), enable_fuzzing=False)
    cards: dict[str, fsrs.Card] = {}
    due: dict[str, dt.date] = {}
    passed = 0
    for day, moment in moments(source):
        grades = source.choices((1, 2, 3, 4), (3, 3, 5, 1), k=80)
        monkeypatch.setenv("QUIZAPP_NOW", moment.isoformat())
        monkeypatch.setattr("sys.stdin", io.StringIO("".join(f"\n{grade}\n" for grade in grades)))
        expected = {name for name in due if due[name] <= day}
        if not cards:
            expected = {f"months/card-{letter}" for letter in "abcdefghijkl"}
        assert cli.run(["drill", "months", "--plain", "--home", str(home), "--decks", str(deck.parent)]) == 0
        out = capsys.readouterr().out
        saved = SAVED.findall(out)
        assert {name for name, *_ in saved} == expected, day
        assert [GRADES.index(grade) + 1 for _, grade, *_ in saved] == grades[: len(saved)]
        for name, grade, next_day, days in saved:
            before = cards.get(name) or fsrs.Card(card_id=1)
            after = {rating: scheduler.review_card(before, rating, noon(day))[0] for rating in fsrs.Rating}
            ranges = [fuzz_range((after[rating].due - noon(day)).days) for rating in fsrs.Rating]
            # Hard, good and easy are kept in this order, a day apart where their intervals would meet.
            highest = [ranges[0][1], ranges[1][1]]
            highest += [
                max(ranges[2][1], highest[1] + 1),
                max(ranges[3][1], ranges[2][1] + 1, highest[1] + 2),
            ]
            at = GRADES.index(grade)
            assert ranges[at][0] <= int(days) <= highest[at], (name, day, grade, days, ranges)
            cards[name] = after[fsrs.Rating(at + 1)]
            due[name] = dt.date.fromisoformat(next_day)
            assert due[name] == day + dt.timedelta(days=int(days))
            passed += 1
    assert passed > 80
    assert cli.run(["log", "--json", "--home", str(home), "--decks", str(deck.parent)]) == 0
    rows = json.loads(capsys.readouterr().out)
    assert len(rows) == passed
    for name, card in cards.items():
        last = next(row for row in reversed(rows) if row["card"] == name)
        assert last["stability"] == pytest.approx(card.stability, rel=1e-9)
        assert last["difficulty"] == pytest.approx(card.difficulty, rel=1e-9)
