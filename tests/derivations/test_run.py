"""Typing a derivation: what is accepted, what is refused, and what is said."""

from __future__ import annotations

import math
from collections.abc import Callable
from fractions import Fraction

import pytest

from quizapp.derivations import Derivation
from quizapp.derivations.run import DerivationRun

Make = Callable[..., Derivation]
Find = Callable[[str], Derivation]

PRODUCT = "[[cos(m theta), sin(m theta)], [-sin(m theta), cos(m theta)]] R(n theta)"
WRONG = (
    "[[cos(m theta)cos(n theta) - sin(m theta)sin(n theta), sin(m theta)cos(n theta) - cos(m theta)sin(n theta)]"
    ", [cos(m theta)sin(n theta) - sin(m theta)cos(n theta), cos(m theta)cos(n theta) + sin(m theta)sin(n theta)"
    "]]"
)


def turned(angle: float) -> list[list[float]]:
    return [[math.cos(angle), -math.sin(angle)], [math.sin(angle), math.cos(angle)]]


def test_the_start_is_on_the_board_and_a_first_line_that_repeats_it_is_no_mistake(built_in: Find) -> None:
    run = DerivationRun(built_in("rotation-composition"))
    assert [written.origin for written in run.lines] == ["start"]
    answer = run.submit("R(m theta)^T R(n theta)")
    assert (answer.verdict, answer.kind) == ("equal", "already")
    assert "already written, line 1" in answer.text
    assert len(run.lines) == 1
    assert run.mistakes == 0


def test_an_own_route_reaches_the_goal(built_in: Find) -> None:
    run = DerivationRun(built_in("rotation-composition"))
    first = run.submit("R(-m θ) R(n θ)")
    assert (first.verdict, first.kind, first.text) == ("equal", "follows", "follows (proved)")
    assert run.own_route
    assert run.submit("= R(n theta - m theta)").verdict == "equal"
    last = run.submit(r"R((n-m)\theta)")
    assert (last.verdict, last.kind, last.text) == ("equal", "goal", "reaches the goal (proved)")
    assert run.finished
    assert run.suggested_grade == 4


def test_the_authors_steps_are_recognised_in_other_brackets(built_in: Find) -> None:
    run = DerivationRun(built_in("linear-shift"))
    answer = run.submit("[[sin((p+k) omega)], [cos(omega*(k+p))]]")
    assert answer.text == "follows (proved), the author's step 2"
    assert run.lines[-1].origin == "author"
    assert run.lines[-1].note == "definition"


def test_a_wrong_sign_is_refused_with_numbers_that_hold(built_in: Find) -> None:
    run = DerivationRun(built_in("rotation-composition"))
    answer = run.submit("R((m-n) theta)")
    assert (answer.verdict, answer.kind) == ("different", "different")
    assert len(run.lines) == 1
    assert run.mistakes == 1
    at = answer.counterexample
    assert at is not None
    m, n, theta = (float(Fraction(str(at[name]))) for name in ("m", "n", "theta"))
    right, wrong = turned((n - m) * theta), turned((m - n) * theta)
    assert right != wrong
    for shown, value in ((answer.left, right), (answer.right, wrong)):
        for row, wanted in zip(shown, value, strict=True):
            assert row == pytest.approx(wanted, abs=1e-9)
    assert "line 1 gives" in answer.text
    assert "theta = " in answer.text


def test_a_wrong_entry_is_named_by_its_place(built_in: Find) -> None:
    run = DerivationRun(built_in("rotation-composition"))
    assert run.submit(PRODUCT).accepted
    answer = run.submit(WRONG)
    assert answer.verdict == "different"
    assert "row 1, column 1: line 2 gives" in answer.text
    assert answer.slip
    assert answer.slip in answer.text


