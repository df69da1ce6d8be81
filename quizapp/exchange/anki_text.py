"""Anki's notes as a text file: rows and columns, with lines ``#key:value`` at the top.

Written for any Anki: the note types are its own Basic and Cloze (:mod:`~quizapp.exchange.two_sides`). Read as Anki
reads it, but without dropping what Anki drops silently: columns beyond the fields, rows that begin with ``#``, the rest
of the file after a quote that is never closed.
"""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass, field
from html import escape
from pathlib import Path

from msgspec.structs import replace

from quizapp.decks.card import Fields
from quizapp.decks.entry import Entry
from quizapp.exchange.anki_edits import from_anki
from quizapp.exchange.anki_foreign import split_front
from quizapp.exchange.anki_notes import SYSTEM_TAGS, anki_notes, foreign_id
from quizapp.exchange.cards_of import card_count
from quizapp.exchange.clozes import from_anki as cloze_text
from quizapp.exchange.deck_maker import DeckMaker, asked, has_holes, text_id
from quizapp.exchange.delimited import (
    SEPARATORS,
    field_limit,
    guess_separator,
    read_text,
    rows,
    unquoted,
    write_row,
)
from quizapp.exchange.from_html import Converted, convert
from quizapp.exchange.losses import Losses
from quizapp.exchange.model import (
    Bundle,
    ExchangeError,
    Incoming,
    Loss,
    Progress,
    ReadOptions,
    Written,
    silent,
)
from quizapp.exchange.two_sides import fields_of, two_sides

_HEADER = "#separator:tab\n#html:true\n#guid column:1\n#notetype column:2\n#deck column:3\n#tags column:6\n"
_KEY = re.compile(r"#\s*([A-Za-z ]+?)\s*:(.*)", re.DOTALL)
_COLUMNS = ("guid column", "notetype column", "deck column", "tags column")
_HTML = re.compile(
    r"<(?:br|div|p|b|i|u|span|font|ul|ol|li|img|sub|sup|table|tr|td|pre|code|h[1-6]|strong|em|a|hr)\b[^<>]*>"
    r"|&(?:nbsp|lt|gt|amp|quot|#\d+);",
    re.IGNORECASE,
)
_BLOCK = re.compile(r"</?(?:p|div|ul|ol|li|table|tr|td|th|h[1-6]|blockquote|dl)\b", re.IGNORECASE)
_PRE = re.compile(r"(<pre\b.*?</pre>)", re.DOTALL | re.IGNORECASE)
_CLOZE = re.compile(r"\{\{c\d[\d,]*::")


def write(bundle: Bundle, target: Path, progress: Progress = silent) -> Written:
    """One row a note, parent decks before their children."""
    lost: list[Loss] = []
    # A row of A::B before any of A makes Anki invent a deck "A+".
    decks = sorted(bundle.decks, key=lambda deck: deck.name.count("/"))
    total = sum(len(deck.entries) for deck in decks)
    with target.open("w", encoding="utf-8", newline="") as file:
        file.write(_HEADER)
        for number, note in enumerate(
            anki_notes(replace(bundle, decks=tuple(decks)), lost, describe=True), 1
        ):
            kind = "Cloze" if note.notetype.cloze else "Basic"
            row = (note.guid, kind, note.deck, *two_sides(note), " ".join(note.tags))
            file.write(write_row(row, "\t", "#"))
            if number % 500 == 0:
                progress(number, total)
    if bundle.media:
        lost.append(
            Loss(
                "a picture: a text file names it and cannot hold it", bundle.media[0].name, len(bundle.media)
            )
        )
    if bundle.with_schedule:
        lost.append(Loss("the schedule and the log, which a text file of notes has no place for"))
    progress(total, total)
    return Written(total, card_count(bundle.decks), Losses(lost).grouped())


@dataclass
class _Header:
    """What the lines at the top say."""

    separator: str = ""
    html: bool | None = None
    tags: tuple[str, ...] = ()
    deck: str = ""
    notetype: str = ""
    names: list[str] = field(default_factory=list)
    columns: dict[str, int] = field(default_factory=dict)
    lines: int = 0


