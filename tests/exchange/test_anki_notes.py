"""Entries as Anki notes: what a reader sees there, and what becomes of an edit."""

from __future__ import annotations

import datetime as dt
import re
import unicodedata
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from quizapp.decks.card import Fields, Kind, Option
from quizapp.decks.entry import Entry
from quizapp.derivations.reading import load_library
from quizapp.exchange.anki_edits import OwnNote, from_anki
from quizapp.exchange.anki_notes import AnkiNote, anki_notes, foreign_id, guid, to_anki
from quizapp.exchange.anki_notetypes import CSS, NOTE_TYPES
from quizapp.exchange.anki_source import is_plain, read_source
from quizapp.exchange.from_html import to_markdown
from quizapp.exchange.model import Bundle, Loss
from quizapp.exchange.to_html import to_html

RECALL = Entry(
    "r", "recall", "Is $i<j$ masked?", "`vector<int>`", "Yes & no",
    Fields(tags=("a b", "core"), points=("one", "*two*"), hints=("h",), sources=("s",)),
)  # fmt: skip
CHOICE = Entry(
    "c", "choice", "Which?", "", "Because",
    Fields(), (Option("right one", True), Option("wrong", False), Option("bad", False)),
)  # fmt: skip
CLOZE = Entry("k", "cloze", "A {{c1::$\\frac{a}{b^{2}}$}} b", "and {{c2::two::hint}}", "x")
NUMBER = Entry("n", "number", "How many?", "", "", Fields(kind="number", answer=2.5, unit="rad"))


def fields(note: AnkiNote) -> dict[str, str]:
    return dict(zip(note.notetype.fields, note.fields, strict=True))


def made(entry: Entry) -> AnkiNote:
    return to_anki(entry, "ml/deck", "My deck", 5)


def back(
    entry: Entry,
    edits: dict[str, str] | None = None,
    deck: str | None = None,
    tags: tuple[str, ...] | None = None,
) -> OwnNote:
    note = made(entry)
    found = from_anki(fields(note) | (edits or {}), deck or note.deck, note.tags if tags is None else tags)
    assert found is not None
    return found


def test_what_a_reader_sees() -> None:
    seen = fields(made(RECALL))
    assert seen["Front"] == r"Is \(i&lt;j\) masked?"
    assert seen["Details"] == "<code>vector&lt;int&gt;</code>"
    assert seen["Back"] == "Yes &amp; no"
    assert seen["Key points"] == "<ul><li>one</li><li><i>two</i></li></ul>"
    assert seen["Hints"] == "<ol><li>h</li></ol>"
    assert made(RECALL).tags == ("a_b", "core")
    assert made(RECALL).deck == "ml::deck"
    assert fields(made(NUMBER))["Answer"] == "2.5"
    assert fields(made(CLOZE))["Text"] == r"A {{c1::\(\frac{a}{b^{2} }\)}} b"
    assert made(CLOZE).cards == ((0, "k:1"), (1, "k:2"))
    choice = fields(made(CHOICE))
    assert sorted(re.findall("<li>(.*?)</li>", choice["Options"])) == ["bad", "right one", "wrong"]
    assert "<li>✓ right one</li>" in choice["Answer"]
    assert choice["Answer"].count("✗") == 2


def test_a_derivation_shows_its_claim_and_numbered_steps(bundle: Bundle) -> None:
    derivations = load_library([Path(__file__).parents[2] / "derivations"])
    notes = {note.guid: note for note in anki_notes(replace(bundle, derivations=derivations), [])}
    entries = [entry for deck in bundle.decks for entry in deck.entries if entry.kind == "derivation"]
    assert len(entries) > 10
    for entry in entries:
        shown = fields(notes[guid(entry.id)])
        steps = derivations[entry.fields.derivation or ""].steps
        assert shown["Steps"].count("<li>") == len(steps)
        assert shown["Steps"].count(r"\[") == len(steps)
        assert r"\[" in shown["Claim"]


def test_a_derivation_that_is_not_there_is_said(bundle: Bundle) -> None:
    lost: list[Loss] = []
    entry = Entry("d", "derivation", "Derive it", "", "x", Fields(derivation="nowhere"))
    (note,) = anki_notes(replace(bundle, decks=(replace(bundle.decks[0], entries=(entry,)),)), lost)
    assert fields(note)["Back"] == "x"
    assert [("nowhere" in loss.what, loss.where) for loss in lost] == [(True, "d")]


def test_a_generated_card_shows_the_same_example_at_every_export(bundle: Bundle) -> None:
    entry = next(entry for deck in bundle.decks for entry in deck.entries if entry.kind == "generated")
    seen = [
        next(fields(note) for note in anki_notes(bundle, []) if note.guid == guid(entry.id)) for _ in range(2)
    ]
    assert seen[0] == seen[1]
    assert len(seen[0]["Example"]) > 20
    assert "<ol>" in seen[0]["Solution"]


