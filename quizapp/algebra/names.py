"""What a reader may take for granted: declared symbols, named functions and matrices."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from math import ceil, floor
from typing import TYPE_CHECKING

from quizapp.algebra.errors import Unreadable
from quizapp.algebra.tokens import tokenize
from quizapp.errors import UsageError

if TYPE_CHECKING:
    from quizapp.algebra.tree import Expression

KINDS = ("real", "positive", "nonnegative", "integer", "positive integer", "nonnegative integer", "complex")

_BOUND = re.compile(r"(>=|<=|>|<|≥|≤)\s*(-?\d+(?:\.\d+)?(?:/\d+)?)")
_BETWEEN = re.compile(
    r"^\s*(-?\d+(?:\.\d+)?(?:/\d+)?)\s*(<=|<|≤)\s*([a-z ]+?)\s*(<=|<|≤)\s*(-?\d+(?:\.\d+)?(?:/\d+)?)\s*$"
)


@dataclass(frozen=True)
class Assumption:
    """Where a symbol lives; ``open_lower`` and ``open_upper`` leave the bounds themselves out."""

    integer: bool = False
    complex: bool = False
    lower: Fraction | None = None
    open_lower: bool = False
    upper: Fraction | None = None
    open_upper: bool = False

    @property
    def positive(self) -> bool:
        """Whether every value is above zero."""
        return self.lower is not None and (self.lower > 0 or (self.lower == 0 and self.open_lower))

    @property
    def nonnegative(self) -> bool:
        """Whether no value is below zero."""
        return self.lower is not None and self.lower >= 0

    @property
    def negative(self) -> bool:
        """Whether every value is below zero."""
        return self.upper is not None and (self.upper < 0 or (self.upper == 0 and self.open_upper))

    def allows(self, value: Fraction) -> bool:
        """Whether a symbol may take this value."""
        if self.integer and value.denominator != 1:
            return False
        if self.lower is not None and (value < self.lower or (self.open_lower and value == self.lower)):
            return False
        return self.upper is None or value < self.upper or (not self.open_upper and value == self.upper)


REAL = Assumption()


def parse_assumption(name: str, text: str) -> Assumption:
    """Read ``real``, ``positive integer``, ``real > 2``, ``0 < real < 1``. Raises ``UsageError``."""
    between = _BETWEEN.match(text)
    if between:
        low, first, words, second, high = between.groups()
        text = f"{words} {first.replace('<', '>').replace('≤', '>=')} {low} {second} {high}"
    words = " ".join(_BOUND.sub(" ", text).replace(",", " ").replace(" and ", " ").split())
    if words not in KINDS:
        raise UsageError(
            f"symbol {name}: the assumption {text!r} is not known; write one of {', '.join(KINDS)}, "
            'with a range where it helps ("real > 2")'
        )
    bounds = _BOUND.findall(text)
    if words == "complex":
        if bounds:
            raise UsageError(f"symbol {name}: a complex symbol has no range")
        return Assumption(complex=True)
    lower: tuple[Fraction, bool] | None = None
    upper: tuple[Fraction, bool] | None = None
    if words.startswith(("positive", "nonnegative")):
        lower = (Fraction(0), words.startswith("positive"))
    for sign, number in bounds:
        try:
            bound = (Fraction(number), sign in "<>")
        except ZeroDivisionError:
            raise UsageError(f"symbol {name}: the bound {number} divides by zero") from None
        if sign in (">", ">=", "≥"):
            lower = bound if lower is None else max(lower, bound)
        else:
            upper = (
                bound if upper is None else min(upper, (bound[0], bound[1]), key=lambda b: (b[0], not b[1]))
            )
    if "integer" in words:
        if lower and (lower[0].denominator != 1 or upper):
            lower = (Fraction(floor(lower[0]) + 1 if lower[1] else ceil(lower[0])), False)
        if upper and (upper[0].denominator != 1 or lower):
            upper = (Fraction(ceil(upper[0]) - 1 if upper[1] else floor(upper[0])), False)
    if lower and upper and (lower[0] > upper[0] or (lower[0] == upper[0] and (lower[1] or upper[1]))):
        raise UsageError(f"symbol {name}: no number satisfies {text!r}")
    low_value, low_open = lower or (None, False)
    high_value, high_open = upper or (None, False)
    return Assumption("integer" in words, False, low_value, low_open, high_value, high_open)


def plain_name(text: str) -> str:
    """The one spelling of a symbol: ``ω_i``, ``\\omega_i``, ``ωᵢ`` and ``omega_i`` are all ``omega_i``.

    Raises ``UsageError`` where the text is not a single name.
    """
    try:
        tokens = tokenize(text)
    except Unreadable as error:
        raise UsageError(f"{text!r} is not a name: {error.message}") from None
    if [token.kind for token in tokens] != ["name", "stop"]:
        raise UsageError(f"{text!r} is not a name: letters, digits and a subscript make one")
    return tokens[0].text


@dataclass(frozen=True)
class Definition:
    """A named function or matrix: its parameters (none for a matrix) and what it stands for, as text."""

    name: str
    parameters: tuple[str, ...]
    text: str


@dataclass(frozen=True)
class Names:
    """Declared symbols, definitions and external functions.

    ``symbols`` maps a name to its assumption (``"real"``, ``"positive integer"``, ``"real > 2"``, ...);
    ``let`` maps ``"R(x)"`` or ``"A"`` to its text; ``functions`` are external numeric functions, which may be
    called and indexed; ``words`` may be their bare arguments. With ``strict`` only declared names are read;
    without, an undeclared symbol is real. Every declaration is checked at once. Raises ``UsageError``.
    """

    symbols: Mapping[str, str] = field(default_factory=dict)
    let: Mapping[str, str] = field(default_factory=dict)
    functions: Collection[str] = ()
    words: Collection[str] = ()
    strict: bool = False

    def __post_init__(self) -> None:
        fix = object.__setattr__
        fix(self, "symbols", dict(self.symbols))
        fix(self, "let", dict(self.let))
        fix(self, "functions", frozenset(self.functions))
        fix(self, "words", frozenset(self.words))
        clash = sorted(set(self.assumptions) & set(self.definitions))
        if clash:
            raise UsageError(f"{clash[0]} is declared as a symbol and defined as well")

    def __hash__(self) -> int:
        return hash(self.key)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Names) and self.key == other.key

    @cached_property
    def key(self) -> tuple[object, ...]:
        """What two equal ``Names`` share."""
        return (
            tuple(sorted(self.symbols.items())),
            tuple(sorted(self.let.items())),
            tuple(sorted(self.functions)),
            tuple(sorted(self.words)),
            self.strict,
        )

    @cached_property
    def assumptions(self) -> Mapping[str, Assumption]:
        """The declared symbols under their plain names."""
        return {plain_name(name): parse_assumption(name, text) for name, text in self.symbols.items()}

    @cached_property
    def definitions(self) -> Mapping[str, Definition]:
        """The ``let`` entries under their plain names."""
        found: dict[str, Definition] = {}
        for head, text in self.let.items():
            definition = _definition(head, text)
            found[definition.name] = definition
        return found

    @cached_property
    def trees(self) -> dict[str, Expression]:
        """Bodies of definitions that were read before; filled by the reader."""
        return {}

    def assumption(self, name: str) -> Assumption:
        """Where a symbol lives; an undeclared one is real."""
        return self.assumptions.get(name, REAL)


def _definition(head: str, text: str) -> Definition:
    name, bracket, rest = head.partition("(")
    if not bracket:
        return Definition(plain_name(head), (), text)
    if not rest.rstrip().endswith(")"):
        raise UsageError(f"the definition of {head!r} needs a closing bracket before its =")
    parameters = tuple(plain_name(part) for part in rest.rstrip()[:-1].split(","))
    if len(set(parameters)) < len(parameters):
        raise UsageError(f"the definition of {head!r} names a parameter twice")
    return Definition(plain_name(name), parameters, text)
