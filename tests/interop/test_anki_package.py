"""Packages through a real Anki: what it takes in, what it gives out again."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

pytest.importorskip("anki.collection", reason="needs the group interop: make interop")

from quizapp.decks.card import Fields, Option
from quizapp.decks.entry import Entry
from quizapp.exchange.anki_notes import anki_notes, guid
from quizapp.exchange.apkg import read, write
from quizapp.exchange.model import Bundle, DeckText, Incoming, ReadOptions
from quizapp.review.types import CardState
from quizapp.review.weights import DEFAULT_WEIGHTS
from tests.interop.anki_world import MODIFIED, World, bundle, card_ids, library

DECKS = library()
TRAPS = (
    Entry(
        "code", "recall", "What does `#include <bits/stdc++.h>` do?",
        "```cpp\n#include <bits/stdc++.h>\nvector<int, int> a;\n```", "1 <= n <= 10<sup>4</sup>",
    ),
    Entry("less", "recall", "Is $i<j$ masked?", "", "$a & b$, $$x < y \\\\ z > 0$$"),
    Entry("quote", "recall", '"Quoted" first', "a\tb\n\n---\n\nc", "yes\n\n---\n\nno"),
    Entry("cloze", "cloze", "Angle {{c1::$\\frac{pos}{10000^{2i/d_{model}}}$}}, {{c2::`std::map`::a type}}", "", "so"),
    Entry("colon", "cloze", "With {{c1::$f::g$::a hint}}", "And {{c2::two}}", ""),
    Entry(
        "literal", "recall", "Not a cloze \\{\\{c1::x}}, not maths \\(x\\), no sound [sound:x.mp3]", "",
        "[latex]x[/latex] costs $5 and $10",
    ),
    Entry("cafe", "recall", "Cafe\u0301 and Å composed", "", "e\u0301", Fields(tags=("two words", "a::b", "Ünï"))),
    Entry(
        "choice", "choice", "Which?", "", "because", Fields(),
        (Option("a < b", True), Option("`x`", False), Option("c", True)),
    ),
    Entry("number", "number", "How many?", "", "", Fields(kind="number", answer=0.125, unit="rad", tolerance=1e-3)),
    Entry("term", "expression", "Write it", "", "", Fields(kind="expression", answer="a<b", symbols={"a": "real"})),
)  # fmt: skip


@pytest.fixture
def world(tmp_path: Path) -> Any:
    made = World(tmp_path / "anki")
    yield made
    made.col.close()


def written(made: Bundle, path: Path) -> Path:
    write(made, path)
    return path


def same_notes(world: World, made: Bundle, *, schedule: bool) -> None:
    """Every note, field, tag, deck and card of a bundle is in the collection, and nothing else."""
    notes = list(anki_notes(made, []))
    types = {row[0]: row[1] for row in world.rows("SELECT id, name FROM notetypes")}
    found = {row[0]: row[1:] for row in world.rows("SELECT guid, id, mid, mod, tags, flds FROM notes")}
    assert set(found) == {note.guid for note in notes}
    for note in notes:
        key, kind, mod, tags, fields = found[note.guid]
        assert (types[kind], mod) == (note.notetype.name, note.modified)
        assert tuple(fields.split("\x1f")) == note.fields
        kept = {tag for tag in tags.split() if tag not in ("marked", "leech")}
        assert kept == set(note.tags)
        cards = world.rows("SELECT ord, did FROM cards WHERE nid = ? ORDER BY ord", key)
        assert [place for place, _ in cards] == [place for place, _ in note.cards]
        assert {world.col.decks.name(deck) for _, deck in cards} == {note.deck}
        if schedule:
            marked = any(made.states.get(card, CardState(card)).marked for _, card in note.cards)
            assert ("marked" in tags.split()) == marked


@pytest.mark.parametrize("schedule", [False, True], ids=["new", "schedule"])
@pytest.mark.parametrize("deck", DECKS, ids=lambda deck: deck.name)
def test_every_deck_arrives_whole(world: World, tmp_path: Path, deck: DeckText, schedule: bool) -> None:
    made = bundle((deck,), schedule=schedule)
    package = written(made, tmp_path / "a.apkg")
    assert world.take(package, schedule=schedule) == {"new": len(deck.entries)}
    same_notes(world, made, schedule=schedule)
    assert world.take(package, schedule=schedule) == {"duplicate": len(deck.entries)}
    assert world.is_sound()


def test_every_card_shows_a_question_and_an_answer(world: World, tmp_path: Path) -> None:
    world.take(written(bundle(DECKS, schedule=False), tmp_path / "a.apkg"), schedule=False)
    for key in world.col.find_cards(""):
        card = world.col.get_card(key)
        for html in (card.question(), card.answer()):
            words = re.sub(r"<style>.*?</style>|<[^>]*>", " ", html, flags=re.DOTALL)
            assert len(words.split()) > 2
            assert "{{" not in words
            assert "quizapp" not in words
    assert not world.col.get_empty_cards().notes


def test_the_schedule_and_the_whole_log_arrive(world: World, tmp_path: Path) -> None:
    made = bundle(DECKS, schedule=True)
    assert len(made.reviews) > 300
    world.take(written(made, tmp_path / "a.apkg"), schedule=True)
    guids = {guid(entry.id): entry for deck in DECKS for entry in deck.entries}
    names = {
        key: f"{guids[note].id}:{place + 1}" if guids[note].kind == "cloze" else guids[note].id
        for key, note, place in world.rows(
            "SELECT c.id, n.guid, c.ord FROM cards c JOIN notes n ON n.id = c.nid"
        )
    }
    for key, name in names.items():
        state = made.states.get(name, CardState(name))
        card = world.col.get_card(key)
        assert (card.queue == -1) == state.suspended
        if state.due is None or state.memory is None:
            assert card.type == 0
            continue
        assert card.type == 2
        assert world.date(card.due) == state.due
        assert (card.ivl, card.reps, card.lapses) == (state.interval, state.reviews, state.lapses)
        assert card.memory_state.stability == pytest.approx(state.memory.stability, abs=6e-5, rel=1e-6)
        assert card.memory_state.difficulty == pytest.approx(state.memory.difficulty, abs=6e-4)
        again = world.col.compute_memory_state(key)
        assert again.stability == pytest.approx(state.memory.stability, rel=2e-3)
        assert again.difficulty == pytest.approx(state.memory.difficulty, abs=5e-3)
    log = world.rows("SELECT id, cid, ease, ivl, time, factor FROM revlog ORDER BY id")
    expected = [
        (
            round(review.at.timestamp() * 1000), review.card, int(review.grade), review.interval,
            round(review.seconds * 1000), round(((review.difficulty or 1) - 1) / 9 * 1000 + 100),
        )
        for review in made.reviews
    ]  # fmt: skip
    assert [(at, names[card], *rest) for at, card, *rest in log] == expected
    assert world.is_sound()


def test_weights_and_the_recall_aimed_at_come_as_deck_options(world: World, tmp_path: Path) -> None:
    weights = tuple(round(weight * 1.01, 4) for weight in DEFAULT_WEIGHTS)
    made = replace(bundle(DECKS[:1], schedule=True), retention=0.87, weights=weights)
    world.take(written(made, tmp_path / "a.apkg"), schedule=True)
    options = world.col.decks.config_dict_for_deck_id(world.col.decks.id_for_name(DECKS[0].name))
    assert options["name"] == "quizapp"
    assert options["desiredRetention"] == pytest.approx(0.87)
    assert options["fsrsParams6"] == pytest.approx(weights, rel=1e-6)


def test_an_edited_card_updates_one_note_and_nothing_else(world: World, tmp_path: Path) -> None:
    first = bundle(DECKS, schedule=True)
    world.take(written(first, tmp_path / "a.apkg"), schedule=True)
    other = DECKS[1].entries[0]
    own = world.note(guid(other.id))
    own["Back"] = "what the user wrote in Anki"
    world.col.update_note(own)
    cards = world.rows("SELECT * FROM cards ORDER BY id")
    log = world.rows("SELECT * FROM revlog ORDER BY id")

    entry = DECKS[0].entries[0]
    edited = replace(entry, heading=f"{entry.heading} Really?", answer="New.")
    decks = (replace(DECKS[0], entries=(edited, *DECKS[0].entries[1:])), *DECKS[1:])
    again = bundle(decks, schedule=True, modified={entry.id: MODIFIED + 1})
    total = sum(len(deck.entries) for deck in DECKS)
    assert world.take(written(again, tmp_path / "b.apkg"), schedule=True) == {
        "updated": 1,
        "duplicate": total - 1,
    }
    assert world.note(guid(entry.id))["Back"] == "New."
    assert world.note(guid(entry.id))["Front"].endswith("Really?")
    assert world.note(guid(other.id))["Back"] == "what the user wrote in Anki"
    assert world.rows("SELECT count(*) FROM notes") == [(total,)]
    assert world.rows("SELECT * FROM cards ORDER BY id") == cards
    assert world.rows("SELECT * FROM revlog ORDER BY id") == log
    assert world.is_sound()


@pytest.mark.parametrize("legacy", [True, False], ids=["legacy", "modern"])
def test_what_anki_exports_comes_back_equal(world: World, tmp_path: Path, legacy: bool) -> None:
    decks = (*DECKS, DeckText("traps/deep/er", "Traps & <co>", "A *description*.", TRAPS))
    made = bundle(decks, schedule=True)
    world.take(written(made, tmp_path / "a.apkg"), schedule=True)
    back = read(world.give(tmp_path / "b.apkg", legacy=legacy, schedule=True), ReadOptions())
    same_decks(back, made)
    assert not back.lost
    for card in (card for deck in decks for entry in deck.entries for card in card_ids(entry)):
        old, new = made.states.get(card, CardState(card)), back.states.get(card, CardState(card))
        if old.memory is not None:
            assert new.memory is not None
            assert new.memory.stability == pytest.approx(old.memory.stability, abs=6e-5, rel=1e-6)
            assert new.memory.difficulty == pytest.approx(old.memory.difficulty, abs=6e-4)
            assert new.memory.day == old.memory.day
        assert replace(new, memory=old.memory) == old
    assert [(r.card, r.grade, r.at, r.seconds, r.interval) for r in back.reviews] == [
        (r.card, r.grade, r.at, r.seconds, r.interval) for r in made.reviews
    ]


@pytest.mark.parametrize("legacy", [True, False], ids=["legacy", "modern"])
def test_without_a_schedule_only_the_cards_come_back(world: World, tmp_path: Path, legacy: bool) -> None:
    made = bundle((*DECKS, DeckText("traps", "Traps", "", TRAPS)), schedule=True)
    world.take(written(made, tmp_path / "a.apkg"), schedule=True)
    back = read(world.give(tmp_path / "b.apkg", legacy=legacy, schedule=False), ReadOptions())
    same_decks(back, made)
    assert not back.reviews
    assert not [state for state in back.states.values() if state.memory or state.due]


def same_decks(back: Incoming, made: Bundle) -> None:
    assert {deck.name: deck for deck in back.decks} == {deck.name: deck for deck in made.decks}


def test_an_edit_in_anki_is_taken_and_the_rest_stays(world: World, tmp_path: Path) -> None:
    made = bundle((DeckText("traps", "Traps", "", TRAPS),), schedule=False)
    world.take(written(made, tmp_path / "a.apkg"), schedule=False)
    note = world.note(guid("code"))
    note["Back"] = "Includes <b>all</b> of it:<br>\\(i &lt; j\\)"
    note.tags = ["new"]
    world.col.update_note(note)
    back = read(world.give(tmp_path / "b.apkg", legacy=False, schedule=False), ReadOptions())
    entries = {entry.id: entry for deck in back.decks for entry in deck.entries}
    code = TRAPS[0]
    assert entries["code"] == replace(
        code, answer="Includes **all** of it:\\\n$i < j$", fields=Fields(tags=("new",))
    )
    assert [entries[entry.id] for entry in TRAPS[1:]] == list(TRAPS[1:])
