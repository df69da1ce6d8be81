"""The tokens of a LaTeX formula, and the arguments that are taken as they are written."""

from __future__ import annotations

import re
import unicodedata

from quizapp.notation.errors import UnreadableFormula

_TOKEN = re.compile(r"\\[a-zA-Z]+|\\.|%[^\n]*\n?|\s+|\d+(?:\.\d+)?|.", re.DOTALL)
_GROUPED_DIGITS = re.compile(r"(?<!\d)(\d{1,3})((?:,\d{3})+)(?![\d,])")


class Tokens:
    """A cursor over tokens. A number is one token."""

    def __init__(self, latex: str) -> None:
        if any(unicodedata.category(character) == "Cc" and not character.isspace() for character in latex):
            raise UnreadableFormula("a control character")
        latex = _GROUPED_DIGITS.sub(lambda match: match[1] + match[2].replace(",", "{,}"), latex)
        self.tokens = [token for token in _TOKEN.findall(latex) if not token.startswith("%")]
        self.at = 0

    def peek(self) -> str:
        """The next token that is not a space; "" at the end."""
        while self.at < len(self.tokens) and self.tokens[self.at].isspace():
            self.at += 1
        return self.tokens[self.at] if self.at < len(self.tokens) else ""

    def take(self) -> str:
        token = self.peek()
        if not token:
            raise UnreadableFormula("the formula ends too early")
        self.at += 1
        return token

    def expect(self, token: str) -> None:
        if self.peek() != token:
            raise UnreadableFormula(f"{token} is missing")
        self.at += 1

    def raw_group(self) -> str:
        """The source of a braced argument, as it is written."""
        self.expect("{")
        depth, start = 1, self.at
        while self.at < len(self.tokens):
            token = self.tokens[self.at]
            depth += (token == "{") - (token == "}")
            self.at += 1
            if depth == 0:
                return "".join(self.tokens[start : self.at - 1])
        raise UnreadableFormula("} is missing")

    def raw_bracket(self) -> str:
        """The source of an optional argument in square brackets, "" where there is none."""
        if self.peek() != "[":
            return ""
        start = self.at + 1
        while self.at < len(self.tokens) and self.tokens[self.at] != "]":
            self.at += 1
        self.expect("]")
        return "".join(self.tokens[start : self.at - 1])

    def upcoming_bracket(self) -> str:
        """The optional argument that follows, without taking it."""
        start = self.at
        try:
            return self.raw_bracket()
        except UnreadableFormula:
            return ""
        finally:
            self.at = start

    def dimension(self) -> str:
        source = ""
        while (token := self.peek()) and len(source) < 12 and re.fullmatch(r"-|\d+(?:\.\d+)?|[a-z]", token):
            source += self.take()
            if re.search(r"(em|ex|pt|mu|cm|mm)$", source):
                break
        return source

    def skip_line_gap(self) -> None:
        """Pass the star or the extra space that may follow the end of a line."""
        if self.peek() == "*":
            self.take()
        if re.fullmatch(r"\s*-?[\d.]+\s*(?:em|ex|pt|mm|cm)\s*", self.upcoming_bracket()):
            self.raw_bracket()
