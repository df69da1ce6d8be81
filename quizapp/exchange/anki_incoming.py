"""The notes of an Anki collection as decks of entries, with what is said of each thing that could not be kept."""

from __future__ import annotations

import re
from collections import Counter
from urllib.parse import unquote

from msgspec.structs import replace

from quizapp.decks.entry import Entry
from quizapp.exchange.anki_collection_read import Collection, ForeignCard, ForeignNote, ForeignType
from quizapp.exchange.anki_edits import deck_path, from_anki, restored
from quizapp.exchange.anki_foreign import ForeignEntries
from quizapp.exchange.anki_notes import SYSTEM_TAGS, card_places, flat_name, foreign_id
from quizapp.exchange.anki_notetypes import BY_NAME, NOTE_TYPES, SOURCE
from quizapp.exchange.anki_package import Medium, Package, Shelf
from quizapp.exchange.anki_schedule import own_flags, past_reviews, state_of
from quizapp.exchange.anki_source import read_source
from quizapp.exchange.from_html import to_markdown
from quizapp.exchange.losses import Losses
from quizapp.exchange.media import named, texts
from quizapp.exchange.model import DeckText, Incoming, Media, ReadOptions
from quizapp.review.types import CardState

# A card of more characters is refused by the deck format.
_LONGEST = 90_000
_MOST_FIELDS = 1000
_DATA = re.compile(r"""(["'])data:[^"'<>]*+\1""")
_UNKNOWN = ForeignType("(missing)", False, (), {})


