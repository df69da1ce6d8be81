"""What a name begins: a symbol, a call, a matrix or a sum."""

from __future__ import annotations

from fractions import Fraction

from quizapp.algebra import words
from quizapp.algebra.cursor import CLOSERS, Cursor
from quizapp.algebra.errors import Unreadable
from quizapp.algebra.functions import BRACKETLESS, CONSTANTS, FUNCTIONS, known_function
from quizapp.algebra.limits import check_factorial, check_power
from quizapp.algebra.tokens import Token
from quizapp.algebra.tree import Expression

# What an atom can begin with.
STARTS = frozenset(("num", "name", "(", "{", "frac", "sqrt", "√", "sum", "begin", "[", "⌊", "⌈"))


class Calls(Cursor):
    """The part of the grammar that names begin."""

    def name(self) -> tuple[Expression, tuple[Expression, ...]]:
        token = self.advance()
        before_bracket = self.token.kind in ("(", "{")
        parts = words.resolve(token, self.names, self.bound, before_bracket)
        glued = tuple(
            Expression(
                # A named matrix is a call without arguments, glued or not.
                "call" if part.kind == "let" else part.kind,
                (),
                part.text,
                start=token.start,
                end=token.end,
            )
            for part in parts[:-1]
        )
        last = parts[-1]
        if last.kind in ("sym", "const", "word"):
            return self.node(token.start, last.kind, (), last.text), glued
        return self.nested(lambda: self.application(token, last)), glued

    def application(self, token: Token, part: words.Part) -> Expression:
        name = part.text
        if part.kind == "let" and not self.names.definitions[name].parameters:
            return self.node(token.start, "call", (), name)
        if part.kind == "let":
            wanted = len(self.names.definitions[name].parameters)
            arguments = self.call_arguments(token, name)
            self.check_count(token, name, len(arguments), wanted, wanted)
            return self.node(token.start, "call", tuple(arguments), name)
        if part.kind == "external":
            return self.node(token.start, "external", tuple(self.call_arguments(token, name)), name)
        if name in ("Matrix", "Sum"):
            return self.constructor(token, name)
        return self.builtin(token, name, part.subscript)

    def call_arguments(self, token: Token, name: str) -> list[Expression]:
        if self.token.kind not in ("(", "{"):
            raise Unreadable(f"{name} is a function: write {name}(...)", token.start + 1)
        opened = self.advance()
        closer = CLOSERS[opened.kind]
        if self.token.kind == closer:
            raise Unreadable(f"{name} needs an argument", self.token.start + 1)
        return self.items(closer, opened)

    def check_count(self, token: Token, name: str, given: int, fewest: int, most: int) -> None:
        if not fewest <= given <= most:
            wanted = str(fewest) if fewest == most else f"{fewest} to {most}"
            plural = "" if wanted == "1" else "s"
            raise Unreadable(f"{name} takes {wanted} argument{plural}, not {given}", token.start + 1)

    def builtin(self, token: Token, name: str, subscript: str) -> Expression:
        mark, exponent = self.token, None
        if mark.kind == "^":
            if name not in BRACKETLESS:
                raise Unreadable(f"{name} needs its argument first: write {name}(...)^...", mark.start + 1)
            self.advance()
            exponent = self.nested(self.exponent)
            if exponent.head == "neg":
                raise Unreadable(
                    f"ambiguous: write a{name}(...) for the inverse or 1/{name}(...) for the reciprocal",
                    mark.start + 1,
                )
        if self.token.kind in ("(", "{"):
            arguments = self.call_arguments(token, name)
        elif name in BRACKETLESS:
            arguments = [self.bracketless(token, name)]
        elif name == "conj":
            arguments = [self.argument()]
        else:
            raise Unreadable(f"{name} is a function: write {name}(...)", token.start + 1)
        if subscript:
            if len(arguments) != 1:
                raise Unreadable("the base of this logarithm is given twice", token.start + 1)
            arguments.append(self.base(token, subscript))
        self.check_count(token, name, len(arguments), *FUNCTIONS[name])
        tree = self.make_call(token, name, arguments)
        if exponent is None:
            return tree
        check_power(tree, exponent, mark.start + 1)
        return self.node(token.start, "pow", (tree, exponent))

    def base(self, token: Token, subscript: str) -> Expression:
        """The base of a logarithm, from its subscript."""
        if subscript.isdigit():
            return self.node(token.start, "num", (), Fraction(subscript))
        parts = words.resolve(Token("name", subscript, token.start, token.end), self.names, self.bound, False)
        if len(parts) > 1 or parts[0].kind not in ("sym", "const"):
            raise Unreadable("the base of a logarithm must be a number or a name", token.start + 1)
        return self.node(token.start, parts[0].kind, (), parts[0].text)

    def make_call(self, token: Token, name: str, arguments: list[Expression]) -> Expression:
        if name == "factorial":
            check_factorial(arguments[0], token.start + 1)
            return self.node(token.start, "fact", tuple(arguments))
        if name == "transpose":
            return self.node(token.start, "transpose", tuple(arguments))
        return self.node(token.start, "call", tuple(arguments), name)

    def bracketless(self, token: Token, name: str) -> Expression:
        """``sin 2x``: the factors that follow, up to a sign, a slash or another function."""
        start = self.token.start
        factors: list[Expression] = []
        while True:
            kind = self.token.kind
            if kind == "name" and self.is_function(self.token) and factors:
                break
            if kind == "(" and factors:
                raise Unreadable(f"ambiguous: put the argument of {name} in brackets", start + 1)
            if (kind in STARTS and (kind != "num" or not factors)) or (kind == "|" and not self.bars):
                factors.append(self.power())
            else:
                break
        if not factors:
            raise Unreadable(f"{name} needs its argument: write {name}(...)", token.start + 1)
        return self.product(start, factors)

    def is_function(self, token: Token) -> bool:
        word = token.text.partition("_")[0]
        return word not in self.names.assumptions and known_function(word) is not None

    def constructor(self, token: Token, name: str) -> Expression:
        if name == "Matrix":
            opened = self.expect("(")
            start = self.token
            tree = self.expression()
            self.expect(")", opened)
            if tree.head != "mat":
                tree = Expression("mat", (tree,), (1, 1), start=start.start, end=tree.end)
            return tree
        opened = self.expect("(")
        # The bound name is known only after the body: find it first.
        variable = self.bound_name_ahead(opened)
        self.bound = (*self.bound, variable)
        body = self.inside(",", opened)
        grouped = self.token.kind == "("
        if grouped:
            self.advance()
        self.advance()
        self.bound = self.bound[:-1]
        self.expect(",")
        lower = self.inside(",", opened)
        upper = self.expression()
        if grouped:
            self.expect(")", opened)
        self.expect(")", opened)
        return self.node(token.start, "sum", (body, lower, upper), variable)

    def bound_name_ahead(self, opened: Token) -> str:
        depth = 0
        for token, following in zip(self.tokens[self.at :], self.tokens[self.at + 1 :], strict=False):
            if token.kind in ("(", "[", "{"):
                depth += 1
            elif token.kind in (")", "]", "}"):
                depth -= 1
                if depth < 0:
                    break
            elif token.kind == "," and depth == 0:
                at = self.tokens.index(following)
                inner = self.tokens[at + 1] if following.kind == "(" else following
                return self.bound_name(inner)
        raise Unreadable(
            "a sum is written Sum(f, (j, a, b)): what, then the name and its bounds", opened.start + 1
        )

    def bound_name(self, token: Token) -> str:
        if token.kind != "name" or token.text in CONSTANTS or known_function(token.text):
            raise Unreadable("the name that the sum runs over is expected here", token.start + 1)
        return token.text

    def summation(self) -> Expression:
        r"""``\sum_{i=0}^{n} body``; the body is the product that follows."""
        start = self.advance().start
        variable, lower, upper = "", None, None
        for _ in range(2):
            if self.token.kind == "_":
                self.advance()
                opened = self.token
                if opened.kind not in ("{", "("):
                    raise Unreadable("write the bounds as sum_{i=0}^{n}", opened.start + 1)
                self.advance()
                variable = self.bound_name(self.advance())
                self.expect("=", opened)
                lower = self.inside(CLOSERS[opened.kind], opened)
            elif self.token.kind == "^":
                self.advance()
                upper = self.nested(self.exponent)
        if lower is None or upper is None:
            raise Unreadable("a sum needs both bounds: write sum_{i=0}^{n}", start + 1)
        self.bound = (*self.bound, variable)
        body = self.nested(self.term)
        self.bound = self.bound[:-1]
        return self.node(start, "sum", (body, lower, upper), variable)
