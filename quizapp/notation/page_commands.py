"""The commands that arrange a formula on its page: spaces, colours, links, rules and sizes."""

from __future__ import annotations

import re
from collections.abc import Mapping
from types import MappingProxyType
from xml.etree.ElementTree import Element

from quizapp.notation.elements import element
from quizapp.notation.errors import UnreadableFormula
from quizapp.notation.parser import Command, Parser

_SPACES = {
    ",": "0.167em", "thinspace": "0.167em", ":": "0.222em", ">": "0.222em", "medspace": "0.222em",
    ";": "0.278em",
    "thickspace": "0.278em", "enspace": "0.5em", " ": "0.333em", "space": "0.333em",
    "nobreakspace": "0.333em",
    "quad": "1em", "qquad": "2em", "enskip": "0.5em", "hfill": "2em", "hfil": "2em",
}  # fmt: skip
_IGNORED = [
    "!", "/", "negthinspace", "negmedspace", "negthickspace", "nonumber", "notag", "mathstrut", "strut",
    "allowbreak", "nobreak", "relax", "displaybreak", "centering", "noindent", "null", "protect",
    "normalsize", "small", "large", "Large", "LARGE", "huge", "Huge", "tiny", "footnotesize", "scriptsize",
    "scriptstyle", "scriptscriptstyle", "smallskip", "medskip", "bigskip",
]  # fmt: skip

# How many braced arguments come before the one that is shown.
_WRAPPERS = {
    "smash": 0, "mathclap": 0, "mathllap": 0, "mathrlap": 0, "vcenter": 0, "ensuremath": 0, "bbox": 0,
    "textcolor": 1, "mathcolor": 1, "href": 1, "class": 1, "cssId": 1, "style": 1, "htmlClass": 1,
    "htmlId": 1, "htmlStyle": 1,
}  # fmt: skip

_EM = {"em": 1, "ex": 0.5, "pt": 0.1, "mu": 1 / 18, "cm": 2.8, "mm": 0.28, "in": 7.2, "px": 0.08}
_LENGTH = re.compile(r"\s*(-?\d*\.?\d+)\s*(em|ex|pt|mu|cm|mm|in|px)\s*")
_TEXT_WIDTH = re.compile(r"\s*\d*\.?\d*\\(?:line|text|column)width\s*")


def _ems(source: str) -> float:
    match = _LENGTH.fullmatch(source)
    if match is None:
        raise UnreadableFormula("a length of unknown size")
    return float(match[1]) * _EM[match[2]]


def _space(_reader: Parser, name: str) -> Element:
    return element("mspace", width=_SPACES[name])


def _measured_space(reader: Parser, _name: str) -> Element:
    if reader.peek() == "*":
        reader.take()
    source = reader.raw_group() if reader.peek() == "{" else reader.dimension()
    return element("mspace", width=f"{max(_ems(source), 0):.3f}em")


def _wrapped(reader: Parser, name: str) -> Element:
    reader.raw_bracket()
    for _ in range(_WRAPPERS[name]):
        reader.raw_group()
    return reader.argument()


def _colour(reader: Parser, _name: str) -> None:
    reader.raw_bracket()
    reader.raw_group()


def _invisible(reader: Parser, name: str) -> Element | None:
    body = reader.argument()
    return None if name == "vphantom" else element("mphantom", "", body)


def _dropped(reader: Parser, _name: str) -> None:
    if reader.peek() == "*":
        reader.take()
    reader.raw_group()


def _rule(reader: Parser, _name: str) -> Element:
    """A thin line across, or a strut without width. Blocks and lines down are not drawn."""
    if reader.peek() == "[":
        _ems(reader.raw_bracket())
    length, thickness = reader.raw_group(), _ems(reader.raw_group())
    width = 20.0 if _TEXT_WIDTH.fullmatch(length) else _ems(length)
    if width <= 0:
        return element("mrow")
    if thickness > 0.3:
        raise UnreadableFormula("a block of ink")
    return element("mtext", "─" * max(1, round(3 * width)))


def _page_commands() -> dict[str, Command]:
    table: dict[str, Command] = {"color": _colour, "rule": _rule}
    table |= dict.fromkeys(_SPACES, _space)
    table |= dict.fromkeys(("hspace", "kern", "mkern", "mskip", "hskip", "mspace"), _measured_space)
    table |= dict.fromkeys(_WRAPPERS, _wrapped)
    table |= dict.fromkeys(("phantom", "hphantom", "vphantom"), _invisible)
    table |= dict.fromkeys(("label", "vspace", "require"), _dropped)
    table |= dict.fromkeys(_IGNORED, lambda _reader, _name: None)
    return table


PAGE_COMMANDS: Mapping[str, Command] = MappingProxyType(_page_commands())
