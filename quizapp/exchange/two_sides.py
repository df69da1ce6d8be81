"""An Anki note of ours as the front and the back of Anki's own Basic and Cloze note types, and back.

Every Anki has those two, so a text file of them can be imported anywhere. Comments, which no browser shows, mark where
each field of the note begins and ends, and hold its source.
"""

from __future__ import annotations

import re

from quizapp.exchange.anki_notes import AnkiNote
from quizapp.exchange.anki_notetypes import SOURCE

_FRONT = ("Front", "Text", "Details", "Options", "Claim", "Example")
_TITLED = ("Key points", "Hints", "Sources")
_BLOCKS = ("<p", "<ul", "<ol", "<table", "<h", "<blockquote")
_FIELD = re.compile(r"<!--field ([\w ]+)-->(.*?)<!--end-->", re.DOTALL)
_CODE = re.compile(r"<pre>.*?</pre>", re.DOTALL)
_SOURCE = re.compile(r"<!--quizapp (\{.*?\})-->", re.DOTALL)


def two_sides(note: AnkiNote) -> tuple[str, str]:
    """Front and back as HTML on one line."""
    fields = {name: text for name, text in zip(note.notetype.fields, note.fields, strict=True) if text}
    source = fields.pop(SOURCE, "").replace("--", "-\\u002d")
    front = _joined({name: fields.pop(name) for name in _FRONT if name in fields})
    titled = {name: fields.pop(name) for name in _TITLED if name in fields}
    back = _joined(fields)
    back += "".join(f"<p><b>{name}</b></p>{_part(name, text)}" for name, text in titled.items())
    return _one_line(front), _one_line(back + f"<!--quizapp {source}-->")


def fields_of(front: str, back: str) -> dict[str, str] | None:
    """The fields of a note of ours by name, its source among them; None where the sides are another's."""
    source = _SOURCE.search(back)
    if source is None:
        return None
    fields = {SOURCE: source[1]}
    for side in (front, back):
        fields |= {match[1]: match[2] for match in _FIELD.finditer(_restored(side))}
    return fields


def _joined(fields: dict[str, str]) -> str:
    """The fields one below the other, a unit beside its number."""
    parts: list[str] = []
    for name, text in fields.items():
        if parts:
            parts.append(" " if name == "Unit" else "" if text.startswith(_BLOCKS) else "<br><br>")
        parts.append(_part(name, text))
    return "".join(parts)


def _part(name: str, html: str) -> str:
    return f"<!--field {name}-->{html}<!--end-->"


def _one_line(html: str) -> str:
    """Line ends, which stand only in code, as breaks: in a text file each would become one anyway."""
    return html.replace("\n", "<br>")


def _restored(html: str) -> str:
    """Line ends in code as they were, so that the checksum of a field finds it unchanged."""
    return _CODE.sub(lambda code: code[0].replace("<br>", "\n"), html)
