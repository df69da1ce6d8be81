"""Write a tree as plain text or LaTeX, as it was typed: nothing is simplified or reordered."""

from __future__ import annotations

from fractions import Fraction

from quizapp.algebra.characters import GREEK_NAMES
from quizapp.algebra.tree import Expression

# How tightly a node binds; a lower one needs brackets inside a higher one.
_SUM, _NEGATIVE, _PRODUCT, _POWER, _ATOM = 1, 2, 3, 4, 5

_LATEX_FUNCTIONS = frozenset(
    ("sin", "cos", "tan", "sec", "csc", "cot", "sinh", "cosh", "tanh", "coth", "exp", "log", "min", "max")
)
_LATEX_NAMES = {"asin": r"\arcsin", "acos": r"\arccos", "atan": r"\arctan", "log": r"\ln"}


def _strength(node: Expression) -> int:
    if node.head == "num":
        number = node.number
        if number < 0:
            return _NEGATIVE
        return _ATOM if number.denominator == 1 else _PRODUCT
    if node.head in ("add", "sum"):
        return _SUM
    if node.head == "neg":
        return _NEGATIVE
    if node.head in ("mul", "div"):
        return _PRODUCT
    if node.head in ("pow", "transpose", "fact"):
        return _POWER
    return _ATOM


def to_text(expression: Expression) -> str:
    """Plain text that reads back as the same tree."""
    head, args = expression.head, expression.args
    if head == "num":
        return str(expression.number)
    if head == "add":
        return _joined(args, to_text, _wrap_text)
    if head == "neg":
        return "-" + _wrap_text(args[0], _PRODUCT)
    if head == "mul":
        return "*".join(_wrap_text(a, _PRODUCT if i == 0 else _POWER) for i, a in enumerate(args))
    if head == "div":
        return f"{_wrap_text(args[0], _PRODUCT)}/{_wrap_text(args[1], _POWER)}"
    if head == "pow":
        return f"{_wrap_text(args[0], _ATOM)}^{_wrap_text(args[1], _ATOM)}"
    if head == "transpose":
        return f"transpose({to_text(args[0])})"
    if head == "fact":
        return f"{_wrap_text(args[0], _ATOM)}!"
    if head == "mat":
        columns = expression.shape[1]
        rows = [args[i : i + columns] for i in range(0, len(args), columns)]
        return "[" + ", ".join("[" + ", ".join(map(to_text, row)) + "]" for row in rows) + "]"
    if head == "sum":
        body, lower, upper = map(to_text, args)
        return f"Sum({body}, ({expression.name}, {lower}, {upper}))"
    if head == "index":
        return to_text(args[0]) + "[" + ", ".join(map(to_text, args[1:])) + "]"
    if head in ("call", "external"):
        return f"{expression.name}({', '.join(map(to_text, args))})" if args else expression.name
    return expression.name


def _wrap_text(node: Expression, needed: int) -> str:
    text = to_text(node)
    return f"({text})" if _strength(node) < needed else text


def _joined(args: tuple[Expression, ...], write: object, wrap: object) -> str:
    assert callable(write)
    assert callable(wrap)
    parts: list[str] = []
    for i, term in enumerate(args):
        negative = term.head == "neg" and i > 0
        body = wrap(term.args[0], _PRODUCT) if negative else wrap(term, _SUM if i == 0 else _NEGATIVE)
        if i == 0:
            parts.append(body)
        elif not negative and body.startswith("-"):
            parts.append(f" - {body[1:]}")
        else:
            parts.append(f" {'-' if negative else '+'} {body}")
    return "".join(parts)


def to_latex(expression: Expression) -> str:
    """LaTeX of the tree as typed."""
    head, args = expression.head, expression.args
    if head == "num":
        return _latex_number(expression.number)
    if head == "sym":
        return latex_name(expression.name)
    if head == "const":
        return {"pi": r"\pi", "e": "e", "I": r"\mathrm{i}"}[expression.name]
    if head == "word":
        return rf"\text{{{expression.name}}}"
    if head == "add":
        return _joined(args, to_latex, _wrap_latex)
    if head == "neg":
        return "-" + _wrap_latex(args[0], _PRODUCT)
    if head == "mul":
        return _latex_product(args)
    if head == "div":
        return rf"\frac{{{to_latex(args[0])}}}{{{to_latex(args[1])}}}"
    if head == "pow":
        return _latex_power(*args)
    if head == "transpose":
        return _wrap_latex(args[0], _ATOM) + r"^{\top}"
    if head == "fact":
        return _wrap_latex(args[0], _ATOM) + "!"
    if head == "mat":
        columns = expression.shape[1]
        rows = [args[i : i + columns] for i in range(0, len(args), columns)]
        body = r" \\ ".join(" & ".join(map(to_latex, row)) for row in rows)
        return rf"\begin{{pmatrix}} {body} \end{{pmatrix}}"
    if head == "sum":
        name = latex_name(expression.name)
        bounds = rf"_{{{name}={to_latex(args[1])}}}^{{{to_latex(args[2])}}}"
        return rf"\sum{bounds} {_wrap_latex(args[0], _PRODUCT)}"
    if head == "index":
        return to_latex(args[0]) + r"\left[" + ", ".join(map(to_latex, args[1:])) + r"\right]"
    if head in ("call", "external"):
        return _latex_call(expression)
    return expression.name


