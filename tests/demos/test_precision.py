"""The demo of short floats against printed numbers of other programs, plain loops, and at the ends of every control."""

from __future__ import annotations

import itertools
import json
import math
import struct
from pathlib import Path
from typing import Any

import pytest

from quizapp.demos.model import (
    Bars,
    Choice,
    Control,
    Curves,
    Matrix,
    Number,
    State,
    Value,
    View,
    move,
    settle,
)
from quizapp.demos.model import view as show
from quizapp.demos.precision import demo

GOLDEN = Path(__file__).parent.parent / "golden"
POSITIONS, ANGLES, PAIRS, OFFSET, BUCKETS = range(5)


def golden(name: str) -> Any:
    return json.loads((GOLDEN / f"{name}.json").read_text(encoding="utf-8"))


def at(step: int, **values: Value) -> View:
    return show(demo, State(step, values))


def reading(seen: View, label: str) -> float:
    return next(one.value for one in seen.readings if one.label == label)


def ends(control: Control) -> list[Value]:
    if isinstance(control, Number):
        return sorted(
            {control.low, control.low + 1, control.start, 65504, 70000, control.high}
            & {*range(control.low, control.high + 1)}
        )
    assert isinstance(control, Choice)
    return list(control.options)


@pytest.mark.parametrize("step", range(5))
def test_every_view_is_whole(step: int) -> None:
    controls = demo.controls(step, {})
    for chosen in itertools.product(*map(ends, controls)):
        seen = at(step, **dict(zip((control.name for control in controls), chosen, strict=True)))
        for one in seen.readings:
            assert math.isfinite(one.value) or one.text in ("no number", "infinity")
        for sentence in (seen.see, seen.say, seen.why, *seen.words):
            assert sentence.endswith("."), sentence
            assert "nan" not in sentence
            assert "  " not in sentence
            assert not sentence.startswith(";")
        assert len(seen.see) <= 200
        assert len(seen.say) <= 225


@pytest.mark.parametrize("step", range(5))
def test_every_control_changes_the_view(step: int) -> None:
    for control in demo.controls(step, {}):
        state = State(step, settle(demo, State(step)))
        assert show(demo, move(demo, state, control.name, 1)) != show(demo, state), control.name


def test_positions_as_stored() -> None:
    cast = golden("precision")["positions_cast"]
    for index, position in enumerate(cast["pos"]):
        seen = at(POSITIONS, position=position)
        for name in ("bfloat16", "float16"):
            expected = cast[name][index]
            expected = math.inf if expected in (None, "inf") else expected
            assert reading(seen, name) == expected
    distinct = golden("precision")["n_distinct_positions_0_8191"]
    for name, count in distinct.items():
        assert reading(at(POSITIONS, position=8191), f"apart, {name}") == count


def test_marked_positions_are_the_lost_ones() -> None:
    (picture,) = at(POSITIONS, position=2050).pictures
    assert isinstance(picture, Matrix)
    assert picture.row_labels[0] == "2,047"
    # float16 keeps every second number from 2048 on; bfloat16 every sixteenth from 2048, every eighth before.
    assert {row for row, column in picture.marked if column == 1} == {2, 4, 6}
    assert {row for row, column in picture.marked if column == 0} == {0, 2, 3, 4, 5, 6, 7}
    assert not any(column == 2 for _, column in picture.marked)
    assert all(
        ("*" in picture.cells[row][column]) == ((row, column) in picture.marked)
        for row in range(8)
        for column in range(3)
    )


def bfloat16(value: float) -> float:
    """Rounded by the bits of a float32; to even. For values that a float32 holds near enough."""
    bits = struct.unpack("I", struct.pack("f", value))[0]
    bits = (bits + 0x7FFF + ((bits >> 16) & 1)) & 0xFFFF0000
    return float(struct.unpack("f", struct.pack("I", bits))[0])


def half(value: float) -> float:
    return float(struct.unpack("e", struct.pack("e", value))[0])


def single(value: float) -> float:
    return float(struct.unpack("f", struct.pack("f", value))[0])


ROUND = {"bfloat16": bfloat16, "float16": half, "float32": single}
PARTS = ("frequency", "+ position", "+ product")


def error(position: int, theta: float, name: str, rounded: str) -> float:
    turn = ROUND[name]
    place = turn(position) if rounded != "frequency" else float(position)
    angle = place * turn(theta)
    if rounded == "+ product":
        angle = turn(angle)
    return abs(math.remainder(angle - position * theta, 2 * math.pi))


