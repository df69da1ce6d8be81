"""The demo of RoPE: the dial of one pair, all pairs of a head, the two memory layouts, and why every layer rotates."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from quizapp.demos import rope_dial, rope_layers, rope_layouts, rope_pairs
from quizapp.demos.model import Control, Value, View


@dataclass(frozen=True)
class Rope:
    name: str = "rope"
    title: str = "RoPE: a score that sees only the offset"
    steps: tuple[str, ...] = ("dial", "all pairs", "layouts", "every layer")
    derivation: str | None = "relative-score"

    def controls(self, step: int, values: Mapping[str, Value]) -> tuple[Control, ...]:  # noqa: ARG002
        match step:
            case 0:
                return rope_dial.controls()
            case 1:
                return rope_pairs.controls()
            case 2:
                return rope_layouts.controls()
        return rope_layers.controls()

    def view(self, step: int, values: Mapping[str, Value]) -> View:
        match step:
            case 0:
                return rope_dial.view(values)
            case 1:
                return rope_pairs.view(values)
            case 2:
                return rope_layouts.view(values)
        return rope_layers.view(str(values["sentence"]), int(values["all_on"]))


demo = Rope()
