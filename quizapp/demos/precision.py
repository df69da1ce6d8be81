"""The demo of short floats: what they make of positions, of angles, of scores and of T5's buckets."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from quizapp.demos import precision_angles, precision_positions, precision_scores
from quizapp.demos.model import Control, Value, View

_STEPS = (
    ("positions", precision_positions.position_controls, precision_positions.positions),
    ("angles", precision_angles.curve_controls, precision_angles.curves),
    ("each pair", precision_angles.pair_controls, precision_angles.pairs),
    ("one offset", precision_scores.controls, precision_scores.view),
    ("T5 buckets", precision_positions.bucket_controls, precision_positions.buckets),
)


@dataclass(frozen=True)
class Precision:
    name: str = "precision"
    title: str = "Positions and angles in short floats"
    steps: tuple[str, ...] = tuple(name for name, _, _ in _STEPS)
    derivation: str | None = "uniform-shift-score"

    def controls(self, step: int, values: Mapping[str, Value]) -> tuple[Control, ...]:  # noqa: ARG002
        return _STEPS[step][1]()

    def view(self, step: int, values: Mapping[str, Value]) -> View:
        return _STEPS[step][2](values)


demo = Precision()
