"""The demo of the learned table: its last row, and rows that know nothing of their neighbours."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from quizapp.demos import learned_end, learned_likeness
from quizapp.demos.model import Control, Value, View


@dataclass(frozen=True)
class Learned:
    name: str = "learned"
    title: str = "A learned table ends, and its rows are strangers"
    steps: tuple[str, ...] = ("last row", "neighbours", "all cosines")
    derivation: str | None = None

    def controls(self, step: int, values: Mapping[str, Value]) -> tuple[Control, ...]:
        if step == 0:
            return learned_end.controls(values)
        return learned_likeness.controls() if step == 1 else learned_likeness.square_controls(values)

    def view(self, step: int, values: Mapping[str, Value]) -> View:
        return (learned_end.view, learned_likeness.neighbours, learned_likeness.square)[step](values)


demo = Learned()
