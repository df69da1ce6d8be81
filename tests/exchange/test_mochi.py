from __future__ import annotations

import contextlib
import datetime as dt
import json
import zipfile
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from quizapp.decks.card import Fields
from quizapp.decks.entry import Entry, entries
from quizapp.decks.library import built_in_decks
from quizapp.decks.parse import parse_deck
from quizapp.exchange import mochi
from quizapp.exchange.edn import EdnError, EdnSet, Keyword, read_edn, write_edn
from quizapp.exchange.media import Picture
from quizapp.exchange.model import Bundle, DeckText, ExchangeError, Incoming, Media, ReadOptions
from quizapp.exchange.transit import TransitError, read_transit


def bundle(*decks: DeckText, media: tuple[Media, ...] = ()) -> Bundle:
    now = dt.datetime(2026, 11, 30, 9, tzinfo=dt.UTC)
    return Bundle(decks, {}, now, now.date(), 4, 0.9, media=media)


def built_in() -> tuple[DeckText, ...]:
    parsed = [
        parse_deck(path.read_bytes(), name=name, path=str(path)) for name, path in built_in_decks().items()
    ]
    return tuple(DeckText(deck.name, deck.title, deck.description, entries(deck.cards)) for deck in parsed)


def packed(tmp_path: Path, data: str, name: str = "data.edn", **files: bytes) -> Path:
    path = tmp_path / "x.mochi"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr(name, data)
        for member, content in files.items():
            archive.writestr(member.replace("_", "."), content)
    return path


def cards(incoming: Incoming) -> list[tuple[str, str, str]]:
    return [(entry.heading, entry.prompt, entry.answer) for deck in incoming.decks for entry in deck.entries]


def content(path: Path) -> list[dict[Any, Any]]:
    with zipfile.ZipFile(path) as archive:
        data = read_edn(archive.read("data.edn").decode())
    return [card for deck in data["decks"] for card in deck["cards"]]


def test_the_built_in_decks_come_back_whole(tmp_path: Path) -> None:
    decks = built_in()
    path = tmp_path / "all.mochi"
    mochi.write(bundle(*decks), path)
    back = mochi.read(path, ReadOptions())
    assert back.decks == decks
    assert not back.lost
    again = tmp_path / "again.mochi"
    mochi.write(bundle(*decks), again)
    assert again.read_bytes() == path.read_bytes()


def test_what_mochi_shows(tmp_path: Path) -> None:
    found = (
        Entry("a", "recall", "Is $i<j$ masked?", "```\n---\n```", "$$\nx\n$$\n\n---\n\nmore"),
        Entry(
            "b",
            "cloze",
            r"{{c2::$\frac{a}{b_{c}}$::h}} and {{c1::b}}",
            answer="below",
            fields=Fields(tags=("t u",)),
        ),
    )
    path = tmp_path / "x.mochi"
    mochi.write(bundle(DeckText("up/down", "Down", "", found)), path)
    first, second = content(path)
    assert first["content"] == "Is $$i<j$$ masked?\n\n```\n---\u200b\n```\n---\n$$\nx\n$$\n\n***\n\nmore"
    assert second["content"] == "{{2::$$\\frac{a}{b_{c} }$$}} and {{1::b}}\n---\nbelow"
    assert second["tags"] == ["t-u"]
    with zipfile.ZipFile(path) as archive:
        up, down = read_edn(archive.read("data.edn").decode())["decks"]
    assert (up["name"], down["name"], down["parent-id"]) == ("Up", "Down", up["id"])
    assert all(len(deck["id"]) >= 8 and deck["id"].isalnum() for deck in (up, down))


def test_an_edit_made_in_mochi_is_taken(tmp_path: Path) -> None:
    fields = Fields(points=("p",), hints=("h",), tags=("t",))
    path = tmp_path / "x.mochi"
    mochi.write(bundle(DeckText("d", "D", "", (Entry("a", "recall", "Q", "", "A", fields),))), path)
    with zipfile.ZipFile(path) as archive:
        data = archive.read("data.edn").decode()
    edited = data.replace("Q\n---\nA", "Q $$x$$?\n---\nA better one").replace('#{"t"}', '#{"t" "new"}')
    (back,) = mochi.read(packed(tmp_path, edited), ReadOptions()).decks[0].entries
    assert (back.id, back.heading, back.answer) == ("a", "Q $x$?", "A better one")
    assert (back.fields.points, back.fields.hints, back.fields.tags) == (("p",), ("h",), ("t", "new"))


