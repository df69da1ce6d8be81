"""What stands in a line of foreign HTML: words with their styles, formulas, code, links, pictures and sounds."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Protocol
from urllib.parse import quote, unquote

from quizapp.exchange.html_formulas import Formula
from quizapp.exchange.html_tree import DROPPED, FORMULA, FORMULA_END, HOLES, NONCHARACTERS, Node
from quizapp.exchange.markdown_text import BOLD, ITALIC, STRUCK, Piece, code_span, line
from quizapp.exchange.media import is_played

# The end of a line.
BREAK = Piece("\n", source="\n")

_STYLES = {
    "b": BOLD, "strong": BOLD, "mark": BOLD, "th": 0, "i": ITALIC, "em": ITALIC, "cite": ITALIC, "var": ITALIC,
    "dfn": ITALIC, "u": ITALIC, "ins": ITALIC, "s": STRUCK, "strike": STRUCK, "del": STRUCK,
}  # fmt: skip
_DROPPED_AS = {
    "iframe": "a frame with another page", "object": "an embedded object", "embed": "an embedded object",
    "applet": "an embedded object", "button": "a button", "svg": "a drawing (SVG)", "canvas": "a drawing",
    "script": "a script or style sheet", "style": "a script or style sheet", "link": "a script or style sheet",
}  # fmt: skip
_MARKED = re.compile(f"{FORMULA}(\\d+){FORMULA_END}")
_SOUND = re.compile(r"\[sound:([^\]\n]{1,500}+)\]|\[anki:(?:play|tts)[^\]\n]{0,500}+\]|\[/anki:tts\]")
_SUPERSCRIPT = dict(
    zip(
        "0123456789+-−=()abcdefghijklmnoprstuvwxyzABDEGHIJKLMNOPRTUVW",
        "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁻⁼⁽⁾ᵃᵇᶜᵈᵉᶠᵍʰⁱʲᵏˡᵐⁿᵒᵖʳˢᵗᵘᵛʷˣʸᶻᴬᴮᴰᴱᴳᴴᴵᴶᴷᴸᴹᴺᴼᴾᴿᵀᵁⱽᵂ",
        strict=True,
    )
)
_SUBSCRIPT = dict(zip("0123456789+-−=()aehijklmnoprstuvx", "₀₁₂₃₄₅₆₇₈₉₊₋₋₌₍₎ₐₑₕᵢⱼₖₗₘₙₒₚᵣₛₜᵤᵥₓ", strict=True))
_TEX_SPECIAL = re.compile(r"[\\{}$&#%_^~]")
_ADDRESS = re.compile(r"(?:https?|ftp)://\S|mailto:\S", re.IGNORECASE)
_SCHEME = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*:|//|[A-Za-z]:\\")
_LOST_STYLES = (
    (
        re.compile(r"(?:^|;)\s*(?:color|background(?:-color)?)\s*:(?!\s*(?:inherit|initial|transparent))"),
        "a colour",
    ),
    (re.compile(r"font-size\s*:|font-family\s*:"), "a font or size"),
)


class Field(Protocol):
    """What the reading of one field keeps: its formulas, what it names and what it drops."""

    formulas: list[list[Formula]]
    dollars: bool
    lost: list[str]
    media: list[str]


class Run:
    """The inline content between two blocks: pieces and :data:`BREAK`. ``fresh``: a new line begins here."""

    def __init__(self, field: Field) -> None:
        self.field = field
        self.parts: list[Piece] = []
        self.fresh = False

    def fresh_line(self) -> None:
        """End the line if something stands on it."""
        self.fresh = False
        if self.parts and self.parts[-1] is not BREAK:
            self.parts.append(BREAK)

    def add(self, piece: Piece) -> None:
        if self.fresh:
            self.fresh_line()
        self.parts.append(piece)

    def text(self, text: str, styles: int) -> None:
        """Words, with the marks of formulas and sounds among them."""
        if self.fresh and not text.strip():
            return
        at = 0
        for mark in _MARKED.finditer(text):
            self._words(text[at : mark.start()], styles)
            at = mark.end()
            if int(mark[1]) < len(self.field.formulas):
                for formula in self.field.formulas[int(mark[1])]:
                    self._formula(formula, styles)
        self._words(text[at:], styles)

    def _words(self, text: str, styles: int) -> None:
        at = 0
        for found in _SOUND.finditer(text):
            self._plain(text[at : found.start()], styles)
            at = found.end()
            if found[1]:
                self.sound(found[1], styles)
            else:
                self.field.lost.append("text read aloud")
        self._plain(text[at:], styles)

    def _plain(self, text: str, styles: int) -> None:
        text = text.replace("\ufdd2", "")
        if "\u00a0" in text:
            # Anki's editor writes a no-break space where the user typed a second space.
            text = re.sub("(?<=\\S)\u00a0(?=\\S)", " ", text) if text.strip("\u00a0 \n") else " "
        if text:
            self.add(Piece(text, styles))

    def _formula(self, formula: Formula, styles: int) -> None:
        if formula.text:
            self._plain(formula.tex, styles)
            return
        source = _one_line(formula.tex)
        if source:
            mark = "$$" if formula.display else "$"
            self.add(Piece(f"${source}$", 0, f"{mark}{source}{mark}"))

    def sound(self, name: str, styles: int, words: str = "") -> None:
        """A sound or film, as a link to the file or address; without ``words`` its name stands there."""
        name = " ".join(NONCHARACTERS.sub("", name).split())
        if _ADDRESS.match(name):
            target = quote(name, safe="/!$&'*+,;=:@~-._%?#")
        elif not name or _SCHEME.match(name):
            self.field.lost.append("a sound or film inside the page")
            return
        elif is_played(name):
            name = unquote(name) if "%" in name else name
            self.field.media.append(name)
            target = quote(name, safe="/!$&'*+,;=:@~-._")
        else:
            self.field.lost.append("a sound or film of an unknown kind; its name is kept")
            self.add(Piece(f"(sound: {name})", styles))
            return
        words = " ".join(words.split()) or name
        self.add(Piece(words, styles, f"[{_escaped_words(words)}]({target})"))

    def script(self, text: str, raised: bool, styles: int) -> None:
        """A superscript or subscript: letters that Unicode raises or lowers, else a formula with what stands before."""
        text = " ".join(text.split())
        if not text:
            return
        letters = _SUPERSCRIPT if raised else _SUBSCRIPT
        if all(character in letters for character in text):
            self.add(Piece("".join(letters[character] for character in text), styles))
            return
        base = ""
        if self.parts and self.parts[-1].source is None and not self.fresh:
            before = self.parts[-1]
            found = re.search(r"[A-Za-z0-9]+$", before.plain)
            if found:
                base = found[0]
                rest = before.plain[: found.start()]
                self.parts[-1:] = [Piece(rest, before.styles)] if rest else []
        short = len(text) < 3 and re.fullmatch(r"[A-Za-z0-9+\-=()/,.*']+", text)
        inside = text if short else f"\\text{{{_tex(text)}}}"
        shown = base if len(base) < 2 or base.isdigit() else f"\\text{{{base}}}"
        source = f"{shown}{'^' if raised else '_'}{{{inside}}}"
        self.add(Piece(f"${source}$", 0, f"${source}$"))


def walk(field: Field, run: Run, children: Sequence[Node | str], styles: int) -> None:
    for child in children:
        if isinstance(child, str):
            run.text(child, styles)
        else:
            element(field, run, child, styles)


def element(field: Field, run: Run, node: Node, styles: int) -> None:
    """Add one inline element to a run."""
    tag = node.tag
    if tag == "br":
        run.add(BREAK)
    elif tag == "img":
        _image(field, run, node)
    elif tag in ("code", "kbd", "samp", "tt"):
        code = " ".join(without_marks(field, node.text()).replace("\u00a0", " ").split("\n"))
        for piece in code_pieces(code, styles) if code.strip() else []:
            run.add(piece)
    elif tag in ("sub", "sup"):
        _raised(field, run, node, tag == "sup", styles)
    elif tag == "a":
        _link(field, run, node, styles)
    elif tag == "math":
        _mathml(field, run, node, styles)
    elif tag == "input":
        if node.attributes.get("type", "").lower() == "checkbox":
            run.add(Piece("☑ " if "checked" in node.attributes else "☐ ", styles))
        else:
            field.lost.append("a box to type in")
    elif tag == "q":
        run.text("“", styles)
        walk(field, run, node.children, styles)
        run.text("”", styles)
    elif "katex-html" in node.attributes.get("class", ""):
        # The same formula drawn; its source stands beside it.
        return
    elif tag in DROPPED:
        drop(field, run, node, styles)
    else:
        inner = styled(field, node, styles)
        style = node.attributes.get("style", "").lower()
        if re.search(r"vertical-align\s*:\s*(super|sub)\b", style):
            _raised(field, run, node, "super" in style, inner)
        else:
            walk(field, run, node.children, inner)


def drop(field: Field, run: Run, node: Node, styles: int) -> None:
    """Leave an element out, and say so; of a sound or film the name stays."""
    if node.tag in ("audio", "video"):
        source = node.attributes.get("src") or (node.find("source") or node).attributes.get("src", "")
        run.sound(source, styles)
    elif node.tag in _DROPPED_AS:
        field.lost.append(_DROPPED_AS[node.tag])
    elif node.tag not in ("meta", "head", "template") or node.children:
        field.lost.append(f"a part of a page ({node.tag})")


def styled(field: Field, node: Node, styles: int) -> int:
    """The styles inside an element; what a deck has no mark for is reported."""
    styles |= _STYLES.get(node.tag, 0)
    if node.tag in ("u", "ins"):
        field.lost.append("underlining, which becomes emphasis")
    if not node.attributes:
        return styles
    if any(name.startswith("on") for name in node.attributes):
        field.lost.append("a script or style sheet")
    if node.tag == "font":
        field.lost.append("a colour" if "color" in node.attributes else "a font or size")
    style = node.attributes.get("style", "").lower()
    if style:
        if re.search(r"font-weight\s*:\s*(bold|[6-9]00)", style):
            styles |= BOLD
        elif re.search(r"font-weight\s*:\s*(normal|[1-4]00)", style):
            styles &= ~BOLD
        if re.search(r"font-style\s*:\s*(italic|oblique)", style):
            styles |= ITALIC
        elif re.search(r"font-style\s*:\s*normal", style):
            styles &= ~ITALIC
        if re.search(r"text-decoration[a-z-]*\s*:[^;]*line-through", style):
            styles |= STRUCK
        elif re.search(r"text-decoration[a-z-]*\s*:[^;]*underline", style):
            styles |= ITALIC
            field.lost.append("underlining, which becomes emphasis")
        field.lost.extend(said for pattern, said in _LOST_STYLES if pattern.search(style))
    return styles


def code_pieces(code: str, styles: int) -> list[Piece]:
    """A code span; cloze deletions, which never stand in code, part it."""
    made: list[Piece] = []
    at = 0
    for hole in [*HOLES.finditer(code), None]:
        part = code[at : hole.start() if hole else len(code)]
        if part:
            made.append(Piece(part, styles, code_span(part)))
        if hole:
            made.append(Piece(hole[0], styles, hole[0]))
            at = hole.end()
    return made


def without_marks(field: Field, text: str) -> str:
    """``text`` with its formulas as TeX between dollars: for code and alternative texts."""

    def tex(mark: re.Match[str]) -> str:
        number = int(mark[1])
        return (
            "".join(f.tex if f.text else f"${f.tex}$" for f in field.formulas[number])
            if number < len(field.formulas)
            else ""
        )

    return _MARKED.sub(tex, text).replace("\ufdd2", "")


def picture(name: str, alt: str) -> str:
    """Markdown of a picture; a file's name is written so that blanks and brackets in it stay."""
    target = name if _SCHEME.match(name) else quote(name, safe="/!$&'*+,;=:@~-._")
    return f"![{_escaped_words(' '.join(alt.split()))}]({target})"


