"""Deciding: proofs, certified counterexamples, honest doubt."""

from __future__ import annotations

import json
import random
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from quizapp.algebra import Expression, Names, Verdict, decide, read, to_text
from quizapp.algebra.tree import num
from quizapp.algebra.words import is_matrix
from quizapp.errors import UsageError

PAIRS = json.loads((Path(__file__).parent / "derivation_pairs.json").read_text(encoding="utf-8"))["pairs"]
LIMIT = 20.0


def verdict(a: str, b: str, **symbols: str) -> Verdict:
    return decide(a, b, Names(symbols), limit=LIMIT)


@pytest.mark.parametrize("pair", PAIRS, ids=[pair["id"] for pair in PAIRS])
def test_derivation_pairs(pair: dict[str, Any]) -> None:
    found = decide(pair["a"], pair["b"], Names(pair["symbols"], pair["let"], strict=True), limit=LIMIT)
    assert found.verdict == ("equal" if pair["equal"] else "different"), found.message
    if not pair["equal"]:
        assert found.left != found.right


@pytest.mark.parametrize(
    ("a", "b", "symbols"),
    [
        ("sqrt(x^2)", "|x|", {}),
        ("|x^2-4|", "|x-2||x+2|", {}),
        ("sqrt(5+2sqrt(6))", "sqrt(2)+sqrt(3)", {}),
        ("sin(pi n)", "0", {"n": "integer"}),
        ("(-1)^(2n)", "1", {"n": "integer"}),
        ("n!/(n-1)!", "n", {"n": "positive integer"}),
        ("floor(-x)", "-ceil(x)", {}),
        ("(x y)^a", "x^a y^a", {"x": "positive", "y": "positive"}),
        ("log(x y)", "log(x) + log(y)", {"x": "positive", "y": "positive"}),
        ("log(8, 2)", "3", {}),
        ("z conj(z)", "|z|^2", {"z": "complex"}),
        ("e^z e^w", "e^(z+w)", {"z": "complex", "w": "complex"}),
        ("cosh(x)^2 - sinh(x)^2", "1", {}),
        ("asinh(x)", "ln(x + sqrt(x^2+1))", {}),
        ("cbrt(-x)", "-cbrt(x)", {}),
        ("0.5x", "x/2", {}),
        ("Sum(j, (j, 1, n))", "n(n+1)/2", {"n": "positive integer"}),
        ("Sum(2^j, (j, 0, n))", "2^(n+1) - 1", {"n": "nonnegative integer"}),
        ("Sum(a j + b, (j, 1, n))", "a Sum(j, (j, 1, n)) + b n", {"n": "positive integer"}),
        (
            "Sum(x^j/j!, (j, 1, n))",
            "Sum(x^(k+1)/(k+1)!, (k, 0, n-1))",
            {"n": "positive integer", "x": "positive"},
        ),
        ("Sum(Sum(i j, (i, 1, n)), (j, 1, n))", "(n(n+1)/2)^2", {"n": "positive integer"}),
        ("Sum(Sum(1, (i, 1, j)), (j, 1, n))", "n(n+1)/2", {"n": "positive integer"}),
        ("min(x, y) + max(x, y)", "x + y", {}),
        ("atan(x) + atan(1/x)", "pi/2", {"x": "positive"}),
        ("acos(-x)", "pi - acos(x)", {}),
        ("sin(7 pi)", "0", {}),
        ("cos(pi/5)", "(1+sqrt(5))/4", {}),
        ("max(x, y)", "max(y, x)", {}),
    ],
)
def test_proved(a: str, b: str, symbols: dict[str, str]) -> None:
    assert verdict(a, b, **symbols).verdict == "equal"


@pytest.mark.parametrize(
    ("a", "b", "symbols"),
    [
        ("sqrt(x^2)", "x", {}),
        ("x + 1e-20", "x", {}),
        ("e^(10x)", "e^(10x) + 1e-7", {}),
        ("|x+1000|", "x+1000", {}),
        ("1/3", "0.3333333333333333", {}),
        ("sqrt(z^2)", "z", {"z": "complex"}),
        ("log(z w)", "log(z) + log(w)", {"z": "complex", "w": "complex"}),
        ("floor(x)", "x", {}),
        ("sin(x)", "x", {}),
        ("1/50!", "1/49!", {}),
        ("1/2^99", "1/2^98", {}),
        ("1 - 1/e", "1 + 1/e", {}),
        ("Sum(j, (j, 1, n))", "n^2/2", {"n": "positive integer"}),
        ("n!", "n^2", {"n": "positive integer"}),
    ],
)
def test_certified_different(a: str, b: str, symbols: dict[str, str]) -> None:
    found = verdict(a, b, **symbols)
    assert found.verdict == "different"
    assert found.left != found.right
    values = {name: Fraction(value) for name, value in found.counterexample if "I" not in value}
    for name, value in values.items():
        assert Names(symbols).assumption(name).allows(value)


