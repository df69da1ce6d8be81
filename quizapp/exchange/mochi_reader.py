"""The cards of a Mochi file as entries: ours as they left, with what was edited; others' as Markdown of a deck."""

from __future__ import annotations

import hashlib
import re
from collections import Counter
from typing import Any

from msgspec.structs import replace

from quizapp.decks.card import Fields
from quizapp.decks.entry import Entry
from quizapp.exchange.deck_maker import DeckMaker, asked, has_holes
from quizapp.exchange.foreign_markdown import foreign_cloze
from quizapp.exchange.media import named, renamed, texts
from quizapp.exchange.mochi_file import FIELD, GUARD, POINTS, RULE, Medium, member_of, mochi_id
from quizapp.exchange.model import ReadOptions
from quizapp.exchange.plain_cards import outside_fences
from quizapp.exchange.whole_card import Whole, read_whole
from quizapp.notation import Math, split_math

_HIDDEN = re.compile(r"\{\{(?:(\d+)::)?((?:[^{}]|\{[^{}]*\}|\}(?!\}))+?)\}\}")


class MochiReader:
    """Walks over the decks and their cards."""

    def __init__(self, found: Any, media: dict[str, Medium], maker: DeckMaker, options: ReadOptions) -> None:
        self.maker = maker
        self.mapped: Counter[str] = Counter()
        self.media: dict[str, Medium] = {}
        self._members = media
        self._options = options
        self._decks = [deck for deck in found["decks"] if isinstance(deck, dict)]
        self._paths = {str(deck.get("id")): deck for deck in self._decks}
        self._templates = {
            str(item.get("id")): item for item in found.get("templates") or () if isinstance(item, dict)
        }

    def read(self) -> int:
        total = sum(len(_list(deck.get("cards"))) for deck in self._decks)
        done = 0
        for deck in self._decks:
            for at, card in enumerate(_list(deck.get("cards")), 1):
                done += 1
                if done % 500 == 0:
                    self._options.progress(done, total)
                if isinstance(card, dict):
                    self._card(card, deck, f"{deck.get('name', 'deck')}, card {at}")
                else:
                    self.maker.losses.add("a card that is none", f"{deck.get('name', 'deck')}, card {at}")
        self._options.progress(total, total)
        return total

    def _card(self, card: dict[Any, Any], deck: dict[Any, Any], where: str) -> None:
        fields = card.get("fields") if isinstance(card.get("fields"), dict) else {}
        own = fields.get(FIELD) if isinstance(fields, dict) else None
        value = own.get("value") if isinstance(own, dict) else None
        if card.get("reviews"):
            self.maker.losses.add("the reviews of a card, which Mochi counts its own way", where)
        content = card.get("content")
        content = content.replace("\r\n", "\n") if isinstance(content, str) else ""
        if not self.maker.fits(content, where):
            return
        tags = tuple(str(tag) for tag in _list(card.get("tags")))
        front, _, back = content.partition("\n---\n")
        shown = (front, back, " ".join(sorted(tags)))
        origin = read_whole(value, shown) if isinstance(value, str) else None
        if origin is not None:
            self._own(origin, shown, tags, deck, where)
            return
        name = self.maker.deck(self._options.deck or self._path(deck))
        content = self._filled(card, content)
        entry = self._entry(content, tags, name, str(card.get("id") or ""), where)
        if entry is not None and self.maker.add(name, entry, where):
            self.mapped[entry.kind] += 1

    def _path(self, deck: dict[Any, Any]) -> str:
        parts: list[str] = []
        seen: set[str] = set()
        here: dict[Any, Any] | None = deck
        while here is not None and str(here.get("id")) not in seen:
            seen.add(str(here.get("id")))
            parts.append(str(here.get("name") or "deck").replace("/", " "))
            here = self._paths.get(str(here.get("parent-id"))) if here.get("parent-id") else None
        return "/".join(reversed(parts))

    def _filled(self, card: dict[Any, Any], content: str) -> str:
        """The card's text with its template's: ``<<Field>>`` stands for a field."""
        template = self._templates.get(str(card.get("template-id")))
        if template is None:
            return content
        names = {
            str(field.get("id", key)): str(field.get("name", key))
            for key, field in (template.get("fields") or {}).items()
            if isinstance(field, dict)
        }
        values = {
            names.get(str(key), str(key)): str(field.get("value") or "")
            for key, field in (card.get("fields") or {}).items()
            if isinstance(field, dict)
        }
        text = template.get("content")
        if not isinstance(text, str):
            return content
        return re.sub(
            r"<<\s*([^<>\n]+?)\s*>>", lambda match: values.get(match[1].split("|")[0].strip(), ""), text
        )

    def _entry(
        self, content: str, tags: tuple[str, ...], deck: str, identity: str, where: str
    ) -> Entry | None:
        sides = _split(content)
        front, back = sides[0], "\n\n___\n\n".join(side for side in sides[1:] if side)
        if not front and not back:
            self.maker.losses.add("a card without words", where)
            return None
        safe = (
            re.sub(r"[^A-Za-z0-9_-]", "", identity)
            or hashlib.blake2b(front.encode(), digest_size=8).hexdigest()
        )
        fields = Fields(tags=tuple(dict.fromkeys(tag.strip() for tag in tags if tag.strip())))
        parts = _holes(front)
        front = self._text(parts, where)
        heading, prompt = asked(front, deck) if front else ("(no question)", "")
        answer = self._text([("", back)], where) if back else ""
        kind = "cloze" if has_holes(heading, prompt) else "recall"
        if kind == "recall" and not answer:
            self.maker.losses.add("the answer of a card, which is missing: the card says so", where)
            answer = "(no answer)"
        return Entry(
            f"mochi-{safe}", "cloze" if kind == "cloze" else "recall", heading, prompt, answer, fields
        )

    def _text(self, parts: list[tuple[str, str]], where: str) -> str:
        parts = [(_single(hidden), hint if hidden else _single(hint)) for hidden, hint in parts]
        text = foreign_cloze(parts, self.maker.losses, where)
        new: dict[str, str] = {}
        for name in named((text,)):
            member = name.removeprefix("@media/")
            new[name] = member
            if member in self._members:
                self.media[member] = self._members[member]
            else:
                self.maker.losses.add("a picture that is not in the file", member)
        return renamed(text, new)

    def _own(
        self,
        origin: Whole,
        shown: tuple[str, str, str],
        tags: tuple[str, ...],
        deck: dict[Any, Any],
        where: str,
    ) -> None:
        entry = origin.entry
        for name in named(texts(entry)):
            member = self._members.get(member_of(name))
            if member is not None:
                self.media[name] = Medium(member.path, member.member, name)
        if origin.edited[0]:
            entry = self._edited_front(entry, shown[0], where)
        if origin.edited[1]:
            entry = self._edited_back(entry, shown[1], where)
        if origin.edited[2]:
            known = {tag.replace(" ", "-"): tag for tag in entry.fields.tags}
            kept = tuple(known.get(tag, tag) for tag in tags)
            entry = replace(entry, fields=replace(entry.fields, tags=kept))
        name, title = origin.deck, origin.title
        if str(deck.get("id")) != mochi_id(origin.deck):
            name = self.maker.deck(self._path(deck))
            title = str(deck.get("name") or title)
        self.maker.name_deck(name, title, origin.description)
        if self.maker.add(name, entry, where):
            self.mapped[entry.kind] += 1

    def _edited_front(self, entry: Entry, front: str, where: str) -> Entry:
        if entry.kind not in ("recall", "cloze"):
            self.maker.losses.add(
                f"an edit of the question of a {entry.kind} card: change it in the deck", where
            )
            return entry
        heading, prompt = asked(
            self._text(_holes(front) if entry.kind == "cloze" else [("", front)], where), entry.heading
        )
        if entry.kind == "cloze" and not has_holes(heading, prompt):
            self.maker.losses.add("an edit that leaves no readable cloze", where)
            return entry
        return replace(entry, heading=heading, prompt=prompt)

    def _edited_back(self, entry: Entry, back: str, where: str) -> Entry:
        if entry.kind not in ("recall", "cloze"):
            self.maker.losses.add(
                f"an edit of the answer of a {entry.kind} card: change it in the deck", where
            )
            return entry
        answer, _, points = self._text([("", "\n" + back)], where).partition(POINTS)
        if not points:
            answer, _, points = ("\n\n" + answer).partition(POINTS)
        kept = tuple(line[2:].strip() for line in points.split("\n") if line.startswith("- "))
        fields = replace(entry.fields, points=kept) if points else entry.fields
        return replace(entry, answer=answer.strip("\n"), fields=fields)


