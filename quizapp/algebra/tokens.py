"""Cut a typed line into tokens: plain text, unicode and LaTeX come out alike."""

from __future__ import annotations

import unicodedata
from dataclasses import dataclass

from quizapp.algebra.characters import (
    GREEK,
    GREEK_NAMES,
    LATEX_GREEK_VARIANTS,
    OPERATORS,
    SPACES,
    SUBSCRIPTS,
    SUPERSCRIPTS,
    TRANSPOSES,
)
from quizapp.algebra.errors import Unreadable

MAX_CHARACTERS = 2000
MAX_TOKENS = 800
MAX_DIGITS = 40
MAX_EXPONENT_OF_TEN = 60


@dataclass(frozen=True)
class Token:
    """``kind`` is num, name, an operator, or one of frac sqrt sum begin end row top stop.

    ``start`` and ``end`` are 0-based and half-open; ``glued`` says that no space stands before.
    """

    kind: str
    text: str
    start: int
    end: int
    glued: bool = False


_IGNORED_COMMANDS = frozenset(
    [
        "left",
        "right",
        "big",
        "Big",
        "bigg",
        "Bigg",
        "bigl",
        "bigr",
        "Bigl",
        "Bigr",
        "biggl",
        "biggr",
        "bigm",
        "Bigm",
        "middle",
        "displaystyle",
        "textstyle",
        "scriptstyle",
        "quad",
        "qquad",
        "limits",
        "nolimits",
    ]
)
_SPACING = frozenset(",;:!> ")
_OPERATOR_COMMANDS = {
    "cdot": "*", "times": "*", "ast": "*", "div": "/", "lvert": "|", "rvert": "|", "vert": "|", "mid": "|",
    "lfloor": "⌊", "rfloor": "⌋", "lceil": "⌈", "rceil": "⌉", "lbrace": "{", "rbrace": "}", "lbrack": "[",
    "rbrack": "]", "over": "/",
}  # fmt: skip
_STYLES = frozenset(
    [
        "mathrm",
        "text",
        "operatorname",
        "mathbf",
        "boldsymbol",
        "mathit",
        "textit",
        "textrm",
        "mathsf",
        "mathcal",
        "bm",
        "mathbb",
        "mathtt",
        "textbf",
        "vec",
        "hat",
        "tilde",
    ]
)
_ACCENTS = frozenset(("vec", "hat", "tilde"))
_FUNCTION_COMMANDS = frozenset(
    [
        "sin",
        "cos",
        "tan",
        "sec",
        "csc",
        "cot",
        "sinh",
        "cosh",
        "tanh",
        "coth",
        "arcsin",
        "arccos",
        "arctan",
        "exp",
        "log",
        "ln",
        "min",
        "max",
    ]
)
_MATRIX_ENVIRONMENTS = frozenset(("matrix", "pmatrix", "bmatrix", "smallmatrix", "vmatrix", "Bmatrix"))


def tokenize(text: str) -> list[Token]:
    """Tokens of ``text``, ended by one of kind ``stop``. Raises ``Unreadable``."""
    if len(text) > MAX_CHARACTERS:
        raise Unreadable(
            f"too long: {len(text)} characters, at most {MAX_CHARACTERS} are read", MAX_CHARACTERS + 1
        )
    return _Lexer(text).run()


