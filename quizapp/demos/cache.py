"""The demo of the cache of keys: positions that drift while nothing crashes, and the test that tells."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from quizapp.demos import cache_decoding, cache_offsets, cache_padding
from quizapp.demos.model import Control, Value, View


@dataclass(frozen=True)
class Cache:
    name: str = "cache"
    title: str = "A KV cache, and positions that drift"
    steps: tuple[str, ...] = ("offsets seen", "decoding", "the test", "left padding", "moving base")
    derivation: str | None = "uniform-shift-score"

    def controls(self, step: int, values: Mapping[str, Value]) -> tuple[Control, ...]:
        match step:
            case 0:
                return cache_offsets.controls(values)
            case 3:
                return cache_padding.controls()
            case 4:
                return cache_padding.base_controls()
        return cache_decoding.controls()

    def view(self, step: int, values: Mapping[str, Value]) -> View:
        return (
            cache_offsets.view,
            cache_decoding.view,
            cache_decoding.the_test,
            cache_padding.view,
            cache_padding.moving_base,
        )[step](values)


demo = Cache()
