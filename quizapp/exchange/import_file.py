"""An import from end to end, for the command and the app alike: read, place, unite the logs, report."""

from __future__ import annotations

import datetime as dt
import os
from collections.abc import Callable, Collection, Sequence
from pathlib import Path
from typing import Any

import msgspec

from quizapp.config import Config
from quizapp.decks.library import Library, built_in_decks
from quizapp.exchange.cards_of import card_count
from quizapp.exchange.changed import read_versions
from quizapp.exchange.history import log_rows, settled
from quizapp.exchange.losses import Losses
from quizapp.exchange.model import ExchangeError, Incoming, Loss, ReadOptions
from quizapp.exchange.place import Placed, place
from quizapp.exchange.place_derivations import place_derivations
from quizapp.exchange.registry import read_file
from quizapp.exchange.surroundings import Surroundings
from quizapp.exchange.wording import counted, loss_line, loss_values
from quizapp.home import Home
from quizapp.storage import SqliteStore
from quizapp.storage.fold import Entry as LogEntry
from quizapp.storage.merge import Merged, plan
from quizapp.text import one_line

# Opens the reviews, to write or to look at; the caller closes them.
OpenStore = Callable[[bool], SqliteStore]


class ImportedFile(msgspec.Struct, frozen=True):
    """What an import did. ``as_lines`` says it to people, ``as_values`` to scripts.

    ``cards`` are all that the file's notes make, whether they are new here or not.
    """

    path: str
    format: str
    title: str
    notes: int
    cards: int
    placed: Placed
    mapped: tuple[str, ...]
    lost: tuple[Loss, ...]
    merged: Merged | None = None
    derivations: tuple[str, ...] = ()
    dry_run: bool = False

    def total(self, change: str) -> int:
        """How many cards were ``added``, ``updated``, ``unchanged`` or ``kept``."""
        return sum(getattr(deck, change) for deck in self.placed.decks)

    @property
    def changed(self) -> bool:
        return bool(self.placed.written or self.derivations or (self.merged and self.merged.added))

    def as_lines(self) -> list[str]:
        lines = [
            f"read {counted(self.notes, 'note')} of {self.path} ({self.title}): {counted(self.cards, 'card')}"
        ]
        for deck in self.placed.decks:
            said = [
                f"{counted(number, 'card')} {word}"
                for number, word in (
                    (deck.added, "made"),
                    (deck.updated, "updated"),
                    (deck.unchanged, "unchanged"),
                    (deck.kept, "kept as yours"),
                )
                if number
            ]
            lines.append(f"deck {deck.name}: {', '.join(said)} ({deck.path})")
        if self.placed.media:
            lines.append(f"{counted(self.placed.media, 'file')} of pictures or sounds beside the decks")
        if self.derivations:
            lines.append(
                f"{counted(len(self.derivations), 'derivation')} in {Path(self.derivations[0]).parent}"
            )
        if self.merged is not None:
            lines.append(_history_line(self.merged))
        lines += [f"mapped: {line}" for line in self.mapped]
        lines += self.placed.said
        lines += [_kept_line(loss) for loss in self.placed.kept]
        lines += map(loss_line, self.lost)
        if self.dry_run:
            lines.append("dry run: nothing was written")
        elif not self.changed:
            lines.append("nothing was written: all is as it was")
        return lines

    def as_values(self) -> dict[str, Any]:
        merged = self.merged
        return {
            "file": self.path,
            "format": self.format,
            "notes": self.notes,
            "cards": self.cards,
            **{change: self.total(change) for change in ("added", "updated", "unchanged", "kept")},
            "decks": [
                {
                    "deck" if key == "name" else key: value
                    for key, value in msgspec.structs.asdict(deck).items()
                }
                for deck in self.placed.decks
            ],
            "media": self.placed.media,
            "reviews": None if merged is None else msgspec.structs.asdict(merged),
            "mapped": list(self.mapped),
            "said": list(self.placed.said),
            "kept_ids": list(self.placed.kept_ids),
            "kept_because": [loss_values(loss) for loss in self.placed.kept],
            "lost": [loss_values(loss) for loss in self.lost],
            "written": [] if self.dry_run else [*self.placed.written, *self.derivations],
            "dry_run": self.dry_run,
        }