class _Lexer:
    def __init__(self, text: str) -> None:
        self.text = text
        self.at = 0
        self.tokens: list[Token] = []
        self.spaced = True

    def run(self) -> list[Token]:
        while self.at < len(self.text):
            self.step()
            if len(self.tokens) > MAX_TOKENS:
                raise Unreadable(f"too long: more than {MAX_TOKENS} signs and names", self.at)
        self.tokens.append(Token("stop", "the end", len(self.text), len(self.text)))
        return self.tokens

    def emit(self, kind: str, text: str, start: int, end: int | None = None) -> None:
        self.at = self.at if end is None else end
        self.tokens.append(Token(kind, text, start, self.at, not self.spaced))
        self.spaced = False

    def peek(self, offset: int = 0) -> str:
        index = self.at + offset
        return self.text[index] if index < len(self.text) else ""

    def step(self) -> None:
        start, c = self.at, self.peek()
        if c in SPACES:
            self.at += 1
            self.spaced = True
        elif c.isascii() and (c.isdigit() or (c == "." and self.peek(1).isdigit())):
            self.number()
        elif (c.isascii() and c.isalpha()) or c in GREEK:
            self.word()
        elif c == "\\":
            self.command()
        elif self.text.startswith("**", start):
            self.emit("^", "**", start, start + 2)
        elif c in ("∑", "Σ") and self.peek(1) == "_":
            self.emit("sum", c, start, start + 1)
        elif c == "_":
            self.lone_subscript()
        elif c in SUPERSCRIPTS:
            self.superscript()
        elif c in TRANSPOSES:
            if not (self.tokens and self.tokens[-1].kind == "^"):
                self.emit("^", c, start, start)
            self.emit("top", c, start, start + 1)
        elif c in OPERATORS:
            self.operator(c)
        else:
            self.refuse(c)

    def operator(self, c: str) -> None:
        start = self.at
        if c == "!" and self.peek(1) == "=":
            raise Unreadable("only = relates two sides here; != is not read", start + 1)
        if c == "=" and self.peek(1) == "=":
            raise Unreadable("write a single = between two sides", start + 1)
        self.emit(OPERATORS[c], c, start, start + 1)

    def refuse(self, c: str) -> None:
        column = self.at + 1
        if c in ("'", "′", "’"):
            raise Unreadable(
                "a prime is not read, since it could be a derivative or another name: write x_1, say", column
            )
        if c in "<>≤≥≠≈≡∝":
            raise Unreadable(f"only = relates two sides here; {c} is not read", column)
        if c == "$":
            raise Unreadable("leave the dollar signs out", column)
        if c in SUBSCRIPTS:
            raise Unreadable("a subscript must follow a name", column)
        if c == "∞":
            raise Unreadable("infinity is not a number here", column)
        name = unicodedata.name(c, f"character U+{ord(c):04X}")
        shown = f"{c} ({name})" if c.isprintable() else name
        raise Unreadable(f"{shown} is not part of a formula", column)

    def number(self) -> None:
        start = self.at
        while self.peek().isdigit() and self.peek().isascii():
            self.at += 1
        if self.peek() == "." and self.peek(1).isdigit():
            self.at += 1
            while self.peek().isdigit() and self.peek().isascii():
                self.at += 1
        elif self.peek() == "." and not self.peek(1).isalpha():
            self.at += 1
        digits = self.text[start : self.at]
        if len(digits) > MAX_DIGITS:
            raise Unreadable(f"a number of {len(digits)} digits; at most {MAX_DIGITS} are read", start + 1)
        if self.peek() in ("e", "E"):
            signed = 1 if self.peek(1) in ("-", "+") else 0
            end = self.at + 1 + signed
            while end < len(self.text) and self.text[end].isascii() and self.text[end].isdigit():
                end += 1
            power = self.text[self.at + 1 : end]
            followed = self.text[end : end + 1]
            if power[signed:] and not (followed.isascii() and followed.isalpha()):
                if len(power) > 4 or abs(int(power)) > MAX_EXPONENT_OF_TEN:
                    raise Unreadable(f"a power of ten beyond {MAX_EXPONENT_OF_TEN} is not read", start + 1)
                self.at = end
                digits += f"e{power}"
        self.emit("num", digits.rstrip("."), start)

    def word(self) -> None:
        start = self.at
        if self.peek() in GREEK:
            base = GREEK[self.peek()]
            self.at += 1
        else:
            while self.peek() and self.peek().isascii() and self.peek().isalnum():
                self.at += 1
            base = self.text[start : self.at]
        if base in ("sum", "Sum") and self.peek() == "_":
            self.emit("sum", base, start)
            return
        self.emit("name", base + self.subscript(single=False), start)

    def subscript(self, *, single: bool) -> str:
        """What follows a name as its subscript, as ``_content``, or nothing.

        ``single`` is LaTeX's rule: without braces one character is the subscript.
        """
        run = ""
        while self.peek() in SUBSCRIPTS and self.peek():
            run += SUBSCRIPTS[self.peek()]
            self.at += 1
        if run:
            return "_" + run
        if self.peek() != "_":
            return ""
        self.at += 1
        start = self.at
        if self.peek() == "{":
            return "_" + self.braced_subscript()
        if self.peek() == "\\":
            return "_" + self.command_name()
        if self.peek() in GREEK and self.peek():
            self.at += 1
            return "_" + GREEK[self.text[start]]
        while self.peek() and self.peek().isascii() and (self.peek().isalnum() or self.peek() == "_"):
            self.at += 1
            if single:
                break
        content = self.text[start : self.at].strip("_")
        if not content:
            raise Unreadable("a subscript is missing after _", start + 1)
        return "_" + content

    def braced_subscript(self) -> str:
        opened = self.at
        self.at += 1
        depth = 1
        content = ""
        while depth:
            c = self.peek()
            if not c:
                raise Unreadable("the brace opened here is never closed", opened + 1)
            if c == "\\":
                name = self.command_name()
                content += "" if name in _STYLES else name
                continue
            self.at += 1
            if c in GREEK:
                content += GREEK[c]
            elif c.isascii() and (c.isalnum() or c == "_"):
                content += c
            elif c in "{}":
                depth += 1 if c == "{" else -1
            elif c not in SPACES and c != ",":
                raise Unreadable(
                    "a subscript is part of a name: only letters and digits may stand in it", self.at
                )
        if not content:
            raise Unreadable("the subscript is empty", opened + 1)
        return content

    def command_name(self) -> str:
        """The letters after a backslash; greek variants under their plain name."""
        self.at += 1
        start = self.at
        while self.peek() and self.peek().isascii() and self.peek().isalpha():
            self.at += 1
        name = self.text[start : self.at]
        return LATEX_GREEK_VARIANTS.get(name, name)

    def lone_subscript(self) -> None:
        if any(token.kind == "sum" for token in self.tokens[-8:]):
            self.emit("_", "_", self.at, self.at + 1)
            return
        raise Unreadable("a subscript must follow a name", self.at + 1)

    def superscript(self) -> None:
        start = self.at
        while self.peek() in SUPERSCRIPTS and self.peek():
            self.at += 1
        run = self.text[start : self.at]
        inner = _Lexer("".join(SUPERSCRIPTS[c] for c in run)).run()[:-1]
        self.tokens.append(Token("^", run, start, start, True))
        self.tokens.append(Token("(", run, start, start, True))
        self.tokens.extend(
            Token(token.kind, token.text, start + token.start, start + token.end, token.glued)
            for token in inner
        )
        self.tokens.append(Token(")", run, self.at, self.at, True))
        self.spaced = False

    def command(self) -> None:
        start = self.at
        after = self.peek(1)
        if after == "\\":
            self.emit("row", "\\\\", start, start + 2)
        elif after in _SPACING or after in "()":
            self.at += 2
            self.spaced = True
        elif after in ("{", "}"):
            self.emit(after, after, start, start + 2)
        elif after == "|":
            raise Unreadable("a norm is not read: write sqrt(x^T x)", start + 1)
        elif not (after.isascii() and after.isalpha()):
            raise Unreadable("a backslash must be followed by a LaTeX command", start + 1)
        else:
            self.named_command(start, self.command_name())

    def named_command(self, start: int, name: str) -> None:
        if name in _IGNORED_COMMANDS:
            if name in ("left", "right") and self.peek() == ".":
                raise Unreadable("an invisible fence is not read: write the bracket", self.at + 1)
            self.spaced = True
        elif name in ("frac", "dfrac", "tfrac", "cfrac"):
            self.emit("frac", name, start)
        elif name == "sqrt":
            self.emit("sqrt", name, start)
        elif name == "sum":
            self.emit("sum", name, start)
        elif name in ("top", "intercal", "transpose"):
            self.emit("top", name, start)
        elif name in _OPERATOR_COMMANDS:
            if name == "over":
                raise Unreadable("\\over is not read: write \\frac{..}{..}", start + 1)
            self.emit(_OPERATOR_COMMANDS[name], name, start)
        elif name in ("begin", "end"):
            environment = self.braced_word(start)
            if environment not in _MATRIX_ENVIRONMENTS:
                raise Unreadable(
                    f"the environment {environment} is not read; pmatrix and bmatrix are", start + 1
                )
            if environment == "vmatrix":
                raise Unreadable("a determinant is not read", start + 1)
            self.emit(name, environment, start)
        elif name in ("overline", "bar"):
            self.emit("name", "conj", start)
        elif name in _STYLES:
            self.styled(start, name)
        elif name in GREEK_NAMES:
            self.emit("name", name + self.subscript(single=True), start)
        elif name in _FUNCTION_COMMANDS:
            self.emit("name", name + (self.subscript(single=True) if name == "log" else ""), start)
        elif name in ("ell",):
            self.emit("name", "ell" + self.subscript(single=True), start)
        else:
            raise Unreadable(f"the LaTeX command \\{name} is not known here", start + 1)

    def styled(self, start: int, style: str) -> None:
        """``\\mathrm{name}``, ``\\mathbf q``: the style is dropped, the name stays."""
        if self.peek() == "{":
            word = self.braced_word(start)
        else:
            while self.peek() == " ":
                self.at += 1
            word = self.command_name() if self.peek() == "\\" else self.peek()
            self.at += 0 if word and self.text[self.at - 1] == word[-1] and len(word) > 1 else 1
        if not word:
            raise Unreadable(f"\\{style} needs a name", start + 1)
        if style in _ACCENTS:
            word = word if style == "vec" else f"{word}_{style}"
        if word in ("T", "top") and self.tokens and self.tokens[-1].kind in ("^", "{") and style != "text":
            self.emit("top", word, start)
            return
        self.emit("name", word + self.subscript(single=True), start)

    def braced_word(self, start: int) -> str:
        while self.peek() == " ":
            self.at += 1
        end = self.text.find("}", self.at)
        if self.peek() != "{" or end < 0:
            raise Unreadable("a name in braces must follow", start + 1)
        word = self.text[self.at + 1 : end].strip().lstrip("\\").rstrip("*")
        word = LATEX_GREEK_VARIANTS.get(GREEK.get(word, word), GREEK.get(word, word))
        if not (word.isascii() and word.replace("_", "").isalnum() and word[0].isalpha()):
            raise Unreadable("only a name may stand in these braces", self.at + 2)
        self.at = end + 1
        return word
