"""Widths in terminal cells."""

from __future__ import annotations


def cells(text: str) -> int:
    """The number of terminal cells that ``text`` takes: 2 for wide characters, 0 for combining ones."""
    if text.isascii():
        return len(text)
    from rich.cells import cell_len

    return cell_len(text)