def read(source: Path, options: ReadOptions) -> Incoming:
    """The notes of a text file. Raises ExchangeError where it is not UTF-8 or holds no row."""
    field_limit()
    text = read_text(source)
    lost = Losses()
    header = _header(text, lost)
    body = text.split("\n", header.lines)[-1] if header.lines else text
    separator = header.separator or guess_separator(body)
    html = header.html if header.html is not None else looks_like_html(body)
    reader = _Rows(header, html, DeckMaker(source, options, lost), options)
    total = body.count("\n")
    for number, row, unclosed in rows(body, separator, header.lines + 1):
        if unclosed:
            lost.add("a quote that is never closed: its line was read as it stands", f"line {number}")
        if row[0].startswith("#") and len(row) == 1:
            lost.add("a line of comment", f"line {number}")
            continue
        reader.add(number, row)
        if number % 1000 == 0:
            options.progress(min(number, total), total)
    if not reader.count:
        raise ExchangeError(f"{source}: no notes in it; each line is one, its fields parted by tabs")
    options.progress(total, total)
    what = SEPARATORS.get(separator, repr(separator))
    mapped = [f"columns parted by {what}, read as {'HTML' if html else 'plain text'}"]
    mapped += [f"{name}: {count} as {kind}" for (name, kind), count in reader.mapped.items()]
    media = tuple(reader.maker.media.values())
    return Incoming(reader.maker.decks(), reader.count, tuple(mapped), lost.grouped(), media=media)


def _header(text: str, lost: Losses) -> _Header:
    found = _Header()
    for line in text.split("\n"):
        plain = unquoted(line)
        key = _KEY.match(plain)
        first_tags = found.lines == 0 and line.lower().startswith("tags:")
        if not line.startswith(("#", '"#')) and not first_tags:
            break
        if first_tags:
            found.tags = tuple(line[5:].split())
        elif key and not _take(found, key[1].lower(), key[2]):
            if plain.count("\t"):
                # A row of two columns, such as "#include <stdio.h>", and no header.
                break
            lost.add("a line of comment", f"line {found.lines + 1}")
        elif not key:
            if "\t" in plain:
                break
            lost.add("a line of comment", f"line {found.lines + 1}")
        found.lines += 1
    return found


def _take(found: _Header, key: str, value: str) -> bool:
    """Take one header line; False for a key that is none."""
    free = value.strip("\n").rstrip(",;\t|").strip()
    word = re.match(r"\s*(\w+)", value)
    if key == "separator":
        names = {name: sign for sign, name in SEPARATORS.items()}
        names |= {"comma": ",", "pipe": "|"}
        sign = value[:1] if value[:1] and not value[:1].isalnum() and not value[:1].isspace() else ""
        found.separator = (
            names.get(word[1].lower(), "") if word else sign or ("\t" if value.startswith("\t") else "")
        )
    elif key == "html":
        found.html = bool(word and word[1].lower() in ("true", "1", "yes"))
    elif key == "tags":
        found.tags = tuple(free.split())
    elif key == "deck":
        found.deck = free
    elif key == "notetype":
        found.notetype = free
    elif key == "columns":
        names_of = next(iter(rows(value, found.separator or guess_separator(value))), (0, [], False))[1]
        found.names = [name.strip() for name in names_of]
    elif key in _COLUMNS:
        if word and word[1].isdigit():
            found.columns[key.split()[0]] = int(word[1]) - 1
    elif key not in ("if matches", "match scope"):
        return False
    return True