def _escaped_words(text: str) -> str:
    return re.sub(r"([\\\[\]`*_<$&])", r"\\\1", text)


def _image(field: Field, run: Run, node: Node) -> None:
    source = node.attributes.get("src", "").strip()
    alt = NONCHARACTERS.sub("", without_marks(field, node.attributes.get("alt", "")))
    if any(name.startswith("on") for name in node.attributes):
        field.lost.append("a script or style sheet")
    if not source or source.startswith(("data:", "javascript:")):
        field.lost.append("a picture inside the page" if source else "a picture without a file")
        run.text(alt, 0)
        return
    source = NONCHARACTERS.sub("", without_marks(field, source))
    name = source if _SCHEME.match(source) or "%" not in source else unquote(source)
    name = " ".join(name.split())
    if not _SCHEME.match(name):
        field.media.append(name)
    if _SCHEME.match(name):
        name = quote(name, safe="/!$&'*+,;=:@~-._%?#")
    run.add(Piece(f"{alt}", 0, picture(name, alt)))


def _link(field: Field, run: Run, node: Node, styles: int) -> None:
    inner = Run(run.field)
    walk(field, inner, node.children, styled(field, node, 0))
    pieces = [Piece(" ") if part is BREAK else part for part in inner.parts]
    words = "".join(piece.plain for piece in pieces).strip()
    address = node.attributes.get("href", "").strip()
    if words and is_played(address):
        run.sound(address, styles, words)
        return
    simple = bool(pieces) and all(
        piece.source is None or not piece.source.startswith(("[", "!")) for piece in pieces
    )
    if not words or not simple or not _ADDRESS.match(address):
        if words and address and not address.startswith("#"):
            what = "a link around a picture" if _ADDRESS.match(address) else "a link that is no web address"
            field.lost.append(what)
        for part in inner.parts:
            run.add(part if part is BREAK else Piece(part.plain, part.styles | styles, part.source))
        return
    target = quote(NONCHARACTERS.sub("", address), safe="/!$&'*+,;=:@~-._%?#")
    text, _ = line(pieces, start=False)
    if any(piece.source is None and re.search(r"[\[\]]", piece.plain) for piece in pieces):
        text, _ = line(
            [
                Piece(p.plain.replace("[", "(").replace("]", ")"), p.styles) if p.source is None else p
                for p in pieces
            ]
        )
    lead = " " if inner.parts[0].plain[:1].isspace() else ""
    tail = " " if inner.parts[-1].plain[-1:].isspace() else ""
    if lead:
        run.text(lead, styles)
    run.add(Piece(words, styles, f"[{text}]({target})"))
    if tail:
        run.text(tail, styles)


