"""Read a typed line: a Pratt parser over tokens, without eval and within fixed limits."""

from __future__ import annotations

from fractions import Fraction

from quizapp.algebra import words
from quizapp.algebra.calls import STARTS, Calls
from quizapp.algebra.cursor import CLOSERS
from quizapp.algebra.errors import Unreadable
from quizapp.algebra.limits import check_factorial, check_power
from quizapp.algebra.names import Names
from quizapp.algebra.printing import to_text
from quizapp.algebra.tokens import Token
from quizapp.algebra.tree import Expression


def read(text: str, names: Names) -> Expression:
    """Read one expression. Raises ``Unreadable`` with the column of the offending character."""
    parser = _Parser(text, names)
    tree = parser.expression()
    if parser.token.kind == "=":
        raise Unreadable("one expression is expected here, not an equation", parser.token.start + 1)
    parser.finish()
    return tree.with_text(text)


def read_relation(text: str, names: Names) -> list[Expression]:
    """Read a chain ``a = b = c``: its sides, one where no ``=`` stands. Raises ``Unreadable``."""
    parser = _Parser(text, names)
    sides: list[Expression] = []
    while True:
        start = parser.token.start
        side = parser.expression()
        sides.append(side.with_text(text[start : parser.token.start].strip()))
        if parser.token.kind != "=":
            break
        parser.advance()
    parser.finish()
    return sides


