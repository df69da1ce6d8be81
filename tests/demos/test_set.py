"""The set demo: its rows against a stack of plain Python loops, its sentences for every choice."""

from __future__ import annotations

import itertools
import json
import math
from pathlib import Path

import numpy as np
import pytest

from quizapp.demos import model, set_rows, set_runs
from quizapp.demos.model import Bars, HeatMap, Matrix, State
from quizapp.demos.set import demo
from quizapp.encodings.stack import Layer, Stack
from quizapp.encodings.words import word_vectors

GOLDEN = Path(__file__).parents[1] / "golden"
SENTENCES = (
    "dog bites man",
    "yes",
    "no no",
    "the dog bites the man",
    "猫 咬 人",
    "🐶 🍎 👩‍🚀 ñandú",
    "a b c d e f g h i j k l",
)


def shown(step: int, **values: model.Value) -> model.View:
    state = State(step)
    for name, value in values.items():
        state = model.put(demo, state, name, value)
    return model.view(demo, state)


def reading(view: model.View, label: str) -> float:
    return next(entry.value for entry in view.readings if entry.label == label)


Rows = list[list[float]]


def times(rows: Rows, matrix: Rows) -> Rows:
    return [
        [math.fsum(a * line[j] for a, line in zip(row, matrix, strict=True)) for j in range(len(matrix[0]))]
        for row in rows
    ]


def normed(rows: Rows) -> Rows:
    found = []
    for row in rows:
        mean = math.fsum(row) / len(row)
        deviation = math.sqrt(math.fsum((x - mean) ** 2 for x in row) / len(row) + 1e-5)
        found.append([(x - mean) / deviation for x in row])
    return found


def plain_layer(rows: Rows, layer: Layer, causal: bool) -> Rows:
    """One block in loops, each head apart."""
    q, k, v = (times(normed(rows), part.tolist()) for part in (layer.query, layer.key, layer.value))
    size = set_runs.DIM // set_runs.HEADS
    joined: Rows = [[0.0] * set_runs.DIM for _ in rows]
    for head, i in itertools.product(range(set_runs.HEADS), range(len(rows))):
        span = range(head * size, (head + 1) * size)
        keys = range(i + 1) if causal else range(len(rows))
        raised = [math.exp(math.fsum(q[i][c] * k[j][c] for c in span) / math.sqrt(size)) for j in keys]
        for c in span:
            joined[i][c] = math.fsum(w * v[j][c] for w, j in zip(raised, keys, strict=True)) / math.fsum(
                raised
            )
    rows = [
        [a + b for a, b in zip(*both, strict=True)]
        for both in zip(rows, times(joined, layer.out.tolist()), strict=True)
    ]
    inner = [[max(x, 0.0) for x in row] for row in times(normed(rows), layer.up.tolist())]
    return [
        [a + b for a, b in zip(*both, strict=True)]
        for both in zip(rows, times(inner, layer.down.tolist()), strict=True)
    ]


@pytest.mark.parametrize("positions", ["none", "causal mask"])
@pytest.mark.parametrize("how", ["floats", "exact"])
def test_the_row_of_bites_is_that_of_plain_loops(positions: str, how: str) -> None:
    view = shown(1, positions=positions, sums=how, layers=3)
    picture = view.pictures[0]
    assert isinstance(picture, Matrix)
    layers = Stack.random(1, layers=3, dim=set_runs.DIM, heads=set_runs.HEADS, hidden=set_runs.HIDDEN).layers
    for column, words in enumerate((["dog", "bites", "man"], ["man", "bites", "dog"])):
        rows: Rows = word_vectors(words, set_runs.DIM).tolist()
        for layer in layers:
            rows = plain_layer(rows, layer, positions == "causal mask")
        for line, value in zip(picture.cells, rows[1], strict=True):
            assert float(line[column]) == pytest.approx(value, abs=6e-5)


def test_floats_are_nearly_equal_exact_sums_equal_and_a_mask_breaks_both() -> None:
    golden = json.loads((GOLDEN / "attention_equivariance.json").read_text())
    floats, exact = shown(1), shown(1, sums="exact")
    assert 0 < reading(floats, "difference, this word") < 1e-14
    assert reading(exact, "difference, this word") == reading(exact, "difference, all words") == 0
    assert "equal to the bit" in exact.see
    assert "up to rounding" in floats.see
    for how in ("floats", "exact"):
        masked = shown(1, sums=how, positions="causal mask")
        assert reading(masked, "difference, this word") > 0.05
        assert "a causal mask" in masked.see
    # What the explanation quotes.
    row = golden["permutation_bit_identity"]["n3_row_of_bites_only"]
    assert (row["float64_d64"]["identical"], row["float64_d64"]["of"]) == (0, 500)
    assert f"of {row['float64_d64']['of']} random draws" in floats.why
    assert round(row["float32_d64"]["max_abs"] * 1e7) == 5


