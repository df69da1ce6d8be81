"""Other people's Anki notes: which entries they become, and their schedules."""

from __future__ import annotations

import datetime as dt
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from quizapp.decks.entry import Entry
from quizapp.exchange.apkg import read
from quizapp.exchange.model import Incoming, PastReview, ReadOptions
from quizapp.review.types import CardState, Grade, Memory
from tests.exchange.anki_files import BASIC, CREATED, card, collection, note, package

FIRST_DAY = dt.datetime.fromtimestamp(CREATED, dt.UTC).date()
REVERSED = {
    "name": "Both ways", "fields": ["Front", "Back", "Secret"],
    "templates": [("{{Front}}", "{{FrontSide}}<hr id=answer>{{Back}}"), ("{{#Back}}{{Back}}{{/Back}}", "{{Front}}")],
}  # fmt: skip
CLOZE = {
    "name": "Cloze", "cloze": True, "fields": ["Text", "Extra"],
    "templates": [("{{cloze:Text}}", "{{cloze:Text}}<br>{{Extra}}")],
}  # fmt: skip


def taken(
    tmp_path: Path,
    fields: list[str],
    cards: list[tuple[Any, ...]] | None = None,
    kind: Mapping[str, Any] = BASIC,
    **values: Any,
) -> Incoming:
    """One note read: of ``kind``, with one card unless told otherwise."""
    data = collection(
        [note(1, fields, tags=values.get("tags", ""), guid="g")], [card(1, 1)] if cards is None else cards,
        types={1: kind}, log=values.get("log", ()),
    )  # fmt: skip
    return read(package(tmp_path / "a.apkg", data, 1), ReadOptions())


def entries(found: Incoming) -> list[Entry]:
    return [entry for deck in found.decks for entry in deck.entries]


@pytest.mark.parametrize(
    ("front", "heading", "prompt"),
    [
        ("Plain words", "Plain words", ""),
        ("First<br>second<br>third", "First", "second\\\nthird"),
        ("<h2>Title</h2><p>text</p>", "Title", "text"),
        ("<div>Is \\(i &lt; j\\)?</div><pre>a &lt; b</pre>", "Is $i < j$?", "```\na < b\n```"),
        ("<img src='map.png'>", "Deck", "![](map.png)"),
        ("<ul><li>a</li><li>b</li></ul>", "Deck", "- a\n- b"),
        ("\\[x^2\\]", "Deck", "$$x^2$$"),
    ],
)
def test_the_first_line_of_a_front_is_the_heading(
    tmp_path: Path, front: str, heading: str, prompt: str
) -> None:
    (entry,) = entries(taken(tmp_path, [front, "b"]))
    assert (entry.heading, entry.prompt.replace("$$\n", "$$").replace("\n$$", "$$"), entry.answer) == (
        heading,
        prompt,
        "b",
    )


def test_one_entry_for_each_card(tmp_path: Path) -> None:
    found = taken(
        tmp_path, ["a", "b", "s"], [card(1, 1, 0), card(2, 1, 1, deck=1)], REVERSED, tags=" x y::z "
    )
    assert {deck.name: [(e.id, e.heading, e.answer) for e in deck.entries] for deck in found.decks} == {
        "some/deck": [("anki-g", "a", "b")], "default": [("anki-g-2", "b", "a")],
    }  # fmt: skip
    assert all(entry.fields.tags == ("x", "y::z") for entry in entries(found))
    assert [(loss.what, loss.count) for loss in found.lost] == [
        ("the field Secret of Both ways, which no card shows", 1)
    ]
    assert found.mapped == ("Both ways: 2 recall",)


def test_a_template_without_a_card_makes_no_entry(tmp_path: Path) -> None:
    assert [entry.id for entry in entries(taken(tmp_path, ["a", "b", ""], [card(5, 1, 1)], REVERSED))] == [
        "anki-g-2"
    ]
    # A note without any card row: those templates that show something.
    assert [entry.id for entry in entries(taken(tmp_path, ["a", "", ""], [], REVERSED))] == ["anki-g"]


def test_a_card_whose_template_is_gone_is_said(tmp_path: Path) -> None:
    found = taken(tmp_path, ["a", "b"], [card(1, 1, 0), card(2, 1, 5)])
    assert len(entries(found)) == 1
    assert [loss.what for loss in found.lost] == ["a card whose template was deleted"]


def test_a_note_type_that_is_missing_still_gives_a_question(tmp_path: Path) -> None:
    data = collection([note(1, ["a", "b", "c"], kind=404)], [card(1, 1)])
    found = read(package(tmp_path / "a.apkg", data, 1), ReadOptions())
    assert [(e.heading, e.answer) for e in entries(found)] == [("a", "b\\\nc")]
    assert len(found.lost) == 1


