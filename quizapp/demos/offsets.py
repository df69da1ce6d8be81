"""The demo of relative schemes: one matrix of offsets, and what Shaw, T5 and ALiBi make of it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from quizapp.demos import offsets_alibi, offsets_shaw, offsets_t5
from quizapp.demos.model import Control, Value, View
from quizapp.demos.offsets_grid import edge_controls, plain


@dataclass(frozen=True)
class Offsets:
    name: str = "offsets"
    title: str = "Offsets: every diagonal is constant"
    steps: tuple[str, ...] = ("offsets", "Shaw", "T5", "T5 far", "ALiBi", "weights")
    derivation: str | None = "shaw-offsets"

    def controls(self, step: int, values: Mapping[str, Value]) -> tuple[Control, ...]:
        edges = edge_controls(values)
        choices: tuple[tuple[Control, ...], ...] = (
            edges,
            (*edges, *offsets_shaw.controls()),
            (*edges, *offsets_t5.controls()),
            (*offsets_t5.controls(), offsets_t5.offset_control()),
            (*edges, *offsets_alibi.controls(values)),
            (*edges, *offsets_alibi.controls(values)),
        )
        return choices[step]

    def view(self, step: int, values: Mapping[str, Value]) -> View:
        return (
            plain,
            offsets_shaw.view,
            offsets_t5.view,
            offsets_t5.far,
            offsets_alibi.view,
            offsets_alibi.weights,
        )[step](values)


demo = Offsets()
