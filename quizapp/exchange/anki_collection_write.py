"""A new Anki collection in SQLite, schema 11: what every version of Anki since 2.0 reads."""

from __future__ import annotations

import hashlib
import json
import re
import sqlite3
from collections.abc import Iterable, Iterator, Mapping
from html import unescape
from pathlib import Path
from typing import Any

from quizapp.exchange.anki_notetypes import CSS, NOTE_TYPES, NoteType

_SCHEMA = """
CREATE TABLE col (id integer PRIMARY KEY, crt integer NOT NULL, mod integer NOT NULL, scm integer NOT NULL,
  ver integer NOT NULL, dty integer NOT NULL, usn integer NOT NULL, ls integer NOT NULL, conf text NOT NULL,
  models text NOT NULL, decks text NOT NULL, dconf text NOT NULL, tags text NOT NULL);
CREATE TABLE notes (id integer PRIMARY KEY, guid text NOT NULL, mid integer NOT NULL, mod integer NOT NULL,
  usn integer NOT NULL, tags text NOT NULL, flds text NOT NULL, sfld integer NOT NULL, csum integer NOT NULL,
  flags integer NOT NULL, data text NOT NULL);
CREATE TABLE cards (id integer PRIMARY KEY, nid integer NOT NULL, did integer NOT NULL, ord integer NOT NULL,
  mod integer NOT NULL, usn integer NOT NULL, type integer NOT NULL, queue integer NOT NULL, due integer NOT NULL,
  ivl integer NOT NULL, factor integer NOT NULL, reps integer NOT NULL, lapses integer NOT NULL,
  left integer NOT NULL, odue integer NOT NULL, odid integer NOT NULL, flags integer NOT NULL, data text NOT NULL);
CREATE TABLE revlog (id integer PRIMARY KEY, cid integer NOT NULL, usn integer NOT NULL, ease integer NOT NULL,
  ivl integer NOT NULL, lastIvl integer NOT NULL, factor integer NOT NULL, time integer NOT NULL,
  type integer NOT NULL);
CREATE TABLE graves (usn integer NOT NULL, oid integer NOT NULL, type integer NOT NULL);
"""
# A package is read through once, so that Anki's other indexes would be a fifth of its size for nothing; by these two,
# versions before 2.1.55 look up each card and its log.
_INDEXES = """
CREATE INDEX ix_cards_nid ON cards (nid);
CREATE INDEX ix_revlog_cid ON revlog (cid);
"""
_DEFAULT_DECK = 1
_PRESET = 1_760_000_000_001
# Ids of decks are milliseconds of some day in Anki; ours lie below every real one of this century's second decade.
_FIRST_DECK = 1_262_304_000_000
_DECKS = 300_000_000_000
_SHA1 = hashlib.sha1(usedforsecurity=False)
_TAG = re.compile(r"<[^>]*>")

NoteRow = tuple[int, str, int, int, int, str, str, str, int, int, str]
CardRow = tuple[int, int, int, int, int, int, int, int, int, int, int, int, int, int, int, int, int, str]
ReviewRow = tuple[int, int, int, int, int, int, int, int, int]


class NewCollection:
    """A collection file on its way; rows are added in bulk, :meth:`finish` closes it."""

    def __init__(self, path: Path) -> None:
        self._database = sqlite3.connect(path, isolation_level=None)
        # The file is new and private: a crash leaves nothing that anyone would read.
        self._database.executescript(
            "PRAGMA page_size = 4096; PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF;"
            f"PRAGMA locking_mode = EXCLUSIVE; {_SCHEMA}"
        )
        self._database.execute("BEGIN")

    def add_notes(self, rows: Iterable[NoteRow]) -> None:
        self._database.executemany(f"INSERT INTO notes VALUES ({_marks(11)})", rows)

    def add_cards(self, rows: Iterable[CardRow]) -> None:
        self._database.executemany(f"INSERT INTO cards VALUES ({_marks(18)})", rows)

    def add_reviews(self, rows: Iterable[ReviewRow]) -> None:
        self._database.executemany(f"INSERT INTO revlog VALUES ({_marks(9)})", rows)

    def finish(
        self,
        *,
        created: int,
        modified: int,
        conf: Mapping[str, Any],
        decks: Mapping[str, Any],
        presets: Mapping[str, Any],
        tags: Iterable[str],
    ) -> None:
        """Write the one row of ``col``: ``created`` and ``modified`` in seconds since 1970."""
        models = {str(kind.id): model(kind) for kind in NOTE_TYPES.values()}
        self._database.execute(
            f"INSERT INTO col VALUES ({_marks(13)})",
            (
                1, created, modified * 1000, modified * 1000, 11, 0, 0, 0,
                *map(_json, (conf, models, decks, presets, dict.fromkeys(tags, -1))),
            ),
        )  # fmt: skip
        self._database.execute("COMMIT")
        self._database.executescript(_INDEXES)

    def close(self) -> None:
        self._database.close()


