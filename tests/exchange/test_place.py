"""Placing: what is new is written, what was changed here stays, and nothing leaves the folder."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

import pytest
from msgspec.structs import replace

from quizapp.cli import run
from quizapp.config import Config
from quizapp.decks.card import Fields, Option
from quizapp.decks.entry import Entry
from quizapp.decks.library import Library, built_in_decks, load_library
from quizapp.exchange.changed import Version, content_hash
from quizapp.exchange.markdown_format import read
from quizapp.exchange.media import Picture
from quizapp.exchange.model import Bundle, Cancelled, DeckText, ExchangeError, Incoming, ReadOptions
from quizapp.exchange.place import Placed, place
from quizapp.exchange.surroundings import Surroundings
from quizapp.home import Home

ONE = Entry("one", "recall", "One?", answer="Yes.", fields=Fields(tags=("t",)))
TWO = Entry("two", "cloze", "Two {{c1::a}} {{c2::b}}", answer="Because.")
NOWHERE = Surroundings()


def incoming(
    *found: Entry, name: str = "mine", title: str = "Mine", media: Iterable[Picture] = ()
) -> Incoming:
    return Incoming((DeckText(name, title, "About.", found),), len(found), media=tuple(media))


def counts(placed: Placed) -> tuple[int, int, int, int]:
    """Cards made, updated, unchanged, kept."""
    return (
        sum(deck.added for deck in placed.decks),
        sum(deck.updated for deck in placed.decks),
        sum(deck.unchanged for deck in placed.decks),
        sum(deck.kept for deck in placed.decks),
    )


def stamps(folder: Path) -> dict[Path, tuple[int, bytes]]:
    return {
        path: (path.stat().st_mtime_ns, path.read_bytes()) for path in folder.rglob("*") if path.is_file()
    }


def test_a_new_deck_is_an_ordinary_file(tmp_path: Path) -> None:
    placed = place(incoming(ONE, TWO), tmp_path, NOWHERE)
    assert counts(placed) == (3, 0, 0, 0)
    assert (tmp_path / "mine.md").read_text("utf-8") == (
        '# Mine\n\nAbout.\n\n## One?\n\n```toml card\nid = "one"\ntags = ["t"]\n```\n\nYes.\n\n'
        '## Two {{c1::a}} {{c2::b}}\n\n```toml card\nid = "two"\n```\n\nBecause.\n'
    )
    assert run(["decks", "check", "--strict", str(tmp_path / "mine.md")]) == 0


def test_importing_again_writes_no_file(tmp_path: Path) -> None:
    picture = Picture("a.png", b"x")
    shown = replace(ONE, answer="![a](a.png)")
    place(incoming(shown, TWO, media=[picture]), tmp_path, NOWHERE)
    before = stamps(tmp_path)
    placed = place(incoming(shown, TWO, media=[picture]), tmp_path, NOWHERE)
    assert counts(placed) == (0, 0, 3, 0)
    assert (placed.written, placed.lost, placed.kept) == ((), (), ())
    assert stamps(tmp_path) == before


def test_a_dry_run_writes_nothing_and_says_the_same(tmp_path: Path) -> None:
    target = tmp_path / "decks"
    said = place(incoming(ONE, TWO), target, NOWHERE, dry_run=True)
    assert not target.exists()
    assert place(incoming(ONE, TWO), target, NOWHERE) == said


def test_a_newer_version_changes_its_entry_and_no_other_byte(tmp_path: Path) -> None:
    path = tmp_path / "mine.md"
    place(incoming(ONE, TWO), tmp_path, NOWHERE)
    mine = "\ufeff" + path.read_text("utf-8").replace("About.", "About my things.\n\n* a   list")
    mine = (
        mine.replace("\n\n## Two", "\n\n\n\n## By hand?\n\nOh   \nyes.\n\n<!-- note -->\n\n\n## Two")
        + "\n\n\n"
    )
    path.write_bytes(mine.replace("\n", "\r\n").encode())
    newer = replace(ONE, heading="One, newer?", answer="Yes!\n\nNow.")
    placed = place(incoming(newer, TWO), tmp_path, NOWHERE)
    assert counts(placed) == (0, 1, 2, 0)
    expected = mine.replace("## One?", "## One, newer?").replace("\nYes.\n", "\nYes!\n\nNow.\n", 1)
    assert path.read_bytes() == expected.replace("\n", "\r\n").encode()


def test_new_cards_go_to_the_end_of_their_deck(tmp_path: Path) -> None:
    path = tmp_path / "mine.md"
    path.write_text("# Mine\n\n## By hand?\n\nYes.", "utf-8")
    assert counts(place(incoming(ONE), tmp_path, NOWHERE)) == (1, 0, 0, 0)
    assert path.read_text("utf-8") == (
        '# Mine\n\n## By hand?\n\nYes.\n\n## One?\n\n```toml card\nid = "one"\ntags = ["t"]\n```\n\nYes.\n'
    )


def test_an_edit_made_here_stays_while_the_file_is_what_it_was(tmp_path: Path) -> None:
    path = tmp_path / "mine.md"
    place(incoming(ONE), tmp_path, NOWHERE)
    path.write_text(path.read_text("utf-8").replace("Yes.", "Yes, and mine."), "utf-8")
    before = path.read_bytes()
    placed = place(incoming(ONE), tmp_path, NOWHERE)
    assert counts(placed) == (0, 0, 0, 1)
    assert path.read_bytes() == before


def test_where_both_changed_yours_stays_and_replace_takes_the_files(tmp_path: Path) -> None:
    path = tmp_path / "mine.md"
    place(incoming(ONE), tmp_path, NOWHERE)
    path.write_text(path.read_text("utf-8").replace("Yes.", "Yes, and mine."), "utf-8")
    before = path.read_bytes()
    newer = replace(ONE, answer="No.")
    placed = place(incoming(newer), tmp_path, NOWHERE)
    assert counts(placed) == (0, 0, 0, 1)
    assert [(loss.where, "--replace" in loss.what) for loss in placed.kept] == [("one", True)]
    assert path.read_bytes() == before
    assert counts(place(incoming(newer), tmp_path, NOWHERE, replace_edits=True)) == (0, 1, 0, 0)
    assert "No." in path.read_text("utf-8")


def test_an_older_file_does_not_take_a_newer_one_back(tmp_path: Path) -> None:
    newer = replace(ONE, answer="No.")
    place(incoming(ONE), tmp_path, NOWHERE)
    place(incoming(newer), tmp_path, NOWHERE)
    before = stamps(tmp_path)
    assert counts(place(incoming(ONE), tmp_path, NOWHERE)) == (0, 0, 0, 1)
    assert stamps(tmp_path) == before
    assert "No." in (tmp_path / "mine.md").read_text("utf-8")


def test_a_card_that_was_never_imported_stays_as_its_author_wrote_it(tmp_path: Path) -> None:
    (tmp_path / "mine.md").write_text(
        '# Mine\n\n## One?\n\n```toml card\nid = "one"\n```\n\nMy own.\n', "utf-8"
    )
    assert counts(place(incoming(ONE), tmp_path, NOWHERE)) == (0, 0, 0, 1)


def test_a_card_edited_elsewhere_after_its_export_comes_back_changed(tmp_path: Path) -> None:
    (tmp_path / "mine.md").write_text(
        '# Mine\n\n## One?\n\n```toml card\nid = "one"\ntags = ["t"]\n```\n\nYes.\n', "utf-8"
    )
    exported = Surroundings(exported={"one": Version(0, "", (content_hash(ONE),))})
    assert counts(place(incoming(replace(ONE, answer="No.")), tmp_path, exported)) == (0, 1, 0, 0)
    assert counts(place(incoming(ONE), tmp_path, exported)) == (0, 0, 0, 1)


def test_a_card_taken_out_here_stays_out(tmp_path: Path) -> None:
    path = tmp_path / "mine.md"
    place(incoming(ONE, TWO), tmp_path, NOWHERE)
    text = path.read_text("utf-8")
    path.write_text(text[: text.index("## Two")], "utf-8")
    placed = place(incoming(ONE, TWO), tmp_path, NOWHERE)
    assert counts(placed) == (0, 0, 1, 2)
    assert "## Two" not in path.read_text("utf-8")
    assert counts(place(incoming(ONE, TWO), tmp_path, NOWHERE, replace_edits=True)) == (2, 0, 1, 0)


def test_a_card_moved_to_another_file_is_updated_there(tmp_path: Path) -> None:
    place(incoming(ONE), tmp_path, NOWHERE)
    (tmp_path / "mine.md").rename(tmp_path / "other.md")
    placed = place(incoming(replace(ONE, answer="No."), TWO), tmp_path, NOWHERE)
    assert {deck.name: (deck.added, deck.updated) for deck in placed.decks} == {
        "other": (0, 1),
        "mine": (2, 0),
    }
    assert "No." in (tmp_path / "other.md").read_text("utf-8")
    assert "## One" not in (tmp_path / "mine.md").read_text("utf-8")


def test_a_new_title_is_taken_unless_it_was_changed_here(tmp_path: Path) -> None:
    path = tmp_path / "mine.md"
    place(incoming(ONE), tmp_path, NOWHERE)
    place(incoming(ONE, title="Ours"), tmp_path, NOWHERE)
    assert path.read_text("utf-8").startswith("# Ours\n\nAbout.\n\n## One?")
    path.write_text(path.read_text("utf-8").replace("# Ours", "# Hers"), "utf-8")
    place(incoming(ONE, title="Theirs"), tmp_path, NOWHERE)
    assert path.read_text("utf-8").startswith("# Hers\n\nAbout.\n\n## One?")


def test_what_a_deck_cannot_hold_is_left_out_with_the_reason(tmp_path: Path) -> None:
    huge = Entry("huge", "recall", "Huge?", answer="x" * 200_000)
    same = Entry("same", "choice", "Which?", options=(Option("a", True), Option("a", False)))
    placed = place(incoming(ONE, huge, same), tmp_path, NOWHERE)
    assert counts(placed) == (1, 0, 0, 0)
    assert {loss.where: loss.what for loss in placed.lost} == {
        "huge": "this card has 200,042 characters; the most is 100,000: split it",
        "same": "two answers of the choice are the same",
    }
    assert run(["decks", "check", "--strict", str(tmp_path / "mine.md")]) == 0


def test_a_card_without_an_answer_is_kept_and_says_so(tmp_path: Path) -> None:
    placed = place(incoming(replace(ONE, answer=" ")), tmp_path, NOWHERE)
    assert counts(placed) == (1, 0, 0, 0)
    assert [loss.where for loss in placed.lost] == ["one"]
    assert counts(place(incoming(replace(ONE, answer=" ")), tmp_path, NOWHERE)) == (0, 0, 1, 0)


def test_a_tag_stands_once(tmp_path: Path) -> None:
    twice = replace(ONE, fields=Fields(tags=("t", "u", "t")))
    place(incoming(twice), tmp_path, NOWHERE)
    assert 'tags = ["t", "u"]' in (tmp_path / "mine.md").read_text("utf-8")
    assert run(["decks", "check", "--strict", str(tmp_path / "mine.md")]) == 0
    assert counts(place(incoming(twice), tmp_path, NOWHERE)) == (0, 0, 1, 0)


def test_ids_are_made_fit_and_stand_once(tmp_path: Path) -> None:
    placed = place(incoming(replace(ONE, id="a b:c"), ONE, replace(TWO, id="one")), tmp_path, NOWHERE)
    assert 'id = "a-b-c"' in (tmp_path / "mine.md").read_text("utf-8")
    assert [loss.where for loss in placed.lost] == ["one"]
    assert counts(placed) == (2, 0, 0, 0)


@pytest.mark.parametrize(
    ("name", "file"),
    [
        ("../../evil", "evil.md"), ("/etc/passwd", "etc/passwd.md"), ("A::B c", "a/b-c.md"), ("..", "imported.md"),
        (".hidden", "hidden.md"), ("a\x00b\x1b[31m", "ab.md"), ("x" * 300, f"{'x' * 80}.md"),
        ("\U00010330" * 100, "\U00010330" * 50 + ".md"), ("con::Aux", "con-file/aux-file.md"),
        ("x/" * 2000, f"{'x/' * 7}{'x-' * 39}x.md"),
    ],
)  # fmt: skip
def test_a_deck_name_never_leads_out_of_the_folder(name: str, file: str, tmp_path: Path) -> None:
    target = tmp_path / "decks"
    place(incoming(ONE, name=name), target, NOWHERE)
    assert list(tmp_path.rglob("*.md")) == [target / file]


NAMES = [
    ("../../evil.png", "mine-media/evil.png"), ("/etc/evil.png", "mine-media/evil.png"),
    ("..\\evil.png", "mine-media/evil.png"), ("C:\\x\\Evil.PNG", "mine-media/evil.png"),
    ("a/../../evil.png", "mine-media/evil.png"), (".hidden.png", "mine-media/hidden.png"),
    ("con.png", "mine-media/con-file.png"), ("pic é.png", "mine-media/pic-é.png"),
    ("sub/pic.png", "sub/pic.png"), ("sub/.git/pic.png", "mine-media/pic.png"),
    ("a\x00b.png", "mine-media/a-b.png"), (f"{'y' * 300}.png", f"mine-media/{'y' * 80}.png"),
]  # fmt: skip


@pytest.mark.parametrize(("name", "file"), NAMES)
def test_a_picture_never_leaves_the_folder(name: str, file: str, tmp_path: Path) -> None:
    target = tmp_path / "decks"
    shown = replace(ONE, answer=f"See ![it](<{name}>).")
    placed = place(incoming(shown, media=[Picture(name, b"data")]), target, NOWHERE)
    if "\x00" not in name and "\n" not in name:
        assert [str(path.relative_to(target)) for path in tmp_path.rglob("*.png")] == [file]
        text = (target / "mine.md").read_text("utf-8")
        assert f"]({file})" in text or f"](<{file}>)" in text
        assert placed.media == 1
    assert not [path for path in tmp_path.rglob("*.png") if not path.is_relative_to(target)]


def test_the_pictures_of_a_deck_file_keep_their_names(tmp_path: Path) -> None:
    text = "# Mine\n\n## One?\n\n![a](a%20b.png) ![b](<p (1).png>) ![c](sub/c.png)\n"
    source = tmp_path / "mine.md"
    source.write_text(text, "utf-8")
    (tmp_path / "sub").mkdir()
    for name in ("a b.png", "p (1).png", "sub/c.png"):
        (tmp_path / name).write_bytes(name.encode())
    target = tmp_path / "decks"
    for _ in range(2):
        placed = place(read(source, ReadOptions()), target, NOWHERE)
        assert (placed.lost, placed.kept) == ((), ())
    assert (target / "mine.md").read_text("utf-8") == text
    assert {str(path.relative_to(target)) for path in target.rglob("*.png")} == {
        "a b.png",
        "p (1).png",
        "sub/c.png",
    }


def test_pictures_of_cards_that_stay_are_not_written(tmp_path: Path) -> None:
    shown = replace(ONE, answer="![it](a.png)")
    place(incoming(shown, media=[Picture("a.png", b"old")]), tmp_path, NOWHERE)
    path = tmp_path / "mine.md"
    path.write_text(path.read_text("utf-8").replace("![it]", "My own ![it]"), "utf-8")
    before = stamps(tmp_path / "mine-media")
    placed = place(incoming(shown, media=[Picture("a.png", b"new")]), tmp_path, NOWHERE)
    assert counts(placed) == (0, 0, 0, 1)
    assert placed.written == ()
    assert stamps(tmp_path / "mine-media") == before


def test_a_link_in_the_folder_leads_no_picture_out(tmp_path: Path) -> None:
    target = tmp_path / "decks"
    outside = tmp_path / "outside"
    outside.mkdir()
    target.mkdir()
    (target / "mine-media").symlink_to(outside)
    shown = replace(ONE, answer="![it](a.png)")
    placed = place(incoming(shown, media=[Picture("a.png", b"data")]), target, NOWHERE)
    assert list(outside.iterdir()) == []
    assert [loss.what for loss in placed.lost] == ["a picture whose name leads out of the folder"]


@pytest.mark.parametrize("link", ["sub", "mine.md"])
def test_a_link_in_the_folder_leads_no_new_deck_out(link: str, tmp_path: Path) -> None:
    target, outside = tmp_path / "decks", tmp_path / "outside"
    target.mkdir()
    outside.mkdir()
    (outside / "mine.md").write_text("kept", "utf-8")
    (target / link).symlink_to(outside if link == "sub" else outside / "none.md")
    name = "sub/mine" if link == "sub" else "mine"
    with pytest.raises(ExchangeError, match="leads out of the folder"):
        place(Incoming((DeckText(name, "Mine", "", (ONE,)),), 1), target, NOWHERE)
    assert [path.name for path in outside.iterdir()] == ["mine.md"]
    assert (outside / "mine.md").read_text("utf-8") == "kept"
    assert [path.name for path in target.iterdir()] == [link]


def test_files_that_are_no_pictures_stay_out(tmp_path: Path) -> None:
    shown = replace(ONE, answer="![it](run.sh) ![](other.md)")
    media = [Picture("run.sh", b"#!"), Picture("other.md", b"# X"), Picture("unused.png", b"x")]
    placed = place(incoming(shown, media=media), tmp_path, NOWHERE)
    assert sorted(path.name for path in tmp_path.iterdir()) == [".imported.json", "mine.md"]
    assert {(loss.what, loss.count) for loss in placed.lost} == {
        ("a file that is no picture or sound", 2),
        ("a picture or sound that no card shows", 1),
    }


def test_a_picture_does_not_overwrite_another_of_its_name(tmp_path: Path) -> None:
    shown = replace(ONE, answer="![it](a.png)")
    place(incoming(shown, media=[Picture("a.png", b"old")]), tmp_path, NOWHERE)
    place(incoming(shown, media=[Picture("a.png", b"new")]), tmp_path, NOWHERE)
    files = {path.name: path.read_bytes() for path in (tmp_path / "mine-media").iterdir()}
    assert files.pop("a.png") == b"old"
    ((name, data),) = files.items()
    assert data == b"new"
    assert f"mine-media/{name}" in (tmp_path / "mine.md").read_text("utf-8")


def test_a_folder_that_is_a_file_is_one_line(tmp_path: Path) -> None:
    (tmp_path / "decks").write_text("x")
    with pytest.raises(ExchangeError, match="no folder"):
        place(incoming(ONE), tmp_path / "decks", NOWHERE)


def test_a_disk_that_fails_is_one_line_and_leaves_the_decks(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    place(incoming(ONE), tmp_path, NOWHERE)
    before = stamps(tmp_path)

    def refuse(_: int) -> None:
        raise OSError(28, "No space left on device", str(tmp_path / "mine.md"))

    monkeypatch.setattr("quizapp.decks.write.os.fsync", refuse)
    with pytest.raises(ExchangeError, match="no space left on device"):
        place(incoming(replace(ONE, answer="No.")), tmp_path, NOWHERE)
    assert stamps(tmp_path) == before


def test_cancelling_writes_nothing(tmp_path: Path) -> None:
    def stop(_: int, __: int) -> None:
        raise Cancelled

    with pytest.raises(Cancelled):
        place(incoming(ONE), tmp_path / "decks", NOWHERE, progress=stop)
    assert list(tmp_path.iterdir()) == []


# A folder of the library: the other decks are around it.


@pytest.fixture
def around(library: Library) -> Surroundings:
    return Surroundings(library, built_in_decks())


def test_unchanged_built_in_decks_write_nothing(bundle: Bundle, around: Surroundings, home: Home) -> None:
    placed = place(Incoming(bundle.decks, 282), home.decks, around)
    assert counts(placed) == (0, 0, 295, 0)
    assert placed.written == ()
    assert not home.path.exists()


def test_a_changed_built_in_card_gives_a_copy_of_its_deck(
    bundle: Bundle, around: Surroundings, home: Home
) -> None:
    deck = next(deck for deck in bundle.decks if deck.name == "rope")
    changed = replace(deck.entries[3], answer="My own words.")
    # As from a phone: one card alone, in a deck of another name.
    part = DeckText("positions/rope", "Rope", "", (deck.entries[0], changed))
    placed = place(Incoming((part,), 2), home.decks, around)
    assert counts(placed) == (0, 1, 1, 0)
    original = built_in_decks()["rope"].read_text("utf-8")
    copy = (home.decks / "rope.md").read_text("utf-8")
    assert len(copy.split("\n## ")) == len(original.split("\n## "))
    before, after = original.split("\n## "), copy.split("\n## ")
    assert [number for number in range(len(before)) if before[number] != after[number]] == [4]
    loaded = load_library(home, Config())
    assert not loaded.problems
    assert loaded.cards[changed.id].answer == "My own words."
    # It is a copy as any other: doctor and decks diff know its original.
    assert (home.decks / ".rope.md.original").read_text("utf-8") == original
    assert counts(place(Incoming((part,), 2), home.decks, Surroundings(loaded, built_in_decks()))) == (
        0,
        0,
        2,
        0,
    )


def test_a_card_of_another_version_of_the_program_is_no_edit(
    bundle: Bundle, around: Surroundings, home: Home
) -> None:
    deck = next(deck for deck in bundle.decks if deck.name == "rope")
    recalls = [entry for entry in deck.entries if entry.kind == "recall"][:2]
    old, edited = (replace(entry, answer="As it was once.") for entry in recalls)
    part = DeckText("rope", "Rope", "", (old, edited))
    shipped = {old.id: content_hash(old), edited.id: content_hash(recalls[1])}
    placed = place(Incoming((part,), 2, shipped=shipped), home.decks, around)
    assert counts(placed) == (0, 1, 0, 1)
    assert placed.kept_ids == (old.id,)
    loaded = load_library(home, Config())
    assert loaded.cards[old.id].answer == recalls[0].answer
    assert loaded.cards[edited.id].answer == "As it was once."


def test_an_id_of_another_folder_is_not_written_twice(tmp_path: Path, home: Home) -> None:
    other = tmp_path / "other"
    other.mkdir()
    (other / "theirs.md").write_text('# T\n\n## One?\n\n```toml card\nid = "one"\n```\n\nTheirs.\n', "utf-8")
    library = load_library(home, Config(), [other])
    placed = place(incoming(ONE, TWO), home.decks, Surroundings(library, built_in_decks()))
    assert counts(placed) == (2, 0, 0, 0)
    assert [loss.where for loss in placed.lost] == [f"one in {other / 'theirs.md'}"]
    assert not load_library(home, Config(), [other]).problems


def test_a_deck_of_another_folder_is_not_hidden(tmp_path: Path, home: Home) -> None:
    other = tmp_path / "other"
    other.mkdir()
    (other / "mine.md").write_text("# T\n\n## Theirs?\n\nTheirs.\n", "utf-8")
    library = load_library(home, Config(), [other])
    placed = place(incoming(ONE), home.decks, Surroundings(library, built_in_decks()))
    assert [deck.name for deck in placed.decks] == ["mine-imported"]
    loaded = load_library(home, Config(), [other])
    assert {"one", "mine/theirs"} <= set(loaded.cards)
