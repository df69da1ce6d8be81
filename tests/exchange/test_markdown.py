"""Deck files: written in one form, read as they are."""

from __future__ import annotations

from pathlib import Path

import pytest
from msgspec.structs import replace

from quizapp.decks.entry import entries
from quizapp.decks.parse import parse_deck
from quizapp.exchange.markdown_format import read, write
from quizapp.exchange.media import Picture
from quizapp.exchange.model import Bundle, ExchangeError, Loss, ReadOptions


def test_every_deck_comes_back_equal(bundle: Bundle, tmp_path: Path) -> None:
    for deck in bundle.decks:
        path = tmp_path / f"{deck.name}.md"
        write(replace(bundle, decks=(deck,)), path)
        (back,) = read(path, ReadOptions()).decks
        assert replace(back, text=b"") == deck
        assert back.text == path.read_bytes()


def test_several_decks_need_another_format(bundle: Bundle, tmp_path: Path) -> None:
    with pytest.raises(ExchangeError, match="one deck, not 11"):
        write(bundle, tmp_path / "a.md")


def test_pictures_are_reported(bundle: Bundle, tmp_path: Path) -> None:
    one = replace(bundle, decks=bundle.decks[:1], media=(Picture("a.png", b"x"),))
    assert write(one, tmp_path / "a.md").lost == (
        Loss("a picture: a deck file names it and cannot hold it", "a.png", 1),
    )


def test_mistakes_stay_in_the_file_and_are_reported(tmp_path: Path) -> None:
    path = tmp_path / "My Deck.md"
    path.write_text("# Mine\n\n## One?\n\nYes.\n\n## Empty?\n", "utf-8")
    incoming = read(path, ReadOptions())
    assert incoming.decks[0].name == "my-deck"
    assert [entry.id for entry in incoming.decks[0].entries] == ["my-deck/one"]
    assert [loss.where for loss in incoming.lost] == ["line 7"]
    assert read(path, ReadOptions(deck="Other/Name")).decks[0].name == "other/name"


def test_pictures_beside_the_file_come_along_and_others_do_not(tmp_path: Path) -> None:
    (tmp_path / "secret.png").write_bytes(b"secret")
    folder = tmp_path / "decks"
    folder.mkdir()
    (folder / "a b.png").write_bytes(b"picture")
    (folder / "run.sh").write_bytes(b"script")
    path = folder / "d.md"
    path.write_text(
        "# D\n\n## One? ![x](a%20b.png)\n\n![](../secret.png) ![](run.sh) ![](/etc/a.png) ![](https://a.b/c.png)\n",
        "utf-8",
    )
    incoming = read(path, ReadOptions())
    assert [(medium.name, medium.read()) for medium in incoming.media] == [("a%20b.png", b"picture")]
    assert [(loss.what, loss.count) for loss in incoming.lost] == [
        ("a picture that is not beside the deck file", 3)
    ]


def test_a_file_without_cards_is_one_line(tmp_path: Path) -> None:
    path = tmp_path / "a.md"
    path.write_text("just text\n", "utf-8")
    with pytest.raises(ExchangeError, match="without a card"):
        read(path, ReadOptions())


def test_the_written_form_is_the_same_however_the_file_was_laid_out(bundle: Bundle, tmp_path: Path) -> None:
    loose = b"# T\n\n## A?\n```toml card\ntags=['x','y']\nid='a'\n```\nYes.\n\n\n## B?\nNo.\n"
    deck = parse_deck(loose, name="t", path="t.md")
    made = replace(bundle.decks[0], name="t", title="T", description="", entries=entries(deck.cards))
    write(replace(bundle, decks=(made,)), tmp_path / "t.md")
    assert (tmp_path / "t.md").read_text("utf-8") == (
        '# T\n\n## A?\n\n```toml card\nid = "a"\ntags = ["x", "y"]\n```\n\nYes.\n\n'
        '## B?\n\n```toml card\nid = "t/b"\n```\n\nNo.\n'
    )
