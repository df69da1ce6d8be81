"""The demo of RoPE: its numbers by other ways, and its sentences at the ends of every control."""

from __future__ import annotations

import itertools
import json
import math
from pathlib import Path
from typing import Any

import mpmath
import pytest

from quizapp.demos import rope_layouts, rope_pairs
from quizapp.demos.model import (
    Bars,
    Choice,
    Control,
    Curves,
    Dial,
    Matrix,
    Number,
    State,
    Value,
    View,
    move,
    put,
    settle,
)
from quizapp.demos.model import view as show
from quizapp.demos.rope import demo

GOLDEN = Path(__file__).parent.parent / "golden"
DIAL, PAIRS, LAYOUTS = range(3)


def golden(name: str) -> Any:
    return json.loads((GOLDEN / f"{name}.json").read_text(encoding="utf-8"))


def at(step: int, **values: Value) -> View:
    return show(demo, State(step, values))


def reading(seen: View, label: str) -> float:
    return next(one.value for one in seen.readings if one.label == label)


def text(seen: View, label: str) -> str:
    return next(one.text for one in seen.readings if one.label == label)


def ends(control: Control) -> list[Value]:
    match control:
        case Number():
            return [control.low, control.start, control.high]
        case Choice():
            return list(control.options)
    raise AssertionError(control)


@pytest.mark.parametrize("step", range(3))
def test_every_view_is_whole(step: int) -> None:
    controls = demo.controls(step, {})
    for chosen in itertools.product(*map(ends, controls)):
        seen = at(step, **dict(zip((control.name for control in controls), chosen, strict=True)))
        assert seen.pictures
        assert all(math.isfinite(one.value) for one in seen.readings)
        for sentence in (seen.see, seen.say, seen.why, *seen.words):
            assert sentence.endswith((".", ":")), sentence
            assert "-0.0000 " not in sentence
            assert "  " not in sentence
        assert len(seen.see) <= 200
        assert len(seen.say) <= 225
        assert not any(one.text.startswith("-0.") and float(one.text) == 0 for one in seen.readings)


@pytest.mark.parametrize("step", range(3))
def test_every_control_changes_the_view(step: int) -> None:
    for control in demo.controls(step, {}):
        state = State(step, settle(demo, State(step)))
        moved = move(demo, state, control.name, 1)
        assert show(demo, moved) != show(demo, state), control.name


def test_both_on_changes_neither_score_nor_wedge() -> None:
    for content, pair, (m, n) in itertools.product(
        ("any two", "q = k", "at right angles", "k 0.25 rad ahead"),
        range(4),
        ((7, 4), (0, 99), (50, 50), (99, 3), (1, 27)),
    ):
        start = at(DIAL, content=content, pair=pair, m=m, n=n)
        for both in (1, 17, 512, 4096, 9999):
            moved = at(DIAL, content=content, pair=pair, m=m, n=n, both=both)
            assert text(moved, "score") == text(start, "score")
            assert text(moved, "wedge (rad)") == text(start, "wedge (rad)")
            assert moved.pictures != start.pictures


@pytest.mark.parametrize("pair", range(4))
@pytest.mark.parametrize("both", [0, 3, 9999])
def test_dial_by_longer_arithmetic(pair: int, both: int) -> None:
    m, n = 31, 58
    seen = at(DIAL, content="any two", pair=pair, m=m, n=n, both=both)
    with mpmath.workdps(40):
        theta = mpmath.mpf(10) ** -pair
        q, k = mpmath.mpc("0.9", "0.5"), mpmath.mpc("-0.3", "0.8")
        turned_q, turned_k = q * mpmath.expj((m + both) * theta), k * mpmath.expj((n + both) * theta)
        score = (mpmath.conj(turned_q) * turned_k).real
        wedge = mpmath.arg(mpmath.conj(turned_q) * turned_k)
    assert reading(seen, "score") == pytest.approx(float(score), abs=1e-12)
    assert reading(seen, "by n - m alone") == pytest.approx(float(score), abs=1e-12)
    assert reading(seen, "wedge (rad)") == pytest.approx(float(wedge), abs=1e-12)
    (picture,) = seen.pictures
    assert isinstance(picture, Dial)
    for hand, turned in zip(picture.hands, (turned_q, turned_k), strict=True):
        assert math.cos(hand.angle) == pytest.approx(float(turned.real / abs(turned)), abs=1e-12)
        assert math.sin(hand.angle) == pytest.approx(float(turned.imag / abs(turned)), abs=1e-12)
    assert picture.wedge is not None
    assert picture.wedge[0] == picture.hands[0].angle
    assert math.cos(picture.wedge[1] - picture.hands[1].angle) == pytest.approx(1.0)


