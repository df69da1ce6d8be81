"""JSON: everything comes back; what is broken or newer is refused in one line."""

from __future__ import annotations

import datetime as dt
import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from quizapp.decks.card import Claim, Fields, Option
from quizapp.decks.entry import Entry
from quizapp.exchange.json_format import read, write
from quizapp.exchange.media import Picture
from quizapp.exchange.model import Bundle, DeckText, ExchangeError, ReadOptions
from quizapp.review.types import Grade
from quizapp.storage.fold import Entry as LogEntry

NOON = dt.datetime(2026, 11, 30, 12, tzinfo=dt.timezone(dt.timedelta(hours=1)))


def test_all_decks_come_back_equal(bundle: Bundle, tmp_path: Path) -> None:
    path = tmp_path / "all.json"
    written = write(bundle, path)
    back = read(path, ReadOptions())
    assert back.decks == bundle.decks
    assert (written.entries, back.notes) == (282, 282)
    assert (written.lost, back.lost) == ((), ())
    assert json.loads(path.read_text("utf-8"))["quizapp"] == 1


def test_log_and_pictures_come_back(bundle: Bundle, tmp_path: Path) -> None:
    row = LogEntry(
        "review", "a:1", NOON, NOON.date(), seq=7, grade=Grade.HARD, was_new=True, leech=False, scheduler="fsrs6",
        stability=1.25, difficulty=6.5, interval=2, due=dt.date(2026, 12, 2), seconds=3.5, confidence=0.75,
    )  # fmt: skip
    log = (row, LogEntry("carry", "b", NOON, NOON.date(), source="a", batch=3, place=1))
    picture = Picture("rope-media/a b.png", bytes(range(256)))
    write(replace(bundle, with_schedule=True, log=log, media=(picture,)), tmp_path / "a.json")
    back = read(tmp_path / "a.json", ReadOptions())
    assert back.log == tuple(replace(entry, seq=0, batch=None, place=None) for entry in log)
    assert [(medium.name, medium.read()) for medium in back.media] == [(picture.name, picture.data)]


TEXT = st.text(max_size=20)
FIELDS = st.builds(
    Fields,
    tags=st.lists(TEXT, max_size=2).map(tuple),
    points=st.lists(TEXT, max_size=2).map(tuple),
    checks=st.lists(
        st.builds(Claim, TEXT, st.none() | st.floats(0, 1), st.dictionaries(TEXT, TEXT, max_size=2)),
        max_size=2,
    ).map(tuple),
    answer=st.none() | TEXT | st.integers(-(2**40), 2**40) | st.floats(allow_nan=False, allow_infinity=False),
    tolerance=st.none() | st.floats(0, 1),
    parameters=st.dictionaries(
        TEXT,
        st.recursive(st.booleans() | st.integers(-9, 9) | TEXT, lambda inner: st.lists(inner, max_size=2)),
        max_size=2,
    ),
)
ENTRIES = st.builds(
    Entry,
    id=TEXT,
    kind=st.sampled_from(["recall", "cloze", "number"]),
    heading=TEXT,
    prompt=TEXT,
    answer=TEXT,
    fields=FIELDS,
    options=st.lists(st.builds(Option, TEXT, st.booleans()), max_size=2).map(tuple),
)


@settings(max_examples=100, deadline=None)
@given(st.lists(ENTRIES, max_size=3).map(tuple), TEXT, TEXT)
def test_any_entry_comes_back_equal(
    tmp_path_factory: pytest.TempPathFactory, bundle: Bundle, found: tuple[Entry, ...], title: str, text: str
) -> None:
    path = tmp_path_factory.getbasetemp() / "any.json"
    deck = DeckText("a/b", title, text, found)
    write(replace(bundle, decks=(deck,)), path)
    back = read(path, ReadOptions()).decks
    assert back == (deck,)
    assert [type(entry.fields.answer) for entry in back[0].entries] == [type(e.fields.answer) for e in found]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "broken JSON"),
        ('{"quizapp": 1,\n"decks": [}', "line 2"),
        ("[1, 2]", "no export of quizapp"),
        ('{"__type__": "Deck"}', "no export of quizapp"),
        ('{"quizapp": 2, "decks": "anything"}', "by a newer quizapp (version 2 of the format, this one knows 1)"),
        ('{"quizapp": 0}', "no version 0"),
        ('{"quizapp": 1}', "missing required field"),
        ('{"quizapp": 1, "exported": "2026-11-30T12:00:00Z", "decks": [{"name": 1}]}', "$.decks"),
        (
            '{"quizapp": 1, "exported": "2026-11-30T12:00:00Z", "decks": [{"name": "a", "title": "A", '
            '"entries": [{"id": "a", "kind": "nonsense", "heading": "?"}]}]}',
            "nonsense",
        ),
        ('{"quizapp": 1, "x": ' + "[" * 100_000, "broken JSON"),
    ],
)  # fmt: skip
def test_what_cannot_be_read_is_one_line(text: str, words: str, tmp_path: Path) -> None:
    path = tmp_path / "a.json"
    path.write_text(text, "utf-8")
    with pytest.raises(ExchangeError) as caught:
        read(path, ReadOptions())
    assert str(caught.value).startswith(f"{path}: ")
    assert words in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    "data",
    [
        b'{"quizapp": 1, "exported": "\xff\xfe"}',
        b'{"quizapp": 1, "exported": "2026-11-30T12:00:00Z", "decks": [{"name": "\xff\xfe"}]}',
        b'{"quizapp": 1, "exported": "2026-11-30T12:00:00Z", "decks": [{"name": "\\ud800"}]}',
    ],
)
def test_bytes_that_are_no_text_are_one_line(tmp_path: Path, data: bytes) -> None:
    path = tmp_path / "a.json"
    path.write_bytes(data)
    with pytest.raises(ExchangeError, match=r"a\.json"):
        read(path, ReadOptions())


def test_a_file_of_absurd_size_is_refused_before_it_is_read(tmp_path: Path) -> None:
    path = tmp_path / "a.json"
    with path.open("wb") as file:
        file.truncate(2**30)
    with pytest.raises(ExchangeError, match="larger than 512 MB"):
        read(path, ReadOptions())


def test_what_says_nothing_is_not_written(bundle: Bundle, tmp_path: Path) -> None:
    entry = Entry("a", "recall", "?", answer="yes", fields=Fields(tags=("t",)))
    write(replace(bundle, decks=(DeckText("d", "D", "", (entry,)),)), tmp_path / "a.json")
    values: dict[str, Any] = json.loads((tmp_path / "a.json").read_text("utf-8"))
    assert values["decks"][0]["entries"] == [
        {"id": "a", "kind": "recall", "heading": "?", "answer": "yes", "fields": {"tags": ["t"]}}
    ]
    assert "log" not in values
