"""Packages that are broken or hostile: one clear line each, little memory, nothing left behind."""

from __future__ import annotations

import io
import json
import sqlite3
import tempfile
import tracemalloc
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest

from quizapp.exchange import anki_package
from quizapp.exchange.anki_package import Package, is_safe
from quizapp.exchange.apkg import read
from quizapp.exchange.model import ExchangeError, ReadOptions
from tests.exchange.anki_files import card, collection, note, package, stub, text_field, varint, zstd_compress

GOOD = collection([note(1, ["a", "b"])], [card(1, 1)])


def zipped(*members: tuple[str, bytes], method: int = zipfile.ZIP_DEFLATED) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", method) as file:
        for name, data in members:
            file.writestr(name, data)
    return out.getvalue()


def sql(statements: str) -> bytes:
    return collection([], [], extra=statements)


def encrypted() -> bytes:
    data = bytearray(zipped(("collection.anki2", GOOD)))
    for mark, at in ((b"PK\x03\x04", 6), (b"PK\x01\x02", 8)):
        data[data.index(mark) + at] |= 1
    return bytes(data)


def damaged() -> bytes:
    data = bytearray(zipped(("collection.anki2", GOOD)))
    data[200:240] = bytes(40)
    return bytes(data)


def directory_bomb() -> bytes:
    """An end record that claims a list of members of half a gigabyte."""
    data = bytearray(zipped(("collection.anki2", GOOD)))
    end = data.rindex(b"PK\x05\x06")
    data[end + 12 : end + 16] = (500_000_000).to_bytes(4, "little")
    return bytes(data)


def a_view() -> bytes:
    return sql(
        "DROP TABLE notes; CREATE VIEW notes AS WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n)"
        " SELECT i AS id, 'g' AS guid, 1 AS mid, '' AS tags, 'a' AS flds FROM n;"
    )


def misnamed(name: bytes) -> bytes:
    """A schema that SQLite finds malformed, and whose name (five bytes) it then quotes."""
    data = GOOD.replace(b"tablenotesnotes", b"table" + name + b"notes")
    return data.replace(b"CREATE TABLE notes", b"CREATE TABEL notes")


def computed() -> bytes:
    """Notes whose fields SQLite would make up, thirty megabytes each."""
    return sql(
        "CREATE TABLE made (id, guid, mid, mod, usn, tags, sfld, csum, flags, data, flds AS (hex(zeroblob(15000000))));"
        "INSERT INTO made SELECT id, guid, mid, mod, usn, tags, sfld, csum, flags, data FROM notes;"
        "DROP TABLE notes; ALTER TABLE made RENAME TO notes;"
    )


