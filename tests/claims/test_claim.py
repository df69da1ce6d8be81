"""Claims on cards: recomputed with numbers, decided by algebra, and refused where they are wrong."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from quizapp import algebra
from quizapp.claims.claim import check_claim
from quizapp.claims.report import Finding
from quizapp.decks.card import Claim


@pytest.fixture(scope="module", autouse=True)
def _worker() -> Iterator[None]:
    yield
    algebra.shut_down()


def check(text: str, tolerance: float | None = None, **symbols: str) -> Finding:
    return check_claim(Claim(text, tolerance, symbols), path="deck.md", line=7, id="card")


@pytest.mark.parametrize(
    "text",
    [
        "sinusoidal(1, 4)[0] = 0.8415",  # sin 1 = 0.84147...
        "sinusoidal(1, 4) = [0.8415, 0.5403, 0.0100, 0.99995]",
        "t5_bucket(1, 32, 128, bidirectional) = 17",
        "t5_bucket(-1, 32, 128, bidirectional) = 1",
        "alibi_slopes(8)[0] = 1/2",
        "2 pi = 6.28",
        "2 pi = 6.3",
        "rotate([1, 2], pi/2) = [-2, 1]",
        "sinusoidal(3, 8)[1] = cos(3)",
        "1e-3 + 0 = 0.001",
    ],
)
def test_numbers_hold_within_half_a_unit_of_the_last_digit(text: str) -> None:
    found = check(text)
    assert found.outcome in ("computed", "proved"), found.message


@pytest.mark.parametrize(
    ("text", "allowed"),
    [
        ("sinusoidal(1, 4)[0] = 0.8416", "5e-05"),
        ("sinusoidal(1, 4)[0] = 0.84160", "5e-06"),
        ("wavelength(0, 128, 10000) = 6", "0"),
        ("sinusoidal(1, 4) = [0.8415, 0.5403, 0.0200, 0.99995]", "5e-05"),
    ],
)
def test_a_number_off_by_more_fails_with_both_values(text: str, allowed: str) -> None:
    found = check(text)
    assert found.outcome == "failed"
    assert f"allowed is {allowed}" in found.message
    assert found.left_value != found.right_value


def test_a_tolerance_is_absolute_and_goes_before_the_digits() -> None:
    assert check("sin(1) = 0.85", 0.01).outcome == "computed"
    assert check("sin(1) = 0.8415", 1e-6).outcome == "failed"
    assert check("1000 = 1001", 1.0).outcome == "computed"


@pytest.mark.parametrize(
    ("text", "symbols"),
    [
        ("512*768 = 393216", {}),
        ("2^17/2^24 = 1/128", {}),
        ("cos(a-b) = cos(a) cos(b) + sin(a) sin(b)", {"a": "real", "b": "real"}),
        ("[[0, 1], [1, 0]]^T = [[0, 1], [1, 0]]", {}),
        ("sqrt(x^2) = x", {"x": "positive"}),
        ("a (b + 1) = a b + a = a + b a", {"a": "real", "b": "real"}),
    ],
)
def test_exact_claims_are_proved(text: str, symbols: dict[str, str]) -> None:
    assert check(text, None, **symbols).outcome == "proved"


def test_a_wrong_formula_fails_with_a_point() -> None:
    found = check("cos(a-b) = cos(a) cos(b) - sin(a) sin(b)", a="real", b="real")
    assert found.outcome == "failed"
    assert set(found.counterexample or {}) == {"a", "b"}
    assert "at a = " in found.message
    assert check("512*768 = 393217").outcome == "failed"
    assert check("a = a = b", a="real", b="real").outcome == "failed"


@pytest.mark.parametrize(
    ("text", "tolerance", "symbols", "said"),
    [
        ("sin(1)", None, {}, "two sides"),
        ("sin(1 = 2", None, {}, "column"),
        ("sin(a) = 0.5", 0.1, {"a": "real"}, "tolerance"),
        ("sinusoidal(a, 4)[0] = 1", None, {"a": "real"}, "symbol a"),
    ],
)
def test_what_cannot_be_read(text: str, tolerance: float | None, symbols: dict[str, str], said: str) -> None:
    found = check(text, tolerance, **symbols)
    assert found.outcome == "unreadable"
    assert said in found.message


def test_bad_arguments_of_an_encoding_fail_in_one_line() -> None:
    found = check("sinusoidal(1, 5)[0] = 0.84")
    assert found.outcome == "failed"
    assert found.message
    assert "\n" not in found.message
    assert check("sinusoidal(1) = 1").outcome in ("failed", "unreadable")
    assert check("sinusoidal(1, 4)[9] = 1").outcome in ("failed", "unreadable")