def _split(content: str) -> list[str]:
    """The sides of a card: a line ``---`` outside code parts them."""
    sides: list[list[str]] = [[]]
    for line, outside in outside_fences(content):
        if outside and RULE.match(line) and "---" in line:
            sides.append([])
        else:
            sides[-1].append(line.replace(f"---{GUARD}", "---") if GUARD in line else line)
    return ["\n".join(lines).strip("\n") for lines in sides]


def _holes(text: str) -> list[tuple[str, str]]:
    """``{{text}}`` and ``{{1::text}}`` outside formulas."""
    parts: list[tuple[str, str]] = []
    at = counted = dollars = 0
    for found in _HIDDEN.finditer(text):
        before = text[at : found.start()]
        dollars += text.count("$$", counted, found.start())
        counted = found.start()
        if dollars % 2:
            # Braces of a formula.
            continue
        parts += [("", before), (found[2].strip(), "")]
        at = found.end()
    return [*parts, ("", text[at:])]


def _single(markdown: str) -> str:
    """Mochi's ``$$x$$`` in a line as ``$x$``; one that stands alone stays."""
    if "$$" not in markdown:
        return markdown.replace("$", r"\$") if markdown.count("$") > 1 else markdown
    parts: list[str] = []
    pieces = split_math(markdown)
    for at, piece in enumerate(pieces):
        if not isinstance(piece, Math) or not piece.display:
            parts.append(piece.source)
            continue
        before = pieces[at - 1].source if at else "\n"
        after = pieces[at + 1].source if at + 1 < len(pieces) else "\n"
        alone = re.search(r"(?:^|\n)[ \t]*$", before) and re.match(r"[ \t]*(?:\n|$)", after)
        parts.append(piece.source if alone and len(pieces) > 1 else f"${piece.latex}$")
    return "".join(parts)


def _list(value: Any) -> list[Any]:
    return value if isinstance(value, list) else []
