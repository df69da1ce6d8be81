"""What could not be kept, counted: equal things are said once."""

from __future__ import annotations

from collections.abc import Iterable

from quizapp.exchange.model import Loss
from quizapp.text import one_line


class Losses:
    """Collects losses while a file is read or written."""

    def __init__(self, found: Iterable[Loss] = ()) -> None:
        self._counts: dict[str, int] = {}
        self._where: dict[str, str] = {}
        for loss in found:
            self.add(loss.what, loss.where, loss.count)

    def add(self, what: str, where: str = "", count: int = 1) -> None:
        """``where``: the first place is what a report names."""
        self._counts[what] = self._counts.get(what, 0) + count
        if where:
            self._where.setdefault(what, where)

    def grouped(self) -> tuple[Loss, ...]:
        return tuple(
            Loss(one_line(what), one_line(self._where.get(what, "")), count)
            for what, count in self._counts.items()
        )
