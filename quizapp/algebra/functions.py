"""The functions that the reader knows, under their one name each."""

from __future__ import annotations

# name -> (fewest, most) arguments
FUNCTIONS: dict[str, tuple[int, int]] = {
    **dict.fromkeys(("sin", "cos", "tan", "sec", "csc", "cot"), (1, 1)),
    **dict.fromkeys(("asin", "acos", "atan", "asec", "acsc", "acot"), (1, 1)),
    **dict.fromkeys(("sinh", "cosh", "tanh", "sech", "csch", "coth"), (1, 1)),
    **dict.fromkeys(("asinh", "acosh", "atanh", "asech", "acsch", "acoth"), (1, 1)),
    **dict.fromkeys(("exp", "sqrt", "cbrt", "abs", "sign", "floor", "ceil", "factorial"), (1, 1)),
    **dict.fromkeys(("conj", "re", "im"), (1, 1)),
    "atan2": (2, 2),
    "root": (2, 2),
    "log": (1, 2),
    "min": (1, 20),
    "max": (1, 20),
    "softmax": (1, 1),
    "transpose": (1, 1),
}

ALIASES: dict[str, str] = {
    "ln": "log",
    "Abs": "abs",
    "ceiling": "ceil",
    "sgn": "sign",
    "conjugate": "conj",
    "Min": "min",
    "Max": "max",
    **{f"arc{name}": f"a{name}" for name in ("sin", "cos", "tan", "sec", "csc", "cot")},
    **{f"arc{name}h": f"a{name}h" for name in ("sin", "cos", "tan", "sec", "csc", "cot")},
    **{f"ar{name}h": f"a{name}h" for name in ("sin", "cos", "tan", "sec", "csc", "cot")},
}

# Written without brackets in print: sin x, \log n.
BRACKETLESS = frozenset(
    name
    for name, (fewest, _) in FUNCTIONS.items()
    if fewest == 1 and name not in ("softmax", "transpose", "root")
) - {"min", "max", "abs", "conj", "re", "im", "sign", "floor", "ceil", "factorial"}

CONSTANTS = ("pi", "e", "I")


def known_function(word: str) -> str | None:
    """The one name of a built-in function, or None."""
    name = ALIASES.get(word, word)
    return name if name in FUNCTIONS else None