def test_the_machine_field_is_nothing_that_anki_would_act_on(bundle: Bundle) -> None:
    trap = "{{c1::x}} <img src=a.png> & [sound:x.mp3] [latex]y[/latex] [$]z[/$]"
    note = made(Entry("t", "recall", "Q*", trap, trap))
    for source in (note.fields[-1], *(note.fields[-1] for note in anki_notes(bundle, []))):
        assert not re.search(r"[<>&]|\{\{|\[sound:|\[latex\]|\[\$", source)
        assert read_source(source) is not None


def test_decomposed_letters_survive_anki_which_composes_them() -> None:
    entry = Entry("t", "recall", "Cafe\u0301", "", "e\u0301 *x* Å")
    note = made(entry)
    composed = {name: unicodedata.normalize("NFC", text) for name, text in fields(note).items()}
    found = from_anki(composed, note.deck, note.tags)
    assert found is not None
    assert found.entry == entry


@pytest.mark.parametrize("entry", [RECALL, CHOICE, CLOZE, NUMBER], ids=lambda entry: entry.kind)
def test_an_untouched_note_is_the_entry(entry: Entry) -> None:
    assert back(entry) == OwnNote(entry, "ml/deck", "My deck")


EDITS: dict[str, tuple[Entry, dict[str, str], Entry]] = {
    "front": (RECALL, {"Front": "<b>New</b> &lt;x&gt;"}, replace(RECALL, heading="**New** \\<x>")),
    "front of several lines": (RECALL, {"Front": "a<br>b<div>c</div>"}, replace(RECALL, heading="a\\ b\\ c")),
    "details": (RECALL, {"Details": ""}, replace(RECALL, prompt="")),
    "back": (RECALL, {"Back": "1<br>2"}, replace(RECALL, answer="1\\\n2")),
    "points": (
        RECALL, {"Key points": "<ul><li>one<li>three</ul>"},
        replace(RECALL, fields=replace(RECALL.fields, points=("one", "three"))),
    ),
    "points as lines": (
        RECALL, {"Key points": "one<br>two<div>three</div>"},
        replace(RECALL, fields=replace(RECALL.fields, points=("one", "two", "three"))),
    ),
    "no hints": (RECALL, {"Hints": "<br>"}, replace(RECALL, fields=replace(RECALL.fields, hints=()))),
    "spare": (RECALL, {"Extra 1": "a <i>note</i>"}, replace(RECALL, answer="Yes & no\n\na *note*")),
    "added field": (RECALL, {"Mine": "more"}, replace(RECALL, answer="Yes & no\n\nmore")),
    "number": (NUMBER, {"Answer": " 3.25&nbsp;"}, replace(NUMBER, fields=replace(NUMBER.fields, answer=3.25))),
    "number in words": (NUMBER, {"Answer": "2pi"}, replace(NUMBER, fields=replace(NUMBER.fields, answer="2pi"))),
    "unit": (NUMBER, {"Unit": ""}, replace(NUMBER, fields=replace(NUMBER.fields, unit=None))),
    "cloze": (CLOZE, {"Text": "B {{c1::\\(x\\)}}"}, replace(CLOZE, heading="B {{c1::$x$}}")),
}  # fmt: skip


@pytest.mark.parametrize("name", EDITS)
def test_an_edit_is_taken_and_all_else_stays(name: str) -> None:
    entry, edits, expected = EDITS[name]
    found = back(entry, edits)
    assert found.entry == expected
    assert not found.lost


def test_options_are_edited_on_either_side() -> None:
    seen = fields(made(CHOICE))
    one = back(CHOICE, {"Options": seen["Options"].replace("wrong", "worse")}).entry
    assert one == replace(CHOICE, options=(CHOICE.options[0], Option("worse", False), CHOICE.options[2]))
    two = back(CHOICE, {"Answer": seen["Answer"].replace("✗ bad", "✓ <b>good</b>")}).entry
    assert two == replace(CHOICE, options=(*CHOICE.options[:2], Option("**good**", True)))
    more = back(CHOICE, {"Answer": "<ul><li>✗ a</li><li>✓ b</li></ul>"}).entry
    assert more.options == (Option("a", False), Option("b", True))


@pytest.mark.parametrize(
    ("entry", "edits", "said"),
    [
        (CHOICE, {"Options": "<ol><li>one</li></ol>"}, "add or remove them in the field Answer"),
        (CHOICE, {"Answer": "<ul><li>✗ a</li></ul>"}, "one is right"),
        (NUMBER, {"Answer": "<br>"}, "leaves the answer empty"),
        (RECALL, {"Front": " "}, "leaves the question empty"),
        (Entry("d", "derivation", "D?", "", "", Fields(derivation="x")), {"Steps": "mine"}, "made anew"),
    ],
)
def test_an_edit_that_cannot_be_taken_is_said(entry: Entry, edits: dict[str, str], said: str) -> None:
    found = back(entry, edits)
    assert [said in loss.what for loss in found.lost] == [True]
    assert found.entry == (replace(entry, heading=entry.id) if "Front" in edits else entry)


