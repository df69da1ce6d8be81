"""Problems to work by hand, drawn anew: pure functions of a name, parameter ranges and a seed."""

from __future__ import annotations

import difflib
from collections.abc import Mapping
from typing import Any

from quizapp.generators import (
    alibi,
    context,
    masks,
    numbers,
    positions,
    relative,
    rope,
    scaling,
    sinusoidal,
)
from quizapp.generators.generator import Generator
from quizapp.generators.problem import Choice, GeneratorError, Problem, Slip
from quizapp.generators.ranges import Parameter

__all__ = [
    "GENERATORS",
    "Choice",
    "Generator",
    "GeneratorError",
    "Parameter",
    "Problem",
    "Slip",
    "find",
    "generate",
]

GENERATORS: Mapping[str, Generator] = {
    generator.name: generator
    for family in (sinusoidal, rope, relative, alibi, context, scaling, positions, masks, numbers)
    for generator in family.GENERATORS
}


def find(name: str) -> Generator:
    """The generator of that name; raises GeneratorError with a suggestion for an unknown one."""
    if name in GENERATORS:
        return GENERATORS[name]
    near = difflib.get_close_matches(name, GENERATORS, n=1)
    hint = f"did you mean {near[0]}? " if near else ""
    raise GeneratorError(f"unknown generator {name!r}; {hint}Known: {', '.join(GENERATORS)}")


def generate(name: str, parameters: Mapping[str, Any], seed: int | str) -> Problem:
    """Draw one problem. ``parameters`` narrows the generator's ranges, as a card's ``parameters`` does."""
    return find(name).draw(parameters, seed)
