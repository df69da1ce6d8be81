"""Collecting: whole entries, the pictures and derivations they name, and only their history."""

from __future__ import annotations

from pathlib import Path

import pytest

from quizapp.config import Config
from quizapp.decks.library import Library, built_in_decks, load_library
from quizapp.errors import UsageError
from quizapp.exchange.collect import Collected
from quizapp.exchange.export_decks import gather
from quizapp.home import Home
from quizapp.library import content_root
from quizapp.storage import SqliteStore, open_store
from tests.exchange.conftest import NOON
from tests.exchange.test_history import do

DECK = """# Mine

## First {{c1::a}} {{c2::b}}

```toml card
id = "first"
tags = ["x"]
```

## Second?

```toml card
id = "second"
derivation = "linear-shift"
```

![it](pics/a.png) ![gone](pics/b.png)

## Broken?
"""


@pytest.fixture
def library(home: Home) -> Library:
    (home.decks / "pics").mkdir(parents=True)
    (home.decks / "pics" / "a.png").write_bytes(b"picture")
    (home.decks / "mine.md").write_text(DECK, "utf-8")
    return load_library(home, Config())


@pytest.fixture
def store(home: Home) -> SqliteStore:
    with open_store(home, write=True, now=NOON) as opened:
        do(opened, [(0, "first:1", 3), (1, "second", 3), (2, "archived", 3)])
    return open_store(home, write=False)


def collected(
    home: Home, library: Library, store: SqliteStore, *decks: str, query: str = "", schedule: bool = False
) -> Collected:
    with store:
        return gather(
            home, Config(), library, store, now=NOON, day=NOON.date(), decks=decks, query=query,
            with_schedule=schedule, folders=[content_root() / "derivations"],
        )  # fmt: skip


def test_a_deck_with_its_picture_its_derivation_and_what_is_missing(
    home: Home, library: Library, store: SqliteStore
) -> None:
    found = collected(home, library, store, "mine")
    bundle = found.bundle
    assert [(deck.name, [entry.id for entry in deck.entries]) for deck in bundle.decks] == [
        ("mine", ["first", "second"])
    ]
    assert [(medium.name, medium.read()) for medium in bundle.media] == [("pics/a.png", b"picture")]
    assert list(bundle.derivations) == ["linear-shift"]
    assert {loss.where for loss in found.lost} == {"pics/b.png", f"{home.decks / 'mine.md'}:19"}
    assert bundle.modified.keys() == found.versions.keys() == {"first", "second"}
    assert not bundle.with_schedule
    assert (bundle.states, bundle.reviews, bundle.log) == ({}, (), ())


def test_a_search_takes_whole_entries_and_their_history(
    home: Home, library: Library, store: SqliteStore
) -> None:
    bundle = collected(home, library, store, query="id:first:1", schedule=True).bundle
    assert [entry.id for deck in bundle.decks for entry in deck.entries] == ["first"]
    assert list(bundle.states) == ["first:1"]
    assert [review.card for review in bundle.reviews] == [row.card for row in bundle.log] == ["first:1"]


def test_everything_takes_the_history_of_archived_cards_along(
    home: Home, library: Library, store: SqliteStore
) -> None:
    bundle = collected(home, library, store, schedule=True).bundle
    assert len(bundle.decks) == 12
    assert [row.card for row in bundle.log] == ["first:1", "second", "archived"]


def test_it_says_which_cards_are_as_they_ship(home: Home) -> None:
    original = built_in_decks()["rope"].read_text("utf-8")
    home.decks.mkdir(parents=True)
    (home.decks / "rope.md").write_text(original.replace("## ", "## Now: ", 1), "utf-8")
    (home.decks / "mine.md").write_text(DECK, "utf-8")
    bundle = collected(home, load_library(home, Config()), open_store(home, write=False)).bundle
    ids = {deck.name: [entry.id for entry in deck.entries] for deck in bundle.decks}
    everything = {name for names in ids.values() for name in names}
    assert everything - bundle.shipped.keys() == {ids["rope"][0], *ids["mine"]}


def test_nothing_found_is_one_line(home: Home, library: Library, store: SqliteStore) -> None:
    with pytest.raises(UsageError, match="tag:none finds no card"):
        collected(home, library, store, query="tag:none")


def test_a_home_without_reviews_exports(home: Home, library: Library) -> None:
    assert collected(home, library, open_store(home, write=False), schedule=True).bundle.log == ()
    assert not Path(home.database).exists()
