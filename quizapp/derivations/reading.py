"""Read derivation files: strict TOML into :class:`~quizapp.derivations.model.Derivation`, each mistake with
its line.
"""

from __future__ import annotations

import difflib
import re
import tomllib
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import msgspec

from quizapp.derivations.model import Derivation, DerivationFile, Step
from quizapp.errors import QuizappError

_KINDS = {
    "str": "text in quotes",
    "int": "a whole number",
    "float": "a number",
    "bool": "true or false",
    "array": "a list",
    "object": "a table",
}
_ID = re.compile(r"[a-z0-9]+(?:-[a-z0-9]+)*")


class DerivationError(QuizappError):
    """A derivation file that can't be used; the message reads ``PATH:LINE: what and how to mend it``."""


def load(path: Path) -> Derivation:
    """Read one derivation file.

    Raises:
        DerivationError: the file is missing, not UTF-8, not TOML, or says something the format doesn't have.
    """
    try:
        text = path.read_bytes().decode()
    except FileNotFoundError:
        raise DerivationError(f"{path}:1: there is no such derivation file") from None
    except UnicodeDecodeError as error:
        raise DerivationError(f"{path}:1: not UTF-8 text at byte {error.start}; save it as UTF-8") from None
    except OSError as error:
        raise DerivationError(f"{path}:1: can't be read: {(error.strerror or str(error)).lower()}") from None
    return parse(text, path)


def parse(text: str, path: Path) -> Derivation:
    """Read the text of a derivation file; ``path`` is named in errors, and its stem is the id expected."""
    text = text.removeprefix("\ufeff").replace("\r\n", "\n")
    places = _Places(text)
    try:
        values: dict[str, Any] = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        found = re.search(r" \(at line (\d+), column \d+\)| \(at end of document\)", str(error))
        line = int(found[1]) if found and found[1] else max(text.count("\n"), 1)
        said = str(error)[: found.start()] if found else str(error)
        raise DerivationError(f"{path}:{line}: not valid TOML: {said[:1].lower()}{said[1:]}") from None
    try:
        file = msgspec.convert(values, DerivationFile)
    except msgspec.ValidationError as error:
        line, message = _explain(str(error), places)
        raise DerivationError(f"{path}:{line}: {message}") from None
    for line, message in _unfit(file, path, places):
        raise DerivationError(f"{path}:{line}: {message}")
    return Derivation(
        **{name: getattr(file, name) for name in DerivationFile.__struct_fields__},
        path=str(path),
        claim_line=places.line("claim"),
        for_all_line=places.line("for_all"),
        symbols_line=places.line("symbols"),
        lines=tuple(places.step(i) for i in range(len(file.steps))),
    )


def load_library(roots: Iterable[Path]) -> dict[str, Derivation]:
    """All derivations of flat folders of ``*.toml``, by id, in the order of their file names.

    A later folder replaces an earlier one's derivation of the same id; a folder that isn't there is skipped.
    """
    found: dict[str, Derivation] = {}
    for root in roots:
        for path in sorted(root.glob("*.toml")):
            derivation = load(path)
            found[derivation.id] = derivation
    return found


def find(name: str, roots: Iterable[Path]) -> Derivation:
    """The derivation of that id in the last folder that has it.

    Raises:
        DerivationError: no folder has it; the message names what is near.
    """
    folders = list(roots)
    if _ID.fullmatch(name):
        for root in reversed(folders):
            if (path := root / f"{name}.toml").is_file():
                return load(path)
    known = sorted({path.stem for root in folders for path in root.glob("*.toml")})
    near = difflib.get_close_matches(name, known, 1)
    hint = f"did you mean {near[0]}?" if near else "quizapp derive --list shows them all"
    raise DerivationError(f"there is no derivation {name!r}; {hint}")


