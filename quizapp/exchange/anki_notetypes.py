"""The note types that this program brings into Anki: their fields, templates and looks.

Anki recognises a note type by its id, and refuses notes whose fields differ from those it has stored. So the
fields are frozen per schema, with two spare ones; another list of fields needs another ``SCHEMA``, which gives
other ids. ``Source`` comes last and is for the machine.
"""

from __future__ import annotations

from collections.abc import Mapping

import msgspec

from quizapp.decks.card import Kind

SCHEMA = 1
# Ids are milliseconds since 1970 in Anki; these lie on one day of 2025, ten apart, and are never reused.
_FIRST_ID = 1_760_000_000_000
SOURCE = "Source"
SPARE = ("Extra 1", "Extra 2")
POINTS, HINTS, SOURCES = "Key points", "Hints", "Sources"


class Template(msgspec.Struct, frozen=True):
    """One card of a note: what stands on its front and on its back, as Anki's templates."""

    name: str
    front: str
    back: str


class NoteType(msgspec.Struct, frozen=True):
    """A note type: ``fields`` in order, the first one is what Anki lists a note by, the last one the machine's.

    ``visible`` are those that a reader sees; the second of them shows the prompt, the one at ``back`` the answer.
    """

    id: int
    name: str
    fields: tuple[str, ...]
    template: Template
    visible: tuple[str, ...]
    back: int
    cloze: bool = False


_HINTS = f"{{{{#{HINTS}}}}}<details><summary>Hints</summary>{{{{{HINTS}}}}}</details>{{{{/{HINTS}}}}}"
_TAIL = "\n".join(
    (
        *(
            f'{{{{#{name}}}}}<section class="{style}"><h2>{name}</h2>{{{{{name}}}}}</section>{{{{/{name}}}}}'
            for name, style in ((POINTS, "points"), (SOURCES, "sources"))
        ),
        *(f'{{{{#{name}}}}}<div class="extra">{{{{{name}}}}}</div>{{{{/{name}}}}}' for name in SPARE),
    )
)
_ANSWER = '<hr id="answer">'


def _question(field: str = "{{Front}}", details: str = "{{Details}}") -> str:
    return f'<div class="question">{field}</div>\n{{{{#Details}}}}<div class="details">{details}</div>{{{{/Details}}}}'


def _box(name: str, style: str, title: str = "") -> str:
    head = f"<h2>{title}</h2>" if title else ""
    return f'{{{{#{name}}}}}<div class="{style}">{head}{{{{{name}}}}}</div>{{{{/{name}}}}}'


def _type(
    kind: Kind, number: int, own: tuple[str, ...], front: str, answer: tuple[str, ...], *, back: str = ""
) -> NoteType:
    """``own``: the fields before those that all types share; ``answer``: the parts below the line."""
    cloze = kind == "cloze"
    visible = (*own, POINTS, HINTS, SOURCES, *SPARE)
    return NoteType(
        _FIRST_ID + 10 * number + SCHEMA,
        f"quizapp {kind}",
        (*visible, SOURCE),
        Template(
            "Cloze" if cloze else "Card 1",
            f"{front}\n{_HINTS}",
            "\n".join((back or front, _ANSWER, *answer, _TAIL)),
        ),
        visible,
        visible.index("Back"),
        cloze,
    )


_CLOZE = _question("{{cloze:Text}}", "{{cloze:Details}}")
_BACK = _box("Back", "back")
_TYPED = '{{Answer}}{{#Unit}} <span class="unit">{{Unit}}</span>{{/Unit}}'