class _Rows:
    """Makes entries of rows."""

    def __init__(self, header: _Header, html: bool, maker: DeckMaker, options: ReadOptions) -> None:
        self.maker = maker
        self.count = 0
        self.mapped: Counter[tuple[str, str]] = Counter()
        self._header = header
        self._html = html
        self._options = options

    def add(self, number: int, row: list[str]) -> None:
        self.count += 1
        header, where = self._header, f"line {number}"
        special = set(header.columns.values())

        def column(name: str) -> str:
            at = header.columns.get(name, -1)
            return row[at].strip() if 0 <= at < len(row) else ""

        fields = [cell for at, cell in enumerate(row) if at not in special]
        names = [name for at, name in enumerate(header.names) if at not in special] if header.names else []
        tags = (*header.tags, *column("tags").split())
        path = column("deck") or header.deck
        own = fields_of(fields[0], fields[1]) if len(fields) > 1 else None
        note = from_anki(own, path, tags) if own else None
        if note is not None:
            self.maker.name_deck(note.deck, note.title, note.description)
            for loss in note.lost:
                self.maker.losses.add(loss.what, loss.where, loss.count)
            if self.maker.add(note.deck, note.entry, where):
                self.mapped["notes of this program", note.entry.kind] += 1
            return
        deck = self.maker.deck(self._options.deck or path)
        kind = column("notetype") or header.notetype
        for entry in self._entries(fields, names, kind, deck, column("guid"), where):
            kept = tuple(dict.fromkeys(tag for tag in tags if tag not in SYSTEM_TAGS))
            made = replace(entry, fields=Fields(tags=kept))
            if self.maker.add(deck, made, where):
                self.mapped[f"notes of type {kind}" if kind else "rows", made.kind] += 1

    def _entries(
        self, fields: list[str], names: list[str], kind: str, deck: str, guid: str, where: str
    ) -> list[Entry]:
        front, *rest = fields or [""]
        cloze = _CLOZE.search(front) is not None
        question = self._converted(front, where, cloze)
        answers = [self._converted(cell, where) for cell in rest]
        back = [answer.markdown for answer in answers[:1]]
        back += [
            f"**{names[at]}:** {answer.markdown}" if at < len(names) and names[at] else answer.markdown
            for at, answer in enumerate(answers[1:], 2)
            if answer.markdown
        ]
        answer = "\n\n".join(part for part in back if part)
        for name in (name for text in (question, *answers) for name in text.media):
            self.maker.picture(name)
        if not question.markdown and not answer:
            self.maker.losses.add("a row without words", where)
            return []
        if not question.markdown:
            self.maker.losses.add("the question of a row, which is empty: the card asks for it", where)
        identity = foreign_id(guid) if guid else text_id(question.markdown or answer)
        heading, prompt = asked(question.markdown, deck) if question.markdown else ("(no question)", "")
        if cloze and has_holes(heading, prompt):
            return [Entry(identity, "cloze", heading, prompt, answer)]
        if not answer:
            self.maker.losses.add("the answer of a row, which is empty: the card says so", where)
        made = [Entry(identity, "recall", heading, prompt, answer or "(no answer)")]
        both = "revers" in kind.lower() and (
            "optional" not in kind.lower() or (len(rest) > 1 and rest[1].strip())
        )
        if both and answer and question.markdown:
            heading, prompt = split_front(back[0], heading) if back[0] else (heading, prompt)
            made.append(Entry(f"{identity}-2", "recall", heading, prompt, question.markdown))
        return made

    def _converted(self, cell: str, where: str, cloze: bool = False) -> Converted:
        if not self.maker.fits(cell, where):
            return Converted("")
        html = field_html(cell) if self._html else plain_html(cell)
        made = cloze_text(html) if cloze else convert(html)
        for what in made.lost:
            self.maker.losses.add(what, where)
        return made


def looks_like_html(text: str) -> bool:
    """Whether somebody wrote tags or entities, in a file that does not say."""
    return _HTML.search(text) is not None


def field_html(cell: str) -> str:
    """HTML of a field of several lines: outside code, a line end is a break where no tags make the lines."""
    if "\n" not in cell:
        return cell
    if _BLOCK.search(cell):
        return cell
    parts = _PRE.split(cell)
    return "".join(part if at % 2 else part.replace("\n", "<br>") for at, part in enumerate(parts))


def plain_html(cell: str) -> str:
    """Plain text as HTML that shows its lines and the blanks they begin with."""
    lines = escape(cell.strip("\n").expandtabs(4), quote=False).split("\n")
    return "<br>".join("&nbsp;" * (len(line) - len(line.lstrip(" "))) + line.lstrip(" ") for line in lines)