def test_the_counterexample_names_both_values() -> None:
    found = verdict("(a+b)^2", "a^2+b^2")
    a, b = (Fraction(dict(found.counterexample)[name]) for name in "ab")
    assert found.left == pytest.approx(float((a + b) ** 2))
    assert found.right == pytest.approx(float(a**2 + b**2))


def test_the_counterexample_gives_a_value_to_every_symbol() -> None:
    found = verdict("[[x, y], [0, 1]]", "[[x, 2y], [0, 1]]")
    values = {name: float(Fraction(value)) for name, value in found.counterexample}
    assert found.left == [[values["x"], values["y"]], [0.0, 1.0]]
    assert found.right == [[values["x"], 2 * values["y"]], [0.0, 1.0]]


@pytest.mark.parametrize(
    ("assumption", "expected"),
    [("real", "different"), ("positive", "equal"), ("real > 3", "equal"), ("real < 0", "different")],
)
def test_assumptions_are_used(assumption: str, expected: str) -> None:
    assert verdict("sqrt(x^2)", "x", x=assumption).verdict == expected


@pytest.mark.parametrize(
    ("a", "b", "note"),
    [
        ("x/x", "1", "the first line needs x != 0"),
        ("1", "x/x", "the second line needs x != 0"),
        ("sqrt(x)^2", "x", "the first line needs x >= 0"),
        ("2 log(x)", "log(x^2)", "the first line needs x > 0"),
        ("(x^2-1)/(x-1)", "x+1", "the first line needs x - 1 != 0"),
    ],
)
def test_a_domain_is_a_condition_never_a_difference(a: str, b: str, note: str) -> None:
    found = verdict(a, b)
    assert found.verdict == "equal"
    assert note in found.conditions
    assert found.to_json()["conditions"] == list(found.conditions)


def test_no_condition_where_both_need_it() -> None:
    assert verdict("2/x", "(1+1)/x").conditions == ()
    assert verdict("1/(x^2+1)", "1/(1+x^2)").conditions == ()


@pytest.mark.parametrize(
    ("a", "b", "agrees"),
    [
        ("0.333", "1/3", True),
        ("0.33", "1/3", True),
        ("0.34", "1/3", False),
        ("0.84 x", "x sin(1)", True),
        ("1/2", "1/3", False),
    ],
)
def test_agreement_to_the_digits_given(a: str, b: str, agrees: bool) -> None:
    found = verdict(a, b)
    assert found.verdict == "different"
    assert found.agrees_to_digits is agrees
    assert ("agrees_to_digits" in found.to_json()) is agrees


def test_undecided_says_why() -> None:
    found = verdict("sqrt(-1-x^2)", "3")
    assert found.verdict == "undecided"
    assert "both sides are defined" in found.message
    hard = decide("(cos(x) - 1)^i (cos(x) + 1)^i", "(-sin(x)^2)^i", Names())
    assert hard.verdict == "undecided"
    assert not hard.proved
    assert f"{hard.points} points" in hard.message


@pytest.mark.parametrize(
    ("a", "b", "side", "at"),
    [("x +", "y", "a", 4), ("x", "y)", "b", 2), ("[1,2]+1", "x", "a", 7), ("1/0", "1", "a", 3)],
)
def test_unreadable_says_where(a: str, b: str, side: str, at: int) -> None:
    found = verdict(a, b)
    assert (found.verdict, found.side, found.at) == ("unreadable", side, at)


def test_shapes_that_do_not_fit() -> None:
    assert verdict("[1, 2]", "3").method == "shape"
    assert verdict("[[1, 2], [3, 4]] [1, 2, 3]", "3").verdict == "unreadable"
    assert verdict("[[1, 2]] [3, 4]", "11").verdict == "equal"


