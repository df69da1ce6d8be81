r"""Foreign HTML as the Markdown of a deck: Anki's fields, cells of a table, pages pasted into a card.

Line breaks, emphasis, lists, tables, code, links, pictures and formulas stay; everything else (colours, scripts,
frames, event handlers) goes and is reported. Characters that mean something to Markdown are escaped, so a reader sees
what stood in the HTML.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from quizapp.exchange.html_blocks import Writer
from quizapp.exchange.html_formulas import take_out
from quizapp.exchange.html_tree import NONCHARACTERS, parse
from quizapp.text import has_controls, strip_controls

# A letter first and nothing in it that HTML or Markdown reads: most fields of a large deck.
_PLAIN = re.compile(
    r"""[^\W\d_][^<>&\\*_`\[\]$~{}\t\n\r\x00-\x1f\x7f-\xa0\u202a-\u202e\u2066-\u2069\ufdd0-\ufdef]*"""
)


@dataclass(frozen=True)
class Converted:
    """``markdown``, the names of the pictures and sounds in it, and what was dropped, one text each time."""

    markdown: str
    media: tuple[str, ...] = ()
    lost: tuple[str, ...] = ()


def convert(html: str, inline: bool = False) -> Converted:
    """Markdown of some HTML. ``inline`` makes one line of it, for a heading."""
    if _PLAIN.fullmatch(html) and "  " not in html:
        return Converted(html.strip())
    return read_html(NONCHARACTERS.sub("", html), inline)


def read_html(html: str, inline: bool = False, *, dollars: bool = False) -> Converted:
    """Like :func:`convert`, of HTML that may hold the marks of cloze deletions. ``dollars`` escapes every dollar; else
    one that stands alone is left as it is.
    """
    lost: list[str] = []
    if has_controls(html):
        html = strip_controls(html)
        lost.append("control characters, which a terminal would obey")
    html = html.replace("\r\n", "\n").replace("\r", "\n")
    html, formulas, scripts = take_out(html)
    lost += ["a script or style sheet"] * scripts
    count = html.count("$") + html.count("&#36;") + html.count("&dollar;")
    writer = Writer(formulas, dollars or bool(formulas) or count > 1, lost)
    root = parse(html)
    markdown = writer.one_line(root) if inline else writer.document(root)
    return Converted(markdown, tuple(writer.media), tuple(lost))


def to_markdown(html: str, inline: bool = False) -> str:
    """Only the Markdown of :func:`convert`."""
    return convert(html, inline).markdown
