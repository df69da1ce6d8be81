"""The library: which deck replaces which, ids that are global, the cache, pins, and what ships."""

from __future__ import annotations

from pathlib import Path

import pytest

from quizapp.config import Config
from quizapp.decks.check import Known, check_cards
from quizapp.decks.library import Library, built_in_decks, load_library
from quizapp.decks.load import load_decks, sources
from quizapp.decks.write import changed_originals, new_deck, pin_ids, take_over
from quizapp.errors import UsageError
from quizapp.home import Home


def deck_file(folder: Path, name: str, *headings: str) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(f"# {path.stem}\n\n" + "".join(f"## {heading}\n\nA.\n\n" for heading in headings))
    return path


def loaded(tmp_path: Path, *extra: Path) -> Library:
    return load_library(Home(tmp_path / "home"), Config(), extra)


def test_a_later_deck_replaces_an_earlier_one_of_its_name(tmp_path: Path) -> None:
    deck_file(tmp_path / "home" / "decks", "Rapid Fire.md", "Mine?")
    library = loaded(tmp_path)
    assert [card.heading for card in library.select(["rapid-fire"])] == ["Mine?"]
    deck_file(tmp_path / "more", "rapid-fire.md", "Later?")
    assert [card.heading for card in loaded(tmp_path, tmp_path / "more").select(["rapid-fire"])] == ["Later?"]


def test_folders_are_part_of_a_deck_name(tmp_path: Path) -> None:
    deck_file(tmp_path / "more", "ml/My Deck.md", "Why?")
    assert "ml/my-deck/why" in loaded(tmp_path, tmp_path / "more").cards


def test_an_id_in_two_decks_is_an_error_and_the_first_drills(tmp_path: Path) -> None:
    for name in ("a", "b"):
        (tmp_path / "more").mkdir(exist_ok=True)
        (tmp_path / "more" / f"{name}.md").write_text(
            f'# T\n\n## Q {name}\n\n```toml card\nid = "same"\n```\n\nA\n'
        )
    library = loaded(tmp_path, tmp_path / "more")
    assert library.cards["same"].deck == "a"
    (problem,) = library.problems
    assert problem.path.endswith("b.md")
    assert problem.line == 3
    assert "a.md:3" in problem.message


def test_an_unknown_deck_names_the_nearest(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="did you mean rapid-fire"):
        loaded(tmp_path).deck("rapidfire")


def test_a_missing_folder_is_said(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="no such folder"):
        loaded(tmp_path, tmp_path / "nowhere")


def test_the_cache_gives_the_same_decks_and_sees_a_change(tmp_path: Path) -> None:
    path = deck_file(tmp_path / "more", "a.md", "One?")
    cache = tmp_path / "cache"
    fresh = load_decks(list(sources(tmp_path / "more")), cache)
    assert cache.exists()
    assert load_decks(list(sources(tmp_path / "more")), cache) == fresh
    path.write_text("# a\n\n## Two or three?\n\nA.\n")
    assert load_decks(list(sources(tmp_path / "more")), cache)[0].cards[0].heading == "Two or three?"
    cache.write_bytes(b"\x93\x00broken")
    assert load_decks(list(sources(tmp_path / "more")), cache)[0].cards[0].heading == "Two or three?"


def test_pin_writes_the_present_id_and_touches_nothing_else(tmp_path: Path) -> None:
    path = tmp_path / "a.md"
    before = '# T\r\n\r\n## First one?\r\n\r\nA\r\n\r\n## Second?\r\n\r\n```toml card\r\ntags = ["x"]\r\n```\r\nB\r\n'
    path.write_bytes(before.encode())
    (deck,) = load_decks(list(sources(path)), None)
    assert pin_ids(deck) == 2
    (pinned,) = load_decks(list(sources(path)), None)
    assert (
        [card.id for card in pinned.cards] == [card.id for card in deck.cards] == ["a/first-one", "a/second"]
    )
    assert all(card.pinned for card in pinned.cards)
    assert pin_ids(pinned) == 0
    after = path.read_bytes().decode()
    assert after == (
        '# T\r\n\r\n## First one?\r\n\r\n```toml card\r\nid = "a/first-one"\r\n```\r\n\r\nA\r\n\r\n'
        '## Second?\r\n\r\n```toml card\r\nid = "a/second"\r\ntags = ["x"]\r\n```\r\nB\r\n'
    )


def test_a_new_deck_is_right_and_is_not_overwritten(tmp_path: Path) -> None:
    path = new_deck(tmp_path, "Graph theory")
    (deck,) = load_decks(list(sources(path)), None)
    assert (deck.title, deck.problems, len(deck.cards)) == ("Graph theory", (), 1)
    with pytest.raises(UsageError, match="already"):
        new_deck(tmp_path, "Graph Theory")


def test_a_taken_over_deck_tells_when_its_original_changes(tmp_path: Path) -> None:
    original = deck_file(tmp_path / "shipped", "a.md", "One?")
    copy = take_over(original, tmp_path / "own", "a")
    copy.write_text("# a\n\n## Mine?\n\nA.\n")
    decks = load_decks(list(sources(tmp_path / "own")), None)
    assert changed_originals(decks, {"a": original}) == []
    assert take_over(original, tmp_path / "own", "a").read_text().startswith("# a\n\n## Mine?")
    original.write_text("# a\n\n## One and a half?\n\nA.\n")
    assert changed_originals(decks, {"a": original}) == ["a"]


def test_references_and_style_are_warnings(tmp_path: Path) -> None:
    path = tmp_path / "a.md"
    path.write_text(
        '# T\n\n## Q\n\n```toml card\ntags = ["core", "senior"]\nfollow_ups = ["nobody"]\nderivation = "none"\n'
        'demo = "film"\n```\nA\n'
    )
    (deck,) = load_decks(list(sources(path)), None)
    found = check_cards(deck.cards, Known({"a/q"}, derivations=["linear-shift"], demos=["rope"]))
    assert [problem.level for problem in found] == ["warning"] * 4
    assert "demo film: there is none of that name" in {problem.message for problem in found}
    assert {problem.line for problem in found} == {3}


def test_what_ships_is_without_a_problem(tmp_path: Path) -> None:
    library = loaded(tmp_path)
    assert library.problems == ()
    assert set(built_in_decks()) == {deck.name for deck in library.decks}
    assert check_cards(library.cards.values(), Known(set(library.entries))) == []
    assert all(card.pinned for card in library.cards.values())
