"""Reading decks: kinds, ids, the split of prompt and answer, and text kept as written."""

from __future__ import annotations

import pytest

from quizapp.decks.card import Card, Deck
from quizapp.decks.parse import parse_deck


def read(text: str | bytes) -> Deck:
    data = text.encode() if isinstance(text, str) else text
    return parse_deck(data, name="d", path="d.md")


def only(text: str) -> Card:
    deck = read("# T\n\n" + text)
    assert [str(problem) for problem in deck.problems] == []
    (card,) = deck.cards
    return card


def test_a_card_is_a_heading_and_what_stands_below_it() -> None:
    deck = read("# Title\n\nAbout.\n\n## First?\n\nOne.\n\n### Part\n\nMore.\n\n## Second?\n\nTwo.\n")
    assert (deck.title, deck.description) == ("Title", "About.")
    assert [(card.id, card.heading, card.line) for card in deck.cards] == [
        ("d/first", "First?", 5),
        ("d/second", "Second?", 13),
    ]
    assert deck.cards[0].answer == "One.\n\n### Part\n\nMore."


def test_a_rule_splits_prompt_from_answer_once() -> None:
    card = only("## Q\n\nsome code\n\n---\n\nA\n\n---\n\nstill A\n")
    assert (card.prompt, card.answer) == ("some code", "A\n\n---\n\nstill A")


@pytest.mark.parametrize("text", ["    ---", "> ---", "- a\n\n  ---", "```\n---\n```", "***"])
def test_only_a_top_level_rule_splits(text: str) -> None:
    card = only(f"## Q\n\nA\n\n{text}\n\nB\n")
    assert card.prompt == ""
    assert card.answer.startswith("A")
    assert card.answer.endswith("B")


@pytest.mark.parametrize("text", ["> ## not a card", "```\n## not a card\n```", "- a\n\n  ## not a card"])
def test_only_a_top_level_heading_starts_a_card(text: str) -> None:
    deck = read(f"# T\n\n## Q\n\nA\n\n{text}\n")
    assert len(deck.cards) == 1


def test_an_underlined_line_is_no_heading() -> None:
    card = only("## Q\n\nThe prompt\n---\nThe answer\n")
    assert (card.prompt, card.answer) == ("The prompt", "The answer")


def test_a_task_list_makes_a_choice() -> None:
    card = only(
        "## Q\n\nBefore.\n\n- [x] right $i<j$\n- [ ] wrong\n  and more\n- [X] right too\n\nBecause.\n"
    )
    assert card.kind == "choice"
    assert [(option.text, option.right) for option in card.options] == [
        ("right $i<j$", True),
        ("wrong\nand more", False),
        ("right too", True),
    ]
    assert (card.prompt, card.answer) == ("Before.", "Because.")


def test_a_plain_list_behind_the_answers_is_the_explanation() -> None:
    card = only("## Q\n\n- [x] a\n- [ ] b\n\n- *b*: tempts\n")
    assert [option.text for option in card.options] == ["a", "b"]
    assert card.answer == "- *b*: tempts"


def test_a_cloze_makes_a_card_a_number() -> None:
    deck = read(
        '# T\n\n## The {{c1::sine}} and {{c2::cosine::the other}}\n\n```toml card\nid = "x"\n```\n\n'
        "again {{c1::s}}\n\n---\n\nExtra.\n"
    )
    assert [(card.id, card.entry, card.cloze, card.kind) for card in deck.cards] == [
        ("x:1", "x", 1, "cloze"),
        ("x:2", "x", 2, "cloze"),
    ]


def test_number_and_expression_say_their_answer() -> None:
    number = only(
        '## Q\n\n```toml card\nkind = "number"\nanswer = 0.84\nunit = "rad"\ntolerance = 5e-3\n```\n'
    )
    assert (number.fields.answer, number.fields.unit, number.fields.tolerance) == (0.84, "rad", 5e-3)
    expression = only(
        '## Q\n\n```toml card\nkind = "expression"\nanswer = "a+b"\nsymbols = { a = "real" }\n```\n'
    )
    assert (expression.kind, expression.fields.symbols) == ("expression", {"a": "real"})


@pytest.mark.parametrize(
    "text",
    [
        "it costs $5 and $10",
        "Is $i<j$ masked?",
        r"`\\server\share`",
        "A & B",
        "位置 θ̂ 🧠",
        "[@click]x[/]",
        "a\tb",
    ],
)
def test_text_stays_as_written(text: str) -> None:
    card = only(f"## {text.replace(chr(9), ' ')}\n\n{text}\n")
    assert card.answer == text
    assert card.heading == text.replace("\t", " ")


def test_windows_line_ends_and_a_byte_order_mark_are_read() -> None:
    deck = read(b"\xef\xbb\xbf# T\r\n\r\n## Q\r\n\r\nA\r\nB\r\n")
    assert deck.problems == ()
    assert deck.cards[0].answer == "A\nB"


