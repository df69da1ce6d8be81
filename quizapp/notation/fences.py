"""Brackets, roots and braces that grow with what they hold."""

from __future__ import annotations

from quizapp.notation.boxes import Box, aligned, beside, blank, stacked, text_box

# Top, middle (None: none of its own), bottom, and what fills the rest.
_PIECES: dict[str, tuple[str, str | None, str, str]] = {
    "(": ("⎛", None, "⎝", "⎜"),
    ")": ("⎞", None, "⎠", "⎟"),
    "[": ("⎡", None, "⎣", "⎢"),
    "]": ("⎤", None, "⎦", "⎥"),
    "{": ("⎧", "⎨", "⎩", "⎪"),
    "}": ("⎫", "⎬", "⎭", "⎪"),
    "⌊": ("⎢", None, "⎣", "⎢"),
    "⌋": ("⎥", None, "⎦", "⎥"),
    "⌈": ("⎡", None, "⎢", "⎢"),
    "⌉": ("⎤", None, "⎥", "⎥"),
    "|": ("│", None, "│", "│"),
    "∣": ("│", None, "│", "│"),
    "‖": ("║", None, "║", "║"),
    "∥": ("║", None, "║", "║"),
    "⟦": ("╔", None, "╚", "║"),
    "⟧": ("╗", None, "╝", "║"),
}


_CURLY = {"⏞": ("╭", "┴", "╮"), "⏟": ("╰", "┬", "╯"), "⎴": ("┌", "─", "┐"), "⎵": ("└", "─", "┘")}


def can_grow(mark: str) -> bool:
    """Whether there are pieces for a tall ``mark``."""
    return mark in _PIECES or mark in "⟨⟩/"


def fence(mark: str, height: int, baseline: int) -> Box:
    """The bracket ``mark``, ``height`` rows tall. "" is no bracket at all."""
    if not mark or height == 1 or not can_grow(mark):
        return Box(
            tuple(mark if row == baseline else " " * len(mark) for row in range(height)), len(mark), baseline
        )
    if mark in "⟨⟩/":
        return _slanted(mark, height, baseline)
    top, middle, bottom, filler = _PIECES[mark]
    if height == 2 and middle is not None:
        return Box(("⎰", "⎱") if mark == "{" else ("⎱", "⎰"), 1, baseline)
    rows = [top, *[filler] * (height - 2), bottom]
    if middle is not None:
        rows[min(max(baseline, 1), height - 2)] = middle
    return Box(tuple(rows), 1, baseline)


def _slanted(mark: str, height: int, baseline: int) -> Box:
    if mark == "/":
        rows = tuple(" " * (height - 1 - row) + "╱" + " " * row for row in range(height))
        return Box(rows, height, baseline)
    half = height // 2
    down = [" " * row + "╲" + " " * (half - 1 - row) for row in range(half)]
    up = [" " * (half - 1 - row) + "╱" + " " * row for row in range(half)]
    middle = (
        [] if height % 2 == 0 else [("⟨" + " " * (half - 1)) if mark == "⟨" else (" " * (half - 1) + "⟩")]
    )
    rows = (*up, *middle, *down) if mark == "⟨" else (*down, *middle, *up)
    return Box(rows, half, baseline)


def rooted(body: Box, index: Box | None, on_foot: bool = False) -> Box:
    """``body`` under a root sign, with ``index`` at its shoulder, or before its foot (``on_foot``)."""
    if any(row[:1] in ("│", "║", "┌") for row in body.rows):
        # Its own upright is not to be read as one with the root's.
        body = beside([blank(1), body])
    sign = Box(("┌", *["│"] * (body.height - 1), "√"), 1, body.baseline + 1)
    line = text_box("─" * body.width)
    root = beside([sign, stacked([line, body], 1)])
    if index is not None:
        # Below the sign's shoulder, or in its own row where the index is small.
        foot = body.height - 1 - body.baseline - (0 if on_foot else 1)
        root = beside([Box(index.rows, index.width, index.height - 1 - foot), root])
    return root.classed("inner")


def curly(mark: str, body: Box) -> Box:
    """``body`` with a brace or bracket over or under it. The tip points away from it."""
    width = max(body.width, 3)
    half = (width + 1) // 2 if body.width < width or (width - 1) % 2 else width // 2
    left, tip, right = _CURLY[mark]
    half = min(max(half, 1), width - 2)
    line = text_box(left + "─" * (half - 1) + tip + "─" * (width - half - 2) + right)
    body = aligned(body, width)
    return stacked([line, body], 1) if mark in "⏞⎴" else stacked([body, line], 0)


def framed(body: Box) -> Box:
    """``body`` in a frame."""
    rows = ("┌" + "─" * (body.width + 2) + "┐", *[f"│ {row} │" for row in body.rows])
    rows = (*rows, "└" + "─" * (body.width + 2) + "┘")
    return Box(rows, body.width + 4, body.baseline + 1, "inner", "inner")
