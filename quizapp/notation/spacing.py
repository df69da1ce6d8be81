"""How far apart two neighbours stand: TeX's table of classes, in whole cells."""

from __future__ import annotations

from collections.abc import Sequence

from quizapp.notation.boxes import Box

_TIGHT_AFTER = frozenset({"", "bin", "op", "rel", "open", "punct"})
_TIGHT_BEFORE = frozenset({"rel", "close", "punct"})


def classes_in_row(pairs: Sequence[tuple[str, str]]) -> tuple[list[str], list[str]]:
    """The left and right classes of a row's items. A binary sign without two operands is a plain sign."""
    lefts = [left for left, _ in pairs]
    rights = [right for _, right in pairs]
    for index, (left, right) in enumerate(pairs):
        if left == right == "bin":
            before = rights[index - 1] if index else ""
            after = pairs[index + 1][0] if index + 1 < len(pairs) else ""
            if before in _TIGHT_AFTER or index + 1 == len(pairs) or after in _TIGHT_BEFORE:
                lefts[index] = rights[index] = "sign"
    return lefts, rights


def gap(first: Box, second: Box, right: str, left: str, script: bool) -> int:
    """The cells between ``first`` (whose class to the right is ``right``) and ``second``."""
    if not right or not left:
        return 0
    if right == "open" or left in ("close", "punct"):
        return 0
    if "inner" in (right, left):
        # Bars of neighbours must not run into one.
        return 0 if right == "close" and script and left != "inner" else 1
    if right == left == "lined":
        # Two lines over neighbours must not seem one.
        return 1
    if "bin" in (right, left) or "rel" in (right, left):
        if right == left == "rel":
            return int(first.height > 1 or second.height > 1)
        return _words(first, second) if script else 1
    if right == "punct":
        return 0 if script else 1
    if "dots" in (right, left):
        return 0 if script else 1
    if right == "op":
        return 0 if left == "open" or (script and left == "op") else 1
    if left == "op":
        return 0 if right == "sign" else 1
    return _words(first, second)


def _words(first: Box, second: Box) -> int:
    """One cell where letters of a word would run into what follows."""
    before, after = first.rows[first.baseline], second.rows[second.baseline]
    if not (before[-1:].isalnum() and after[:1].isalnum()):
        return 0
    return int(_is_word(before) or _is_word(after))


def _is_word(text: str) -> bool:
    text = text.strip()
    return len(text) > 1 and text.isascii() and text.isalpha()
