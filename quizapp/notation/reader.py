"""LaTeX to MathML, strictly: what is not known for certain raises `UnreadableFormula`.

latex2mathml accepts every input and says nothing where it misreads (an unknown command becomes a name,
nested braces in text leak, an operator name loses its argument). The reader here follows TeX's own rules of
tokens and arguments; latex2mathml serves as the table of rarer symbols.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from types import MappingProxyType
from xml.etree.ElementTree import Element

from quizapp.notation import symbols
from quizapp.notation.elements import element, enclosed, fence, joined, row_of
from quizapp.notation.errors import StrayAlignment, UnreadableFormula
from quizapp.notation.fencing import pair_fences
from quizapp.notation.letters import in_font
from quizapp.notation.mathtext import read_text
from quizapp.notation.page_commands import PAGE_COMMANDS
from quizapp.notation.parser import ENDS, LINE_ENDS, Command, Parser
from quizapp.notation.table_commands import environment, plain_table, substack

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
    "mathds": "double-struck",
    "frak": "fraktur",
    "mit": "italic",
}
_SWITCHES = {
    "bf": "bold",
    "rm": "normal",
    "it": "italic",
    "cal": "script",
    "scr": "script",
    "sf": "sans-serif",
    "tt": "monospace",
}
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
    "overleftrightarrow": ("mover", "↔"),
    "underrightarrow": ("munder", "→"),
    "underleftarrow": ("munder", "←"),
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
_STACK_CLASSES = {"stackrel": {"class": "rel"}, "buildrel": {"class": "rel"}, "stackbin": {"class": "bin"}}
_SIGNS = "=∈<>≤≥≡∼≈⊂⊆⊃⊇∋∣|∥∃→←⇒⇐⇔↔≃≅≺≻⪯⪰⊢⊨≲≳⊑⊒⩽⩾"
_NEGATED = dict(zip(_SIGNS, "≠∉≮≯≰≱≢≁≉⊄⊈⊅⊉∌∤∤∦∄↛↚⇏⇍⇎↮≄≇⊀⊁⋠⋡⊬⊭≴≵⋢⋣≰≱", strict=True))
# Commands of the packages physics, braket and mathtools that put brackets round an argument.
_ENCLOSURES = {
    "abs": "||", "norm": "‖‖", "ceil": "⌈⌉", "floor": "⌊⌋", "set": "{}", "bra": "⟨|", "ket": "|⟩",
    "braket": "⟨⟩",
}  # fmt: skip
_BIG = re.compile(r"^([bB]ig{1,2})([lrm]?)$")


def read(latex: str, display: bool) -> Element:
    """The MathML of ``latex``, an `mrow`. Raises UnreadableFormula where anything in it is not understood."""
    parser = Parser(latex, display, _COMMANDS)
    try:
        return parser.formula()
    except StrayAlignment:
        if not _has_aligned_relations(parser.tokens):
            raise
        # Documentation tools wrap such lines in an environment before TeX sees them.
        return Parser(f"\\begin{{aligned}}{latex}\n\\end{{aligned}}", display, _COMMANDS).formula()


def _has_aligned_relations(tokens: Sequence[str]) -> bool:
    """Whether each line has at most one alignment mark, and a mark that is alone stands before a sign."""
    words = [token for token in tokens if not token.isspace()]
    lines, depth, following = [0], 0, ""
    for token, after in zip(words, [*words[1:], ""], strict=True):
        depth += (token == "\\begin") - (token == "\\end")
        if token == "&" and not depth:
            lines[-1] += 1
            following = after
        elif token in LINE_ENDS and not depth:
            lines.append(0)
    if max(lines) > 1:
        return False
    return len(lines) > 1 or following in tuple("=<>:+-") or following[1:] in symbols.RELATIONS


def _fraction(reader: Parser, name: str) -> Element:
    style = "text"
    thickness = {"linethickness": "0"} if name.endswith("binom") else {}
    fraction = element("mfrac", "", reader.argument(style), reader.argument(style), **thickness)
    return enclosed(fraction, "(", ")") if thickness else fraction


def _root(reader: Parser, _name: str) -> Element:
    index: Element | None = None
    if reader.peek() == "[":
        reader.take()
        index = row_of(reader.bracketed_row())
    body = reader.argument()
    return element("msqrt", "", body) if index is None else element("mroot", "", body, index)


def _plain_root(reader: Parser, _name: str) -> Element:
    index = row_of(reader.row(ENDS | {"\\of"}))
    reader.expect("\\of")
    return element("mroot", "", reader.argument(), index)


def _enclosure(reader: Parser, name: str) -> Element:
    if reader.peek() == "*":
        reader.take()
    return enclosed(reader.argument(), *_ENCLOSURES[name])


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
    if name == "buildrel":
        reader.expect("\\over")
    if name == "overunderset":
        below = reader.argument("text")
        return element("munderover", "", reader.argument(), below, script)
    base = reader.argument()
    tag = "munder" if name == "underset" else "mover"
    return element(tag, "", base, script, **_STACK_CLASSES.get(name, {}))


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


def _text(reader: Parser, name: str) -> Element:
    source = reader.raw_argument()
    if name == "textbf" and len(source) == 1 and (bold := in_font(source, "bold")):
        # A single bold letter is a vector, whichever command makes it bold.
        return element("mi", bold)
    pieces: list[Element] = []
    for words, is_math in read_text(source):
        pieces.append(read(words, display=False) if is_math else element("mtext", words))
    return element("mrow") if not pieces else row_of(pieces)


def _operator_name(reader: Parser, name: str) -> Element:
    movable = reader.peek() == "*" or name == "operatornamewithlimits"
    if reader.peek() == "*":
        reader.take()
    words = re.sub(r"\\[,;: ]|~", " ", reader.raw_argument())
    words = re.sub(r"\\(?:mathrm|text|rm)\b|\\!|[{}]", "", words)
    if re.search(r"\\(?!_)|[\^$&#]|(?<!\\)_", words) or not words.strip():
        raise UnreadableFormula("an operator name of signs")
    words = words.replace("\\_", "_")
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
    attributes = {"sized": "true"} if mark in symbols.BARS else {}
    return element("mo", mark, **{"class": spacing}, **attributes)


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
        return element("mo", _NEGATED[sign.text], **{"class": "ord" if sign.text == "∃" else "rel"})
    raise UnreadableFormula("a negated sign that has no character")


def _coloured_text(reader: Parser, name: str) -> Element:
    reader.raw_group()
    if name == "fcolorbox":
        reader.raw_group()
    return _text(reader, "text")


def _boxed(reader: Parser, name: str) -> Element:
    body = _text(reader, "text") if name == "fbox" else reader.argument()
    return element("menclose", "", body, notation="box")


def _tag(reader: Parser, _name: str) -> Element:
    marks = [element("mtext", "("), element("mtext", ")")]
    if reader.peek() == "*":
        reader.take()
        marks = [element("mrow"), element("mrow")]
    marks.insert(1, _text(reader, "text"))
    return element("mrow", "", element("mspace", width="2em"), *marks, **{"class": "tag"})


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
        **PAGE_COMMANDS,
        "sqrt": _root,
        "left": _fenced,
        "operatorname": _operator_name,
        "operatornamewithlimits": _operator_name,
        "root": _plain_root,
        "not": _negated,
        "boxed": _boxed,
        "fbox": _boxed,
        "substack": substack,
        "begin": environment,
        "bmod": _binary_modulo,
        "tag": _tag,
    }
    groups: tuple[tuple[Iterable[str], Command], ...] = (
        (
            ("frac", "dfrac", "tfrac", "cfrac", "nicefrac", "sfrac", "flatfrac", "binom", "dbinom", "tbinom"),
            _fraction,
        ),
        (symbols.ACCENTS, _accent),
        (_LINES, _lined),
        (_BRACES, _braced),
        (_ENCLOSURES, _enclosure),
        (("colorbox", "fcolorbox"), _coloured_text),
        (("cases", "matrix", "pmatrix"), plain_table),
        (("overset", "underset", "overunderset", *_STACK_CLASSES), _stacked),
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
        (("mod", "pmod", "pod"), _modulo),
    )
    for names, handler in groups:
        table.update(dict.fromkeys(names, handler))
    return table


_COMMANDS: Mapping[str, Command] = MappingProxyType(_handlers())
