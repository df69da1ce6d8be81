"""A formula on one line means what its LaTeX means: both are computed, in arithmetic modulo a prime.

The reader of lines here is strict: what two people might read differently (``a/bc``, ``√ab``, ``√(a)²``)
is an error.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from hypothesis import given, settings
from hypothesis import strategies as st

from quizapp.notation import inline

PRIME = 10007
VALUES = {"a": 17, "b": 2311, "c": 4001, "f": 5003, "x": 7919, "y": 9001, "n": 3}
SMALL = dict(zip("⁰¹²³⁴⁵⁶⁷⁸⁹ⁿ", "0123456789n", strict=True))


def _divided(above: int, below: int) -> int:
    return above * pow(below, PRIME - 2, PRIME) % PRIME


def _root(inside: int) -> int:
    """Any map does, as long as both sides use the same one."""
    return (7 * inside * inside + 3) % PRIME


def _sine(inside: int) -> int:
    return (5 * inside + 11) % PRIME


@dataclass(frozen=True)
class Term:
    """LaTeX, what it is worth, and how tightly it binds: 0 a sum, 1 a product, 2 a quotient or so, 3 a letter."""

    latex: str
    value: int
    level: int

    def at_least(self, level: int) -> str:
        return self.latex if self.level >= level else f"({self.latex})"


_LEAVES = st.sampled_from(
    [
        *(Term(name, value, 3) for name, value in VALUES.items()),
        *(Term(str(digit), digit, 3) for digit in (2, 3, 5)),
    ]
)


def _power(base: Term, exponent: str) -> Term:
    value = pow(base.value, VALUES.get(exponent) or int(exponent), PRIME)
    return Term(f"{base.at_least(3)}^{{{exponent}}}", value, 2)


def _product(left: Term, right: Term, dotted: bool) -> Term:
    latex, following = left.at_least(1), right.at_least(1)
    sign = r" \cdot " if dotted or following[0].isdigit() or r"\sin" in latex else " "
    return Term(latex + sign + following, left.value * right.value % PRIME, 1)


def _larger(terms: st.SearchStrategy[Term]) -> st.SearchStrategy[Term]:
    pairs = st.tuples(terms, terms)
    return st.one_of(
        pairs.map(lambda t: Term(f"{t[0].latex} + {t[1].latex}", (t[0].value + t[1].value) % PRIME, 0)),
        pairs.map(lambda t: Term(f"{t[0].latex} - {t[1].at_least(1)}", (t[0].value - t[1].value) % PRIME, 0)),
        st.builds(_product, terms, terms, st.booleans()),
        pairs.map(
            lambda t: Term(f"\\frac{{{t[0].latex}}}{{{t[1].latex}}}", _divided(t[0].value, t[1].value), 2)
        ),
        terms.map(lambda t: Term(f"\\sqrt{{{t.latex}}}", _root(t.value), 2)),
        terms.map(lambda t: Term(f"\\sin({t.latex})", _sine(t.value), 1)),
        st.builds(_power, terms, st.sampled_from(["2", "3", "n"])),
        terms.map(lambda t: Term(f"-{t.at_least(1)}", -t.value % PRIME, 0)),
    )


class Line:
    """Reads a formula of one line by the rules of the blackboard."""

    def __init__(self, text: str) -> None:
        self.tokens: list[str] = re.findall(r"sin|\d+|[a-z]|[⁰¹²³⁴-⁹ⁿ]+|[√/·+()-]", text.replace(" ", ""))
        assert "".join(self.tokens) == text.replace(" ", "")
        self.tokens.append("")

    def next_is_operand(self) -> bool:
        return bool(re.match(r"[a-z0-9(√]", self.tokens[0]))

    def take(self, expected: str = "") -> str:
        assert not expected or self.tokens[0] == expected
        return self.tokens.pop(0)

    def sum(self) -> int:
        total = self.signed()
        while self.tokens[0] in ("+", "-"):
            total += self.signed() if self.take() == "+" else -self.signed()
        return total % PRIME

    def signed(self) -> int:
        if self.tokens[0] != "-":
            return self.product()
        self.take()
        return -self.product()

    def product(self) -> int:
        total = self.operand()
        divided = False
        while True:
            if self.tokens[0] == "/":
                assert not divided, "a/b/c"
                self.take()
                total = _divided(total, self.operand())
                divided = True
                assert not self.next_is_operand(), "a/bc"
            elif self.tokens[0] == "·" or self.next_is_operand():
                if self.tokens[0] == "·":
                    self.take()
                total = total * self.operand() % PRIME
                divided = False
            else:
                return total

    def operand(self) -> int:
        token = self.take()
        if token in ("√", "sin"):
            assert token == "√" or self.tokens[0] == "("
            bracketed = self.tokens[0] == "("
            inside = self.bracketed() if bracketed else self.operand()
            assert bracketed or not self.next_is_operand(), "√ab"
            assert self.tokens[0][:1] not in SMALL or not self.tokens[0], "√(a)²"
            return _root(inside) if token == "√" else _sine(inside)
        if token == "(":
            self.tokens.insert(0, token)
            value = self.bracketed()
        else:
            value = VALUES[token] if token in VALUES else int(token)
        if self.tokens[0][:1] in SMALL and self.tokens[0]:
            exponent = "".join(SMALL[digit] for digit in self.take())
            value = pow(value, VALUES.get(exponent) or int(exponent), PRIME)
        return value

    def bracketed(self) -> int:
        self.take("(")
        value = self.sum()
        self.take(")")
        return value


@given(st.recursive(_LEAVES, _larger, max_leaves=8))
@settings(deadline=None, max_examples=400)
def test_a_line_is_worth_what_its_latex_is(term: Term) -> None:
    text = inline(term.latex)
    assert text is not None
    line = Line(text)
    assert line.sum() == term.value % PRIME, (term.latex, text)
    assert line.tokens == [""]
