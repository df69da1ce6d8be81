"""An entry as an Anki note that reads well on a phone, and back.

What a reader sees stands in fields of its own, as HTML; the field ``Source`` holds the entry itself
(:mod:`~quizapp.exchange.anki_source`). A note whose fields are as they were written comes back as that entry; a field
that was edited in Anki comes back as Markdown in its place (:mod:`~quizapp.exchange.anki_edits`).
"""

from __future__ import annotations

import hashlib
import random
import re
from binascii import b2a_base64
from collections.abc import Iterable, Iterator
from functools import lru_cache
from html import escape, unescape
from typing import TYPE_CHECKING
from urllib.parse import unquote

import msgspec

from quizapp.decks.cloze import deletions
from quizapp.decks.entry import Entry
from quizapp.errors import QuizappError
from quizapp.exchange.anki_notetypes import NOTE_TYPES, NoteType
from quizapp.exchange.anki_source import is_plain, sums, write_source
from quizapp.exchange.media import is_played
from quizapp.exchange.model import Bundle, Loss
from quizapp.exchange.to_html import mathjax, to_html

if TYPE_CHECKING:
    from quizapp.exchange.steps import Worked

# Tags that Anki gives a meaning of its own.
SYSTEM_TAGS = frozenset({"leech", "marked"})
_GUID = hashlib.blake2b(digest_size=9, person=b"quizapp")
# As many empty texts as any note type has fields.
_EMPTY = ("",) * max(len(kind.visible) for kind in NOTE_TYPES.values())
_UNSAFE = re.compile(r"[^A-Za-z0-9_]")
_SAFE = {code: f".{code:02x}" for code in range(128) if _UNSAFE.match(chr(code))}
_PICTURE = re.compile(r'(<img src=")(?![A-Za-z][A-Za-z0-9+.-]*:)([^"]*)"')
_SOUND = re.compile(r'<a href="([^"]*)">(.*?)</a>')


class AnkiNote(msgspec.Struct, frozen=True):
    """A note: ``deck`` is a path ``A::B``, ``fields`` HTML in the note type's order, ``modified`` seconds since 1970.

    ``cards`` are its cards' places (from 0; a cloze's number less one) with their ids here.
    """

    guid: str
    notetype: NoteType
    deck: str
    tags: tuple[str, ...]
    fields: tuple[str, ...]
    modified: int
    cards: tuple[tuple[int, str], ...]


def anki_notes(bundle: Bundle, lost: list[Loss], *, describe: bool = False) -> Iterator[AnkiNote]:
    """The notes of a bundle in order; what cannot be shown in Anki is added to ``lost``.

    ``describe`` keeps a deck's description in its first note, for formats that have no other place.
    """
    seen: dict[str, Worked] = {}
    for deck in bundle.decks:
        description = deck.description if describe else ""
        for entry in deck.entries:
            derivation = entry.fields.derivation if entry.kind == "derivation" else None
            shown = _worked(entry, derivation, bundle, seen, lost) if derivation else None
            example = _example(entry, lost) if entry.kind == "generated" else ("", "")
            modified = bundle.modified.get(entry.id, 0)
            yield to_anki(entry, deck.name, deck.title, modified, description, shown, example)
            description = ""


