"""The offset demo: against reference indices, buckets and slopes, and true sentences for every choice."""

from __future__ import annotations

import itertools
import json
import math
from pathlib import Path
from typing import Any

import pytest

from quizapp.demos import model
from quizapp.demos.model import Bars, Curves, Matrix, State
from quizapp.demos.offsets import demo

GOLDEN = Path(__file__).parents[1] / "golden"
SENTENCES = ("the cat sat on the mat", "one", "a b", "猫 が 座 る", "🐶 🍎 👩‍🚀", "a b c d e f g h i j k l")


def golden(name: str) -> Any:
    return json.loads((GOLDEN / f"{name}.json").read_text())


def shown(step: int, **values: model.Value) -> model.View:
    state = State(step)
    for name, value in values.items():
        state = model.put(demo, state, name, value)
    return model.view(demo, state)


def cells(view: model.View) -> tuple[tuple[str, ...], ...]:
    picture = view.pictures[0]
    assert isinstance(picture, Matrix)
    return picture.cells


def reading(view: model.View, label: str) -> float:
    return next(entry.value for entry in view.readings if entry.label == label)


def sentence(count: int) -> str:
    return " ".join(f"w{place}" for place in range(count))


def test_offsets_are_key_minus_query() -> None:
    for i, row in enumerate(cells(shown(0, sentence=sentence(9)))):
        assert [int(text) for text in row] == [j - i for j in range(9)]
    view = shown(0, sentence=sentence(9), query=7, key=2)
    assert reading(view, "offset n - m") == -5
    assert "offset -5" in " ".join(view.words)


def test_shaw_reads_the_rows_of_the_reference() -> None:
    for key, table in golden("shaw_indices")["square"].items():
        count, clip = map(int, key.split(","))
        if count > 12 or clip > 12:
            continue
        found = cells(shown(1, sentence=sentence(count), clip=clip))
        assert [[int(text.rstrip("*")) for text in row] for row in found] == table
        for i, j in itertools.product(range(count), range(count)):
            assert found[i][j].endswith("*") == (abs(j - i) > clip)
    assert reading(shown(1, clip=3), "rows of the table") == golden("shaw_indices")["row_counts"]["3"]
    assert cells(shown(1, clip=2, cells="clipped offset"))[0] == ("0", "+1", "+2", "≥+2", "≥+2", "≥+2")


@pytest.mark.parametrize(("direction", "mode"), [("both ways", "bidirectional"), ("causal", "causal")])
def test_t5_buckets_are_those_of_the_reference(direction: str, mode: str) -> None:
    known = golden("t5_buckets")
    compared = 0
    for name, table in _t5_tables(known, mode):
        buckets, furthest = name
        if str(buckets) not in ("32", "16", "8"):
            continue
        view = shown(2, sentence=sentence(12), direction=direction, buckets=str(buckets), furthest=furthest)
        for i, row in enumerate(cells(view)):
            for j, text in enumerate(row):
                if text == "·":
                    assert (direction, j > i) == ("causal", True)
                else:
                    assert int(text.rstrip("*")) == table[j - i]
                    # Starred where the neighbouring distance falls into the same bucket.
                    step = 1 if j > i else -1
                    shared = table[j - i] in (
                        table[j - i + step],
                        table.get(j - i - step) if i != j else None,
                    )
                    assert text.endswith("*") == shared
                compared += 1
        for distance in (1, 30, 91, 112, 113, 200):
            far = shown(3, direction=direction, buckets=str(buckets), furthest=furthest, distance=distance)
            assert reading(far, "bucket, key before") == table[-distance]
            if direction == "both ways":
                assert reading(far, "bucket, key after") == table[distance]
    assert compared >= 144


def _t5_tables(known: Any, mode: str) -> list[tuple[tuple[int, int], dict[int, int]]]:
    found = []
    for name, buckets in known["tables"].items():
        sizes, distance, direction = name.removeprefix("buckets").split("_")
        if direction == mode:
            table = dict(zip(range(-200, 201), buckets, strict=True))
            found.append(((int(sizes), int(distance.removeprefix("dist"))), table))
    return found


def test_the_last_bucket_starts_before_the_largest_distance() -> None:
    assert reading(shown(2), "last bucket from") == 91
    assert reading(shown(2, direction="causal"), "last bucket from") == 113
    assert "from 91 on all keys of a side share" in shown(3, distance=91).see
    assert "from 113 on all keys share the last" in shown(3, direction="causal", distance=113).see
    assert "roughly" in shown(3, direction="causal", distance=112).see
    assert "own; sharing starts at 8" in shown(3, distance=7).see
    # ⌊8 + 8 ln(15/8)/ln(20/8)⌋ is 13, and neither 14 nor 16 gives that; 9 and 10 share.
    assert "own; sharing started at 9" in shown(3, furthest=20, distance=15).see
    assert "roughly" in shown(3, distance=90).see
    picture = shown(3).pictures[0]
    assert isinstance(picture, Curves)
    assert picture.curves[0].y[90] == picture.curves[0].y[-1] == 15
    assert picture.curves[0].y[89] == 14


