"""The finite ranges of ``for_all``: from what the author wrote to one set of names per case."""

from __future__ import annotations

import itertools
import math
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from quizapp.algebra import Names
from quizapp.derivations.model import Derivation
from quizapp.derivations.reading import DerivationError

# Past this a range is no longer something one checks case by case while a learner waits.
MOST_CASES = 720

_RANGE = re.compile(r"\s*([-+−]?\d+)\s*:\s*([-+−]?\d+)\s*")
_PERMUTATIONS = re.compile(r"\s*permutations?\s*\(\s*(\d+)\s*\)\s*")


@dataclass(frozen=True)
class Case:
    """One choice of values for the ``for_all`` names (name to its text) and the names to read and decide with."""

    values: tuple[tuple[str, str], ...]
    names: Names


@dataclass(frozen=True)
class Range:
    """One ``for_all`` entry: every value as text, and what the values are called in a sentence."""

    name: str
    values: tuple[str, ...]
    noun: str


def ranges(derivation: Derivation) -> tuple[Range, ...]:
    """Read every ``for_all`` entry.

    Raises:
        DerivationError: an entry is no range, is empty, or there are too many cases in all.
    """
    found = tuple(_range(derivation, name, value) for name, value in derivation.for_all.items())
    count = math.prod(len(entry.values) for entry in found)
    if count > MOST_CASES:
        raise DerivationError(
            f"{derivation.path}:{derivation.claim_line}: for_all has {count} cases; at most {MOST_CASES} are checked, "
            "so narrow a range"
        )
    return found


def names_of(derivation: Derivation, values: Iterable[tuple[str, str]] = ()) -> Names:
    """The names a line of the derivation may use; ``values`` stand for the ``for_all`` names."""
    return Names(symbols=derivation.symbols, let={**dict(values), **derivation.let}, strict=True)


def cases(derivation: Derivation, texts: Iterable[str]) -> tuple[tuple[Case, ...], str]:
    """The cases over which lines with these texts have to be compared, and what they are called.

    A name that no text mentions, directly or through ``let``, needs no cases: with none needed there is one case, and
    the words are empty. A sentence says "checked over all " and the words ("6 permutations", "8 values of k").
    """
    entries = ranges(derivation)
    used = _mentioned(derivation, texts)
    needed = [entry for entry in entries if entry.name in used]
    # Lines may be read only if every name has a value, so the names not needed get their first one.
    rest = [(entry.name, entry.values[0]) for entry in entries if entry.name not in used]
    found = tuple(
        Case(chosen, names_of(derivation, [*chosen, *rest]))
        for values in itertools.product(*(entry.values for entry in needed))
        for chosen in [tuple(zip((entry.name for entry in needed), values, strict=True))]
    )
    if not needed:
        return found, ""
    return found, f"{len(found)} {needed[0].noun if len(needed) == 1 else 'cases'}"


def _mentioned(derivation: Derivation, texts: Iterable[str]) -> set[str]:
    """The names that texts use, with those that definitions of ``let`` use in turn. Errs on the side of too many."""
    bodies = {key.split("(")[0].strip(): body for key, body in derivation.let.items()}
    found: set[str] = set()
    waiting = list(texts)
    while waiting:
        text = waiting.pop()
        for name in {*derivation.for_all, *bodies} - found:
            # Glued words (`Pk`) may split into declared names, so a name counts wherever its letters stand.
            if name in text:
                found.add(name)
                if name in bodies:
                    waiting.append(bodies[name])
    return found


def _range(derivation: Derivation, name: str, value: str | list[str | int | float]) -> Range:
    values: Iterator[str] | tuple[str, ...]
    noun = f"values of {name}"
    if isinstance(value, list):
        values = tuple(str(entry) for entry in value)
    elif match := _RANGE.fullmatch(value):
        low, high = (int(part.replace("−", "-")) for part in match.groups())
        if high - low > MOST_CASES:
            raise DerivationError(_at(derivation, f"for_all {name} = {value!r} has more than {MOST_CASES} values"))
        values = tuple(str(number) for number in range(low, high))
    elif match := _PERMUTATIONS.fullmatch(value):
        size = int(match[1])
        if not 1 <= size <= 6:
            raise DerivationError(_at(derivation, f"for_all {name}: permutations(N) takes N from 1 to 6, not {size}"))
        values, noun = tuple(_permutation_matrices(size)), "permutations"
    else:
        raise DerivationError(
            _at(derivation, f"for_all {name} = {value!r} is no range; write \"0:8\", \"permutations(3)\" or a list of values")
        )
    if not values:
        raise DerivationError(_at(derivation, f"for_all {name} is empty; a claim over nothing says nothing"))
    return Range(name, tuple(values), noun)


def _permutation_matrices(size: int) -> Iterator[str]:
    for order in itertools.permutations(range(size)):
        rows = ("[" + ", ".join("1" if j == k else "0" for j in range(size)) + "]" for k in order)
        yield "[" + ", ".join(rows) + "]"


def _at(derivation: Derivation, message: str) -> str:
    return f"{derivation.path}:{derivation.claim_line}: {message}"
