"""Numbers with their word."""

from __future__ import annotations


def counted(number: int, word: str) -> str:
    """``1 card``, ``2 cards``."""
    return f"{number} {word}{'' if number == 1 else 's'}"
