from __future__ import annotations

import csv
import datetime as dt
from pathlib import Path

import pytest

from quizapp.decks.card import Option
from quizapp.decks.entry import Entry, entries
from quizapp.decks.library import built_in_decks
from quizapp.decks.parse import parse_deck
from quizapp.exchange import table
from quizapp.exchange.model import Bundle, DeckText, ExchangeError, Incoming, ReadOptions


def bundle(*decks: DeckText) -> Bundle:
    now = dt.datetime(2026, 11, 30, 9, tzinfo=dt.UTC)
    return Bundle(decks, {}, now, now.date(), 4, 0.9)


def built_in() -> tuple[DeckText, ...]:
    parsed = [
        parse_deck(path.read_bytes(), name=name, path=str(path)) for name, path in built_in_decks().items()
    ]
    return tuple(DeckText(deck.name, deck.title, deck.description, entries(deck.cards)) for deck in parsed)


def given(
    tmp_path: Path, text: str | bytes, name: str = "t.csv", columns: dict[str, str] | None = None
) -> Incoming:
    path = tmp_path / name
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return table.read(path, ReadOptions(columns=columns or {}))


def cards(incoming: Incoming) -> list[tuple[str, str]]:
    return [(entry.heading, entry.answer) for deck in incoming.decks for entry in deck.entries]


@pytest.mark.parametrize("name", ["all.csv", "all.tsv"])
def test_the_built_in_decks_come_back_whole(tmp_path: Path, name: str) -> None:
    decks = built_in()
    table.write(bundle(*decks), tmp_path / name)
    back = table.read(tmp_path / name, ReadOptions())
    assert back.decks == decks
    assert not back.lost
    assert back.notes == sum(len(deck.entries) for deck in decks)


def test_the_columns_are_named_and_hold_what_the_deck_holds(tmp_path: Path) -> None:
    table.write(bundle(*built_in()), tmp_path / "all.csv")
    with (tmp_path / "all.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    first = next(row for row in rows if row["id"] == "by-hand-component")
    assert first["heading"] == "Work out one coordinate of a sinusoidal encoding"
    assert first["tags"] == "warm-up, sinusoidal, by-hand"
    assert first["hints"] == "Which pair does the coordinate belong to?"
    choice = next(row for row in rows if row["kind"] == "choice")
    assert choice["options"].count("[x] ") >= 1


def test_an_edit_made_in_a_spreadsheet_is_taken(tmp_path: Path) -> None:
    options = (Option("right", True), Option("wrong", False))
    old = DeckText(
        "d", "D", "about", (Entry("a", "recall", "Q", "", "A"), Entry("c", "choice", "C", options=options))
    )
    path = tmp_path / "t.csv"
    table.write(bundle(old), path)
    with path.open(encoding="utf-8", newline="") as file:
        rows = list(csv.reader(file))
    head = rows[0]
    rows[1][head.index("answer")] = "=1+1 and **more**"
    rows[1][head.index("tags")] = "x, y z"
    rows[2][head.index("options")] = "[ ] right\n[x] wrong"
    rows.append(["new", "d", "", "A new row", "", "with $x$", "", "", "", "t", "", "", "", ""])
    # As a spreadsheet saves it.
    with path.open("w", encoding="utf-8-sig", newline="") as file:
        csv.writer(file, delimiter=";", quoting=csv.QUOTE_ALL, lineterminator="\r\n").writerows(rows)
    back = table.read(path, ReadOptions())
    first, second, third = back.decks[0].entries
    assert (back.decks[0].title, back.decks[0].description) == ("D", "about")
    assert (first.id, first.answer, first.fields.tags) == ("a", "=1+1 and **more**", ("x", "y z"))
    assert second.options == (Option("right", False), Option("wrong", True))
    assert (third.id, third.kind, third.answer) == ("new", "recall", "with $x$")


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("Question,Answer\nq,a\n", [("q", "a")]),
        ("Back;Front\na;q\n", [("q", "a")]),
        ("term|definition\nq|a\n", [("q", "a")]),
        ("one,two\nthree,four\n", [("one", "two"), ("three", "four")]),
        ("one\ttwo\n", [("one", "two")]),
        ("q,a,b\n", [("q", "a\n\nb")]),
        ("Question,Answer,Year\nq,a,2017\n", [("q", "a\n\n**Year:** 2017")]),
        ("Question,Answer\nq,a,beyond\nq2\n", [("q", "a\n\nbeyond"), ("q2", "(no answer)")]),
        (
            'Question,Answer\n"<b>q</b><div>x</div>","<ul>\n<li>a</li>\n<li>b</li></ul>"\n',
            [("**q**", "- a\n- b")],
        ),
        (
            "Question,Answer\nIs $i<j$ masked?,costs $5 or $6 * 2\n",
            [("Is $i<j$ masked?", r"costs \$5 or \$6 * 2")],
        ),
        ("Question,Answer\n=SUM(A1),-1\n@x,+3\n", [("=SUM(A1)", "-1"), ("@x", "+3")]),
        ('Question,Answer\nq,"a\n  b"\n', [("q", "a\\\n\u00a0\u00a0b")]),
        ("Question,Answer\nq,vector<int> <br> x\n", [("q", "vector\\<int>\\\nx")]),
    ],
)
def test_other_tables(tmp_path: Path, text: str, wanted: list[tuple[str, str]]) -> None:
    assert cards(given(tmp_path, text)) == wanted


