"""Anki packages as files: what we write comes back whole, and every generation is read."""

from __future__ import annotations

import datetime as dt
import json
import random
import sqlite3
import zipfile
from pathlib import Path

import pytest
from msgspec.structs import replace

from quizapp.decks.card import Claim, Fields, Option
from quizapp.decks.entry import Entry
from quizapp.exchange.apkg import read, write
from quizapp.exchange.media import Picture
from quizapp.exchange.model import Bundle, DeckText, PastReview, ReadOptions
from quizapp.review.types import CardState, Grade, Memory
from tests.exchange.anki_files import card, collection, note, package

ZONE = dt.timezone(dt.timedelta(hours=5, minutes=30))
NOW = dt.datetime(2026, 11, 30, 9, tzinfo=ZONE)
DAY = NOW.date()


def packed(tmp_path: Path, made: Bundle) -> Path:
    path = tmp_path / "out.apkg"
    write(made, path)
    return path


def small(*entries: Entry, **values: object) -> Bundle:
    plain = Bundle((DeckText("ml/deck", "My deck", "About *it*.", entries),), {}, NOW, DAY, 4, 0.9)
    return replace(plain, **values)


def rows(path: Path, query: str) -> list[tuple[object, ...]]:
    with zipfile.ZipFile(path) as file:
        file.extract("collection.anki2", path.parent)
    database = sqlite3.connect(path.parent / "collection.anki2")
    try:
        return database.execute(query).fetchall()
    finally:
        database.close()


def test_every_deck_comes_back_as_it_left(tmp_path: Path, bundle: Bundle) -> None:
    path = packed(tmp_path, bundle)
    back = read(path, ReadOptions())
    assert {deck.name: deck for deck in back.decks} == {
        deck.name: replace(deck, text=b"") for deck in bundle.decks
    }
    assert back.notes == sum(len(deck.entries) for deck in bundle.decks)
    assert not back.lost
    assert not back.states
    assert rows(path, "PRAGMA integrity_check") == [("ok",)]


def test_every_field_of_an_entry_comes_back(tmp_path: Path) -> None:
    entries = (
        Entry("n", "number", "How far?", "a\tb", "", Fields(kind="number", answer=0, unit="m/s", tolerance=0.5)),
        Entry("f", "number", "How $f$?", "", "x", Fields(kind="number", answer=1.0)),
        Entry("e", "expression", "<b>?</b>", "", "", Fields(answer="a<b & c", symbols={"a": "real"})),
        Entry(
            "all", "recall", "Q {{braces}} & more", "p\n\n***\n\nq", "a",
            Fields(
                tags=("a b", "x::y"), points=("one *two*",), hints=("h",), sources=("s <t>",), demo="d",
                follow_ups=("n",), derivation="none", checks=(Claim("1 = 1", 0.1, {"a": "real"}), Claim("2 = 2")),
            ),
        ),
        Entry("c/1", "choice", "Which", "", "", Fields(), (Option("[x] a", False), Option("b", True))),
        Entry("k", "cloze", "{{c3::a::b}} and {{c1::c}}", "{{c3::d}}", "e"),
        Entry("u", "recall", "Cafe\u0301 Å 😀", "", "ｅ", Fields(tags=("ünï",))),
    )  # fmt: skip
    back = read(packed(tmp_path, small(*entries)), ReadOptions())
    assert back.decks == (DeckText("ml/deck", "My deck", "About *it*.", entries),)


def test_ids_depend_on_the_card_and_times_on_its_content(tmp_path: Path) -> None:
    one, two = Entry("a", "recall", "A", "", "a"), Entry("b", "recall", "B", "", "b")
    first = packed(tmp_path, small(one, two, modified={"a": 1000, "b": 2000}))
    before = rows(first, "SELECT guid, mid, mod FROM notes ORDER BY id")
    decks = json.loads(str(rows(first, "SELECT decks FROM col")[0][0]))
    later = small(
        replace(one, heading="New"), two, modified={"a": 3000, "b": 2000}, now=NOW + dt.timedelta(days=9)
    )
    second = packed(tmp_path, later)
    after = rows(second, "SELECT guid, mid, mod FROM notes ORDER BY id")
    assert [row[:2] for row in before] == [row[:2] for row in after]
    assert [row[2] for row in before] == [1000, 2000]
    assert [row[2] for row in after] == [3000, 2000]
    assert before[0][0] != before[1][0]
    again = json.loads(str(rows(second, "SELECT decks FROM col")[0][0]))
    assert set(decks) == set(again)
    assert {deck["name"] for deck in decks.values()} == {"Default", "ml", "ml::deck"}
    models = [json.loads(str(rows(path, "SELECT models FROM col")[0][0])) for path in (first, second)]
    assert models[0] == models[1]