def test_dial_of_the_cards() -> None:
    # theta 0.1, query at 3, key at 8, k 0.25 rad ahead: 5 * 0.1 + 0.25.
    assert reading(at(DIAL, pair=1, m=3, n=8, content="k 0.25 rad ahead"), "wedge (rad)") == pytest.approx(
        0.75
    )
    parallel = at(DIAL, pair=2, m=90, n=20, content="q = k")
    assert reading(parallel, "score") == pytest.approx(math.cos(0.7))
    right = at(DIAL, pair=2, m=20, n=90, content="at right angles")
    assert reading(right, "score") == pytest.approx(-math.sin(0.7))


def test_mean_cosine_of_the_reference() -> None:
    decay = golden("derived_checks")["rope_mean_cos"]
    for base, key in (("10,000", "1e4"), ("500,000", "5e5"), ("1,000,000", "1e6")):
        for distance, value in zip(decay["deltas"], decay[f"base_{key}"], strict=True):
            if distance <= rope_pairs.FARTHEST:
                assert reading(at(PAIRS, base=base, distance=distance), "mean C(D)") == pytest.approx(
                    value, abs=1e-11
                )
    for distance, value in zip(decay["deltas"], decay["continuum_base_1e4"], strict=True):
        if distance <= rope_pairs.FARTHEST:
            seen = at(PAIRS, show=rope_pairs.SUM, distance=distance)
            assert reading(seen, "ever more pairs") == pytest.approx(value, abs=1e-9)
    facts = decay["base_1e4_facts"]
    seen = at(PAIRS, show=rope_pairs.SUM)
    assert reading(seen, "rises in 100 steps") == facts["n_increases_first_100"]
    assert f"first time at D = {facts['first_negative_delta']:,}." in seen.see
    assert "18,438" in at(PAIRS, show=rope_pairs.SUM, base="500,000").see


def test_bars_of_all_pairs_by_a_loop() -> None:
    seen = at(PAIRS, dim="16", base="500,000", distance=300)
    (picture,) = seen.pictures
    assert isinstance(picture, Bars)
    thetas = [500000 ** (-2 * pair / 16) for pair in range(8)]
    for pair, (bar, theta) in enumerate(zip(picture.bars, thetas, strict=True)):
        assert bar.label == f"pair {pair}"
        assert bar.value == pytest.approx(math.cos(300 * theta), abs=1e-11)
        cosine, wave, turns = bar.text.split()
        assert float(cosine) == pytest.approx(math.cos(300 * theta), abs=0.0051)
        assert float(wave.replace(",", "").replace("k", "e3")) == pytest.approx(2 * math.pi / theta, rel=0.01)
        assert float(turns) == pytest.approx(300 * theta / (2 * math.pi), abs=0.0051)
    assert reading(seen, "sum of cosines") == pytest.approx(sum(math.cos(300 * theta) for theta in thetas))
    whole = sum(300 * theta / (2 * math.pi) >= 1 for theta in thetas)
    assert reading(seen, "full turns made by") == whole
    still = sum(math.cos(300 * theta) > 0.99 and 300 * theta < math.pi for theta in thetas)
    assert f"{whole} of 8 pairs have gone round at least once and {still} have hardly moved" in seen.see
    assert [bar.mark for bar in picture.bars].index("round") == whole - 1
    assert [bar.mark for bar in picture.bars].index("still") == 8 - still


