"""Another program's Anki note as entries: one for each of its cards, one for all deletions of a cloze."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping
from functools import lru_cache
from html import escape
from typing import NamedTuple

from quizapp.decks.card import Fields
from quizapp.decks.cloze import ClozeError, deletions
from quizapp.decks.entry import Entry
from quizapp.exchange.anki_collection_read import CardTemplate, ForeignCard, ForeignNote, ForeignType
from quizapp.exchange.anki_notes import SYSTEM_TAGS, foreign_id
from quizapp.exchange.anki_source import is_plain
from quizapp.exchange.anki_templates import Sides, fields_shown, has_script, only_fields, sides
from quizapp.exchange.clozes import from_anki as cloze_text
from quizapp.exchange.from_html import convert
from quizapp.exchange.losses import Losses

_CONTENT = re.compile(r"<(?:img|svg|audio|video|object)\b|\[sound:", re.IGNORECASE)
_MARKUP = re.compile(
    r"<(?:style|script)\b.*?</(?:style|script)>|<[^>]*>|&nbsp;|\s", re.DOTALL | re.IGNORECASE
)
# A first line that is a block of its own and no words: it cannot be a heading.
_BLOCK = re.compile(r"(?:```|~~~|\$\$|>|\||[-*+] |\d+[.)] |!\[|(?:[-*_] *){3,}$)")
_PLAIN_NAME = re.compile(r"(?:card|template|cloze|forward|reverse)\b[\s\d]*", re.IGNORECASE)
_SPECIAL = frozenset({"Tags", "Type", "Deck", "Subdeck"})
_OCCLUSION = re.compile(r"\{\{c[\d,]+::image-occlusion:(?:[^{}]|\{(?!\{)|\}(?!\}))*+\}\}(?:<br>)?")


class Made(NamedTuple):
    """An entry, the deck (its id in Anki) that its first card lies in, the ids of its cards, the media it names."""

    entry: Entry
    deck: int
    cards: tuple[tuple[ForeignCard, str], ...]
    media: tuple[str, ...]


class _Shown(NamedTuple):
    """What the templates of a note type show: whether special fields too, and which fields never.

    ``bare``: the places of the two fields that are all of the only card's front and back, where it is so.
    """

    special: bool
    never: tuple[str, ...]
    bare: tuple[int, int] | None


class ForeignEntries:
    """Makes entries of notes; what is not kept goes to ``losses``."""

    def __init__(self, losses: Losses) -> None:
        self._losses = losses
        self._shown: dict[int, _Shown] = {}
        self._unshown: Counter[tuple[str, str]] = Counter()

    def of(
        self, note: ForeignNote, kind: ForeignType, decks: Mapping[int, tuple[str, str, bool]]
    ) -> list[Made]:
        """The entries of a note, in the order of its cards."""
        shown = self._shown.get(note.notetype) or self._look_at(note.notetype, kind)
        if shown.bare is not None and (plain := _plain_card(note, shown.bare)):
            return [plain]
        fields = dict(zip(kind.fields, note.fields, strict=False))
        for name in shown.never:
            if fields.get(name):
                self._unshown[kind.name, name] += 1
        deck = decks.get(note.cards[0].deck, ("",))[0] if note.cards else ""
        if shown.special:
            for name, text in (
                ("Tags", " ".join(note.tags)), ("Type", kind.name), ("Deck", deck),
                ("Subdeck", deck.rpartition("::")[2]),
            ):  # fmt: skip
                fields.setdefault(name, escape(text, quote=False))
        if kind.cloze:
            return self._cloze(note, kind, fields, deck)
        made: list[Made] = []
        cards = {card.place: card for card in note.cards}
        for place in cards if len(cards) == 1 else sorted(cards or kind.templates) or [0]:
            template = kind.templates.get(place)
            if template is None and kind.templates:
                self._losses.add("a card whose template was deleted", note.guid)
                continue
            found = self._card(note, kind, place, template, fields, deck, cards.get(place))
            if found is not None:
                made.append(found)
        if not made:
            self._losses.add("a note without any card", note.guid)
        return made

    def say_unshown(self) -> None:
        """Report the fields with text that none of their note type's templates shows."""
        for (kind, field), count in self._unshown.items():
            self._losses.add(f"the field {field} of {kind}, which no card shows", count=count)

    def _look_at(self, key: int, kind: ForeignType) -> _Shown:
        sources = [text for template in kind.templates.values() for text in (template.front, template.back)]
        names = frozenset().union(*map(fields_shown, sources)) if sources else frozenset(kind.fields)
        if any(map(has_script, sources)):
            self._losses.add("scripts in the templates of a note type", kind.name)
        never = tuple(name for name in kind.fields if name not in names)
        special = not _SPECIAL.isdisjoint(names)
        bare = None
        if not (kind.cloze or special or never) and list(kind.templates) == [0]:
            bare = _bare_fields(kind.templates[0], kind.fields)
        found = self._shown[key] = _Shown(special, never, bare)
        return found

    def _card(
        self,
        note: ForeignNote,
        kind: ForeignType,
        place: int,
        template: CardTemplate | None,
        fields: dict[str, str],
        deck: str,
        card: ForeignCard | None,
    ) -> Made | None:
        if template is None:
            filled = Sides(note.fields[0], "<br>".join(note.fields[1:]))
        else:
            filled = sides(template.front, template.back, fields, template.name)
        front, back, hints, typed, spoken = filled
        if card is None and not _has_content(front):
            return None
        asked, media = self._converted(front, note)
        answer, more = self._converted(back, note)
        media += more
        told: tuple[str, ...] = ()
        for hint in hints:
            text, more = self._converted(hint, note, inline=True)
            media += more
            told += (text,) if text else ()
        if typed:
            self._losses.add("typing the answer: you grade yourself instead", note.guid)
        if spoken:
            self._losses.add("text read aloud", note.guid)
        if asked is front and asked:
            # Nothing had to be converted: it is one line of plain words.
            heading, prompt = asked, ""
        else:
            answer = without_question(answer, asked)
            heading, prompt = split_front(
                asked, _fallback(template.name if template else "", kind.name, deck)
            )
        identity = foreign_id(note.guid, place)
        entry = Entry(identity, "recall", heading, prompt, answer, _fields(note.tags, told))
        return Made(entry, card.deck if card else 0, ((card, identity),) if card else (), media)

    def _cloze(self, note: ForeignNote, kind: ForeignType, fields: dict[str, str], deck: str) -> list[Made]:
        if any("image-occlusion:" in text for text in note.fields):
            self._losses.add("the masks over a picture: one question shows the whole picture", note.guid)
            fields = {name: _OCCLUSION.sub("", text) for name, text in fields.items()}
        template = kind.templates.get(0) or CardTemplate("", "", "")
        front, back, hints, _, spoken = sides(template.front, template.back, fields, template.name)
        if spoken:
            self._losses.add("text read aloud", note.guid)
        asked, media = self._converted(front, note, cloze=True)
        answer, more = self._converted(back, note)
        media += more
        told: tuple[str, ...] = ()
        for hint in hints:
            text, more = self._converted(hint, note, inline=True)
            media += more
            told += (text,) if text else ()
        heading, prompt = split_front(asked, _fallback("", kind.name, deck))
        identity = foreign_id(note.guid)
        try:
            holes = {hole.number for text in (heading, prompt) for hole in deletions(text)}
        except ClozeError:
            heading, prompt = _fallback("", kind.name, deck), asked
            try:
                holes = {hole.number for hole in deletions(prompt)}
            except ClozeError as error:
                self._losses.add(
                    f"hiding parts of a text ({error}): it became a question as it stands", note.guid
                )
                holes = set()
        cards: list[tuple[ForeignCard, str]] = []
        if holes:
            for card in note.cards:
                if card.place + 1 in holes:
                    cards.append((card, f"{identity}:{card.place + 1}"))
                else:
                    self._losses.add("a card of a cloze that is no longer in its note", note.guid)
        elif note.cards:
            cards.append((note.cards[0], identity))
        fields_of = _fields(note.tags, told)
        entry = Entry(identity, "cloze" if holes else "recall", heading, prompt, answer, fields_of)
        return [Made(entry, note.cards[0].deck if note.cards else 0, tuple(cards), media)]

    def _converted(
        self, html: str, note: ForeignNote, *, inline: bool = False, cloze: bool = False
    ) -> tuple[str, tuple[str, ...]]:
        """The Markdown of a text, and the media that it names."""
        if not html or is_plain(html):
            return html, ()
        found = cloze_text(html) if cloze else convert(html, inline)
        for what in found.lost:
            self._losses.add(what, note.guid)
        return found.markdown, found.media


