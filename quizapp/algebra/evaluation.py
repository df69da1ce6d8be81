"""The number that a line comes to, with external functions for what is not algebra."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from typing import Any

from quizapp.algebra.errors import Uncertain, Undefined, Unreadable
from quizapp.algebra.floats import ComplexFloats
from quizapp.algebra.meaning import Matrix, meaning
from quizapp.algebra.names import Names
from quizapp.algebra.program import compile_program, run
from quizapp.algebra.tree import Expression, sym

Number = float | complex
Result = Number | list[Any]


def evaluate(
    expression: Expression,
    names: Names,
    values: Mapping[str, Fraction | float | complex] | None = None,
    functions: Mapping[str, Callable[..., Any]] | None = None,
) -> Result:
    """The value of a line as a float (a complex where it is one), or nested lists of them.

    ``values`` are those of its symbols, ``functions`` the external ones it calls; these get numbers (an
    ``int`` where it is whole) and bare words as text, and may return numbers, sequences or arrays.
    Raises ``Unreadable`` where a value is missing, does not exist, or a function refuses its arguments.
    """
    return _Evaluation(names, dict(values or {}), dict(functions or {})).value(expression)


class _Evaluation:
    def __init__(
        self,
        names: Names,
        values: dict[str, Fraction | float | complex],
        functions: dict[str, Callable[..., Any]],
    ) -> None:
        self.names = names
        self.values = values
        self.functions = functions
        self.found: dict[str, Number] = {}

    def value(self, tree: Expression) -> Result:
        """A call standing alone may give a whole array; inside a formula it must give a number."""
        if tree.head in ("external", "index"):
            external = self.external(tree)
            if external is not None:
                return external
        plain = meaning(self.with_numbers(tree), self.names)
        return self.matrix(plain) if isinstance(plain, Matrix) else self.numbers((plain,), tree.start + 1)[0]

    def matrix(self, plain: Matrix) -> list[Any]:
        flat = self.numbers(plain.entries, 1)
        rows, columns = plain.shape
        return [list(flat[i * columns : (i + 1) * columns]) for i in range(rows)]

    def numbers(self, entries: Sequence[Expression], column: int) -> list[Number]:
        program = compile_program(entries, {name for name, value in self.values.items() if _whole(value)})
        given: dict[str, Any] = {**{name: _float(value) for name, value in self.values.items()}, **self.found}
        try:
            return [_real(value) for value in run(program, given, ComplexFloats())]
        except KeyError as missing:
            raise Unreadable(f"{missing.args[0]} has no value", column) from None
        except Undefined:
            raise Unreadable(
                "this has no value: it divides by zero or leaves a function's domain", column
            ) from None
        except Uncertain:
            raise Unreadable("this value is too large to compute", column) from None

    def with_numbers(self, tree: Expression) -> Expression:
        """The tree with every external call replaced by a symbol that has its value."""
        if tree.head in ("external", "index"):
            number = self.external(tree)
            if number is not None:
                if isinstance(number, list):
                    return _literal(number, self.hold, tree)
                return self.hold(number)
        return tree.with_args(map(self.with_numbers, tree.args)) if tree.args else tree

    def hold(self, number: Number) -> Expression:
        name = f"#value{len(self.found)}"
        self.found[name] = number
        return sym(name)

    def external(self, tree: Expression) -> Result | None:
        """What an external call gives, indexed; None where the tree is no such call."""
        indices: list[tuple[int, ...]] = []
        call = tree
        while call.head == "index":
            indices.append(tuple(self.index(argument) for argument in call.args[1:]))
            call = call.args[0]
        if call.head != "external":
            return None
        result = self.called(call)
        for place in [step for group in reversed(indices) for step in group]:
            if not isinstance(result, list) or not -len(result) <= place < len(result):
                size = f"has {len(result)} entries" if isinstance(result, list) else "is a number"
                raise Unreadable(
                    f"the index {place} does not fit: {call.name}(...) {size} there", tree.start + 1
                )
            result = result[place]
        return result

    def index(self, tree: Expression) -> int:
        value = self.value(tree)
        if isinstance(value, list | complex) or value != round(value):
            raise Unreadable("an index must be a whole number", tree.start + 1)
        return round(value)

    def called(self, call: Expression) -> Result:
        function = self.functions.get(call.name)
        if function is None:
            raise Unreadable(f"{call.name} is not a function that can be computed here", call.start + 1)
        arguments = [a.name if a.head == "word" else _argument(self.value(a)) for a in call.args]
        try:
            return _nested(function(*arguments))
        except Unreadable:
            raise
        except (TypeError, ValueError, ArithmeticError, LookupError) as error:
            raise Unreadable(f"{call.name} refuses its arguments: {error}", call.start + 1) from None


def _literal(value: Any, hold: Callable[[Number], Expression], tree: Expression) -> Expression:
    rows = value if value and isinstance(value[0], list) else [[item] for item in value]
    flat = [item for row in rows for item in row]
    if not rows or any(isinstance(item, list) for item in flat) or len({len(row) for row in rows}) > 1:
        raise Unreadable(
            "only vectors and matrices can stand in a formula: index this further", tree.start + 1
        )
    return Expression("mat", map(hold, flat), (len(rows), len(rows[0])), start=tree.start, end=tree.end)


def _whole(value: Fraction | float | complex) -> bool:
    return not isinstance(value, complex) and value == int(value)


def _float(value: Fraction | float | complex) -> Number:
    return value if isinstance(value, complex) else float(value)


def _real(value: Any) -> Number:
    return value.real if isinstance(value, complex) and value.imag == 0 else value


def _argument(value: Result) -> Any:
    if isinstance(value, float) and value == round(value) and abs(value) < 2**53:
        return round(value)
    return value


def _nested(value: Any) -> Result:
    """Numbers and nested lists of whatever array or sequence came back."""
    if hasattr(value, "tolist"):
        value = value.tolist()
    if isinstance(value, list | tuple):
        return [_nested(item) for item in value]
    if isinstance(value, complex):
        return _real(value)
    if isinstance(value, str) or value is None:
        raise ValueError("it gives no number")
    return float(value)
