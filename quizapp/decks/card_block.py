"""From :class:`~quizapp.decks.card.Fields` to the text of a ``toml card`` block, the way an author would lay it out."""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Iterable, Mapping
from typing import Any

from msgspec.structs import asdict

from quizapp.decks.card import Claim, Fields

# As authors write them: what the card is, what its answer is, then everything around it.
_ORDER = (
    "id", "kind", "answer", "unit", "tolerance", "symbols", "generator", "parameters", "tags", "points",
    "hints", "derivation", "demo", "follow_ups", "sources", "checks",
)  # fmt: skip
# Lists of sentences are easier to edit one a line; short ones are not.
_WIDEST = 100
_BARE = re.compile(r"[A-Za-z0-9_-]+")
# Controls are left out of a file that holds them as they are, so they are always written as escapes.
_ESCAPED = re.compile(r'["\\\x00-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069\ud800-\udfff]')
_SHORT = {'"': '\\"', "\\": "\\\\", "\n": "\\n", "\t": "\\t", "\r": "\\r"}


def card_block(fields: Fields) -> str:
    """The block with its fences; a key that says nothing is left out."""
    lines = ["```toml card"]
    values = asdict(fields)
    for key in _ORDER:
        value = values[key]
        if value is None or (isinstance(value, tuple | dict) and not value):
            continue
        lines.append(_line(key, value))
    return "\n".join([*lines, "```"])


def _line(key: str, value: Any) -> str:
    line = f"{key} = {_value(value)}"
    if not isinstance(value, tuple) or (len(line) <= _WIDEST and key != "checks"):
        return line
    return "\n".join([f"{key} = [", *(f"  {_value(item)}," for item in value), "]"])


def _value(value: Any) -> str:
    match value:
        case bool():
            return "true" if value else "false"
        case int() | float():
            return repr(value)
        case str():
            return f'"{_ESCAPED.sub(_escape, value)}"'
        case dt.datetime() | dt.date() | dt.time():
            return value.isoformat()
        case Claim():
            said = {"claim": value.claim, "tolerance": value.tolerance, "symbols": value.symbols or None}
            return _table((key, item) for key, item in said.items() if item is not None)
        case Mapping():
            return _table(value.items())
        case list() | tuple():
            return f"[{', '.join(map(_value, value))}]"
        case _:
            raise TypeError(f"{type(value).__name__} has no place in a card block")


def _table(items: Iterable[tuple[str, Any]]) -> str:
    inside = ", ".join(f"{_key(key)} = {_value(value)}" for key, value in items)
    return f"{{ {inside} }}" if inside else "{}"


def _key(key: str) -> str:
    return key if _BARE.fullmatch(key) else _value(key)


def _escape(found: re.Match[str]) -> str:
    half_of_a_pair = "\ud800" <= found[0] <= "\udfff"
    return "\ufffd" if half_of_a_pair else _SHORT.get(found[0], f"\\u{ord(found[0]):04x}")
