"""Tables with commas, tabs, semicolons or bars: for a spreadsheet, and from one.

Our own columns hold Markdown as it stands in the deck; ``Source`` holds the whole card and a checksum of every other
column, so that an edit made in a spreadsheet is taken and everything else comes back as it left. Other tables hold
plain text or HTML, and ``$..$`` for a formula.
"""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path
from typing import Any

from msgspec.structs import replace

from quizapp.decks.card import Fields, Option
from quizapp.decks.entry import Entry
from quizapp.exchange.anki_text import field_html, looks_like_html, plain_html
from quizapp.exchange.cards_of import card_count
from quizapp.exchange.clozes import from_anki as cloze_text
from quizapp.exchange.deck_maker import DeckMaker, asked, has_holes, text_id
from quizapp.exchange.delimited import SEPARATORS, field_limit, guess_separator, read_text, rows, write_row
from quizapp.exchange.from_html import convert
from quizapp.exchange.losses import Losses
from quizapp.exchange.model import Bundle, ExchangeError, Incoming, Progress, ReadOptions, Written, silent
from quizapp.exchange.table_columns import PARTS, SOURCE, Columns, columns
from quizapp.exchange.whole_card import Whole, read_whole, whole_card
from quizapp.notation import to_mathjax
from quizapp.text import slug

_LISTS = ("points", "hints", "sources")
_OPTION = re.compile(r"\[([ xX])\] (.*)", re.DOTALL)
_CLOZE = re.compile(r"\{\{c\d[\d,]*::")


def write(bundle: Bundle, target: Path, progress: Progress = silent) -> Written:
    """One row an entry; tabs for ``.tsv`` and ``.tab``, else commas."""
    separator = "\t" if target.suffix.lower() in (".tsv", ".tab") else ","
    total = sum(len(deck.entries) for deck in bundle.decks)
    done = 0
    with target.open("w", encoding="utf-8", newline="") as file:
        file.write(write_row((*PARTS, SOURCE), separator))
        for deck in bundle.decks:
            description = deck.description
            for entry in deck.entries:
                cells = _cells(entry, deck.name)
                cells.append(whole_card(entry, deck, description, cells))
                file.write(write_row(cells, separator))
                description = ""
                done += 1
                if done % 500 == 0:
                    progress(done, total)
    lost = Losses()
    if bundle.media:
        lost.add("a picture: a table names it and cannot hold it", bundle.media[0].name, len(bundle.media))
    if bundle.with_schedule:
        lost.add("the schedule and the log, which a table has no place for")
    progress(total, total)
    return Written(total, card_count(bundle.decks), lost.grouped())


def _cells(entry: Entry, deck: str) -> list[str]:
    fields = entry.fields
    options = "\n".join(
        f"[{'x' if option.right else ' '}] " + option.text.replace("\n", "\n    ") for option in entry.options
    )
    return [
        entry.id, deck, entry.kind, entry.heading, entry.prompt, entry.answer, options,
        "" if fields.answer is None else str(fields.answer), fields.unit or "", ", ".join(fields.tags),
        *("\n".join(getattr(fields, name)) for name in _LISTS),
    ]  # fmt: skip


def read(source: Path, options: ReadOptions) -> Incoming:
    """The cards of a table. Raises ExchangeError where it is not UTF-8, has no row, or no column is the question."""
    field_limit()
    text = read_text(source)
    begun = 1
    declared = re.match(r"sep=([,;|\t])\n", text)
    if declared:
        # A line by which Excel tells itself the separator.
        text, begun = text[declared.end() :], 2
    separator = (
        declared[1]
        if declared
        else "\t"
        if source.suffix.lower() in (".tsv", ".tab") and "\t" in text
        else guess_separator(text)
    )
    lost = Losses()
    found = []
    for number, row, unclosed in rows(text, separator, begun):
        if unclosed:
            lost.add("a quote that is never closed: its line was read as it stands", f"line {number}")
        found.append((number, row))
    if not found:
        raise ExchangeError(f"{source}: an empty table; each row is a card, its first row names the columns")
    width = max(len(row) for _, row in found)
    known = columns(source, found[0][1], options.columns, width)
    body = found[1:] if known.header else found
    if not body:
        raise ExchangeError(f"{source}: a table with names of columns and no row below them")
    html = any(looks_like_html(cell) for _, row in body for cell in row)
    reader = _Rows(source, known, html, DeckMaker(source, options, lost), options)
    for done, (number, row) in enumerate(body):
        reader.add(f"line {number}", row)
        if done % 1000 == 0:
            options.progress(done, len(body))
    options.progress(len(body), len(body))
    return Incoming(
        reader.maker.decks(),
        len(body),
        tuple(reader.said(separator)),
        lost.grouped(),
        media=tuple(reader.maker.media.values()),
    )


