"""A note of ours that comes back from Anki: what was changed there as Markdown, all else from the note's source."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import lru_cache
from html import unescape
from typing import Any

import msgspec
from msgspec.structs import replace

from quizapp.decks.card import Option
from quizapp.decks.cloze import ClozeError, deletions
from quizapp.decks.entry import Entry
from quizapp.exchange.anki_notes import SYSTEM_TAGS, anki_deck, anki_tag, option_order
from quizapp.exchange.anki_notetypes import COMPUTED, NOTE_TYPES, SOURCE, SPARE
from quizapp.exchange.anki_source import Source, checksum, is_plain, read_source, sums
from quizapp.exchange.clozes import from_anki as cloze_text
from quizapp.exchange.from_html import to_markdown
from quizapp.exchange.model import Loss
from quizapp.text import slug

_ITEM = re.compile(r"<li\b[^>]*>(.*?)(?=</li>|<li\b|</[ou]l>|$)", re.DOTALL | re.IGNORECASE)
_LINE = re.compile(r"<br\s*/?>|</?(?:div|p)\b[^>]*>", re.IGNORECASE)
_LISTS = {"Key points": "points", "Hints": "hints", "Sources": "sources"}
_EMPTY = ("",) * max(len(kind.visible) for kind in NOTE_TYPES.values())
_MARKED = re.compile(r"\s*([✓✗])\s*")


class OwnNote(msgspec.Struct, frozen=True):
    """A note of ours that came back: its entry, and the deck it belongs to now."""

    entry: Entry
    deck: str
    title: str
    description: str = ""
    lost: tuple[Loss, ...] = ()


def from_anki(fields: Mapping[str, str], deck: str, tags: tuple[str, ...]) -> OwnNote | None:
    """A note by its fields' names, its deck ``A::B`` and its tags; None where it is not one of ours.

    Its entry is that of its source, with what was edited since in its fields, its tags and its deck.
    """
    source = read_source(fields.get(SOURCE, ""))
    if source is None:
        return None
    kind = NOTE_TYPES[source.kind]
    shown = list(map(fields.get, kind.visible, _EMPTY))
    if len(fields) == len(kind.fields):
        found = restored(source, shown, deck, tags)
        if found is not None:
            return found
    edits = _Edits(
        Entry(
            source.id,
            source.kind,
            source.heading,
            source.prompt,
            source.answer,
            source.fields,
            source.options,
        ),
        source,
        fields,
    )
    return _belonging(edits.taken(), source, deck, tags, tuple(edits.lost))


def restored(source: Source, shown: list[str], deck: str, tags: tuple[str, ...]) -> OwnNote | None:
    """A note whose fields are as they were written, but for texts that stand in their fields alone; else None.

    ``shown`` are the visible fields in their order, and may be changed.
    """
    heading, prompt, answer = source.heading, source.prompt, source.answer
    if not heading and is_plain(shown[0]):
        heading, shown[0] = shown[0], ""
    if not prompt and shown[1] and is_plain(shown[1]):
        prompt, shown[1] = shown[1], ""
    if not answer:
        back = NOTE_TYPES[source.kind].back
        if shown[back] and is_plain(shown[back]):
            answer, shown[back] = shown[back], ""
    if not heading or sums(shown) != source.sums:
        return None
    entry = Entry(source.id, source.kind, heading, prompt, answer, source.fields, source.options)
    return _belonging(entry, source, deck, tags)


def _belonging(
    entry: Entry, source: Source, deck: str, tags: tuple[str, ...], lost: tuple[Loss, ...] = ()
) -> OwnNote:
    """The entry with the tags and in the deck that its note has now."""
    if entry.fields.tags != tags:
        kept = _tags(entry.fields.tags, tags)
        if kept != entry.fields.tags:
            entry = replace(entry, fields=replace(entry.fields, tags=kept))
    name, title = _deck(source.deck, source.title, deck)
    return OwnNote(entry, name, title, source.description, lost)


class _Edits:
    """The fields whose checksums no longer fit, and what becomes of them."""

    def __init__(self, entry: Entry, source: Source, fields: Mapping[str, str]) -> None:
        self.entry = entry
        self.lost: list[Loss] = []
        written = dict(zip(NOTE_TYPES[entry.kind].visible, source.sums.split(","), strict=False))
        # A field that the note no longer has was deleted with its note type's column, not by an edit.
        self.changed = {
            name: text
            for name, text in fields.items()
            if name != SOURCE and (checksum(text) if text else "") != written.get(name, "")
        }

    def lose(self, what: str) -> None:
        self.lost.append(Loss(what, self.entry.id))

    def taken(self) -> Entry:
        entry = self.entry
        for name, text in self.changed.items():
            if name in COMPUTED:
                self.lose(f"an edit of the field {name}, which is made anew at each export")
            elif name in SPARE or name not in NOTE_TYPES[entry.kind].fields:
                words = to_markdown(text)
                if words:
                    entry = replace(entry, answer=f"{entry.answer}\n\n{words}".strip())
            elif name in _LISTS:
                entry = replace(entry, fields=replace(entry.fields, **{_LISTS[name]: _items(text)}))
            elif name in ("Front", "Text"):
                heading = " ".join(self.markdown(text).split())
                entry = replace(entry, heading=heading)
            elif name == "Details":
                entry = replace(entry, prompt=self.markdown(text))
            elif name == "Back":
                entry = replace(entry, answer=to_markdown(text))
            elif name == "Unit":
                entry = replace(entry, fields=replace(entry.fields, unit=_line(text) or None))
            elif name == "Answer" and entry.kind != "choice":
                entry = self._answer(entry, text)
        if entry.kind == "choice":
            entry = self._options(entry)
        if not entry.heading:
            self.lose("an edit that leaves the question empty: its id stands there instead")
            entry = replace(entry, heading=entry.id)
        return self._sound_cloze(entry) if entry.kind == "cloze" else entry

    def markdown(self, text: str) -> str:
        if self.entry.kind != "cloze":
            return to_markdown(text)
        found = cloze_text(text)
        for what in found.lost:
            self.lose(what)
        return found.markdown

    def _answer(self, entry: Entry, text: str) -> Entry:
        """The right answer as it is typed: plain text, not Markdown."""
        plain = unescape(re.sub(r"<[^>]*>", "", text)).replace("\u00a0", " ").strip()
        if not plain:
            self.lose("an edit that leaves the answer empty")
            return entry
        value: Any = plain
        if isinstance(entry.fields.answer, int | float):
            for number in (int, float):
                try:
                    value = number(plain)
                    break
                except ValueError:
                    continue
        return replace(entry, fields=replace(entry.fields, answer=value))

    def _options(self, entry: Entry) -> Entry:
        """The list on the back says which options are right; the one on the front gives texts alone."""
        shown = option_order(entry.id, len(entry.options))
        if "Answer" in self.changed:
            found = [(_MARKED.match(item), item) for item in _items(self.changed["Answer"])]
            options = [Option(_MARKED.sub("", item, count=1), mark[1] == "✓") for mark, item in found if mark]
            if len(options) == len(found) and any(option.right for option in options):
                return replace(entry, options=_as_written(options, shown))
            self.lose("an edit of the answer: each option starts with ✓ or ✗, and one is right")
        elif "Options" in self.changed:
            texts = _items(self.changed["Options"])
            if len(texts) == len(entry.options):
                options = [
                    Option(text, entry.options[place].right) for text, place in zip(texts, shown, strict=True)
                ]
                return replace(entry, options=_as_written(options, shown))
            self.lose(
                "an edit of the options: add or remove them in the field Answer, where ✓ marks the right ones"
            )
        return entry

    def _sound_cloze(self, entry: Entry) -> Entry:
        try:
            sound = any(deletions(entry.heading)) or any(deletions(entry.prompt))
        except ClozeError:
            sound = False
        if sound:
            return entry
        self.lose("hiding parts of a text, of which an edit left none: it became a question")
        return replace(entry, kind="recall", fields=replace(entry.fields, kind=None))


def _as_written(options: list[Option], shown: list[int]) -> tuple[Option, ...]:
    """Options in their author's order; where some were added or removed, in the order they are shown in."""
    if len(options) != len(shown):
        return tuple(options)
    return tuple(option for _, option in sorted(zip(shown, options, strict=True), key=lambda pair: pair[0]))


