"""Typed answers: letters, numbers, expressions, hidden words, by-hand problems."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from quizapp import algebra
from quizapp.decks.card import Card
from quizapp.decks.load import load_decks, sources
from quizapp.review.check import Checked, check_answer, preview
from quizapp.review.question import ask

BY_HAND = Path(__file__).parents[2] / "decks" / "by-hand.md"


@pytest.fixture(autouse=True, scope="module")
def worker() -> Iterator[None]:
    yield
    algebra.shut_down()


def card_of(tmp_path: Path, text: str) -> Card:
    file = tmp_path / "deck.md"
    file.write_text(f"# Deck\n\n{text}", "utf-8")
    deck = load_decks(list(sources(file)), None)[0]
    assert not deck.problems, deck.problems
    return deck.cards[0]


def check(card: Card, text: str) -> Checked:
    return check_answer(ask(card, 0), text)


def number_card(tmp_path: Path, rest: str) -> Card:
    return card_of(tmp_path, f'## How much?\n\n```toml card\nkind = "number"\n{rest}\n```\n')


@pytest.mark.parametrize(
    ("fields", "right", "wrong"),
    [
        ("answer = 3", ["3", "3.0", "6/2", "sqrt(9)"], ["2.999", "3.0001", "-3", "30"]),
        ("answer = 0.84", ["0.84", "0.8415", "0.835", "0.845", "sin(1)"], ["0.8349", "0.8451", "0.48"]),
        ('answer = "2/3"', ["2/3", "4/6", "1 - 1/3"], ["0.6667", "1/3"]),
        ('answer = "2pi/3"\ntolerance = 0.01', ["2pi/3", "2.09", "2.1"], ["2.05", "2pi"]),
        ("answer = 100\ntolerance = 5", ["95", "105", "1e2"], ["94.99", "105.01"]),
        ('answer = 64\nunit = "MiB"', ["64", "64 MiB", "64mib"], ["32 MiB"]),
        ('answer = 50\nunit = "%"', ["50", "50 %", "50%"], ["0.5"]),
        ("answer = 0.1\ntolerance = 0.2", ["0.3", "-0.1"], ["0.30001"]),
    ],
)
def test_a_number_is_right_within_its_tolerance(
    tmp_path: Path, fields: str, right: list[str], wrong: list[str]
) -> None:
    card = number_card(tmp_path, fields)
    assert {text: check(card, text).verdict for text in right} == dict.fromkeys(right, "right")
    assert {text: check(card, text).verdict for text in wrong} == dict.fromkeys(wrong, "wrong")


def test_a_wrong_number_says_the_answer_and_a_wrong_sign(tmp_path: Path) -> None:
    card = number_card(tmp_path, 'answer = 0.5\nunit = "rad"')
    checked = check(card, "\u22120.5")
    assert (checked.verdict, checked.right_answer) == ("wrong", "0.5 rad")
    assert "sign" in checked.message
    assert "sign" not in check(card, "0.7").message
    assert check(card, "x + 1").verdict == "unreadable"
    assert check(card, "  ").verdict == "unreadable"


CHOICE = "## Which?\n\n- [x] one\n- [ ] two\n- [x] three\n- [ ] four\n\nBecause.\n"


@pytest.mark.parametrize("reviews", range(12))
def test_letters_name_options_as_shown(tmp_path: Path, reviews: int) -> None:
    question = ask(card_of(tmp_path, CHOICE), reviews)
    shown = dict(zip((o.text for o in question.options), "abcd", strict=True))
    one, two, three = shown["one"], shown["two"], shown["three"]
    for text in (one + three, three + one, f"{one} {three}", f"{three}, {one}", f"{one} and {three}",
                 f"{one.upper()}) {three})"):  # fmt: skip
        assert check_answer(question, text).verdict == "right", text
    for text in (one, one + two, one + two + three, two):
        checked = check_answer(question, text)
        assert checked.verdict == "wrong", text
        assert sorted(checked.right_answer.splitlines()) == sorted([f"- {one}) one", f"- {three}) three"])
    assert "1 more is right" in check_answer(question, one).message
    for text in ("e", "1", "one?", "-"):
        assert check_answer(question, text).verdict == "unreadable", text


@pytest.mark.parametrize(
    ("prompt", "right", "open_"),
    [
        ("RoPE {{c1::rotates}} queries", ["rotates", "Rotates", " ROTATES. "], ["turns", "rotate"]),
        ("The base is {{c1::$10000$}}", ["10000", "$10000$", "10,000", "10 000"], ["1000"]),
        ("Drop {{c1::high}} not {{c1::low}}", ["high, low", "high; low", "high low"], ["low, high", "high"]),
        ("It is {{c1::2.5}} long", ["2.5", "$2.5$", "2.5."], ["25", "2,5"]),
        (r"Phase {{c1::$\theta_i$}} here", [r"\theta_i", r"$\theta_i$"], ["phi"]),
    ],
)
def test_hidden_words_are_compared_leniently_and_else_graded_by_the_learner(
    tmp_path: Path, prompt: str, right: list[str], open_: list[str]
) -> None:
    card = card_of(tmp_path, f"## {prompt}\n")
    assert {text: check(card, text).verdict for text in right} == dict.fromkeys(right, "right")
    assert {text: check(card, text).verdict for text in open_} == dict.fromkeys(open_, "undecided")


def expression_card(tmp_path: Path) -> Card:
    block = 'kind = "expression"\nanswer = "cos((m - n)*theta)"\nsymbols = { m = "integer", n = "integer" }'
    return card_of(tmp_path, f"## Dot product?\n\n```toml card\n{block}\n```\n")


@pytest.mark.parametrize(
    ("text", "verdict"),
    [
        ("cos((n-m)theta)", "equal"),
        ("cos(m\u03b8)cos(n\u03b8) + sin(m\u03b8)sin(n\u03b8)", "equal"),
        (r"\cos((n-m)\theta)", "equal"),
        ("cos((m+n)theta)", "different"),
        ("sin((n-m)theta)", "different"),
        ("cos((n-m", "unreadable"),
    ],
)
def test_an_expression_is_decided(tmp_path: Path, text: str, verdict: str) -> None:
    checked = check(expression_card(tmp_path), text)
    wanted = {"equal": "right", "different": "wrong", "unreadable": "unreadable"}[verdict]
    assert checked.verdict == wanted
    if verdict == "different":
        assert "theta = " in checked.message
        assert checked.right_answer == "`cos((m - n)*theta)`"


def test_undecided_is_not_wrong(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(algebra, "decide", lambda *_: algebra.Verdict("undecided", message="out of time"))
    checked = check(expression_card(tmp_path), "cos((n-m)theta)")
    assert checked.verdict == "undecided"
    assert "not counted against you" in checked.message


def test_a_preview_shows_how_the_answer_is_read(tmp_path: Path) -> None:
    assert preview(ask(number_card(tmp_path, 'answer = 3\nunit = "s"'), 0), "1e3 s") == "1000 s"
    assert preview(ask(expression_card(tmp_path), 0), "theta/2").startswith("$\\frac")
    broken = preview(ask(expression_card(tmp_path), 0), "theta/")
    assert broken
    assert "$" not in broken
    assert preview(ask(card_of(tmp_path, CHOICE), 0), "a") == ""


@pytest.mark.parametrize("card", load_decks(list(sources(BY_HAND)), None)[0].cards, ids=lambda card: card.id)
def test_by_hand_the_right_answer_is_right_and_each_slip_wrong(card: Card) -> None:
    for reviews in range(25):
        question = ask(card, reviews, seed=7)
        problem = question.problem
        assert problem is not None, question.trouble
        if problem.kind == "choice":
            for letter, choice in zip("abcdefgh", problem.choices, strict=False):
                checked = check_answer(question, letter)
                assert checked.verdict == ("right" if choice.right else "wrong")
                assert choice.right or choice.why in checked.message
            continue
        unit = f" {problem.unit}" if problem.unit else ""
        for text in (repr(problem.answer), repr(problem.answer) + unit, problem.answer_text):
            assert check_answer(question, text).verdict == "right", (text, problem)
        for slip in problem.slips:
            checked = check_answer(question, repr(slip.value))
            assert (checked.verdict, slip.why in checked.message) == ("wrong", True), (slip, problem)
