"""Name the slip behind a wrong line, and make one on purpose."""

from __future__ import annotations

import itertools
import random
import time
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from quizapp.algebra.comparing import Comparison, compare
from quizapp.algebra.errors import Uncertain, Undefined, Unreadable
from quizapp.algebra.floats import ComplexFloats, RealFloats
from quizapp.algebra.meaning import Matrix, Meaning, meaning, symbols_of
from quizapp.algebra.mistakes import MISTAKES, Mistake
from quizapp.algebra.names import Names
from quizapp.algebra.points import points
from quizapp.algebra.printing import to_text
from quizapp.algebra.program import compile_program, run
from quizapp.algebra.reader import read
from quizapp.algebra.tree import Expression, free_symbols, sym

TIME = 0.4
VARIANTS = 600
POINTS = 5
SHOWN = 40
# What one really writes by mistake on a whiteboard comes before what only a typist would.
NATURAL = frozenset(
    [
        "sign",
        "difference-reversed",
        "sum-for-difference",
        "sin-cos",
        "lost-transpose",
        "other-transpose",
        "entry-sign",
        "factor-order",
        "minus-bracket",
        "exponent-sign",
        "factor-two",
        "factor-half",
        "half-angle",
        "double-angle",
        "imaginary-sign",
        "lost-conj",
        "power-of-sum",
        "power-of-product",
        "half-distributed",
        "upside-down",
        "names-swapped",
        "lost-root",
        "exp-of-sum",
        "log-of-sum",
        "exponents-multiplied",
        "upper-bound",
        "lower-bound",
    ]
)


@dataclass(frozen=True)
class Slip:
    """A known mistake: the rule's name, and one sentence that says what happened and where."""

    rule: str
    text: str


def name_slip(previous: str | Expression, typed: str | Expression, names: Names) -> Slip | None:
    """Which known mistake makes the typed line of the one before, or None.

    First each rule is undone at each place of the typed line; where that makes the line true, the place is
    named. Then each is made in the line before. A match is judged by numbers: a hint, never a verdict.
    """
    try:
        before = read(previous, names) if isinstance(previous, str) else previous
        after = read(typed, names) if isinstance(typed, str) else typed
        truth, wrong = _Target(before, names), _Target(after, names)
    except (Unreadable, Undefined):
        return None
    if truth.matches(after):
        return None
    deadline = time.monotonic() + TIME
    everywhere = itertools.chain(_swapped_names(after), _swapped_functions(after))
    undone = ((slip, tree, truth) for slip, tree in everywhere)
    repaired = ((slip, tree, truth) for slip, tree in _variants(after, repair=True))
    made = ((slip, tree, wrong) for slip, tree in _variants(before, repair=False))
    for slip, tree, target in itertools.islice(itertools.chain(undone, repaired, made), VARIANTS):
        if target.matches(tree):
            return slip
        if time.monotonic() > deadline:
            break
    return None


def spoil(expression: Expression, names: Names, seed: int) -> list[tuple[Expression, Slip]]:
    """Wrong versions of a right line, each by one known mistake, in an order drawn from ``seed``.

    Versions that are still true are left out: every one has a certified counterexample.
    """
    try:
        truth = meaning(expression, names)
    except Unreadable:
        return []
    candidates = [*_variants(expression, repair=False), *_swapped_names(expression)]
    random.Random(seed).shuffle(candidates)
    candidates.sort(key=lambda candidate: candidate[0].rule not in NATURAL)
    chosen: list[tuple[Expression, Slip]] = []
    used: set[str] = set()
    for slip, tree in candidates:
        if slip.rule in used or len(chosen) >= 8:
            continue
        if _certainly_differs(truth, tree, names):
            used.add(slip.rule)
            chosen.append((tree.with_text(to_text(tree)), slip))
    return chosen


def _certainly_differs(truth: Meaning, tree: Expression, names: Names) -> bool:
    try:
        other = meaning(tree, names)
    except Unreadable:
        return False
    first, second = _entries(truth), _entries(other)
    if len(first) != len(second) or isinstance(truth, Matrix) != isinstance(other, Matrix):
        return False
    return compare(Comparison.of(first, second, names)).difference is not None


def _entries(side: Meaning) -> tuple[Expression, ...]:
    return side.entries if isinstance(side, Matrix) else (side,)


class _Target:
    """The values of one line at a few points, to hold other lines against."""

    def __init__(self, tree: Expression, names: Names) -> None:
        self.names = names
        found = meaning(tree, names)
        self.shape = found.shape if isinstance(found, Matrix) else (1, 1)
        self.complex = any(names.assumption(name).complex for name in symbols_of(found)) or any(
            part.head == "const" and part.value == "I" for entry in _entries(found) for part in entry.walk()
        )
        symbols = symbols_of(found) | set(names.assumptions)
        self.points: list[tuple[dict[str, Any], list[Any]]] = []
        for point in itertools.islice(points(symbols, names, ()), 8 * POINTS):
            env = {
                name: float(value) if isinstance(value, Fraction) else complex(*map(float, value))
                for name, value in point.items()
            }
            try:
                self.points.append((env, self.values(found, env)))
            except (Undefined, Uncertain, KeyError):
                continue
            if len(self.points) >= POINTS:
                break
        if not self.points:
            raise Undefined

    def values(self, side: Meaning, env: dict[str, Any]) -> list[Any]:
        whole = {name for name in env if self.names.assumption(name).integer}
        field = ComplexFloats() if self.complex else RealFloats()
        return run(compile_program(_entries(side), whole), env, field)

    def matches(self, tree: Expression) -> bool:
        """Whether a line has the same values wherever both have any, at two points or more."""
        try:
            side = meaning(tree, self.names)
        except (Unreadable, RecursionError):
            return False
        if (side.shape if isinstance(side, Matrix) else (1, 1)) != self.shape:
            return False
        agreed = 0
        for env, expected in self.points:
            try:
                found = self.values(side, env)
            except (Undefined, Uncertain):
                continue
            except KeyError:
                return False
            if any(
                abs(x - y) > 1e-9 * max(1.0, abs(x), abs(y)) for x, y in zip(found, expected, strict=True)
            ):
                return False
            agreed += 1
        return agreed >= min(2, len(self.points))


