"""Anki's card templates filled in with a note's fields: sections, filters, and what only a screen can do left out.

Syntax as in Anki's manual, "Card Templates": ``{{Field}}``, ``{{#Field}}..{{/Field}}``, ``{{^Field}}..{{/Field}}``,
``{{filter:Field}}``, ``{{FrontSide}}``. A template that is not closed properly is read as far as it goes.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from html import escape
from typing import NamedTuple

_TAG = re.compile(r"<!--.*?-->|\{\{\{?([^{}]*?)\}?\}\}", re.DOTALL)
# A template's own scripts and styles show no text, and would be dropped anew with each of its cards.
_SCRIPT = re.compile(r"<(script|style)\b.*?(?:</\1\s*>|\Z)", re.DOTALL | re.IGNORECASE)
# A drawing without words: what is in it would be read with each card, to be left out.
_DRAWING = re.compile(r"<svg\b(?:(?!</svg|\{\{|<text\b).)*</svg\s*>", re.DOTALL | re.IGNORECASE)
_DELIMITERS = re.compile(r"^\s*\{\{=(\S+)\s+(\S+)=\}\}")
_MARKUP = re.compile(r"<[^>]*>|&nbsp;|\s")
_RUBY = re.compile(r" ?([^ >\[]+?)\[(?!sound:|\$|latex)([^\]]+?)\]")
_ANSWER_LINE = re.compile(r"<hr\b[^>]*\bid\s*=\s*[\"']?answer\b[^>]*>", re.IGNORECASE)
_FRONT = "\ue000"
_DEEPEST = 50


class Section(NamedTuple):
    """What is shown if a field has text (or, ``inverted``, if it has none)."""

    field: str
    inverted: bool
    nodes: tuple[Node, ...]


class Value(NamedTuple):
    """A field, with the filters that it passes through, the innermost first."""

    field: str
    filters: tuple[str, ...]


Node = str | Section | Value


class Sides(NamedTuple):
    """A card as HTML; ``back`` without the question. ``hints`` are shown on demand, ``typed`` is what is to be typed.

    The front of a cloze keeps its ``{{c1::..}}``.
    """

    front: str
    back: str
    hints: tuple[str, ...] = ()
    typed: bool = False
    spoken: bool = False


@lru_cache(maxsize=1000)
def parse(template: str) -> tuple[Node, ...]:
    """The parts of a template."""
    if found := _DELIMITERS.match(template):
        template = template[found.end() :].replace(found[1], "{{").replace(found[2], "}}")
    template = _DRAWING.sub("<svg></svg>", _SCRIPT.sub("", template))
    stack: list[tuple[str, bool, list[Node]]] = [("", False, [])]
    at = 0
    for tag in _TAG.finditer(template):
        if tag.start() > at:
            stack[-1][2].append(template[at : tag.start()])
        at = tag.end()
        inside = (tag[1] or "").strip()
        mark, name = inside[:1], inside[1:].strip()
        if mark in ("#", "^") and len(stack) <= _DEEPEST:
            stack.append((name, mark == "^", []))
        elif mark == "/":
            if any(entry[0] == name for entry in stack[1:]):
                while _close(stack) != name:
                    pass
        elif inside and mark != "!":
            *filters, field = inside.split(":")
            stack[-1][2].append(Value(field.strip(), tuple(text.strip() for text in reversed(filters))))
    stack[-1][2].append(template[at:])
    while len(stack) > 1:
        _close(stack)
    return tuple(node for node in stack[0][2] if node != "")


def _close(stack: list[tuple[str, bool, list[Node]]]) -> str:
    name, inverted, nodes = stack.pop()
    stack[-1][2].append(Section(name, inverted, tuple(nodes)))
    return name


def has_script(template: str) -> bool:
    """Whether a template has a program or style sheet of its own, which is left out."""
    return _SCRIPT.search(template) is not None


def fields_shown(template: str) -> frozenset[str]:
    """The names of the fields that a template shows."""

    def names(nodes: Sequence[Node]) -> Iterator[str]:
        for node in nodes:
            if isinstance(node, Section):
                yield from names(node.nodes)
            elif isinstance(node, Value):
                yield node.field

    return frozenset(names(parse(template)))


def sides(front: str, back: str, fields: Mapping[str, str], name: str = "") -> Sides:
    """Fill a card's two templates; ``name`` is the card's, which ``{{Card}}`` shows."""
    asked, answered, only, bare = _plan(front, back)
    if bare:
        return Sides(_joined(asked, fields), _joined(answered, fields))
    question = _Side(fields, name, front=True)
    text = question.fill(asked).strip()
    answer = _Side(fields, name, front=False)
    below = answer.fill(answered).strip()
    if not only:
        below = _without_question(below, text)
    return Sides(text, below, tuple(question.hints), question.typed, question.spoken or answer.spoken)


def only_fields(front: str, back: str) -> tuple[str, str] | None:
    """The names of the two fields that stand alone on a card's front and back, where it is so."""
    asked, answered, _, bare = _plan(front, back)
    values = [[node for node in nodes if not _blank(node)] for nodes in (asked, answered)]
    if not bare or any(len(nodes) != 1 or not isinstance(nodes[0], Value) for nodes in values):
        return None
    (question,), (answer,) = values
    return (
        (question.field, answer.field) if isinstance(question, Value) and isinstance(answer, Value) else None
    )


