"""Where a parser stands in its tokens, and how it moves along."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from fractions import Fraction

from quizapp.algebra.errors import Unreadable
from quizapp.algebra.names import Names
from quizapp.algebra.tokens import Token, tokenize
from quizapp.algebra.tree import Expression

MAX_DEPTH = 60

CLOSERS = {"(": ")", "[": "]", "{": "}", "|": "|", "⌊": "⌋", "⌈": "⌉"}


class Cursor(ABC):
    """The tokens of one line, the place in them, and what is open there."""

    def __init__(self, text: str, names: Names) -> None:
        self.names = names
        self.tokens = tokenize(text)
        self.at = 0
        self.depth = 0
        self.bars = 0
        self.bound: tuple[str, ...] = ()
        self.words: list[Expression] = []
        if self.token.kind == "stop":
            raise Unreadable("nothing is written here", 1)

    @property
    def token(self) -> Token:
        return self.tokens[self.at]

    def ahead(self, offset: int = 1) -> Token:
        return self.tokens[min(self.at + offset, len(self.tokens) - 1)]

    def advance(self) -> Token:
        token = self.token
        self.at = min(self.at + 1, len(self.tokens) - 1)
        return token

    def expect(self, kind: str, opened: Token | None = None) -> Token:
        if self.token.kind == kind:
            return self.advance()
        if self.token.kind == "stop" and opened is not None:
            raise Unreadable(f"the bracket {opened.text} opened here is never closed", opened.start + 1)
        raise Unreadable(f"{kind} is expected here, not {self.token.text}", self.token.start + 1)

    def finish(self) -> None:
        token = self.token
        if token.kind == "stop":
            return
        if token.kind in (")", "]", "}", "⌋", "⌉"):
            raise Unreadable(f"the bracket {token.text} was never opened", token.start + 1)
        if token.kind == "num":
            raise Unreadable("two factors in a row: write * between them", token.start + 1)
        raise Unreadable(f"{token.text} does not fit here", token.start + 1)

    def node(
        self, start: int, head: str, args: tuple[Expression, ...] = (), value: object = None
    ) -> Expression:
        end = self.tokens[self.at - 1].end if self.at else 0
        assert value is None or isinstance(value, str | Fraction | tuple)
        return Expression(head, args, value, start=start, end=end)

    def nested(self, parse: Callable[[], Expression]) -> Expression:
        self.depth += 1
        if self.depth > MAX_DEPTH:
            raise Unreadable(f"nested too deep: more than {MAX_DEPTH} levels", self.token.start + 1)
        tree = parse()
        self.depth -= 1
        return tree

    # What the grammar gives to the parts of it

    @abstractmethod
    def expression(self) -> Expression:
        """A sum."""

    @abstractmethod
    def term(self) -> Expression:
        """A product."""

    @abstractmethod
    def power(self) -> Expression:
        """A power, or an atom."""

    @abstractmethod
    def exponent(self) -> Expression:
        """What stands after ``^``."""

    @abstractmethod
    def argument(self) -> Expression:
        """A LaTeX argument: a group, or the single sign that follows."""

    @abstractmethod
    def product(self, start: int, factors: list[Expression]) -> Expression:
        """The product of factors; a single one is itself."""

    def inside(self, closer: str, opened: Token) -> Expression:
        """An expression up to its closing bracket."""
        bars, self.bars = self.bars, 0
        tree = self.expression()
        self.bars = bars
        self.expect(closer, opened)
        return tree

    def items(self, closer: str, opened: Token) -> list[Expression]:
        """Expressions between commas, up to the closing bracket."""
        bars, self.bars = self.bars, 0
        items = [self.expression()]
        while self.token.kind == ",":
            self.advance()
            items.append(self.expression())
        self.bars = bars
        self.expect(closer, opened)
        return items
