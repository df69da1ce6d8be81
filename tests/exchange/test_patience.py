"""Texts made to keep a reader busy: time grows with their length, not with its square."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

from quizapp.exchange.hashcards import read
from quizapp.exchange.media import named
from quizapp.exchange.model import ExchangeError, ReadOptions
from quizapp.exchange.registry import format_to_read, read_file
from quizapp.exchange.table import read as read_table
from quizapp.notation.markdown import code_spans, from_mathjax, split_math

# In the square of the time each would take many times as long.
LENGTH = 200_000
SECONDS = 12


def filled(pattern: str) -> str:
    return pattern * (LENGTH // len(pattern))


@pytest.mark.parametrize("pattern", ["$a ", r"\(", r"\[a\)", "` `` ", r"\$$", "$$ "])
def test_marks_that_nothing_closes_cost_no_more_than_they_are_long(pattern: str) -> None:
    text = filled(pattern)
    begun = time.monotonic()
    assert "".join(piece.source for piece in split_math(text)) == text
    assert from_mathjax(text)
    assert time.monotonic() - begun < SECONDS


def test_a_fence_that_nothing_closes_reaches_to_the_end() -> None:
    text = "```\n" + "\n" * LENGTH + "a"
    begun = time.monotonic()
    assert code_spans(text) == [(0, len(text))]
    assert time.monotonic() - begun < SECONDS


@pytest.mark.parametrize("pattern", [r"\a", "![](", "[", "![a"])
def test_pictures_that_are_none(pattern: str) -> None:
    begun = time.monotonic()
    assert named(["![" + filled(pattern) + "]("]) == []
    assert time.monotonic() - begun < SECONDS


@pytest.mark.parametrize("pattern", [r"\(", "![](", "[", "` ``"])
def test_cards_of_hashcards(tmp_path: Path, pattern: str) -> None:
    path = tmp_path / "x.md"
    path.write_text(f"C: [a] {filled(pattern)}\nQ: {filled(pattern)}\nA: b\nQ: a\nA: b\n", "utf-8")
    begun = time.monotonic()
    found = read(path, ReadOptions())
    assert time.monotonic() - begun < SECONDS
    assert [entry.heading for deck in found.decks for entry in deck.entries] == ["a"]
    assert any("more than 90,000" in loss.what for loss in found.lost)


def test_one_question_with_many_answers(tmp_path: Path) -> None:
    path = tmp_path / "x.csv"
    path.write_text("Front,Back\n" + "".join(f"q,a{number}\n" for number in range(8000)) + "q,a7\n", "utf-8")
    begun = time.monotonic()
    found = read_table(path, ReadOptions())
    assert time.monotonic() - begun < SECONDS
    (deck,) = found.decks
    assert len({entry.id for entry in deck.entries}) == 8000
    assert [(loss.what, loss.where) for loss in found.lost] == [
        ("a card that is in the file twice", "line 8002")
    ]


@pytest.mark.parametrize(
    ("error", "said"), [(MemoryError, "more than the memory here holds"), (RecursionError, "nested too deep")]
)
def test_what_does_not_fit_is_one_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, error: type[Exception], said: str
) -> None:
    def fail(*_: object) -> None:
        raise error

    monkeypatch.setattr("quizapp.exchange.table.read", fail)
    path = tmp_path / "x.csv"
    path.write_text("a,b\n", "utf-8")
    with pytest.raises(ExchangeError, match=said):
        read_file(path, ReadOptions())


@pytest.mark.parametrize(
    ("sign", "name"), [("`", "md"), ("~", "md"), ("= ", "md"), (":", "hashcards"), ("a ", "md")]
)
def test_telling_what_a_file_is(tmp_path: Path, sign: str, name: str) -> None:
    path = tmp_path / "x.md"
    path.write_text(filled(sign) + "\n", "utf-8")
    begun = time.monotonic()
    assert format_to_read(path).name == name
    assert time.monotonic() - begun < SECONDS
