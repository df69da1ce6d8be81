"""hashcards' Markdown, and what its relatives repeater and Obsidian's flashcards write.

A card begins at a line ``Q:`` or ``C:`` and ends at the next one, at a line ``---`` or at the end, in code too. So such
a line inside a card gets a sign of no width, which the way back takes away.
"""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

from quizapp.decks.cloze import deletions
from quizapp.decks.entry import Entry
from quizapp.exchange.cards_of import card_count
from quizapp.exchange.deck_maker import DeckMaker, asked, has_holes, text_id
from quizapp.exchange.delimited import read_text
from quizapp.exchange.foreign_markdown import foreign_cloze, foreign_markdown
from quizapp.exchange.losses import Losses
from quizapp.exchange.media import named, texts
from quizapp.exchange.model import Bundle, ExchangeError, Incoming, Progress, ReadOptions, Written, silent
from quizapp.exchange.obsidian import read_obsidian
from quizapp.exchange.plain_cards import PlainCards, outside_fences

_TAG = re.compile(r"([QAC]):(.*)", re.DOTALL)
# What several decks in one file are called together.
_SEVERAL = "All decks"
_GUARD = "\u200b"
_TO_GUARD = re.compile(r"[QAC]:|\s*---\s*$")
_GUARDED = re.compile(rf"{_GUARD}(?=[QAC]:)|(?<=---){_GUARD}$")
_PAIR = re.compile(r"(\S.*?)\s*(?<!:)::(?!:)\s*(.*\S)")


def write(bundle: Bundle, target: Path, progress: Progress = silent) -> Written:
    """All decks in one file: hashcards has one deck a file, so several become one."""
    lost = Losses()
    cards = PlainCards(bundle, lost, "hashcards")
    total = sum(len(deck.entries) for deck in bundle.decks)
    parts: list[str] = []
    done = 0
    if bundle.decks:
        title = bundle.decks[0].title if len(bundle.decks) == 1 else _SEVERAL
        title = title.replace("\\", "\\\\").replace('"', '\\"')
        parts.append(f'---\nname = "{title}"\n---\n')
    for deck in bundle.decks if len(bundle.decks) > 1 else ():
        lost.add(f"the name of a deck: hashcards has one deck a file, here {_SEVERAL}", deck.name)
    for deck in bundle.decks:
        if deck.description:
            lost.add("the description of a deck", deck.name)
        for entry in deck.entries:
            parts.append(_card(entry, cards))
            done += 1
            if done % 200 == 0:
                progress(done, total)
    if total:
        lost.add("ids: hashcards knows a card by its text, so a reworded card is a new one", count=total)
    if bundle.with_schedule:
        lost.add("the schedule and the log, which hashcards keeps in a database of its own")
    if bundle.media:
        lost.add(
            "a picture: a text file names it and cannot hold it", bundle.media[0].name, len(bundle.media)
        )
    target.write_text("\n".join(parts), "utf-8", newline="\n")
    progress(total, total)
    return Written(total, card_count(bundle.decks), lost.grouped())


def _card(entry: Entry, cards: PlainCards) -> str:
    cards.lose_fields(entry)
    if entry.kind == "cloze":
        return f"C: {_guarded(_cloze(entry, cards))}\n"
    front, back = cards.texts(entry)
    return f"Q: {_guarded(front)}\nA: {_guarded(back)}\n"


def _cloze(entry: Entry, cards: PlainCards) -> str:
    """A text with its deletions in square brackets; other brackets are escaped, except those of pictures."""
    text = "\n\n".join(part for part in (entry.heading, entry.prompt) if part)
    holes = deletions(text)
    if len({hole.number for hole in holes}) < len(holes):
        cards.lose("hiding several parts at once: each is a card of its own", entry)
    if any(hole.hint for hole in holes):
        cards.lose("the hint of a deletion", entry)
    if entry.answer or entry.fields.points:
        cards.lose("the text below a cloze", entry)
    parts: list[str] = []
    at = 0
    for hole in holes:
        parts += [_bracketed(text[at : hole.start]), f"[{_bracketed(hole.hidden)}]"]
        at = hole.end
    return "".join(parts) + _bracketed(text[at:])


def _bracketed(text: str) -> str:
    pieces = re.split(r"(!\[[^\]\n]*\]\([^)\n]*\))", text)
    return "".join(
        piece if at % 2 else re.sub(r"\\?([\[\]])", r"\\\1", piece) for at, piece in enumerate(pieces)
    )


def _guarded(text: str) -> str:
    """The text with no line that would end the card. A rule becomes three stars, which Markdown reads the same."""
    lines: list[str] = []
    for number, (line, outside) in enumerate(outside_fences(text)):
        if number and _TO_GUARD.match(line):
            if line.startswith("---") and outside:
                line = "***"
            elif "---" in line:
                line = line.rstrip() + _GUARD
            else:
                line = _GUARD + line
        lines.append(line)
    return "\n".join(lines)