BROKEN: dict[str, tuple[Callable[[], bytes], str]] = {
    "empty": (lambda: b"", "it is empty"),
    "text": (lambda: b"hello " * 100, "not a zip file"),
    "truncated": (lambda: zipped(("collection.anki2", GOOD))[:-300], "not a zip file"),
    "no collection": (lambda: zipped(("readme", b"x")), "no Anki package"),
    "damaged": (damaged, "is damaged"),
    "encrypted": (encrypted, "encrypted"),
    "many members": (directory_bomb, "far too many files"),
    "newer": (lambda: zipped(("meta", b"\x08\x09"), ("collection.anki21b", b"")), "newer Anki"),
    "meta": (lambda: zipped(("meta", b"\xff\xff"), ("collection.anki2", GOOD)), "version cannot be read"),
    "meta without its file": (
        lambda: zipped(("meta", b"\x08\x03"), ("collection.anki2", stub())), "no collection.anki21b"
    ),
    "stub alone": (lambda: zipped(("collection.anki2", stub())), "nothing but a notice"),
    "not sqlite": (lambda: zipped(("collection.anki2", b"no database " * 900)), "collection is damaged"),
    "half a database": (lambda: zipped(("collection.anki2", GOOD[: len(GOOD) // 2])), "collection is damaged"),
    "names that are no text": (
        lambda: zipped(("collection.anki2", misnamed(b"\xec\xff\xfe.."))), "collection is damaged"
    ),
    "bzip2": (lambda: zipped(("collection.anki2", GOOD), method=zipfile.ZIP_BZIP2), "packed by a rare method"),
    "LZMA": (lambda: zipped(("collection.anki2", GOOD), method=zipfile.ZIP_LZMA), "packed by a rare method"),
    "many zstd frames": (
        lambda: zipped(("collection.anki21b", zstd_compress(b"") * 2000 + zstd_compress(GOOD))), "is damaged"
    ),
    "no tables": (lambda: zipped(("collection.anki2", sql("DROP TABLE cards"))), "no table cards"),
    "computed columns": (lambda: zipped(("collection.anki2", computed())), "notes of its collection has computed"),
    "a view": (lambda: zipped(("collection.anki2", a_view())), "no table notes"),
    "empty col": (lambda: zipped(("collection.anki2", sql("DELETE FROM col"))), "collection is empty"),
    "not zstd": (lambda: zipped(("collection.anki21b", b"no zstd")), "is damaged"),
    "half a zstd frame": (lambda: zipped(("collection.anki21b", zstd_compress(GOOD)[:-9])), "is damaged"),
    "huge zstd window": (
        lambda: zipped(("collection.anki21b", b"\x28\xb5\x2f\xfd\x00\xa8" + zstd_compress(GOOD)[5:])), "is damaged"
    ),
    "media list": (lambda: zipped(("collection.anki2", GOOD), ("media", b"{")), "list of media"),
    "media list of another kind": (lambda: zipped(("collection.anki2", GOOD), ("media", b"[1]")), "list of media"),
    "media list in protobuf": (
        lambda: zipped(("collection.anki21b", zstd_compress(GOOD)), ("media", zstd_compress(b"\x0a\x7f"))),
        "list of media",
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", BROKEN)
def test_a_broken_file_is_one_line(tmp_path: Path, name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "temporary"))
    (tmp_path / "temporary").mkdir()
    make, said = BROKEN[name]
    path = tmp_path / "bad.apkg"
    path.write_bytes(make())
    with pytest.raises(ExchangeError) as error:
        read(path, ReadOptions())
    text = str(error.value)
    assert said in text
    assert str(path) in text
    assert "\n" not in text
    assert not list((tmp_path / "temporary").iterdir())


def test_a_file_that_is_not_there_is_one_line(tmp_path: Path) -> None:
    with pytest.raises(ExchangeError, match=r"none\.apkg"):
        read(tmp_path / "none.apkg", ReadOptions())


def bomb(generation: int, size: int) -> bytes:
    """A valid database followed by zeros, which pack to almost nothing."""
    data = GOOD + bytes(size)
    if generation == 3:
        return zipped(("collection.anki21b", zstd_compress(data)))
    return zipped(("collection.anki2", data))


@pytest.mark.parametrize("generation", [1, 3])
def test_a_bomb_is_noticed_while_it_unpacks(tmp_path: Path, generation: int) -> None:
    path = tmp_path / "bomb.apkg"
    path.write_bytes(bomb(generation, 60_000_000))
    tracemalloc.start()
    try:
        with pytest.raises(ExchangeError, match="zip bomb"):
            read(path, ReadOptions())
        assert tracemalloc.get_traced_memory()[1] < 20_000_000
    finally:
        tracemalloc.stop()


@pytest.mark.parametrize("generation", [1, 3])
def test_sizes_are_counted_whatever_the_headers_say(
    tmp_path: Path, generation: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(anki_package, "MOST_COLLECTION", 10_000)
    path = package(tmp_path / "large.apkg", GOOD, generation)
    with pytest.raises(ExchangeError, match="more than"):
        read(path, ReadOptions())


def test_a_large_medium_is_refused_when_it_is_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    data = collection([note(1, ["<img src=a.png><img src=b.png>", "b"])], [card(1, 1)])
    path = package(tmp_path / "a.apkg", data, 3, {"a.png": bytes(5000), "b.png": b"small"})
    monkeypatch.setattr(anki_package, "MOST_MEDIUM", 1000)
    first, second = read(path, ReadOptions()).media
    with pytest.raises(ExchangeError, match="more than"):
        first.read()
    assert second.read() == b"small"
    monkeypatch.setattr(anki_package, "MOST_MEDIUM", 10_000)
    monkeypatch.setattr(anki_package, "MOST_MEDIA", 12_000)
    first.read()
    first.read()
    with pytest.raises(ExchangeError, match="media are larger"):
        first.read()


def test_a_note_of_absurd_size_is_left_out_and_said(tmp_path: Path) -> None:
    large, picture = "<b>x</b> " * 110_000, f'q <img src="data:image/png;base64,{"A" * 2_000_000}">'
    data = collection(
        [note(1, ["a", large]), note(2, ["a"] * 2000), note(3, [picture, "b"]), note(4, ["c", "d"])],
        [card(key, key) for key in range(1, 5)],
    )
    found = read(package(tmp_path / "x.apkg", data, 1), ReadOptions())
    assert [entry.heading for deck in found.decks for entry in deck.entries] == ["q", "c"]
    assert [(loss.what, loss.count) for loss in found.lost] == [
        ("a note of more than 900,000 characters", 2), ("a picture inside the page", 1)
    ]  # fmt: skip


@pytest.mark.parametrize(
    "name",
    ["../up.png", "/etc/passwd", "a/b.png", "a\\b.png", "..", ".", "", "c:x.png", "a\0b", "a\nb", " . "],
)
def test_names_that_lead_elsewhere_are_left_out(tmp_path: Path, name: str) -> None:
    assert not is_safe(name)
    data = collection([note(1, ["a", "b"])], [card(1, 1)])
    for generation in (1, 3):
        path = package(tmp_path / f"{generation}.apkg", data, generation, {name: b"x", "good.png": b"y"})
        opened = Package(path)
        assert set(opened.media()) == {"good.png"}
        assert [loss.what for loss in opened.lost] == ["a media file whose name leads out of its folder"]
        opened.close()


def test_a_listed_medium_that_is_missing_is_said(tmp_path: Path) -> None:
    data = collection([note(1, ["<img src=a.png>", "b"])], [card(1, 1)])
    path = tmp_path / "a.apkg"
    path.write_bytes(zipped(("collection.anki2", data), ("media", json.dumps({"0": "a.png"}).encode())))
    back = read(path, ReadOptions())
    assert [loss.what for loss in back.lost] == [
        "a media file that is not in the package", "a picture or sound that the file does not hold",
    ]  # fmt: skip


def test_columns_may_hold_anything(tmp_path: Path) -> None:
    notes = [
        (1, 5, "1", None, None, None, b"a\xff\x1fb", None, None, None, None),
        ("x", None, "no", 1, 1, 7, 7, 1, 1, 1, 1),
    ]
    cards = [
        (
            1, 1, 7, 0, None, None, "2", "2", 10**18, -5, None, "many", None, 0, 0, 0, 0,
            '{"s": "x", "d": [1], "lrt": 1e400}',
        ),
        (None, "x", "y", None, *[None] * 14),
    ]  # fmt: skip
    log = [(10**18, 1, None, 3, 10**18, 0, 10**18, -5, 99), ("a", "b", "c", "d", "e", "f", "g", "h", "i")]
    path = package(tmp_path / "a.apkg", collection(notes, cards, log=log), 1)
    back = read(path, ReadOptions())
    assert back.notes == 2
    assert [entry.heading for deck in back.decks for entry in deck.entries] == ["a\ufffd", "7"]


def test_deep_json_is_no_crash(tmp_path: Path) -> None:
    deep = "[" * 100_000
    data = sql(f"UPDATE col SET conf = '{deep}', models = '{deep}', decks = '{deep}'")
    back = read(package(tmp_path / "a.apkg", data, 1), ReadOptions())
    assert back.notes == 0


def test_the_file_is_only_read(tmp_path: Path) -> None:
    """A database in WAL mode asks to be written to when it is opened."""
    path = tmp_path / "wal.db"
    path.write_bytes(GOOD)
    database = sqlite3.connect(path)
    database.execute("PRAGMA journal_mode = WAL")
    database.execute("UPDATE notes SET tags = 'x'")
    database.commit()
    database.close()
    packed = package(tmp_path / "a.apkg", path.read_bytes(), 1)
    before = packed.read_bytes()
    assert read(packed, ReadOptions()).notes == 1
    assert packed.read_bytes() == before


def test_protobuf_that_never_ends_is_refused(tmp_path: Path) -> None:
    for media in (b"\x80" * 30, text_field(1, varint(5)), b"\x0b\x0c"):
        path = tmp_path / "a.apkg"
        path.write_bytes(zipped(("collection.anki21b", zstd_compress(GOOD)), ("media", zstd_compress(media))))
        with pytest.raises(ExchangeError, match="list of media"):
            read(path, ReadOptions())
