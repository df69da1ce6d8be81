"""Long work in a thread that a screen watches and can stop. The thread never touches a widget."""

from __future__ import annotations

from quizapp.exchange.model import Cancelled

_CELLS = 24


class Watched:
    """The progress of one piece of work: set by its thread, read by the screen."""

    def __init__(self, what: str) -> None:
        self._what = what
        self._done = 0
        self._total = 0
        self.stopping = False

    def __call__(self, done: int, total: int) -> None:
        """Say how far the work is. Raises Cancelled once it is to stop."""
        self._done, self._total = done, total
        if self.stopping:
            raise Cancelled

    def stop(self) -> None:
        """Let the work end at its next step, with nothing left behind."""
        self.stopping = True

    def said(self) -> str:
        """How far the work is, with a bar and its numbers."""
        if self.stopping:
            return "Stopping…"
        if not self._total:
            return f"{self._what}…"
        full = _CELLS * min(self._done, self._total) // self._total
        bar = "▓" * full + "░" * (_CELLS - full)
        return f"{self._what}  {bar}  {self._done:,}/{self._total:,}"
