"""What every format writes and reads: plain immutable data between the library and a file."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Protocol

import msgspec

from quizapp.decks.entry import Entry
from quizapp.derivations.model import Derivation
from quizapp.errors import UsageError
from quizapp.review.types import CardState, Grade

if TYPE_CHECKING:
    # The registry is asked for the formats' names by --help, which opens no database.
    from quizapp.storage.fold import Entry as LogEntry

# Called with what is done and what there is to do; raises Cancelled to stop.
Progress = Callable[[int, int], None]


def silent(done: int, total: int) -> None:
    """The progress of someone who does not watch."""


class Cancelled(Exception):  # noqa: N818  (a wish, not an error)
    """The user stopped an import or export; nothing was written."""


class ExchangeError(UsageError):
    """A file that cannot be read or written: what, where, and how to mend it."""


class DeckText(msgspec.Struct, frozen=True):
    """A deck on its way: ``name`` is the slug path (``a/b``), ``title`` the heading, ``description`` Markdown.

    ``text`` is the deck file itself where one was read: it is then placed as it is.
    """

    name: str
    title: str
    description: str = ""
    entries: tuple[Entry, ...] = ()
    text: bytes = b""


class PastReview(msgspec.Struct, frozen=True):
    """One graded answer, of this program or another. ``at`` has its UTC offset; ``interval`` in days, 0 within a day.

    What another program did not keep is None: ``day``, ``due``, ``stability`` and ``difficulty`` are then computed
    by replaying the grades.
    """

    card: str
    grade: Grade
    at: dt.datetime
    seconds: float = 0.0
    interval: int | None = None
    day: dt.date | None = None
    due: dt.date | None = None
    stability: float | None = None
    difficulty: float | None = None
    confidence: float | None = None


class Media(Protocol):
    """A picture or sound that a deck refers to by its name."""

    @property
    def name(self) -> str: ...

    def read(self) -> bytes:
        """The whole file. Raises ExchangeError where it is too large or broken."""


class Bundle(msgspec.Struct, frozen=True):
    """What is exported.

    ``modified``: when each entry's content last changed, in seconds since 1970, by entry id. ``states`` and
    ``reviews`` (oldest first, undone ones left out) are empty without ``--with-schedule``. ``day`` is the study day
    now, ``day_start`` the hour at which it begins, ``retention`` the recall aimed at, ``now`` the moment.
    """

    decks: tuple[DeckText, ...]
    modified: Mapping[str, int]
    now: dt.datetime
    day: dt.date
    day_start: int
    retention: float
    with_schedule: bool = False
    states: Mapping[str, CardState] = {}
    reviews: tuple[PastReview, ...] = ()
    folder: str = ""  # where pictures that the decks name are looked for
    derivations: Mapping[str, Derivation] = {}  # those that cards step through, by id
    weights: tuple[float, ...] = ()  # of FSRS, where the user has their own
    log: tuple[
        LogEntry, ...
    ] = ()  # all that was done with the cards, in order, where the schedule goes along
    shipped: Mapping[str, str] = {}  # hashes of the entries that are as the program ships them
    own_derivations: Mapping[
        str, str
    ] = {}  # the TOML files of those that do not ship with the program, by id
    media: tuple[Media, ...] = ()  # the pictures that the decks name; ``name`` as it stands in their text


class Loss(msgspec.Struct, frozen=True):
    """Something that could not be kept: what and why, where (a row, a note, a card), and how often."""

    what: str
    where: str = ""
    count: int = 1


class Written(msgspec.Struct, frozen=True):
    """What an export did: counts, and what the format cannot carry."""

    entries: int
    cards: int
    lost: tuple[Loss, ...] = ()


class Incoming(msgspec.Struct, frozen=True):
    """What was read from a foreign file.

    ``notes`` is the number of notes (or rows) in the file; ``mapped`` says, a line each, what became what;
    ``states`` and ``reviews`` the schedule, where there is one, by card id (``ENTRY`` or ``ENTRY:1``); ``log`` is
    there instead where the file came from this program. ``media`` are the pictures and sounds; the text of a card
    names one as ``![...](NAME)``. ``derivations`` are TOML files by id,
    ``shipped`` the hashes that entries had as they came with the program that wrote the file.
    """

    decks: tuple[DeckText, ...]
    notes: int
    mapped: tuple[str, ...] = ()
    lost: tuple[Loss, ...] = ()
    states: Mapping[str, CardState] = {}
    reviews: tuple[PastReview, ...] = ()
    media: tuple[Media, ...] = ()
    log: tuple[LogEntry, ...] = ()
    derivations: Mapping[str, str] = {}
    shipped: Mapping[str, str] = {}


class ReadOptions(msgspec.Struct, frozen=True):
    """How to read. ``deck`` names the deck for files that name none; ``columns`` maps a table's columns to parts of a
    card (``{"Front": "heading"}``) where their names do not say it; ``day_start`` is the hour the study day begins.
    """

    deck: str = ""
    columns: Mapping[str, str] = {}
    day_start: int = 4
    progress: Progress = silent