def test_hints_typing_and_speech(tmp_path: Path) -> None:
    kind = {"name": "K", "fields": ["A", "B", "C"], "templates": [
        ("{{A}} {{hint:C}} {{type:B}} {{tts en_US:A}}", "{{FrontSide}}<hr id=answer>{{type:B}}")]}  # fmt: skip
    found = taken(tmp_path, ["Q", "yes", "a <b>tip</b>"], kind=kind)
    (entry,) = entries(found)
    assert (entry.heading, entry.answer, entry.fields.hints) == ("Q", "yes", ("a **tip**",))
    assert {loss.what for loss in found.lost} == {
        "typing the answer: you grade yourself instead", "text read aloud",
    }  # fmt: skip


def test_a_back_that_repeats_the_front_is_cut(tmp_path: Path) -> None:
    kind = {"name": "K", "fields": ["A", "B"], "templates": [("<i>{{A}}</i>", "<i>{{A}}</i><br>{{B}}")]}
    assert [(e.heading, e.answer) for e in entries(taken(tmp_path, ["Q", "yes"], kind=kind))] == [
        ("*Q*", "yes")
    ]


def test_a_cloze_stays_one_with_its_cards(tmp_path: Path) -> None:
    state = {"type": 2, "queue": 2, "due": 3, "ivl": 4, "reps": 1}
    cards = [card(1, 1, 0), card(2, 1, 1, **state), card(3, 1, 7)]
    text = "{{c1::\\(\\frac{a}{b^{2} }\\)}} and {{c2::two::a hint}}"
    found = taken(tmp_path, [text, "more"], cards, CLOZE)
    (entry,) = entries(found)
    assert (entry.kind, entry.heading, entry.answer) == (
        "cloze", "{{c1::$\\frac{a}{b^{2}}$}} and {{c2::two::a hint}}", "more",
    )  # fmt: skip
    assert set(found.states) == {"anki-g:2"}
    assert [loss.what for loss in found.lost] == ["a card of a cloze that is no longer in its note"]


def test_a_cloze_over_several_lines_goes_below_the_heading(tmp_path: Path) -> None:
    (entry,) = entries(taken(tmp_path, ["See {{c1::one<br>two}} here", ""], kind=CLOZE))
    assert (entry.kind, entry.heading) == ("cloze", "Deck")
    assert entry.prompt == "See {{c1::one\\\ntwo}} here"


def test_a_cloze_note_without_deletions_is_a_question(tmp_path: Path) -> None:
    found = taken(tmp_path, ["nothing hidden", "x"], kind=CLOZE)
    assert [(entry.kind, entry.id) for entry in entries(found)] == [("recall", "anki-g")]


def test_image_occlusion_keeps_its_picture(tmp_path: Path) -> None:
    kind = {"name": "Image Occlusion", "cloze": True, "fields": ["Occlusion", "Image", "Header"], "templates": [
        ("<div style='display:none'>{{cloze:Occlusion}}</div>{{Header}}<br>{{Image}}", "{{Image}}")]}  # fmt: skip
    masks = "{{c1::image-occlusion:rect:left=.1:top=.2}}<br>{{c2::image-occlusion:rect:left=.3}}"
    found = taken(tmp_path, [masks, "<img src=heart.png>", "The heart"], kind=kind)
    (entry,) = entries(found)
    assert (entry.kind, entry.heading) == ("recall", "The heart")
    assert "![](heart.png)" in entry.prompt
    assert any("masks" in loss.what for loss in found.lost)


def test_a_card_that_is_too_long_is_said(tmp_path: Path) -> None:
    found = taken(tmp_path, ["Q", "word " * 30_000])
    assert not entries(found)
    assert [loss.what for loss in found.lost] == ["a card of more than 90,000 characters"]


def data(**values: Any) -> str:
    return json.dumps(values)


