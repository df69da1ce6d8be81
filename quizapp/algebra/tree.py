"""Expressions as immutable trees: what a typed line says, and what it means."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator
from fractions import Fraction

Value = str | Fraction | tuple[int, int] | None

_SEPARATOR = b"\x1f"


class Expression:
    """One node of an expression; immutable, hashable, compared by structure.

    ``head`` is one of

    ===========  ==========================  =======================================
    head         value                       args
    ===========  ==========================  =======================================
    num          exact ``Fraction``          -
    dec          the decimal as typed        -
    sym, const   name (``pi``, ``e``, ``I``)  -
    word         a bare word                 -
    add, mul     -                           two or more
    neg, fact    -                           one
    div, pow     -                           two
    transpose    -                           one
    call         function                    its arguments
    external     function                    its arguments
    index        -                           the indexed, then one or two indices
    mat          (rows, columns)             the entries, row by row
    sum          the bound name              body, lower bound, upper bound
    ===========  ==========================  =======================================

    ``start`` and ``end`` are where it stands in the typed text (0-based, half-open), -1 where it was never
    typed. They take no part in comparison.
    """

    __slots__ = ("_digest", "_text", "args", "end", "head", "start", "value")

    _digest: bytes
    _text: str | None
    head: str
    args: tuple[Expression, ...]
    value: Value
    start: int
    end: int

    def __init__(
        self,
        head: str,
        args: Iterable[Expression] = (),
        value: Value = None,
        *,
        start: int = -1,
        end: int = -1,
        text: str | None = None,
    ) -> None:
        fix = object.__setattr__
        arguments = tuple(args)
        fix(self, "head", head)
        fix(self, "args", arguments)
        fix(self, "value", value)
        fix(self, "start", start)
        fix(self, "end", end)
        fix(self, "_text", text)
        state = hashlib.blake2b(f"{head}\x1f{value}".encode(), digest_size=16)
        for argument in arguments:
            state.update(_SEPARATOR)
            state.update(argument._digest)
        fix(self, "_digest", state.digest())

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f"an Expression is immutable: cannot set {name}")

    def __delattr__(self, name: str) -> None:
        raise AttributeError(f"an Expression is immutable: cannot delete {name}")

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Expression) and self._digest == other._digest

    def __hash__(self) -> int:
        return int.from_bytes(self._digest[:7], "big")

    def __repr__(self) -> str:
        return f"<Expression {self.text}>"

    def __reduce__(self) -> tuple[object, ...]:
        return (_rebuild, (self.head, self.args, self.value, self.start, self.end, self._text))

    @property
    def text(self) -> str:
        """The text as typed; for a tree that was made, its plain form."""
        from quizapp.algebra.printing import to_text

        return to_text(self) if self._text is None else self._text

    @property
    def digest(self) -> bytes:
        """Sixteen bytes that stand for the structure, the same in every run."""
        return self._digest

    @property
    def name(self) -> str:
        """The value of a node that carries a name."""
        return str(self.value)

    @property
    def number(self) -> Fraction:
        """The exact value of a ``num`` or ``dec``."""
        return self.value if isinstance(self.value, Fraction) else Fraction(str(self.value))

    @property
    def shape(self) -> tuple[int, int]:
        """Rows and columns of a ``mat``; every other node counts as 1 x 1."""
        return self.value if isinstance(self.value, tuple) else (1, 1)

    def with_args(self, args: Iterable[Expression]) -> Expression:
        """The same node over other arguments."""
        return Expression(self.head, args, self.value, start=self.start, end=self.end)

    def with_text(self, text: str) -> Expression:
        """The same tree, remembered as typed so."""
        return Expression(self.head, self.args, self.value, start=self.start, end=self.end, text=text)

    def walk(self) -> Iterator[Expression]:
        """Every distinct node, a parent before its arguments."""
        seen: set[bytes] = set()
        stack = [self]
        while stack:
            node = stack.pop()
            if node._digest in seen:
                continue
            seen.add(node._digest)
            yield node
            stack.extend(reversed(node.args))


def _rebuild(
    head: str, args: tuple[Expression, ...], value: Value, start: int, end: int, text: str | None
) -> Expression:
    return Expression(head, args, value, start=start, end=end, text=text)


def num(value: int | Fraction) -> Expression:
    """An exact number."""
    return Expression("num", (), Fraction(value))


def sym(name: str) -> Expression:
    """A symbol."""
    return Expression("sym", (), name)


def call(function: str, *args: Expression) -> Expression:
    """A built-in function applied to its arguments."""
    return Expression("call", args, function)


def free_symbols(expression: Expression) -> frozenset[str]:
    """The names of the symbols on which the value depends (bound names of sums left out)."""
    # Trees share parts: each part is looked at once.
    memo: dict[bytes, frozenset[str]] = {}

    def go(node: Expression) -> frozenset[str]:
        known = memo.get(node.digest)
        if known is None:
            parts = [go(argument) for argument in node.args]
            if node.head == "sum":
                parts[0] -= {node.name}
            known = frozenset((node.name,)) if node.head == "sym" else frozenset().union(*parts)
            memo[node.digest] = known
        return known

    return go(expression)
