"""The demo of the causal mask: what each query sees, and how a head without positions leaks where it stands."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from quizapp.demos import causal_counter, causal_mask, causal_spread
from quizapp.demos.model import Control, Value, View


@dataclass(frozen=True)
class Causal:
    name: str = "causal"
    title: str = "A causal mask leaks positions"
    steps: tuple[str, ...] = ("what it sees", "uniform head", "spread", "from one row", "counter-examples")
    derivation: str | None = "causal-mean-variance"

    def controls(self, step: int, values: Mapping[str, Value]) -> tuple[Control, ...]:
        if step < 2:
            return causal_mask.controls(values)
        if step == 4:
            return causal_counter.controls(values)
        return causal_spread.controls() if step == 2 else causal_spread.row_controls()

    def view(self, step: int, values: Mapping[str, Value]) -> View:
        return (
            causal_mask.seen,
            causal_mask.uniform,
            causal_spread.view,
            causal_spread.one_row,
            causal_counter.view,
        )[step](values)


demo = Causal()
