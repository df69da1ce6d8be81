"""Find the one spoiled line of a derivation: an exercise made from any derivation."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass

from quizapp.algebra import Expression, Unreadable, spoil, to_latex
from quizapp.derivations.checker import Checker
from quizapp.derivations.model import Derivation
from quizapp.derivations.reading import DerivationError
from quizapp.derivations.words import apart


@dataclass(frozen=True)
class Found:
    """What is said of a guess."""

    right: bool
    text: str


@dataclass(frozen=True)
class WrongStepExercise:
    """A derivation in which one line is wrong.

    ``lines`` is the chain as LaTeX, all drawn in the same way, so that looks give nothing away. ``wrong``
    is the 0-based line that doesn't follow from the one before; ``slip`` says which mistake was made,
    ``counterexample`` where it shows.
    """

    derivation: Derivation
    lines: tuple[str, ...]
    texts: tuple[str, ...]
    wrong: int
    slip: str
    counterexample: str
    right_line: str

    def answer(self, line: int) -> Found:
        """Judge a guess: the 0-based line said to be the wrong one."""
        if not 0 <= line < len(self.lines):
            raise ValueError(f"there are lines 1 to {len(self.lines)}")
        shown = f"{self.slip.rstrip('.')}; {self.counterexample}" if self.counterexample else self.slip
        if line == self.wrong:
            return Found(True, f"right, line {line + 1} is wrong: {shown}")
        return Found(
            False, f"line {line + 1} is not where it goes wrong; it is line {self.wrong + 1}: {shown}"
        )


def find_wrong_step(derivation: Derivation, seed: int, *, limit: float = 2.0) -> WrongStepExercise:
    """Spoil one line by a known slip that provably changes its value. The same seed gives the same exercise.

    The ends stay as they are, since the claim shows them.

    Raises:
        DerivationError: no line can be spoiled so, or the derivation can't be read.
    """
    checker = Checker(derivation, limit=limit)
    try:
        chain = [checker.read(step.expr) for step in derivation.steps if step.expr is not None]
    except Unreadable as error:
        raise DerivationError(f"{derivation.path}:{derivation.claim_line}: {error}") from None
    for index, broken, slip in _candidates(checker, chain, seed):
        try:
            found = checker.compare(chain[index - 1], broken)
        except Unreadable:
            continue  # without its transpose, say, a product has no meaning
        if found.outcome != "different":
            continue  # still true, or nobody can tell: no fair question
        lines = [*chain[:index], broken, *chain[index + 1 :]]
        return WrongStepExercise(
            derivation,
            tuple(to_latex(line) for line in lines),
            tuple(line.text for line in lines),
            index,
            slip,
            apart(found, f"line {index}", f"line {index + 1}"),
            chain[index].text,
        )
    raise DerivationError(
        f"{derivation.path}:1: no known slip changes the value of a step of {derivation.id}"
    )


def _candidates(
    checker: Checker, chain: list[Expression], seed: int
) -> Iterator[tuple[int, Expression, str]]:
    """Spoiled lines in a seeded order, one from each step in turn, so that long steps aren't favoured."""
    chance = random.Random(seed)
    inner = list(range(1, len(chain) - 1)) or list(range(1, len(chain)))
    chance.shuffle(inner)
    spoiled = {}
    for index in inner:
        spoiled[index] = spoil(chain[index], checker.names, seed)
        chance.shuffle(spoiled[index])
    for round_ in range(max(map(len, spoiled.values()), default=0)):
        for index in inner:
            if round_ < len(spoiled[index]):
                expression, slip = spoiled[index][round_]
                yield index, expression, slip.text
