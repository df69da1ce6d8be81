"""Numbers and words as the demos write them."""

from __future__ import annotations

from collections.abc import Iterable

from quizapp.notation.width import cells

# Differences below this are rounding: everything in the demos is of the order of 1 and computed in float64.
ROUNDING = 1e-9


def fixed(value: float, places: int = 4) -> str:
    """So many decimal places; a value that rounds to zero has no sign."""
    text = f"{value:.{places}f}"
    return text.removeprefix("-") if not text.strip("-0.") else text


def significant(value: float, digits: int = 4) -> str:
    """So many significant digits; a large value is written out, without a power of ten."""
    return f"{value:,.0f}" if abs(value) >= 10**digits else f"{value:.{digits}g}"


def small(value: float) -> str:
    """A difference: 0 where it is exactly 0, in powers of ten where it is tiny, else in digits."""
    if value == 0:
        return "0"
    if abs(value) < 1e-4:
        return f"{value:.1e}"
    return fixed(value, 4 if abs(value) < 10 else 2)


def comparison(difference: float) -> str:
    """How alike two things are whose largest difference this is: ``equal to the bit``, and so on."""
    if difference == 0:
        return "equal to the bit"
    if difference < ROUNDING:
        return f"equal up to rounding, {small(difference)}"
    return f"different by {small(difference)}"


def shortened(text: str, width: int) -> str:
    """The text in at most ``width`` terminal cells, with an ellipsis where it was cut."""
    if cells(text) <= width:
        return text
    kept = ""
    for character in text:
        if cells(kept + character) > width - 1:
            break
        kept += character
    return kept.rstrip() + "…"


def quoted(text: str, width: int = 32) -> str:
    return f'"{shortened(text, width)}"'


def listed(words: Iterable[str]) -> str:
    """``a, b and c``."""
    parts = list(words)
    return " and ".join([", ".join(parts[:-1]), parts[-1]]) if len(parts) > 1 else "".join(parts)


def counted(number: int, one: str, many: str | None = None) -> str:
    """``1 key``, ``2 keys``."""
    return f"{number:,} {one if number == 1 else many or one + 's'}"


def ordinal(number: int) -> str:
    """``1st``, ``2nd``, ``11th``."""
    ending = "th" if number % 100 in (11, 12, 13) else {1: "st", 2: "nd", 3: "rd"}.get(number % 10, "th")
    return f"{number}{ending}"
