"""Sounds and films: files beside the deck that a card names by a link, in every format that can hold them."""

from __future__ import annotations

import datetime as dt
import json
import sqlite3
import zipfile
from pathlib import Path

import pytest

from quizapp.cli import run
from quizapp.exchange.foreign_markdown import foreign_markdown
from quizapp.exchange.losses import Losses
from quizapp.exchange.media import linked_sounds, named, renamed
from tests.exchange.anki_files import card, collection, note, package

SOUND = b"RIFF....WAVE"
NOW = dt.datetime(2026, 11, 30, tzinfo=dt.UTC)


def quizapp(tmp_path: Path, *arguments: str) -> None:
    assert run([*arguments, "--home", str(tmp_path / "home")]) == 0


def imported(tmp_path: Path, source: Path, into: str = "decks") -> str:
    """The text of the one deck that a file makes."""
    quizapp(tmp_path, "import", str(source), "--into", str(tmp_path / into))
    (deck,) = (tmp_path / into).rglob("*.md")
    return deck.read_text("utf-8")


def a_package(tmp_path: Path, *fields: str, name: str = "foo bar.wav") -> Path:
    data = collection([note(1, fields)], [card(1, 1)], decks={7: "Words"})
    return package(tmp_path / "words.apkg", data, 1, {name: SOUND})


def exported_note(path: Path) -> str:
    with zipfile.ZipFile(path) as file:
        collection_file = path.with_suffix(".anki2")
        collection_file.write_bytes(file.read("collection.anki2"))
    with sqlite3.connect(collection_file) as database:
        (fields,) = database.execute("SELECT flds FROM notes").fetchone()
    return str(fields)


def media_of(path: Path) -> dict[str, bytes]:
    with zipfile.ZipFile(path) as file:
        return {name: file.read(member) for member, name in json.loads(file.read("media")).items()}


@pytest.mark.parametrize(
    "front", ["[sound:foo bar.wav]", "say [sound:foo bar.wav] it", '<audio src="foo%20bar.wav">']
)
def test_a_sound_of_anki_comes_in_goes_out_and_comes_back(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], front: str
) -> None:
    text = imported(tmp_path, a_package(tmp_path, front, "bar"))
    assert "[foo bar.wav](words-media/foo-bar.wav)" in text
    assert (tmp_path / "decks/words-media/foo-bar.wav").read_bytes() == SOUND
    assert "not kept" not in capsys.readouterr().out

    out = tmp_path / "out.apkg"
    quizapp(tmp_path, "export", "words", "-o", str(out), "--decks", str(tmp_path / "decks"))
    assert "[sound:words-media-foo-bar.wav]" in exported_note(out).split("\x1f")[0]
    assert media_of(out) == {"words-media-foo-bar.wav": SOUND}
    assert imported(tmp_path, out, "again") == text
    assert (tmp_path / "again/words-media/foo-bar.wav").read_bytes() == SOUND


@pytest.mark.parametrize("suffix", ["json", "mochi"])
def test_other_formats_that_hold_sounds(tmp_path: Path, suffix: str) -> None:
    text = imported(tmp_path, a_package(tmp_path, "[sound:foo bar.wav]", "b <b>c</b> [sound:foo bar.wav]"))
    out = tmp_path / f"out.{suffix}"
    quizapp(tmp_path, "export", "words", "-o", str(out), "--decks", str(tmp_path / "decks"))
    assert imported(tmp_path, out, "again") == text
    assert (tmp_path / "again/words-media/foo-bar.wav").read_bytes() == SOUND


def test_mochi_plays_what_is_written_like_a_picture(tmp_path: Path) -> None:
    imported(tmp_path, a_package(tmp_path, "a", "[sound:foo bar.wav]"))
    out = tmp_path / "out.mochi"
    quizapp(tmp_path, "export", "words", "-o", str(out), "--decks", str(tmp_path / "decks"))
    with zipfile.ZipFile(out) as file:
        (member,) = (name for name in file.namelist() if name.endswith(".wav"))
        assert f"![foo bar.wav](@media/{member})" in file.read("data.edn").decode()


def test_mochis_own_sounds_become_links(tmp_path: Path) -> None:
    path = tmp_path / "x.mochi"
    with zipfile.ZipFile(path, "w") as file:
        file.writestr(
            "data.edn", '{:decks [{:name "D" :cards [{:content "q ![](@media/ab.mp3)\\n---\\na"}]}]}'
        )
        file.writestr("ab.mp3", SOUND)
    assert "## q [ab.mp3](d-media/ab.mp3)" in imported(tmp_path, path)
    assert (tmp_path / "decks/d-media/ab.mp3").read_bytes() == SOUND


def test_a_study_sheet_plays_it(tmp_path: Path) -> None:
    imported(tmp_path, a_package(tmp_path, "[sound:foo bar.wav]", "b"))
    out = tmp_path / "out.html"
    quizapp(tmp_path, "export", "words", "-o", str(out), "--decks", str(tmp_path / "decks"))
    assert 'foo bar.wav <audio controls src="data:audio/wav;base64,UklGRi4u' in out.read_text("utf-8")


def test_a_table_and_text_take_sounds_beside_them(tmp_path: Path) -> None:
    (tmp_path / "a.mp3").write_bytes(SOUND)
    source = tmp_path / "words.csv"
    source.write_text("Front,Back\nq,<b>a</b> [sound:a.mp3]\n", "utf-8")
    assert "[a.mp3](words-media/a.mp3)" in imported(tmp_path, source)
    assert (tmp_path / "decks/words-media/a.mp3").read_bytes() == SOUND


def test_a_sound_that_leads_elsewhere_stays_out(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    imported(tmp_path, a_package(tmp_path, "x [sound:../../evil.wav]", "b", name="../../evil.wav"))
    assert "leads out of its folder" in capsys.readouterr().out
    assert not list(tmp_path.rglob("*.wav"))


def test_only_links_to_sounds_beside_the_deck_are_media() -> None:
    text = r"[a](a.mp3) [b](b.html) [c](https://e.org/c.mp3) \[d](d.mp3) ![e](e.png) [f](<f g.ogg>)"
    assert named([text]) == ["a.mp3", "e.png", "f g.ogg"]
    assert renamed(text, {"a.mp3": "x y.mp3", "b.html": "no", "d.mp3": "no"}).startswith(
        "[a](<x y.mp3>) [b](b.html)"
    )


def test_pictures_that_are_sounds_become_links_outside_code() -> None:
    assert (
        linked_sounds("![](a_b.mp3) ![say](x.ogg) ![](p.png)")
        == r"[a\_b.mp3](a_b.mp3) [say](x.ogg) ![](p.png)"
    )
    losses = Losses()
    assert foreign_markdown("```\n![](a.mp3)\n```\n\n![[b c.mp3]]", losses, "", wiki=True) == (
        "```\n![](a.mp3)\n```\n\n[b c.mp3](b%20c.mp3)"
    )
