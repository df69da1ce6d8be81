"""The registry: which format a file is, and files that are written whole or not at all."""

from __future__ import annotations

import errno
import importlib
import os
import zipfile
from pathlib import Path

import pytest

from quizapp.exchange import json_format
from quizapp.exchange.model import Bundle, Cancelled, ExchangeError, Progress, ReadOptions, Written, silent
from quizapp.exchange.registry import FORMATS, format_to_read, format_to_write, read_file, write_file


@pytest.mark.parametrize("name", FORMATS)
def test_every_format_has_what_it_says(name: str) -> None:
    found = FORMATS[name]
    module = importlib.import_module(f"quizapp.exchange.{found.module}")
    assert hasattr(module, "write") == found.writes
    assert hasattr(module, "read") == found.reads


@pytest.mark.parametrize(
    ("file", "expected"),
    [
        ("a.apkg", "apkg"), ("a.TXT", "anki-text"), ("a.csv", "csv"), ("a.tsv", "tsv"), ("a.json", "json"),
        ("a.html", "html"), ("a.htm", "html"), ("a.md", "md"), ("a.mochi", "mochi"),
    ],
)  # fmt: skip
def test_the_extension_says_what_is_written(file: str, expected: str, tmp_path: Path) -> None:
    assert format_to_write(tmp_path / file).name == expected
    assert format_to_write(tmp_path / file, "hashcards").name == "hashcards"


@pytest.mark.parametrize(
    ("name", "content", "expected"),
    [
        ("a.md", "# Deck\n\n## Q?\n\nYes.\n", "md"),
        ("a.md", "Q: what?\nA: that\n", "hashcards"),
        ("a.md", "C: The [sky] is blue\n", "hashcards"),
        ("a.md", "# Notes #flashcards\n\nfront::back\n", "hashcards"),
        ("a.md", "A question\n?\nits answer\n", "hashcards"),
        ("a.md", "# Deck\n\n## Q?\n\n```\nQ: a\nstd::vector\n```\n", "md"),
        ("a.csv", "front,back\na,b\n", "csv"),
        ("a.csv", "#separator:Comma\n#html:true\na,b\n", "anki-text"),
        ("a.txt", "a\tb\n", "anki-text"),
        ("a.tsv", "a\tb\n", "tsv"),
        ("a.unknown", '\ufeff {"quizapp": 1}', "json"),
    ],
)
def test_what_a_file_holds_says_how_it_is_read(
    name: str, content: str, expected: str, tmp_path: Path
) -> None:
    path = tmp_path / name
    path.write_text(content, "utf-8")
    assert format_to_read(path).name == expected


@pytest.mark.parametrize(
    ("member", "expected"),
    [("collection.anki21b", "apkg"), ("collection.anki2", "apkg"), ("data.edn", "mochi")],
)
def test_a_zip_is_known_by_what_is_in_it(member: str, expected: str, tmp_path: Path) -> None:
    path = tmp_path / "download.zip"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr(member, "x")
    assert format_to_read(path).name == expected


@pytest.mark.parametrize(
    ("path", "name", "words"),
    [
        ("a.doc", None, "--format"),
        ("plain", None, "--format"),
        ("a.json", "jsn", "did you mean json?"),
        ("a.md", "nothing", "the formats are"),
    ],
)
def test_a_format_that_is_not_known_is_one_line(
    path: str, name: str | None, words: str, tmp_path: Path
) -> None:
    (tmp_path / path).write_text("x")
    for choose in (format_to_write, format_to_read):
        with pytest.raises(ExchangeError) as caught:
            choose(tmp_path / path, name)
        assert words in str(caught.value)
        assert "\n" not in str(caught.value)


def test_a_collection_is_read_and_never_written(tmp_path: Path) -> None:
    """Anki would replace a user's whole collection by it."""
    path = tmp_path / "mine.colpkg"
    with pytest.raises(ExchangeError, match=r"\.colpkg is no format"):
        format_to_write(path)
    path.write_bytes(b"")
    assert format_to_read(path).name == "apkg"


