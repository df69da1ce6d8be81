"""The demo of RoPE: the dial of one pair, all pairs of a head, and the two memory layouts."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from quizapp.demos import rope_dial, rope_layouts, rope_pairs
from quizapp.demos.model import Control, Value, View


@dataclass(frozen=True)
class Rope:
    name: str = "rope"
    title: str = "RoPE: a score that sees only the offset"
    steps: tuple[str, ...] = ("dial", "all pairs", "layouts")
    derivation: str | None = "relative-score"

    def controls(self, step: int, values: Mapping[str, Value]) -> tuple[Control, ...]:  # noqa: ARG002
        match step:
            case 0:
                return rope_dial.controls()
            case 1:
                return rope_pairs.controls()
        return rope_layouts.controls()

    def view(self, step: int, values: Mapping[str, Value]) -> View:
        match step:
            case 0:
                return rope_dial.view(values)
            case 1:
                return rope_pairs.view(values)
        return rope_layouts.view(values)


demo = Rope()