def test_a_chain_is_checked_member_by_member(built_in: Find) -> None:
    run = DerivationRun(built_in("rotation-composition"))
    refused = run.submit("R(-m theta) R(n theta) = R((n+m) theta)")
    assert refused.verdict == "different"
    assert len(run.lines) == 1
    accepted = run.submit("R(m theta)^T R(n theta) = R(-m theta) R(n theta) = R((n-m) theta)")
    assert accepted.kind == "goal"
    assert [written.origin for written in run.lines] == ["start", "own", "author"]


def test_what_cannot_be_read_names_the_column_and_is_no_mistake(built_in: Find) -> None:
    run = DerivationRun(built_in("rotation-composition"))
    answer = run.submit("  = R(m thetta)")
    assert (answer.verdict, answer.at) == ("unreadable", 9)
    assert "theta" in answer.text
    assert run.mistakes == 0
    assert run.preview("R(m thetta)").at == 5
    assert run.preview("R(m theta)").latex is not None
    assert run.preview(" = ").latex is None
    shape = run.submit("R(m theta) + 1")
    assert shape.verdict == "unreadable"
    assert "added" in shape.text


def test_growing_past_every_line_that_is_needed_is_equal_but_not_simpler(built_in: Find) -> None:
    run = DerivationRun(built_in("rotation-keeps-norm"))
    answer = run.submit(f"q^T {'R(m theta)^T R(m theta) ' * 4} q")
    assert (answer.verdict, answer.kind) == ("equal", "unsimplified")
    assert "not yet simpler" in answer.text


def test_a_finite_range_is_said_to_be_checked_not_proved(built_in: Find) -> None:
    run = DerivationRun(built_in("permutation-equivariance"))
    answer = run.submit("P softmax((X W_Q) (X W_K)^T / sqrt(2)) (X W_V)")
    assert answer.text == "follows (checked over all 6 permutations), the author's step 6"
    wrong = run.submit("Attn(X)")
    assert wrong.verdict == "different"
    assert "P" in (wrong.counterexample or {})


def test_a_fact_is_kept_beside_the_chain(built_in: Find) -> None:
    run = DerivationRun(built_in("permutation-equivariance"))
    answer = run.submit("P^T P = [[1,0,0],[0,1,0],[0,0,1]]")
    assert answer.verdict == "equal"
    assert run.lines[-1].fact
    assert run.current is run.lines[0]


def test_hints_come_in_stages_and_reveal_goes_on_from_there(built_in: Find) -> None:
    derivation = built_in("rotation-composition")
    run = DerivationRun(derivation)
    assert run.hint() == derivation.steps[1].hint
    assert run.hint() == derivation.steps[1].why
    assert "reveal" in run.hint()
    assert run.hints == 2
    revealed = run.reveal()
    assert revealed is not None
    assert (revealed.origin, revealed.how) == ("revealed", "proved")
    assert run.hint() == derivation.steps[2].hint
    while run.reveal() is not None:
        pass
    assert run.finished
    assert run.suggested_grade == 1


def test_undo_takes_lines_back_but_slips_stay(built_in: Find) -> None:
    run = DerivationRun(built_in("rotation-composition"))
    assert not run.undo()
    run.submit("R((n+m) theta)")
    run.submit("R((n-m) theta)")
    assert run.finished
    assert run.undo()
    assert not run.finished
    assert len(run.lines) == 1
    assert run.mistakes == 1


def test_skipping_shows_the_rest_and_grades_again(built_in: Find) -> None:
    derivation = built_in("yarn-ramp-and-temperature")
    run = DerivationRun(derivation)
    added = run.skip_to_goal()
    assert len(added) == len(derivation.steps) - 1
    assert sum(written.fact for written in added) == 2
    assert run.finished
    assert run.suggested_grade == 1
    assert run.undo()
    assert not run.finished


@pytest.mark.parametrize(("slips", "grade"), [(0, 4), (1, 3), (2, 2), (3, 1)])
def test_the_grade_follows_slips(built_in: Find, slips: int, grade: int) -> None:
    run = DerivationRun(built_in("rotation-composition"))  # four steps to find
    for _ in range(slips):
        run.submit("R((n+m) theta)")
    run.submit("R((n-m) theta)")
    assert run.suggested_grade == grade