EDN = r"""
; an export
{:version 2
 :templates [{:id :tmpl0001 :name "T" :content "<<Word>>\n---\n<<Meaning>>"
              :fields {:name {:id :name :name "Word"} :f1 {:id :f1 :name "Meaning"}}}]
 :decks [{:id :parent01 :name "Maths"}
         {:id :child001 :name "Sums" :parent-id :parent01 :cards
          ({:id :card0001 :content "What is $$x$$?\n---\n$$\ny\n$$\n\n# T" :tags #{"a"} :reviews [{:due 1}]}
           {:id :card0002 :content "The {{sun}} and {{2::moon}} and $$\\frac{{a}}{b}$$"}
           {:id :card0003 :template-id :tmpl0001 :fields {:name {:value "w"} :f1 {:value "m"}}}
           {:id :card0004 :content "![p](@media/pic.png)\n---\n![q](@media/gone.png)"})}]}
"""


def check_foreign(found: Incoming) -> None:
    assert [(deck.name, deck.title) for deck in found.decks] == [("maths/sums", "Sums")]
    assert cards(found)[:3] == [
        ("What is $x$?", "", "$$\ny\n$$\n\n### T"),
        (r"The {{c1::sun}} and {{c2::moon}} and $\frac{{a}}{b}$", "", ""),
        ("w", "", "m"),
    ]
    assert found.decks[0].entries[0].id == "mochi-card0001"
    assert found.decks[0].entries[0].fields.tags == ("a",)
    assert [(medium.name, medium.read()) for medium in found.media] == [("pic.png", b"PNG")]
    assert [loss.what for loss in found.lost] == [
        "the reviews of a card, which Mochi counts its own way",
        "a picture that is not in the file",
    ]


def test_mochi_own_files(tmp_path: Path) -> None:
    check_foreign(mochi.read(packed(tmp_path, EDN, pic_png=b"PNG"), ReadOptions()))


def test_transit_is_read_in_both_forms(tmp_path: Path) -> None:
    def plain(value: Any) -> Any:
        if isinstance(value, Keyword):
            return f"~:{value}"
        if isinstance(value, dict):
            return {f"~:{key}": plain(item) for key, item in value.items()}
        if isinstance(value, list):
            return {"~#list": [plain(item) for item in value]}
        return value

    parsed = read_edn(EDN)
    text = json.dumps(plain(parsed))
    check_foreign(mochi.read(packed(tmp_path, text, "data.json", pic_png=b"PNG"), ReadOptions()))
    short = ["^ ", "~:version", 2, "~:decks", [["^ ", "~:name", "D", "~:cards", [["^ ", "~:content", "q\n---\na"],
             ["^ ", "^4", "~~q2\n---\na2"]]]]]  # fmt: skip
    found = mochi.read(packed(tmp_path, json.dumps(short), "data.json"), ReadOptions())
    assert cards(found) == [("q", "", "a"), ("~q2", "", "a2")]


def test_pictures_go_along_and_come_back(tmp_path: Path) -> None:
    entry = Entry("a", "recall", "Q", "", "![x](img/a%20b.png)")
    path = tmp_path / "x.mochi"
    mochi.write(bundle(DeckText("d", "D", "", (entry,)), media=(Picture("img/a%20b.png", b"PNG"),)), path)
    assert "@media/" in content(path)[0]["content"]
    back = mochi.read(path, ReadOptions())
    assert back.decks[0].entries == (entry,)
    assert [(medium.name, medium.read()) for medium in back.media] == [("img/a%20b.png", b"PNG")]


