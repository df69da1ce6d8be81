"""From an :class:`~quizapp.decks.entry.Entry` to the Markdown of a deck file, which reads back as the same entry.

What an author wrote comes back as it was. Text from elsewhere may hold what a deck file gives another meaning
(a heading, a rule above the answer, a fence that is never closed): :func:`written` says how it is written instead.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import partial

from msgspec.structs import replace

from quizapp.decks.card import Fields
from quizapp.decks.card_block import card_block
from quizapp.decks.cloze import ClozeError, deletions
from quizapp.decks.entry import Entry, entries
from quizapp.decks.fit_text import close_blocks, has_rule, has_task_list
from quizapp.decks.parse import parse_deck
from quizapp.text import strip_controls

_NO_WORDS = "…"
# Lines that may mean more to a deck than to their author; without any of them nothing needs to be read back.
_RISKY = re.compile(r"(?m)^[ \t>]*(?:#|`{3}|~{3}|\$\$|<|-{3}|[-*+][ \t]+\[)|\{\{c\d|^[ \t]|\r")
_CLOSING_MARKS = re.compile(r"(?:^|(?<=[ \t]))(#+)$")


def render_entry(entry: Entry) -> str:
    """The Markdown of one entry, from its ``##`` to its last line, with its id always written down."""
    return written(entry)[1]


def render_deck(title: str, description: str, found: Iterable[Entry]) -> str:
    """A whole deck file."""
    return render_file(title, description, map(render_entry, found))


def render_file(title: str, description: str, texts: Iterable[str]) -> str:
    """A whole deck file from the Markdown of its entries."""
    title = " ".join(strip_controls(title).split()) or _NO_WORDS
    parts = [f"# {_closing_marks_kept(title)}", close_blocks(_text(description), rule="---")]
    return "\n\n".join(part for part in (*parts, *texts) if part) + "\n"


def written(entry: Entry) -> tuple[Entry, str]:
    """The entry as it is read back, and its Markdown; one that was read from a file is as it was."""
    entry = _plainly_tidied(entry)
    text = _compose(entry)
    if not entry.options and not _RISKY.search("\n".join((entry.heading, entry.prompt, entry.answer))):
        return entry, text
    for mend in (_as_it_is, _blocks_closed, _flat_options, _fenced):
        mended = mend(entry)
        text = _compose(mended)
        if _reads_as(text, mended):
            return mended, text
    return mended, text


def _plainly_tidied(entry: Entry) -> Entry:
    """Line ends, controls and blanks at the edges, which a file cannot hold; a kind that must be said is said."""
    lines = _text(entry.heading).strip().split("\n")
    heading, prompt = lines[0].strip(), "\n".join(lines[1:])
    prompt = "\n\n".join(part for part in (_text(prompt), _text(entry.prompt)) if part)
    if not heading:
        first, _, rest = prompt.partition("\n")
        plain = bool(first.strip()) and not _RISKY.search(first)
        heading, prompt = (first.strip(), _text(rest)) if plain else (_NO_WORDS, prompt)
    options = tuple(
        replace(option, text=_text(option.text).strip()) for option in entry.options if entry.kind == "choice"
    )
    fields = _fields(entry.fields)
    tidy = replace(
        entry,
        heading=_closing_marks_kept(heading),
        prompt=prompt,
        answer=_text(entry.answer),
        fields=fields,
        options=options,
    )
    if fields.kind is None and entry.kind != _kind_without_a_word(tidy):
        tidy = replace(tidy, fields=replace(fields, kind=entry.kind))
    return tidy


def _fields(fields: Fields) -> Fields:
    """A text without a word is a mistake in a deck."""
    lists = ("tags", "points", "hints", "follow_ups", "sources")
    kept = {name: tuple(text for text in getattr(fields, name) if text.strip()) for name in lists}
    return replace(fields, id=None, **kept)


def _text(text: str) -> str:
    text = text.replace("\r\n", "\n").replace("\r", "\n").encode("utf-8", "replace").decode()
    return strip_controls(text).strip("\n").rstrip()


def _closing_marks_kept(heading: str) -> str:
    return _CLOSING_MARKS.sub(lambda found: "\\" + found[1], heading)


def _kind_without_a_word(entry: Entry) -> str:
    if entry.options:
        return "choice"
    if has_task_list(entry.prompt) or has_task_list(entry.answer):
        return "choice"
    try:
        return "cloze" if deletions(entry.heading) or deletions(entry.prompt) else "recall"
    except ClozeError:
        return "cloze"


def _compose(entry: Entry) -> str:
    head = (f"## {entry.heading}", card_block(replace(entry.fields, id=entry.id)))
    prompt, answer = entry.prompt, entry.answer
    body: tuple[str, ...]
    if entry.options:
        early = has_rule(prompt) or has_rule(answer)
        late = not early and answer[:1] in (" ", "\t")
        bullet = "*" if re.search(r"(?m)^ {0,3}-[ \t]", prompt) else "-"
        choice = "\n".join(_option(bullet, option.text, option.right) for option in entry.options)
        body = ("---" if early else "", prompt, choice, "---" if late else "", answer)
    else:
        body = (prompt, "---" if prompt or has_rule(answer) else "", answer)
    return "\n\n".join(part for part in (*head, *body) if part)


def _option(bullet: str, text: str, right: bool) -> str:
    first, *rest = text.split("\n")
    lines = [f"{bullet} [{'x' if right else ' '}] {first}", *(f"  {line}" if line else "" for line in rest)]
    return "\n".join(lines)


def _reads_as(text: str, entry: Entry) -> bool:
    """Whether a deck with this text holds the entry, and the card after it."""
    data = f"# t\n\n{text}\n\n## z\n\n$$\nz\n$$\n".encode()
    deck = parse_deck(data, name="z", path="z.md")
    found = entries(deck.cards)
    return len(found) == 2 and found[0] == entry and found[1].id == "z/z"


def _as_it_is(entry: Entry) -> Entry:
    return entry


def _blocks_closed(entry: Entry) -> Entry:
    """Headings below those of a deck, and nothing left open that would run into the next card."""
    rule = "---" if entry.options else "***"
    close = partial(close_blocks, tasks=not entry.options)
    return replace(entry, prompt=close(entry.prompt, rule=rule), answer=close(entry.answer, rule="---"))


def _flat_options(entry: Entry) -> Entry:
    entry = _blocks_closed(entry)
    flat = tuple(replace(option, text=" ".join(option.text.split())) for option in entry.options)
    return replace(entry, options=flat)


def _fenced(entry: Entry) -> Entry:
    """What no repair made readable, shown as its source."""
    entry = _flat_options(entry)
    return replace(entry, prompt=_in_a_fence(entry.prompt), answer=_in_a_fence(entry.answer))


def _in_a_fence(text: str) -> str:
    if not text:
        return text
    fence = "`" * (max((len(run) for run in re.findall("`+", text)), default=2) + 3)
    return f"{fence}\n{text}\n{fence}"
