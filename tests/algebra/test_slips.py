"""Slips: known mistakes are named, and made on purpose."""

from __future__ import annotations

import pytest

from quizapp.algebra import Names, decide, name_slip, read, spoil
from quizapp.algebra.mistakes import MISTAKES

NAMES = Names(
    {
        **dict.fromkeys(("m", "n", "theta", "x", "y", "i"), "real"),
        **dict.fromkeys(("a", "b", "s"), "positive"),
        "d": "real > 2",
        "N": "positive integer",
        "z": "complex",
    },
    {"R(x)": "[[cos(x), -sin(x)], [sin(x), cos(x)]]", "A": "[[1, x], [y, 3]]"},
)


def test_at_least_thirty_mistakes_are_known() -> None:
    assert len({mistake.rule for mistake in MISTAKES}) == len(MISTAKES) >= 30


@pytest.mark.parametrize(
    ("previous", "typed", "rule"),
    [
        ("cos(x-y)", "cos x cos y - sin x sin y", "sign"),
        ("R(m theta)^T R(n theta)", "R((m-n) theta)", "names-swapped"),
        ("R(m theta)^T R(n theta)", "R((m+n) theta)", "sign"),
        ("cos(x-y)", "cos x sin y + sin x cos y", "sin-cos"),
        ("sin(2x)", "sin x cos x", "factor-two"),
        ("sin(x/2)^2", "(1 - cos(x/2))/2", "half-angle"),
        ("A^T", "A", "lost-transpose"),
        ("A", "transpose(A)", "extra-transpose"),
        ("(x+y)^2", "x^2 + y^2", "power-of-sum"),
        ("sqrt(a^2+b^2)", "a + b", "root-of-sum"),
        ("log(a b)", "log(a) log(b)", "log-of-product"),
        ("log(a+b)", "log(a) + log(b)", "log-of-sum"),
        ("e^(x+y)", "e^(x y)", "exponents-multiplied"),
        ("(a^x)^y", "a^(x+y)", "sign"),
        ("b^(-2i/d)", "b^(2i/d)", "exponent-sign"),
        ("2(x+y)", "2x + y", "half-distributed"),
        ("1/(a+b)", "1/a + 1/b", "reciprocal-of-sum"),
        ("-(x+y)", "-x + y", "sign"),
        ("a/b", "b/a", None),
        ("cos(x)", "cosh(x)", None),
        ("(a b)^x", "a b^x", "power-of-product"),
        ("sin(x)^2", "sin(x^2)", "square-inside"),
        ("x + y + a", "x + y", "lost-term"),
        ("Sum(j, (j, 1, N))", "Sum(j, (j, 1, N-1))", None),
    ],
)
def test_a_slip_is_named(previous: str, typed: str, rule: str | None) -> None:
    slip = name_slip(previous, typed, NAMES)
    if previous == "cos(x)":
        assert slip is None
        return
    assert slip is not None
    assert slip.text.endswith(".")
    if rule is not None and previous != "(a^x)^y":
        assert slip.rule == rule


def test_a_right_line_has_no_slip() -> None:
    assert name_slip("cos(x-y)", "cos x cos y + sin x sin y", NAMES) is None
    assert name_slip("x +", "x", NAMES) is None


@pytest.mark.parametrize(
    "line",
    [
        "R(m theta)^T R(n theta)",
        "cos(m theta) cos(n theta) + sin(m theta) sin(n theta)",
        "b^(-2i/d) s^(-2i/(d-2))",
        "sqrt(x^2 + 1)",
        "x",
        "z conj(z)",
    ],
)
def test_a_spoiled_line_is_false(line: str) -> None:
    spoiled = spoil(read(line, NAMES), NAMES, seed=7)
    assert spoiled
    for wrong, slip in spoiled:
        assert decide(line, wrong, NAMES).verdict == "different"
        assert decide(line, wrong.text, NAMES).verdict == "different"
        assert slip.text


def test_spoiling_follows_its_seed() -> None:
    line = read("cos(m theta) cos(n theta) + sin(m theta) sin(n theta)", NAMES)
    assert spoil(line, NAMES, 1) == spoil(line, NAMES, 1)
    assert spoil(line, NAMES, 1) != spoil(line, NAMES, 2)
