from __future__ import annotations

import datetime as dt
from pathlib import Path

import pytest

from quizapp.decks.entry import Entry, entries
from quizapp.decks.library import built_in_decks
from quizapp.decks.parse import parse_deck
from quizapp.exchange import anki_text
from quizapp.exchange.model import Bundle, DeckText, ExchangeError, Incoming, ReadOptions


def bundle(*decks: DeckText) -> Bundle:
    now = dt.datetime(2026, 11, 30, 9, tzinfo=dt.UTC)
    return Bundle(decks, {}, now, now.date(), 4, 0.9)


def built_in() -> tuple[DeckText, ...]:
    parsed = [
        parse_deck(path.read_bytes(), name=name, path=str(path)) for name, path in built_in_decks().items()
    ]
    return tuple(DeckText(deck.name, deck.title, deck.description, entries(deck.cards)) for deck in parsed)


def given(tmp_path: Path, text: str | bytes) -> Incoming:
    path = tmp_path / "notes.txt"
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return anki_text.read(path, ReadOptions())


def cards(incoming: Incoming) -> list[tuple[str, str]]:
    return [(entry.heading, entry.answer) for deck in incoming.decks for entry in deck.entries]


def lost(incoming: Incoming) -> list[str]:
    return [loss.what for loss in incoming.lost]


def test_the_built_in_decks_come_back_whole(tmp_path: Path) -> None:
    decks = built_in()
    path = tmp_path / "all.txt"
    written = anki_text.write(bundle(*decks), path)
    assert written.entries == sum(len(deck.entries) for deck in decks)
    back = anki_text.read(path, ReadOptions())
    assert {deck.name: deck for deck in back.decks} == {deck.name: deck for deck in decks}
    assert back.notes == written.entries


def test_one_line_a_note_in_anki_own_types_with_parents_first(tmp_path: Path) -> None:
    code = "```cpp\n#include <bits/stdc++.h>\n```"
    child = DeckText("a/b", "B", "", (Entry("x", "recall", '"Quoted" question', "", code),))
    parent = DeckText("a", "A", "", (Entry("y", "cloze", "{{c1::$x_{1_{2}}$}}"),))
    path = tmp_path / "n.txt"
    anki_text.write(bundle(child, parent), path)
    lines = path.read_text("utf-8").splitlines()
    assert lines[:3] == ["#separator:tab", "#html:true", "#guid column:1"]
    rows = [line.split("\t") for line in lines if not line.startswith("#")]
    assert [(row[1], row[2]) for row in rows] == [("Cloze", "a"), ("Basic", "a::b")]
    assert r"{{c1::\(x_{1_{2} }\)}}" in rows[0][3]
    assert "#include &lt;bits/stdc++.h&gt;" in rows[1][4]
    assert rows[1][3].startswith('"<!--field Front-->""Quoted""')


def test_an_edit_made_in_anki_is_taken_and_the_rest_kept(tmp_path: Path) -> None:
    entry = built_in()[0].entries[0]
    path = tmp_path / "n.txt"
    anki_text.write(bundle(DeckText("d", "D", "", (entry,))), path)
    text = path.read_text("utf-8").replace("<!--field Back-->", "<!--field Back-->A new <b>start</b>. ")
    (deck,) = given(tmp_path, text).decks
    (back,) = deck.entries
    assert back.answer.startswith("A new **start**.")
    assert (back.id, back.heading, back.fields) == (entry.id, entry.heading, entry.fields)


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("a\tb\nc\td\n", [("a", "b"), ("c", "d")]),
        ("\ufeff#separator:Comma,,\r\n#html:false,,\r\na,b\r\nc<d>,e\r\n", [("a", "b"), (r"c\<d>", "e")]),
        ('"#separator:tab",,\n#html:true\n"q ""x""\n<b>y</b>"\ta\n', [('q "x"', "a")]),
        ("#separator:tab\n#html:false\n#include <x>\tinclude a header\n", [(r"#include \<x>", "include a header")]),
        ("#separator:;\na;b\n", [("a", "b")]),
        ("#separator:|\na|b\n", [("a", "b")]),
        ("q1|a1\nq2|a2\n", [("q1", "a1"), ("q2", "a2")]),
        ("a::b\tc\nd\te\n", [("a::b", "c"), ("d", "e")]),
        ("one\ttwo\tthree\n", [("one", "two\n\nthree")]),
        ("#separator:tab\n#columns:Front\tBack\tExtra\na\tb\tc\n", [("a", "b\n\n**Extra:** c")]),
        ("1 &lt;= n\tx<br>y\n", [("1 <= n", "x\\\ny")]),
        ("code\tif a:\n", [("code", "if a:")]),
        ('x\t"y\n', [("x", '"y')]),
    ],
)  # fmt: skip
def test_rows_however_they_are_written(tmp_path: Path, text: str, wanted: list[tuple[str, str]]) -> None:
    assert cards(given(tmp_path, text)) == wanted