NOTE_TYPES: Mapping[Kind, NoteType] = {
    "recall": _type("recall", 1, ("Front", "Details", "Back"), _question(), (_BACK,)),
    "cloze": _type("cloze", 2, ("Text", "Details", "Back"), _CLOZE, (_BACK,)),
    "choice": _type(
        "choice",
        3,
        ("Front", "Details", "Options", "Answer", "Back"),
        f'{_question()}\n<div class="options">{{{{Options}}}}</div>',
        (_box("Answer", "verdicts"), _BACK),
        back=_question(),
    ),
    "number": _type(
        "number",
        4,
        ("Front", "Details", "Answer", "Unit", "Back"),
        f"{_question()}\n{{{{type:Answer}}}}{{{{#Unit}}}}<div class='unit'>in {{{{Unit}}}}</div>{{{{/Unit}}}}",
        (f'<div class="result">{_TYPED}</div>', _BACK),
        back=f"{_question()}\n{{{{type:Answer}}}}",
    ),
    "expression": _type(
        "expression",
        5,
        ("Front", "Details", "Answer", "Back"),
        _question(),
        (_box("Answer", "result"), _BACK),
    ),
    "derivation": _type(
        "derivation",
        6,
        ("Front", "Details", "Claim", "Steps", "Back"),
        f"{_question()}\n{_box('Claim', 'claim', 'Show that')}",
        (_box("Steps", "steps"), _BACK),
    ),
    "generated": _type(
        "generated",
        7,
        ("Front", "Details", "Example", "Solution", "Back"),
        f"{_question()}\n{_box('Example', 'example')}",
        (_box("Solution", "result"), _BACK),
    ),
}
BY_NAME: Mapping[str, NoteType] = {found.name: found for found in NOTE_TYPES.values()}

# What is computed from elsewhere (a derivation's file, a drawn problem) and cannot be edited on a note.
COMPUTED = frozenset({"Claim", "Steps", "Example", "Solution"})

CSS = """\
.card {
  --text: #1d2330; --soft: #5b6475; --line: #d9dee8; --box: #f3f5f9; --accent: #2457c5; --page: #ffffff;
  font: 19px/1.5 system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", sans-serif;
  color: var(--text); background: var(--page); text-align: left;
  max-width: 42em; margin: 0 auto; padding: 0.8em; overflow-wrap: break-word;
}
.nightMode.card, .nightMode .card, .night_mode .card {
  --text: #e6e9f0; --soft: #a3acbd; --line: #3a4150; --box: #232936; --accent: #8fb4ff; --page: #171b23;
}
.question { font-size: 1.15em; font-weight: 600; line-height: 1.35; margin: 0.2em 0 0.7em; }
.details, .back, .claim, .example, .steps { margin: 0.7em 0; }
hr { border: 0; border-top: 1px solid var(--line); margin: 1em 0; }
h2, summary { font-size: 0.8em; font-weight: 600; letter-spacing: 0.04em; color: var(--soft); margin: 1em 0 0.3em; }
p { margin: 0.5em 0; }
ul, ol { margin: 0.4em 0; padding-left: 1.5em; }
li { margin: 0.3em 0; }
.verdicts ul { list-style: none; padding-left: 0.2em; }
.steps li { margin: 0.8em 0; padding-left: 0.2em; }
.points, details { background: var(--box); border-radius: 0.5em; padding: 0.1em 0.9em 0.5em; margin: 0.9em 0; }
details { padding: 0.3em 0.9em; }
summary { cursor: pointer; margin: 0.3em 0; }
.sources { color: var(--soft); font-size: 0.8em; }
.result { font-size: 1.1em; font-weight: 600; margin: 0.6em 0; }
.unit { color: var(--soft); font-weight: 400; }
.cloze { color: var(--accent); font-weight: 700; }
a { color: var(--accent); }
code, pre, #typeans { font-family: ui-monospace, "SF Mono", Menlo, Consolas, "Noto Sans Mono", monospace; }
code { font-size: 0.9em; background: var(--box); border-radius: 0.25em; padding: 0.05em 0.3em; }
pre { background: var(--box); border-radius: 0.5em; padding: 0.7em 0.9em; overflow-x: auto; line-height: 1.4; }
pre code { background: none; padding: 0; }
table { border-collapse: collapse; display: block; overflow-x: auto; }
th, td { border: 1px solid var(--line); padding: 0.25em 0.6em; }
blockquote { border-left: 3px solid var(--line); color: var(--soft); margin: 0.6em 0; padding-left: 0.9em; }
mjx-container[display="true"] { overflow-x: auto; overflow-y: hidden; }
img, svg { max-width: 100%; height: auto; }
"""
