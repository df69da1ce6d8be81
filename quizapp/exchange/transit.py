"""Transit's JSON, which says in strings what JSON has no word for (github.com/cognitect/transit-format)."""

from __future__ import annotations

from typing import Any

from quizapp.exchange.edn import MOST_LEVELS, Keyword
from quizapp.text import without_surrogates

_FIRST, _BASE = 48, 44
_MOST_CACHED = _BASE * _BASE


class TransitError(ValueError):
    """JSON that is no Transit."""


def read_transit(value: Any) -> Any:
    """A parsed JSON value with keywords, sets and maps as :func:`~quizapp.exchange.edn.read_edn` gives them."""
    return _Reader().value(value, False, 0)


class _Reader:
    """``cache``: words that later stand as ``^0``, ``^1`` and so on."""

    def __init__(self) -> None:
        self._cache: list[Any] = []

    def value(self, found: Any, key: bool, level: int) -> Any:
        if level > MOST_LEVELS:
            raise TransitError("nested too deep")
        if isinstance(found, str):
            return self._word(found, key)
        if isinstance(found, dict):
            if len(found) == 1:
                ((name, inside),) = found.items()
                word = self._word(name, True)
                if isinstance(word, _Tag):
                    return self.value(inside, False, level + 1)
                return {word: self.value(inside, False, level + 1)}
            return {
                _key(self.value(name, True, level + 1)): self.value(inside, False, level + 1)
                for name, inside in found.items()
            }
        if isinstance(found, list):
            return self._list(found, level)
        return found

    def _list(self, found: list[Any], level: int) -> Any:
        if found and found[0] == "^ ":
            made = {}
            for at in range(1, len(found) - 1, 2):
                name = _key(self.value(found[at], True, level + 1))
                made[name] = self.value(found[at + 1], False, level + 1)
            return made
        if len(found) == 2 and isinstance(found[0], str):
            word = self._word(found[0], False)
            if isinstance(word, _Tag):
                return self.value(found[1], False, level + 1)
            return [word, self.value(found[1], False, level + 1)]
        return [self.value(item, False, level + 1) for item in found]

    def _word(self, text: str, key: bool) -> Any:
        if text.startswith("^") and text != "^ ":
            at = _index(text)
            if at >= len(self._cache):
                raise TransitError(f"the mark {text} stands for nothing")
            return self._cache[at]
        word = _decoded(without_surrogates(text))
        if len(text) > 3 and (key or text.startswith(("~:", "~$", "~#"))):
            if len(self._cache) == _MOST_CACHED:
                self._cache.clear()
            self._cache.append(word)
        return word


class _Tag(str):
    """``~#name``: what follows is of this kind."""

    __slots__ = ()


def _index(text: str) -> int:
    digits = [ord(letter) - _FIRST for letter in text[1:]]
    if not 1 <= len(digits) <= 2 or any(not 0 <= digit < _BASE for digit in digits):
        raise TransitError(f"the mark {text} stands for nothing")
    return digits[0] if len(digits) == 1 else digits[0] * _BASE + digits[1]


def _decoded(text: str) -> Any:
    if not text.startswith("~") or len(text) < 2:
        return text
    mark, rest = text[1], text[2:]
    if mark == ":":
        return Keyword(rest)
    if mark == "#":
        return _Tag(rest)
    if mark in "~^`":
        return text[1:]
    if mark in "in" and rest.lstrip("+-").isdigit() and len(rest) < 400:
        return int(rest)
    if mark == "?":
        return rest == "t"
    return None if mark == "_" else rest


def _key(key: Any) -> Any:
    return key if isinstance(key, str | int | float | bool | None) else repr(key)