def read(source: Path, options: ReadOptions) -> Incoming:
    """The cards of a file of Markdown. Raises ExchangeError where it is not UTF-8 or holds no card."""
    text = read_text(source)
    lost = Losses()
    maker = DeckMaker(source, options, lost)
    name, body, first = _frontmatter(text)
    lines = body.split("\n")
    if any(_TAG.match(line) for line in lines):
        kinds = _Reader(maker, lost, maker.deck(options.deck or name)).read(lines, first)
    else:
        kinds = read_obsidian(lines, first, maker, lost, options.deck or name)
    options.progress(len(maker), len(maker))
    if not len(maker):
        raise ExchangeError(
            f"{source}: no cards in it; a card is Q: and A:, C: with [brackets], front::back, or a line ?"
        )
    notes = sum(kinds.values())
    mapped = tuple(f"{kind}: {count}" for kind, count in kinds.items() if count)
    decks = maker.decks()
    for name in named(part for deck in decks for entry in deck.entries for part in texts(entry)):
        maker.picture(name)
    return Incoming(decks, notes, mapped, lost.grouped(), media=tuple(maker.media.values()))


def _frontmatter(text: str) -> tuple[str, str, int]:
    """The deck's name, the text below the front matter, and the number of its first line."""
    lines = text.split("\n")
    if not lines or lines[0].strip() != "---":
        return "", text, 1
    end = next((at for at in range(1, len(lines)) if lines[at].strip() == "---"), 0)
    if not end:
        return "", text, 1
    head = "\n".join(lines[1:end])
    try:
        name = tomllib.loads(head).get("name", "")
    except tomllib.TOMLDecodeError:
        # Obsidian's is YAML, whose tags may name a deck.
        found = re.search(r"#?flashcards/([\w/-]+)", head)
        name = found[1] if found else ""
    return (name if isinstance(name, str) else ""), "\n".join(lines[end + 1 :]), end + 2


class _Reader:
    """Reads cards at column 0, and repeater's lines ``front::back`` between them."""

    def __init__(self, maker: DeckMaker, lost: Losses, deck: str) -> None:
        self._maker = maker
        self._lost = lost
        self._deck = deck
        self._kinds = {"questions": 0, "clozes": 0, "lines front::back": 0}

    def read(self, lines: list[str], first: int) -> dict[str, int]:
        """Take all cards; returns how many there were of each kind."""
        tag, parts, begun = "", {}, 0  # type: str, dict[str, list[str]], int
        for number, line in enumerate([*lines, "---"], first):
            found = _TAG.match(line)
            if found and found[1] == "A" and tag == "Q":
                tag = "A"
                parts["A"] = [found[2].strip()]
            elif found or line.strip() == "---":
                self._take(parts, f"line {begun}")
                tag, parts, begun = "", {}, number
                if found:
                    tag = found[1]
                    parts = {tag: [found[2].strip()]}
            elif tag:
                parts[tag].append(line)
            elif line.strip():
                self._stray(line, f"line {number}")
        return self._kinds

    def _take(self, parts: dict[str, list[str]], where: str) -> None:
        texts = {
            tag: "\n".join(_GUARDED.sub("", line) for line in lines).strip() for tag, lines in parts.items()
        }
        if not all(self._maker.fits(text, where) for text in texts.values()):
            return
        if "C" in texts:
            self._cloze(texts["C"], where)
        elif "Q" in texts:
            if not texts.get("A"):
                self._lost.add("the answer of a card, which is missing: the card says so", where)
            self._pair(texts["Q"], texts.get("A", ""), where, "questions")
        elif texts.get("A"):
            self._lost.add("an answer without a question", where)

    def _stray(self, line: str, where: str) -> None:
        found = _PAIR.match(line)
        if found:
            self._pair(found[1], found[2], where, "lines front::back")
        else:
            self._lost.add("text outside of cards", where)

    def _pair(self, question: str, answer: str, where: str, kind: str) -> None:
        if not question:
            self._lost.add("a card without a question", where)
            return
        heading, prompt = asked(foreign_markdown(question, self._lost, where), self._deck)
        back = foreign_markdown(answer, self._lost, where)
        self._add(Entry(text_id(question), "recall", heading, prompt, back or "(no answer)"), where, kind)

    def _cloze(self, text: str, where: str) -> None:
        found = bracket_cloze(text)
        heading, prompt = asked(foreign_cloze(found, self._lost, where), self._deck)
        if has_holes(heading, prompt):
            self._add(Entry(text_id(text), "cloze", heading, prompt), where, "clozes")
        else:
            self._lost.add("a cloze without a readable deletion", where)

    def _add(self, entry: Entry, where: str, kind: str) -> None:
        self._kinds[kind] += 1
        self._maker.add(self._deck, entry, where)


def bracket_cloze(text: str) -> list[tuple[str, str]]:
    """hashcards' ``[hidden]``: ``\\[`` and ``\\]`` are brackets, ``![`` begins a picture."""
    parts: list[tuple[str, str]] = []
    held = ""
    token = re.compile(
        r"\\([\[\]])|(!\[[^\]\n]{0,1000}+\]\([^)\n]{0,1000}+\))|\[((?:\\[\[\]]|[^\[\]\\]|\\)++)\]"
    )
    at = 0
    for found in token.finditer(text):
        held += text[at : found.start()]
        at = found.end()
        if found[1]:
            held += found[1]
        elif found[2]:
            held += found[2]
        else:
            parts += [("", held), (re.sub(r"\\([\[\]])", r"\1", found[3]), "")]
            held = ""
    return [*parts, ("", held + text[at:])]
