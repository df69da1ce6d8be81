"""Numbers as people type them: ``0.84``, ``-1e-4``, ``2/3``, ``1,024``, ``50 %``, ``2pi/3``."""

from __future__ import annotations

import math
import re
from dataclasses import dataclass
from fractions import Fraction

from quizapp.errors import QuizappError

_MINUS = str.maketrans({"−": "-", "–": "-", "\u00a0": " ", "\u2009": " ", "⋅": "*", "×": "*"})
_DECIMAL = re.compile(r"[+-]?(\d+(\.\d*)?|\.\d+)(e[+-]?\d{1,3})?", re.IGNORECASE)
_GROUPED = re.compile(r"[+-]?\d{1,3}([,_ ]\d{3})+(\.\d+)?")


class NotANumberError(QuizappError):
    """Text that is no number; the message says what to type instead."""


@dataclass(frozen=True)
class Number:
    """A number that was read: its value, and half a unit of its last digit (0 where it is exact)."""

    value: float
    half_unit: float


def read_number(text: str, unit: str | None = None) -> Number:
    """Read a typed number; the unit may stand behind it. Raises NotANumberError."""
    plain = text.translate(_MINUS).strip().strip("$").strip()
    if unit and plain.lower().endswith(unit.lower()) and plain[: -len(unit)].strip():
        plain = plain[: -len(unit)].strip()
    scale = 1.0
    if plain.endswith("%") and unit != "%":
        plain, scale = plain[:-1].strip(), 0.01
    if _GROUPED.fullmatch(plain):
        plain = re.sub("[,_ ]", "", plain)
    if _DECIMAL.fullmatch(plain):
        value = float(plain) * scale
        if math.isfinite(value):
            return Number(value, _half_unit(plain) * scale)
    if fraction := re.fullmatch(r"([+-]?\d{1,30})\s*/\s*(\d{1,30})", plain):
        if int(fraction[2]) == 0:
            raise NotANumberError("a division by zero is no number")
        return Number(float(Fraction(int(fraction[1]), int(fraction[2]))) * scale, 0.0)
    return Number(_evaluate(plain) * scale, 0.0)


def _half_unit(decimal: str) -> float:
    """Half a unit of the last digit given; 0 for a whole number."""
    mantissa, _, exponent = decimal.lower().partition("e")
    digits = len(mantissa.partition(".")[2])
    if not digits and not exponent:
        return 0.0
    return 0.5 * float(f"1e{int(exponent or 0) - digits}")


def _evaluate(text: str) -> float:
    from quizapp.algebra import Names, evaluate, read

    try:
        value = evaluate(read(text, Names(strict=True)), Names(strict=True))
    except QuizappError as error:
        raise NotANumberError(f"{error}; type a number such as 0.84, 2/3 or 2pi/3") from None
    except (ArithmeticError, ValueError, TypeError):
        raise NotANumberError("this has no value; type a number such as 0.84, 2/3 or 2pi/3") from None
    if not isinstance(value, int | float) or not math.isfinite(value):
        raise NotANumberError("this is no real number; type one such as 0.84, 2/3 or 2pi/3")
    return float(value)