class _Places:
    """Where keys stand in a TOML text, for messages only: a near miss costs a line number, nothing else."""

    def __init__(self, text: str) -> None:
        self._lines = text.splitlines()
        self._steps = [
            i for i, line in enumerate(self._lines, 1) if re.match(r"\s*\[\[\s*steps\s*\]\]", line)
        ]

    def step(self, index: int) -> int:
        """The line of the formula of a step, else of its heading."""
        for key in ("expr", "relation"):
            if line := self._key(key, self._start(index), self._start(index + 1)):
                return line
        return self._start(index) if index < len(self._steps) else 1

    def line(self, key: str, step: int | None = None) -> int:
        """The line of a key at the top of the file, in a table of it, or in a step."""
        if step is not None:
            return self._key(key, self._start(step), self._start(step + 1)) or self.step(step)
        return self._key(key, 1, self._start(0)) or self._key(key, 1, len(self._lines) + 1) or 1

    def _start(self, index: int) -> int:
        return self._steps[index] if index < len(self._steps) else len(self._lines) + 1

    def _key(self, key: str, first: int, end: int) -> int | None:
        name = re.escape(key)
        pattern = re.compile(rf"""\s*(?:["']?{name}["']?\s*=|\[\[?\s*{name}\s*\]\]?)""")
        for number in range(first, min(end, len(self._lines) + 1)):
            if pattern.match(self._lines[number - 1]):
                return number
        return None


def _explain(message: str, places: _Places) -> tuple[int, str]:
    """Say a validation error in one plain sentence, with the line it belongs to."""
    where = re.search(r" - at `(?:key in )?\$\.?([^`]*)`$", message)
    at = where[1] if where else ""
    said = message[: where.start()] if where else message
    in_step = re.match(r"steps\[(\d+)\]\.?(.*)", at)
    step = int(in_step[1]) if in_step else None
    key = (in_step[2] if in_step else at).split("[")[0]
    name = f"step {step + 1}" if step is not None else "the derivation"
    if unknown := re.search(r"unknown field `([^`]+)`", said):
        known = Step.__struct_fields__ if step is not None else DerivationFile.__struct_fields__
        near = difflib.get_close_matches(unknown[1], known, 1)
        hint = f"did you mean {near[0]}?" if near else f"the keys are {', '.join(known)}"
        return places.line(unknown[1], step), f"{name} has an unknown key {unknown[1]}; {hint}"
    if missing := re.search(r"missing required field `([^`]+)`", said):
        return (places.step(step) if step is not None else 1), f"{name} needs {missing[1]}"
    if wanted := re.search(r"Expected `([^`]+)`, got `([^`]+)`", said):
        names = [
            _KINDS.get(part.strip(), part.strip()) for part in wanted[1].split("|") if part.strip() != "null"
        ]
        given = _KINDS.get(wanted[2], wanted[2])
        # A table's entry is reported as `$.symbols[...]`.
        entries = at.endswith("[...]") or "[...][" in at
        label = f"an entry of {key}" if entries else (key or "the file")
        prefix = f"{name}: " if step is not None else ""
        return places.line(key, step), f"{prefix}{label} must be {' or '.join(names)}, not {given}"
    return places.line(key, step), f"{name}: {said[:1].lower()}{said[1:]}"


def _unfit(file: DerivationFile, path: Path, places: _Places) -> Iterable[tuple[int, str]]:
    """What is well-formed TOML but no derivation."""
    if not _ID.fullmatch(file.id):
        yield places.line("id"), f"id {file.id!r} must be lower-case words joined by hyphens"
    if file.id != path.stem:
        yield places.line("id"), f"id {file.id!r} must be the file name without .toml, which is {path.stem!r}"
    if not file.title.strip():
        yield places.line("title"), "title is empty"
    if "=" not in file.claim:
        yield places.line("claim"), "the claim must state an equality, LEFT = RIGHT"
    if len(file.steps) < 2:
        yield (
            places.line("steps"),
            "a derivation needs at least two steps: the claim's left side and its right side",
        )
    for index, step in enumerate(file.steps):
        if (step.expr is None) == (step.relation is None):
            yield places.step(index), f"step {index + 1} needs exactly one of expr and relation"
        for key in ("expr", "relation", "why"):
            value = getattr(step, key)
            if value is not None and not value.strip():
                yield places.line(key, index), f"step {index + 1}: {key} is empty"
    for name in file.for_all:
        if name in file.symbols or name in file.let:
            yield places.line(name), f"{name} stands in for_all and is declared again; keep one of the two"
