"""Plain mode in one process: which line does what, and what is said."""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from quizapp.config import Config
from quizapp.decks.load import load_decks, sources
from quizapp.home import Home
from quizapp.plain.drill import PlainDrill
from quizapp.review.clock import FixedClock
from quizapp.review.scheduler import KernelScheduler
from quizapp.review.session import Session
from quizapp.storage import SqliteStore, open_store
from quizapp.text import has_controls

NOON = dt.datetime(2026, 11, 30, 12, tzinfo=dt.timezone(dt.timedelta(hours=1)))
Play = Callable[..., list[str]]

RECALL = "## What rotates?\n\n```toml card\nhints = ['two by two', 'look at RoPE']\npoints = ['pairs']\n```\n\nRoPE.\n"
NUMBER = '## How many?\n\n```toml card\nkind = "number"\nanswer = 3\n```\n'
CHOICE = "## Which?\n\n- [x] this\n- [ ] that\n"


@pytest.fixture
def store(tmp_path: Path) -> Iterator[SqliteStore]:
    with open_store(Home(tmp_path / "home"), write=True, now=NOON) as opened:
        yield opened


@pytest.fixture
def play(tmp_path: Path, store: SqliteStore) -> Play:
    """Drill a deck with these lines of input; returns the lines of output."""

    def run(text: str, *typed: str, cram: bool = False, latex: bool = False) -> list[str]:
        (tmp_path / "deck.md").write_text(f"# The deck\n\n{text}", "utf-8")
        deck = load_decks(list(sources(tmp_path / "deck.md")), None)[0]
        assert not deck.problems, deck.problems
        session = Session(
            deck.cards, store=store, scheduler=KernelScheduler(Config()), clock=FixedClock(NOON),
            day=NOON.date(), config=Config(), cram=cram,
        )  # fmt: skip
        said: list[str] = []
        lines = iter(typed)
        titles = {deck.name: deck.title}
        PlainDrill(session, lambda: next(lines, None), said.append, titles=titles, latex=latex).play()
        assert not any(has_controls(line) or "\n" in line for line in said), said
        return said

    return run


def saved(said: list[str]) -> list[str]:
    return [line for line in said if line.startswith("saved ")]


def test_an_empty_line_reveals_and_a_digit_grades(play: Play, store: SqliteStore) -> None:
    said = play(RECALL, "", "3")
    assert said.index("What rotates?") < said.index("Answer:") < said.index("RoPE.") < said.index("1. pairs")
    review = next(iter(store.reviews()))
    assert saved(said) == [f"saved deck/what-rotates good next {review.due} ({review.interval} d)"]
    assert f"3 good {review.interval} d" in next(line for line in said if line.startswith("1 again "))


def test_a_digit_before_the_answer_is_refused(play: Play, store: SqliteStore) -> None:
    for digit in "1234":
        said = play(RECALL, digit)
        assert any("empty line shows the answer first" in line for line in said)
        assert "Answer:" not in said
    assert store.states() == {}


def test_on_a_typed_card_a_digit_answers(play: Play) -> None:
    said = play(NUMBER, "3", "2")
    assert "right" in said
    assert len(saved(said)) == 1
    assert " hard next " in saved(said)[0]
    said = play(NUMBER, "4")
    assert any(line.startswith("wrong") for line in said)
    assert "The answer: 3" in said
    said = play(NUMBER, "")
    assert "The answer: 3" in said


def test_what_cannot_be_read_leaves_the_question_open(play: Play) -> None:
    said = play(NUMBER, "2*a_1*", "3", "3")
    unreadable = next(line for line in said if line.startswith("unreadable: "))
    assert "a_1" in unreadable
    assert len(saved(said)) == 1


@pytest.mark.parametrize(
    ("card", "key", "answers"), [(RECALL, "h", False), (NUMBER, "h", True), (CHOICE, "q", True)]
)
def test_bare_letters_are_commands_unless_they_could_be_an_answer(
    play: Play, card: str, key: str, answers: bool
) -> None:
    said = play(card, key, ":q")
    assert any(line.startswith("unreadable: ") for line in said) is answers
    assert any(line.startswith("hint 1 of 2: two by two") for line in said) is (card == RECALL)


def test_hints_and_leaving(play: Play, store: SqliteStore) -> None:
    said = play(RECALL, "h", ":h", "H", "q", "", "3")
    hints = [line for line in said if "hint" in line and not line.startswith("(")]
    assert hints == ["hint 1 of 2: two by two", "hint 2 of 2: look at RoPE", "no further hint"]
    assert store.states() == {}
    assert "this card has no hint" in play(NUMBER, ":h")


