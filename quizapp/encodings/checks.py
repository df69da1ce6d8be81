"""What every scheme asks of its parameters, each refusal one line that says how to mend it."""

from __future__ import annotations

import math
from typing import Any

from quizapp.errors import QuizappError

# Beyond this a float64 position is no longer the integer that was meant.
LARGEST_POSITION = 2**53
# Far beyond every model, and small enough that a slip of the keyboard cannot fill the memory.
LARGEST_DIMENSION = 1 << 20
LARGEST_HEADS = 1 << 16


class EncodingError(QuizappError):
    """A parameter does not fit the scheme."""


def whole(value: Any, name: str, least: int | None = None, most: int | None = None) -> int:
    """``value`` as an integer from ``least`` to ``most``; raises EncodingError."""
    if isinstance(value, bool) or not _is_number(value) or not math.isfinite(value) or value != int(value):
        raise EncodingError(f"{name} must be a whole number, not {value!r}")
    number = int(value)
    if least is not None and number < least:
        raise EncodingError(f"{name} must be at least {least}, not {number}")
    if most is not None and number > most:
        raise EncodingError(f"{name} must be at most {most}, not {number}")
    return number


def real(value: Any, name: str) -> float:
    """``value`` as a finite float; raises EncodingError."""
    if isinstance(value, bool) or not _is_number(value) or not math.isfinite(value):
        raise EncodingError(f"{name} must be a finite number, not {value!r}")
    return float(value)


def positive(value: Any, name: str) -> float:
    number = real(value, name)
    if number <= 0:
        raise EncodingError(f"{name} must be greater than 0, not {number:g}")
    return number


def even_dimension(value: Any, name: str = "dim") -> int:
    """An even dimension of at least 2: every frequency needs a sine and a cosine."""
    dim = whole(value, name, 2, LARGEST_DIMENSION)
    if dim % 2:
        raise EncodingError(
            f"{name} {dim} is odd; coordinates come in pairs, so use an even number such as {dim + 1}"
        )
    return dim


def base_above_one(value: Any) -> float:
    """The base of the geometric frequencies; at 1 every pair would turn at the same speed."""
    base = real(value, "base")
    if base <= 1:
        raise EncodingError(f"base must be greater than 1, not {base:g}; 10000 is the usual one")
    return base


def factor_at_least_one(value: Any) -> float:
    """How many times longer than in training the context shall be."""
    factor = real(value, "factor")
    if factor < 1:
        raise EncodingError(
            f"factor must be at least 1, not {factor:g}; it is the wanted length over the trained one"
        )
    return factor


def one_of(value: Any, name: str, words: tuple[str, ...]) -> str:
    if value not in words:
        raise EncodingError(f"{name} must be one of {', '.join(words)}, not {value!r}")
    return str(value)


def _is_number(value: Any) -> bool:
    try:
        float(value)
    except (TypeError, ValueError, OverflowError):
        return False
    return not isinstance(value, (str, bytes))
