"""LaTeX to MathML, strictly: what is not known for certain raises `UnreadableFormula`.

latex2mathml accepts every input and says nothing where it misreads (an unknown command becomes a name,
nested braces in text leak, an operator name loses its argument). The reader here follows TeX's own rules of
tokens and arguments; latex2mathml serves as the table of rarer symbols.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from types import MappingProxyType
from xml.etree.ElementTree import Element

from quizapp.notation import symbols
from quizapp.notation.elements import binomial, element, fence, joined, row_of
from quizapp.notation.errors import UnreadableFormula
from quizapp.notation.fencing import pair_fences
from quizapp.notation.mathtext import read_text
from quizapp.notation.parser import Command, Parser
from quizapp.notation.table_commands import environment, substack

_FONTS = {
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
    ",": "0.167em", "thinspace": "0.167em", ":": "0.222em", ">": "0.222em", "medspace": "0.222em",
    ";": "0.278em",
    "thickspace": "0.278em", "enspace": "0.5em", " ": "0.333em", "space": "0.333em",
    "nobreakspace": "0.333em",
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
    "mathop": "op", "mathrel": "rel", "mathbin": "bin", "mathord": "ord", "mathopen": "open",
    "mathclose": "close",
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
_NEGATED = {"=": "≠", "∈": "∉", "<": "≮", ">": "≯", "≤": "≰", "≥": "≱", "≡": "≢", "∼": "≁", "≈": "≉",
"⊂": "⊄",
            "⊆": "⊈", "∣": "∤", "∥": "∦", "∃": "∄", "→": "↛"}  # fmt: skip
_BIG = re.compile(r"^([bB]ig{1,2})([lrm]?)$")


def read(latex: str, display: bool) -> Element:
    """The MathML of ``latex``, an `mrow`. Raises UnreadableFormula where anything in it is not understood."""
    return Parser(latex, display, _COMMANDS).formula()


def _fraction(reader: Parser, name: str) -> Element:
    style = "text"
    thickness = {"linethickness": "0"} if name.endswith("binom") else {}
    fraction = element("mfrac", "", reader.argument(style), reader.argument(style), **thickness)
    return binomial(fraction) if thickness else fraction


def _root(reader: Parser, _name: str) -> Element:
    index: Element | None = None
    if reader.peek() == "[":
        reader.take()
        index = row_of(reader.bracketed_row())
    body = reader.argument()
    return element("msqrt", "", body) if index is None else element("mroot", "", body, index)


def _accent(reader: Parser, name: str) -> Element:
    return element("mover", "", reader.argument(), element("mo", symbols.ACCENTS[name][1]), accent="true")


def _lined(reader: Parser, name: str) -> Element:
    tag, sign = _LINES[name]
    return element(
        tag,
        "",
        reader.argument(),
        element("mo", sign),
        **{"accent" if tag == "mover" else "accentunder": "true"},
    )


def _braced(reader: Parser, name: str) -> Element:
    tag, sign = _BRACES[name]
    return element(tag, "", reader.argument(), element("mo", sign), braced="true")


def _stacked(reader: Parser, name: str) -> Element:
    script = reader.argument("text")
    base = reader.argument()
    tag = "munder" if name == "underset" else "mover"
    return element(tag, "", base, script, **({"class": "rel"} if name == "stackrel" else {}))


def _arrow(reader: Parser, name: str) -> Element:
    below: Element | None = None
    if reader.peek() == "[":
        reader.take()
        below = row_of(reader.bracketed_row())
    above = reader.argument("text")
    sign = element("mo", _ARROWS[name], stretchy="true")
    if below is None:
        return element("mover", "", sign, above, **{"class": "rel"})
    return element("munderover", "", sign, below, above, **{"class": "rel"})


def _fonted(reader: Parser, name: str) -> Element:
    outer, reader.font = reader.font, _FONTS[name]
    try:
        body = reader.argument()
    finally:
        reader.font = outer
    return joined(body) if _FONTS[name] in ("normal", "sans-serif", "monospace") else body


def _switch(reader: Parser, name: str) -> None:
    reader.font = _SWITCHES[name]


def _styled(reader: Parser, name: str) -> None:
    reader.display = name == "displaystyle"


def _text(reader: Parser, _name: str) -> Element:
    pieces: list[Element] = []
    for words, is_math in read_text(reader.raw_group()):
        pieces.append(read(words, display=False) if is_math else element("mtext", words))
    return element("mrow") if not pieces else row_of(pieces)


def _operator_name(reader: Parser, _name: str) -> Element:
    movable = reader.peek() == "*"
    if movable:
        reader.take()
    words = re.sub(r"\\[,;: ]|~", " ", reader.raw_group())
    words = re.sub(r"\\(?:mathrm|text|rm)\b|\\!|[{}]", "", words)
    if "\\" in words or not words.strip() or any(mark in words for mark in "^_$&#"):
        raise UnreadableFormula("an operator name of signs")
    return element(
        "mi", " ".join(words.split()), **{"class": "op"}, **({"movablelimits": "true"} if movable else {})
    )


def _fenced(reader: Parser, _name: str) -> Element:
    items = [fence(reader.delimiter())]
    inner: list[Element] = []
    while True:
        inner += reader.row()
        token = reader.take()
        if token == "\\middle":
            inner.append(fence(reader.delimiter()))
        elif token == "\\right":
            break
        else:
            raise UnreadableFormula("\\right is missing")
    items += [*inner, fence(reader.delimiter())]
    return element("mrow", "", *items, fenced="true")


def _sized(reader: Parser, name: str) -> Element:
    match = _BIG.match(name)
    side = match[2] if match else ""
    mark = reader.delimiter()
    spacing = {"l": "open", "r": "close", "m": "rel"}.get(side, "")
    if not spacing:
        spacing = "ord" if mark in "/|‖" else symbols.CLASSES.get(mark, "ord")
    return element("mo", mark, **{"class": spacing})


def _classed(reader: Parser, name: str) -> Element:
    body = reader.argument()
    if name == "mathop":
        return element("mrow", "", body, movablelimits="true", **{"class": "op"})
    return element("mrow", "", body, **{"class": _CLASSES[name]})


def _negated(reader: Parser, _name: str) -> Element:
    sign = reader.argument()
    while sign.tag == "mrow" and len(sign) == 1:
        sign = sign[0]
    if len(sign) == 0 and sign.text in _NEGATED:
        return element("mo", _NEGATED[sign.text])
    raise UnreadableFormula("a negated sign that has no character")


def _coloured(reader: Parser, name: str) -> Element | None:
    reader.raw_bracket()
    reader.raw_group()
    return reader.argument() if name in ("textcolor", "mathcolor") else None


def _passed(reader: Parser, _name: str) -> Element:
    return reader.argument()


def _nothing(reader: Parser, name: str) -> Element | None:
    body = reader.argument()
    return None if name == "vphantom" else element("mphantom", "", body)


def _boxed(reader: Parser, name: str) -> Element:
    body = _text(reader, "text") if name == "fbox" else reader.argument()
    return element("menclose", "", body, notation="box")


def _space(_reader: Parser, name: str) -> Element:
    return element("mspace", width=_SPACES[name])


def _measured_space(reader: Parser, _name: str) -> Element:
    source = reader.raw_group() if reader.peek() in ("{", "*") else reader.dimension()
    match = re.fullmatch(r"\s*(-?\d*\.?\d+)\s*(em|ex|pt|mu|cm|mm)\s*", source)
    if match is None:
        raise UnreadableFormula("a space of unknown size")
    em = float(match[1]) * {"em": 1, "ex": 0.5, "pt": 0.1, "mu": 1 / 18, "cm": 2.8, "mm": 0.28}[match[2]]
    return element("mspace", width=f"{max(em, 0):.3f}em")


def _dropped(reader: Parser, _name: str) -> None:
    reader.raw_group()


def _tag(reader: Parser, _name: str) -> Element:
    words = _text(reader, "text")
    opening, closing = element("mtext", "("), element("mtext", ")")
    return element("mrow", "", element("mspace", width="2em"), opening, words, closing, **{"class": "tag"})


def _modulo(reader: Parser, name: str) -> Element:
    word = element("mi", "mod", **{"class": "op"})
    if name == "mod":
        return element("mrow", "", element("mspace", width="1em"), word, reader.argument())
    inside = [reader.argument()] if name == "pod" else [word, reader.argument()]
    fence = [element("mo", "("), *inside, element("mo", ")")]
    return element("mrow", "", element("mspace", width="1em"), *pair_fences(fence))


def _binary_modulo(_reader: Parser, _name: str) -> Element:
    return element("mo", "mod", **{"class": "bin"})


def _handlers() -> dict[str, Command]:
    table: dict[str, Command] = {
        "sqrt": _root,
        "left": _fenced,
        "operatorname": _operator_name,
        "not": _negated,
        "boxed": _boxed,
        "fbox": _boxed,
        "substack": substack,
        "begin": environment,
        "bmod": _binary_modulo,
        "tag": _tag,
    }
    groups: tuple[tuple[Iterable[str], Command], ...] = (
        (("frac", "dfrac", "tfrac", "cfrac", "binom", "dbinom", "tbinom"), _fraction),
        (symbols.ACCENTS, _accent),
        (_LINES, _lined),
        (_BRACES, _braced),
        (("overset", "underset", "stackrel"), _stacked),
        (_ARROWS, _arrow),
        (_FONTS, _fonted),
        (_SWITCHES, _switch),
        (("displaystyle", "textstyle"), _styled),
        (_TEXT, _text),
        (
            [f"{size}{side}" for size in ("big", "Big", "bigg", "Bigg") for side in ("", "l", "r", "m")],
            _sized,
        ),
        (_CLASSES, _classed),
        (("color", "textcolor", "mathcolor"), _coloured),
        (("smash", "mathclap", "mathllap", "mathrlap", "vcenter", "ensuremath"), _passed),
        (("phantom", "hphantom", "vphantom"), _nothing),
        (_SPACES, _space),
        (("hspace", "kern", "mkern", "mskip", "hskip", "mspace"), _measured_space),
        (("label",), _dropped),
        (("mod", "pmod", "pod"), _modulo),
        (_IGNORED, lambda _reader, _name: None),
    )
    for names, handler in groups:
        table.update(dict.fromkeys(names, handler))
    return table


_COMMANDS: Mapping[str, Command] = MappingProxyType(_handlers())