def test_leaving_works_anywhere(play: Play, store: SqliteStore) -> None:
    for card in (RECALL, NUMBER, CHOICE):
        play(card, ":q", "", "3")
        play(card, "", ":q", "3")
        play(card, "", "q", "3")
    assert store.states() == {}


def test_undo_says_what_and_asks_again(play: Play, store: SqliteStore) -> None:
    said = play(RECALL + NUMBER, "", "1", ":u", "4")
    assert "undone: again on deck/what-rotates" in said
    assert [line.split()[2] for line in saved(said)] == ["again", "easy"]
    assert [int(review.grade) for review in store.reviews()] == [4]
    said = play(NUMBER, ":u", ":u")
    assert "undone: easy on deck/what-rotates" in said
    assert "there is nothing to undo" in said


def test_suspend_bury_mark_and_unknown_commands(play: Play, store: SqliteStore) -> None:
    said = play(RECALL + NUMBER, ":x", ":m", ":m", ":m", ":s", ":b")
    assert ":x: no such command; :? lists them" in said
    acts = [line.split()[0] for line in said if line.endswith("deck/what-rotates")]
    assert acts == ["marked", "unmarked", "marked", "suspended"]
    assert "buried deck/how-many until tomorrow" in said
    assert store.state("deck/what-rotates").suspended
    assert store.state("deck/what-rotates").marked
    assert store.state("deck/how-many").buried_on == NOON.date()


def test_again_returns_and_the_end_of_input_is_fine(play: Play) -> None:
    said = play(RECALL + NUMBER, "", "1", "3", "3", "")
    assert said.count("What rotates?") == 2
    assert said[-2:] == ["2 cards: 1 again, 1 good", "1 left for next time"]


def test_a_cram_saves_nothing(play: Play, store: SqliteStore) -> None:
    said = play(RECALL, "", "1", "", "3", cram=True)
    assert saved(said) == []
    assert [line for line in said if line.startswith("cram ")] == [
        f"cram deck/what-rotates {word}; the schedule is as it was" for word in ("again", "good")
    ]
    assert store.states() == {}


def test_letters_stand_before_the_options(play: Play) -> None:
    said = play("## Which?\n\n- [ ] one\n- [x] two\n- [ ] three\n", "")
    shown = {line[3:]: line[0] for line in said if re.match(r"[abc]\) ", line)}
    assert set(shown) == {"one", "two", "three"}
    assert f"The answer: {shown['two']}" in said


def test_formulas_are_drawn_or_shown_as_source(play: Play) -> None:
    card = "## Draw it\n\n$$\\frac{a}{b}$$\n"
    drawn = play(card, "")
    bar = next(
        number for number, line in enumerate(drawn) if line.strip("\u2500 ") == "" and "\u2500" in line
    )
    assert (drawn[bar - 1].strip(), drawn[bar + 1].strip()) == ("a", "b")
    assert any(r"\frac{a}{b}" in line for line in play(card, "", latex=True))


@pytest.mark.parametrize(
    ("source", "shown"),
    [
        ("it costs $5 and $10", "it costs $5 and $10"),
        ("Is $i<j$ masked?", "Is i < j masked?"),
        (r"the code `\\server\share` here", r"the code `\\server\share` here"),
        ("A & B", "A & B"),
        ("\u4f4d\u7f6e \u03b8\u0302 \U0001f9e0", "\u4f4d\u7f6e \u03b8\u0302 \U0001f9e0"),
        ("[bold]not markup[/bold]", "[bold]not markup[/bold]"),
    ],
)
def test_text_is_shown_as_written(play: Play, source: str, shown: str) -> None:
    said = play(f"## {source}\n\nSo: {source}.\n", "")
    assert shown in said
    assert f"So: {shown}." in said


FOLLOWED = (
    '## First?\n\n```toml card\nid = "first"\nfollow_ups = ["second", "third"]\n```\n\nOne.\n\n'
    '## Second?\n\n```toml card\nid = "second"\n```\n\nTwo.\n\n## Third?\n\n```toml card\nid = "third"\n```\n\nThree.\n'
)


def test_any_follow_up_can_be_opened_by_its_number(play: Play, store: SqliteStore) -> None:
    said = play(FOLLOWED, "", ":f 3", ":f 0", ":f x", ":f 2", "", "4", "3", ":q")
    assert "next (:f): Second?" in said
    assert "next (:f 2): Third?" in said
    assert [line for line in said if line.startswith(":f ")] == [
        f":f {number}: this card's follow-ups are 1 to 2" for number in ("3", "0", "x")
    ]
    assert [review.card for review in store.reviews()] == ["third", "first"]
    assert any(line.startswith("Second?") for line in said)
