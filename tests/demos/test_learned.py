"""The learned-table demo: sizes against published ones, cosines against plain loops, and true sentences."""

from __future__ import annotations

import itertools
import json
import math
from pathlib import Path

import pytest

from quizapp.demos import learned_end, model
from quizapp.demos.learned import demo
from quizapp.demos.model import Curves, HeatMap, State
from quizapp.encodings.learned import initial_rows

GOLDEN = Path(__file__).parents[1] / "golden"


def shown(step: int, **values: model.Value) -> model.View:
    state = State(step)
    for name, value in values.items():
        state = model.put(demo, state, name, value)
    return model.view(demo, state)


def reading(view: model.View, label: str) -> float:
    return next(entry.value for entry in view.readings if entry.label == label)


def test_tables_have_their_published_size() -> None:
    golden = json.loads((GOLDEN / "positions.json").read_text())["learned_tables"]
    for name, known in (
        ("BERT base", golden["bert_base"]), ("GPT-2 small", golden["gpt2_small"]),
        ("RoBERTa base", golden["roberta_base"]), ("GPT-3 175B", golden["gpt3_175b"]),
    ):  # fmt: skip
        view = shown(0, model=name)
        assert (reading(view, "rows"), reading(view, "numbers to train")) == (known["rows"], known["params"])
    assert reading(shown(0, model="RoBERTa base"), "first missing position") == 512


@pytest.mark.parametrize(
    ("name", "last"), [("BERT base", 511), ("RoBERTa base", 511), ("GPT-2 small", 1023), ("GPT-3 175B", 2047)]
)
def test_the_row_after_the_last_is_missing(name: str, last: int) -> None:
    after, at, before = (shown(0, model=name, position=last + step) for step in (1, 0, -1))
    assert f"Position {last + 1} has no row" in after.see
    assert f"{last} is the last row" in at.see
    assert f"1 row on, the table ends at {last}" in before.see
    assert reading(after, "tokens without a row") == 1
    table, waves = after.pictures
    assert isinstance(table, HeatMap)
    assert isinstance(waves, HeatMap)
    for label, row, wave in zip(table.row_labels, table.values, waves.values, strict=True):
        assert all(map(math.isnan, row)) if int(label) > last else all(map(math.isfinite, row))
        # The sinusoid goes on: its first pair turns by 1 radian a position.
        assert wave[0] == pytest.approx(math.sin(int(label)), abs=1e-9)
        assert wave[1] == pytest.approx(math.cos(int(label)), abs=1e-9)
    assert "does not exist" in " ".join(after.words)


def test_the_default_is_the_first_missing_position_of_each_model() -> None:
    for name, table in learned_end.TABLES.items():
        state = State(0, {"model": name})
        assert model.settle(demo, state)["position"] == table.first_missing


def test_far_beyond_the_table() -> None:
    view = shown(0, position=16000)
    assert reading(view, "tokens without a row") == 16001 - 512
    assert shown(0, position=0).pictures[0].title == "BERT base, before training"


def test_cosines_equal_plain_sums() -> None:
    picture = shown(1, row=20, dim="16", seed=3).pictures[0]
    assert isinstance(picture, Curves)
    learned, waves = picture.curves
    rows = initial_rows(range(128), 16, 3).tolist()
    for step, value, wave in zip(learned.x, learned.y, waves.y, strict=True):
        other = rows[20 + int(step)]
        exact = (
            math.fsum(a * b for a, b in zip(rows[20], other, strict=True))
            / math.hypot(*rows[20])
            / math.hypot(*other)
        )
        assert value == pytest.approx(exact, abs=1e-12)
        ripple = math.fsum(math.cos(step * 10000 ** (-2 * pair / 16)) for pair in range(8)) / 8
        assert wave == pytest.approx(ripple, abs=1e-12)
    assert min(learned.x) == -20


@pytest.mark.parametrize("dim", [16, 64, 256, 768])
def test_neighbours_are_no_closer_than_strangers(dim: int) -> None:
    for seed in (0, 7, 99):
        view = shown(1, dim=str(dim), seed=seed)
        near, far = reading(view, "rms cos, neighbours"), reading(view, "rms cos, strangers")
        assert near == pytest.approx(1 / math.sqrt(dim), rel=0.25)
        assert far == pytest.approx(1 / math.sqrt(dim), rel=0.1)
        assert reading(view, "sinusoid, near") > 0.9 > 0.6 > reading(view, "sinusoid, far")


def test_every_control_changes_the_view_and_no_extreme_fails() -> None:
    other: dict[str, model.Value] = {"model": "GPT-2 small", "position": 3, "row": 9, "dim": "16", "seed": 4,
        "table": "sinusoid", "apart": 7,
    }  # fmt: skip
    for step in range(len(demo.steps)):
        before = shown(step)
        for control in demo.controls(step, model.settle(demo, State(step))):
            assert shown(step, **{control.name: other[control.name]}) != before, (step, control.name)
    assert [control.name for control in demo.controls(2, {"table": "sinusoid"})] == [
        "table",
        "row",
        "apart",
        "dim",
    ]
    for name, position in itertools.product(learned_end.TABLES, (0, 1, 511, 512, 2048, 16000)):
        view = shown(0, model=name, position=position)
        exists = position < learned_end.TABLES[name].first_missing
        assert ("has no row" in view.see) != exists
        assert ("without a row: none" in " ".join(view.words)) == (
            position + 2 < learned_end.TABLES[name].first_missing
        )
    for step, row, dim, apart in itertools.product((1, 2), (0, 1, 104, 127), ("16", "768"), (1, 11)):
        for table in ("learned, untrained", "sinusoid"):
            view = shown(step, row=row, dim=dim, apart=apart, table=table)
            assert all(math.isfinite(entry.value) for entry in view.readings)


def test_the_square_of_cosines() -> None:
    waves = shown(2, table="sinusoid", row=10, apart=3, dim="64").pictures[0]
    assert isinstance(waves, HeatMap)
    assert waves.row_labels == tuple(str(place) for place in range(10, 46, 3))
    for i, j in itertools.product(range(12), range(12)):
        ripple = math.fsum(math.cos(3 * (i - j) * 10000 ** (-pair / 32)) for pair in range(32)) / 32
        assert waves.values[i][j] == pytest.approx(ripple, abs=1e-12)
    for dim, most in (("16", 1.0), ("64", 0.6), ("768", 0.2)):
        view = shown(2, dim=dim)
        assert reading(view, "largest off diagonal") < most
        picture = view.pictures[0]
        assert isinstance(picture, HeatMap)
        assert all(picture.values[place][place] == pytest.approx(1) for place in range(12))
