from __future__ import annotations

import datetime as dt
from pathlib import Path

import pytest

from quizapp.decks.card import Fields, Option
from quizapp.decks.entry import Entry, entries
from quizapp.decks.library import built_in_decks
from quizapp.decks.parse import parse_deck
from quizapp.exchange import hashcards
from quizapp.exchange.model import Bundle, DeckText, ExchangeError, Incoming, ReadOptions
from quizapp.exchange.registry import format_to_read


def bundle(*decks: DeckText) -> Bundle:
    now = dt.datetime(2026, 11, 30, 9, tzinfo=dt.UTC)
    return Bundle(decks, {}, now, now.date(), 4, 0.9)


def written(tmp_path: Path, *found: Entry) -> str:
    path = tmp_path / "out.md"
    hashcards.write(bundle(DeckText("d", 'A "deck"', "", found)), path)
    return path.read_text("utf-8")


def given(tmp_path: Path, text: str) -> Incoming:
    path = tmp_path / "notes.md"
    path.write_bytes(text.encode())
    return hashcards.read(path, ReadOptions())


def cards(incoming: Incoming) -> list[tuple[str, str, str]]:
    return [(entry.heading, entry.prompt, entry.answer) for deck in incoming.decks for entry in deck.entries]


def lost(incoming: Incoming) -> list[str]:
    return [loss.what for loss in incoming.lost]


def test_a_card_is_a_q_and_an_a(tmp_path: Path) -> None:
    assert written(tmp_path, Entry("a", "recall", "Why?", "a table", "so\n\nthere")) == (
        '---\nname = "A \\"deck\\""\n---\n\nQ: Why?\n\na table\nA: so\n\nthere\n'
    )


def test_lines_that_would_end_a_card_are_guarded_and_come_back(tmp_path: Path) -> None:
    code = "```yaml\n---\nQ: no\n  --- \nA: no\n```"
    entry = Entry("a", "recall", "Q: first?", code, "A: x\nC: y\n\n" + code)
    text = written(tmp_path, entry)
    ends = [line for line in text.split("\n")[3:] if line.strip() == "---" or line[:2] in ("Q:", "A:", "C:")]
    assert ends == ["Q: Q: first?", "A: A: x"]
    ((heading, prompt, answer),) = cards(given(tmp_path, text))
    assert heading == "Q: first?"
    assert prompt == code.replace("  --- ", "  ---")
    assert answer == "A: x\nC: y\n\n" + code.replace("  --- ", "  ---")


def test_a_cloze_has_brackets_and_other_brackets_are_escaped(tmp_path: Path) -> None:
    entry = Entry("a", "cloze", r"{{c1::$x_{[1]}$::h}} a[0] {{c2::b}} ![p](q.png)", answer="below")
    text = written(tmp_path, entry)
    assert r"C: [$x_{\[1\]}$] a\[0\] [b] ![p](q.png)" in text
    back = given(tmp_path, text)
    assert cards(back)[0][0] == "{{c1::$x_{[1]}$}} a[0] {{c2::b}} ![p](q.png)"


def test_every_built_in_card_comes_back_as_its_text_and_what_is_lost_is_said(tmp_path: Path) -> None:
    decks = []
    for name, path in built_in_decks().items():
        deck = parse_deck(path.read_bytes(), name=name, path=str(path))
        kept = [e for e in entries(deck.cards) if e.kind == "recall" and not e.fields.points and e.answer]
        kept += [e for e in entries(deck.cards) if e.kind == "recall" and e.fields.points and e.answer]
        decks.append(DeckText(name, deck.title, "", tuple(kept)))
    path = tmp_path / "all.md"
    report = hashcards.write(bundle(*decks), path)
    back = [entry for deck in hashcards.read(path, ReadOptions()).decks for entry in deck.entries]
    sent = [entry for deck in decks for entry in deck.entries]
    assert len(back) == len(sent) > 50
    for old, new in zip(sent, back, strict=True):
        assert (new.heading, new.prompt) == (old.heading, old.prompt)
        points = "\n".join(f"- {point}" for point in old.fields.points)
        assert new.answer == (f"{old.answer}\n\n**Key points**\n\n{points}" if points else old.answer)
    said = " ".join(loss.what for loss in report.lost)
    for word in ("tags", "hints", "sources", "ids", "name of a deck"):
        assert word in said