def to_anki(
    entry: Entry,
    deck: str,
    title: str,
    modified: int,
    description: str = "",
    worked: Worked | None = None,
    example: tuple[str, str] = ("", ""),
) -> AnkiNote:
    """One entry of the deck named ``deck`` as a note.

    ``worked`` is the derivation that a derivation card steps through, ``example`` the problem (question and solution,
    HTML) that stands for a generated one.
    """
    kind = NOTE_TYPES[entry.kind]
    heading, prompt, answer = entry.heading, entry.prompt, entry.answer
    alone = is_plain(heading), is_plain(prompt), is_plain(answer)
    visible = field_texts(entry, alone)
    for name, html in visible.items():
        if "<img" in html or "<a " in html:
            visible[name] = _flat(html)
    if worked is not None:
        visible["Claim"], visible["Steps"] = _claim(worked), _steps(worked)
    if entry.kind == "generated":
        visible["Example"], visible["Solution"] = example
    fields = list(map(visible.get, kind.visible, _EMPTY))
    summed, kept = fields, entry
    if any(alone):
        summed = fields.copy()
        for place, plain in zip((0, 1, kind.back), alone, strict=True):
            if plain:
                summed[place] = ""
        kept = Entry(
            entry.id, entry.kind, "" if alone[0] else heading, "" if alone[1] else prompt,
            "" if alone[2] else answer, entry.fields, entry.options,
        )  # fmt: skip
    fields.append(write_source(kept, deck, title, description, sums(summed)))
    return AnkiNote(
        guid(entry.id),
        kind,
        anki_deck(deck),
        tuple(map(anki_tag, entry.fields.tags)),
        tuple(fields),
        modified,
        card_places(entry),
    )


def guid(entry: str) -> str:
    """What Anki recognises a note by: it depends on the entry's id alone."""
    digest = _GUID.copy()
    digest.update(entry.encode())
    return b2a_base64(digest.digest(), newline=False).decode()


def foreign_id(note: str, template: int = 0) -> str:
    """The entry id of another program's note, from its GUID; further templates of a note get ``-2`` and so on."""
    safe = note.translate(_SAFE) if note.isascii() else _UNSAFE.sub(_hexadecimal, note)
    return f"anki-{safe}" + (f"-{template + 1}" if template else "")


def _hexadecimal(found: re.Match[str]) -> str:
    return "".join(f".{byte:02x}" for byte in found[0].encode())


def anki_deck(name: str) -> str:
    """``a/b`` as Anki nests decks: ``a::b``."""
    return name.replace("/", "::")


@lru_cache(maxsize=10_000)
def anki_tag(tag: str) -> str:
    """A tag without spaces, which separate tags in Anki."""
    return "_".join(tag.split())


def flat_name(name: str) -> str:
    """The name of a picture in Anki, where all media lie in one folder."""
    return unquote(name).removeprefix("./").replace("/", "-")


def card_places(entry: Entry) -> tuple[tuple[int, str], ...]:
    """The place of each card of an entry among its note's cards, with the card's id."""
    if entry.kind != "cloze":
        return ((0, entry.id),)
    holes = {hole.number for text in (entry.heading, entry.prompt) for hole in deletions(text)}
    return tuple((number - 1, f"{entry.id}:{number}") for number in sorted(holes))


def field_texts(entry: Entry, plain: tuple[bool, bool, bool] = (False, False, False)) -> dict[str, str]:
    """The fields that show an entry's own texts, by name, as HTML.

    ``plain``: heading, prompt and answer need not be converted.
    """
    fields, heading, prompt, answer = entry.fields, entry.heading, entry.prompt, entry.answer
    found: dict[str, str] = {}
    if answer:
        found["Back"] = answer if plain[2] else to_html(answer)
    if entry.kind == "cloze":
        from quizapp.exchange.clozes import to_anki as cloze_html

        found["Text"] = heading if plain[0] else cloze_html(heading, inline=True)
        if prompt:
            found["Details"] = prompt if plain[1] else cloze_html(prompt)
    else:
        found["Front"] = heading if plain[0] else to_html(heading, mathjax, True)
        if prompt:
            found["Details"] = prompt if plain[1] else to_html(prompt)
    if fields.points:
        found["Key points"] = items(fields.points)
    if fields.hints:
        found["Hints"] = items(fields.hints, "ol")
    if fields.sources:
        found["Sources"] = items(fields.sources)
    if entry.kind == "choice":
        options = [entry.options[place] for place in option_order(entry.id, len(entry.options))]
        found["Options"] = items((option.text for option in options), "ol")
        found["Answer"] = items(("✓ " if option.right else "✗ ") + option.text for option in options)
    elif entry.kind in ("number", "expression") and fields.answer is not None:
        text = escape(str(fields.answer), quote=False)
        found["Answer"] = text if entry.kind == "number" else f"<code>{text}</code>"
        if fields.unit:
            found["Unit"] = to_html(fields.unit, mathjax, True)
    return found


