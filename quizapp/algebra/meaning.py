"""What a typed tree means: definitions put in, matrices worked out, finite sums written out."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from quizapp.algebra import core
from quizapp.algebra.definitions import body
from quizapp.algebra.errors import Unreadable
from quizapp.algebra.names import Names
from quizapp.algebra.tree import Expression, free_symbols, num, sym

MAX_TERMS = 512
MAX_DEPTH = 120
MAX_ENTRIES = 400
MAX_NODES = 60_000


@dataclass(frozen=True)
class Matrix:
    """Entries in core form, row by row."""

    rows: tuple[tuple[Expression, ...], ...]

    @property
    def shape(self) -> tuple[int, int]:
        """Rows and columns."""
        return len(self.rows), len(self.rows[0])

    @property
    def entries(self) -> tuple[Expression, ...]:
        """All entries, row by row."""
        return tuple(entry for row in self.rows for entry in row)

    def map(self, change: Callable[[Expression], Expression]) -> Matrix:
        """The matrix of the changed entries."""
        return Matrix(tuple(tuple(map(change, row)) for row in self.rows))


Meaning = Expression | Matrix


def meaning(tree: Expression, names: Names) -> Meaning:
    """The core form of a typed tree. Raises ``Unreadable`` where shapes do not fit or it grows too large.

    A 1 x 1 matrix is its entry.
    """
    return _Work(names).value(tree, {})


def _entry(value: Meaning) -> Meaning:
    return value.rows[0][0] if isinstance(value, Matrix) and value.shape == (1, 1) else value


class _Work:
    def __init__(self, names: Names) -> None:
        self.names = names
        self.fresh = 0
        self.budget = MAX_NODES
        self.depth = 0

    def value(self, tree: Expression, given: Mapping[str, Meaning]) -> Meaning:
        """``given`` are the values of parameters and of bound names."""
        self.budget -= 1
        if self.budget < 0:
            raise Unreadable("this grows too large when it is written out", tree.start + 1)
        self.depth += 1
        if self.depth > MAX_DEPTH:
            raise Unreadable("definitions are nested too deep", tree.start + 1)
        found = _entry(getattr(self, f"_{tree.head}")(tree, given))
        self.depth -= 1
        return found

    def scalar(self, tree: Expression, given: Mapping[str, Meaning], what: str) -> Expression:
        found = self.value(tree, given)
        if isinstance(found, Matrix):
            raise Unreadable(f"{what} must be a number, not a {_shape(found)} matrix", tree.start + 1)
        return found

    def _num(self, tree: Expression, given: Mapping[str, Meaning]) -> Meaning:  # noqa: ARG002
        return Expression("num", (), tree.number)

    _dec = _num

    def _sym(self, tree: Expression, given: Mapping[str, Meaning]) -> Meaning:
        return given.get(tree.name) or sym(tree.name)

    def _const(self, tree: Expression, given: Mapping[str, Meaning]) -> Meaning:  # noqa: ARG002
        return Expression("const", (), tree.value)

    def _word(self, tree: Expression, given: Mapping[str, Meaning]) -> Meaning:  # noqa: ARG002
        raise Unreadable(f"{tree.name} is a word for a function's argument, not a number", tree.start + 1)

    def _external(self, tree: Expression, given: Mapping[str, Meaning]) -> Meaning:  # noqa: ARG002
        raise Unreadable(
            f"{tree.name} has numbers only: it cannot stand in a formula to be proved", tree.start + 1
        )

    def _add(self, tree: Expression, given: Mapping[str, Meaning]) -> Meaning:
        values = [self.value(argument, given) for argument in tree.args]
        first = values[0]
        for argument, value in zip(tree.args, values, strict=True):
            if _shape(value) != _shape(first):
                raise Unreadable(f"a {_kind(first)} and a {_kind(value)} cannot be added", argument.start + 1)
        if isinstance(first, Matrix):
            grids = [value.rows for value in values if isinstance(value, Matrix)]
            return Matrix(
                tuple(
                    tuple(core.add(cells) for cells in zip(*lines, strict=True))
                    for lines in zip(*grids, strict=True)
                )
            )
        return core.add(value for value in values if isinstance(value, Expression))

    def _neg(self, tree: Expression, given: Mapping[str, Meaning]) -> Meaning:
        value = self.value(tree.args[0], given)
        return value.map(core.neg) if isinstance(value, Matrix) else core.neg(value)

    def _mul(self, tree: Expression, given: Mapping[str, Meaning]) -> Meaning:
        product = self.value(tree.args[0], given)
        for argument in tree.args[1:]:
            product = _entry(self.times(product, self.value(argument, given), argument.start + 1))
        return product

    def times(self, a: Meaning, b: Meaning, column: int) -> Meaning:
        if isinstance(a, Expression) and isinstance(b, Expression):
            return core.mul((a, b))
        if isinstance(a, Expression):
            assert isinstance(b, Matrix)
            return b.map(lambda entry: core.mul((a, entry)))
        if isinstance(b, Expression):
            return a.map(lambda entry: core.mul((entry, b)))
        if a.shape[1] != b.shape[0]:
            raise Unreadable(f"a {_shape(a)} matrix cannot multiply a {_shape(b)} matrix", column)
        self.budget -= a.shape[0] * a.shape[1] * b.shape[1]
        columns = list(zip(*b.rows, strict=True))
        return Matrix(
            tuple(
                tuple(
                    core.add(core.mul(pair) for pair in zip(row, column_, strict=True)) for column_ in columns
                )
                for row in a.rows
            )
        )

    def _div(self, tree: Expression, given: Mapping[str, Meaning]) -> Meaning:
        above = self.value(tree.args[0], given)
        below = self.scalar(tree.args[1], given, "what one divides by")
        inverse = core.power(below, core.MINUS_ONE, tree.args[1].start + 1)
        return self.times(above, inverse, tree.start + 1)

    def _pow(self, tree: Expression, given: Mapping[str, Meaning]) -> Meaning:
        base = self.value(tree.args[0], given)
        exponent = self.scalar(tree.args[1], given, "an exponent")
        if isinstance(base, Expression):
            return core.power(base, exponent, tree.start + 1)
        if base.shape[0] != base.shape[1] or not core.is_number(exponent) or exponent.number.denominator != 1:
            raise Unreadable("only a square matrix has powers, and only whole ones", tree.start + 1)
        n = int(exponent.number)
        if abs(n) > 16:
            raise Unreadable("a matrix power beyond 16 is not expanded", tree.start + 1)
        factor = base if n >= 0 else inverse_matrix(base, tree.start + 1)
        product: Meaning = identity(base.shape[0])
        for _ in range(abs(n)):
            product = self.times(product, factor, tree.start + 1)
        return product

    def _transpose(self, tree: Expression, given: Mapping[str, Meaning]) -> Meaning:
        value = self.value(tree.args[0], given)
        return Matrix(tuple(zip(*value.rows, strict=True))) if isinstance(value, Matrix) else value

    def _fact(self, tree: Expression, given: Mapping[str, Meaning]) -> Meaning:
        argument = self.scalar(tree.args[0], given, "the argument of a factorial")
        if core.is_number(argument) and argument.number > 50:
            raise Unreadable("a factorial beyond 50! is not computed", tree.start + 1)
        return core.apply("factorial", (argument,))

    def _mat(self, tree: Expression, given: Mapping[str, Meaning]) -> Meaning:
        rows, columns = tree.shape
        if rows * columns > MAX_ENTRIES:
            raise Unreadable(f"a matrix of more than {MAX_ENTRIES} entries is not read", tree.start + 1)
        values = [self.value(argument, given) for argument in tree.args]
        grid = [values[i : i + columns] for i in range(0, len(values), columns)]
        if not any(isinstance(value, Matrix) for value in values):
            return Matrix(tuple(tuple(v for v in row if isinstance(v, Expression)) for row in grid))
        return _block(grid, tree.start + 1)

    def _index(self, tree: Expression, given: Mapping[str, Meaning]) -> Meaning:
        value = self.value(tree.args[0], given)
        places = [self.scalar(argument, given, "an index") for argument in tree.args[1:]]
        for place, argument in zip(places, tree.args[1:], strict=True):
            if not core.is_number(place) or place.number.denominator != 1 or place.number < 0:
                raise Unreadable("an index must be 0, 1, 2, ...", argument.start + 1)
        indices = [int(place.number) for place in places]
        grid = value if isinstance(value, Matrix) else Matrix(((value,),))
        rows, columns = grid.shape
        if len(indices) == 1 and columns == 1:
            indices.append(0)
        elif len(indices) == 1 and rows == 1:
            indices.insert(0, 0)
        if len(indices) > 2 or indices[0] >= rows or (len(indices) == 2 and indices[1] >= columns):
            raise Unreadable(f"this index is outside a {rows}x{columns} matrix", tree.args[1].start + 1)
        if len(indices) == 1:
            return Matrix((grid.rows[indices[0]],))
        return grid.rows[indices[0]][indices[1]]

    def _call(self, tree: Expression, given: Mapping[str, Meaning]) -> Meaning:
        name = tree.name
        if name in self.names.definitions:
            arguments = [self.value(argument, given) for argument in tree.args]
            parameters = self.names.definitions[name].parameters
            return self.value(body(name, self.names), dict(zip(parameters, arguments, strict=True)))
        if name == "softmax":
            return self.softmax(self.value(tree.args[0], given))
        args = tuple(self.scalar(argument, given, f"the argument of {name}") for argument in tree.args)
        return (
            core.apply("oddroot", (args[0], num(3)))
            if name == "cbrt"
            else core.apply(name, args, tree.start + 1)
        )

    def softmax(self, value: Meaning) -> Meaning:
        """Row by row; a single column is one row of scores, as in softmax(v)."""
        if isinstance(value, Expression):
            return core.ONE
        if value.shape[1] == 1:
            turned = self.softmax(Matrix(tuple(zip(*value.rows, strict=True))))
            assert isinstance(turned, Matrix)
            return Matrix(tuple(zip(*turned.rows, strict=True)))
        rows = []
        for row in value.rows:
            weights = [core.apply("exp", (entry,)) for entry in row]
            total = core.power(core.add(weights), core.MINUS_ONE)
            rows.append(tuple(core.mul((weight, total)) for weight in weights))
        return Matrix(tuple(rows))

    def _sum(self, tree: Expression, given: Mapping[str, Meaning]) -> Meaning:
        inner, low, high = tree.args
        lower = self.scalar(low, given, "the lower bound of a sum")
        upper = self.scalar(high, given, "the upper bound of a sum")
        for bound, typed in ((lower, low), (upper, high)):
            if core.is_number(bound) and bound.number.denominator != 1:
                raise Unreadable("the bounds of a sum must be integers", typed.start + 1)
        if core.is_number(lower) and core.is_number(upper):
            first, last = int(lower.number), int(upper.number)
            if last - first >= MAX_TERMS:
                raise Unreadable(f"a sum of more than {MAX_TERMS} terms is not written out", tree.start + 1)
            return self.written_out(inner, tree.name, range(first, last + 1), given, tree.start + 1)
        # A name of its own until the sum is closed: the sums inside are numbered first.
        self.fresh += 1
        name = f"#open{self.fresh}"
        term = self.scalar(inner, {**given, tree.name: sym(name)}, "each term of a sum with symbolic bounds")
        return core_sum(term, name, lower, upper)

    def written_out(
        self, inner: Expression, name: str, values: range, given: Mapping[str, Meaning], column: int
    ) -> Meaning:
        total: Meaning = core.ZERO
        for k, value in enumerate(values):
            term = self.value(inner, {**given, name: num(value)})
            if k == 0:
                total = term
            elif isinstance(total, Matrix) and isinstance(term, Matrix):
                pairs = zip(total.rows, term.rows, strict=True)
                total = Matrix(tuple(tuple(map(core.add, zip(a, b, strict=True))) for a, b in pairs))
            elif isinstance(total, Expression) and isinstance(term, Expression):
                total = core.add((total, term))
            else:
                raise Unreadable("the terms of this sum have different shapes", column)
        return total


def core_sum(term: Expression, name: str, lower: Expression, upper: Expression) -> Expression:
    """A sum with symbolic bounds; its bound name is numbered by depth: renaming makes no difference."""
    depth = 1 + max((int(node.name[1:]) for node in term.walk() if node.head == "sum"), default=0)
    canonical = f"#{depth}"
    return Expression("sum", (substitute(term, {name: sym(canonical)}), lower, upper), canonical)


def substitute(node: Expression, values: Mapping[str, Expression]) -> Expression:
    """A core tree with symbols replaced."""
    memo: dict[bytes, Expression] = {}

    def go(tree: Expression) -> Expression:
        known = memo.get(tree.digest)
        if known is None:
            if tree.head == "sym":
                known = values.get(tree.name, tree)
            elif not tree.args:
                known = tree
            else:
                known = rebuild(tree, tuple(map(go, tree.args)))
            memo[tree.digest] = known
        return known

    return go(node)


def rebuild(tree: Expression, args: tuple[Expression, ...]) -> Expression:
    """The same core node over other arguments, back in core form."""
    if tree.head == "add":
        return core.add(args)
    if tree.head == "mul":
        return core.mul(args)
    if tree.head == "pow":
        return core.power(args[0], args[1])
    if tree.head == "call" and tree.name != "oddroot":
        return core.apply(tree.name, args)
    return Expression(tree.head, args, tree.value)


def identity(n: int) -> Matrix:
    """The n x n identity matrix."""
    return Matrix(tuple(tuple(core.ONE if i == j else core.ZERO for j in range(n)) for i in range(n)))


def determinant(matrix: Matrix) -> Expression:
    """By the first row; meant for small matrices."""
    rows = matrix.rows
    if len(rows) == 1:
        return rows[0][0]
    terms = []
    for j, entry in enumerate(rows[0]):
        if entry != core.ZERO:
            minor = Matrix(tuple(row[:j] + row[j + 1 :] for row in rows[1:]))
            terms.append(core.mul((num((-1) ** j), entry, determinant(minor))))
    return core.add(terms)


def inverse_matrix(matrix: Matrix, column: int) -> Matrix:
    """The inverse of a matrix up to 4 x 4, by cofactors. Raises ``Unreadable``."""
    n = matrix.shape[0]
    if n > 4:
        raise Unreadable("the inverse of a matrix beyond 4x4 is not worked out", column)
    scale = core.power(determinant(matrix), core.MINUS_ONE, column)

    def cofactor(i: int, j: int) -> Expression:
        if n == 1:
            return core.ONE
        minor = Matrix(tuple(row[:j] + row[j + 1 :] for k, row in enumerate(matrix.rows) if k != i))
        return core.mul((num((-1) ** (i + j)), determinant(minor)))

    return Matrix(tuple(tuple(core.mul((cofactor(j, i), scale)) for j in range(n)) for i in range(n)))


def _block(grid: list[list[Meaning]], column: int) -> Matrix:
    """A matrix whose entries are matrices; a bare 0 stands for a zero block."""
    heights = [max(_size(value)[0] for value in row) for row in grid]
    widths = [max(_size(row[j])[1] for row in grid) for j in range(len(grid[0]))]
    rows: list[tuple[Expression, ...]] = []
    for line, height in zip(grid, heights, strict=True):
        blocks = []
        for value, width in zip(line, widths, strict=True):
            if isinstance(value, Matrix) and value.shape == (height, width):
                blocks.append(value.rows)
            elif value == core.ZERO or (height, width) == (1, 1):
                assert isinstance(value, Expression)
                blocks.append(((value,) * width,) * height)
            else:
                raise Unreadable("the blocks of this matrix do not fit together", column)
        rows.extend(tuple(cell for part in parts for cell in part) for parts in zip(*blocks, strict=True))
    return Matrix(tuple(rows))


def _size(value: Meaning) -> tuple[int, int]:
    return value.shape if isinstance(value, Matrix) else (1, 1)


def _shape(value: Meaning) -> str:
    rows, columns = _size(value)
    return f"{rows}x{columns}"


def _kind(value: Meaning) -> str:
    return f"{_shape(value)} matrix" if isinstance(value, Matrix) else "number"


def symbols_of(value: Meaning) -> frozenset[str]:
    """The free symbols of a meaning."""
    if isinstance(value, Expression):
        return free_symbols(value)
    return frozenset().union(*map(free_symbols, value.entries))
