"""The finite ranges of ``for_all``: from what the author wrote to one choice of values per case."""

from __future__ import annotations

import itertools
import math
import re
from collections.abc import Iterator
from dataclasses import dataclass

from quizapp.derivations.model import Derivation
from quizapp.derivations.reading import DerivationError

# Past this a range is no longer something one checks case by case while a learner waits.
MOST_CASES = 720

_RANGE = re.compile(r"\s*([-+−]?\d+)\s*:\s*([-+−]?\d+)\s*")
_PERMUTATIONS = re.compile(r"\s*permutations?\s*\(\s*(\d+)\s*\)\s*")


@dataclass(frozen=True)
class Case:
    """One choice of values for the ``for_all`` names: pairs of a name and its value as text."""

    values: tuple[tuple[str, str], ...]


def cases(derivation: Derivation) -> tuple[tuple[Case, ...], str]:
    """Every case, and what cases are called in a sentence ("permutations", "values of k", "cases").

    Without ``for_all`` there is one case with no values.

    Raises:
        DerivationError: an entry is no range or is empty, or there are too many cases in all.
    """
    found = {name: _range(derivation, name, value) for name, value in derivation.for_all.items()}
    count = math.prod(len(values) for values, _ in found.values())
    if count > MOST_CASES:
        raise _wrong(
            derivation, f"for_all has {count} cases and at most {MOST_CASES} are checked; narrow a range"
        )
    chosen = itertools.product(*(values for values, _ in found.values()))
    noun = next(iter(found.values()))[1] if len(found) == 1 else "cases"
    return tuple(Case(tuple(zip(found, values, strict=True))) for values in chosen), noun


def _range(
    derivation: Derivation, name: str, value: str | list[str | int | float]
) -> tuple[tuple[str, ...], str]:
    noun = f"values of {name}"
    if isinstance(value, list):
        values = tuple(str(entry) for entry in value)
    elif match := _RANGE.fullmatch(value):
        low, high = (int(part.replace("−", "-")) for part in match.groups())
        if high - low > MOST_CASES:
            raise _wrong(
                derivation, f"for_all {name} = {value!r} has more than {MOST_CASES} values; narrow it"
            )
        values = tuple(str(number) for number in range(low, high))
    elif match := _PERMUTATIONS.fullmatch(value):
        size = int(match[1])
        if not 1 <= size <= 6:
            raise _wrong(derivation, f"for_all {name}: permutations(N) takes N from 1 to 6, not {size}")
        values, noun = tuple(_permutation_matrices(size)), "permutations"
    else:
        raise _wrong(
            derivation,
            f'for_all {name} = {value!r} is no range; write "0:8", "permutations(3)" or a list of values',
        )
    if not values:
        raise _wrong(derivation, f"for_all {name} is empty, so the claim would say nothing; give it a value")
    return values, noun


def _permutation_matrices(size: int) -> Iterator[str]:
    for order in itertools.permutations(range(size)):
        rows = ("[" + ", ".join("1" if j == k else "0" for j in range(size)) + "]" for k in order)
        yield "[" + ", ".join(rows) + "]"


def _wrong(derivation: Derivation, message: str) -> DerivationError:
    return DerivationError(f"{derivation.path}:{derivation.for_all_line}: {message}")
