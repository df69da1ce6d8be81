"""Flashcards inside Obsidian's notes: ``a::b``, ``a:::b``, a line ``?`` or ``??`` between two sides, ``==hidden==``.

``#flashcards/deck`` names the deck of what follows, or of its own line. A blank line ends a card; code is not looked
into.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from quizapp.decks.entry import Entry
from quizapp.exchange.deck_maker import DeckMaker, asked, has_holes, text_id
from quizapp.exchange.foreign_markdown import foreign_cloze, foreign_markdown
from quizapp.exchange.losses import Losses
from quizapp.exchange.plain_cards import outside_fences

_DECK = re.compile(r"#flashcards(?:/([\w/-]+))?\b")
_SCHEDULE = re.compile(r"<!--SR:(![^>]*?)-->")
_COMMENT = re.compile(r"<!--.*?-->", re.DOTALL)
_HIDDEN = re.compile(r"==(?=\S)([^=\n](?:[^\n]*?[^=\n])?)==(?:\^\[([^\]\n]*)\])?(?:\[\^\w+\])?")
_CODE = re.compile(r"(`+)[^`].*?\1|\$[^$\n]+\$")


@dataclass
class _Block:
    """Lines without a blank one between them; code counts as one line."""

    first: int
    lines: list[str] = field(default_factory=list)
    plain: list[bool] = field(default_factory=list)


def read_obsidian(lines: list[str], first: int, maker: DeckMaker, lost: Losses, name: str) -> dict[str, int]:
    """Take the cards of a note; returns how many there were of each kind."""
    kinds = {"lines front::back": 0, "cards with a line ?": 0, "clozes": 0}
    deck = maker.deck(name)
    for block in _blocks(lines, first):
        where = f"line {block.first}"
        text = "\n".join(block.lines)
        if not maker.fits(text, where):
            continue
        for found in _SCHEDULE.findall(text):
            lost.add("the due date that Obsidian keeps with a card", where, found.count("!"))
        here = _DECK.search(text)
        target = deck
        if here:
            target = maker.deck(here[1] or name)
            bare = [_DECK.sub("", line).strip() for line in block.lines]
            if not bare[0] or not any(bare):
                deck = target
        kept = [
            (line, plain)
            for line, plain in zip((_cleaned(line) for line in block.lines), block.plain, strict=True)
            if line.strip() or not plain
        ]
        if kept:
            _card(kept, target, where, maker, lost, kinds)
    return kinds


def _blocks(lines: list[str], first: int) -> list[_Block]:
    found: list[_Block] = []
    block: _Block | None = None
    for number, (line, outside) in enumerate(outside_fences("\n".join(lines)), first):
        if outside and not line.strip():
            block = None
            continue
        if block is None:
            block = _Block(number)
            found.append(block)
        block.lines.append(line)
        block.plain.append(outside)
    return found


def _cleaned(line: str) -> str:
    if "<!--" in line:
        line = _COMMENT.sub("", line)
    return _DECK.sub("", line).rstrip() if "#flashcards" in line else line


def _card(
    lines: list[tuple[str, bool]],
    deck: str,
    where: str,
    maker: DeckMaker,
    lost: Losses,
    kinds: dict[str, int],
) -> None:
    mark = next((at for at, (line, plain) in enumerate(lines) if plain and line.strip() in ("?", "??")), None)
    if mark:
        front = "\n".join(line for line, _ in lines[:mark])
        back = "\n".join(line for line, _ in lines[mark + 1 :])
        _pair(front, back, lines[mark][0].strip() == "??", deck, where, maker, lost)
        kinds["cards with a line ?"] += 1
        return
    rest: list[str] = []
    for line, plain in lines:
        found = _separator(line) if plain else None
        if found is None:
            rest.append(line)
            continue
        at, both = found
        front = re.sub(r"^\s*(?:[-*+]|\d+[.)])\s+", "", line[:at]).strip()
        back = line[at + (3 if both else 2) :].strip()
        if front and back:
            _pair(front, back, both, deck, where, maker, lost)
            kinds["lines front::back"] += 1
        else:
            lost.add("a line with :: and one side only", where)
    text = "\n".join(rest).strip("\n")
    if not text.strip():
        return
    if _HIDDEN.search(text):
        _cloze(text, deck, where, maker, lost)
        kinds["clozes"] += 1
    else:
        lost.add("text outside of cards", where)


def _separator(line: str) -> tuple[int, bool] | None:
    """Where the sides of a line part, and whether the card asks both ways; never in code or a formula."""
    masked = _CODE.sub(lambda match: "." * len(match[0]), line)
    found = re.search(r":::?", masked)
    return (found.start(), len(found[0]) == 3) if found else None


def _pair(front: str, back: str, both: bool, deck: str, where: str, maker: DeckMaker, lost: Losses) -> None:
    question = foreign_markdown(front, lost, where, wiki=True)
    answer = foreign_markdown(back, lost, where, wiki=True)
    if not answer:
        lost.add("the answer of a card, which is missing: the card says so", where)
    identity = text_id(front)
    heading, prompt = asked(question, deck)
    maker.add(deck, Entry(identity, "recall", heading, prompt, answer or "(no answer)"), where)
    if both and answer:
        heading, prompt = asked(answer, deck)
        maker.add(deck, Entry(f"{identity}-back", "recall", heading, prompt, question), where)


def _cloze(text: str, deck: str, where: str, maker: DeckMaker, lost: Losses) -> None:
    parts: list[tuple[str, str]] = []
    at = 0
    for found in _HIDDEN.finditer(text):
        parts += [("", text[at : found.start()]), (found[1], found[2] or "")]
        at = found.end()
    heading, prompt = asked(foreign_cloze([*parts, ("", text[at:])], lost, where, wiki=True), deck)
    if has_holes(heading, prompt):
        maker.add(deck, Entry(text_id(text), "cloze", heading, prompt), where)
    else:
        lost.add("a cloze without a readable deletion", where)
