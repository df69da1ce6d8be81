"""The ``toml card`` block: from text to :class:`~quizapp.decks.card.Fields`, each mistake with its line."""

from __future__ import annotations

import difflib
import re
import tomllib
from typing import Any

import msgspec

from quizapp.decks.card import KINDS, Fields

_TYPES = {
    "str": "text in quotes", "int": "a whole number", "float": "a number", "array": "a list [...]",
    "object": "a table {...}", "bool": "true or false", "null": "nothing", "date": "a date", "datetime": "a date",
}  # fmt: skip


def read_fields(text: str, line: int) -> tuple[Fields, list[tuple[int, str]]]:
    """Read a block whose first line stands at ``line`` of its file.

    Returns the fields that could be read and the mistakes as (line, message).
    """
    try:
        values: dict[str, Any] = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        found = re.search(r" \(at line (\d+), column (\d+)\)| \(at end of document\)", str(error))
        at = int(found[1]) - 1 if found and found[1] else max(text.count("\n") - 1, 0)
        said = str(error)[: found.start()] if found else str(error)
        if "illegal character '\\n'" in said.lower():
            said = "a text is not closed; end it with a quote"
        return Fields(), [(line + at, f"the card block is not valid TOML: {said[:1].lower()}{said[1:]}")]
    mistakes: list[tuple[int, str]] = []
    while True:
        try:
            fields = msgspec.convert(values, Fields)
        except msgspec.ValidationError as error:
            key, message = _explain(str(error), values)
            mistakes.append((line + _line_of(text, key), message))
            values.pop(key.split(".")[0], None)
        else:
            return fields, mistakes + [(line + _line_of(text, key), said) for key, said in _unfit(fields)]


def _unfit(fields: Fields) -> list[tuple[str, str]]:
    found: list[tuple[str, str]] = []
    if fields.id is not None and not re.fullmatch(r"[^\s:]+", fields.id):
        found.append(("id", f"id {fields.id!r} has spaces or a colon; use words joined by hyphens"))
    if fields.tolerance is not None and not 0 <= fields.tolerance < float("inf"):
        found.append(("tolerance", "tolerance must be zero or more"))
    found += [
        ("checks", f"tolerance of {check.claim!r} must be zero or more")
        for check in fields.checks
        if check.tolerance is not None and not 0 <= check.tolerance < float("inf")
    ]
    for name in ("tags", "points", "hints", "follow_ups", "sources"):
        if any(not text.strip() for text in getattr(fields, name)):
            found.append((name, f"{name}: an empty text in the list"))
    return found


def _explain(message: str, values: dict[str, Any]) -> tuple[str, str]:
    """The key that is wrong (``checks.claim`` for one inside a table) and what to say of it."""
    where = re.search(r" - at `\$\.?([^`]*)`$", message)
    path = re.sub(r"\[[^\]]*\]", "", where[1] if where else "").strip(".")
    said = message[: where.start()] if where else message
    if unknown := re.search(r"unknown field `([^`]+)`", said):
        name = unknown[1]
        known = Fields.__struct_fields__ if not path else ("claim", "tolerance", "symbols")
        near = difflib.get_close_matches(name, known, 1)
        hint = f"did you mean {near[0]}?" if near else f"the keys are {', '.join(known)}"
        return (f"{path}.{name}" if path else name), f"unknown key {name}; {hint}"
    if missing := re.search(r"missing required field `([^`]+)`", said):
        return path, f"{path}: each entry needs {missing[1]}"
    key = path.split(".")[0]
    if key == "kind" and "enum" in said:
        near = difflib.get_close_matches(str(values.get("kind")), KINDS, 1)
        return key, f"unknown kind {values.get('kind')!r}; " + (
            f"did you mean {near[0]}?" if near else f"the kinds are {', '.join(KINDS)}"
        )
    if wanted := re.search(r"Expected `([^`]+)`, got `([^`]+)`", said):
        names = [
            _TYPES.get(name.strip(), name.strip()) for name in wanted[1].split("|") if name.strip() != "null"
        ]
        if where and "[" in where[1] and names:
            return (
                key,
                f"{key}: each entry must be {' or '.join(names)}, not {_TYPES.get(wanted[2], wanted[2])}",
            )
        return key, f"{key} must be {' or '.join(names)}, not {_TYPES.get(wanted[2], wanted[2])}"
    return key, f"{key}: {said[:1].lower()}{said[1:]}"


def _line_of(text: str, key: str) -> int:
    """The 0-based line of a key in the block; for a nested one, where its last part first stands after its parent."""
    at = 0
    for part in key.split("."):
        pattern = re.compile(rf"(?:^|[\s{{,\[])\"?{re.escape(part)}\"?\s*[=.\]]")
        for number, line in enumerate(text.splitlines()[at:], at):
            if pattern.search(line):
                at = number
                break
    return at