def _bare_fields(template: CardTemplate, fields: tuple[str, ...]) -> tuple[int, int] | None:
    """The places of the fields that are a template's whole front and whole back."""
    names = only_fields(template.front, template.back)
    if names is None or not set(names) <= set(fields):
        return None
    return fields.index(names[0]), fields.index(names[1])


def _plain_card(note: ForeignNote, bare: tuple[int, int]) -> Made | None:
    """The only card of a note of plain words, as most notes of large decks are: there is nothing to convert."""
    if len(note.cards) != 1 or note.cards[0].place != 0 or len(note.fields) <= max(bare):
        return None
    front, back = note.fields[bare[0]].strip(), note.fields[bare[1]].strip()
    if not (front and back and is_plain(front) and is_plain(back)) or back.startswith(front):
        return None
    card, identity = note.cards[0], foreign_id(note.guid)
    entry = Entry(identity, "recall", front, "", back, _fields(note.tags, ()))
    return Made(entry, card.deck, ((card, identity),), ())


def split_front(markdown: str, fallback: str) -> tuple[str, str]:
    """A question as heading and prompt: its first line, where that is words; else ``fallback`` and all of it."""
    text = markdown.strip("\n")
    first, _, rest = text.partition("\n")
    heading = re.sub(r"^#{1,6} +", "", first).rstrip().removesuffix("\\").strip()
    if not heading or _BLOCK.match(first) or rest.lstrip().startswith("|"):
        return fallback, text
    return heading, rest.strip("\n")


def without_question(answer: str, question: str) -> str:
    """The answer of a card whose back repeats its front above it."""
    rest = answer.removeprefix(question)
    if not question or len(rest) == len(answer) or (rest and rest[0] not in "\\\n"):
        return answer
    return rest.lstrip("\\\n ")


def _fallback(template: str, kind: str, deck: str) -> str:
    """A heading for a front without words: the template's name where it says something, else the deck's."""
    name = template if template and not _PLAIN_NAME.fullmatch(template) else deck.rpartition("::")[2]
    return re.sub(r"[^\w ,.:;'()?!→-]+", " ", name).strip() or kind or "Question"


@lru_cache(maxsize=10_000)
def _fields(tags: tuple[str, ...], hints: tuple[str, ...]) -> Fields:
    """The card block, without the tags that Anki itself gives."""
    return Fields(tags=tuple(tag for tag in tags if tag.casefold() not in SYSTEM_TAGS), hints=hints)


def _has_content(html: str) -> bool:
    return bool(_MARKUP.sub("", html)) or _CONTENT.search(html) is not None
