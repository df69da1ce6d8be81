"""EDN, the notation of Clojure's data: a reader of what a file of cards may hold, and a writer.

Of our own, since it must take hostile files: time in proportion to the text, nesting bounded, no tagged value
interpreted. (github.com/edn-format/edn)
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Any

from quizapp.text import without_surrogates

MOST_LEVELS = 100
_TOKEN = re.compile(
    r"""[\s,]+|;[^\n]*|(?P<string>"(?:[^"\\]++|\\.)*+")|(?P<open>#?\{|\(|\[)|(?P<close>[\])}])|(?P<drop>\#_)"""
    r"""|(?P<char>\\(?:newline|space|tab|return|u[0-9a-fA-F]{4}|.))|(?P<atom>[^\s,;"()\[\]{}\\]+)""",
    re.DOTALL,
)
_NUMBER = re.compile(r"[+-]?\d+N?|[+-]?\d+(?:\.\d*)?(?:[eE][+-]?\d+)?M?")
_ESCAPE = re.compile(r"\\(u[0-9a-fA-F]{4}|.)", re.DOTALL)
_NAMED = {"n": "\n", "t": "\t", "r": "\r", "b": "\b", "f": "\f"}
_CLOSING = {"{": "}", "#{": "}", "(": ")", "[": "]"}
_WORDS = {"nil": None, "true": True, "false": False}


class EdnError(ValueError):
    """A text that is no EDN; ``line`` is 1-based."""

    def __init__(self, message: str, line: int) -> None:
        super().__init__(message)
        self.line = line


class Keyword(str):
    """``:name``, without its colon."""

    __slots__ = ()


def read_edn(text: str) -> Any:
    """The first value of a text: dicts, lists (vectors, lists and sets alike), strings, numbers, :class:`Keyword`.

    A tag before a value, such as ``#inst``, is left out. Raises EdnError.
    """
    reader = _Reader(text)
    return reader.value(0)


class _Reader:
    def __init__(self, text: str) -> None:
        self._text = text
        self._at = 0

    def value(self, level: int) -> Any:
        token = self._next()
        if token is None:
            raise self._error("the text ends early")
        return self._value(token, level)

    def _value(self, token: re.Match[str], level: int) -> Any:
        kind, text = token.lastgroup, token[0]
        if level > MOST_LEVELS:
            raise self._error("nested too deep")
        if kind == "string":
            return without_surrogates(_ESCAPE.sub(_unescaped, text[1:-1]))
        if kind == "open":
            return self._collection(text, level + 1)
        if kind == "drop":
            self.value(level + 1)
            return self.value(level + 1)
        if kind == "char":
            named = {"newline": "\n", "space": " ", "tab": "\t", "return": "\r"}
            return named.get(text[1:]) or without_surrogates(
                _unescaped(text if len(text) > 2 else "\\" + text[1:])
            )
        if kind == "atom":
            return self._atom(text, level)
        raise self._error(f"a {text} too many")

    def _atom(self, text: str, level: int) -> Any:
        if text in _WORDS:
            return _WORDS[text]
        if text.startswith(":"):
            return Keyword(text[1:])
        if text.startswith("#"):
            return self.value(level + 1)
        if _NUMBER.fullmatch(text) and len(text) < 400:
            plain = text.rstrip("NM")
            return int(plain) if plain.lstrip("+-").isdigit() else float(plain)
        return text

    def _collection(self, opening: str, level: int) -> Any:
        closing = _CLOSING[opening]
        items: list[Any] = []
        while True:
            token = self._next()
            if token is None:
                raise self._error(f"a {opening} is not closed")
            if token.lastgroup == "close":
                if token[0] != closing:
                    raise self._error(f"{token[0]} where {closing} was expected")
                break
            if token.lastgroup == "drop":
                self.value(level)
                continue
            items.append(self._value(token, level))
        if opening != "{":
            return items
        if len(items) % 2:
            raise self._error("a map with a key and no value")
        return {_key(key): value for key, value in zip(items[::2], items[1::2], strict=True)}

    def _next(self) -> re.Match[str] | None:
        while self._at < len(self._text):
            token = _TOKEN.match(self._text, self._at)
            if token is None:
                raise self._error(
                    "a text in quotes is not closed" if self._text[self._at] == '"' else "unreadable"
                )
            self._at = token.end()
            if token.lastgroup:
                return token
        return None

    def _error(self, message: str) -> EdnError:
        return EdnError(message, self._text.count("\n", 0, self._at) + 1)


def _key(key: Any) -> Any:
    return key if isinstance(key, str | int | float | bool | None) else repr(key)


def _unescaped(found: re.Match[str] | str) -> str:
    mark = found[1] if isinstance(found, re.Match) else found[1:]
    if len(mark) == 5:
        return chr(int(mark[1:], 16))
    return _NAMED.get(mark, mark) if isinstance(found, re.Match) else mark


class EdnSet(list[Any]):
    """Written as a set ``#{...}``."""


def write_edn(value: Any) -> str:
    """``value`` as EDN; strings keep every character."""
    if value is None or isinstance(value, bool):
        return {None: "nil", True: "true", False: "false"}[value]
    if isinstance(value, Keyword):
        return f":{value}"
    if isinstance(value, str):
        text = value.replace("\\", "\\\\").replace('"', '\\"')
        return f'"{text}"'
    if isinstance(value, int | float):
        return repr(value)
    if isinstance(value, Mapping):
        return "{" + " ".join(f"{write_edn(key)} {write_edn(item)}" for key, item in value.items()) + "}"
    if isinstance(value, Iterable):
        inside = " ".join(map(write_edn, value))
        return f"#{{{inside}}}" if isinstance(value, EdnSet) else f"[{inside}]"
    raise TypeError(f"no EDN for {type(value).__name__}")
