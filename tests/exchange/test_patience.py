"""Texts made to keep a reader busy: time grows with their length, not with its square."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

from quizapp.exchange.hashcards import read
from quizapp.exchange.media import named
from quizapp.exchange.model import ReadOptions
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
