"""Verification: the library holds, a wrong step fails where it stands, and each outcome has its word."""

from __future__ import annotations

import math
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path

import pytest

from quizapp.derivations import Derivation, DerivationError, load_library
from quizapp.derivations.verify import verify_derivation
from quizapp.library import content_root

Make = Callable[..., Derivation]
Find = Callable[[str], Derivation]

LIBRARY = load_library([content_root() / "derivations"])
REAL_X = "[symbols]\nx = 'real'\n"


@pytest.mark.parametrize("name", LIBRARY)
def test_every_step_of_the_library_is_settled(name: str) -> None:
    report = verify_derivation(LIBRARY[name])
    assert report.ok, [(result.step, result.outcome, result.message) for result in report.results]
    # One result a step and one for the end of the claim.
    assert len(report.results) == len(LIBRARY[name].steps) + 1
    for result in report.results:
        finite = any(range_name in result.left + result.right for range_name in LIBRARY[name].for_all)
        assert result.how == "proved" or (finite and result.how.startswith("checked over all "))


def test_checked_is_said_only_of_steps_that_depend_on_the_range(built_in: Find) -> None:
    report = verify_derivation(built_in("softmax-permutation"))
    assert [result.how for result in report.results] == [
        "checked over all 6 permutations",
        "proved",
        *["checked over all 6 permutations"] * 4,
    ]


def test_a_wrong_step_fails_with_values_that_refute_it(made: Make) -> None:
    derivation = made(
        "sin(2 x) = 2 sin(x) cos(x)", "sin(2 x)", "sin(x) cos(x)", "2 sin(x) cos(x)", head=REAL_X
    )
    report = verify_derivation(derivation)
    assert not report.ok
    failed = report.having("failed")
    assert [result.step for result in failed] == [2, 3]
    wrong = failed[0]
    assert (wrong.left, wrong.right, wrong.line) == ("sin(2 x)", "sin(x) cos(x)", derivation.lines[1])
    assert wrong.counterexample is not None
    x = float(Fraction(str(wrong.counterexample["x"])))
    assert wrong.left_value == pytest.approx(math.sin(2 * x), abs=1e-9)
    assert wrong.right_value == pytest.approx(math.sin(x) * math.cos(x), abs=1e-9)
    assert abs(wrong.left_value - wrong.right_value) > 1e-6


def test_both_ends_have_to_be_the_claims(made: Make) -> None:
    claim = "sin(2 x) = 2 sin(x) cos(x)"
    first = verify_derivation(made(claim, "sin(3 x)", "sin(2 x + x)", head=REAL_X))
    assert first.results[0].outcome == "failed"
    assert "the first line is not the claim's left side" in first.results[0].message
    last = verify_derivation(made("x + x = 3 x", "x + x", "2 x", head=REAL_X))
    assert [result.outcome for result in last.results] == ["proved", "proved", "failed"]
    assert "the last line is not the claim's right side" in last.results[-1].message


def test_a_wrong_case_of_a_finite_range_is_named(made: Make) -> None:
    derivation = made("k^2 = k", "k^2", "k", head="[for_all]\nk = '0:3'\n")
    failed = verify_derivation(derivation).having("failed")
    assert failed[0].counterexample == {"k": "2"}
    assert (failed[0].left_value, failed[0].right_value) == (4, 2)
    assert verify_derivation(made("k^2 = k", "k^2", "k", head="[for_all]\nk = '0:2'\n")).ok


def test_relations_stand_by_themselves(made: Make) -> None:
    good = made("x + x = 2 x", "x + x", "sin(x)^2 + cos(x)^2 = 1", "2 x", head=REAL_X)
    assert verify_derivation(good).ok
    bad = made("x + x = 2 x", "x + x", "sin(x)^2 - cos(x)^2 = 1", "2 x", head=REAL_X)
    assert [result.step for result in verify_derivation(bad).having("failed")] == [2]
    other = made("x + x = 2 x", "x + x", "x != x + 1", "2 x", head=REAL_X)
    assert verify_derivation(other).ok
    same = made("x + x = 2 x", "x + x", "x + 1 != 1 + x", "2 x", head=REAL_X)
    assert "equal, though != is stated" in verify_derivation(same).having("failed")[0].message


def test_relations_alone_end_in_the_claim(made: Make) -> None:
    assert verify_derivation(made("x + x = 2 x", "1 + 1 = 2", "x + x = 2 x", head=REAL_X)).ok
    report = verify_derivation(made("x + x = 2 x", "1 + 1 = 2", "3 x = 2 x + x", head=REAL_X))
    assert "does not state the claim" in report.having("failed")[0].message


def test_an_unreadable_step_names_its_column_and_line(made: Make) -> None:
    derivation = made("x + x = 2 x", "x + x", "2 y", head=REAL_X)
    (result,) = verify_derivation(derivation).having("unreadable")
    assert (result.step, result.line) == (2, derivation.lines[1])
    assert result.message.startswith("column 3: ")


def test_the_drawn_form_has_to_say_what_was_checked(made: Make) -> None:
    derivation = made("x + x = 2 x", "x + x", "2 x", head=REAL_X, tail="latex = '3x'\n")
    assert "latex does not say" in verify_derivation(derivation).having("failed")[0].message
    assert verify_derivation(made("x + x = 2 x", "x + x", "2 x", head=REAL_X, tail="latex = '2 x'\n")).ok


def test_assumptions_are_used(made: Make) -> None:
    lines = ("sqrt(x^2) = x", "sqrt(x^2)", "x")
    assert verify_derivation(made(*lines, head="[symbols]\nx = 'positive'\n")).ok
    assert verify_derivation(made(*lines, head=REAL_X)).having("failed")


@pytest.mark.parametrize(
    ("head", "said"),
    [
        ("[symbols]\nx = 'rael'\n", "rael"),
        ("[symbols]\nx = 'real'\n[let]\n'A' = '[[1, 2], [3]]'\n", "definition of A"),
    ],
)
def test_declarations_that_cannot_be_used(made: Make, head: str, said: str) -> None:
    with pytest.raises(DerivationError, match=said) as caught:
        verify_derivation(made("x + x = 2 x", "x + x", "2 x", head=head))
    assert str(Path(caught.value.args[0].split(":")[0]).name) == "made.toml"
