"""Anki packages made by hand from the description of the format, for the reader to be tried on."""

from __future__ import annotations

import json
import sqlite3
import sys
import tempfile
import zipfile
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

if sys.version_info >= (3, 14):
    from compression import zstd
else:
    from backports import zstd

CREATED = 1_790_000_000 // 86400 * 86400 + 4 * 3600  # 04:00 UTC
TABLES = """
CREATE TABLE notes (id, guid, mid, mod, usn, tags, flds, sfld, csum, flags, data);
CREATE TABLE cards (id, nid, did, ord, mod, usn, type, queue, due, ivl, factor, reps, lapses, left, odue, odid,
  flags, data);
CREATE TABLE revlog (id, cid, usn, ease, ivl, lastIvl, factor, time, type);
"""
BASIC = {
    "name": "Basic",
    "fields": ["Front", "Back"],
    "templates": [("{{Front}}", "{{FrontSide}}<hr id=answer>{{Back}}")],
}
STUB = "Please update to the latest Anki version, then import the .colpkg/.apkg file again."


def note(
    key: int, fields: Sequence[str], *, kind: int = 1, tags: str = "", guid: str = ""
) -> tuple[Any, ...]:
    return (key, guid or f"guid{key}", kind, 1, -1, tags, "\x1f".join(fields), "", 0, 0, "")


def card(key: int, of: int, place: int = 0, deck: int = 7, **values: Any) -> tuple[Any, ...]:
    names = ("type", "queue", "due", "ivl", "factor", "reps", "lapses", "left", "odue", "odid", "flags")
    row = [values.get(name, 0) for name in names]
    return (key, of, deck, place, values.get("mod", 1), -1, *row, values.get("data", ""))


def collection(
    notes: Iterable[tuple[Any, ...]],
    cards: Iterable[tuple[Any, ...]],
    *,
    types: Mapping[int, Mapping[str, Any]] | None = None,
    decks: Mapping[int, str] | None = None,
    log: Iterable[tuple[Any, ...]] = (),
    modern: bool = False,
    extra: str = "",
) -> bytes:
    """The bytes of a collection, of schema 11 or 18."""
    types = types or {1: BASIC}
    decks = decks or {1: "Default", 7: "Some::Deck"}
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "c.db")
        database = sqlite3.connect(path)
        database.create_collation("unicase", lambda a, b: (a > b) - (a < b))
        database.executescript(TABLES)
        if modern:
            _modern(database, types, decks)
        else:
            _old(database, types, decks)
        database.executemany(f"INSERT INTO notes VALUES ({', '.join('?' * 11)})", notes)
        database.executemany(f"INSERT INTO cards VALUES ({', '.join('?' * 18)})", cards)
        database.executemany(f"INSERT INTO revlog VALUES ({', '.join('?' * 9)})", log)
        database.executescript(extra)
        database.commit()
        database.close()
        return path.read_bytes()


def _old(
    database: sqlite3.Connection, types: Mapping[int, Mapping[str, Any]], decks: Mapping[int, str]
) -> None:
    models = {
        str(key): {
            "name": kind["name"], "type": int(kind.get("cloze", False)),
            "flds": [{"name": name, "ord": place} for place, name in enumerate(kind["fields"])],
            "tmpls": [
                {"name": f"Card {place + 1}", "ord": place, "qfmt": front, "afmt": back}
                for place, (front, back) in enumerate(kind["templates"])
            ],
        }
        for key, kind in types.items()
    }  # fmt: skip
    rows = {str(key): {"name": name, "desc": "<b>About</b> it"} for key, name in decks.items()}
    database.execute("CREATE TABLE col (id, crt, conf, models, decks)")
    conf = json.dumps({"creationOffset": 0, "rollover": 4})
    database.execute(
        "INSERT INTO col VALUES (1, ?, ?, ?, ?)", (CREATED, conf, json.dumps(models), json.dumps(rows))
    )


def _modern(
    database: sqlite3.Connection, types: Mapping[int, Mapping[str, Any]], decks: Mapping[int, str]
) -> None:
    database.executescript(
        """
        CREATE TABLE col (id, crt, conf, models, decks);
        CREATE TABLE config (key, usn, mtime_secs, val);
        CREATE TABLE notetypes (id, name TEXT COLLATE unicase, mtime_secs, usn, config);
        CREATE TABLE fields (ntid, ord, name TEXT COLLATE unicase, config, PRIMARY KEY (ntid, ord)) WITHOUT ROWID;
        CREATE TABLE templates (ntid, ord, name TEXT COLLATE unicase, mtime_secs, usn, config);
        CREATE TABLE decks (id, name TEXT COLLATE unicase, mtime_secs, usn, common, kind);
        CREATE UNIQUE INDEX idx_decks_name ON decks (name);
        """
    )
    database.execute("INSERT INTO col VALUES (1, ?, '', '', '')", (CREATED,))
    database.execute("INSERT INTO config VALUES ('creationOffset', 0, 0, ?)", (b"0",))
    for key, kind in types.items():
        config = b"\x08\x01" if kind.get("cloze") else b""
        database.execute("INSERT INTO notetypes VALUES (?, ?, 0, 0, ?)", (key, kind["name"], config))
        for place, name in enumerate(kind["fields"]):
            database.execute("INSERT INTO fields VALUES (?, ?, ?, x'')", (key, place, name))
        for place, (front, back) in enumerate(kind["templates"]):
            config = text_field(1, front) + text_field(2, back)
            database.execute("INSERT INTO templates VALUES (?, ?, 'Card 1', 0, 0, ?)", (key, place, config))
    # What a deleted note type leaves behind in Anki's exports.
    database.execute("INSERT INTO fields VALUES (999, 0, 'Orphan', x'')")
    database.execute("INSERT INTO templates VALUES (999, 0, 'Orphan', 0, 0, x'0a0178')")
    for key, name in decks.items():
        kind_of = text_field(1, text_field(4, "<b>About</b> it"))
        database.execute(
            "INSERT INTO decks VALUES (?, ?, 0, 0, x'', ?)", (key, name.replace("::", "\x1f"), kind_of)
        )


def text_field(number: int, text: str | bytes) -> bytes:
    """A length-delimited protobuf field."""
    data = text.encode() if isinstance(text, str) else text
    return bytes([number << 3 | 2]) + varint(len(data)) + data


def varint(value: int) -> bytes:
    out = b""
    while value > 127:
        out += bytes([value & 127 | 128])
        value >>= 7
    return out + bytes([value])


def stub() -> bytes:
    """The collection that Anki puts beside the real one."""
    return collection([note(1, [STUB, ""])], [card(1, 1)])


def zstd_compress(data: bytes) -> bytes:
    """One zstd frame."""
    return bytes(zstd.compress(data))


def package(path: Path, data: bytes, generation: int, media: Mapping[str, bytes] | None = None) -> Path:
    """A package of one of the three generations around a collection."""
    media = media or {}
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as file:
        if generation > 1:
            file.writestr("meta", bytes([8, generation]))
            file.writestr("collection.anki2", stub())
        if generation == 3:
            file.writestr("collection.anki21b", zstd.compress(data))
            entries = b"".join(text_field(1, text_field(1, name)) for name in media)
            file.writestr("media", zstd.compress(entries))
        else:
            file.writestr("collection.anki21" if generation == 2 else "collection.anki2", data)
            file.writestr("media", json.dumps({str(at): name for at, name in enumerate(media)}))
        for at, content in enumerate(media.values()):
            file.writestr(str(at), zstd.compress(content) if generation == 3 else content)
    return path
