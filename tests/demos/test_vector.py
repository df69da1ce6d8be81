"""One row in numbers, the bank example digit by digit, and a score multiplied out."""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Any

import pytest

from quizapp.demos.model import Bars, Curves, Matrix, State, Value, View
from quizapp.demos.model import view as show
from quizapp.demos.vector import demo
from quizapp.demos.vector_sum import BANK, FARTHEST, RIVER

GOLDEN = Path(__file__).parent.parent / "golden"
ROW, SUM, COLUMN, TERMS = range(4)
LAYOUTS = {
    "interleaved": "interleaved_2i_over_d",
    "concatenated": "concat_2i_over_d",
    "tensor2tensor": "concat_i_over_half_minus_1",
}


def golden(name: str) -> Any:
    return json.loads((GOLDEN / f"{name}.json").read_text(encoding="utf-8"))


def at(step: int, **values: Value) -> View:
    return show(demo, State(step, values))


def reading(seen: View, label: str) -> float:
    return next(one.value for one in seen.readings if one.label == label)


def row(position: int, dim: int, base: float = 10000.0) -> list[float]:
    angles = [position * base ** (-2 * pair / dim) for pair in range(dim // 2)]
    return [function(angle) for angle in angles for function in (math.sin, math.cos)]


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("dim", ["4", "8", "16"])
def test_the_bars_are_the_golden_rows(layout: str, dim: str) -> None:
    for position, expected in golden("sinusoidal")[LAYOUTS[layout]][dim].items():
        (bars,) = at(ROW, position=int(position), dim=dim, layout=layout).pictures
        assert isinstance(bars, Bars)
        # The golden values are of single precision, up to 1e-4 where angles are large.
        assert [bar.value for bar in bars.bars] == pytest.approx(expected, abs=1.2e-4)


def test_labels_name_the_wave_and_the_pair_of_each_column() -> None:
    def labels(layout: str) -> list[str]:
        (bars,) = at(ROW, dim="4", layout=layout).pictures
        assert isinstance(bars, Bars)
        return [bar.label for bar in bars.bars]

    assert labels("interleaved") == ["0 sin 0", "1 cos 0", "2 sin 1", "3 cos 1"]
    assert labels("concatenated") == ["0 sin 0", "1 sin 1", "2 cos 0", "3 cos 1"]


@pytest.mark.parametrize("base", ["100", "10000", "500000"])
@pytest.mark.parametrize("position", [0, 3, 1_000_000])
def test_the_numbers_of_the_chosen_column(base: str, position: int) -> None:
    seen = at(ROW, position=position, column=5, dim="8", base=base)
    frequency = float(base) ** (-2 * 2 / 8)
    assert reading(seen, "its frequency") == pytest.approx(frequency)
    assert reading(seen, "its wavelength") == pytest.approx(2 * math.pi / frequency)
    assert reading(seen, "cos of pair 2") == pytest.approx(row(position, 8, float(base))[5], abs=1e-9)
    assert reading(seen, "norm of the row") == pytest.approx(2)


def test_what_to_say_fits_the_layout_and_the_base() -> None:
    assert "Sine on the even columns" in at(ROW).say
    assert "10000^(-2i/d)" in at(ROW).say
    other = at(ROW, layout="tensor2tensor", base="100").say
    assert "All sines" in other
    assert "100^(-i/(d/2 - 1))" in other


def test_the_bank_example_is_the_printed_one_to_its_last_digit() -> None:
    known = golden("worked_numbers")["bank_example"]
    (shown,) = at(SUM, place=1).pictures
    assert isinstance(shown, Matrix)
    assert shown.row_labels == ("e", "PE(0)", "h(0)", "PE(1)", "h(1)")
    for cells, name in zip(shown.cells, ("e", "p0", "h0", "p1", "h1"), strict=True):
        assert list(cells) == [f"{float(text):.4f}" for text in known[name]]
    for entry in range(4):
        seen = at(SUM, place=1, entry=entry)
        assert reading(seen, "their sum") == pytest.approx(float(known["h1"][entry]), abs=1e-15)
    assert reading(seen, "|h(1) - h(0)|") == pytest.approx(math.dist(row(0, 4), row(1, 4)))


def test_at_position_zero_the_bank_has_one_row_of_each_kind() -> None:
    (shown,) = at(SUM, place=0).pictures
    assert isinstance(shown, Matrix)
    assert shown.row_labels == ("e", "PE(0)", "h(0)")
    assert "adds 1 to every cosine" in at(SUM, place=0).see


@pytest.mark.parametrize("dim", ["4", "8", "32"])
@pytest.mark.parametrize(("position", "column"), [(3, 0), (0, 1), (199, 3)])
def test_one_column_repeats_and_the_row_does_not(dim: str, position: int, column: int) -> None:
    rows = [row(p, int(dim)) for p in range(200)]
    seen = at(COLUMN, near=position, column=column, dim=dim)
    value = rows[position][column]
    others = [p for p in range(200) if p != position and abs(rows[p][column] - value) < 0.01]
    assert reading(seen, "others within 0.01") == len(others)
    nearest = min((math.dist(rows[p], rows[position]), p) for p in range(200) if p != position)
    assert reading(seen, "its distance") == pytest.approx(nearest[0])
    assert nearest[0] > 0
    (curves,) = seen.pictures
    assert isinstance(curves, Curves)
    assert list(curves.curves[0].y) == pytest.approx([r[column] for r in rows])


@pytest.mark.parametrize("between", ["identity", "another"])
@pytest.mark.parametrize(("query", "key"), [(3, 1), (0, 0), (FARTHEST, 2)])
def test_the_four_terms_sum_to_the_score(between: str, query: int, key: int) -> None:
    seen = at(TERMS, query=query, key=key, between=between)
    names = ("word, word", "word, place", "place, word", "place, place")
    total = reading(seen, "their sum, the score")
    assert math.fsum(reading(seen, name) for name in names) == pytest.approx(total)
    if between == "identity":
        left = [a + b for a, b in zip(BANK, row(query, 4), strict=True)]
        right = [a + b for a, b in zip(RIVER, row(key, 4), strict=True)]
        assert total == pytest.approx(math.fsum(a * b for a, b in zip(left, right, strict=True)))


def test_only_the_last_term_with_the_identity_is_relative() -> None:
    def last(query: int, key: int, between: str) -> float:
        return reading(at(TERMS, query=query, key=key, between=between), "place, place")

    assert last(3, 1, "identity") == pytest.approx(last(31, 29, "identity"), abs=1e-12)
    assert abs(last(3, 1, "another") - last(31, 29, "another")) > 0.1


def test_every_score_fits_its_axis() -> None:
    for between in ("identity", "another"):
        for query in range(0, FARTHEST + 1, 3):
            for key in range(FARTHEST + 1):
                (bars,) = at(TERMS, query=query, key=key, between=between).pictures
                assert isinstance(bars, Bars)
                assert all(bars.low <= bar.value <= bars.high for bar in bars.bars)
