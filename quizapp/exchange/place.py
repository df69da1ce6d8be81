"""From what was read to ordinary deck files in a folder: only what changed is written, and edits made here stay."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal
from urllib.parse import unquote

import msgspec
from msgspec.structs import replace

from quizapp.decks.entry import Entry
from quizapp.decks.render import render_file, written
from quizapp.decks.write import original_note, write_text
from quizapp.exchange.cards_of import cards_of, fit_id
from quizapp.exchange.changed import content_hash
from quizapp.exchange.deck_file import DeckFile, read_deck_file, spliced
from quizapp.exchange.imported import Imported, imported_path, read_imported, remembered
from quizapp.exchange.losses import Losses
from quizapp.exchange.media import named
from quizapp.exchange.model import DeckText, ExchangeError, Incoming, Loss, Progress, silent
from quizapp.exchange.place_media import MediaPlan
from quizapp.exchange.surroundings import Surroundings, There, deck_name

Change = Literal["added", "updated", "unchanged", "kept"]
_NO_ANSWER = "*(no answer)*"
_EARLIER = "yours is newer: the file holds a version that was here before"
_BOTH = "yours, which was changed too; --replace takes the file's"
_UNKNOWN = "yours, which differs; --replace takes the file's"
_SHIPPED = "as this version of the program ships it; the file has that of another version"
_DELETED = "left out, as you took it out of your deck; --replace brings it back"


class PlacedDeck(msgspec.Struct, frozen=True):
    """One deck file after an import: how many cards are new, changed, as they were, or yours and not the file's."""

    name: str
    path: str
    added: int = 0
    updated: int = 0
    unchanged: int = 0
    kept: int = 0


class Placed(msgspec.Struct, frozen=True):
    """What an import did to the decks.

    ``kept`` says why cards stayed as they were here although the file has others, ``kept_ids`` which; ``lost`` what
    could not be placed, ``said`` what else there is to know; ``written`` are the files.
    """

    decks: tuple[PlacedDeck, ...] = ()
    media: int = 0
    kept: tuple[Loss, ...] = ()
    kept_ids: tuple[str, ...] = ()
    lost: tuple[Loss, ...] = ()
    said: tuple[str, ...] = ()
    written: tuple[str, ...] = ()


def place(
    incoming: Incoming,
    target: Path,
    around: Surroundings,
    *,
    replace_edits: bool = False,
    dry_run: bool = False,
    progress: Progress = silent,
) -> Placed:
    """Write the decks of ``incoming`` into the folder ``target``; with ``dry_run`` only say what would happen.

    Raises ExchangeError where a file cannot be read or written.
    """
    try:
        with tempfile.TemporaryDirectory(prefix="quizapp-") as spool:
            placing = _Placing(incoming, target, around, Path(spool), replace_edits)
            placed = placing.run(progress)
            return placed if dry_run else placing.write(placed)
    except OSError as error:
        where = Path(error.filename or target)
        if where.name.startswith("."):
            # The temporary name says nothing to anyone.
            where = where.parent
        raise ExchangeError(
            f"{where}: {(error.strerror or str(error)).lower()}; nothing more was written"
        ) from None


@dataclass
class _Changes:
    """What happens to one deck file; ``file`` is None while there is none."""

    name: str
    path: Path
    file: DeckFile | None
    title: str
    description: str
    # The Markdown of each entry, by its id.
    added: dict[str, str] = field(default_factory=dict)
    updated: dict[str, str] = field(default_factory=dict)
    cards: dict[str, int] = field(default_factory=dict)
    counts: dict[Change, int] = field(default_factory=lambda: dict.fromkeys(_CHANGES, 0))
    head: str | None = None
    text: bytes = b""

    def shown(self) -> Iterable[Path]:
        """The pictures that what is written names."""
        for name in named((*self.added.values(), *self.updated.values())):
            yield self.path.parent / name
            yield self.path.parent / unquote(name)

    def data(self) -> bytes:
        """The whole file as it will be."""
        if self.file is None:
            if self.text:
                return self.text
            return render_file(self.title, self.description, self.added.values()).encode()
        return spliced(self.file, self.updated, tuple(self.added.values()), self.head)


_CHANGES: tuple[Change, ...] = ("added", "updated", "unchanged", "kept")