def test_nothing_fades_for_random_queries_and_keys() -> None:
    for distance in (0, 1, 100, rope_pairs.FARTHEST):
        seen = at(PAIRS, show=rope_pairs.RANDOM, distance=distance)
        assert abs(reading(seen, "mean")) < 5 / math.sqrt(200)
        assert abs(reading(seen, "spread") - 1) < 5 / math.sqrt(400)
        (picture,) = seen.pictures
        assert isinstance(picture, Curves)
        spread = picture.curves[0]
        assert all(abs(value - 1) < 5 / math.sqrt(400) for value in spread.y)


def test_partners_and_pairs() -> None:
    for coordinate in range(8):
        assert rope_layouts.partner(coordinate, 8, "interleaved") == coordinate ^ 1
        assert rope_layouts.partner(coordinate, 8, "half-split") == (coordinate + 4) % 8
        assert rope_layouts.pair_of(coordinate, 8, "interleaved") == coordinate // 2
        assert rope_layouts.pair_of(coordinate, 8, "half-split") == coordinate % 4


def plain_score(m: int, n: int, pairs: list[tuple[int, int]]) -> float:
    total = 0.0
    for index, (one, two) in enumerate(pairs):
        angle = 10.0**-index
        turned = []
        for vector, place in ((rope_layouts.QUERY, m), (rope_layouts.KEY, n)):
            turned.append(
                complex(vector[one], vector[two]) * complex(math.cos(place * angle), math.sin(place * angle))
            )
        total += (turned[0].conjugate() * turned[1]).real
    return total


def test_scores_of_right_and_mixed_layouts() -> None:
    neighbours = [(0, 1), (2, 3), (4, 5), (6, 7)]
    halves = [(0, 4), (1, 5), (2, 6), (3, 7)]
    for m, n in ((7, 4), (0, 99), (12, 12), (30, 31)):
        right = at(LAYOUTS, code=rope_layouts.AGREE, m=m, n=n)
        assert reading(right, "score") == pytest.approx(plain_score(m, n, neighbours), abs=1e-12)
        permuted = at(LAYOUTS, code=rope_layouts.PERMUTED, m=m, n=n)
        assert reading(permuted, "score") == pytest.approx(reading(right, "score"), abs=1e-12)
        mixed = at(LAYOUTS, code=rope_layouts.MIXED, m=m, n=n)
        assert reading(mixed, "score") == pytest.approx(plain_score(m, n, halves), abs=1e-12)
        assert reading(mixed, "right score") == pytest.approx(plain_score(m, n, neighbours), abs=1e-12)
        assert (abs(reading(mixed, "error")) < 1e-12) == (m == n)
        assert ("the score is exact" in mixed.see) == (m == n)
    # The wrong pairing is still relative, which is why a shift does not find it.
    near, far = (
        at(LAYOUTS, code=rope_layouts.MIXED, m=3, n=9),
        at(LAYOUTS, code=rope_layouts.MIXED, m=80, n=86),
    )
    assert reading(near, "score") == pytest.approx(reading(far, "score"), abs=1e-12)


def test_mixed_scores_differ_at_every_reachable_pair_of_positions() -> None:
    assert min(
        abs(rope_layouts.score(m, n, rope_layouts.MIXED) - rope_layouts.score(m, n, rope_layouts.AGREE))
        for m, n in ((0, offset) for offset in range(1, 100))
    ) > 1e-3  # fmt: skip


def test_matrix_marks_the_partners() -> None:
    (picture,) = at(LAYOUTS, coordinate=5).pictures
    assert isinstance(picture, Matrix)
    assert set(picture.marked) == {(5, 0), (4, 0), (5, 1), (1, 1)}
    assert [row[2] for row in picture.cells] == ["0", "2", "4", "6", "1", "3", "5", "7"]
    assert {
        (row, column) for row in range(8) for column in (0, 1) if picture.cells[row][column].endswith("*")
    } == set(picture.marked)


def test_values_outside_are_bounded() -> None:
    state = put(demo, State(DIAL), "m", 500)
    assert state.values["m"] == 99
    assert put(demo, State(DIAL), "content", "nothing").values["content"] == "any two"