def test_every_encoding_breaks_the_symmetry_and_is_told() -> None:
    for positions in list(set_runs.POSITIONS)[2:]:
        view = shown(0, positions=positions)
        assert reading(view, "difference, this word") > 1e-3, positions
        assert "no longer the same" in view.see
        assert set_runs.POSITIONS[positions] in view.say or positions == "running mean"
        pooled = shown(3, positions=positions)
        assert reading(pooled, "pooled") > 1e-4
        goods = shown(4, positions=positions)
        assert reading(goods, "spread of predictions") > 1e-4
        verb = "sinusoids make" if positions == "sinusoidal" else "makes"
        assert f"{verb} a difference that is not there" in goods.see


def test_scores_do_not_know_places_unless_something_tells_them() -> None:
    assert reading(shown(2), "scores that changed") == 0
    # A mask hides man from bites, then dog: both pairs change.
    masked = shown(2, positions="causal mask")
    assert reading(masked, "scores that changed") == 2
    picture = masked.pictures[0]
    assert isinstance(picture, Matrix)
    assert picture.cells[0][2] == picture.cells[2][1] == "masked"
    words = word_vectors(["bites", "dog"], 8).tolist()
    layer = Stack.random(1, layers=2, dim=8, heads=2, hidden=16).layers[0]
    query, key = times(normed(words), layer.query.tolist())[0], times(normed(words), layer.key.tolist())[1]
    score = math.fsum(a * b for a, b in zip(query[:4], key[:4], strict=True)) / 2
    assert float(picture.cells[0][1]) == pytest.approx(score, abs=6e-5)


def test_a_repeated_word_has_one_row_without_positions_and_two_with() -> None:
    assert set_rows.word_names(["the", "dog", "bites", "the", "man"]) == (
        "the",
        "dog",
        "bites",
        "the (2)",
        "man",
    )
    chosen = {"sentence": "the dog bites the man", "word": "the (2)"}
    assert reading(shown(0, **chosen), "difference, repeated") < 1e-14
    assert reading(shown(0, **chosen, positions="RoPE"), "difference, repeated") > 1e-3


def test_pooling_is_invariant_only_where_it_does_not_ask_for_places() -> None:
    for pool in ("mean", "sum", "max"):
        view = shown(3, pool=pool)
        assert reading(view, "pooled") < 1e-14
        assert reading(view, "tables, place by place") > 1
    assert reading(shown(3, pool="last"), "pooled") > 0.1
    first, second = (np.array(table) for table in _tables())
    picture = shown(3, pool="sum").pictures[0]
    assert isinstance(picture, Matrix)
    for column, line in enumerate(picture.cells):
        assert float(line[0]) == pytest.approx(math.fsum(first[:, column]), abs=6e-5)
        assert float(line[1]) == pytest.approx(math.fsum(second[:, column]), abs=6e-5)


def _tables() -> list[list[list[float]]]:
    pictures = shown(0).pictures
    assert all(isinstance(picture, HeatMap) for picture in pictures)
    return [[list(row) for row in picture.values] for picture in pictures if isinstance(picture, HeatMap)]


def test_products_are_listed_in_different_orders() -> None:
    for goods, orders in (("a", 1), ("a b", 2), ("a b c", 6), ("a b c d e f g h i j k l", 6)):
        picture = shown(4, products=goods).pictures[0]
        assert isinstance(picture, Bars)
        assert len({bar.label for bar in picture.bars}) == orders
    assert shown(4, products="a b c d").words != shown(4, products="a b c d", shuffle=5).words


def test_every_control_changes_the_view() -> None:
    other: dict[str, model.Value] = {
        "sentence": "cats chase small mice",
        "products": "milk eggs",
        "word": "man",
        "order": "rotate",
        "positions": "ALiBi",
        "layers": 5,
        "sums": "exact",
        "pool": "last",
        "shuffle": 3,
    }
    for step in range(len(demo.steps)):
        base = model.settle(demo, State(step))
        before = shown(step)
        for control in demo.controls(step, base):
            if control.name == "shuffle":
                continue  # three products have only six orders: tried above with four
            assert shown(step, **{control.name: other[control.name]}) != before, (step, control.name)


@pytest.mark.parametrize("sentence", SENTENCES)
def test_no_choice_fails_or_says_what_is_false(sentence: str) -> None:
    for step, order, positions, how in itertools.product(
        range(5), set_runs.ORDERS, set_runs.POSITIONS, ("floats", "exact")
    ):
        view = shown(step, sentence=sentence, products=sentence, order=order, positions=positions, sums=how)
        assert view.see
        assert view.say
        assert len(view.see) <= 160
        if step < 2:
            gap, worst = reading(view, "difference, this word"), reading(view, "difference, all words")
            if "order of the words is lost" in view.see:
                assert worst < 1e-12
            if "no longer the same" in view.see:
                assert gap > 1e-4
            if how == "exact":
                # With positions the weights of a repeated word are rounded apart before they are added.
                assert gap == 0 or gap > 1e-6 or positions != "none"
            if positions == "none":
                assert worst == 0 if how == "exact" else worst < 1e-12
            assert ("it is 0" in view.see) <= (positions == "none" and how == "floats")
        if step == 4:
            assert ("one prediction" in view.see) <= (reading(view, "spread of predictions") < 1e-12)
