"""The causal demo: its triangle and weights by hand, its simulation against reference figures."""

from __future__ import annotations

import itertools
import json
import math
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from quizapp.demos import causal_counter, model
from quizapp.demos.causal import demo
from quizapp.demos.model import Curves, Matrix, State
from quizapp.encodings.uniform_head import drawn_values

GOLDEN = Path(__file__).parents[1] / "golden"
SENTENCES = ("the cat sat on the mat", "one", "no no", "猫 が 座 る", "🐶 🍎 👩‍🚀", "a b c d e f g h i j k l")


def known(name: str) -> Any:
    return json.loads((GOLDEN / "derived_checks.json").read_text())[name]


def shown(step: int, **values: model.Value) -> model.View:
    state = State(step)
    for name, value in values.items():
        state = model.put(demo, state, name, value)
    return model.view(demo, state)


def reading(view: model.View, label: str) -> float:
    return next(entry.value for entry in view.readings if entry.label == label)


def curves(view: model.View) -> Curves:
    picture = view.pictures[0]
    assert isinstance(picture, Curves)
    return picture


def cells(view: model.View) -> tuple[tuple[str, ...], ...]:
    picture = view.pictures[0]
    assert isinstance(picture, Matrix)
    return picture.cells


@pytest.mark.parametrize("words", SENTENCES)
def test_a_query_sees_itself_and_what_came_before(words: str) -> None:
    size = len(words.split())
    for i, row in enumerate(cells(shown(0, sentence=words))):
        assert row == ("●",) * (i + 1) + ("·",) * (size - 1 - i) + (str(i + 1),)
    for row in cells(shown(0, sentence=words, mask="none")):
        assert row == ("●",) * size + (str(size),)
    view = shown(0, sentence=words, query=size - 1)
    assert reading(view, "keys seen") == size
    assert reading(view, "pairs seen") == size * (size + 1) // 2
    for i, row in enumerate(cells(shown(1, sentence=words))):
        assert [Fraction(text) for text in row[: i + 1]] == [Fraction(1, i + 1)] * (i + 1)
        assert set(row[i + 1 :]) <= {"·"}


def test_the_spread_of_a_mean_of_few() -> None:
    for query in range(6):
        view = shown(1, query=query)
        assert reading(view, "spread") == pytest.approx(1 / math.sqrt(query + 1), rel=1e-12)
        assert reading(shown(1, query=query, mask="none"), "spread") == pytest.approx(6**-0.5)


def test_the_simulation_follows_the_law_and_the_reference() -> None:
    reference = known("nope_uniform_mean_std")
    for texts, apart in (("100", 0.35), ("400", 0.18), ("1600", 0.09)):
        for seed in (0, 13, 99):
            measured, law, here = curves(shown(2, texts=texts, seed=seed)).curves
            assert (list(here.x), list(here.y)) == ([16], [measured.y[15]])
            for count, std, exact in zip(
                reference["i+1"], reference["measured_std"], reference["1/sqrt(i+1)"], strict=True
            ):
                if count <= 256:
                    assert law.y[count - 1] == pytest.approx(exact, rel=1e-12)
                    assert measured.y[count - 1] == pytest.approx(std, rel=apart)
    flat = curves(shown(2, mask="none")).curves[0]
    assert len(set(flat.y)) == 1
    assert flat.y[0] == pytest.approx(1 / 16, rel=0.15)


def test_the_simulation_is_a_plain_mean_of_what_was_drawn() -> None:
    drawn = drawn_values(100, 256, 5)[:, :, 0].tolist()
    for place in (0, 7, 255):
        means = [math.fsum(text[: place + 1]) / (place + 1) for text in drawn]
        exact = math.sqrt(math.fsum(mean * mean for mean in means) / 100)
        view = shown(2, texts="100", seed=5, place=place)
        assert reading(view, f"measured at {place}") == pytest.approx(exact, rel=1e-12)


def test_one_row_tells_the_count_only_roughly() -> None:
    reference = known("nope_position_estimate_from_norm_d64")
    for count, low, middle, high in zip(
        reference["i+1"], reference["p10"], reference["median_estimate"], reference["p90"], strict=True
    ):
        view = shown(3, count=str(count))
        assert reading(view, "10 % of rows below") == pytest.approx(low, rel=0.1)
        assert reading(view, "median") == pytest.approx(middle, rel=0.1)
        assert reading(view, "10 % of rows above") == pytest.approx(high, rel=0.1)
    for dim in ("16", "256"):
        view = shown(3, dim=dim)
        assert (
            reading(view, "10 % of rows below")
            < reading(view, "median")
            < reading(view, "10 % of rows above")
        )


def test_each_counter_example_does_what_is_said_of_it() -> None:
    for seed in (0, 50, 99):
        found = {case: curves(shown(4, case=case, seed=seed)).curves[0].y for case in causal_counter.CASES}
        law = [1 / math.sqrt(count) for count in range(1, 65)]
        assert found["independent"] == pytest.approx(law, rel=0.2)
        assert max(found["identical tokens"]) - min(found["identical tokens"]) < 1e-12
        assert found["tokens alike"][-1] == pytest.approx(math.sqrt(0.3 + 0.7 / 64), rel=0.15)
        assert found["LayerNorm"] == pytest.approx([1.0] * 64, rel=1e-3)
        # What the mean changes: nothing for the first token, then less and less.
        assert found["residual"][0] < 1e-4
        for place in (15, 31, 63):
            assert found["residual"][place] == pytest.approx(law[place], rel=0.25)
        assert found["start token"] == pytest.approx([1 / count for count in range(1, 65)], rel=1e-12)
    assert found["start token"][:6] == pytest.approx(known("nope_bos_counter"))


def test_every_control_changes_the_view() -> None:
    other: dict[str, model.Value] = {
        "sentence": "dogs bark at night", "query": 4, "mask": "none", "place": 100, "texts": "100",
        "seed": 8, "count": "256", "dim": "16", "case": "LayerNorm", "at": 3,
    }  # fmt: skip
    for step in range(len(demo.steps)):
        before = shown(step)
        for control in demo.controls(step, model.settle(demo, State(step))):
            assert shown(step, **{control.name: other[control.name]}) != before, (step, control.name)


def test_no_extreme_fails_or_says_what_is_false() -> None:
    for words, mask, query in itertools.product(SENTENCES, ("causal", "none"), (0, 11)):
        for step in (0, 1):
            view = shown(step, sentence=words, mask=mask, query=query)
            assert ("every" in view.see) == (mask == "none" and len(words.split()) > 1)
    for texts, mask, place in itertools.product(("100", "1600"), ("causal", "none"), (0, 255)):
        view = shown(2, texts=texts, mask=mask, place=place)
        assert ("nothing leaks" in view.see) == (mask == "none")
    for count, dim in itertools.product(("1", "1024"), ("16", "256")):
        assert f"{count} key" in shown(3, count=count, dim=dim).see
    for case, at in itertools.product(causal_counter.CASES, (0, 63)):
        assert all(math.isfinite(entry.value) for entry in shown(4, case=case, at=at).readings)
    assert [control.name for control in demo.controls(4, {"case": "start token"})] == ["case", "at"]