class _Rows:
    """Makes entries of rows."""

    def __init__(
        self, source: Path, known: Columns, html: bool, maker: DeckMaker, options: ReadOptions
    ) -> None:
        self.maker = maker
        self.mapped: Counter[str] = Counter()
        self._columns = known
        self._own = SOURCE in known.parts
        self._html = html and not self._own
        self._options = options
        self._file = slug(source.stem)

    def said(self, separator: str) -> list[str]:
        style = "Markdown of this program" if self._own else "HTML" if self._html else "plain text"
        lines = [f"columns parted by {SEPARATORS[separator]}, read as {style}"]
        lines += [] if self._own else self._columns.said()
        return lines + [f"rows: {count} as {kind}" for kind, count in self.mapped.items()]

    def add(self, where: str, row: list[str]) -> None:
        cells: dict[str, str] = {}
        extra: list[tuple[str, str]] = []
        for at, cell in enumerate(row):
            part = self._columns.parts[at] if at < len(self._columns.parts) else None
            if part:
                cells[part] = cell.strip("\n") if self._own else cell.strip()
            elif part is None and cell.strip():
                extra.append((self._columns.names[at] if at < len(self._columns.names) else "", cell.strip()))
        origin = read_whole(cells.pop(SOURCE, ""), [cells.get(part, "") for part in PARTS])
        if origin is not None:
            self._own_row(origin, cells, where)
            return
        deck = self.maker.deck(self._options.deck or cells.get("deck", ""))
        entry = self._entry(cells, extra, deck, where)
        if entry is not None and self.maker.add(deck, entry, where):
            self.mapped[entry.kind] += 1

    def _own_row(self, origin: Whole, cells: dict[str, str], where: str) -> None:
        """A card of ours: what was edited in the spreadsheet, and everything else as it left."""
        # A column that was deleted says nothing.
        edits = {
            part: cells[part]
            for part, edited in zip(PARTS, origin.edited, strict=True)
            if edited and part in cells
        }
        deck, title = origin.deck, origin.title
        if edits.pop("deck", ""):
            deck = title = self.maker.deck(cells["deck"])
        if edits.pop("kind", ""):
            self.maker.losses.add("an edit of the kind of a card: change it in the deck", where)
        edits.pop("id", None)
        entry = _edited(origin.entry, edits)
        if not entry.heading.strip():
            self.maker.losses.add("an edit that leaves the question empty", where)
            entry = replace(entry, heading=origin.entry.heading)
        self.maker.name_deck(deck, title, origin.description)
        if self.maker.add(deck, entry, where):
            self.mapped[entry.kind] += 1

    def _entry(
        self, cells: dict[str, str], extra: list[tuple[str, str]], deck: str, where: str
    ) -> Entry | None:
        heading = cells.get("heading", "")
        cloze = _CLOZE.search(heading) is not None
        question = self._markdown(heading, where, cloze)
        prompt = self._markdown(cells.get("prompt", ""), where, cloze)
        answers = [self._markdown(cells.get("answer", ""), where)]
        for name, cell in extra:
            text = self._markdown(cell, where)
            answers.append(f"**{name}:** {text}" if name else text)
        answer = "\n\n".join(part for part in answers if part)
        if not question and not answer:
            self.maker.losses.add("a row without words", where)
            return None
        if not question:
            self.maker.losses.add("the question of a row, which is empty: the card asks for it", where)
        words, below = asked(question, deck) if question else ("(no question)", "")
        prompt = "\n\n".join(part for part in (below, prompt) if part)
        points, hints, sources = (tuple(_lines(self._line(cells.get(name, ""), where))) for name in _LISTS)
        fields = Fields(tags=_tags(cells.get("tags", "")), points=points, hints=hints, sources=sources)
        given = slug(cells.get("id", ""))
        identity = text_id(question or answer)
        if given:
            identity = (
                cells["id"]
                if self._own and re.fullmatch(r"[^\s:]+", cells["id"])
                else f"{self._file}-{given}"
            )
        choices = self._choices(cells, where)
        if choices:
            right_is_said = (
                answer == self._markdown(cells.get("answer", ""), where) and len(_lines(answer)) == 1
            )
            explained = "" if right_is_said and not self._own else answer
            return Entry(identity, "choice", words, prompt, explained, fields, choices)
        if cells.get("options"):
            prompt = "\n\n".join((prompt, self._markdown(cells["options"], where))).strip()
        value = cells.get("value", "").strip()
        if value and re.fullmatch(r"[-+]?[\d.]+(?:e[-+]?\d+)?", value, re.IGNORECASE):
            fields = replace(fields, kind="number", answer=value, unit=cells.get("unit") or None)
            return Entry(identity, "number", words, prompt, answer, fields)
        if value:
            answer = "\n\n".join(part for part in (self._markdown(value, where), answer) if part)
        if has_holes(words, prompt):
            return Entry(identity, "cloze", words, prompt, answer, fields)
        if not answer:
            self.maker.losses.add("the answer of a row, which is empty: the card says so", where)
        return Entry(identity, "recall", words, prompt, answer or "(no answer)", fields)

    def _choices(self, cells: dict[str, str], where: str) -> tuple[Option, ...]:
        """The options of a choice; none where no one can tell which are right."""
        found = _options(cells.get("options", ""))
        if not any(option.right for option in found):
            right = cells.get("answer", "").strip().lower()
            texts = [option.text for option in found]
            marked = [
                right in (text.lower(), "abcdefghij"[at : at + 1], str(at + 1))
                for at, text in enumerate(texts)
            ]
            found = tuple(Option(text, ok) for text, ok in zip(texts, marked, strict=True))
        made = tuple(Option(self._line(option.text, where), option.right) for option in found)
        sound = len(made) > 1 and any(o.right for o in made) and len({o.text for o in made}) == len(made)
        return made if sound and all(option.text for option in made) else ()

    def _markdown(self, cell: str, where: str, cloze: bool = False) -> str:
        if not cell or self._own:
            return cell
        if not self.maker.fits(cell, where):
            return ""
        cell = to_mathjax(cell) if "$" in cell else cell
        html = field_html(cell) if self._html else plain_html(cell)
        made = cloze_text(html) if cloze else convert(html)
        for what in made.lost:
            self.maker.losses.add(what, where)
        for name in made.media:
            self.maker.picture(name)
        return made.markdown

    def _line(self, cell: str, where: str) -> str:
        return "\n".join(" ".join(self._markdown(line, where).split("\n")) for line in cell.split("\n"))


