"""Numbers as people type them."""

from __future__ import annotations

import math
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quizapp.decks.number import NotANumberError, read_number


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("3", 3.0),
        (" 0.84 ", 0.84),
        (".5", 0.5),
        ("5.", 5.0),
        ("+2", 2.0),
        ("1e-4", 0.0001),
        ("1E4", 10000.0),
        ("-1.5e+2", -150.0),
        ("2/3", 2 / 3),
        ("-1 / 4", -0.25),
        ("1,024", 1024.0),
        ("1_048_576", 1048576.0),
        ("1 024", 1024.0),
        ("1,024.5", 1024.5),
        ("50 %", 0.5),
        ("12.5%", 0.125),
        ("1/4 %", 0.0025),
        ("\u22120.5", -0.5),
        ("\u20130.5", -0.5),
        ("1\u2009024", 1024.0),
        ("$0.25$", 0.25),
        ("2pi/3", 2 * math.pi / 3),
        ("2\u03c0/3", 2 * math.pi / 3),
        ("sqrt(2)/2", math.sqrt(0.5)),
        ("10000^(-1/2)", 0.01),
        ("2 \u00d7 3", 6.0),
        ("sin(1)", math.sin(1)),
        ("-\u221a2", -math.sqrt(2)),
    ],
)
def test_what_is_typed_is_its_value(text: str, value: float) -> None:
    assert read_number(text).value == pytest.approx(value, rel=1e-14)


@pytest.mark.parametrize(
    ("text", "unit", "value"),
    [
        ("0.5 rad", "rad", 0.5),
        ("0.5rad", "rad", 0.5),
        ("4 MiB", "mib", 4.0),
        ("4", "MiB", 4.0),
        ("1,024 tokens", "tokens", 1024.0),
        ("pi/2 rad", "rad", math.pi / 2),
        ("50 %", "%", 50.0),
        ("50", "%", 50.0),
    ],
)
def test_a_unit_may_stand_behind(text: str, unit: str, value: float) -> None:
    assert read_number(text, unit).value == pytest.approx(value, rel=1e-14)


@pytest.mark.parametrize(
    "text",
    ["", "   ", "abc", "2x", "1/0", "1//2", "rad", "1e999", "0/0", "i", "2 +", "()", "__import__('os')",
     "1,02,4", "nan", "inf", "[[1,2]]", "9**9**9**9", "\u4f4d\u7f6e", "log(0)", "%", "$"],
)  # fmt: skip
def test_what_is_no_number_says_so_in_one_line(text: str) -> None:
    with pytest.raises(NotANumberError) as caught:
        read_number(text, "rad")
    message = str(caught.value)
    assert message
    assert "\n" not in message
    assert "Traceback" not in message


@pytest.mark.parametrize(
    ("text", "half"),
    [("3", 0.0), ("1,024", 0.0), ("2/3", 0.0), ("0.84", 0.005), ("0.8400", 0.00005), ("1.5e-3", 5e-5),
     ("-2.5", 0.05), ("12.5%", 0.0005)],
)  # fmt: skip
def test_half_a_unit_of_the_last_digit(text: str, half: float) -> None:
    assert read_number(text).half_unit == pytest.approx(half, rel=1e-12)


@given(st.floats(allow_nan=False, allow_infinity=False))
def test_every_float_that_python_writes_is_read(value: float) -> None:
    assert read_number(repr(value)).value == value


@given(st.integers(-(10**15), 10**15))
def test_thousands_are_read_however_they_are_grouped(value: int) -> None:
    for mark in (",", "_", " "):
        assert read_number(f"{value:,}".replace(",", mark)).value == value


@given(st.fractions(max_denominator=10**6))
def test_a_fraction_is_its_quotient(value: Fraction) -> None:
    assert read_number(f"{value.numerator}/{value.denominator}").value == float(value)


@given(st.text(max_size=20))
def test_any_text_is_a_number_or_refused(text: str) -> None:
    try:
        value = read_number(text).value
    except NotANumberError:
        return
    assert math.isfinite(value)
