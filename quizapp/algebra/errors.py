"""What the reader says when it cannot read a line."""

from __future__ import annotations

from quizapp.errors import QuizappError


class Unreadable(QuizappError):  # noqa: N818
    """A line that cannot be read; ``at`` is the 1-based column of the offending character."""

    def __init__(self, message: str, at: int) -> None:
        super().__init__(message)
        self.message = message
        self.at = at

    def __str__(self) -> str:
        return f"column {self.at}: {self.message}"


class Undefined(Exception):  # noqa: N818
    """A value that does not exist at a point (a root of a negative number, a division by zero)."""


class Uncertain(Exception):  # noqa: N818
    """A value that the precision at hand cannot settle (too large, too near to a jump or an edge)."""