def _variants(tree: Expression, *, repair: bool) -> Iterator[tuple[Slip, Expression]]:
    """The line with one mistake made at one place; ``repair`` words it as one that was made already."""
    seen: set[bytes] = {tree.digest}
    for mistake in MISTAKES:
        for node, changed, whole in _changes(tree, mistake):
            if whole.digest in seen:
                continue
            seen.add(whole.digest)
            yield Slip(*_worded(mistake, node, changed, repair)), whole


_PAIRS = (
    ("lost-transpose", "extra-transpose"),
    ("half-angle", "double-angle"),
    ("upper-bound", "upper-bound-early"),
    ("lower-bound", "lower-bound-early"),
    ("times-for-over", "over-for-times"),
    ("lost-root", "extra-root"),
    ("one-more", "one-less"),
    ("lost-exponent", "extra-square"),
    ("exponents-added", "exponents-multiplied"),
)
# Undoing one of a pair is the other.
_REVERSED = dict(_PAIRS) | {second: first for first, second in _PAIRS}
_LEFT_OUT = {
    "lost-term": "term",
    "lost-factor": "factor",
    "lost-i": "factor I",
    "lost-conj": "complex conjugate",
    "lost-abs": "absolute value",
    "lost-base": "base of a logarithm",
}
_BY_RULE = {mistake.rule: mistake for mistake in MISTAKES}


def _worded(mistake: Mistake, node: Expression, changed: Expression, repair: bool) -> tuple[str, str]:
    if not repair:
        return mistake.rule, mistake.sentence.format(place=_shown(node))
    if mistake.rule in _LEFT_OUT:
        return (
            f"extra-{mistake.rule[5:]}",
            f"There is a {_LEFT_OUT[mistake.rule]} too many in {_shown(node)}.",
        )
    rule = _REVERSED.get(mistake.rule, mistake.rule)
    sentence = _BY_RULE[rule].sentence.format(place=_shown(node))
    return rule, f"{sentence[:-1]}; {_shown(changed)} would be right."


def _shown(node: Expression) -> str:
    text = to_text(node)
    return text if len(text) <= SHOWN else text[: SHOWN - 3] + "..."


def _changes(tree: Expression, mistake: Mistake) -> Iterator[tuple[Expression, Expression, Expression]]:
    """Each place, what it becomes, and the whole line with it."""
    for changed in mistake.change(tree):
        yield tree, changed, changed
    for i, argument in enumerate(tree.args):
        for node, changed, inner in _changes(argument, mistake):
            yield node, changed, tree.with_args((*tree.args[:i], inner, *tree.args[i + 1 :]))


def _swapped_names(tree: Expression) -> Iterator[tuple[Slip, Expression]]:
    """Two symbols exchanged everywhere: m and n, i and j, q and k."""
    ordered = sorted(free_symbols(tree))[:10]
    for first, second in itertools.combinations(ordered, 2):
        swapped = _renamed(tree, {first: second, second: first})
        yield Slip("names-swapped", f"{first} and {second} are swapped."), swapped
    for first, second in itertools.permutations(ordered[:6], 2):
        slip = Slip("wrong-name", f"{second} and {first} are confused: one stands where the other is meant.")
        yield slip, _renamed(tree, {first: second})


def _swapped_functions(tree: Expression) -> Iterator[tuple[Slip, Expression]]:
    """Sine and cosine of one angle exchanged everywhere."""
    angles = {
        node.args[0]: None for node in tree.walk() if node.head == "call" and node.value in ("sin", "cos")
    }
    for angle in list(angles)[:8]:
        text = f"Sine and cosine of {_shown(angle)} are mixed up throughout."
        yield Slip("sin-cos", text), _exchanged(tree, angle)


def _exchanged(tree: Expression, angle: Expression) -> Expression:
    args = [_exchanged(argument, angle) for argument in tree.args]
    if tree.head == "call" and tree.value in ("sin", "cos") and tree.args[0] == angle:
        return Expression("call", args, "cos" if tree.value == "sin" else "sin")
    return tree.with_args(args) if args else tree


def _renamed(tree: Expression, table: dict[str, str]) -> Expression:
    if tree.head == "sym":
        return sym(table.get(tree.name, tree.name))
    return tree.with_args(_renamed(argument, table) for argument in tree.args) if tree.args else tree