class Reader:
    """Takes the notes one by one; :meth:`incoming` says what became of them."""

    def __init__(self, collection: Collection, package: Package, options: ReadOptions) -> None:
        self._collection = collection
        self._package = package
        self._options = options
        self._media = package.media()
        self._losses = Losses(package.lost)
        self._foreign = ForeignEntries(self._losses)
        self._entries: dict[int, list[Entry]] = {}
        self._seen: set[str] = set()
        self._titles: dict[int, tuple[str, str]] = {}
        self._descriptions: dict[int, str] = {}
        self._states: dict[str, CardState] = {}
        self._names: dict[int, str] = {}
        self._new: set[int] = set()
        self._pictures: dict[str, str] = {}
        self._mapped: Counter[tuple[str, str]] = Counter()

    def add(self, note: ForeignNote) -> None:
        if len(note.fields) > _MOST_FIELDS or sum(map(len, note.fields)) > _LONGEST:
            # A picture inside the page may be of any size, and does not stay.
            note = note._replace(fields=[_DATA.sub(r"\1data:,\1", text) for text in note.fields])
            if len(note.fields) > _MOST_FIELDS or sum(map(len, note.fields)) > 10 * _LONGEST:
                self._losses.add(f"a note of more than {10 * _LONGEST:,} characters", note.guid)
                return
        kind = self._collection.types.get(note.notetype)
        if kind is None:
            self._losses.add(
                "the note type of a note is missing: its first field became the question", note.guid
            )
            kind = _UNKNOWN
        if not self._own(note, kind):
            self._add_foreign(note, kind)

    def _own(self, note: ForeignNote, kind: ForeignType) -> bool:
        """Take a note that this program wrote; False where it is another's."""
        deck = note.cards[0].deck if note.cards else 0
        deck_name = self._collection.decks.get(deck, ("", "", False))[0]
        own = None
        known = BY_NAME.get(kind.name)
        if known is not None and known.fields == kind.fields and len(note.fields) == len(known.fields):
            source = read_source(note.fields[-1])
            if source is not None and NOTE_TYPES[source.kind] is known:
                own = restored(source, note.fields[:-1], deck_name, note.tags)
        elif SOURCE not in kind.fields:
            return False
        if own is None:
            own = from_anki(dict(zip(kind.fields, note.fields, strict=False)), deck_name, note.tags)
            if own is None:
                return False
        entry = own.entry
        if entry.id in self._seen:
            # A copy that was made in Anki.
            entry = replace(entry, id=foreign_id(note.guid))
            if entry.id in self._seen:
                self._losses.add("a note that is in the file twice", note.guid)
                return True
        for loss in own.lost:
            self._losses.add(loss.what, loss.where, loss.count)
        self._titles.setdefault(deck, (own.deck, own.title))
        if own.description:
            self._descriptions.setdefault(deck, own.description)
        self._keep(entry, deck, kind, note)
        places = dict(card_places(entry)) if entry.kind == "cloze" else {0: entry.id}
        for card in note.cards:
            if card.place in places:
                self._card(card, places[card.place], note)
            else:
                self._losses.add("the schedule of a card that its note no longer makes", entry.id)
        return True

    def _add_foreign(self, note: ForeignNote, kind: ForeignType) -> None:
        deck = note.cards[0].deck if note.cards else 0
        for made in self._foreign.of(note, kind, self._collection.decks):
            if made.entry.id in self._seen:
                self._losses.add("a note that is in the file twice", note.guid)
                continue
            self._keep(made.entry, made.deck or deck, kind, note)
            for name in made.media:
                self._pictures.setdefault(name, name)
            for card, card_name in made.cards:
                self._card(card, card_name, note)

    def _keep(self, entry: Entry, deck: int, kind: ForeignType, note: ForeignNote) -> None:
        size = len(entry.heading) + len(entry.prompt) + len(entry.answer)
        if size > _LONGEST:
            self._losses.add(f"a card of more than {_LONGEST:,} characters", note.guid)
            return
        self._seen.add(entry.id)
        self._entries.setdefault(deck, []).append(entry)
        self._mapped[kind.name, entry.kind] += 1
        if "](" in entry.heading or "](" in entry.prompt or "](" in entry.answer:
            for name in named(texts(entry)):
                self._pictures.setdefault(unquote(name), flat_name(name))

    def _card(self, card: ForeignCard, name: str, note: ForeignNote) -> None:
        self._names[card.id] = name
        if card.type == 0:
            self._new.add(card.id)
            if card.queue == 0 and '"cd"' not in card.data and SYSTEM_TAGS.isdisjoint(note.tags):
                return
        state = state_of(card, name, self._collection.created, self._collection.zone, self._options.day_start)
        for tag, flag in (("marked", "mark"), ("leech", "leech")):
            # Anki's own tag is on the note, and so on all its cards, unless our export says which.
            if tag in note.tags and not any(flag in own_flags(sibling) for sibling in note.cards):
                state = replace(state or CardState(name), **{tag: True})
        if state is not None:
            self._states[name] = state

    def incoming(self, notes: int) -> Incoming:
        reviews = past_reviews(
            self._collection.reviews(), self._names, frozenset(self._new), self._collection.zone, self._losses
        )
        self._foreign.say_unshown()
        media = self._found_media()
        return Incoming(
            tuple(self._decks()),
            notes,
            tuple(self._said()),
            self._losses.grouped(),
            self._states,
            reviews,
            media,
        )

    def _decks(self) -> list[DeckText]:
        """One deck file a deck; those of Anki whose names give the same file name get numbers."""
        found: list[DeckText] = []
        taken: dict[str, int] = {}
        for key, entries in self._entries.items():
            anki, description, markdown = self._collection.decks.get(key, ("", "", False))
            name, title = self._titles.get(key) or deck_path(anki or self._options.deck or "Anki")
            if taken.setdefault(name, key) != key:
                number = next(n for n in range(2, len(self._entries) + 2) if f"{name}-{n}" not in taken)
                name = f"{name}-{number}"
                taken[name] = key
            said = self._descriptions.get(key) or (description if markdown else to_markdown(description))
            found.append(DeckText(name, title, said, tuple(entries)))
        return found

    def _said(self) -> list[str]:
        return [f"{kind}: {count} {what}" for (kind, what), count in self._mapped.items()]

    def _found_media(self) -> tuple[Media, ...]:
        shelf = Shelf(self._package.path)
        found: list[Media] = []
        for name, flat in self._pictures.items():
            member = self._media.get(name) or self._media.get(flat)
            if member is not None:
                found.append(Medium(name, member, shelf))
            elif not re.match(r"[A-Za-z][A-Za-z0-9+.-]*:", name):
                self._losses.add("a picture or sound that the file does not hold", name)
        used = {flat for pair in self._pictures.items() for flat in pair}
        unused = [name for name in self._media if name not in used]
        if unused:
            self._losses.add("media files that no card shows", unused[0], len(unused))
        return tuple(found)