def test_header_columns_decks_tags_and_guids(tmp_path: Path) -> None:
    text = (
        "#separator:tab\n#html:true\n#guid column:1\n#notetype column:2\n#deck column:3\n#tags column:6\n#tags:all\n"
        "g+1\tBasic (and reversed card)\tA::B c\tq\ta\tx y leech\n"
        "g2\tCloze\tA\tis {{c1::hid::h}}\tmore\t\n"
    )
    found = given(tmp_path, text)
    assert [deck.name for deck in found.decks] == ["a/b-c", "a"]
    first, second = found.decks[0].entries
    assert (first.id, first.heading, first.answer) == ("anki-g.2b1", "q", "a")
    assert (second.id, second.heading, second.answer) == ("anki-g.2b1-2", "a", "q")
    assert first.fields.tags == ("all", "x", "y")
    (cloze,) = found.decks[1].entries
    assert (cloze.kind, cloze.heading, cloze.answer) == ("cloze", "is {{c1::hid::h}}", "more")


def test_nothing_is_dropped_silently(tmp_path: Path) -> None:
    text = 'q1\ta1\nq1\ta1\nq2\n\tonly an answer\nq3\t"never closed\nq4\ta4\n#note\n'
    found = given(tmp_path, text)
    assert cards(found) == [
        ("q1", "a1"), ("q2", "(no answer)"), ("(no question)", "only an answer"), ("q3", '"never closed'), ("q4", "a4"),
    ]  # fmt: skip
    assert lost(found) == [
        "a card that is in the file twice",
        "the answer of a row, which is empty: the card says so",
        "the question of a row, which is empty: the card asks for it",
        "a quote that is never closed: its line was read as it stands",
        "a line of comment",
    ]


def test_twice_gives_the_same_ids_and_another_answer_another_id(tmp_path: Path) -> None:
    once = given(tmp_path, "q\ta\nq\tb\n")
    ids = [entry.id for entry in once.decks[0].entries]
    assert ids[1] == f"{ids[0]}-2"
    assert given(tmp_path, "q\ta\nq\tb\n") == once
    changed = given(tmp_path, "q\tbetter\n").decks[0].entries[0]
    assert (changed.id, changed.answer) == (ids[0], "better")


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (
            "Frage\tä\n".encode("latin-1"),
            "notes.txt:1: not UTF-8 (byte 0xe4); save it as UTF-8 and import it again",
        ),
        ("a\tb\n".encode("utf-16"), "saved as UTF-16; save it as UTF-8"),
        (b"", "no notes in it"),
        (b"#separator:tab\n", "no notes in it"),
        (b"a\0b", "no text file"),
    ],
)
def test_what_cannot_be_read_is_said_in_one_line(tmp_path: Path, data: bytes, message: str) -> None:
    with pytest.raises(ExchangeError, match=message.replace("(", r"\(").replace(")", r"\)")) as raised:
        given(tmp_path, data)
    assert "\n" not in str(raised.value)


def test_many_unclosed_quotes_take_no_long_time(tmp_path: Path) -> None:
    assert len(cards(given(tmp_path, "".join(f'q{n}\t"a\n' for n in range(401))))) >= 200


def test_absurd_fields_are_left_out_and_said(tmp_path: Path) -> None:
    found = given(tmp_path, f"q\ta\n{'<b>x' * 500_000}\tb\n")
    assert cards(found)[0] == ("q", "a")
    assert lost(found)[0] == "a text of more than 900,000 characters"