MISTAKES = [
    ("## Q\n\nA\n", 1, "no title"),
    ("# T\n\n## Q\n\nA\n\n# T2\n\n## R\n\nA\n", 7, "second title"),
    ("x\n\n# T\n\n## Q\n\nA\n", 1, "text before the title"),
    ("# T\n\n##\n\nA\n", 3, "heading without words"),
    ("# T\n\n## Q\n", 3, "empty card"),
    ("# T\n\n## Q\n\nA\n\n## Q\n\nB\n", 7, "line 3 already"),
    (
        '# T\n\n## Q\n\n```toml card\nid = "a"\n```\nA\n\n## R\n\n```toml card\nid = "a"\n```\nB\n',
        13,
        "line 3 already",
    ),
    ("# T\n\n## Q\n\n```py\nA\n\n## R\n\nB\n", 5, "fence is not closed"),
    ('# T\n\n## Q\n\n```py\nA\n\n## R\n\n```toml card\nid = "r"\n```\n\nB\n', 5, "fence is not closed"),
    ("# T\n\n## Q\n\n<!-- A\n\n## R\n\nB\n", 5, "comment is not closed"),
    ('# T\n\n## Q\n\n```toml card\ntags = "x"\n```\nA\n', 6, "tags must be a list"),
    ('# T\n\n## Q\n\n```toml card\nid = "q"\npoints = ["a", 3]\n```\nA\n', 7, "each entry must be text"),
    ("# T\n\n## Q\n\n```toml card\n\ntgas = []\n```\nA\n", 7, "did you mean tags?"),
    ('# T\n\n## Q\n\n```toml card\nkind = "nubmer"\n```\nA\n', 6, "did you mean number?"),
    (
        '# T\n\n## Q\n\n```toml card\nchecks = [\n  { claim = "1 = 1" },\n  { clam = "1" },\n]\n```\nA\n',
        8,
        "clam",
    ),
    ('# T\n\n## Q\n\n```toml card\nid = "q\n```\nA\n', 6, "not closed"),
    ("# T\n\n## Q\n\nA\n\n```toml card\n```\n", 7, "right under its heading"),
    ("# T\n\n## Q\n\n- [ ] a\n- [ ] b\n", 5, "without a right answer"),
    ("# T\n\n## Q\n\n- [x] a\n- b\n- [ ] c\n", 6, "without [ ] or [x]"),
    ("# T\n\n## Q\n\n- [x] a\n- [ ] a\n", 5, "the same"),
    ("# T\n\n## Q\n\n- [x] a\n- [ ] b\n\nand\n\n- [x] c\n", 10, "second task list"),
    ('# T\n\n## Q\n\n```toml card\nkind = "number"\n```\nA\n', 3, "without a value"),
    ('# T\n\n## Q\n\n```toml card\nkind = "number"\nanswer = "abc3"\n```\nA\n', 3, "is no number"),
    ('# T\n\n## Q\n\n```toml card\nkind = "derivation"\n```\nA\n', 3, "names its derivation"),
    ("# T\n\n## Q {{c1::a\n\nA\n", 3, "not closed"),
    ("# T\n\n## Q\n\n{{c1::a {{c2::b}} }}\n\n---\n\nA\n", 5, "cloze inside a cloze"),
    ("# T\n\n## Q\n\nA \x1b[31mred\n", 5, "control character"),
    ("# T\n\n## Q\n\n" + "x" * 1_000_000 + "\n", 3, "the most is 100,000"),
]


@pytest.mark.parametrize(("text", "line", "words"), MISTAKES)
def test_a_mistake_is_one_line_with_its_place_and_the_other_cards_drill(
    text: str, line: int, words: str
) -> None:
    deck = read(text + "\n## Good card\n\nYes.\n")
    errors = [problem for problem in deck.problems if problem.level == "error"]
    assert [(problem.line, words in problem.message) for problem in errors] == [(line, True)]
    assert "\n" not in str(errors[0])
    assert deck.cards[-1].heading == "Good card"
    assert deck.cards[-1].answer == "Yes."


def test_bytes_that_are_not_utf8_break_their_own_card_only() -> None:
    deck = read(b"# T\n\n## Q\n\nA \xff\n\n## R\n\nB\n")
    assert [(problem.line, "0xff" in problem.message) for problem in deck.problems] == [(5, True)]
    assert [card.heading for card in deck.cards] == ["R"]


def test_escape_sequences_never_reach_a_card() -> None:
    deck = read(b"# T\n\n## Q \x1b[31m\xc2\x9b0m\n\nA\x1b]0;title\x07B\x00C\xe2\x80\xaeD\n")
    assert (deck.cards[0].heading, deck.cards[0].answer) == ("Q", "ABCD")


def test_every_mistake_of_one_block_is_said() -> None:
    deck = read('# T\n\n## Q\n\n```toml card\ntags = 3\nfoo = 1\nhints = "x"\n```\nA\n')
    assert sorted(problem.line for problem in deck.problems) == [6, 7, 8]