def test_a_cloze_that_hides_nothing_any_more_is_a_question() -> None:
    found = back(CLOZE, {"Text": "A b", "Details": "c"})
    assert found.entry == replace(CLOZE, kind="recall", heading="A b", prompt="c")
    assert len(found.lost) == 1


def test_tags_and_decks_are_those_in_anki() -> None:
    assert back(RECALL, tags=("core", "A_B")).entry == RECALL
    assert back(RECALL, tags=("Core", "leech", "marked", "new::tag")).entry.fields.tags == (
        "core",
        "new::tag",
    )
    moved = back(RECALL, deck="Phone::My Deck")
    assert (moved.deck, moved.title) == ("phone/my-deck", "My Deck")
    assert back(RECALL, deck="Other::deck").title == "My deck"


@pytest.mark.parametrize(
    "text", ["", "x", '{"quizapp":1}', '{"quizapp":1,"id":5}', '{"quizapp":99,"id":"a"}']
)
def test_another_note_is_not_ours(text: str) -> None:
    assert from_anki({"Front": "a", "Source": text}, "d", ()) is None


def test_ids_of_other_notes_are_safe_and_distinct() -> None:
    assert foreign_id("AbC_9") == "anki-AbC_9"
    assert foreign_id("AbC_9", 1) == "anki-AbC_9-2"
    found = [foreign_id(text) for text in ("a-2", "a.2d2", "a b", "a:b", "ä", "a")]
    assert len(set(found)) == len(found)
    assert all(re.fullmatch(r"anki-[A-Za-z0-9_.]+", text) for text in found)


TEXT = st.text(st.characters(codec="utf-8", exclude_categories=("Cs", "Cc", "Zl", "Zp")), max_size=40)


@given(TEXT)
@settings(max_examples=300)
def test_a_plain_text_is_the_same_in_both_languages(text: str) -> None:
    if is_plain(text):
        assert to_html(text) == text
        assert to_html(text, inline=True) == text
        assert to_markdown(text) == text


@given(TEXT.filter(str.strip), TEXT, st.lists(TEXT.filter(str.strip), max_size=3))
@settings(max_examples=200)
def test_any_entry_comes_back(heading: str, answer: str, points: list[str]) -> None:
    entry = Entry("x", "recall", heading, answer, answer, Fields(points=tuple(points), tags=("t",)))
    assert back(entry).entry == entry


def test_note_types_are_frozen() -> None:
    """Changing a field or an id would part the notes that people have from those they are sent."""
    tail = ("Key points", "Hints", "Sources", "Extra 1", "Extra 2", "Source")
    expected: dict[Kind, tuple[int, tuple[str, ...]]] = {
        "recall": (1760000000011, ("Front", "Details", "Back")),
        "cloze": (1760000000021, ("Text", "Details", "Back")),
        "choice": (1760000000031, ("Front", "Details", "Options", "Answer", "Back")),
        "number": (1760000000041, ("Front", "Details", "Answer", "Unit", "Back")),
        "expression": (1760000000051, ("Front", "Details", "Answer", "Back")),
        "derivation": (1760000000061, ("Front", "Details", "Claim", "Steps", "Back")),
        "generated": (1760000000071, ("Front", "Details", "Example", "Solution", "Back")),
    }
    assert {kind: (known.id, known.fields) for kind, known in NOTE_TYPES.items()} == {
        kind: (key, own + tail) for kind, (key, own) in expected.items()
    }
    assert guid("sinusoid-formula") == "lz/PNHN+dGGP"


def test_templates_name_only_fields_there_are() -> None:
    for known in NOTE_TYPES.values():
        for template in (known.template.front, known.template.back):
            names = re.findall(r"\{\{[#^/]?(?:type:|cloze:)?([^{}]+)\}\}", template)
            assert set(names) <= set(known.fields)
            for name in set(re.findall(r"\{\{#([^{}]+)\}\}", template)):
                assert template.count(f"{{{{#{name}}}}}") == template.count(f"{{{{/{name}}}}}")
    assert ".nightMode" in CSS
    assert CSS.count("{") == CSS.count("}")


def test_the_seconds_of_a_bundle_are_the_notes(bundle: Bundle) -> None:
    first = bundle.decks[0].entries[0].id
    later = replace(bundle, modified={first: 77}, now=bundle.now + dt.timedelta(days=1))
    assert [note.modified for note in anki_notes(later, [])][:2] == [77, 0]
