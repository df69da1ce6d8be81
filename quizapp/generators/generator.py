"""What a family of problems offers: a name, parameters, and a function from drawn values to a problem."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from random import Random
from typing import Any

from quizapp.generators.problem import GeneratorError, Problem, Unsuitable, Value
from quizapp.generators.ranges import Parameter, all_values

Make = Callable[[Mapping[str, Any], Random], Problem]

# Ranges whose problems are nearly all unsuitable fail after so many draws, instead of searching on.
_DRAWS = 500


@dataclass(frozen=True)
class Generator:
    """``make`` gets one value a parameter and a random source; it raises Unsuitable to have them drawn
    again.
    """

    name: str
    title: str
    parameters: Mapping[str, Parameter]
    make: Make

    def check(self, given: Mapping[str, Any]) -> None:
        """Raise GeneratorError unless a card's ``parameters`` fit and at least one problem can be drawn
        from them.
        """
        self.draw(given, 0)

    def draw(self, given: Mapping[str, Any], seed: int | str) -> Problem:
        """The problem of a seed: the same for the same parameters and seed, everywhere."""
        allowed = all_values(self.parameters, given, self.name)
        source = Random(f"{self.name}/{seed}")
        for _ in range(_DRAWS):
            drawn: dict[str, Value] = {name: source.choice(values) for name, values in allowed.items()}
            try:
                problem = self.make(drawn, source)
            except Unsuitable:
                continue
            return dataclasses.replace(problem, generator=self.name, parameters=drawn)
        raise GeneratorError(f"{self.name}: these parameter ranges leave no problem to ask; widen them")