LRT = CREATED + 5 * 86400 + 100
STATES: dict[str, tuple[dict[str, Any], CardState | None]] = {
    "new": ({"due": 7, "data": data(dr=0.9, decay=0.154, lrt=LRT)}, None),
    "new, suspended": ({"queue": -1}, CardState("anki-g", suspended=True)),
    "review": (
        {"type": 2, "queue": 2, "due": 40, "ivl": 35, "reps": 3, "lapses": 1, "data": data(s=34.5, d=6.25, lrt=LRT)},
        CardState(
            "anki-g", Memory(34.5, 6.25, FIRST_DAY + dt.timedelta(days=5)), FIRST_DAY + dt.timedelta(days=40), 35, 3, 1
        ),
    ),
    "suspended": (
        {"type": 2, "queue": -1, "due": 40, "ivl": 35, "reps": 3},
        CardState("anki-g", None, FIRST_DAY + dt.timedelta(days=40), 35, 3, suspended=True),
    ),
    "without the moment": (
        {"type": 2, "queue": 2, "due": 40, "ivl": 35, "reps": 3, "data": data(s=1.5, d=2)},
        CardState(
            "anki-g", Memory(1.5, 2.0, FIRST_DAY + dt.timedelta(days=5)), FIRST_DAY + dt.timedelta(days=40), 35, 3
        ),
    ),
    "learning": (
        {"type": 1, "queue": 1, "due": CREATED + 2 * 86400 - 60, "reps": 1, "left": 1001},
        CardState("anki-g", None, FIRST_DAY + dt.timedelta(days=1), 0, 1),
    ),
    "learning over days": (
        {"type": 3, "queue": 3, "due": 9, "ivl": 1, "reps": 4, "lapses": 2},
        CardState("anki-g", None, FIRST_DAY + dt.timedelta(days=9), 1, 4, 2),
    ),
    "in a filtered deck": (
        {"type": 2, "queue": 2, "due": -100_000, "ivl": 5, "reps": 2, "odue": 12, "odid": 7},
        CardState("anki-g", None, FIRST_DAY + dt.timedelta(days=12), 5, 2),
    ),
    "buried": (
        {"type": 2, "queue": -2, "due": 40, "ivl": 5, "reps": 2, "mod": CREATED + 3 * 86400 + 5},
        CardState(
            "anki-g", None, FIRST_DAY + dt.timedelta(days=40), 5, 2, buried_on=FIRST_DAY + dt.timedelta(days=3)
        ),
    ),
    "impossible memory": (
        {"type": 2, "queue": 2, "due": 1, "ivl": 5, "reps": 2, "data": data(s=-4, d=99)},
        CardState("anki-g", None, FIRST_DAY + dt.timedelta(days=1), 5, 2),
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", STATES)
def test_what_a_card_of_anki_says(tmp_path: Path, name: str) -> None:
    values, expected = STATES[name]
    deck = 1 if "odid" in values else 7
    found = taken(tmp_path, ["a", "b"], [card(1, 1, deck=deck, **values)])
    assert found.states == ({} if expected is None else {"anki-g": expected})
    assert [deck.name for deck in found.decks] == ["some/deck"]


def test_the_log_holds_answers_alone(tmp_path: Path) -> None:
    at = (CREATED + 1000) * 1000
    log = [
        (at, 1, 0, 3, 4, -600, 550, 12_500, 0),
        (at + 1, 1, 0, 1, -600, 4, 100, 1000, 2),
        (at + 2, 1, 0, 0, 9, 4, 0, 0, 4),
        (at + 3, 1, 0, 3, 9, 4, 0, 0, 3),
        (at + 4, 99, 0, 3, 9, 4, 0, 0, 1),
        (at + 5, 2, 0, 2, 9, 4, 0, 0, 0),
    ]
    cards = [card(1, 1, type=2, queue=2, due=1, ivl=1, reps=2), card(2, 1, 1)]
    found = taken(tmp_path, ["a", "b", ""], cards, REVERSED, log=log)
    moment = dt.datetime.fromtimestamp(CREATED + 1000, dt.UTC)
    assert found.reviews == (
        PastReview("anki-g", Grade.GOOD, moment, 12.5, 4, difficulty=5.05),
        PastReview("anki-g", Grade.AGAIN, moment + dt.timedelta(milliseconds=1), 1.0, 0, difficulty=1.0),
    )
    assert [loss.count for loss in found.lost] == [1, 1, 1, 1]


def test_the_clock_of_a_collection_without_an_offset(tmp_path: Path) -> None:
    """It was made at four in the morning where its owner lived: here at UTC+5:30."""
    created = CREATED - 5 * 3600 - 1800
    extra = f"UPDATE col SET crt = {created}, conf = '{{}}'"
    made = collection(
        [note(1, ["a", "b"], guid="g")], [card(1, 1, type=2, queue=2, due=2, ivl=1, reps=1)],
        log=[(created * 1000, 1, 0, 3, 1, 0, 0, 0, 0)], extra=extra,
    )  # fmt: skip
    found = read(package(tmp_path / "a.apkg", made, 1), ReadOptions())
    assert found.states["anki-g"].due == FIRST_DAY + dt.timedelta(days=2)
    assert found.reviews[0].at.utcoffset() == dt.timedelta(hours=5, minutes=30)
    assert found.reviews[0].at.hour == 4


@pytest.mark.parametrize(
    "fields",
    [
        ["Plain words", "and an answer"],
        ["  Spaces  ", " on both sides "],
        ["Yes", "Yes\\and more"],
        ["Yes", "Yes, indeed"],
        ["No answer", ""],
        ["", "no question"],
        ["# looks like a heading", "1. looks like a list"],
        ["<b>bold</b>", "a &lt; b"],
        ["one field"],
    ],
)
def test_the_short_way_for_plain_notes_ends_where_the_long_one_does(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, fields: list[str]
) -> None:
    short = taken(tmp_path, fields, tags=" a marked b ")
    monkeypatch.setattr("quizapp.exchange.anki_foreign._bare_fields", lambda *_: None)
    long = taken(tmp_path, fields, tags=" a marked b ")
    assert entries(short) == entries(long)
    assert (short.states, short.lost, short.mapped) == (long.states, long.lost, long.mapped)
