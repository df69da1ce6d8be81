"""Why a formula is shown as its source."""

from __future__ import annotations


class UnreadableFormula(Exception):  # noqa: N818 - a state of the formula, not a fault of the program
    """The LaTeX says something that cannot be drawn with certainty; the fronts never see this."""


class StrayAlignment(UnreadableFormula):
    """An alignment mark outside every table."""
