"""From the text of one Markdown file to a :class:`~quizapp.decks.card.Deck`, every mistake with its line.

``docs/deck-format.md`` is the reference. One broken card never takes its deck down.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from markdown_it.token import Token

from quizapp.decks.blocks import Outline, Section, outline
from quizapp.decks.card import Card, Deck, Fields, Kind, Option, Problem
from quizapp.decks.cloze import ClozeError, Deletion, deletions
from quizapp.decks.fields import read_fields
from quizapp.decks.number import NotANumberError, read_number
from quizapp.text import has_controls, slug, strip_controls

# A card is read on one screen; ten thousand lines of it are a mistake, and slow to draw.
MOST_CHARACTERS = 100_000
_TASK = re.compile(r"\s*[-*+]\s+\[([ xX])\](?:\s+|$)")
_MARKUP = re.compile(r"\[@\w+[^\]\n]*=")


@dataclass
class _Reader:
    """One file on its way to a deck."""

    name: str
    path: str
    lines: list[str]
    problems: list[Problem] = field(default_factory=list)
    seen: dict[str, int] = field(default_factory=dict)

    def error(self, line: int, message: str) -> None:
        """``line`` is 0-based."""
        self.problems.append(Problem(self.path, line + 1, message))

    def warn(self, line: int, message: str) -> None:
        self.problems.append(Problem(self.path, line + 1, message, "warning"))

    def text(self, start: int, end: int) -> str:
        return "\n".join(self.lines[start:end]).strip("\n").rstrip()


def parse_deck(data: bytes, *, name: str, path: str) -> Deck:
    """Read a deck; mistakes are in ``problems``, and the cards that are right are in ``cards``."""
    reader = _Reader(name, path, [])
    spoiled = _decode(reader, data)
    found = outline(reader.lines)
    title, description = _title(reader, found)
    cards: list[Card] = []
    for section in found.cards:
        before = len(reader.problems)
        for line, message in section.broken:
            reader.error(line, message)
        bad_bytes = [line for line in spoiled if section.start <= line < section.end]
        if len(reader.problems) == before and not bad_bytes:
            cards += _card(reader, section)
    if not found.cards:
        reader.warn(0, "no cards yet; a line ## starts one")
    reader.problems.sort(key=lambda problem: problem.line)
    return Deck(name, title, description, path, tuple(cards), tuple(reader.problems))


def _decode(reader: _Reader, data: bytes) -> list[int]:
    """Split into lines without control characters; returns the lines that are not UTF-8."""
    spoiled: list[int] = []
    data = data.removeprefix(b"\xef\xbb\xbf").replace(b"\r\n", b"\n").replace(b"\r", b"\n")
    for number, raw in enumerate(data.split(b"\n")):
        try:
            line = raw.decode("utf-8")
        except UnicodeDecodeError as error:
            spoiled.append(number)
            line = raw.decode("utf-8", "replace")
            reader.error(
                number,
                f"not UTF-8 (byte {error.start + 1} of the line is 0x{raw[error.start]:02x}); save the file as UTF-8",
            )
        if has_controls(line):
            reader.error(number, "a control character or escape sequence; it is left out, remove it")
            line = strip_controls(line)
        reader.lines.append(line)
    return spoiled


def _title(reader: _Reader, found: Outline) -> tuple[str, str]:
    fallback = reader.name.rsplit("/", 1)[-1].replace("-", " ").capitalize()
    for extra in found.titles[1:]:
        reader.error(extra.start, "a second title; a deck has one line # Title, a card starts with ##")
    for title in found.titles:
        for line, message in title.broken:
            reader.error(line, message)
    if not found.titles:
        reader.error(0, "no title; begin the file with # Title")
        return fallback, ""
    title = found.titles[0]
    if found.first < title.start:
        reader.error(found.first, "text before the title; begin the file with # Title")
    if not title.heading.strip():
        reader.error(title.start, "the title is empty; write # Title")
    return title.heading.strip() or fallback, reader.text(title.body, title.end)


def _card(reader: _Reader, section: Section) -> list[Card]:
    before = len(reader.problems)
    heading = section.heading.strip()
    size = sum(len(line) + 1 for line in reader.lines[section.start : section.end])
    if size > MOST_CHARACTERS:
        reader.error(
            section.start, f"this card has {size:,} characters; the most is {MOST_CHARACTERS:,}: split it"
        )
        return []
    if not heading:
        reader.error(section.start, "a heading without words; write the question after ##")
    blocks = section.blocks
    fields, body, blocks = _fields(reader, section, blocks)
    identity, pinned = _identity(reader, section, heading, fields)
    split = next(
        (b for b in blocks if b.type == "hr" and b.map and set(reader.lines[b.map[0]].strip()) == {"-"}), None
    )
    if split and split.map:
        prompt, answer = reader.text(body, split.map[0]), reader.text(split.map[1], section.end)
        answer_start = split.map[1]
    else:
        prompt, answer, answer_start = "", reader.text(body, section.end), body
    options: tuple[Option, ...] = ()
    tasks = _task_lists(reader, blocks)
    if tasks and fields.kind in (None, "choice"):
        options, start, end = _options(reader, tasks)
        above, below = (body, start), (end, section.end)
        prompt, answer = _without(reader, split, *above), _without(reader, split, *below)
    holes = _cloze(reader, section, heading, prompt) if fields.kind in (None, "cloze") and not options else []
    kind = fields.kind or ("choice" if options else "cloze" if holes else "recall")
    _check(reader, section, kind, fields, options, holes, answer)
    if kind == "recall" and re.search(r"\{\{c\d+::", answer):
        reader.warn(
            answer_start, "a cloze in an answer hides nothing; put it in the question, above a line ---"
        )
    for number in range(section.start, section.end):
        if _MARKUP.search(reader.lines[number]):
            reader.warn(number, "square brackets with @ are shown as written; they do nothing here")
    if any(problem.level == "error" for problem in reader.problems[before:]):
        return []

    def made(number: int) -> Card:
        return Card(
            id=f"{identity}:{number}" if number else identity,
            entry=identity,
            deck=reader.name,
            kind=kind,
            heading=heading,
            prompt=prompt,
            answer=answer,
            path=reader.path,
            line=section.start + 1,
            pinned=pinned,
            fields=fields,
            options=options,
            cloze=number,
        )

    return [made(number) for number in sorted({hole.number for hole in holes})] if holes else [made(0)]


def _fields(reader: _Reader, section: Section, blocks: list[Token]) -> tuple[Fields, int, list[Token]]:
    """The card block, the line where the body starts, and the blocks of the body."""
    fields, body = Fields(), section.body
    for position, block in enumerate(blocks):
        if block.type != "fence" or block.map is None or block.info.split() != ["toml", "card"]:
            continue
        if position:
            reader.error(block.map[0], "the toml card block stands right under its heading, once")
            continue
        fields, mistakes = read_fields(block.content, block.map[0] + 1)
        for line, message in mistakes:
            reader.error(line, message)
        body = block.map[1]
    kept = [block for block in blocks if block.map and block.map[0] >= body]
    return fields, body, kept


def _identity(reader: _Reader, section: Section, heading: str, fields: Fields) -> tuple[str, bool]:
    identity = fields.id or f"{reader.name}/{slug(heading)}"
    if heading and fields.id is None and not slug(heading):
        reader.error(
            section.start,
            'the heading has no letters or digits to make an id of; give the card an id = "..."',
        )
    earlier = reader.seen.setdefault(identity, section.start)
    if earlier != section.start:
        what = f"the id {identity}" if fields.id else "this heading"
        line = section.start
        if fields.id:
            line = next(
                (
                    n
                    for n in range(section.start, section.end)
                    if re.match(r"\s*\"?id\"?\s*=", reader.lines[n])
                ),
                line,
            )
        reader.error(
            line,
            f"{what} stands at line {earlier + 1} already; the first card is kept, give this one another",
        )
    return identity, fields.id is not None


def _task_lists(reader: _Reader, blocks: list[Token]) -> list[Token]:
    return [
        b for b in blocks if b.type == "bullet_list_open" and b.map and _TASK.match(reader.lines[b.map[0]])
    ]


def _options(reader: _Reader, tasks: list[Token]) -> tuple[tuple[Option, ...], int, int]:
    """The answers of a choice, and the lines where their list starts and ends."""
    for extra in tasks[1:]:
        reader.error((extra.map or [0])[0], "a second task list; a choice card has one")
    start, end = tasks[0].map or [0, 0]
    marks = [number for number in range(start, end) if re.match(r" ?[-*+]\s", reader.lines[number])]
    others = [number for number in marks if not _TASK.match(reader.lines[number])]
    last_task = max(number for number in marks if _TASK.match(reader.lines[number]))
    for number in others:
        # Markdown runs a plain list right behind the answers together with them; it is the explanation.
        if number > last_task:
            end = number
            break
        reader.error(number, "a line of the choice without [ ] or [x]")
    items: list[list[str]] = []
    right: list[bool] = []
    for number in range(start, end):
        line = reader.lines[number]
        if number in marks and (task := _TASK.match(line)):
            items.append([line[task.end() :]])
            right.append(task[1] != " ")
        else:
            items[-1].append(line[2:] if line.startswith("  ") else line)
    options = tuple(Option("\n".join(text).strip(), ok) for text, ok in zip(items, right, strict=True))
    if not any(right):
        reader.error(start, "a choice without a right answer; mark it - [x]")
    elif len(options) < 2:
        reader.error(start, "a choice needs two answers or more")
    if len({option.text for option in options}) < len(options):
        reader.error(start, "two answers of the choice are the same")
    if any(not option.text for option in options):
        reader.error(start, "an answer of the choice is empty")
    return options, start, end


def _without(reader: _Reader, split: Token | None, start: int, end: int) -> str:
    """The text of some lines less the rule that splits prompt from answer, which a choice needs not."""
    if split and split.map and start <= split.map[0] < end:
        parts = (reader.text(start, split.map[0]), reader.text(split.map[1], end))
        return "\n\n".join(part for part in parts if part)
    return reader.text(start, end)


def _cloze(reader: _Reader, section: Section, heading: str, prompt: str) -> list[Deletion]:
    found: list[Deletion] = []
    for text in (heading, prompt):
        try:
            found += deletions(text)
        except ClozeError as error:
            mark = text[error.offset : error.offset + 8].split("\n")[0]
            at = next(
                (n for n in range(section.start, section.end) if mark in reader.lines[n]), section.start
            )
            reader.error(at, str(error))
            return found
    return found


def _check(
    reader: _Reader,
    section: Section,
    kind: Kind,
    fields: Fields,
    options: tuple[Option, ...],
    holes: list[Deletion],
    answer: str,
) -> None:
    """What each kind cannot do without."""
    line = section.start
    if fields.answer is not None and kind not in ("number", "expression"):
        reader.error(
            line, f'a {kind} card takes no answer = ...; write kind = "number" or "expression", or remove it'
        )
    if kind == "recall" and not answer.strip() and not fields.points:
        reader.error(line, "an empty card; write the answer below its heading")
    elif kind == "choice" and not options and not any(p.line > line for p in reader.problems):
        reader.error(line, "a choice card without answers; write them as lines - [x] right and - [ ] wrong")
    elif kind == "cloze" and not holes and not any(p.line > line for p in reader.problems):
        reader.error(line, "a cloze card hides nothing; write {{c1::hidden text}} in the question")
    elif kind == "number":
        _check_number(reader, line, fields)
    elif kind == "expression" and not str(fields.answer or "").strip():
        reader.error(
            line, 'an expression card without an answer; write answer = "cos((n-m)*theta)" in its card block'
        )
    elif kind == "derivation" and not fields.derivation:
        reader.error(
            line, 'a derivation card names its derivation; write derivation = "ID" in its card block'
        )
    elif kind == "generated" and not fields.generator:
        reader.error(line, 'a generated card names its generator; write generator = "NAME" in its card block')


def _check_number(reader: _Reader, line: int, fields: Fields) -> None:
    if fields.answer is None or not str(fields.answer).strip():
        reader.error(line, "a number card without a value; write answer = 0.8415 in its card block")
        return
    try:
        read_number(str(fields.answer), fields.unit)
    except NotANumberError as error:
        reader.error(line, f"the answer {fields.answer!r} is no number: {error}")