class _Parser(Calls):
    """The grammar of sums, products, powers and atoms."""

    def expression(self) -> Expression:
        return self.nested(self._sum)

    def _sum(self) -> Expression:
        start = self.token.start
        terms = [self.term()]
        while self.token.kind in ("+", "-"):
            sign = self.advance()
            term = self.term()
            if sign.kind == "-":
                term = Expression("neg", (term,), start=sign.start, end=term.end)
            terms.append(term)
        return terms[0] if len(terms) == 1 else self.node(start, "add", tuple(terms))

    def term(self) -> Expression:
        start = self.token.start
        factors = [self.signed()]
        divisor: Expression | None = None
        while True:
            kind = self.token.kind
            if kind == "*":
                self.advance()
                factors.append(self.signed())
                divisor = None
            elif kind == "/":
                self.advance()
                divisor = self.signed()
                left = self.product(start, factors)
                factors = [self.node(start, "div", (left, divisor))]
            elif kind in STARTS and not (kind == "num" and not self.number_may_follow()):
                if divisor is not None:
                    self.check_divisor(factors[0])
                    divisor = None
                factors.append(self.power())
            elif kind == "|" and self.bars == 0:
                factors.append(self.power())
            else:
                return self.product(start, factors)

    def number_may_follow(self) -> bool:
        """``pi 10000^x`` is a product; two numbers in a row are not."""
        return not self.token.glued and self.tokens[self.at - 1].kind != "num"

    def product(self, start: int, factors: list[Expression]) -> Expression:
        if len(factors) == 1:
            return factors[0]
        flat: list[Expression] = []
        for factor in factors:
            # The names of one glued word are factors like any others.
            flat.extend(factor.args if any(factor is word for word in self.words) else (factor,))
        return self.node(start, "mul", tuple(flat))

    def check_divisor(self, quotient: Expression) -> None:
        """After a slash a factor is ambiguous, unless a space sets it off from a number or a bracket."""
        last = self.tokens[self.at - 1]
        if not self.token.glued and self.token.kind != "num" and last.kind in ("num", ")", "}", "⌋", "⌉"):
            return
        column = self.token.start + 1
        above, below, following = (to_text(side) for side in (*quotient.args, self.power()))
        if quotient.args[1].head not in ("num", "sym", "const", "call"):
            below = f"({below})"
        following = following if following.isalnum() else f"({following})"
        raise Unreadable(
            f"ambiguous: write ({above}/{below})*{following} or {above}/({below}*{following})", column
        )

    def signed(self) -> Expression:
        if self.token.kind in ("-", "+"):
            sign = self.advance()
            inner = self.nested(self.signed)
            if sign.kind == "+":
                return inner
            return Expression("neg", (inner,), start=sign.start, end=inner.end)
        return self.power()

    # Powers and what stands after an atom

    def power(self) -> Expression:
        start = self.token.start
        base, glued = self.atom()
        base = self.postfix(base, start)
        tree = self.raised(base, start)
        if not glued:
            return tree
        product = self.node(glued[0].start, "mul", (*glued, tree))
        self.words.append(product)
        return product

    def postfix(self, base: Expression, start: int) -> Expression:
        while True:
            token = self.token
            if token.kind == "!":
                self.advance()
                if self.token.kind == "!":
                    raise Unreadable("a double factorial is not read", self.token.start + 1)
                check_factorial(base, token.start + 1)
                base = self.node(start, "fact", (base,))
            elif token.kind == "[" and token.glued and self.indexable(base):
                base = self.index(base, start)
            else:
                return base

    def indexable(self, base: Expression) -> bool:
        return base.head in ("external", "index") or words.is_matrix(base, self.names)

    def index(self, base: Expression, start: int) -> Expression:
        opened = self.advance()
        indices = [self.expression()]
        while self.token.kind == ",":
            self.advance()
            indices.append(self.expression())
        self.expect("]", opened)
        if len(indices) > 4:
            raise Unreadable("at most four indices are read", opened.start + 1)
        return self.node(start, "index", (base, *indices))

    def raised(self, base: Expression, start: int) -> Expression:
        if self.token.kind != "^":
            return base
        mark = self.advance()
        if self.is_transpose(base):
            tree = self.node(start, "transpose", (base,))
            return self.raised(self.postfix(tree, start), start)
        exponent = self.nested(self.exponent)
        if self.token.kind == "^" and mark.text not in ("^", "**"):
            raise Unreadable(
                "two exponents in a row: put brackets round the first power", self.token.start + 1
            )
        check_power(base, exponent, mark.start + 1)
        return self.node(start, "pow", (base, exponent))

    def exponent(self) -> Expression:
        if self.token.kind in ("-", "+"):
            sign = self.advance()
            inner = self.nested(self.exponent)
            return inner if sign.kind == "+" else Expression("neg", (inner,), start=sign.start, end=inner.end)
        start = self.token.start
        base, glued = self.atom()
        if glued:
            raise Unreadable("put the exponent in brackets", start + 1)
        return self.raised(self.postfix(base, start), start)

    def is_transpose(self, base: Expression) -> bool:
        """Whether a transpose mark follows, which is then passed."""
        wrapped = self.token.kind in ("{", "(") and self.ahead(2).kind in ("}", ")")
        mark = self.ahead() if wrapped else self.token
        is_letter = (
            mark.kind == "name"
            and mark.text == "T"
            and "T" not in self.names.assumptions
            and words.is_matrix(base, self.names)
        )
        if mark.kind != "top" and not is_letter:
            return False
        for _ in range(3 if wrapped else 1):
            self.advance()
        return True

    # Atoms

    def atom(self) -> tuple[Expression, tuple[Expression, ...]]:
        """An atom, and the factors before it where one word stood for several."""
        token = self.token
        if token.kind == "name":
            return self.name()
        return self.nested(self.plain_atom), ()

    def plain_atom(self) -> Expression:
        token = self.token
        start = token.start
        if token.kind == "num":
            self.advance()
            if token.text.isdigit():
                return self.node(start, "num", (), Fraction(token.text))
            return self.node(start, "dec", (), token.text)
        if token.kind in ("(", "{"):
            return self.group()
        if token.kind == "[":
            return self.bracketed()
        if token.kind == "|":
            self.advance()
            self.bars += 1
            inner = self.expression()
            self.bars -= 1
            self.expect("|", token)
            return self.node(start, "call", (inner,), "abs")
        if token.kind in ("⌊", "⌈"):
            self.advance()
            inner = self.inside(CLOSERS[token.kind], token)
            return self.node(start, "call", (inner,), "floor" if token.kind == "⌊" else "ceil")
        if token.kind == "frac":
            self.advance()
            above, below = self.argument(), self.argument()
            return self.node(start, "div", (above, below))
        if token.kind == "√":
            self.advance()
            return self.node(start, "call", (self.argument_of_root(),), "sqrt")
        if token.kind == "sqrt":
            return self.latex_root()
        if token.kind == "sum":
            return self.summation()
        if token.kind == "begin":
            return self.latex_matrix()
        if token.kind == "stop":
            raise Unreadable("the line ends where a number, a name or a bracket is expected", start + 1)
        raise Unreadable(f"{token.text} stands where a number, a name or a bracket is expected", start + 1)

    def group(self) -> Expression:
        opened = self.advance()
        tree = self.inside(CLOSERS[opened.kind], opened)
        return Expression(tree.head, tree.args, tree.value, start=tree.start, end=tree.end)

    def argument(self) -> Expression:
        """A LaTeX argument: a group, or the single sign that follows."""
        token = self.token
        if token.kind in ("{", "("):
            return self.group()
        if token.kind == "num" and len(token.text) > 1 and token.text.isdigit():
            # \frac12 is one half: each digit is an argument of its own.
            first = Token("num", token.text[0], token.start, token.start + 1)
            self.tokens[self.at : self.at + 1] = [
                first,
                Token("num", token.text[1:], token.start + 1, token.end),
            ]
        tree, glued = self.atom()
        if glued:
            raise Unreadable("put the argument in braces", token.start + 1)
        return tree

    def argument_of_root(self) -> Expression:
        tree, glued = self.atom()
        if glued:
            raise Unreadable("put what stands under the root in brackets", self.token.start + 1)
        return tree

    def latex_root(self) -> Expression:
        start = self.advance().start
        if self.token.kind == "[":
            opened = self.advance()
            degree = self.inside("]", opened)
            return self.node(start, "call", (self.argument(), degree), "root")
        return self.node(start, "call", (self.argument(),), "sqrt")

    # Matrices

    def bracketed(self) -> Expression:
        """``[[a, b], [c, d]]``, ``[a, b]`` (a column), or a plain bracket ``[a + b]``."""
        opened = self.advance()
        if self.token.kind == "[":
            rows = [self.row()]
            while self.token.kind == ",":
                self.advance()
                rows.append(self.row())
            if len(rows) > 1 or self.token.kind == "]":
                self.expect("]", opened)
                return self.matrix(rows, opened)
            raise Unreadable("a row of a matrix ends with , or ]", self.token.start + 1)
        items = self.items("]", opened)
        return items[0] if len(items) == 1 else self.matrix([[item] for item in items], opened)

    def row(self) -> list[Expression]:
        opened = self.expect("[")
        return self.items("]", opened)

    def matrix(self, rows: list[list[Expression]], opened: Token) -> Expression:
        if len({len(row) for row in rows}) > 1:
            raise Unreadable("the rows of this matrix have different lengths", opened.start + 1)
        entries = tuple(entry for row in rows for entry in row)
        return self.node(opened.start, "mat", entries, (len(rows), len(rows[0])))

    def latex_matrix(self) -> Expression:
        opened = self.advance()
        rows: list[list[Expression]] = [[self.expression()]]
        while self.token.kind != "end":
            token = self.advance()
            if token.kind == "&":
                rows[-1].append(self.expression())
            elif token.kind == "row":
                if self.token.kind != "end":
                    rows.append([self.expression()])
            else:
                raise Unreadable(
                    f"the matrix opened here is not closed before {token.text}", opened.start + 1
                )
        self.advance()
        return self.matrix(rows, opened)
