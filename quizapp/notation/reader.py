"""LaTeX to MathML, strictly: what is not known for certain raises `UnreadableFormula`.

latex2mathml accepts every input and says nothing where it misreads (an unknown command becomes a name, nested braces
in text leak, an operator name loses its argument). The reader here follows TeX's own rules of tokens and arguments;
latex2mathml serves as the table of rarer symbols.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable
from xml.etree.ElementTree import Element

from quizapp.notation import symbols
from quizapp.notation.environments import ENVIRONMENTS, Environment
from quizapp.notation.errors import UnreadableFormula
from quizapp.notation.fencing import pair_fences
from quizapp.notation.letters import in_font
from quizapp.notation.mathtext import read_text

_TOKEN = re.compile(r"\\[a-zA-Z]+|\\.|%[^\n]*\n?|\s+|\d+(?:\.\d+)?|.", re.DOTALL)
_GROUPED_DIGITS = re.compile(r"(?<!\d)(\d{1,3})((?:,\d{3})+)(?![\d,])")

FONTS = {
    "mathbf": "bold",
    "boldsymbol": "bold-italic",
    "bm": "bold-italic",
    "pmb": "bold",
    "bold": "bold",
    "symbf": "bold",
    "mathcal": "script",
    "mathscr": "script",
    "mathbb": "double-struck",
    "Bbb": "double-struck",
    "mathfrak": "fraktur",
    "mathsf": "sans-serif",
    "mathtt": "monospace",
    "mathit": "italic",
    "mathnormal": "italic",
    "mathrm": "normal",
    "mathup": "normal",
    "mathbbm": "double-struck",
}
_SWITCHES = {
    "bf": "bold",
    "rm": "normal",
    "it": "italic",
    "cal": "script",
    "sf": "sans-serif",
    "tt": "monospace",
}
_SPACES = {
    ",": "0.167em", "thinspace": "0.167em", ":": "0.222em", ">": "0.222em", "medspace": "0.222em", ";": "0.278em",
    "thickspace": "0.278em", "enspace": "0.5em", " ": "0.333em", "space": "0.333em", "nobreakspace": "0.333em",
    "quad": "1em", "qquad": "2em", "enskip": "0.5em",
}  # fmt: skip
_TEXT = frozenset(
    [
        "text",
        "textrm",
        "textnormal",
        "textup",
        "textsf",
        "texttt",
        "textit",
        "textbf",
        "textmd",
        "textsc",
        "mbox",
        "hbox",
        "emph",
    ]
)
_IGNORED = frozenset(
    [
        "!",
        "negthinspace",
        "negmedspace",
        "negthickspace",
        "nonumber",
        "notag",
        "mathstrut",
        "strut",
        "allowbreak",
        "nobreak",
        "relax",
        "displaybreak",
        "normalsize",
        "small",
        "large",
        "Large",
        "LARGE",
        "huge",
        "Huge",
        "tiny",
        "footnotesize",
        "scriptsize",
        "scriptstyle",
        "scriptscriptstyle",
        "null",
        "protect",
    ]
)
_CLASSES = {
    "mathop": "op", "mathrel": "rel", "mathbin": "bin", "mathord": "ord", "mathopen": "open", "mathclose": "close",
    "mathpunct": "punct", "mathinner": "inner",
}  # fmt: skip
_BRACES = {
    "overbrace": ("mover", "⏞"),
    "underbrace": ("munder", "⏟"),
    "overbracket": ("mover", "⎴"),
    "underbracket": ("munder", "⎵"),
}
_LINES = {
    "overline": ("mover", "‾"),
    "underline": ("munder", "_"),
    "overrightarrow": ("mover", "→"),
    "overleftarrow": ("mover", "←"),
    "underbar": ("munder", "_"),
}
_ARROWS = {
    "xrightarrow": "→",
    "xleftarrow": "←",
    "xleftrightarrow": "↔",
    "xRightarrow": "⇒",
    "xLeftarrow": "⇐",
    "xmapsto": "↦",
    "xhookrightarrow": "↪",
    "xlongequal": "=",
}
_NEGATED = {"=": "≠", "∈": "∉", "<": "≮", ">": "≯", "≤": "≰", "≥": "≱", "≡": "≢", "∼": "≁", "≈": "≉", "⊂": "⊄",
            "⊆": "⊈", "∣": "∤", "∥": "∦", "∃": "∄", "→": "↛"}  # fmt: skip
_BIG = re.compile(r"^([bB]ig{1,2})([lrm]?)$")
_ENDS = frozenset({"}", "&", "\\\\", "\\cr", "\\right", "\\middle", "\\end"})
_MAX_DEPTH = 60


def element(tag: str, text: str = "", *children: Element, **attributes: str) -> Element:
    """A MathML element."""
    made = Element(tag, {name.replace("_", "-"): value for name, value in attributes.items()})
    made.text = text or None
    made.extend(children)
    return made


def row_of(items: list[Element]) -> Element:
    """One element for a list of them."""
    return items[0] if len(items) == 1 else element("mrow", "", *items)


def read(latex: str, display: bool) -> Element:
    """The MathML of ``latex``, an `mrow`. Raises UnreadableFormula where anything in it is not understood."""
    return _Reader(latex, display).formula()


class _Reader:
    def __init__(self, latex: str, display: bool) -> None:
        if any(unicodedata.category(character) == "Cc" and not character.isspace() for character in latex):
            raise UnreadableFormula("a control character")
        latex = _GROUPED_DIGITS.sub(lambda match: match[1] + match[2].replace(",", "{,}"), latex)
        self.tokens = [token for token in _TOKEN.findall(latex) if not token.startswith("%")]
        self.at = 0
        self.display = display
        self.font = ""
        self.depth = 0

    # Tokens ---------------------------------------------------------------------------------------------------

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

    # Rows and groups ------------------------------------------------------------------------------------------

    def formula(self) -> Element:
        lines = [self.row()]
        while self.peek() in ("\\\\", "\\cr"):
            self.take()
            self.raw_bracket()
            lines.append(self.row())
        if self.peek():
            raise UnreadableFormula(f"{self.peek()} stands alone")
        if len(lines) == 1:
            return element("mrow", "", *lines[0])
        rows = [element("mtr", "", element("mtd", "", *line, columnalign="left")) for line in lines]
        return element("mrow", "", element("mtable", "", *rows, displaystyle="true"))

    def row(self, ends: frozenset[str] = _ENDS) -> list[Element]:
        """Everything up to a token that ends a row."""
        self.depth += 1
        if self.depth > _MAX_DEPTH:
            raise UnreadableFormula("nested too deeply")
        font, display = self.font, self.display
        items: list[Element] = []
        while (token := self.peek()) and token not in ends:
            if token in ("\\over", "\\choose", "\\atop"):
                self.take()
                items = [self.infix(token, pair_fences(items), pair_fences(self.row(ends)))]
                break
            item = self.scripted()
            if item is not None:
                items.append(item)
        self.font, self.display = font, display
        self.depth -= 1
        return pair_fences(items)

    def infix(self, token: str, above: list[Element], below: list[Element]) -> Element:
        thickness = {} if token == "\\over" else {"linethickness": "0"}
        fraction = element("mfrac", "", row_of(above), row_of(below), **thickness)
        return _binomial(fraction) if token == "\\choose" else fraction

    def bracketed_row(self) -> list[Element]:
        """The rest of an optional argument after its opening bracket."""
        items = self.row(_ENDS | {"]"})
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
            result = element("mn", token[0])
            self.tokens[self.at] = token[1:]
            if not token[1:]:
                self.at += 1
            elif token[1] == ".":
                self.tokens[self.at : self.at + 1] = [".", token[2:]]
        elif token in _ENDS or token in ("^", "_", ""):
            raise UnreadableFormula("an argument is missing")
        else:
            result = self.atom()
        self.display = display
        if result is None:
            raise UnreadableFormula("an argument is missing")
        return result

    # Scripts --------------------------------------------------------------------------------------------------

    def scripted(self) -> Element | None:
        """An atom with its scripts and primes; None for what draws nothing."""
        base = element("mi") if self.peek() in ("^", "_", "'") else self.atom()
        if base is None:
            return None
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
        return _attach(base, sub, row_of(sup) if sup else None, limits)

    def takes_limits(self, base: Element) -> bool:
        if base.get("braced") == "true":
            return True
        return self.display and base.get("movablelimits") == "true"

    # Atoms ----------------------------------------------------------------------------------------------------

    def atom(self) -> Element | None:
        token = self.take()
        if token == "{":
            self.at -= 1
            group = self.group()
            if len(group) == 1 and group[0].tag == "mo":
                # Braces make a sign a plain letter: `1{,}000`.
                group.set("class", "ord")
            return group
        if token.startswith("\\") and len(token) > 1:
            return self.command(token[1:])
        if token[0].isdigit():
            return element("mn", self.lettered(token))
        if token == "~":
            return element("mspace", width="0.333em")
        if token in ("#", "$", "\\", "&", "}"):
            raise UnreadableFormula(f"{token} stands alone")
        return self.character(token)

    def character(self, character: str) -> Element:
        if unicodedata.category(character)[0] in "LN":
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
        if (special := _COMMANDS.get(name)) is not None:
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

    # Commands with arguments ----------------------------------------------------------------------------------

    def fraction(self, name: str) -> Element:
        style = "text"
        thickness = {"linethickness": "0"} if name.endswith("binom") else {}
        fraction = element("mfrac", "", self.argument(style), self.argument(style), **thickness)
        return _binomial(fraction) if thickness else fraction

    def root(self, _name: str) -> Element:
        index: Element | None = None
        if self.peek() == "[":
            self.take()
            index = row_of(self.bracketed_row())
        body = self.argument()
        return element("msqrt", "", body) if index is None else element("mroot", "", body, index)

    def accent(self, name: str) -> Element:
        return element("mover", "", self.argument(), element("mo", symbols.ACCENTS[name][1]), accent="true")

    def lined(self, name: str) -> Element:
        tag, sign = _LINES[name]
        return element(
            tag,
            "",
            self.argument(),
            element("mo", sign),
            **{"accent" if tag == "mover" else "accentunder": "true"},
        )

    def braced(self, name: str) -> Element:
        tag, sign = _BRACES[name]
        return element(tag, "", self.argument(), element("mo", sign), braced="true")

    def stacked(self, name: str) -> Element:
        script = self.argument("text")
        base = self.argument()
        tag = "munder" if name == "underset" else "mover"
        return element(tag, "", base, script, **({"class": "rel"} if name == "stackrel" else {}))

    def arrow(self, name: str) -> Element:
        below: Element | None = None
        if self.peek() == "[":
            self.take()
            below = row_of(self.bracketed_row())
        above = self.argument("text")
        sign = element("mo", _ARROWS[name], stretchy="true")
        if below is None:
            return element("mover", "", sign, above, **{"class": "rel"})
        return element("munderover", "", sign, below, above, **{"class": "rel"})

    def fonted(self, name: str) -> Element:
        outer, self.font = self.font, FONTS[name]
        try:
            body = self.argument()
        finally:
            self.font = outer
        return _joined(body) if FONTS[name] in ("normal", "sans-serif", "monospace") else body

    def switch(self, name: str) -> None:
        self.font = _SWITCHES[name]

    def styled(self, name: str) -> None:
        self.display = name == "displaystyle"

    def text(self, _name: str) -> Element:
        pieces: list[Element] = []
        for words, is_math in read_text(self.raw_group()):
            pieces.append(read(words, display=False) if is_math else element("mtext", words))
        return element("mrow") if not pieces else row_of(pieces)

    def operator_name(self, _name: str) -> Element:
        movable = self.peek() == "*"
        if movable:
            self.take()
        words = re.sub(r"\\[,;: ]|~", " ", self.raw_group())
        words = re.sub(r"\\(?:mathrm|text|rm)\b|\\!|[{}]", "", words)
        if "\\" in words or not words.strip() or any(mark in words for mark in "^_$&#"):
            raise UnreadableFormula("an operator name of signs")
        return element(
            "mi", " ".join(words.split()), **{"class": "op"}, **({"movablelimits": "true"} if movable else {})
        )

    def fenced(self, _name: str) -> Element:
        items = [_fence(self.delimiter())]
        inner: list[Element] = []
        while True:
            inner += self.row()
            token = self.take()
            if token == "\\middle":
                inner.append(_fence(self.delimiter()))
            elif token == "\\right":
                break
            else:
                raise UnreadableFormula("\\right is missing")
        items += [*inner, _fence(self.delimiter())]
        return element("mrow", "", *items, fenced="true")

    def delimiter(self) -> str:
        token = self.take()
        if token == ".":
            return ""
        if token not in symbols.DELIMITERS:
            raise UnreadableFormula(f"{token} is no delimiter")
        return symbols.DELIMITERS[token]

    def sized(self, name: str) -> Element:
        match = _BIG.match(name)
        side = match[2] if match else ""
        mark = self.delimiter()
        spacing = {"l": "open", "r": "close", "m": "rel"}.get(side, "")
        if not spacing:
            spacing = "ord" if mark in "/|‖" else symbols.CLASSES.get(mark, "ord")
        return element("mo", mark, **{"class": spacing})

    def classed(self, name: str) -> Element:
        body = self.argument()
        if name == "mathop":
            return element("mrow", "", body, movablelimits="true", **{"class": "op"})
        return element("mrow", "", body, **{"class": _CLASSES[name]})

    def negated(self, _name: str) -> Element:
        sign = self.argument()
        while sign.tag == "mrow" and len(sign) == 1:
            sign = sign[0]
        if len(sign) == 0 and sign.text in _NEGATED:
            return element("mo", _NEGATED[sign.text])
        raise UnreadableFormula("a negated sign that has no character")

    def coloured(self, name: str) -> Element | None:
        self.raw_bracket()
        self.raw_group()
        return self.argument() if name in ("textcolor", "mathcolor") else None

    def passed(self, _name: str) -> Element:
        return self.argument()

    def nothing(self, name: str) -> Element | None:
        body = self.argument()
        return None if name == "vphantom" else element("mphantom", "", body)

    def boxed(self, name: str) -> Element:
        body = self.text("text") if name == "fbox" else self.argument()
        return element("menclose", "", body, notation="box")

    def space(self, name: str) -> Element:
        return element("mspace", width=_SPACES[name])

    def measured_space(self, _name: str) -> Element:
        source = self.raw_group() if self.peek() in ("{", "*") else self.dimension()
        match = re.fullmatch(r"\s*(-?\d*\.?\d+)\s*(em|ex|pt|mu|cm|mm)\s*", source)
        if match is None:
            raise UnreadableFormula("a space of unknown size")
        em = float(match[1]) * {"em": 1, "ex": 0.5, "pt": 0.1, "mu": 1 / 18, "cm": 2.8, "mm": 0.28}[match[2]]
        return element("mspace", width=f"{max(em, 0):.3f}em")

    def dimension(self) -> str:
        source = ""
        while (token := self.peek()) and len(source) < 12 and re.fullmatch(r"-|\d+(?:\.\d+)?|[a-z]", token):
            source += self.take()
            if re.search(r"(em|ex|pt|mu|cm|mm)$", source):
                break
        return source

    def dropped(self, _name: str) -> None:
        self.raw_group()

    def tag(self, _name: str) -> Element:
        words = "".join(words for words, is_math in read_text(self.raw_group()) if not is_math)
        return element("mrow", "", element("mspace", width="2em"), element("mtext", f"({words})"))

    def modulo(self, name: str) -> Element:
        word = element("mi", "mod", **{"class": "op"})
        if name == "mod":
            return element("mrow", "", element("mspace", width="1em"), word, self.argument())
        inside = [self.argument()] if name == "pod" else [word, self.argument()]
        fence = [element("mo", "("), *inside, element("mo", ")")]
        return element("mrow", "", element("mspace", width="1em"), *pair_fences(fence))

    def binary_modulo(self, _name: str) -> Element:
        return element("mo", "mod", **{"class": "bin"})

    def substack(self, _name: str) -> Element:
        self.expect("{")
        rows = self.table_rows("\\substack", lambda _column: "center", "}")
        return element("mtable", "", *rows)

    def environment(self, _name: str) -> Element:
        name = self.raw_group()
        kind = ENVIRONMENTS.get(name)
        if kind is None:
            raise UnreadableFormula(f"the environment {name} is not known")
        return self.table(name, kind)

    # Tables ---------------------------------------------------------------------------------------------------

    def table(self, name: str, kind: Environment) -> Element:
        columns, lines = kind.columns, ""
        if kind.argument == "columns":
            self.raw_bracket()
            columns, lines = _column_letters(self.raw_group())
        elif kind.argument == "count":
            self.raw_group()
        elif name.endswith("matrix*") and self.peek() == "[":
            columns = self.raw_bracket() or "c"

        def alignment(column: int) -> str:
            if kind.argument == "columns" and column >= len(columns):
                raise UnreadableFormula("more cells than columns")
            return {"l": "left", "r": "right", "c": "center"}.get(columns[column % len(columns)], "center")

        display, self.display = self.display, kind.display
        rules: list[str] = []
        rows = self.table_rows(name, alignment, "\\end", aligned=kind.aligned, rules=rules)
        self.display = display
        if self.raw_group() != name:
            raise UnreadableFormula(f"\\end{{{name}}} is missing")
        attributes = {"columnlines": lines} if "|" in lines else {}
        if any(rule == "solid" for rule in rules):
            attributes["rowlines"] = " ".join(rules)
        if kind.aligned:
            attributes["columnspacing"] = "0 2em"
        if kind.display and not kind.left:
            attributes["displaystyle"] = "true"
        if name in ("equation", "equation*", "displaymath", "math"):
            if len(rows) == 1 and len(rows[0]) == 1:
                return element("mrow", "", *rows[0][0])
            raise UnreadableFormula("an equation of several lines")
        table = element("mtable", "", *rows, **attributes)
        if not (kind.left or kind.right):
            return table
        return element("mrow", "", _fence(kind.left), table, _fence(kind.right), fenced="true")

    def table_rows(
        self,
        name: str,
        alignment: Callable[[int], str],
        end: str,
        *,
        aligned: bool = False,
        rules: list[str] | None = None,
    ) -> list[Element]:
        rows: list[Element] = []
        cells: list[Element] = []
        rules = [] if rules is None else rules
        rules.append("none")
        while True:
            while self.peek() == "\\hline":
                self.take()
                rules[-1] = "solid"
            items = self.row()
            if aligned and len(cells) % 2 == 1:
                # TeX puts an empty atom before the sign of an aligned relation, so that it is spaced as one.
                items.insert(0, element("mi"))
            if items or cells or self.peek() != end:
                cells.append(element("mtd", "", *items, columnalign=alignment(len(cells))))
            token = self.take()
            if token == "&":
                continue
            if cells:
                rows.append(element("mtr", "", *cells))
                cells = []
                if token in ("\\\\", "\\cr"):
                    rules.append("none")
            if token in ("\\\\", "\\cr"):
                if self.peek() == "*":
                    self.take()
                if re.fullmatch(r"\s*-?[\d.]+\s*(?:em|ex|pt|mm|cm)\s*", self.upcoming_bracket()):
                    self.raw_bracket()
                continue
            if token != end:
                raise UnreadableFormula(f"{name} is not closed")
            return rows

    def upcoming_bracket(self) -> str:
        """The optional argument that follows, without taking it."""
        start = self.at
        try:
            return self.raw_bracket()
        except UnreadableFormula:
            return ""
        finally:
            self.at = start


def _attach(base: Element, sub: Element | None, sup: Element | None, limits: bool) -> Element:
    if sub is None and sup is None:
        return base
    attributes = {"class": base.get("class", "")} if base.get("class") else {}
    if limits:
        if sub is not None and sup is not None:
            return element("munderover", "", base, sub, sup, **attributes)
        if sub is not None:
            return element("munder", "", base, sub, **attributes)
        return element("mover", "", base, *([] if sup is None else [sup]), **attributes)
    if sub is not None and sup is not None:
        return element("msubsup", "", base, sub, sup, **attributes)
    if sub is not None:
        return element("msub", "", base, sub, **attributes)
    return element("msup", "", base, *([] if sup is None else [sup]), **attributes)


def _fence(mark: str) -> Element:
    return element("mo", mark, fence="true", stretchy="true")


def _binomial(fraction: Element) -> Element:
    return element("mrow", "", _fence("("), fraction, _fence(")"), fenced="true")


def _delimiter_class(name: str) -> dict[str, str]:
    if name.startswith("l") and name in ("lvert", "lVert"):
        return {"class": "open"}
    if name in ("rvert", "rVert"):
        return {"class": "close"}
    return {}


def _joined(body: Element) -> Element:
    """Upright letters side by side are one word."""
    items = list(body) if body.tag == "mrow" and not body.attrib else [body]
    joined: list[Element] = []
    for item in items:
        plain = item.tag in ("mi", "mn") and not item.attrib and len(item) == 0
        if plain and joined and joined[-1].tag == "mi" and not joined[-1].attrib:
            joined[-1].text = (joined[-1].text or "") + (item.text or "")
        elif plain:
            joined.append(element("mi" if item.tag == "mi" else item.tag, item.text or ""))
        else:
            joined.append(item)
    return row_of(joined) if joined else element("mrow")


def _column_letters(source: str) -> tuple[str, str]:
    """The alignments of an array's columns, and its vertical lines: one of ``.|`` before, between and after them."""
    source = re.sub(r"[@!]\s*\{[^{}]*\}|\s", "", source)
    source = re.sub(r"\*\{?(\d)\}?\{(\w+)\}", lambda match: match[2] * int(match[1]), source)
    if not re.fullmatch(r"\|*(?:[lcr]\|*)+", source):
        raise UnreadableFormula("columns of an unknown kind")
    letters = source.replace("|", "")
    lines = re.sub(r"\|+", "|", source)
    marks = []
    at = 0
    for _ in range(len(letters) + 1):
        if at < len(lines) and lines[at] == "|":
            marks.append("|")
            at += 1
        else:
            marks.append(".")
        at += 1
    return letters, "".join(marks)


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