def latex_name(name: str) -> str:
    """A symbol with its subscript, greek where it is."""
    base, mark, subscript = name.partition("_")
    written = rf"\{base}" if base in GREEK_NAMES else base if len(base) == 1 else rf"\mathrm{{{base}}}"
    if not mark:
        stem = base.rstrip("0123456789")
        if stem and stem != base and (len(stem) == 1 or stem in GREEK_NAMES):
            return f"{latex_name(stem)}_{{{base[len(stem) :]}}}"
        return written
    below = rf"\{subscript}" if subscript in GREEK_NAMES else subscript.replace("_", ",")
    return f"{written}_{{{below}}}"


def _latex_number(number: Fraction) -> str:
    if number.denominator == 1:
        return str(number)
    sign = "-" if number < 0 else ""
    return rf"{sign}\frac{{{abs(number.numerator)}}}{{{number.denominator}}}"


def _wrap_latex(node: Expression, needed: int) -> str:
    text = to_latex(node)
    strength = _ATOM if node.head == "div" and needed < _ATOM else _strength(node)
    return rf"\left({text}\right)" if strength < needed else text


def _latex_product(args: tuple[Expression, ...]) -> str:
    parts: list[str] = []
    for i, factor in enumerate(args):
        text = _wrap_latex(factor, _PRODUCT if i == 0 else _POWER)
        if i and (text[0].isdigit() or text.startswith("-") or _reads_as_call(args[i - 1], factor)):
            parts.append(r" \cdot ")
        elif i:
            parts.append(r" \, " if factor.head in ("call", "transpose", "mat") else " ")
        parts.append(text)
    return "".join(parts)


def _reads_as_call(before: Expression, factor: Expression) -> bool:
    """Whether a bracket after a function of the user would look like its argument."""
    return before.head == "call" and not before.args and _strength(factor) < _POWER


def _latex_power(base: Expression, exponent: Expression) -> str:
    above = to_latex(exponent)
    if (
        base.head == "call"
        and len(base.args) == 1
        and base.name in _LATEX_FUNCTIONS
        and exponent.head == "num"
    ):
        return f"{_function_name(base.name)}^{{{above}}}{_arguments(base)}"
    below = rf"\left({to_latex(base)}\right)" if _strength(base) < _ATOM else to_latex(base)
    if base.head == "call" and base.value == "exp":
        below = rf"\left({below}\right)"
    return f"{below}^{{{above}}}"


def _arguments(node: Expression) -> str:
    return r"\left(" + ", ".join(map(to_latex, node.args)) + r"\right)"


def _function_name(name: str) -> str:
    if name in _LATEX_NAMES:
        return _LATEX_NAMES[name]
    if name in _LATEX_FUNCTIONS:
        return rf"\{name}"
    return name if len(name) == 1 else rf"\operatorname{{{name}}}"


def _latex_call(node: Expression) -> str:
    name, args = node.name, node.args
    if not args:
        return latex_name(name)
    first = to_latex(args[0])
    if name == "sqrt":
        return rf"\sqrt{{{first}}}"
    if name == "root":
        return rf"\sqrt[{to_latex(args[1])}]{{{first}}}"
    if name == "cbrt":
        return rf"\sqrt[3]{{{first}}}"
    if name == "abs":
        return rf"\left|{first}\right|"
    if name in ("floor", "ceil"):
        return rf"\left\l{name}{first}\right\r{name}"
    if name == "conj":
        return rf"\overline{{{first}}}"
    if name == "log" and len(args) == 2:
        return rf"\log_{{{to_latex(args[1])}}}\left({first}\right)"
    known = name in _LATEX_FUNCTIONS or name in _LATEX_NAMES
    return (_function_name(name) if known else _user_function(name)) + _arguments(node)


def _user_function(name: str) -> str:
    if "_" in name or name in GREEK_NAMES:
        return latex_name(name)
    return _function_name(name)
