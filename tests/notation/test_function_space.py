"""Named functions stand apart from their neighbours in a browser, as TeX sets them."""

from __future__ import annotations

import re

import pytest

from quizapp.notation import to_mathml


@pytest.mark.parametrize(
    ("latex", "shown"),
    [
        (r"\sin a \sin b", "sin_a_sin_b"),
        (r"2\ln x", "2_ln_x"),
        (r"\sin^2 x", "sin2_x"),
        (r"\log_2 n", "log2_n"),
        (r"\cos(k\omega)", "cos(kω)"),
        (r"\sin\left(x\right) y", "sin(x)y"),
        (r"-\sin x", "−sin_x"),
        (r"a + \sin x", "a+sin_x"),
        (r"\max_i x_i", "maxi_xi"),
        (r"\sin\frac{p}{q}", "sin_pq"),
        (r"(a)\cos b", "(a)_cos_b"),
        (r"x y", "xy"),
        (r"\sin\text{ x}", "sin\u00a0x"),
    ],
)
def test_space_beside_functions(latex: str, shown: str) -> None:
    made = to_mathml(latex, False) or ""
    assert re.sub(r"<[^>]*>", "", made.replace('<mspace width="0.167em" />', "_")) == shown
