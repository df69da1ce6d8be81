"""The demo of context extension: trained at one length, wanted at a longer one."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from quizapp.demos import stretch_compare, stretch_models, stretch_pairs, stretch_symptom
from quizapp.demos.model import Control, Value, View

_STEPS = (
    ("what breaks", stretch_pairs.breaking_controls, stretch_pairs.breaking),
    ("one method", stretch_pairs.method_controls, stretch_pairs.method),
    ("side by side", stretch_compare.controls, stretch_compare.view),
    ("real models", stretch_models.controls, stretch_models.view),
    ("the symptom", stretch_symptom.controls, stretch_symptom.view),
)


@dataclass(frozen=True)
class Stretch:
    name: str = "stretch"
    title: str = "Trained at 4k, wanted at 32k"
    steps: tuple[str, ...] = tuple(name for name, _, _ in _STEPS)
    derivation: str | None = "turns-and-incomplete-pairs"

    def controls(self, step: int, values: Mapping[str, Value]) -> tuple[Control, ...]:
        return _STEPS[step][1](values)

    def view(self, step: int, values: Mapping[str, Value]) -> View:
        return _STEPS[step][2](values)


demo = Stretch()
