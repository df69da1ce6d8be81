"""An Anki collection in SQLite, of schema 11 (JSON columns) or 15 and later (tables): its notes, cards and log.

The file may be broken or hostile: it is opened read-only and immutable, views and virtual tables in the place of
tables are refused, and every value is taken as whatever it turns out to be.
"""

from __future__ import annotations

import datetime as dt
import json
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from functools import lru_cache, partial
from pathlib import Path
from typing import Any, NamedTuple

from quizapp.exchange.anki_package import broken
from quizapp.exchange.anki_protobuf import ProtobufError, message, number_of, text_of
from quizapp.text import one_line, without_surrogates


def _number(column: str) -> str:
    return f"CAST(coalesce({column}, 0) AS INTEGER)"


def _text(column: str) -> str:
    return f"CAST(coalesce({column}, '') AS TEXT)"


_LONGEST = 32 * 2**20
_MOST_TYPES = 10_000
# Columns of a broken file may hold anything: the casts make numbers and texts of it.
_NOTE_COLUMNS = ", ".join((_number("id"), _text("guid"), _number("mid"), _text("tags"), _text("flds")))
_CARD_COLUMNS = ", ".join(
    (
        *map(_number, ("nid", "id", "CASE WHEN odid THEN odid ELSE did END", "ord", "type", "queue")),
        _number("CASE WHEN odid AND odue THEN odue ELSE due END"),
        *map(_number, ("ivl", "reps", "lapses", "mod")),
        _text("data"),
    )
)
_LOG_COLUMNS = ", ".join(map(_number, ("id", "cid", "ease", "ivl", "factor", "time", "type")))
_NEEDED = ("col", "notes", "cards", "revlog")
_NEEDED_MODERN = ("notetypes", "fields", "templates", "decks", "config")
_TABLES = frozenset(_NEEDED + _NEEDED_MODERN)


class CardTemplate(NamedTuple):
    name: str
    front: str
    back: str


class ForeignType(NamedTuple):
    """A note type of the file: its fields in order, its templates by their places."""

    name: str
    cloze: bool
    fields: tuple[str, ...]
    templates: dict[int, CardTemplate]


class ForeignNote(NamedTuple):
    """A note with its cards, in the order of their places."""

    id: int
    guid: str
    notetype: int
    tags: tuple[str, ...]
    fields: list[str]
    cards: list[ForeignCard]


class ForeignCard(NamedTuple):
    """A row of ``cards``: for one in a filtered deck, ``deck`` and ``due`` are those of its home deck."""

    note: int
    id: int
    deck: int
    place: int
    type: int
    queue: int
    due: int
    interval: int
    reviews: int
    lapses: int
    modified: int
    data: str


class ForeignReview(NamedTuple):
    """A row of ``revlog``."""

    at: int
    card: int
    grade: int
    interval: int
    factor: int
    milliseconds: int
    kind: int