def _edited(entry: Entry, edits: dict[str, str]) -> Entry:
    fields = entry.fields
    for part, text in edits.items():
        if part in ("heading", "prompt", "answer"):
            text = " ".join(text.split()) if part == "heading" else text
            entry = replace(entry, **{part: text})
        elif part == "options" and entry.kind == "choice":
            options = _options(text)
            entry = replace(entry, options=options) if any(option.right for option in options) else entry
        elif part == "value" and text.strip():
            fields = replace(fields, answer=_value(text.strip(), fields.answer))
        elif part == "unit":
            fields = replace(fields, unit=text.strip() or None)
        elif part == "tags":
            fields = replace(fields, tags=_tags(text))
        elif part in _LISTS:
            fields = replace(fields, **{part: tuple(_lines(text))})
    return replace(entry, fields=fields)


def _value(text: str, before: Any) -> str | int | float:
    for number in (int, float):
        if isinstance(before, int | float):
            try:
                return number(text)
            except ValueError:
                continue
    return text


def _options(text: str) -> tuple[Option, ...]:
    """Options a line each, ``[x]`` before the right ones; else parted by semicolons or bars."""
    if "[" in text and _OPTION.match(text):
        items = re.split(r"\n(?=\[[ xX]\] )", text)
        found = [match for item in items if (match := _OPTION.match(item))]
        return tuple(Option(match[2].replace("\n    ", "\n").strip(), match[1] != " ") for match in found)
    for separator in ("\n", "|", ";"):
        parts = [part.strip() for part in text.split(separator) if part.strip()]
        if len(parts) > 1:
            return tuple(Option(re.sub(r"^[A-Ja-j1-9][.)]\s+", "", part), False) for part in parts)
    return ()


def _tags(text: str) -> tuple[str, ...]:
    parts = re.split(r"[,;\n]", text) if re.search(r"[,;\n]", text) else text.split()
    return tuple(dict.fromkeys(part.strip() for part in parts if part.strip()))


def _lines(text: str) -> list[str]:
    return [line.strip() for line in text.split("\n") if line.strip()]
