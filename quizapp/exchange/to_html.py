r"""Markdown of a card as HTML: for Anki's fields, a study sheet, a table.

The same Markdown as in a deck: CommonMark with tables and ``$`` for maths, without HTML, so that ``<`` is text. The
formulas are drawn by the caller's function: MathJax delimiters for Anki (:func:`mathjax`), MathML for a browser.
Line ends stand only inside ``<pre>``, so that a format of one line a note can take the rest as it is.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from functools import cache
from html import escape
from typing import TYPE_CHECKING
from urllib.parse import unquote

from quizapp.notation.dollars import use_dollars

if TYPE_CHECKING:
    from markdown_it import MarkdownIt
    from markdown_it.token import Token

# Draws one formula: its LaTeX, and whether it stands on lines of its own. Returns HTML.
Formula = Callable[[str, bool], str]

# One line in which no character means anything to Markdown: most fields of a large deck.
_PLAIN = re.compile(r"""(?:[^\W\d_]|["'(]|\d+(?![.)\d]))[^\\`*_\[\]<&$~\n\t|]*""")
# What Anki would take for a formula or a sound; an empty comment inside keeps it text.
_ANKI_MARKUP = re.compile(r"(\\(?=[(\[])|\[(?=\$|/?latex\]|sound:))")
_COMMENT = re.compile(r"(?<!\\)((?:\\\\)*)%[^\n]*\n?")
_INNER = re.compile(r"(?<!\\)\\[()]")
_MARKS = {
    "strong_open": "<b>", "strong_close": "</b>", "em_open": "<i>", "em_close": "</i>", "s_open": "<s>",
    "s_close": "</s>", "softbreak": " ", "hardbreak": "<br>", "link_close": "</a>", "hr": "<hr>",
}  # fmt: skip


def mathjax(tex: str, display: bool) -> str:
    r"""``tex`` between ``\(..\)`` or ``\[..\]`` on one line, escaped for HTML.

    Line ends become spaces, so TeX comments go first. Formulas inside ``\text`` get dollars, as ``\)`` would end the
    whole.
    """
    line = " ".join(_COMMENT.sub(r"\1", tex).split("\n")).strip()
    text = escape(_INNER.sub("$", line), quote=False)
    if text.endswith("\\"):
        # A row's end beside the closing delimiter would hide it.
        text += " "
    return rf"\[{text}\]" if display else rf"\({text}\)"


def to_html(markdown: str, math: Formula = mathjax, inline: bool = False) -> str:
    """HTML of a Markdown text; one paragraph alone has no ``<p>`` around it.

    ``inline`` reads ``markdown`` as the words of one line, such as a heading: no lists, no code blocks.
    """
    if _PLAIN.fullmatch(markdown) and not markdown[-1].isspace():
        return markdown.replace(">", "&gt;")
    parser = _parser()
    if inline:
        (token,) = parser.parseInline(" ".join(markdown.split("\n")).strip())
        return _inline(token.children or [], math)
    tokens = parser.parse(markdown)
    # A single formula on lines of its own, or one paragraph, is the whole text: no wrapping needed.
    if len(tokens) == 3 and tokens[0].type == "paragraph_open":
        return _inline(tokens[1].children or [], math)
    if len(tokens) == 1 and tokens[0].type == "math_block":
        return math(tokens[0].content.strip(), True)
    return "".join(_block(token, math) for token in tokens)


def plain_text(markdown: str) -> str:
    """What a reader sees of one line of Markdown; a formula as its source between dollars."""
    (token,) = _parser().parseInline(markdown)
    return _words(token.children or [])


@cache
def _parser() -> MarkdownIt:
    from markdown_it import MarkdownIt

    parser = MarkdownIt("commonmark", {"html": False}).enable(["table", "strikethrough"]).disable("lheading")
    use_dollars(parser)
    return parser


def _block(token: Token, math: Formula) -> str:
    kind = token.type
    if kind == "inline":
        return _inline(token.children or [], math)
    if token.hidden:
        # A tight list's paragraphs have no tags; what follows one in its item still starts a line.
        return ""
    if kind == "math_block":
        return f"<p>{math(token.content.strip(), True)}</p>"
    if kind in ("fence", "code_block"):
        language = token.info.split()[0] if token.info.strip() else ""
        opening = f'<code class="language-{escape(language)}">' if language else "<code>"
        return f"<pre>{opening}{escape(token.content.removesuffix(chr(10)), quote=False)}</code></pre>"
    if kind == "hr":
        return "<hr>"
    if token.nesting < 0:
        return f"</{token.tag}>"
    attributes = "".join(f' {name}="{escape(str(value))}"' for name, value in token.attrs.items())
    return f"<{token.tag}{attributes}>"


def _inline(tokens: Sequence[Token], math: Formula) -> str:
    parts: list[str] = []
    for token in tokens:
        kind = token.type
        if kind == "text":
            parts.append(_ANKI_MARKUP.sub(r"\1<!-- -->", escape(token.content, quote=False)))
        elif kind in _MARKS:
            parts.append(_MARKS[kind])
        elif kind == "math_inline":
            parts.append(math(token.content, bool(token.meta["display"])))
        elif kind == "code_inline":
            parts.append(f"<code>{escape(token.content, quote=False)}</code>")
        elif kind == "link_open":
            parts.append(f'<a href="{escape(str(token.attrs.get("href", "")))}">')
        elif kind == "image":
            parts.append(_image(token))
        else:
            parts.append(escape(token.content, quote=False))
    return "".join(parts)


def _image(token: Token) -> str:
    source = str(token.attrs.get("src", ""))
    # A picture beside the deck is named as its file is; addresses keep their escapes.
    name = source if re.match(r"[A-Za-z][A-Za-z0-9+.-]*:|//", source) else unquote(source)
    return f'<img src="{escape(name)}" alt="{escape(_words(token.children or []))}">'


def _words(tokens: Sequence[Token]) -> str:
    """The text of some inline tokens without their marks: an image's alternative text cannot hold tags."""
    return "".join(
        _words(token.children)
        if token.children
        else " "
        if token.type.endswith("break")
        else f"${token.content}$"
        if token.type == "math_inline"
        else token.content
        for token in tokens
    )