def test_hostile_files_get_one_line(tmp_path: Path) -> None:
    bomb = packed(tmp_path, "[" + " " * 300_000_000 + "]")
    cases = [(bomb, "absurdly large")]
    for number, (data, message) in enumerate(
        [("{:decks", "line 1: a { is not closed"), ("[1 2]", "names no decks"), ("[" * 5000, "too deep"),
         ("#_" * 5000 + "1", "nested too deep"), ('{:decks "', "in quotes is not closed"),
         ("{:decks []}", "no cards in it")]
    ):  # fmt: skip
        folder = tmp_path / str(number)
        folder.mkdir()
        cases.append((packed(folder, data), message))
    (tmp_path / "no.mochi").write_bytes(b"PK nonsense")
    cases.append((tmp_path / "no.mochi", "not a zip file"))
    for path, message in cases:
        with pytest.raises(ExchangeError, match=message) as raised:
            mochi.read(path, ReadOptions())
        assert "\n" not in str(raised.value)


@pytest.mark.parametrize(
    ("name", "data"),
    [
        (
            "data.edn",
            r'{:decks [{:name "d \ud83d\ude00 \ud800" :cards [{:content "q \ud83d\ude00 \udc00"}]}]}',
        ),
        (
            "data.json",
            r'{"~:decks":[{"~:name":"d \ud83d\ude00 \ud800","~:cards":[{"~:content":"q \ud83d\ude00 \udc00"}]}]}',
        ),
    ],
)
def test_half_characters_are_replaced(tmp_path: Path, name: str, data: str) -> None:
    """Escapes can spell halves of surrogate pairs, which no file can be written with."""
    found = mochi.read(packed(tmp_path, data, name), ReadOptions())
    assert found.decks[0].title == "d \U0001f600 \ufffd"
    assert found.decks[0].entries[0].heading == "q \U0001f600 \ufffd"


def test_rare_packings_are_refused(tmp_path: Path) -> None:
    """Python unpacks them in one piece, however large."""
    path = tmp_path / "x.mochi"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_BZIP2) as file:
        file.writestr("data.edn", '{:decks [{:name "a" :cards [{:content "q"}]}]}')
    with pytest.raises(ExchangeError, match="rare method"):
        mochi.read(path, ReadOptions())


def test_unsafe_names_are_left_and_said(tmp_path: Path) -> None:
    path = tmp_path / "x.mochi"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr(
            "data.edn", '{:decks [{:name "d" :cards [{:content "q ![](@media/../../e.png)\n---\na"}]}]}'
        )
        archive.writestr("../../e.png", b"x")
        archive.writestr("run.exe", b"x")
    found = mochi.read(path, ReadOptions())
    assert not found.media
    assert [loss.count for loss in found.lost] == [2, 1]


KEYWORDS = st.from_regex(r"[a-z][a-z0-9-]*", fullmatch=True).map(Keyword)
PLAIN = st.none() | st.booleans() | st.integers(-(10**20), 10**20) | st.text() | KEYWORDS
VALUES = st.recursive(
    PLAIN,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(KEYWORDS, inner, max_size=4),
    max_leaves=20,
)


@settings(deadline=None)
@given(VALUES)
def test_edn_is_read_as_it_was_written(value: Any) -> None:
    assert read_edn(write_edn(value)) == value


@settings(deadline=None)
@given(st.text(alphabet='{}[]()#_"\\:a1 ;\n,+-.N', max_size=40))
def test_any_text_is_edn_or_an_error(text: str) -> None:
    with contextlib.suppress(EdnError):
        read_edn(text)


def test_edn_words() -> None:
    assert read_edn(r'[\a \newline \u0041 1N -2.5M 1e3 nil true #inst "2020" #{:a/b} sym #_ (drop) "\u0041\n"]') == [
        "a", "\n", "A", 1, -2.5, 1000.0, None, True, "2020", ["a/b"], "sym", "A\n",
    ]  # fmt: skip
    assert write_edn(EdnSet(["x"])) == '#{"x"}'


def test_transit_marks_that_stand_for_nothing() -> None:
    for value in ("^0", ["^ ", "^z", 1], "^~~"):
        with pytest.raises(TransitError):
            read_transit(value)
