"""From what values a generator may draw: its own defaults, or the ranges that a card gives."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from quizapp.generators.problem import GeneratorError, Value


@dataclass(frozen=True)
class Parameter:
    """One parameter: what it means, the values drawn by default, and what a card may set.

    ``words`` lists the words of a parameter that is not a number; ``real`` allows fractions; ``even`` asks
    for even.
    """

    meaning: str
    default: Any
    least: float = 0
    most: float = 1 << 20
    even: bool = False
    real: bool = False
    words: tuple[str, ...] = ()


def values(name: str, parameter: Parameter, given: Any) -> Sequence[Value]:
    """The values that ``given`` allows: ``"A:B"`` is half-open, a list is its items, anything else itself.

    Raises GeneratorError for an empty range and for values that the parameter does not take.
    """
    if isinstance(given, str) and not parameter.words:
        allowed: Sequence[Value] = _span(name, given)
        if parameter.even:
            allowed = [value for value in allowed if isinstance(value, int) and value % 2 == 0]
    else:
        allowed = list(given) if isinstance(given, (list, tuple)) else [given]
    if not allowed:
        raise GeneratorError(
            f"parameter {name}: {given!r} is empty; write a list such as [4, 8] or a range A:B, A < B"
        )
    # A range is monotonous: its ends speak for all of it.
    for value in (allowed[0], allowed[-1]) if isinstance(allowed, range) else allowed:
        _check(name, parameter, value)
    return allowed


def all_values(
    parameters: Mapping[str, Parameter], given: Mapping[str, Any], owner: str
) -> dict[str, Sequence[Value]]:
    """The values of every parameter; raises GeneratorError for one that the generator does not have."""
    for name in given:
        if name not in parameters:
            raise GeneratorError(f"{owner} has no parameter {name!r}; it takes {', '.join(parameters)}")
    return {
        name: values(name, parameter, given.get(name, parameter.default))
        for name, parameter in parameters.items()
    }


def _span(name: str, text: str) -> range:
    first, colon, last = text.partition(":")
    try:
        start = int(first)
        return range(start, int(last) if colon else start + 1)
    except ValueError:
        raise GeneratorError(
            f"parameter {name}: {text!r} is neither a whole number nor a half-open range such as 0:32"
        ) from None


def _check(name: str, parameter: Parameter, value: Any) -> None:
    if parameter.words:
        if value not in parameter.words:
            raise GeneratorError(f"parameter {name}: {value!r} is not one of {', '.join(parameter.words)}")
        return
    if isinstance(value, bool) or not isinstance(value, (int, float)) or not math.isfinite(value):
        raise GeneratorError(f"parameter {name}: {value!r} is not a number")
    if not parameter.real and value != int(value):
        raise GeneratorError(f"parameter {name}: {value!r} is not a whole number")
    if not parameter.least <= value <= parameter.most:
        raise GeneratorError(
            f"parameter {name}: {value} is not between {parameter.least:g} and {parameter.most:g} "
            f"({parameter.meaning})"
        )
    if parameter.even and value % 2:
        raise GeneratorError(f"parameter {name}: {value} is odd; {parameter.meaning} must be even")