def test_a_study_sheet_cannot_be_read(tmp_path: Path) -> None:
    with pytest.raises(ExchangeError, match="can be written only"):
        format_to_read(tmp_path / "a.html", "html")


def test_an_export_that_fails_leaves_the_old_file_and_nothing_else(
    bundle: Bundle, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    target = tmp_path / "out.json"
    target.write_text("old")

    def stop(_: Bundle, target: Path, __: Progress = silent) -> Written:
        target.write_text("half")
        raise Cancelled

    monkeypatch.setattr(json_format, "write", stop)
    with pytest.raises(Cancelled):
        write_file(FORMATS["json"], bundle, target)
    assert [path.name for path in tmp_path.iterdir()] == ["out.json"]
    assert target.read_text() == "old"


def test_a_file_keeps_its_permissions_and_a_new_one_gets_the_usual(bundle: Bundle, tmp_path: Path) -> None:
    target = tmp_path / "out.json"
    mask = os.umask(0o022)
    try:
        write_file(FORMATS["json"], bundle, target)
        assert target.stat().st_mode & 0o777 == 0o644
        target.chmod(0o600)
        write_file(FORMATS["json"], bundle, target)
        assert target.stat().st_mode & 0o777 == 0o600
    finally:
        os.umask(mask)


def test_a_link_stays_a_link(bundle: Bundle, tmp_path: Path) -> None:
    (tmp_path / "real.json").write_text("old")
    (tmp_path / "link.json").symlink_to("real.json")
    write_file(FORMATS["json"], bundle, tmp_path / "link.json")
    assert (tmp_path / "link.json").is_symlink()
    assert (tmp_path / "real.json").read_text() != "old"


@pytest.mark.parametrize("code", [errno.EACCES, errno.ENOSPC, errno.EROFS])
def test_a_disk_that_refuses_is_one_line(
    code: int, bundle: Bundle, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(**_: object) -> tuple[int, str]:
        raise OSError(code, os.strerror(code))

    monkeypatch.setattr("quizapp.exchange.registry.tempfile.mkstemp", refuse)
    with pytest.raises(ExchangeError) as caught:
        write_file(FORMATS["json"], bundle, tmp_path / "out.json")
    assert str(caught.value) == f"{tmp_path / 'out.json'}: {os.strerror(code).lower()}"


def test_where_nothing_can_be_written_it_says_so(bundle: Bundle, tmp_path: Path) -> None:
    with pytest.raises(ExchangeError, match="this is a folder"):
        write_file(FORMATS["json"], bundle, tmp_path)
    with pytest.raises(ExchangeError, match="no such folder"):
        write_file(FORMATS["json"], bundle, tmp_path / "none" / "out.json")
    with pytest.raises(ExchangeError, match="no such file"):
        read_file(tmp_path / "none.json", ReadOptions())
    with pytest.raises(ExchangeError, match="folder"):
        read_file(tmp_path, ReadOptions(), "json")


def test_what_has_no_end_is_not_read(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.json")
    with pytest.raises(ExchangeError, match="to its end"):
        read_file(tmp_path / "pipe.json", ReadOptions())


def test_what_is_no_ordinary_file_is_not_replaced(bundle: Bundle, tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.json")
    (tmp_path / "loop.json").symlink_to(tmp_path / "loop.json")
    for name in ("pipe.json", "loop.json"):
        with pytest.raises(ExchangeError, match="no file that can be replaced"):
            write_file(FORMATS["json"], bundle, tmp_path / name)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["loop.json", "pipe.json"]
    assert (tmp_path / "pipe.json").is_fifo()


def test_a_link_to_a_file_stays_a_link(bundle: Bundle, tmp_path: Path) -> None:
    (tmp_path / "link.json").symlink_to(tmp_path / "real.json")
    write_file(FORMATS["json"], bundle, tmp_path / "link.json")
    assert (tmp_path / "link.json").is_symlink()
    assert (tmp_path / "real.json").is_file()