_Handler = Callable[[_Reader, str], "Element | None"]


def _handlers() -> dict[str, _Handler]:
    table: dict[str, _Handler] = {
        "sqrt": _Reader.root,
        "left": _Reader.fenced,
        "operatorname": _Reader.operator_name,
        "not": _Reader.negated,
        "boxed": _Reader.boxed,
        "fbox": _Reader.boxed,
        "substack": _Reader.substack,
        "begin": _Reader.environment,
        "bmod": _Reader.binary_modulo,
        "tag": _Reader.tag,
    }
    groups: tuple[tuple[object, _Handler], ...] = (
        (("frac", "dfrac", "tfrac", "cfrac", "binom", "dbinom", "tbinom"), _Reader.fraction),
        (symbols.ACCENTS, _Reader.accent),
        (_LINES, _Reader.lined),
        (_BRACES, _Reader.braced),
        (("overset", "underset", "stackrel"), _Reader.stacked),
        (_ARROWS, _Reader.arrow),
        (FONTS, _Reader.fonted),
        (_SWITCHES, _Reader.switch),
        (("displaystyle", "textstyle"), _Reader.styled),
        (_TEXT, _Reader.text),
        (
            [f"{size}{side}" for size in ("big", "Big", "bigg", "Bigg") for side in ("", "l", "r", "m")],
            _Reader.sized,
        ),
        (_CLASSES, _Reader.classed),
        (("color", "textcolor", "mathcolor"), _Reader.coloured),
        (("smash", "mathclap", "mathllap", "mathrlap", "vcenter", "ensuremath"), _Reader.passed),
        (("phantom", "hphantom", "vphantom"), _Reader.nothing),
        (_SPACES, _Reader.space),
        (("hspace", "kern", "mkern", "mskip", "hskip", "mspace"), _Reader.measured_space),
        (("label", "cite", "ref"), _Reader.dropped),
        (("mod", "pmod", "pod"), _Reader.modulo),
        (_IGNORED, lambda _reader, _name: None),
    )
    for names, handler in groups:
        table.update(dict.fromkeys(names, handler))  # type: ignore[call-overload]
    return table


_COMMANDS = _handlers()
