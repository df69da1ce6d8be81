"""Mochi's files (mochi.cards, import and export): decks of Markdown cards whose sides a line ``---`` parts.

Mochi writes a formula in a line as ``$$x$$`` and a deletion as ``{{1::text}}``. A card of ours keeps its whole self in
a field of its own, with a checksum of what is seen, so that it comes back as it left, edits included.
"""

from __future__ import annotations

import re
import zipfile
from pathlib import Path
from typing import Any

from quizapp.decks.cloze import deletions
from quizapp.decks.entry import Entry
from quizapp.exchange.cards_of import card_count
from quizapp.exchange.deck_maker import DeckMaker
from quizapp.exchange.edn import EdnSet, Keyword, write_edn
from quizapp.exchange.losses import Losses
from quizapp.exchange.media import renamed
from quizapp.exchange.mochi_file import FIELD, GUARD, POINTS, RULE, member_of, mochi_id, read_data
from quizapp.exchange.mochi_reader import MochiReader
from quizapp.exchange.model import (
    Bundle,
    DeckText,
    ExchangeError,
    Incoming,
    Progress,
    ReadOptions,
    Written,
    silent,
)
from quizapp.exchange.plain_cards import PlainCards, outside_fences
from quizapp.exchange.whole_card import whole_card
from quizapp.notation import Math, split_math

# A link to a sound of the file; Mochi plays what is written like a picture.
_PLAYED = re.compile(r"(?<![!\\])\[([^\[\]\n]*+)\]\((@media/[^()\s]+)\)")
_STAMP = (1980, 1, 1, 0, 0, 0)


def write(bundle: Bundle, target: Path, progress: Progress = silent) -> Written:
    """A zip with ``data.edn`` and the pictures; the same decks give the same bytes."""
    lost = Losses()
    cards = PlainCards(bundle, lost, "Mochi")
    total = sum(len(deck.entries) for deck in bundle.decks)
    members = {medium.name: member_of(medium.name) for medium in bundle.media}
    decks: dict[str, dict[Keyword, Any]] = {}
    done = 0
    for deck in bundle.decks:
        made = _deck(decks, deck.name, deck.title)
        description = deck.description
        for entry in deck.entries:
            made[Keyword("cards")].append(_card(entry, deck, description, cards, members))
            description = ""
            done += 1
            if done % 200 == 0:
                progress(done, total)
    if bundle.with_schedule:
        lost.add("the schedule and the log, which Mochi does not import")
    data = write_edn({Keyword("version"): 2, Keyword("decks"): list(decks.values())})
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr(zipfile.ZipInfo("data.edn", _STAMP), data.encode(), zipfile.ZIP_DEFLATED)
        for medium in bundle.media:
            archive.writestr(zipfile.ZipInfo(members[medium.name], _STAMP), medium.read())
    progress(total, total)
    return Written(total, card_count(bundle.decks), lost.grouped())


def _deck(decks: dict[str, dict[Keyword, Any]], name: str, title: str = "") -> dict[Keyword, Any]:
    """The deck of this path, made with its parents where it is new."""
    found = decks.get(name)
    if found is not None:
        if title:
            found[Keyword("name")] = title
        return found
    parent, _, last = name.rpartition("/")
    made: dict[Keyword, Any] = {
        Keyword("id"): mochi_id(name),
        Keyword("name"): title or last.replace("-", " ").capitalize(),
    }
    if parent:
        made[Keyword("parent-id")] = _deck(decks, parent)[Keyword("id")]
    made[Keyword("cards")] = []
    decks[name] = made
    return made


def _card(
    entry: Entry, deck: DeckText, description: str, cards: PlainCards, members: dict[str, str]
) -> dict[Keyword, Any]:
    front, back = _sides(entry, cards)
    there = {name: f"@media/{member}" for name, member in members.items()}
    front, back = (_PLAYED.sub(r"![\1](\2)", renamed(text, there)) for text in (front, back))
    tags = [tag.replace(" ", "-") for tag in entry.fields.tags]
    source = whole_card(entry, deck, description, (front, back, " ".join(sorted(tags))))
    made: dict[Keyword, Any] = {
        Keyword("id"): mochi_id(entry.id),
        Keyword("content"): f"{front}\n---\n{back}" if back else front,
        Keyword("fields"): {Keyword(FIELD): {Keyword("id"): Keyword(FIELD), Keyword("value"): source}},
    }
    if tags:
        made[Keyword("tags")] = EdnSet(tags)
    return made


def _sides(entry: Entry, cards: PlainCards) -> tuple[str, str]:
    if entry.kind == "cloze":
        points = "\n".join(f"- {point}" for point in entry.fields.points)
        back = entry.answer + (f"{POINTS}{points}" if points else "")
        if any(hole.hint for text in (entry.heading, entry.prompt) for hole in deletions(text)):
            cards.lose("the hint of a deletion", entry)
        front = "\n\n".join(_cloze(text) for text in (entry.heading, entry.prompt) if text)
    else:
        front, back = cards.texts(entry)
        front = _formulas(front)
    return _guarded(front), _guarded(_formulas(back))


def _cloze(text: str) -> str:
    parts: list[str] = []
    at = 0
    for hole in deletions(text):
        hidden = _formulas(hole.hidden)
        while "}}" in hidden or hidden.endswith("}"):
            # Mochi ends a deletion at the first }}; a space between braces shows nothing in a formula.
            hidden = re.sub(r"\}(?=\})", "} ", hidden) + (" " if hidden.endswith("}") else "")
        parts += [_formulas(text[at : hole.start]), f"{{{{{hole.number}::{hidden}}}}}"]
        at = hole.end
    return "".join(parts) + _formulas(text[at:])


def _formulas(markdown: str) -> str:
    """``$x$`` as ``$$x$$``; a formula on lines of its own is one there by its place."""
    if "$" not in markdown:
        return markdown
    parts: list[str] = []
    for piece in split_math(markdown):
        if isinstance(piece, Math) and not piece.display:
            parts.append(f"$${piece.latex}$$")
        else:
            parts.append(piece.source)
    return "".join(parts)


def _guarded(text: str) -> str:
    """No line ``---``, which parts the sides: a rule becomes three stars, in code a sign of no width follows."""
    lines = [
        line if not RULE.match(line) else "***" if outside and line.startswith("-") else line.rstrip() + GUARD
        for line, outside in outside_fences(text)
    ]
    return "\n".join(lines).strip("\n")


def read(source: Path, options: ReadOptions) -> Incoming:
    """The cards of a Mochi file, in EDN or Transit. Raises ExchangeError."""
    lost = Losses()
    found, media = read_data(source, lost)
    reader = MochiReader(found, media, DeckMaker(source, options, lost), options)
    notes = reader.read()
    if not notes:
        raise ExchangeError(f"{source}: no cards in it")
    mapped = tuple(f"cards: {count} as {kind}" for kind, count in reader.mapped.items())
    return Incoming(reader.maker.decks(), notes, mapped, lost.grouped(), media=tuple(reader.media.values()))
