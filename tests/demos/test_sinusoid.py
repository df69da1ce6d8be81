"""The seven steps in numbers: golden values, and plain Python loops as the second way."""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Any

import pytest

from quizapp.demos.model import Bars, Curves, Dial, HeatMap, State, Value, View
from quizapp.demos.model import view as show
from quizapp.demos.sinusoid import demo

GOLDEN = Path(__file__).parent.parent / "golden"
INDEX, SHARE, CLOCK, CLOCKS, TABLE, SHIFT, PRODUCT = range(7)


def golden(name: str) -> Any:
    return json.loads((GOLDEN / f"{name}.json").read_text(encoding="utf-8"))


def at(step: int, **values: Value) -> View:
    return show(demo, State(step, values))


def reading(seen: View, label: str) -> float:
    return next(one.value for one in seen.readings if one.label == label)


def omega(pair: int, dim: int) -> float:
    return float(10000 ** (-2 * pair / dim))


def row(position: int, dim: int) -> list[float]:
    return [
        function(position * omega(pair, dim)) for pair in range(dim // 2) for function in (math.sin, math.cos)
    ]


def test_the_seven_steps_have_names() -> None:
    assert len(demo.steps) == 7
    assert demo.derivation == "linear-shift"


def test_the_index_grows_with_the_text() -> None:
    (bars,) = at(INDEX, start=996).pictures
    assert isinstance(bars, Bars)
    assert [bar.value for bar in bars.bars] == [996, 997, 998, 999, 1000]
    assert [bar.label for bar in bars.bars][1:3] == ["997 cat", "998 sat"]
    assert bars.limit == 1
    assert "1,000 at the last word" in at(INDEX, start=996).see
    assert "no index is larger" in at(INDEX, sentence="one").see
    assert "grows" in at(INDEX, sentence="one two three").see


def test_index_over_length_changes_with_the_length() -> None:
    five, fifty = at(SHARE, word=4), at(SHARE, word=4, length=50)
    assert reading(five, "4/5") == 0.8
    assert reading(fifty, "4/50") == 0.08
    assert reading(fifty, "step to the next word") == pytest.approx(1 / 50)
    assert "4/5 = 0.8000 in this text, 4/50 = 0.0800 in one of 50" in fifty.see
    assert "0 in every text" in at(SHARE, word=0, length=50).see


def test_one_clock_is_the_first_pair_and_wraps() -> None:
    golden_rows = golden("worked_numbers")["five_token_sentence"]["d4"]
    for position in range(5):
        seen = at(CLOCK, position=position, other=position + 44)
        sine, cosine = map(float, golden_rows[str(position)][:2])
        assert reading(seen, "sin p") == pytest.approx(sine, abs=1e-12)
        assert reading(seen, "cos p") == pytest.approx(cosine, abs=1e-12)
        assert reading(seen, "between the hands") == pytest.approx(44 - 14 * math.pi)
        assert "can't tell them apart" in seen.see
        (dial,) = seen.pictures
        assert isinstance(dial, Dial)
        assert [hand.angle for hand in dial.hands] == [position, position + 44]
    assert "comes round" in at(CLOCK, position=4, other=7).see
    assert "of one position" in at(CLOCK, position=4, other=4).see


@pytest.mark.parametrize("dim", [4, 8, 16])
@pytest.mark.parametrize("position", [0, 7, 9999])
def test_a_row_of_clocks_has_the_angle_of_every_pair(dim: int, position: int) -> None:
    dials = at(CLOCKS, position=position, dim=str(dim)).pictures
    assert len(dials) == dim // 2
    for pair, dial in enumerate(dials):
        assert isinstance(dial, Dial)
        assert dial.hands[0].angle == pytest.approx(position * omega(pair, dim))


def test_the_table_is_the_golden_one_and_its_equal_words_are_marked() -> None:
    known = golden("worked_numbers")["five_token_sentence"]
    seen = at(TABLE)
    (shown,) = seen.pictures
    assert isinstance(shown, HeatMap)
    for position in range(5):
        assert list(shown.values[position]) == pytest.approx(
            [float(text) for text in known["d8"][str(position)]]
        )
    assert shown.marked == (0, 4)
    assert reading(seen, "rows 0 and 4") == pytest.approx(float(known["distance_between_the_two_the_d8"]))
    assert reading(seen, "norm of the row") == pytest.approx(2)
    nearest = min(math.dist(row(a, 8), row(b, 8)) for a in range(5) for b in range(a))
    assert reading(seen, "two nearest rows") == pytest.approx(nearest)


def test_the_table_says_what_is_so_for_any_sentence() -> None:
    assert "stands here once" in at(TABLE, word=1).see
    assert "One word, one row" in at(TABLE, sentence="alone").see
    thrice = at(TABLE, sentence="The cat the THE")
    (shown,) = thrice.pictures
    assert isinstance(shown, HeatMap)
    assert shown.marked == (0, 2, 3)
    assert "0, 2 and 3" in thrice.see
    assert shown.cursor == (3, 0)


@pytest.mark.parametrize("dim", [4, 8, 16])
@pytest.mark.parametrize(("position", "offset"), [(4, 3), (100, -7), (20, -20), (5000, 20), (3, 0)])
def test_a_shift_turns_every_pair_whatever_the_position(dim: int, position: int, offset: int) -> None:
    seen = at(SHIFT, position=position, shift=offset, dim=str(dim))
    for pair in range(dim // 2):
        assert reading(seen, f"pair {pair} turns by (rad)") == pytest.approx(offset * omega(pair, dim))
        dial = seen.pictures[pair]
        assert isinstance(dial, Dial)
        assert dial.wedge is not None
        turn = dial.hands[1].angle - dial.hands[0].angle
        assert math.cos(dial.wedge[1] - dial.wedge[0]) == pytest.approx(math.cos(turn))
        assert abs(dial.wedge[1] - dial.wedge[0]) < 2 * math.pi
    assert reading(seen, "largest error of R PE(p)") < 1e-11
    assert reading(seen, "row nearest to R PE(p)") == position + offset


def test_no_token_lies_before_the_first() -> None:
    assert "2 positions back" in at(SHIFT, position=2, shift=-9).see
    assert "nothing turns" in at(SHIFT, position=0, shift=-9).see


def test_the_product_of_two_rows_is_golden_and_the_same_from_everywhere() -> None:
    known = golden("worked_numbers")["five_token_sentence"]["diagonal_constant_sum_cos_k_omega_d8"]
    for distance, text in enumerate(known):
        for position in (0, 4, 777):
            seen = at(PRODUCT, position=position, distance=distance, dim="8")
            for label in ("PE(p) · PE(p + k)", "from p + 1 instead", "sum of cos kω"):
                assert reading(seen, label) == pytest.approx(float(text), abs=1e-10)


def test_the_curve_is_the_product_over_the_distance() -> None:
    (curves,) = at(PRODUCT, position=9, distance=5, dim="64").pictures
    assert isinstance(curves, Curves)
    line, point = curves.curves
    for distance in (0, 1, 17, 100):
        plain = math.fsum(a * b for a, b in zip(row(9, 64), row(9 + distance, 64), strict=True))
        assert line.y[distance] == pytest.approx(plain)
    assert point.x[0] == 5
    assert point.y[0] == pytest.approx(line.y[5])
