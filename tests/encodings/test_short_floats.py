"""Angles from short floats against the numbers that other programs printed, and against plain loops."""

from __future__ import annotations

import math
import struct
from collections.abc import Callable
from typing import Any

import mpmath
import numpy as np
import pytest

from quizapp.encodings import precision, relative, rope
from quizapp.encodings.checks import EncodingError
from quizapp.encodings.frequencies import inverse_frequencies

Golden = Callable[[str], Any]


def test_largest_phase_errors(golden: Golden) -> None:
    case = golden("precision")["max_phase_error_rad_d128_base1e4"]
    turning = inverse_frequencies(128)
    for torch_name, lengths in case.items():
        name = torch_name.removeprefix("torch.")
        for length, errors in lengths.items():
            for upto, key in (("frequency", "inv_freq_cast"), ("position", "pos_and_inv_cast")):
                worst = np.nanmax(precision.phase_errors(np.arange(int(length)), turning, name, upto))
                assert worst == pytest.approx(errors[key], rel=1e-4), (name, length, upto)


def test_a_table_in_half_precision(golden: Golden) -> None:
    case = golden("precision")["neox_1003"]
    turning = inverse_frequencies(32)[1:2]
    assert precision.rounded_angles(1857, turning, "float16")[0, 0] == case["fp16_emb_1857_1"]
    assert precision.rounded_angles(1857, turning, "float32")[0, 0] == case["fp32_emb_1857_1"]


def test_float32_is_the_machines_own() -> None:
    values = [1 / 3, 16777217.0, 1e-40, math.pi, -131071.5]
    expected = [struct.unpack("f", struct.pack("f", value))[0] for value in values]
    assert precision.to_float32(values).tolist() == expected


@pytest.mark.parametrize("name", ["bfloat16", "float16", "float32"])
def test_first_lost_position(name: str) -> None:
    lost = precision.first_lost_position(name)
    assert precision.to_format(lost - 1, name) == lost - 1
    assert precision.to_format(lost, name) != lost
    assert np.array_equal(precision.to_format(np.arange(min(lost, 5000)), name), np.arange(min(lost, 5000)))


def test_beyond_the_range_of_float16() -> None:
    angles = precision.rounded_angles([65504, 70000], inverse_frequencies(128), "float16")
    assert np.isfinite(angles[0]).all()
    assert np.isinf(angles[1]).all()
    assert np.isnan(precision.phase_errors(70000, inverse_frequencies(128), "float16")).all()
    assert np.isnan(precision.rounded_mean_cosine(70000, 70001, inverse_frequencies(128), "float16")).all()


def test_score_of_one_offset() -> None:
    turning = inverse_frequencies(64)
    exact = sum(math.cos(5 * value) for value in turning) / 32
    shifted = precision.rounded_mean_cosine([0, 4000], [5, 4005], turning, "float64")
    assert shifted.tolist() == pytest.approx([exact, exact], abs=1e-12)
    rounded = [
        sum(
            math.cos(
                float(precision.to_bfloat16(precision.to_bfloat16(m + 5) * precision.to_bfloat16(value)))
                - float(precision.to_bfloat16(precision.to_bfloat16(m) * precision.to_bfloat16(value)))
            )
            for value in turning
        )
        / 32
        for m in (0, 4000)
    ]
    mine = precision.rounded_mean_cosine([0, 4000], [5, 4005], turning, "bfloat16")
    assert mine.tolist() == pytest.approx(rounded, abs=1e-12)


@pytest.mark.parametrize("name", list(precision.FORMATS))
def test_buckets_by_a_rounded_logarithm(golden: Golden, name: str) -> None:
    case = golden("t5_buckets")
    distances = np.arange(201)
    exact = relative.t5_buckets(-distances)
    rounded = relative.t5_buckets_rounded(-distances, name)
    wrong = [[int(at), int(exact[at]), int(rounded[at])] for at in np.flatnonzero(exact != rounded)]
    errors = case["bidirectional_half_dtype_errors_(offset,exact,got)"]
    assert wrong == errors[f"consts_f64:torch.{name}"]
    after = relative.t5_buckets_rounded(distances[1:], name)
    assert (after == rounded[1:] + 16).all()
    causal = relative.t5_buckets_rounded(np.arange(-200, 201), name, bidirectional=False)
    expected = relative.t5_buckets(np.arange(-200, 201), bidirectional=False)
    wrong = [[int(at) - 200, int(expected[at]), int(causal[at])] for at in np.flatnonzero(expected != causal)]
    assert wrong == case["dtype_sensitivity_causal_32_128_(offset,f32,other)"].get(f"torch.{name}", [])


def test_unknown_names() -> None:
    with pytest.raises(EncodingError, match="format must be one of"):
        precision.to_format(1.0, "float8")
    with pytest.raises(EncodingError, match="rounded part must be one of"):
        precision.rounded_angles(1, inverse_frequencies(4), "float16", "all")


@pytest.mark.parametrize("position", [0, 1, 4095, 1_000_003, 2**26 - 1])
def test_a_turn_to_the_last_places(position: int) -> None:
    for theta in (1.0, 0.1, 0.8659643233600653, 1e-4):
        x, y = rope.turn([3.0, -1.0], position, theta)
        with mpmath.workdps(40):
            angle = mpmath.mpf(position) * mpmath.mpf(theta)
            exact = (3 * mpmath.cos(angle) + mpmath.sin(angle), 3 * mpmath.sin(angle) - mpmath.cos(angle))
        assert abs(x - float(exact[0])) < 4e-15
        assert abs(y - float(exact[1])) < 4e-15
