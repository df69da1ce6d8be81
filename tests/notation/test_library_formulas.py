"""Every formula of the library is drawn; none falls back to its source."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from quizapp.notation import Math, draw, split_math

ROOT = Path(__file__).parent.parent.parent


def _strings(value: Any, key: str) -> Iterator[str]:
    """The values of every field ``key``, at any depth."""
    if isinstance(value, dict):
        for name, inner in value.items():
            if name == key and isinstance(inner, str):
                yield inner
            else:
                yield from _strings(inner, key)
    elif isinstance(value, list):
        for inner in value:
            yield from _strings(inner, key)


def deck_formulas(path: Path) -> list[tuple[str, bool]]:
    return [
        (piece.latex, piece.display)
        for piece in split_math(path.read_text(encoding="utf-8"))
        if isinstance(piece, Math)
    ]


@pytest.mark.parametrize("path", sorted((ROOT / "decks").glob("*.md")), ids=lambda path: path.stem)
def test_deck(path: Path) -> None:
    formulas = deck_formulas(path)
    assert [latex for latex, display in formulas if draw(latex, display=display).is_source] == []


@pytest.mark.parametrize("path", sorted((ROOT / "derivations").glob("*.toml")), ids=lambda path: path.stem)
def test_derivation(path: Path) -> None:
    formulas = list(_strings(tomllib.loads(path.read_text(encoding="utf-8")), "latex"))
    formulas += [
        piece.latex
        for why in _strings(tomllib.loads(path.read_text(encoding="utf-8")), "why")
        for piece in split_math(why)
        if isinstance(piece, Math)
    ]
    assert [latex for latex in formulas if draw(latex).is_source] == []


def test_the_library_has_formulas() -> None:
    assert any(deck_formulas(path) for path in (ROOT / "decks").glob("*.md"))