class Collection:
    """What a collection file holds. ``created`` is the study day from which due days count, ``zone`` its UTC offset."""

    def __init__(self, path: Path, shown: Path) -> None:
        """``shown`` is the file that messages name."""
        self._shown = shown
        address = f"{path.resolve().as_uri()}?mode=ro&immutable=1"
        self._database = sqlite3.connect(address, uri=True, isolation_level=None)
        try:
            with self._told():
                self._prepare()
                self._read_head()
        except BaseException:
            self._database.close()
            raise

    def close(self) -> None:
        self._database.close()

    @contextmanager
    def _told(self) -> Iterator[None]:
        """Say in one line what SQLite has to complain of."""
        try:
            yield
        except UnicodeDecodeError as error:
            # SQLite quotes names of the file in what it says, and these may be no UTF-8.
            raise broken(self._shown, "its collection is damaged") from error
        except (sqlite3.Error, ProtobufError, OverflowError) as error:
            raise broken(self._shown, f"its collection is damaged ({one_line(str(error))})") from error

    def _prepare(self) -> None:
        database = self._database
        # Text of a broken file may be no UTF-8.
        database.text_factory = partial(str, encoding="utf-8", errors="replace")
        database.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, _LONGEST)
        database.create_collation("unicase", _unicase)
        database.execute("PRAGMA trusted_schema = OFF")
        tables = {
            str(name): str(sql)
            for name, sql in database.execute("SELECT name, sql FROM sqlite_master WHERE type = 'table'")
        }
        for name in _NEEDED:
            if name not in tables or not tables[name].upper().startswith("CREATE TABLE"):
                raise broken(self._shown, f"its collection has no table {name}")
        for name in _TABLES & tables.keys():
            # A computed column (2 and 3) makes any amount of text of a small file.
            columns = database.execute("SELECT hidden FROM pragma_table_xinfo(?)", (name,))
            if any(hidden in (2, 3) for (hidden,) in columns):
                raise broken(self._shown, f"the table {name} of its collection has computed columns")
        self._modern = "notetypes" in tables
        if self._modern:
            for name in _NEEDED_MODERN:
                if not tables.get(name, "").upper().startswith("CREATE TABLE"):
                    raise broken(self._shown, f"its collection has no table {name}")

    def _read_head(self) -> None:
        row = self._database.execute("SELECT crt, conf, models, decks FROM col").fetchone()
        if row is None:
            raise broken(self._shown, "its collection is empty")
        if self._modern:
            conf = {
                str(key): _json(value)
                for key, value in self._database.execute(
                    "SELECT key, val FROM config WHERE key IN ('creationOffset', 'localOffset', 'rollover')"
                )
            }
            self.types = self._modern_types()
            self.decks = self._modern_decks()
        else:
            conf = _table(_json(row[1]))
            self.types = dict(_old_types(_table(_json(row[2]))))
            self.decks = {
                _int(key): (_str(deck.get("name")), _str(deck.get("desc")), bool(deck.get("md")))
                for key, deck in _table(_json(row[3])).items()
                if isinstance(deck, dict)
            }
        self.zone, self.created = _clock(_int(row[0]), conf)

    def _modern_types(self) -> dict[int, ForeignType]:
        """Rows of fields and templates whose note type was deleted stay behind in Anki's exports: they are skipped."""
        found: dict[int, tuple[str, bool, list[str], dict[int, CardTemplate]]] = {}
        for key, name, config in self._rows("SELECT id, name, config FROM notetypes"):
            found[_int(key)] = (_str(name), number_of(_bytes(config), 1) == 1, [], {})
        for key, name in self._rows("SELECT ntid, name FROM fields ORDER BY ntid, ord"):
            if (owner := found.get(_int(key))) is not None:
                owner[2].append(_str(name))
        for key, place, name, config in self._rows("SELECT ntid, ord, name, config FROM templates"):
            if (owner := found.get(_int(key))) is not None:
                data = _bytes(config)
                owner[3][_int(place)] = CardTemplate(_str(name), text_of(data, 1), text_of(data, 2))
        return {
            key: ForeignType(name, cloze, tuple(fields), templates)
            for key, (name, cloze, fields, templates) in found.items()
        }

    def _modern_decks(self) -> dict[int, tuple[str, str, bool]]:
        found: dict[int, tuple[str, str, bool]] = {}
        for key, name, kind in self._rows("SELECT id, name, kind FROM decks"):
            description, markdown = "", False
            for number, value in message(_bytes(kind)):
                if number == 1 and isinstance(value, bytes):
                    description, markdown = text_of(value, 4), bool(number_of(value, 5))
            found[_int(key)] = (_str(name).replace("\x1f", "::"), description, markdown)
        return found

    def _rows(self, query: str) -> list[tuple[Any, ...]]:
        rows = self._database.execute(query).fetchmany(_MOST_TYPES + 1)
        if len(rows) > _MOST_TYPES:
            raise broken(self._shown, "its collection has absurdly many note types or decks")
        return rows

    def count(self) -> int:
        """The number of notes."""
        with self._told():
            return _int(self._database.execute("SELECT count(*) FROM notes").fetchone()[0])

    def notes(self) -> Iterator[ForeignNote]:
        """All notes, the oldest first, each with its cards."""
        with self._told():
            cards = self._database.execute(f"SELECT {_CARD_COLUMNS} FROM cards ORDER BY nid, ord")
            ahead = next(cards, None)
            query = f"SELECT {_NOTE_COLUMNS} FROM notes ORDER BY id"
            for key, guid, kind, tags, fields in self._database.execute(query):
                own: list[ForeignCard] = []
                while ahead is not None and ahead[0] <= key:
                    if ahead[0] == key:
                        own.append(ForeignCard._make(ahead))
                    ahead = next(cards, None)
                yield ForeignNote(key, guid, kind, _split_tags(tags), fields.split("\x1f"), own)

    def reviews(self) -> Iterator[ForeignReview]:
        """The whole log, the oldest first."""
        with self._told():
            for row in self._database.execute(f"SELECT {_LOG_COLUMNS} FROM revlog ORDER BY id"):
                yield ForeignReview._make(row)


