"""An entry as plain values, without what it does not say: for JSON, and for hashes that outlive new keys."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec

from quizapp.decks.card import Claim, Fields
from quizapp.decks.entry import Entry

_FIELDS = msgspec.structs.asdict(Fields())
_CLAIM: Mapping[str, Any] = {"tolerance": None, "symbols": {}}


def entry_values(entry: Entry) -> dict[str, Any]:
    """What :class:`~quizapp.decks.entry.Entry` is read from again."""
    said: dict[str, Any] = {"id": entry.id, "kind": entry.kind, "heading": entry.heading}
    if entry.prompt:
        said["prompt"] = entry.prompt
    if entry.answer:
        said["answer"] = entry.answer
    if entry.options:
        said["options"] = [{"text": option.text, "right": option.right} for option in entry.options]
    if fields := _said(msgspec.structs.asdict(entry.fields), _FIELDS):
        if checks := fields.get("checks"):
            fields["checks"] = [_claim(check) for check in checks]
        said["fields"] = fields
    return said


def _claim(check: Claim) -> dict[str, Any]:
    return _said(msgspec.structs.asdict(check), _CLAIM)


def _said(values: Mapping[str, Any], defaults: Mapping[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in values.items() if key not in defaults or value != defaults[key]}
