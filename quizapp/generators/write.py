"""Numbers as they stand in prompts and solutions: LaTeX, rounded the same way everywhere."""

from __future__ import annotations

from collections.abc import Sequence


def decimal(value: float, places: int = 4) -> str:
    """Fixed places; minus zero is zero."""
    text = f"{value:.{places}f}"
    return text.removeprefix("-") if float(text) == 0 else text


def short(value: float, digits: int = 5) -> str:
    """Significant digits, with a power of ten in LaTeX where the number is large or small."""
    if value == 0:
        return "0"
    if 1e-3 <= abs(value) < 1e7:
        text = f"{value:.{digits}g}"
        return text if "e" not in text else f"{value:.0f}"
    mantissa, exponent = f"{value:.{digits - 1}e}".split("e")
    return rf"{mantissa.rstrip('0').rstrip('.')} \times 10^{{{int(exponent)}}}"


def vector(values: Sequence[float], places: int | None = None) -> str:
    """A row in parentheses."""
    return "(" + ", ".join(str(value) if places is None else decimal(value, places) for value in values) + ")"


def signed(value: int) -> str:
    """A number in parentheses where its minus sign would follow an operator."""
    return f"({value})" if value < 0 else str(value)