def test_other_kinds_are_text_and_said(tmp_path: Path) -> None:
    options = (Option("one", True), Option("two", False))
    found = (
        Entry("c", "choice", "Which?", options=options),
        Entry("n", "number", "How many?", fields=Fields(kind="number", answer=5, unit="m")),
    )
    path = tmp_path / "o.md"
    report = hashcards.write(bundle(DeckText("d", "D", "", found)), path)
    assert "Q: Which?\n\n- one\n- two\nA: one\n" in path.read_text("utf-8")
    assert "A: **5** m\n" in path.read_text("utf-8")
    assert [loss.what for loss in report.lost][:2] == [
        "checking a choice: its options stand in the question",
        "checking a typed answer: you grade yourself",
    ]


def test_hashcards_files(tmp_path: Path) -> None:
    text = (
        '---\nname = "Sub"\n---\nQ: What is $x$?\nmore\nA: y\n\nC: The [cat] sat on \\[the\\] [mat].\n---\nstray\n'
        "Q: open\nQ: What is $x$?\nmore\nA: y\nA: alone\n"
    )
    found = given(tmp_path, text)
    assert found.decks[0].name == "sub"
    assert cards(found) == [
        ("What is $x$?", "more", "y"),
        ("The {{c1::cat}} sat on [the] {{c2::mat}}.", "", ""),
        ("open", "", "(no answer)"),
    ]  # fmt: skip
    assert lost(found) == [
        "text outside of cards",
        "the answer of a card, which is missing: the card says so",
        "a card that is in the file twice",
        "an answer without a question",
    ]


def test_repeater_lines_between_cards(tmp_path: Path) -> None:
    assert cards(given(tmp_path, "Q: q\nA: a\n---\nfront::back\n")) == [("q", "", "a"), ("front", "", "back")]


def test_obsidian_notes(tmp_path: Path) -> None:
    text = (
        "---\ntags: [x]\n---\n# Note\n\n#flashcards/maths/sums\n\none::uno <!--SR:!2026-01-01,4,270-->\n- two:::dos\n\n"
        "Multi\nline\n?\nback\n```py\na = 1\n\nb::c\n```\n\nThe ==sun== is a ==star==^[what] here.\n\n"
        "#flashcards/other x::y\n\n`a::b` and $c::d$\n\n[[Page|shown]]::![[pic one.png]]\n"
    )
    found = given(tmp_path, text)
    assert [deck.name for deck in found.decks] == ["maths/sums", "other"]
    assert cards(found) == [
        ("one", "", "uno"),
        ("two", "", "dos"),
        ("dos", "", "two"),
        ("Multi", "line", "back\n```py\na = 1\n\nb::c\n```"),
        ("The {{c1::sun}} is a {{c2::star::what}} here.", "", ""),
        ("shown", "", "![](pic%20one.png)"),
        ("x", "", "y"),
    ]
    assert lost(found) == [
        "text outside of cards",
        "the due date that Obsidian keeps with a card",
        "a picture or sound that is not beside the file",
    ]


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("# Note\n\n## Part\n\nq\n?\na\n", "hashcards"),
        ("# Deck\n\n## What is std::vector?\n\nA container.\n", "md"),
        ("Q: q\nA: a\n", "hashcards"),
        ("front::back\n", "hashcards"),
    ],
)
def test_which_markdown_is_ours(tmp_path: Path, text: str, name: str) -> None:
    (tmp_path / "x.md").write_text(text, "utf-8")
    assert format_to_read(tmp_path / "x.md").name == name


def test_what_a_deck_would_read_as_its_own_stays_text(tmp_path: Path) -> None:
    ((_, _, answer),) = cards(
        given(tmp_path, "Q: q\nA: # Title\n## Card\n- [x] done\n{{c1::x}} \\(a_1\\)\n```\n## in code\n```\n")
    )
    assert answer == "### Title\n### Card\n- \\[x] done\n{\\{c1::x}} $a_1$\n```\n## in code\n```"


def test_importing_twice_gives_the_same(tmp_path: Path) -> None:
    text = "Q: q\nA: a\n\nC: [x] y\n"
    assert given(tmp_path, text) == given(tmp_path, text)
    old, new = given(tmp_path, text), given(tmp_path, text.replace("A: a", "A: better"))
    assert [e.id for e in old.decks[0].entries] == [e.id for e in new.decks[0].entries]


@pytest.mark.parametrize("text", ["", "Just prose.\n", "---\nname = 3\n---\n"])
def test_a_file_without_cards_is_said(tmp_path: Path, text: str) -> None:
    with pytest.raises(ExchangeError, match="no cards in it"):
        given(tmp_path, text)