def import_file(
    source: Path,
    *,
    home: Home,
    config: Config,
    target: Path,
    library: Library,
    roots: Collection[Path],
    open_store: OpenStore,
    now: dt.datetime,
    options: ReadOptions,
    name: str | None = None,
    with_schedule: bool = True,
    replace_edits: bool = False,
    dry_run: bool = False,
) -> ImportedFile:
    """Import one file into the folder ``target``.

    ``roots`` are the folders of decks that are loaded beside the built-in ones.
    Raises ExchangeError and StorageError with one line, Cancelled where ``options.progress`` stops it.
    """
    # A file, or a link that leads to itself or nowhere.
    if os.path.lexists(target) and not target.is_dir():
        raise ExchangeError(f"{target}: this is no folder; name the folder of your decks")
    found, incoming = read_file(source, options, name)
    has_schedule = bool(incoming.log or incoming.reviews or incoming.states)
    around = _surroundings(home, target, library, roots)
    rows, merged = (
        _compared(source, incoming, config, open_store, now) if has_schedule and with_schedule else ((), None)
    )
    # Taken before any deck is written: where another session writes, nothing is half imported.
    store = open_store(True) if merged and merged.added and not dry_run else None
    lost_so_far = Losses(incoming.lost)
    try:
        placed = place(
            incoming,
            target,
            around,
            replace_edits=replace_edits,
            dry_run=dry_run,
            progress=options.progress,
        )
        derivations = place_derivations(
            incoming.derivations,
            (home.path if target == home.decks else target) / "derivations",
            lost_so_far,
            replace_edits=replace_edits,
            dry_run=dry_run,
        )
        if store:
            merged = store.merge(rows, settled(config))
    finally:
        if store:
            store.close()
    lost = Losses((*lost_so_far.grouped(), *placed.lost))
    if has_schedule and not with_schedule:
        lost.add("the schedule, as you asked", count=1)
    return ImportedFile(
        path=str(source),
        format=found.name,
        title=found.title,
        notes=incoming.notes,
        cards=card_count(incoming.decks),
        placed=placed,
        mapped=_mapped(incoming),
        lost=lost.grouped(),
        merged=merged,
        derivations=derivations,
        dry_run=dry_run,
    )


def _surroundings(home: Home, target: Path, library: Library, roots: Collection[Path]) -> Surroundings:
    """A folder below a root has other deck names than the library gives them, so nothing there replaces a deck."""
    folder = target.resolve()
    exported = read_versions(home)
    for root in roots:
        if folder == root.resolve():
            return Surroundings(library, built_in_decks(), exported)
    if any(folder.is_relative_to(root.resolve()) for root in roots):
        return Surroundings(library, {}, exported)
    return Surroundings(None, {}, exported)


def _compared(
    source: Path, incoming: Incoming, config: Config, open_store: OpenStore, now: dt.datetime
) -> tuple[Sequence[LogEntry], Merged]:
    """The rows of a file's schedule, and what a merge of them would do."""
    with open_store(False) as store:
        rows = log_rows(source, incoming, config=config, now=now, logged=store.logged())
        found = plan(store.connection, rows)
    reviews = sum(entry.action == "review" for entry, _ in found.new)
    return rows, Merged(len(found.new), reviews, len(found.known))


def _mapped(incoming: Incoming) -> tuple[str, ...]:
    return tuple(dict.fromkeys(map(one_line, incoming.mapped)))


def _history_line(merged: Merged) -> str:
    said = [f"{counted(merged.reviews, 'review')} added"]
    others = merged.added - merged.reviews
    if others:
        said.append(f"{counted(others, 'other action')} added")
    if merged.known:
        said.append(f"{merged.known:,} known already")
    if merged.rescheduled:
        said.append(f"{counted(merged.rescheduled, 'card')} scheduled anew")
    return f"history: {', '.join(said)}"


def _kept_line(loss: Loss) -> str:
    times = f"{loss.count:,} cards, " if loss.count > 1 else ""
    return f"kept: {times}{loss.what} ({loss.where})"
