"""Foreign HTML as a small tree, whatever is wrong with it.

A reader of our own instead of ``html.parser``: it takes time in proportion to the text for any input, keeps what only
looks like a tag (``vector<int>``, ``#include <iostream>``) as text, and reads the same in every Python. Formulas are
taken out first, since TeX may hold ``<`` and ``&lt;`` alike.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from html import unescape

# Unicode's noncharacters mark places; they are taken out of what comes in.
FORMULA, FORMULA_END, NOTHING = "\ufdd0", "\ufdd1", "\ufdd2"
# A cloze deletion of a number in a list, and its end.
HOLE, HOLE_NAMED, HOLE_END = "\ufdd4", "\ufdd5", "\ufdd6"
HOLES = re.compile(f"{HOLE}\\d+{HOLE_NAMED}|{HOLE_END}")
NONCHARACTERS = re.compile("[\ufdd0-\ufdef]")
# Deeper nesting than any card has; further tags inside are read as if they stood side by side.
MOST_LEVELS = 60


def _names(text: str) -> frozenset[str]:
    return frozenset(text.split())


VOID = _names("area base br col embed hr img input link meta param source track wbr")
BLOCKS = _names(
    "address article aside blockquote body caption center dd details dialog dir div dl dt fieldset figcaption figure"
    " footer form h1 h2 h3 h4 h5 h6 header hgroup hr html legend li main menu nav ol optgroup option p pre section"
    " summary table tbody td tfoot th thead tr ul"
)
DROPPED = _names(
    "applet audio button canvas embed frame frameset head iframe link meta noframes object script style svg template"
    " title video"
)
_INLINE = _names(
    "a abbr acronym anki-mathjax b base basefont bdi bdo big br cite code data datalist del dfn em font i img"
    " input ins kbd label map mark math meter nobr noscript output param picture progress q rb rp rt rtc ruby s samp"
    " select small source span strike strong sub sup textarea time track tt u var wbr area col colgroup marquee blink"
    " annotation semantics"
)
KNOWN = BLOCKS | DROPPED | _INLINE
_TAG = re.compile(
    r"""<(/?)([A-Za-z][A-Za-z0-9:_.-]*+)((?:[^"'<>]++|"[^"]*+"|'[^']*+')*+)>|<(/?)([A-Za-z][A-Za-z0-9:_-]*+)[^<>]*+>"""
)
_ATTRIBUTE = re.compile(r"""([^\s"'<>/=]+)(?:\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'>]+)))?""")
# What ends which open element when it begins; the second set is how far out that reaches.
_ENDS = {
    "li": ({"li"}, {"ul", "ol", "menu", "dir"}),
    "dt": ({"dt", "dd"}, {"dl"}),
    "dd": ({"dt", "dd"}, {"dl"}),
    "tr": ({"tr", "td", "th"}, {"table"}),
    "td": ({"td", "th"}, {"tr", "table"}),
    "th": ({"td", "th"}, {"tr", "table"}),
    "thead": ({"thead", "tbody", "tfoot", "tr", "td", "th"}, {"table"}),
    "tbody": ({"thead", "tbody", "tfoot", "tr", "td", "th"}, {"table"}),
    "tfoot": ({"thead", "tbody", "tfoot", "tr", "td", "th"}, {"table"}),
    "option": ({"option"}, {"select"}),
}
_SCOPES = _names("table td th li ul ol blockquote")


@dataclass
class Node:
    """An element: its tag in lower case, its attributes, and what it holds in order."""

    tag: str
    attributes: dict[str, str] = field(default_factory=dict)
    children: list[Node | str] = field(default_factory=list)

    def find(self, tag: str) -> Node | None:
        """The first element of this name inside."""
        for child in self.children:
            if isinstance(child, Node):
                found = child if child.tag == tag else child.find(tag)
                if found is not None:
                    return found
        return None

    def text(self) -> str:
        """The characters inside, with a line end for each ``br`` and around each block."""
        parts: list[str] = []
        for child in self.children:
            if isinstance(child, str):
                parts.append(child)
            elif child.tag == "br":
                parts.append("\n")
            elif child.tag in ("div", "p", "tr", "li"):
                inner = child.text()
                gap = "\n" if parts and not parts[-1].endswith("\n") else ""
                parts.append(f"{gap}{inner}\n" if not inner.endswith("\n") else gap + inner)
            elif child.tag not in DROPPED:
                parts.append(child.text())
        return "".join(parts)


def parse(html: str) -> Node:
    """The tree of ``html``, which has no comments, scripts or noncharacters of its own any more."""
    root = Node("")
    stack = [root]
    at = 0
    for tag in _TAG.finditer(html):
        if tag.start() < at:
            continue
        name = (tag[2] or tag[5]).lower()
        if name not in KNOWN and ":" not in name and "-" not in name:
            # No element of HTML: somebody's code that was not escaped.
            continue
        if tag.start() > at:
            stack[-1].children.append(unescape(html[at : tag.start()]))
        at = tag.end()
        if tag[1] or tag[4]:
            _close(stack, name)
        else:
            _open(stack, name, tag[3] or "")
    if at < len(html):
        stack[-1].children.append(unescape(html[at:]))
    return root


def _open(stack: list[Node], name: str, attributes: str) -> None:
    if name in _ENDS:
        ended, limit = _ENDS[name]
        for depth in range(len(stack) - 1, 0, -1):
            if stack[depth].tag in limit:
                break
            if stack[depth].tag in ended:
                del stack[depth:]
                break
    elif name in BLOCKS and stack[-1].tag == "p":
        stack.pop()
    node = Node(name, _attributes(attributes) if "=" in attributes or attributes.strip(" /") else {})
    stack[-1].children.append(node)
    if name not in VOID and len(stack) < MOST_LEVELS:
        stack.append(node)


def _close(stack: list[Node], name: str) -> None:
    if name == "br":
        stack[-1].children.append(Node("br"))
        return
    for depth in range(len(stack) - 1, 0, -1):
        if stack[depth].tag == name:
            del stack[depth:]
            return
        if stack[depth].tag in _SCOPES and name not in BLOCKS:
            return


def _attributes(text: str) -> dict[str, str]:
    found: dict[str, str] = {}
    for match in _ATTRIBUTE.finditer(text):
        value = next((part for part in match.groups()[1:] if part is not None), "")
        found.setdefault(match[1].lower(), unescape(value))
    return found
