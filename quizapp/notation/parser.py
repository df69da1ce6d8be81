"""The grammar of a formula: rows, groups, arguments and scripts, by TeX's rules."""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Mapping
from xml.etree.ElementTree import Element

from quizapp.notation import symbols
from quizapp.notation.elements import attach, element, enclosed, row_of
from quizapp.notation.errors import StrayAlignment, UnreadableFormula
from quizapp.notation.fencing import pair_fences
from quizapp.notation.letters import in_font
from quizapp.notation.tokens import Tokens

LINE_ENDS = frozenset({"\\\\", "\\cr", "\\newline"})
ENDS = frozenset({"}", "&", "\\right", "\\middle", "\\end", *LINE_ENDS})
_MAX_DEPTH = 60

# TeX's fractions between what they divide, and the brackets around them.
_INFIXES = {"\\over": "", "\\atop": "", "\\choose": "()", "\\brace": "{}", "\\brack": "[]"}


class Parser(Tokens):
    """Reads one formula. ``commands`` draw what takes arguments; the rest are symbols.

    ``display`` and ``font`` are the style at the cursor.
    """

    def __init__(self, latex: str, display: bool, commands: Mapping[str, Command]) -> None:
        super().__init__(latex)
        self.display = display
        self.font = ""
        self.depth = 0
        self.commands = commands

    def formula(self) -> Element:
        lines = [self.row()]
        while self.peek() in LINE_ENDS:
            self.take()
            self.skip_line_gap()
            lines.append(self.row())
        if self.peek() == "&":
            raise StrayAlignment("& stands alone")
        if self.peek():
            raise UnreadableFormula(f"{self.peek()} stands alone")
        if len(lines) == 1:
            return element("mrow", "", *lines[0])
        rows = [element("mtr", "", element("mtd", "", *line, columnalign="left")) for line in lines]
        return element("mrow", "", element("mtable", "", *rows, displaystyle="true"))

    def row(self, ends: frozenset[str] = ENDS) -> list[Element]:
        """Everything up to a token that ends a row."""
        self.depth += 1
        if self.depth > _MAX_DEPTH:
            raise UnreadableFormula("nested too deeply")
        font, display = self.font, self.display
        items: list[Element] = []
        while (token := self.peek()) and token not in ends:
            if token in _INFIXES:
                self.take()
                items = [self.infix(token, pair_fences(items), pair_fences(self.row(ends)))]
                break
            item = self.scripted()
            if item is not None:
                items.append(item)
        self.font, self.display = font, display
        self.depth -= 1
        # An equation's number stands behind it, wherever it is written.
        items.sort(key=lambda item: item.get("class") == "tag")
        return pair_fences(items)

    def infix(self, token: str, above: list[Element], below: list[Element]) -> Element:
        thickness = {} if token == "\\over" else {"linethickness": "0"}
        fraction = element("mfrac", "", row_of(above), row_of(below), **thickness)
        marks = _INFIXES[token]
        return enclosed(fraction, *marks) if marks else fraction

    def bracketed_row(self) -> list[Element]:
        """The rest of an optional argument after its opening bracket."""
        items = self.row(ENDS | {"]"})
        self.expect("]")
        return items

    def group(self) -> Element:
        self.expect("{")
        items = self.row()
        self.expect("}")
        return element("mrow", "", *items)

    def argument(self, style: str = "") -> Element:
        """One argument as TeX takes it: a braced group, or a single token."""
        display = self.display
        if style:
            self.display = style == "display"
        token = self.peek()
        if token == "{":
            result: Element | None = self.group()
        elif token and token[0].isdigit():
            result = element("mn", self.lettered(token[0]))
            self.tokens[self.at] = token[1:]
            if not token[1:]:
                self.at += 1
            elif token[1] == ".":
                self.tokens[self.at : self.at + 1] = [".", token[2:]]
        elif token in ENDS or token in ("^", "_", ""):
            raise UnreadableFormula("an argument is missing")
        else:
            result = self.atom()
        self.display = display
        if result is None:
            raise UnreadableFormula("an argument is missing")
        return result

    def scripted(self) -> Element | None:
        """An atom with its scripts and primes; None for what draws nothing."""
        base = element("mi") if self.peek() in ("^", "_", "'") else self.atom()
        if base is None or base.tag == "mspace":
            # Scripts after a space have an empty base of their own.
            return base
        limits = self.takes_limits(base)
        while self.peek() in ("\\limits", "\\nolimits", "\\displaylimits"):
            word = self.take()
            limits = self.display if word == "\\displaylimits" else word == "\\limits"
        sub: Element | None = None
        sup: list[Element] = []
        raised = False
        while (token := self.peek()) in ("^", "_", "'"):
            if token == "'":
                if raised:
                    raise UnreadableFormula("two superscripts")
                count = 0
                while self.peek() == "'":
                    self.take()
                    count += 1
                sup.append(element("mo", {1: "′", 2: "″", 3: "‴"}.get(count, "′" * count)))
                continue
            self.take()
            if self.script_is_doubtful():
                raise UnreadableFormula("a script without braces")
            script = self.argument("text")
            if token == "_":
                if sub is not None:
                    raise UnreadableFormula("two subscripts")
                sub = script
            else:
                if raised:
                    raise UnreadableFormula("two superscripts")
                raised = True
                sup.append(script)
        return attach(base, sub, row_of(sup) if sup else None, limits)

    def takes_limits(self, base: Element) -> bool:
        if base.get("braced") == "true":
            return True
        return self.display and base.get("movablelimits") == "true"

    def atom(self) -> Element | None:
        token = self.take()
        if token == "{":
            self.at -= 1
            group = self.group()
            if not len(group):
                # An empty group is an operand: the sign before it stands between two.
                return element("mi")
            if len(group) == 1 and group[0].tag == "mo":
                # Braces make a sign a plain letter: `1{,}000`.
                group.set("class", "ord")
            return group
        if token.startswith("\\") and len(token) > 1:
            return self.command(token[1:])
        if token[0].isdigit():
            return element("mn", self.lettered(token))
        if token == "~":
            if self.tie_is_doubtful():
                raise UnreadableFormula("a tie that may be a sign")
            return element("mspace", width="0.333em")
        if token == "->":
            return element("mo", "→")
        if token == "**":
            return element("mo", token)
        if token == "√" and self.peek() == "{":
            return element("msqrt", "", self.argument())
        if token in ("#", "$", "\\", "&", "}"):
            raise UnreadableFormula(f"{token} stands alone")
        return self.character(token)

    def character(self, character: str) -> Element:
        """One sign as it is typed. A letter may carry accents."""
        character = symbols.TYPED.get(character, character)
        if unicodedata.category(character[0])[0] in "LN":
            return element("mi", self.lettered(character))
        if unicodedata.category(character)[0] in "MC":
            raise UnreadableFormula("a combining or control character stands alone")
        if character in symbols.LARGE_SIGNS:
            return element("mo", character, movablelimits="true")
        return element("mo", character)

    def lettered(self, text: str) -> str:
        if self.font in ("", "normal", "italic"):
            return text
        made = [letter if letter == "." else in_font(letter, self.font) for letter in text]
        if any(letter is None for letter in made):
            if self.font in ("bold", "bold-italic", "sans-serif", "monospace"):
                return text
            raise UnreadableFormula(f"{text} has no letter in this font")
        return "".join(letter or "" for letter in made)

    def command(self, name: str) -> Element | None:
        if (special := self.commands.get(name)) is not None:
            return special(self, name)
        if name in symbols.LETTERS:
            return element("mi", self.lettered(symbols.LETTERS[name]))
        for table in (symbols.RELATIONS, symbols.BINARIES, symbols.PUNCTUATION, symbols.DOTS):
            if name in table:
                if name == "colon":
                    return element("mo", ":", **{"class": "punct"})
                return element("mo", table[name])
        if name in symbols.LARGE_OPERATORS:
            return element("mo", symbols.LARGE_OPERATORS[name], movablelimits="true")
        if name in symbols.INTEGRALS:
            return element("mo", symbols.INTEGRALS[name])
        if name in symbols.FUNCTIONS:
            return element("mi", name, **{"class": "op"})
        if name in symbols.LIMIT_FUNCTIONS:
            return element("mi", symbols.LIMIT_FUNCTIONS[name], movablelimits="true", **{"class": "op"})
        if name in "%&#$_":
            return element("mo", name)
        if "\\" + name in symbols.DELIMITERS:
            return element("mo", symbols.DELIMITERS["\\" + name], **_delimiter_class(name))
        return _rarer_symbol(name)

    def delimiter(self) -> str:
        token = self.take()
        if token == ".":
            return ""
        if token not in symbols.DELIMITERS:
            raise UnreadableFormula(f"{token} is no delimiter")
        return symbols.DELIMITERS[token]


def _delimiter_class(name: str) -> dict[str, str]:
    if name.startswith("l") and name in ("lvert", "lVert"):
        return {"class": "open"}
    if name in ("rvert", "rVert"):
        return {"class": "close"}
    return {}


def _rarer_symbol(name: str) -> Element:
    from latex2mathml.symbols_parser import convert_symbol

    code = convert_symbol("\\" + name)
    character = chr(int(code, 16)) if code else ""
    category = unicodedata.category(character) if character else ""
    if category in ("Lu", "Ll", "Lo"):
        return element("mi", character)
    if category in ("Sm", "So"):
        return element("mo", character, **{"class": "rel" if category == "Sm" else "ord"})
    raise UnreadableFormula(f"\\{name} is not known")


Command = Callable[[Parser, str], "Element | None"]