def _raised(field: Field, run: Run, node: Node, raised: bool, styles: int) -> None:
    text = node.text()
    if _MARKED.search(text):
        run.text(" ^(" if raised else " _(", styles)
        walk(field, run, node.children, styles)
        run.text(")", styles)
    else:
        run.script(NONCHARACTERS.sub("", text), raised, styles)


def _mathml(field: Field, run: Run, node: Node, styles: int) -> None:
    note = node.find("annotation")
    tex = note.text() if note is not None else node.attributes.get("alttext", "")
    if tex.strip():
        run.add(_tex_piece(tex, node.attributes.get("display") == "block"))
    else:
        field.lost.append("a formula in MathML without its LaTeX; its characters are kept")
        run.text("".join(node.text().split()), styles)


def _tex_piece(tex: str, display: bool) -> Piece:
    source = _one_line(tex)
    mark = "$$" if display else "$"
    return Piece(f"${source}$", 0, f"{mark}{source}{mark}") if source else Piece("")


def _one_line(tex: str) -> str:
    """TeX that can stand between dollars on one line."""
    source = " ".join(re.sub(r"(?<!\\)((?:\\\\)*)%[^\n]*\n", r"\1\n", tex).split())
    if len(source) - len(source.rstrip("\\")) & 1:
        # A control space at the end: the dollar behind it must not be escaped.
        source = source[:-1] + "~"
    # A backtick would begin code.
    source = source.replace("``", "“").replace("`", "‘")
    pairs = re.split(r"(?<!\\)\$", source)
    if len(pairs) % 2 == 0:
        return r"\$".join(pairs)
    # Formulas inside \text{...}.
    return "".join(part if at == 0 else (r"\(" if at % 2 else r"\)") + part for at, part in enumerate(pairs))


def _tex(text: str) -> str:
    return _TEX_SPECIAL.sub(
        lambda match: {"\\": r"\textbackslash ", "~": r"\textasciitilde ", "^": r"\textasciicircum "}.get(
            match[0], "\\" + match[0]
        ),
        text,
    )
