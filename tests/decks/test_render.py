"""Rendering: what is written reads back as the same entry, whatever stands in it."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from quizapp.decks.card import Card, Claim, Fields, Option
from quizapp.decks.entry import Entry, entries
from quizapp.decks.parse import parse_deck
from quizapp.decks.render import render_deck, render_entry, written

DECKS = sorted((Path(__file__).parents[2] / "decks").glob("*.md"))


def read(text: str) -> tuple[Entry, ...]:
    deck = parse_deck(text.encode(), name="d", path="d.md")
    assert [str(problem) for problem in deck.problems if problem.level == "error"] == []
    return entries(deck.cards)


def back(entry: Entry) -> Entry:
    """The entry read from a deck in which another one follows it."""
    after = Entry("after", "recall", "After?", answer="Yes.\n\n$$a = b$$\n\n```\ncode\n```\n\n<!-- note -->")
    found = read(render_deck("T", "About.", [entry, after]))
    assert found[1:] == (after,)
    return found[0]


@pytest.mark.parametrize("path", DECKS, ids=lambda path: path.stem)
def test_every_built_in_deck_reads_back_equal(path: Path) -> None:
    deck = parse_deck(path.read_bytes(), name=path.stem, path=str(path))
    found = entries(deck.cards)
    again = parse_deck(render_deck(deck.title, deck.description, found).encode(), name="x", path="x.md")
    assert (again.title, again.description) == (deck.title, deck.description)
    assert entries(again.cards) == found
    assert all(card.pinned for card in again.cards)
    assert [written(entry)[0] for entry in found] == list(found)


CODE = "```cpp\n#include <bits/stdc++.h>\n## not a card\n---\nvector<int, int> v;\n```"
WHOLE = [
    Entry("a", "recall", "Rule in the answer?", answer="One.\n\n---\n\nTwo."),
    Entry("a", "recall", "Code above?", prompt=CODE, answer=CODE),
    Entry("a", "recall", "Only points?", prompt="Long.", fields=Fields(points=("one",))),
    Entry("a", "recall", "An indented answer?", answer="    code\n\ntext"),
    Entry("a", "cloze", "The {{c1::first}} and {{c2::$\\frac{a}{10^{2i/d}}$::hint}}"),
    Entry("a", "cloze", "More", prompt="1 <= n <= {{c1::`a::b`}}", answer="Because."),
    Entry(
        "a",
        "number",
        "Half?",
        fields=Fields(kind="number", answer="1/2", tolerance=1e-05),
        answer="$1/2$\ttab",
    ),
    Entry("a", "number", "Whole?", fields=Fields(kind="number", answer=5, unit="MB")),
    Entry(
        "a",
        "generated",
        "Work it out",
        fields=Fields(
            kind="generated", generator="g", parameters={"dim": [4, 6], "a b": {"x": 1.5, "y": "q\"\\\n'"}}
        ),
        answer="So.",
    ),
    Entry(
        "a",
        "recall",
        'A "quoted" heading $i<j$ with `code` \\#',
        answer="x",
        fields=Fields(checks=(Claim("1 + 1 = 2", symbols={"m": "integer"}), Claim("a", 0.5))),
    ),
    Entry(
        "a",
        "choice",
        "Which?",
        prompt="- a list\n- above",
        answer="- below\n- it",
        options=(Option("one\n\n- nested\n\n```\n- [ ] code\n```", True), Option("two", False)),
    ),
    Entry(
        "a",
        "choice",
        "Which?",
        prompt="Text\n\n---\n\nbelow a rule",
        answer="why\n\n---\n\nnot",
        options=(Option("one", True), Option("two", False)),
    ),
    Entry(
        "a", "choice", "Which?", answer="  indented", options=(Option("one", True), Option("two `x`", True))
    ),
    Entry("a", "recall", "Not a choice", fields=Fields(kind="recall"), answer="- [x] done\n- [ ] to do"),
]


@pytest.mark.parametrize("entry", WHOLE, ids=lambda entry: entry.heading)
def test_what_a_deck_can_hold_reads_back_equal(entry: Entry) -> None:
    assert back(entry) == entry


FOREIGN = [
    (replace(WHOLE[0], prompt="a\n\n---\n\nb"), replace(WHOLE[0], prompt="a\n\n***\n\nb")),
    (replace(WHOLE[0], answer="# One\n\n## Two"), replace(WHOLE[0], answer="### One\n\n### Two")),
    (replace(WHOLE[0], answer="```py\nx"), replace(WHOLE[0], answer="````py\nx\n````")),
    (replace(WHOLE[0], prompt="<!-- open"), replace(WHOLE[0], prompt="\\<!-- open")),
    (replace(WHOLE[0], answer="<script>\n\nx"), replace(WHOLE[0], answer="\\<script>\n\nx")),
    (replace(WHOLE[0], prompt="$$\n\nx"), replace(WHOLE[0], prompt="\\$\\$\n\nx")),
    (replace(WHOLE[0], heading="Two\nlines #"), replace(WHOLE[0], heading="Two", prompt="lines #")),
    (replace(WHOLE[0], heading="C #"), replace(WHOLE[0], heading="C \\#")),
    (replace(WHOLE[0], heading="", prompt="First\nmore"), replace(WHOLE[0], heading="First", prompt="more")),
    (
        replace(WHOLE[0], heading="", prompt="```\na\n```"),
        replace(WHOLE[0], heading="…", prompt="```\na\n```"),
    ),
    (
        replace(WHOLE[0], answer="- [x] done\n- [ ] to do"),
        replace(WHOLE[0], fields=Fields(kind="recall"), answer="- [x] done\n- [ ] to do"),
    ),
    (
        replace(WHOLE[0], answer="```toml card\nid = 1\n```"),
        replace(WHOLE[0], answer="```toml\nid = 1\n```"),
    ),
    (
        replace(WHOLE[0], answer="bell\x07 and \x1b[31mred\r\nline"),
        replace(WHOLE[0], answer="bell and red\nline"),
    ),
    (
        replace(WHOLE[0], answer="```md\n## a\n```python\nx\n```"),
        replace(WHOLE[0], answer="````md\n## a\n```python\nx\n````"),
    ),
]


@pytest.mark.parametrize(("entry", "expected"), FOREIGN)
def test_what_would_break_a_deck_is_written_otherwise(entry: Entry, expected: Entry) -> None:
    assert written(entry)[0] == expected
    assert back(entry) == expected


LINES = st.sampled_from(
    [
        "", "", "text", "---", "***", "- - -", "# title", "## card", "   ## card", "#", "### low", "```", "```py",
        "````", "~~~", "> quote", "> ```", "- item", "* item", "- [ ] task", "- [x] task", "  more", "    code",
        "\ttab", "<!--", "-->", "<script>", "</script>", "<div>", "<?php", "$$", "$$ a $$", "| a | b |", "|---|---|",
        "1. one", "a::b", "{{c1::x}}", "{{c2::$\\frac{a}{b}$::hint}}", "`code", "[a]: /b", "```toml card", "id = 1",
        '"', "\\", "Is $i<j$ masked?", "1 <= n <= 10<sup>4</sup>", "#include <bits/stdc++.h>", "===",
    ]
)  # fmt: skip
TEXTS = st.lists(st.one_of(LINES, st.text(max_size=12)), max_size=7).map("\n".join)
WORDS = st.text(min_size=1, max_size=12).filter(lambda text: bool(text.strip()))


@settings(max_examples=1000, deadline=None)
@given(TEXTS, TEXTS, TEXTS, st.lists(WORDS, max_size=3))
def test_any_recall_entry_is_written_so_that_it_reads_back(
    heading: str, prompt: str, answer: str, points: list[str]
) -> None:
    entry = Entry(
        "some-id", "recall", heading, prompt, answer, Fields(points=("a point", *points), tags=("t",))
    )
    tidy = written(entry)[0]
    assert back(entry) == tidy
    assert written(tidy)[0] == tidy
    assert render_entry(tidy) == render_entry(entry)


@settings(max_examples=100, deadline=None)
@given(TEXTS, TEXTS, st.lists(TEXTS, min_size=2, max_size=4))
def test_any_choice_is_written_so_that_it_reads_back(prompt: str, answer: str, texts: list[str]) -> None:
    options = tuple(Option(f"{number} {text}", number == 1) for number, text in enumerate(texts))
    entry = Entry("some-id", "choice", "Which?", prompt, answer, options=options)
    tidy = written(entry)[0]
    assert back(entry) == tidy
    assert [option.right for option in tidy.options] == [option.right for option in options]


def test_a_description_cannot_start_a_card() -> None:
    text = render_deck("A\ntitle #", "## no card\n\n```\nopen", [WHOLE[0]])
    deck = parse_deck(text.encode(), name="d", path="d.md")
    assert [card.entry for card in deck.cards] == ["a"]
    assert deck.title == "A title \\#"
    assert deck.problems == ()


def test_cards_of_a_cloze_are_one_entry() -> None:
    deck = parse_deck(b"# T\n\n## A {{c1::b}} {{c2::c}}\n", name="d", path="d.md")
    found = entries(deck.cards)
    assert len(deck.cards) == 2
    assert [entry.id for entry in found] == ["d/a-c1-b-c2-c"]
    assert isinstance(deck.cards[0], Card)