@pytest.mark.parametrize("name", list(ROUND))
@pytest.mark.parametrize("rounded", PARTS)
@pytest.mark.parametrize("position", [1, 300, 4095, 30011])
def test_errors_of_all_pairs_by_a_loop(name: str, rounded: str, position: int) -> None:
    errors = [error(position, 10000 ** (-2 * pair / 128), name, rounded) for pair in range(64)]
    seen = at(PAIRS, format=name, rounded=rounded, position=position)
    (picture,) = seen.pictures
    assert isinstance(picture, Bars)
    assert [bar.value for bar in picture.bars] == pytest.approx(errors, abs=2e-9)
    assert reading(seen, "worst") == pytest.approx(max(errors), abs=2e-9)
    assert reading(seen, "more than 0.1 rad") == sum(value > 0.1 for value in errors)
    assert reading(at(ANGLES, rounded=rounded, position=position), f"{name} here") == pytest.approx(
        max(errors), abs=2e-9
    )


def test_curves_stay_below_the_largest_errors_of_the_reference() -> None:
    reference = golden("precision")["max_phase_error_rad_d128_base1e4"]
    for rounded, key in (("frequency", "inv_freq_cast"), ("+ position", "pos_and_inv_cast")):
        (picture,) = at(ANGLES, rounded=rounded).pictures
        assert isinstance(picture, Curves)
        *drawn_curves, here = picture.curves
        assert here.label == "here"
        assert set(here.x) == {4095}
        for curve in drawn_curves:
            for length, errors in reference[f"torch.{curve.label}"].items():
                drawn = [10**y for x, y in zip(curve.x, curve.y, strict=True) if x < int(length)]
                # The curve looks at some positions only, the reference at all.
                assert drawn[-1] <= errors[key] * 1.0001
                assert drawn[-1] > errors[key] / 4
                assert drawn == sorted(drawn)


def test_nothing_is_drawn_where_float16_ends() -> None:
    (picture,) = at(ANGLES).pictures
    assert isinstance(picture, Curves)
    halves = next(curve for curve in picture.curves if curve.label == "float16")
    assert all(math.isfinite(y) == (x < 65520) for x, y in zip(halves.x, halves.y, strict=True))
    seen = at(PAIRS, format="float16", position=70000)
    assert "cannot hold 70,000" in seen.see


@pytest.mark.parametrize("rounded", PARTS)
def test_scores_of_one_offset_by_a_loop(rounded: str) -> None:
    for shift, offset in ((0, 5), (1000, 5), (4000, 3)):
        seen = at(OFFSET, shift=shift, offset=offset, rounded=rounded)
        for name, turn in ROUND.items():
            total = 0.0
            for pair in range(64):
                theta = turn(10000 ** (-2 * pair / 128))
                m, n = (
                    float(place) if rounded == "frequency" else turn(place)
                    for place in (shift, shift + offset)
                )
                angles = (m * theta, n * theta)
                if rounded == "+ product":
                    angles = (turn(angles[0]), turn(angles[1]))
                total += math.cos(angles[1] - angles[0])
            assert reading(seen, name) == pytest.approx(total / 64, abs=1e-9)
        exact = sum(math.cos(offset * 10000 ** (-2 * pair / 128)) for pair in range(64)) / 64
        assert reading(seen, "float64") == pytest.approx(exact, abs=1e-9)
        assert reading(seen, "at m = 0, exact") == pytest.approx(exact, abs=1e-12)


def test_double_precision_is_flat_and_bfloat16_is_not() -> None:
    (picture,) = at(OFFSET).pictures
    assert isinstance(picture, Curves)
    spread = {
        curve.label: max(curve.y) - min(curve.y) for curve in picture.curves if curve.label != "float16"
    }
    assert spread["float64"] < 1e-9
    assert spread["float32"] < 1e-2
    assert spread["bfloat16"] > 0.2


def test_colliding_positions_are_named() -> None:
    assert "Query and key are one position in bfloat16." in at(OFFSET, shift=4000, offset=5).see
    assert "stays flat" in at(OFFSET, shift=4000, offset=5, rounded="frequency").see
    assert "in float16 and bfloat16" in at(OFFSET, shift=32768, offset=5).see


def test_buckets_of_the_reference() -> None:
    errors = golden("t5_buckets")["bidirectional_half_dtype_errors_(offset,exact,got)"][
        "consts_f64:torch.bfloat16"
    ]
    for distance, exact, got in errors:
        seen = at(BUCKETS, distance=distance)
        assert reading(seen, "bucket, exact") == exact
        assert reading(seen, "bucket, bfloat16") == got
        assert f"distances {', '.join(str(row[0]) for row in errors)} into" in seen.see
    table = golden("t5_buckets")["tables"]["buckets32_dist128_bidirectional"]
    for distance in range(8, 128):
        seen = at(BUCKETS, distance=distance)
        assert reading(seen, "bucket, exact") == table[200 - distance]
        assert reading(seen, "bucket, float32") == table[200 - distance]
        assert reading(seen, "wrong in bfloat16") == len(errors)
        assert reading(seen, "wrong in float16") == 0