def option_order(entry: str, count: int) -> list[int]:
    """The order in which a choice's options are shown, always the same: authors often write the right one first."""
    order = list(range(count))
    random.Random(f"anki/{entry}").shuffle(order)
    return order


def _flat(html: str) -> str:
    """Files by the names that they have in Anki; a link to a sound becomes what Anki plays."""
    html = _PICTURE.sub(lambda found: f'{found[1]}{flat_name(found[2])}"', html)
    return _SOUND.sub(_sound, html)


def _sound(found: re.Match[str]) -> str:
    name = unescape(found[1])
    flat = flat_name(name)
    if not is_played(name) or "]" in flat:
        return found[0]
    played = f"[sound:{escape(flat, quote=False)}]"
    words = unescape(re.sub(r"<[^>]*>", "", found[2]))
    return played if words in (flat, unquote(name).rpartition("/")[2]) else f"{found[2]} {played}"


def items(texts: Iterable[str], tag: str = "ul") -> str:
    inside = "".join(f"<li>{to_html(text, mathjax, True)}</li>" for text in texts)
    return f"<{tag}>{inside}</{tag}>"


def _worked(
    entry: Entry, name: str, bundle: Bundle, seen: dict[str, Worked], lost: list[Loss]
) -> Worked | None:
    from quizapp.exchange.steps import worked

    if name not in seen:
        derivation = bundle.derivations.get(name)
        if derivation is None:
            lost.append(Loss(f"the steps of the derivation {name}: it is not in the library", entry.id))
            return None
        try:
            seen[name] = worked(derivation)
        except QuizappError as error:
            lost.append(Loss(f"the steps of the derivation {name}: {error}", entry.id))
            return None
    return seen[name]


def _claim(worked: Worked) -> str:
    parts = [mathjax(worked.claim, True)]
    if worked.definitions:
        parts.append(f"<p>with {', '.join(mathjax(text, False) for text in worked.definitions)}</p>")
    if worked.symbols:
        parts.append(f"<p>{to_html(worked.symbols, mathjax, True)}</p>")
    return "".join(parts)


def _steps(worked: Worked) -> str:
    steps = []
    for step in worked.steps:
        rule = f"<i>{to_html(step.rule, mathjax, True)}</i>: " if step.rule else ""
        steps.append(f"<li>{mathjax(step.latex, True)}{rule}{to_html(step.why, mathjax, True)}</li>")
    note = f"<p>{to_html(worked.note, mathjax, True)}</p>" if worked.note else ""
    return f"<ol>{''.join(steps)}</ol>{note}"


def _example(entry: Entry, lost: list[Loss]) -> tuple[str, str]:
    """One problem, the same at every export, and its solution."""
    from quizapp.generators import generate

    try:
        problem = generate(entry.fields.generator or "", entry.fields.parameters, entry.id)
    except QuizappError as error:
        lost.append(Loss(f"an example of the problem: {error}", entry.id))
        return "", ""
    lost.append(Loss("new numbers at each review: Anki always shows one example of the problem", entry.id))
    choices = (choice.text for choice in problem.choices)
    question = to_html(problem.prompt) + (items(choices, "ol") if problem.choices else "")
    solution = "".join(f"<li>{to_html(line, mathjax, True)}</li>" for line in problem.solution)
    unit = f" {to_html(problem.unit, mathjax, True)}" if problem.unit else ""
    return question, f"{to_html(problem.answer_text, mathjax, True)}{unit}<ol>{solution}</ol>"