def test_other_columns(tmp_path: Path) -> None:
    text = (
        "id,Deck,Question,Choices,Answer,Tags,Hint,Reference\n"
        "7,Maths::Sums,What is 1+1?,1;2;3,B,easy maths,count,a book\n"
        "8,,Is {{c1::it}}?,,yes,,,\n"
    )
    found = given(tmp_path, text)
    assert [(deck.name, deck.title) for deck in found.decks] == [("maths/sums", "Sums"), ("t", "t")]
    entry = found.decks[0].entries[0]
    assert (entry.id, entry.kind, entry.fields.tags) == ("t-7", "choice", ("easy", "maths"))
    assert entry.options == (Option("1", False), Option("2", True), Option("3", False))
    assert (entry.fields.hints, entry.fields.sources, entry.answer) == (("count",), ("a book",), "")
    assert found.decks[1].entries[0].kind == "cloze"


def test_the_user_says_what_the_columns_are(tmp_path: Path) -> None:
    text = "Vorder,Rück,Kram\nq,a,weg\n"
    found = given(tmp_path, text, columns={"vorder": "heading", "Rück": "answer", "Kram": "ignore"})
    assert cards(found) == [("q", "a")]
    assert "column Kram: left out, as you said" in found.mapped
    assert cards(given(tmp_path, "a,q\n", columns={"2": "heading", "1": "answer"})) == [("q", "a")]


def test_excel_may_name_the_separator_and_pictures_beside_the_file_come_along(tmp_path: Path) -> None:
    (tmp_path / "a b.png").write_bytes(b"PNG")
    found = given(tmp_path, 'sep=;\r\nQuestion;Answer\r\nq;"<img src=""a b.png""><img src=gone.png>"\r\n')
    assert cards(found) == [("q", "![](a%20b.png)![](gone.png)")]
    assert [(medium.name, medium.read()) for medium in found.media] == [("a b.png", b"PNG")]
    assert [loss.where for loss in found.lost] == ["gone.png"]


def test_a_tsv_file_keeps_its_commas(tmp_path: Path) -> None:
    assert cards(given(tmp_path, "a, b\tc, d\n", "t.tsv")) == [("a, b", "c, d")]


@pytest.mark.parametrize(
    ("text", "columns", "message"),
    [
        ("", {}, "an empty table"),
        ("Question,Answer\n", {}, "no row below them"),
        ("Tags,Answer\nx,y\n", {}, "no column is the question; name one with --column NAME=heading"),
        ("Question,Answer\nq,a\n", {"Nope": "heading"}, "no column 'Nope'; there are Question, Answer"),
        ("Question,Answer\nq,a\n", {"Answer": "hintz"}, "did you mean hints"),
        (b"Frage,\xe4\n", {}, "t.csv:1: not UTF-8"),
    ],
)
def test_what_cannot_be_read(
    tmp_path: Path, text: str | bytes, columns: dict[str, str], message: str
) -> None:
    with pytest.raises(ExchangeError, match=message) as raised:
        given(tmp_path, text, columns=columns)
    assert "\n" not in str(raised.value)