def scheduled(count: int = 60) -> Bundle:
    source = random.Random(3)
    entries = tuple(Entry(f"e{number}", "recall", f"Q{number}", "", "a") for number in range(count))
    states: dict[str, CardState] = {}
    reviews: list[PastReview] = []
    for number, entry in enumerate(entries):
        name = entry.id
        if number % 5 == 0:
            states[name] = CardState(name, suspended=number % 10 == 0, marked=number % 15 == 0)
            continue
        last = DAY - dt.timedelta(days=source.randint(1, 300))
        interval = source.randint(1, 400)
        memory = Memory(round(source.uniform(0.1, 900), 4), round(source.uniform(1, 10), 3), last)
        states[name] = CardState(
            name, memory, last + dt.timedelta(days=interval), interval, 1, source.randint(0, 9),
            suspended=number % 7 == 0, marked=number % 4 == 0, leech=number % 11 == 0,
            buried_on=DAY if number % 13 == 0 and number % 7 else None,
        )  # fmt: skip
        at = dt.datetime.combine(last, dt.time(23, 59, 59, number * 1000), ZONE)
        reviews.append(PastReview(name, Grade(number % 4 + 1), at, 1.25, interval, difficulty=5.5))
    reviews.sort(key=lambda review: review.at)
    return small(*entries, with_schedule=True, states=states, reviews=tuple(reviews))


def test_a_schedule_comes_back(tmp_path: Path) -> None:
    made = scheduled()
    back = read(packed(tmp_path, made), ReadOptions())
    assert back.states == {name: state for name, state in made.states.items() if state != CardState(name)}
    assert [replace(review, difficulty=5.5) for review in back.reviews] == list(made.reviews)
    assert all(abs((review.difficulty or 0) - 5.5) < 0.01 for review in back.reviews)
    assert not back.lost


def test_without_a_schedule_every_card_is_new(tmp_path: Path) -> None:
    path = packed(tmp_path, replace(scheduled(), with_schedule=False))
    assert rows(path, "SELECT DISTINCT type, queue, reps, ivl, data FROM cards") == [(0, 0, 0, 0, "")]
    assert rows(path, "SELECT count(*) FROM revlog") == [(0,)]
    assert rows(path, "SELECT count(*) FROM notes WHERE tags LIKE '%marked%'") == [(0,)]


def test_two_answers_in_one_millisecond_stay_two(tmp_path: Path) -> None:
    entries = (Entry("a", "recall", "A"), Entry("b", "recall", "B"))
    twice = tuple(PastReview(name, Grade.GOOD, NOW, 1.0, 3) for name in ("a", "b"))
    states = {n: CardState(n, Memory(3.0, 5.0, DAY), DAY + dt.timedelta(days=3), 3, 1) for n in "ab"}
    made = small(*entries, with_schedule=True, reviews=twice, states=states)
    back = read(packed(tmp_path, made), ReadOptions())
    assert sorted(review.card for review in back.reviews) == ["a", "b"]


def test_pictures_go_along_under_one_name_each(tmp_path: Path) -> None:
    entry = Entry(
        "a", "recall", "See", "![a map](img/my%20map.png)", "and ![it](b.png) ![web](https://x.y/z.png)"
    )
    media = (Picture("img/my%20map.png", b"one"), Picture("b.png", b"two"))
    path = packed(tmp_path, small(entry, media=media))
    with zipfile.ZipFile(path) as file:
        assert sorted(json.loads(file.read("media")).values()) == ["b.png", "img-my map.png"]
    fields = str(rows(path, "SELECT flds FROM notes")[0][0])
    assert 'src="img-my map.png"' in fields
    assert 'src="https://x.y/z.png"' in fields
    back = read(path, ReadOptions())
    assert back.decks[0].entries == (entry,)
    assert {medium.name: medium.read() for medium in back.media} == {
        "img/my map.png": b"one",
        "b.png": b"two",
    }


@pytest.mark.parametrize("modern", [False, True], ids=["schema11", "schema18"])
@pytest.mark.parametrize("generation", [1, 2, 3])
def test_every_generation_is_read_and_never_the_stub(tmp_path: Path, generation: int, modern: bool) -> None:
    data = collection(
        [note(1, ["Why <b>so</b>?", "<img src='a é.png'>"], tags=" x::y marked ")],
        [card(1, 1)],
        modern=modern,
    )
    media = {"unused.mp3": b"m", "a é.png": b"picture"}
    back = read(package(tmp_path / "a.colpkg", data, generation, media), ReadOptions())
    (deck,) = back.decks
    assert (deck.name, deck.title, deck.description) == ("some/deck", "Deck", "**About** it")
    (entry,) = deck.entries
    assert (entry.id, entry.heading, entry.kind) == ("anki-guid1", "Why **so**?", "recall")
    assert entry.fields.tags == ("x::y",)
    assert [(medium.name, medium.read()) for medium in back.media] == [("a é.png", b"picture")]
    assert [(loss.what, loss.count) for loss in back.lost] == [("media files that no card shows", 1)]
    assert back.states == {"anki-guid1": CardState("anki-guid1", marked=True)}
    assert back.mapped == ("Basic: 1 recall",)


def test_decks_whose_names_give_one_file_name_stay_two(tmp_path: Path) -> None:
    data = collection([note(1, ["a", "b"]), note(2, ["c", "d"])], [card(1, 1, deck=7), card(2, 2, deck=8)],
                      decks={7: "C", 8: "C++"})  # fmt: skip
    back = read(package(tmp_path / "a.apkg", data, 1), ReadOptions())
    assert [(deck.name, deck.title) for deck in back.decks] == [("c", "C"), ("c-2", "C++")]


def test_progress_is_told_and_can_stop(tmp_path: Path) -> None:
    path = packed(tmp_path, small(*(Entry(f"e{n}", "recall", "Q") for n in range(1200))))
    seen: list[tuple[int, int]] = []
    read(path, ReadOptions(progress=lambda done, total: seen.append((done, total))))
    assert seen == [(0, 1200), (500, 1200), (1000, 1200), (1200, 1200)]