def model(kind: NoteType) -> dict[str, Any]:
    """A note type as schema 11 has it.

    Its ``mod`` is that of the schema, not of the export: a newer one would overwrite what the user changed in Anki.
    """
    return {
        "id": kind.id,
        "name": kind.name,
        "type": int(kind.cloze),
        "mod": kind.id // 1000,
        "usn": -1,
        "sortf": 0,
        "did": _DEFAULT_DECK,
        "tmpls": [
            {
                "name": kind.template.name, "ord": 0, "qfmt": kind.template.front, "afmt": kind.template.back,
                "bqfmt": "", "bafmt": "", "did": None, "bfont": "", "bsize": 0,
            }
        ],
        "flds": [
            {
                "name": name, "ord": place, "sticky": False, "rtl": False, "font": "Arial", "size": 20, "media": [],
                # The machine's field is folded away in Anki's editor, and its text is not what one searches for.
                "collapsed": name == kind.fields[-1], "excludeFromSearch": name == kind.fields[-1],
                "plainText": name == kind.fields[-1], "description": "",
            }
            for place, name in enumerate(kind.fields)
        ],
        "css": CSS,
        "latexPre": "\\documentclass[12pt]{article}\n\\usepackage{amssymb,amsmath}\n\\pagestyle{empty}\n"
        "\\setlength{\\parindent}{0in}\n\\begin{document}\n",
        "latexPost": "\\end{document}",
        "latexsvg": False,
        "req": [] if kind.cloze else [[0, "any", [0]]],
        "tags": [],
        "vers": [],
    }  # fmt: skip


def deck_id(name: str) -> int:
    """The id of a deck in Anki: it depends on its name alone."""
    digest = hashlib.blake2b(name.encode(), digest_size=8, person=b"quizapp").digest()
    return _FIRST_DECK + int.from_bytes(digest, "big") % _DECKS


def deck_rows(names: Mapping[str, str], modified: int, preset: int) -> dict[str, Any]:
    """The decks ``A::B`` with their descriptions (Markdown), with those that they lie in, and Anki's default deck."""
    rows = {"1": _deck(_DEFAULT_DECK, "Default", "", 0, _DEFAULT_DECK)}
    wanted = dict(names)
    for name in names:
        parts = name.split("::")
        for depth in range(1, len(parts)):
            wanted.setdefault("::".join(parts[:depth]), "")
    for name in sorted(wanted):
        rows[str(deck_id(name))] = _deck(deck_id(name), name, wanted[name], modified, preset)
    return rows


def _deck(key: int, name: str, description: str, modified: int, preset: int) -> dict[str, Any]:
    return {
        "id": key, "name": name, "desc": description, "md": bool(description), "mod": modified, "usn": -1,
        "dyn": 0, "conf": preset, "collapsed": False, "browserCollapsed": False, "extendNew": 0, "extendRev": 0,
        "newToday": [0, 0], "revToday": [0, 0], "lrnToday": [0, 0], "timeToday": [0, 0],
    }  # fmt: skip


def presets(
    retention: float, weights: tuple[float, ...], modified: int, *, own: bool
) -> tuple[int, dict[str, Any]]:
    """The deck options: Anki's defaults and, with a schedule, ours with the recall aimed at and the weights of FSRS."""
    rows = {"1": _preset(_DEFAULT_DECK, "Default", 0.9, (), 0)}
    if own:
        rows[str(_PRESET)] = _preset(_PRESET, "quizapp", retention, weights, modified)
    return (_PRESET if own else _DEFAULT_DECK), rows


def _preset(
    key: int, name: str, retention: float, weights: tuple[float, ...], modified: int
) -> dict[str, Any]:
    return {
        "id": key, "name": name, "mod": modified, "usn": -1, "maxTaken": 60, "autoplay": True, "timer": 0,
        "replayq": True, "dyn": False,
        "new": {
            "bury": True, "delays": [1.0, 10.0], "initialFactor": 2500, "ints": [1, 4, 0], "order": 1, "perDay": 20
        },
        "rev": {"bury": True, "ease4": 1.3, "ivlFct": 1.0, "maxIvl": 36500, "perDay": 200, "hardFactor": 1.2},
        "lapse": {"delays": [10.0], "leechAction": 1, "leechFails": 8, "minInt": 1, "mult": 0.0},
        "desiredRetention": retention, "fsrsParams6": list(weights),
    }  # fmt: skip


def conf(*, west: int, rollover: int, next_position: int, fsrs: bool) -> dict[str, Any]:
    """The collection's settings; ``west`` is the UTC offset in minutes, positive to the west."""
    return {
        "schedVer": 2, "sched2021": True, "rollover": rollover, "creationOffset": west, "localOffset": west,
        "nextPos": next_position, "fsrs": fsrs, "curDeck": 1, "activeDecks": [1],
        "curModel": NOTE_TYPES["recall"].id, "newSpread": 0, "collapseTime": 1200, "timeLim": 0, "estTimes": True,
        "dueCounts": True, "sortType": "noteFld", "sortBackwards": False, "addToCur": True, "dayLearnFirst": False,
    }  # fmt: skip


def sort_text(html: str) -> str:
    """A field without its HTML: what Anki sorts notes by and looks for duplicates with."""
    if "<" in html:
        html = _TAG.sub("", html)
    return unescape(html) if "&" in html else html


def checksum(text: str) -> int:
    """What Anki finds duplicates with: the first 32 bits of the first field's SHA-1."""
    digest = _SHA1.copy()
    digest.update(text.encode())
    return int.from_bytes(digest.digest()[:4], "big")


def _marks(count: int) -> str:
    return ", ".join("?" * count)


def _json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def unique(wanted: Iterable[int]) -> Iterator[int]:
    """Rising numbers made distinct: each one as wanted, or one more than the last."""
    last = -(2**62)
    for number in wanted:
        last = max(number, last + 1)
        yield last