def _items(html: str) -> tuple[str, ...]:
    """The items of a list as Markdown, a line each; without a list, the lines of the text."""
    found = _ITEM.findall(html) or _LINE.split(html)
    return tuple(line for item in found if (line := _line(item)))


def _line(html: str) -> str:
    return " ".join(to_markdown(html).split())


def _tags(own: tuple[str, ...], found: tuple[str, ...]) -> tuple[str, ...]:
    """Our spelling of the tags that are still there, then new ones. Anki sorts tags and knows no case."""
    written = {anki_tag(tag).casefold(): tag for tag in own}
    present = {tag.casefold(): tag for tag in found}
    kept = [tag for tag in own if anki_tag(tag).casefold() in present]
    kept += [tag for folded, tag in present.items() if folded not in written and folded not in SYSTEM_TAGS]
    return tuple(kept)


@lru_cache(maxsize=10_000)
def _deck(own: str, title: str, deck: str) -> tuple[str, str]:
    """The name and title of the deck that a note lies in now, by those that it came from."""
    if not deck or deck == anki_deck(own):
        return own, title
    name, leaf = deck_path(deck)
    return name, title if name.rpartition("/")[2] == own.rpartition("/")[2] else leaf


def deck_path(deck: str) -> tuple[str, str]:
    """The name and the title of an Anki deck ``A::B``: its path as slugs, and its last part."""
    parts = [part.strip() for part in deck.split("::")]
    return "/".join(slug(part) or "deck" for part in parts), parts[-1] or "Deck"
