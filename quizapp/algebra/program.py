"""Core trees as straight-line programs: each shared part is worked out once, by any kind of number."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Protocol

from quizapp.algebra.errors import Uncertain, Undefined
from quizapp.algebra.tree import Expression

MAX_LOOP = 3000


@dataclass(frozen=True)
class Program:
    """``steps`` in order of need, ``results`` the places of the values asked for.

    A step is ``(head, value, places)``; a sum's value is ``(bound name, Program of the term)``, a power's is
    whether its exponent is surely an integer.
    """

    steps: tuple[tuple[str, Any, tuple[int, ...]], ...]
    results: tuple[int, ...]

    def to_json(self) -> list[Any]:
        """For the pipe to the sympy process: lists and strings only."""
        steps: list[Any] = []
        for head, value, places in self.steps:
            if head == "sum":
                value = [value[0], value[1].to_json()]
            elif isinstance(value, Fraction):
                value = str(value)
            steps.append([head, value, places])
        return [steps, list(self.results)]


def compile_program(nodes: Sequence[Expression], integers: Collection[str]) -> Program:
    """The program that works out all of ``nodes``; ``integers`` are the symbols known to be integers."""
    steps: list[tuple[str, Any, tuple[int, ...]]] = []
    places: dict[bytes, int] = {}
    whole: dict[bytes, bool] = {}

    def visit(node: Expression) -> int:
        known = places.get(node.digest)
        if known is not None:
            return known
        value: Any = node.value
        inner: tuple[int, ...]
        if node.head == "sum":
            body = compile_program([node.args[0]], {*integers, node.name})
            inner = (visit(node.args[1]), visit(node.args[2]))
            value = (node.name, body)
        else:
            inner = tuple(map(visit, node.args))
        if node.head == "pow":
            value = whole[node.args[1].digest]
        whole[node.digest] = (
            (node.head == "num" and node.number.denominator == 1)
            or (node.head == "sym" and node.name in integers)
            or (node.head in ("add", "mul") and all(whole[a.digest] for a in node.args))
            or (node.head == "call" and node.value in ("floor", "ceil", "sign"))
        )
        steps.append((node.head, value, inner))
        places[node.digest] = len(steps) - 1
        return places[node.digest]

    results = tuple(map(visit, nodes))
    return Program(tuple(steps), results)


class Field(Protocol):
    """A kind of number that a program can be run with."""

    def number(self, value: Fraction) -> Any:
        """An exact number."""

    def constant(self, name: str) -> Any:
        """``pi``, ``e`` or ``I``."""

    def add(self, values: list[Any]) -> Any:
        """A sum."""

    def mul(self, values: list[Any]) -> Any:
        """A product."""

    def power(self, base: Any, exponent: Any, whole: bool) -> Any:
        """A power; ``whole`` says that the exponent is an integer by its form."""

    def call(self, name: str, args: list[Any]) -> Any:
        """A built-in function."""

    def integer(self, value: Any) -> int:
        """The integer that a bound of a sum is. Raises ``Undefined``."""


def run(program: Program, env: Mapping[str, Any], field: Field) -> list[Any]:
    """The values of a program; ``env`` gives the symbols' values in the field.

    Raises ``Undefined`` where a part has no value, ``Uncertain`` where the field cannot tell.
    """
    values: list[Any] = []
    for head, value, places in program.steps:
        if head == "mul":
            found = field.mul([values[i] for i in places])
        elif head == "add":
            found = field.add([values[i] for i in places])
        elif head == "sym":
            found = env[value]
        elif head == "num":
            found = field.number(value)
        elif head == "pow":
            found = field.power(values[places[0]], values[places[1]], value)
        elif head == "call":
            found = field.call(value, [values[i] for i in places])
        elif head == "const":
            found = field.constant(value)
        elif head == "sum":
            found = _sum(
                value, field.integer(values[places[0]]), field.integer(values[places[1]]), env, field
            )
        else:
            raise AssertionError(head)
        values.append(found)
    return [values[i] for i in program.results]


def _sum(value: tuple[str, Program], lower: int, upper: int, env: Mapping[str, Any], field: Field) -> Any:
    name, body = value
    if upper < lower - 1:
        raise Undefined
    if upper - lower > MAX_LOOP:
        raise Uncertain
    terms = [run(body, {**env, name: field.number(Fraction(k))}, field)[0] for k in range(lower, upper + 1)]
    return field.add(terms) if terms else field.number(Fraction(0))
