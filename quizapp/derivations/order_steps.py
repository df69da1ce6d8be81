"""Put the shuffled lines of a derivation right: an exercise made from any derivation."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass

from quizapp.derivations.model import Derivation, Step


@dataclass(frozen=True)
class Placed:
    """What is said of a proposed order.

    ``wrong`` is the 0-based place of the first line that stands wrong.
    """

    right: bool
    text: str
    wrong: int | None = None


@dataclass(frozen=True)
class OrderExercise:
    """The lines to put right.

    The first line, the claim's left side, stays where it is; ``shuffled`` holds the others.
    ``order`` is the right order as indices into ``shuffled``.
    """

    derivation: Derivation
    first: Step
    shuffled: tuple[Step, ...]
    order: tuple[int, ...]

    def answer(self, order: Sequence[int]) -> Placed:
        """Judge an order, given as indices into ``shuffled``.

        Raises:
            ValueError: it doesn't name each line once.
        """
        if sorted(order) != list(range(len(self.shuffled))):
            raise ValueError(f"name each of the {len(self.shuffled)} lines once")
        for place, (given, wanted) in enumerate(zip(order, self.order, strict=True)):
            if given != wanted:
                return Placed(
                    False, f"right up to place {place}; then comes this: {self.shuffled[wanted].why}", place
                )
        return Placed(True, "right: every line follows from the one before")


def order_steps(derivation: Derivation, seed: int) -> OrderExercise:
    """Shuffle the lines of the chain; the same seed gives the same order, and never the right one if there
    is another.
    """
    first, *rest = [step for step in derivation.steps if step.expr is not None] or derivation.steps
    places = list(range(len(rest)))
    chance = random.Random(seed)
    while len(rest) > 1 and places == sorted(places):
        chance.shuffle(places)
    order = tuple(places.index(index) for index in range(len(rest)))
    return OrderExercise(derivation, first, tuple(rest[index] for index in places), order)