def test_the_same_question_gets_the_same_verdict() -> None:
    from quizapp.algebra.deciding import _remembered, _understood

    first = verdict("cos(a-b)", "cos(a)cos(b) - sin(a)sin(b)")
    _remembered.cache_clear()
    _understood.cache_clear()
    assert verdict("cos(a-b)", "cos(a)cos(b) - sin(a)sin(b)") == first


# Random true rewritings and random perturbations

_LEAVES = st.sampled_from(["x", "y", "2", "3", "1/2", "theta"])
_TREES = st.recursive(
    _LEAVES,
    lambda inner: st.one_of(
        st.tuples(inner, inner).map(lambda p: f"({p[0]} + {p[1]})"),
        st.tuples(inner, inner).map(lambda p: f"({p[0]} - {p[1]})"),
        st.tuples(inner, inner).map(lambda p: f"({p[0]})*({p[1]})"),
        inner.map(lambda a: f"cos({a})"),
        inner.map(lambda a: f"sin({a})"),
        inner.map(lambda a: f"({a})^2"),
    ),
    max_leaves=7,
)


def _call(name: str, *args: Expression) -> Expression:
    return Expression("call", args, name)


def rewritten(tree: Expression, generator: random.Random) -> Expression:
    """The same value by identities that hold everywhere, chosen at random."""
    args = [rewritten(argument, generator) for argument in tree.args]
    node = tree.with_args(args) if args else tree
    choice = generator.randrange(6)
    if node.head in ("add", "mul") and choice < 2:
        return node.with_args(reversed(args))
    if node.head == "mul" and choice == 2 and args[-1].head == "add":
        return Expression("add", [Expression("mul", [*args[:-1], term]) for term in args[-1].args])
    if node.head == "pow" and choice < 3:
        return Expression("mul", [args[0], args[0]])
    if node.head == "call" and args[0].head == "add" and len(args[0].args) == 2 and choice < 4:
        a, b = args[0].args
        sin_a, cos_a, sin_b, cos_b = _call("sin", a), _call("cos", a), _call("sin", b), _call("cos", b)
        if node.value == "sin":
            return Expression("add", [Expression("mul", [sin_a, cos_b]), Expression("mul", [cos_a, sin_b])])
        product = Expression("neg", [Expression("mul", [sin_a, sin_b])])
        return Expression("add", [Expression("mul", [cos_a, cos_b]), product])
    if choice == 5:
        return Expression("add", [node, num(1), Expression("neg", [num(1)])])
    return node


def perturbed(tree: Expression, generator: random.Random) -> Expression:
    """A value that differs for sure: a positive amount is added to the whole."""
    extra = generator.choice(["1/1000", "x^2 + 1", "cos(y)^2 + 1/7", "10^(-15)"])
    return Expression("add", [tree, read(extra, Names())])


@settings(max_examples=60, deadline=None)
@given(_TREES, st.integers(0, 2**16))
def test_random_true_rewritings_are_never_different(text: str, seed: int) -> None:
    tree = read(text, Names())
    other = rewritten(tree, random.Random(seed))
    assert decide(tree, read(to_text(other), Names()), Names(), limit=LIMIT).verdict in ("equal", "undecided")


@settings(max_examples=60, deadline=None)
@given(_TREES, st.integers(0, 2**16))
def test_random_perturbations_are_never_equal(text: str, seed: int) -> None:
    generator = random.Random(seed)
    other = perturbed(rewritten(read(text, Names()), generator), generator)
    assert decide(text, to_text(other), Names(), limit=LIMIT).verdict in ("different", "undecided")


@pytest.mark.parametrize("domain", ["integer > 2.5 < 3.5", "integer > 2 < 4", "2 < integer < 4"])
def test_integers_between_bounds_stay_whole_and_inside(domain: str) -> None:
    assert verdict("d", "3", d=domain).verdict != "different"


def test_no_integer_between_two_and_three() -> None:
    with pytest.raises(UsageError, match="no number satisfies"):
        verdict("d", "3", d="integer > 2 < 3")


def test_an_empty_sum_asks_nothing_of_its_terms() -> None:
    head = "sum_{i=1}^{(n-17)^2} sqrt(x) i"
    assert verdict(f"{head} + |x|", f"{head} + x", n="positive integer").verdict != "equal"


def test_a_definition_that_refers_to_itself_is_named() -> None:
    names = Names({}, {"R(x)": "R(x)"})
    with pytest.raises(UsageError, match="R refers to itself"):
        is_matrix(read("R(x)", names), names)