def test_alibi_slopes_biases_and_weights() -> None:
    for heads, known in golden("alibi_slopes")["slopes"].items():
        for head in (0, int(heads) - 1):
            slope = known[head]
            chosen: dict[str, model.Value] = {"heads": int(heads), "head": head, "sentence": sentence(5)}
            view = shown(4, **chosen, query=4, key=1)
            assert reading(view, "slope") == pytest.approx(slope, rel=1e-6)
            assert reading(view, "bias of the pair") == pytest.approx(-3 * slope, rel=1e-6)
            view = shown(5, **chosen, query=4, key=1)
            total = math.fsum(math.exp(-slope * step) for step in range(5))
            assert reading(view, "weight of the key") == pytest.approx(math.exp(-3 * slope) / total, rel=1e-6)
            bars = view.pictures[0]
            assert isinstance(bars, Bars)
            for near, far in itertools.pairwise(reversed(bars.bars)):
                assert far.value / near.value == pytest.approx(math.exp(-slope), rel=1e-6)
    assert cells(shown(4))[0] == ("0", *["·"] * 5)
    assert cells(shown(4))[2][:3] == ("-1", "-0.5", "0")
    assert math.isinf(reading(shown(4, query=1, key=3), "bias of the pair"))


def test_every_diagonal_is_constant() -> None:
    for step, words in itertools.product((0, 1, 2, 4), SENTENCES):
        view = shown(step, sentence=words)
        found = cells(view)
        size = len(found)
        for i, j in itertools.product(range(size - 1), range(size - 1)):
            assert found[i][j] == found[i + 1][j + 1]
        assert reading(view, "constant diagonals") == 2 * size - 1


def test_every_control_changes_the_view() -> None:
    other: dict[str, model.Value] = {
        "sentence": "dogs bark at night", "query": 4, "key": 3, "clip": 1, "cells": "clipped offset",
        "direction": "causal", "buckets": "8", "furthest": 200, "distance": 5, "heads": 12, "head": 3,
    }  # fmt: skip
    for step in range(len(demo.steps)):
        before = shown(step)
        for control in demo.controls(step, model.settle(demo, State(step))):
            assert shown(step, **{control.name: other[control.name]}) != before, (step, control.name)


@pytest.mark.parametrize("words", SENTENCES)
def test_no_extreme_fails_or_says_what_is_false(words: str) -> None:
    last = len(words.split()) - 1
    for query, key in {(0, 0), (last, 0), (0, last), (last, last)}:
        assert shown(0, sentence=words, query=query, key=key).see
        for clip in (0, 1, 12):
            view = shown(1, sentence=words, query=query, key=key, clip=clip)
            clipped = reading(view, "pairs clipped")
            assert ("nothing is clipped" in view.see) == (clipped == 0)
            shown(1, sentence=words, query=query, key=key, clip=clip, cells="clipped offset")
        for direction, buckets, furthest in itertools.product(
            ("both ways", "causal"), ("8", "32"), (20, 128, 512)
        ):
            sizes: dict[str, model.Value] = {"direction": direction, "buckets": buckets, "furthest": furthest}
            view = shown(2, sentence=words, query=query, key=key, **sizes)
            starred = any("*" in text for row in cells(view) for text in row)
            assert ("shared buckets" in view.see) == starred
        for heads, head in ((1, 0), (64, 0), (64, 63), (12, 11)):
            assert shown(4, sentence=words, query=query, key=key, heads=heads, head=head).see
            view = shown(5, sentence=words, query=query, key=key, heads=heads, head=head)
            assert math.isfinite(reading(view, "weight of the key"))


def test_far_distances_are_told_truly() -> None:
    for direction, buckets, furthest in itertools.product(
        ("both ways", "causal"), ("8", "16", "32"), (20, 64, 512)
    ):
        sizes: dict[str, model.Value] = {"direction": direction, "buckets": buckets, "furthest": furthest}
        known = [
            reading(shown(3, distance=distance, **sizes), "bucket, key before") for distance in range(60)
        ]
        for distance in range(1, 59):
            see = shown(3, distance=distance, **sizes).see
            alone = known[distance] not in (known[distance - 1], known[distance + 1])
            assert ("of its own" in see) == alone, (sizes, distance)
