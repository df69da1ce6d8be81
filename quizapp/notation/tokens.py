"""The tokens of a LaTeX formula, and the arguments that are taken as they are written."""

from __future__ import annotations

import re
import unicodedata

from quizapp.notation.errors import UnreadableFormula
from quizapp.notation.symbols import LETTERS

_TOKEN = re.compile(
    r"\\[a-zA-Z]+|\\.|%[^\n]*\n?|\s+|\d+(?:\.\d+)?|->|\*\*|[^\W\d_][\u0300-\u036f\u20d0-\u20dc]+|.", re.DOTALL
)
_OPERAND = re.compile(r"[^\W_]|\\(?!cup|cap|to|in)[a-zA-Z]")
_DISTRIBUTION = re.compile(r"\w|\(|\\(?:math|operatorname)")
_CONTROL_SPACE = re.compile(r"\\\s")
_GROUPED_DIGITS = re.compile(r"(?<![\d.,])([1-9]\d{0,2})((?:,\d{3})+)(?![\d,])")


def _grouped(match: re.Match[str]) -> str:
    """The commas of 1,048,576 are no punctuation; those of the pair (1,200) are."""
    before, after = match.string[: match.start()].rstrip()[-1:], match.string[match.end() :].lstrip()[:1]
    if before in tuple("([{") and after in tuple(")]}\\"):
        return match[0]
    return match[1] + match[2].replace(",", "{,}")


class Tokens:
    """A cursor over tokens. A number is one token."""

    def __init__(self, latex: str) -> None:
        if any(unicodedata.category(character) == "Cc" and not character.isspace() for character in latex):
            raise UnreadableFormula("a control character")
        latex = _GROUPED_DIGITS.sub(_grouped, latex)
        tokens = [token for token in _TOKEN.findall(latex) if not token.startswith("%")]
        self.tokens = ["\\ " if _CONTROL_SPACE.fullmatch(token) else token for token in tokens]
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

    def script_is_doubtful(self) -> bool:
        """Whether only the first of several signs would be raised: ``e^-x``, ``x^(i+1)``."""
        first, second = ([*self.tokens[self.at :], "", ""])[:2]
        return first in ("(", "[") or (first == "-" and bool(_OPERAND.match(second)))

    def tie_is_doubtful(self) -> bool:
        """Whether the tie just taken stands for a sign, as in ``x ~ N(0, 1)``."""
        words = ["", "", *self.tokens, "", ""]
        place = self.at + 1
        apart = words[place - 1].isspace() and words[place + 1].isspace()
        before, after = words[place - 2], words[place + 2]
        operand = re.fullmatch(r"[^\W\d]|[)}\]]", before) or before[1:] in LETTERS
        return apart and bool(operand and _DISTRIBUTION.match(after))

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

    def raw_argument(self) -> str:
        """The source of an argument of words: a braced group, or one character."""
        if self.peek() in ("{", ""):
            return self.raw_group()
        token = self.take()
        if token[0].isdigit() and token[1:]:
            self.at -= 1
            self.tokens[self.at] = token[1:]
            return token[0]
        return token

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
