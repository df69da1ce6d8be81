"""The user's configuration: one TOML file, every value with a default, every mistake said in one line."""

from __future__ import annotations

import datetime as dt
import difflib
import re
import tomllib
from pathlib import Path
from typing import Annotated

import msgspec

from quizapp.errors import UsageError
from quizapp.review.weights import complete_weights

DEFAULT_RETENTION = 0.9


class Config(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Every setting. ``docs/configuration.md`` explains each one."""

    desired_retention: Annotated[float, msgspec.Meta(ge=0.7, le=0.99)] = DEFAULT_RETENTION
    maximum_interval: Annotated[int, msgspec.Meta(ge=1, le=36500)] = 36500
    new_per_day: Annotated[int, msgspec.Meta(ge=0, le=9999)] = 20
    reviews_per_day: Annotated[int, msgspec.Meta(ge=0, le=9999)] = 200
    day_start: Annotated[int, msgspec.Meta(ge=0, le=23)] = 4
    leech_threshold: Annotated[int, msgspec.Meta(ge=1)] = 8
    weights: tuple[float, ...] = ()
    decks: tuple[str, ...] = ()
    theme: str = ""
    keys: dict[str, str] = {}
    interview: str = ""


def load_config(path: Path) -> Config:
    """Read the configuration; a file that is not there means the defaults.

    Raises UsageError with the file and line of the first mistake.
    """
    try:
        text = path.read_text(encoding="utf-8")
    except FileNotFoundError:
        return Config()
    except UnicodeDecodeError:
        raise UsageError(f"{path}:1: not UTF-8 text; save the file as UTF-8") from None
    try:
        values = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        found = re.search(r"at line (\d+)", str(error))
        raise UsageError(f"{path}:{found[1] if found else 1}: {str(error).lower()}") from None
    try:
        config = msgspec.convert(values, Config)
    except msgspec.ValidationError as error:
        raise UsageError(_explain(path, text, str(error))) from None
    try:
        complete_weights(config.weights)
    except ValueError as error:
        raise UsageError(f"{path}:{_line_of(text, 'weights')}: {error}") from None
    if config.interview:
        try:
            dt.date.fromisoformat(config.interview)
        except ValueError:
            line = _line_of(text, "interview")
            raise UsageError(f"{path}:{line}: interview: write the date as 2026-12-14") from None
    return config


def _explain(path: Path, text: str, message: str) -> str:
    unknown = re.search(r"unknown field `([^`]+)`", message)
    if unknown:
        name = unknown[1]
        near = difflib.get_close_matches(name, Config.__struct_fields__, 1)
        hint = (
            f"; did you mean {near[0]}?"
            if near
            else f"; the settings are {', '.join(Config.__struct_fields__)}"
        )
        return f"{path}:{_line_of(text, name)}: unknown setting {name}{hint}"
    where = re.search(r" - at `\$\.(\w+)", message)
    name = where[1] if where else ""
    said = message.split(" - at ")[0].replace("`", "")
    return f"{path}:{_line_of(text, name)}: {name}: {said[0].lower()}{said[1:]}"


def _line_of(text: str, key: str) -> int:
    for number, line in enumerate(text.splitlines(), 1):
        if re.match(rf"\s*\[?\s*\"?{re.escape(key)}\b", line):
            return number
    return 1