class _Placing:
    """One import on its way into a folder."""

    def __init__(
        self, incoming: Incoming, target: Path, around: Surroundings, spool: Path, replace_edits: bool
    ) -> None:
        self._incoming = incoming
        self._target = target
        self._around = around
        self._replace_edits = replace_edits
        self._lost = Losses()
        self._kept = Losses()
        self._kept_ids: list[str] = []
        self._said: list[str] = []
        self._media = MediaPlan(incoming.media, target, spool, self._lost)
        self._before = read_imported(target)
        self._seen_entries = dict(self._before.entries)
        self._seen_decks = dict(self._before.decks)
        self._there = There(target, around)
        self._changes: dict[str, _Changes] = {}
        self._taken: set[str] = set()
        self._outputs: dict[Path, bytes] = {}

    # What is to be done

    def run(self, progress: Progress) -> Placed:
        total = sum(len(deck.entries) for deck in self._incoming.decks)
        done = 0
        for deck in self._incoming.decks:
            if not deck.entries:
                continue
            name = self._deck_name(deck.name)
            changes = self._changes_of(name, deck)
            found = self._media.entries(deck, name, changes.path)
            for old, entry in zip(deck.entries, found, strict=True):
                if done % 200 == 0:
                    progress(done, total)
                done += 1
                self._add(changes, old.id, entry)
            self._title(changes, deck)
            if (
                deck.text
                and changes.file is None
                and found == deck.entries
                and len(changes.added) == len(found)
            ):
                changes.text = deck.text
        progress(total, total)
        for changes in self._changes.values():
            self._settle(changes)
        self._media.keep_only({path for changes in self._changes.values() for path in changes.shown()})
        return self._placed()

    def _deck_name(self, name: str) -> str:
        name = deck_name(name)
        free = name if name in self._changes else self._there.free_name(name)
        if free != name:
            self._said.append(
                f"deck {name}: another of your folders has one of that name; this one is {free}"
            )
        return free

    def _changes_of(self, name: str, deck: DeckText) -> _Changes:
        if name not in self._changes:
            path = self._target.joinpath(*name.split("/")).with_name(name.rsplit("/", 1)[-1] + ".md")
            file = self._there.files.get(name) or self._there.taken_over(name)
            path = file.path if file else path
            if file is None or file.original:
                self._check_inside(path)
            self._changes[name] = _Changes(name, path, file, deck.title or _title_of(name), deck.description)
        return self._changes[name]

    def _check_inside(self, path: Path) -> None:
        """A new deck behind a link would be written where no library looks for it, and over what lies there."""
        inside = Path(os.path.realpath(path.parent)).is_relative_to(os.path.realpath(self._target))
        if not inside or path.is_symlink():
            raise ExchangeError(
                f"{path}: a link leads out of the folder; remove it, or import --into the folder that it names"
            )

    def _add(self, changes: _Changes, old: str, entry: Entry) -> None:
        identity = fit_id(old)
        if identity in self._taken:
            self._lost.add("a second card with an id that stands in the file already", old)
            return
        self._taken.add(identity)
        entry, text = written(self._answered(replace(entry, id=identity)))
        home = self._there.homes.get(identity)
        if (
            home is None
            and identity in self._there.outside
            and self._there.outside[identity][0].name != changes.name
        ):
            home = self._home_outside(identity, entry)
            if home is None:
                return
        if home is not None and home.name != changes.name:
            # It was moved to another file here, and stays there.
            changes = self._changes_of(home.name, DeckText(home.name, home.deck.title, home.deck.description))
        there = changes.file.entries.get(identity) if changes.file else None
        change = self._decide(identity, entry, there, changes)
        changes.cards[identity] = len(cards_of(entry))
        changes.counts[change] += changes.cards[identity]
        if change in ("added", "updated"):
            getattr(changes, change)[identity] = text

    def _answered(self, entry: Entry) -> Entry:
        """A card whose answer came to nothing on the way says so, and waits for its author; a tag stands once."""
        tags = tuple(dict.fromkeys(entry.fields.tags))
        if len(tags) < len(entry.fields.tags):
            entry = replace(entry, fields=replace(entry.fields, tags=tags))
        if entry.kind != "recall" or entry.answer.strip() or entry.fields.points:
            return entry
        self._lost.add("an answer: it holds nothing that a deck can show; the card says so", entry.id)
        return replace(entry, answer=_NO_ANSWER)

    def _home_outside(self, identity: str, entry: Entry) -> DeckFile | None:
        """The deck elsewhere that has this id, taken over where it is built in; None where nothing is to be done."""
        deck, there = self._there.outside[identity]
        if self._there.is_built_in(deck):
            taken = self._there.files.get(deck.name) or self._there.taken_over(deck.name)
            if taken is not None:
                return taken
        if there == entry:
            self._kept.add("as it is in another of your decks", f"{identity} in {deck.path}")
        else:
            self._lost.add(
                "a card whose id stands in a deck outside this folder; import --into the folder of that deck",
                f"{identity} in {deck.path}",
            )
        return None

    def _decide(self, identity: str, entry: Entry, there: Entry | None, changes: _Changes) -> Change:
        incoming = content_hash(entry)
        imported = self._seen_entries.get(identity, ())
        exported = self._around.exported.get(identity)
        self._seen_entries[identity] = remembered(imported, incoming)
        if there is None:
            if not imported or self._replace_edits or changes.file is None:
                return "added"
            return self._keep(_DELETED, identity)
        if there == entry:
            return "unchanged"
        if self._replace_edits:
            return "updated"
        known = (*imported, *(exported.seen if exported else ()))
        if incoming in known:
            return self._keep(_EARLIER, identity)
        original = self._there.is_original(there, changes.file)
        if original and self._incoming.shipped.get(identity) == incoming:
            return self._keep(_SHIPPED, identity)
        if original or content_hash(there) in known:
            return "updated"
        return self._keep(_BOTH if known else _UNKNOWN, identity)

    def _keep(self, why: str, identity: str) -> Change:
        self._kept.add(why, identity)
        self._kept_ids.append(identity)
        return "kept"

    def _title(self, changes: _Changes, deck: DeckText) -> None:
        """A new title or description is taken unless it was changed here."""
        incoming = _title_hash(deck.title, deck.description)
        seen = self._seen_decks.get(changes.name, ())
        self._seen_decks[changes.name] = remembered(seen, incoming)
        file = changes.file
        if file is None or file.original is not None:
            return
        here = _title_hash(file.deck.title, file.deck.description)
        if here != incoming and (self._replace_edits or (here in seen and incoming not in seen)):
            changes.head = render_file(deck.title, deck.description, ()).rstrip("\n")

    def _settle(self, changes: _Changes) -> None:
        """Compose the file, and leave out what a deck cannot hold, with the reason that the reader of decks gives."""
        while changes.added or changes.updated or changes.head:
            data = changes.data()
            deck = read_deck_file(changes.path, changes.name, data)
            wanted = {**changes.added, **changes.updated}
            missing = [name for name in wanted if name not in deck.entries]
            if not missing or changes.text:
                self._outputs[changes.path] = data
                return
            for name in missing:
                self._lost.add(_why(wanted[name]), name)
                change: Change = "added" if changes.added.pop(name, None) else "updated"
                changes.updated.pop(name, None)
                changes.counts[change] -= changes.cards[name]
                self._seen_entries.pop(name, None)

    # What came of it

    def _placed(self) -> Placed:
        decks = tuple(
            PlacedDeck(
                changes.name,
                str(self._shown_path(changes)),
                **{change: changes.counts[change] for change in _CHANGES},
            )
            for changes in self._changes.values()
            if any(changes.counts.values())
        )
        media = [path for path in self._media.files if not path.exists()]
        return Placed(
            decks=decks,
            media=len(media),
            kept=self._kept.grouped(),
            kept_ids=tuple(self._kept_ids),
            lost=self._lost.grouped(),
            said=tuple(self._said),
            written=tuple(map(str, (*media, *self._outputs))),
        )

    def _after(self) -> Imported:
        """What is remembered from now on: nothing of a built-in deck that stays where it is."""
        left = {c.name: c for c in self._changes.values() if self._shown_path(c) != c.path}
        gone = {name for changes in left.values() if changes.file for name in changes.file.entries}
        return Imported(
            {name: seen for name, seen in self._seen_entries.items() if name not in gone},
            {name: seen for name, seen in self._seen_decks.items() if name not in left},
        )

    def _shown_path(self, changes: _Changes) -> Path:
        """Where the deck is: a built-in one that nothing changed stays where it was."""
        original = changes.file.original if changes.file else None
        return original if original and changes.path not in self._outputs else changes.path

    def write(self, placed: Placed) -> Placed:
        """Pictures first, so that no deck names one that is not there yet."""
        for path, copy in self._media.files.items():
            if not path.exists():
                path.parent.mkdir(parents=True, exist_ok=True)
                write_text(path, copy.read_bytes())
        for path, data in self._outputs.items():
            path.parent.mkdir(parents=True, exist_ok=True)
            original = next(
                (c.file.original for c in self._changes.values() if c.file and c.path == path), None
            )
            if original is not None:
                write_text(original_note(path), original.read_bytes())
            write_text(path, data)
        after = self._after()
        if after != self._before and self._target.is_dir():
            write_text(imported_path(self._target), msgspec.json.format(msgspec.json.encode(after), indent=1))
        return placed


def _title_of(name: str) -> str:
    return name.rsplit("/", 1)[-1].replace("-", " ").capitalize()


def _title_hash(title: str, description: str) -> str:
    return content_hash(Entry("", "recall", " ".join(title.split()), description.strip()))


def _why(text: str) -> str:
    """What the reader of decks says about an entry that it does not take."""
    problems = read_deck_file(Path("x.md"), "x", f"# t\n\n{text}\n".encode()).deck.problems
    return next(
        (p.message for p in problems if p.level == "error"), "an id that this deck gives to another card"
    )
