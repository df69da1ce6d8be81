"""Read a typed line: a Pratt parser over tokens, without eval and within fixed limits."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

from quizapp.algebra import words
from quizapp.algebra.errors import Unreadable
from quizapp.algebra.functions import BRACKETLESS, CONSTANTS, FUNCTIONS, known_function
from quizapp.algebra.limits import check_factorial, check_power
from quizapp.algebra.names import Names
from quizapp.algebra.printing import to_text
from quizapp.algebra.tokens import Token, tokenize
from quizapp.algebra.tree import Expression

MAX_DEPTH = 60

_STARTS = frozenset(("num", "name", "(", "{", "frac", "sqrt", "√", "sum", "begin", "[", "⌊", "⌈"))
_CLOSERS = {"(": ")", "[": "]", "{": "}", "|": "|", "⌊": "⌋", "⌈": "⌉"}


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


class _Parser:
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

    # Moving along

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

    # Sums and products

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
            elif kind in _STARTS and not (kind == "num" and not self.number_may_follow()):
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
            inner = self.inside(_CLOSERS[token.kind], token)
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

    def inside(self, closer: str, opened: Token) -> Expression:
        bars, self.bars = self.bars, 0
        tree = self.expression()
        self.bars = bars
        self.expect(closer, opened)
        return tree

    def group(self) -> Expression:
        opened = self.advance()
        tree = self.inside(_CLOSERS[opened.kind], opened)
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

    def items(self, closer: str, opened: Token) -> list[Expression]:
        bars, self.bars = self.bars, 0
        items = [self.expression()]
        while self.token.kind == ",":
            self.advance()
            items.append(self.expression())
        self.bars = bars
        self.expect(closer, opened)
        return items

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

    # Names, calls, sums

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
        closer = _CLOSERS[opened.kind]
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
            if (kind in _STARTS and (kind != "num" or not factors)) or (kind == "|" and not self.bars):
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
                lower = self.inside(_CLOSERS[opened.kind], opened)
            elif self.token.kind == "^":
                self.advance()
                upper = self.nested(self.exponent)
        if lower is None or upper is None:
            raise Unreadable("a sum needs both bounds: write sum_{i=0}^{n}", start + 1)
        self.bound = (*self.bound, variable)
        body = self.nested(self.term)
        self.bound = self.bound[:-1]
        return self.node(start, "sum", (body, lower, upper), variable)