@lru_cache(maxsize=10_000)
def _split_tags(text: str) -> tuple[str, ...]:
    return tuple(text.split())


def _old_types(models: dict[str, Any]) -> Iterator[tuple[int, ForeignType]]:
    for key, model in models.items():
        if not isinstance(model, dict):
            continue
        fields = [_table(field) for field in _list(model.get("flds"))]
        fields.sort(key=lambda field: _int(field.get("ord")))
        templates = [_table(template) for template in _list(model.get("tmpls"))]
        yield (
            _int(key),
            ForeignType(
                _str(model.get("name")),
                _int(model.get("type")) == 1,
                tuple(_str(field.get("name")) for field in fields),
                {
                    _int(template.get("ord")): CardTemplate(
                        _str(template.get("name")), _str(template.get("qfmt")), _str(template.get("afmt"))
                    )
                    for template in templates
                },
            ),
        )


def _clock(created: int, conf: dict[str, Any]) -> tuple[dt.timezone, dt.date]:
    """The collection's UTC offset and its first study day.

    Without a stored offset it follows from the moment of creation, which lies at the hour the day starts.
    """
    rollover = conf.get("rollover")
    start = rollover if isinstance(rollover, int) and 0 <= rollover < 24 else 4
    moment = dt.datetime.fromtimestamp(min(max(created, 0), 2**33), dt.UTC)
    west = conf.get("localOffset", conf.get("creationOffset"))
    if not isinstance(west, int) or abs(west) >= 24 * 60:
        clock = moment.hour * 60 + moment.minute
        west = (clock - start * 60 + 12 * 60) % (24 * 60) - 12 * 60
    first = conf.get("creationOffset", west)
    first = first if isinstance(first, int) and abs(first) < 24 * 60 else west
    local = moment - dt.timedelta(minutes=first) - dt.timedelta(hours=start)
    return dt.timezone(dt.timedelta(minutes=-west)), local.date()


def _unicase(one: str, other: str) -> int:
    a, b = one.casefold(), other.casefold()
    return (a > b) - (a < b)


def _json(text: object) -> Any:
    try:
        return json.loads(text if isinstance(text, bytes) else str(text or "{}"))
    except (ValueError, RecursionError):
        return {}


def _table(value: object) -> dict[str, Any]:
    return value if isinstance(value, dict) else {}


def _list(value: object) -> list[Any]:
    return value if isinstance(value, list) else []


def _str(value: object) -> str:
    if isinstance(value, bytes):
        return value.decode("utf-8", "replace")
    return "" if value is None else without_surrogates(str(value))


def _bytes(value: object) -> bytes:
    return value if isinstance(value, bytes) else b""


def _int(value: object) -> int:
    """A number from a column that may hold anything; what is none counts as 0."""
    try:
        return int(value)  # type: ignore[call-overload, no-any-return]
    except (TypeError, ValueError, OverflowError):
        return 0
