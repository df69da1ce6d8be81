"""The bodies of ``let``: read once, in the names that were declared with them."""

from __future__ import annotations

import threading
from dataclasses import replace

from quizapp.algebra.errors import Unreadable
from quizapp.algebra.names import Names
from quizapp.algebra.tree import Expression
from quizapp.errors import UsageError

_READING: set[tuple[int, str, str]] = set()


def body(name: str, names: Names) -> Expression:
    """What a named function or matrix stands for. Raises ``UsageError`` where it cannot be read."""
    from quizapp.algebra.reader import read

    known = names.trees.get(name)
    if known is not None:
        return known
    mark = (threading.get_ident(), name, names.definitions[name].text)
    if mark in _READING:
        raise UsageError(f"the definition of {name} refers to itself")
    _READING.add(mark)
    try:
        definition = names.definitions[name]
        # A parameter hides a symbol, a function or a matrix of the same name.
        hidden = set(definition.parameters)
        inner = replace(
            names,
            symbols={
                **{key: text for key, text in names.symbols.items() if key not in hidden},
                **dict.fromkeys(definition.parameters, "real"),
            },
            let={key: text for key, text in names.let.items() if key.partition("(")[0].strip() not in hidden},
        )
        tree = read(definition.text, inner)
    except Unreadable as error:
        raise UsageError(f"the definition of {name}: {error}") from None
    finally:
        _READING.discard(mark)
    names.trees[name] = tree
    return tree