def _blank(node: Node) -> bool:
    return isinstance(node, str) and not node.strip()


@lru_cache(maxsize=1000)
def _plan(front: str, back: str) -> tuple[tuple[Node, ...], tuple[Node, ...], bool, bool]:
    """The parts of both sides, as :func:`_below` has the back; last, whether they are texts and bare fields alone."""
    asked, (answered, only) = parse(front), _below(back)
    bare = only and all(
        isinstance(node, str)
        or (isinstance(node, Value) and not node.filters and node.field not in ("FrontSide", "Card"))
        for node in (*asked, *answered)
    )
    return asked, answered, only, bare


def _joined(nodes: Sequence[Node], fields: Mapping[str, str]) -> str:
    return "".join([node if isinstance(node, str) else fields.get(node.field, "") for node in nodes]).strip()


def _below(template: str) -> tuple[tuple[Node, ...], bool]:
    """A back's parts below the answer line, where nothing but the front side stands above it: then True."""
    nodes = parse(template)
    for place, node in enumerate(nodes):
        line = _ANSWER_LINE.search(node) if isinstance(node, str) else None
        if line and isinstance(node, str):
            rest = (node[line.end() :], *nodes[place + 1 :])
            return (rest, True) if not _MARKUP.sub("", node[: line.start()]) else (nodes, False)
        if node != Value("FrontSide", ()) and (not isinstance(node, str) or _MARKUP.sub("", node)):
            break
    return nodes, False


def _without_question(back: str, front: str) -> str:
    """The back below the answer line; what stands above it stays unless it is the question again."""
    parts = _ANSWER_LINE.split(back, maxsplit=1)
    if len(parts) == 2:
        above = _MARKUP.sub("", parts[0].replace(_FRONT, ""))
        if not above or above == _MARKUP.sub("", front):
            return parts[1].replace(_FRONT, "")
    return "<br>".join(part for part in parts if part).replace(_FRONT, "")


class _Side:
    def __init__(self, fields: Mapping[str, str], name: str, *, front: bool) -> None:
        self._fields = fields
        self._name = name
        self._front = front
        self.hints: list[str] = []
        self.typed = False
        self.spoken = False

    def fill(self, nodes: Sequence[Node]) -> str:
        parts: list[str] = []
        for node in nodes:
            if isinstance(node, str):
                parts.append(node)
            elif isinstance(node, Value):
                parts.append(self._value(node))
            else:
                parts.append(self._section(node))
        return "".join(parts)

    def _section(self, node: Section) -> str:
        filled = bool(_MARKUP.sub("", self._fields.get(node.field, ""))) or (
            # A picture or sound alone is content too.
            re.search(r"<(?:img|svg|audio|video|object)\b", self._fields.get(node.field, ""), re.IGNORECASE)
            is not None
        )
        return self.fill(node.nodes) if filled != node.inverted else ""

    def _value(self, node: Value) -> str:
        if node.field == "FrontSide":
            return "" if self._front else _FRONT
        text = self._fields.get(node.field, "")
        if node.field == "Card" and node.field not in self._fields:
            text = escape(self._name, quote=False)
        for name in node.filters:
            if name == "type" and "cloze" in node.filters:
                # A typed cloze is asked in its text already.
                self.typed = True
            else:
                text = self._filtered(name, text)
        return text

    def _filtered(self, name: str, text: str) -> str:
        if name == "text":
            return re.sub(r"<[^>]*>", "", text)
        if name in ("cloze", "cloze-only"):
            return text if self._front else ""
        if name == "hint":
            if self._front and text:
                self.hints.append(text)
                return ""
            return text
        if name == "type":
            self.typed = True
            return "" if self._front else text
        if name.startswith("tts"):
            self.spoken = self.spoken or bool(text)
            return ""
        if name == "furigana":
            return _RUBY.sub(r"\1 (\2)", text)
        if name == "kana":
            return _RUBY.sub(r"\2", text)
        if name == "kanji":
            return _RUBY.sub(r"\1", text)
        # A filter of an add-on: the field as it is.
        return text
