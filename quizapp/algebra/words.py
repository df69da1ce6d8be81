"""What a word stands for: a symbol, a constant, a function, or declared names run together."""

from __future__ import annotations

import difflib
from dataclasses import dataclass

from quizapp.algebra.characters import GREEK_NAMES
from quizapp.algebra.errors import Unreadable
from quizapp.algebra.functions import ALIASES, CONSTANTS, FUNCTIONS, known_function
from quizapp.algebra.names import Names
from quizapp.algebra.tokens import Token
from quizapp.algebra.tree import Expression
from quizapp.errors import UsageError

_CONSTRUCTORS = {"Matrix": "Matrix", "matrix": "Matrix", "Sum": "Sum", "sum": "Sum"}


@dataclass(frozen=True)
class Part:
    """``kind`` is sym, const, word, let, external or builtin; ``subscript`` is the base of a logarithm."""

    kind: str
    text: str
    subscript: str = ""


def resolve(token: Token, names: Names, bound: tuple[str, ...], before_bracket: bool) -> list[Part]:
    """The factors that a word stands for, nearly always one. Raises ``Unreadable`` with a suggestion."""
    word = token.text
    whole = _whole(word, names, bound, before_bracket)
    if whole:
        return [whole]
    head = _function_head(word, names, bound)
    if head:
        raise Unreadable(
            f"write {head[0]}({head[1]}): a function needs its argument in brackets", token.start + 1
        )
    splits = _splits(word, names, bound, before_bracket)
    if len(splits) == 1:
        return splits[0]
    if len(splits) > 1:
        first, second = (" * ".join(part.text for part in split) for split in splits[:2])
        raise Unreadable(
            f"{word} could be {first} or {second}: write the * between the names", token.start + 1
        )
    if names.strict:
        raise Unreadable(_unknown(word, names, bound), token.start + 1)
    return [Part("sym", word)]


def _whole(word: str, names: Names, bound: tuple[str, ...], before_bracket: bool) -> Part | None:
    declared = _declared(word, names, bound)
    if declared:
        return declared
    if word in names.words:
        return Part("word", word)
    if word in CONSTANTS:
        return Part("const", word)
    builtin = known_function(word)
    if builtin:
        return Part("builtin", builtin)
    if word in _CONSTRUCTORS and before_bracket:
        return Part("builtin", _CONSTRUCTORS[word])
    base, mark, subscript = word.partition("_")
    if mark and known_function(base) == "log":
        return Part("builtin", "log", subscript)
    return None


def _declared(word: str, names: Names, bound: tuple[str, ...]) -> Part | None:
    for spelling in (word, _other_spelling(word)):
        if spelling in bound or spelling in names.assumptions:
            return Part("sym", spelling)
        if spelling in names.definitions:
            return Part("let", spelling)
        if spelling in names.functions:
            return Part("external", spelling)
    return None


def _other_spelling(word: str) -> str:
    """``q_1`` for ``q1`` and back: one is meant where only the other is declared."""
    stem = word.rstrip("0123456789")
    digits = word[len(stem) :]
    if not digits or not stem:
        return word
    return stem[:-1] + digits if stem.endswith("_") else f"{stem}_{digits}"


def _splits(word: str, names: Names, bound: tuple[str, ...], before_bracket: bool) -> list[list[Part]]:
    """Every way to cut a word into declared names (and pi); a function only last, before its bracket."""
    if len(word) < 2 or len(word) > 40:
        return []
    found: list[list[list[Part]]] = [[] for _ in range(len(word) + 1)]
    found[0] = [[]]
    for end in range(1, len(word) + 1):
        for start in range(end):
            if not found[start] or (start == 0 and end == len(word)):
                continue
            part = _piece(word[start:end], names, bound, before_bracket and end == len(word))
            if part:
                found[end].extend([*split, part] for split in found[start][:2])
        found[end] = found[end][:3]
    return found[-1]


def _piece(piece: str, names: Names, bound: tuple[str, ...], call_follows: bool) -> Part | None:
    declared = _declared(piece, names, bound)
    if declared and (
        declared.kind == "sym" or (declared.kind == "let" and not _takes_arguments(declared, names))
    ):
        return declared
    if declared:
        return declared if call_follows else None
    if piece == "pi":
        return Part("const", "pi")
    builtin = known_function(piece) if call_follows and len(piece) > 1 else None
    return Part("builtin", builtin) if builtin else None


def _takes_arguments(part: Part, names: Names) -> bool:
    return bool(names.definitions[part.text].parameters)


def _function_head(word: str, names: Names, bound: tuple[str, ...]) -> tuple[str, str] | None:
    """``sinx`` is a function run into its argument, where the rest is a name on its own."""
    for length in range(min(len(word) - 1, 7), 1, -1):
        head, rest = word[:length], word[length:]
        if known_function(head) and (
            (len(rest) == 1 and not names.strict) or rest in GREEK_NAMES or _declared(rest, names, bound)
        ):
            return head, rest
    return None


def _unknown(word: str, names: Names, bound: tuple[str, ...]) -> str:
    known = {*names.assumptions, *names.definitions, *names.functions, *names.words, *bound, *CONSTANTS, "ln"}
    known |= set(FUNCTIONS) | set(ALIASES)
    close = difflib.get_close_matches(word, sorted(known), n=1, cutoff=0.6)
    if close:
        return f"{word} is not declared here. Did you mean {close[0]}?"
    declared = sorted({*names.assumptions, *names.definitions})
    shown = ", ".join(declared[:12]) + (", ..." if len(declared) > 12 else "")
    return f"{word} is not declared here" + (f"; declared are {shown}" if shown else "")


def is_matrix(node: Expression, names: Names) -> bool:
    """Whether a typed node stands for a matrix."""
    if node.head in ("mat", "transpose"):
        return True
    if node.head == "call" and node.value == "softmax":
        return True
    if node.head == "call" and node.name in names.definitions:
        return _body_is_matrix(node.name, names)
    if node.head in ("add", "mul", "neg", "div", "sum"):
        return any(is_matrix(argument, names) for argument in node.args)
    if node.head == "pow":
        return is_matrix(node.args[0], names)
    return False


def _body_is_matrix(name: str, names: Names) -> bool:
    from quizapp.algebra.definitions import body

    try:
        return is_matrix(body(name, names), names)
    except RecursionError:
        raise UsageError(f"the definition of {name} refers to itself") from None
