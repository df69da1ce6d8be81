"""The thin space beside a named function, which a browser leaves out: ``sin a sin b``, but ``sin(a)``."""

from __future__ import annotations

from xml.etree.ElementTree import Element

_ROWS = frozenset({"math", "mrow", "mtd", "mstyle", "msqrt"})
_SCRIPTS = frozenset({"msub", "msup", "msubsup", "munder", "mover", "munderover"})
# An operator brings its own space, and text its own blanks.
_APART = frozenset({"mo", "mspace", "mtext"})


def space_functions(tree: Element) -> None:
    """Set thin spaces round the functions of a formula, where TeX has them (The TeXbook, chapter 18)."""
    for row in tree.iter():
        if row.tag not in _ROWS or len(row) < 2:
            continue
        spaced = [row[0]]
        for before, after in zip(list(row), list(row)[1:], strict=False):
            if _need_space(before, after):
                spaced.append(Element("mspace", {"width": "0.167em"}))
            spaced.append(after)
        if len(spaced) > len(row):
            row[:] = spaced


def _need_space(before: Element, after: Element) -> bool:
    if before.tag in _APART or after.tag in _APART:
        return False
    return (_is_function(before) and not _opens(after)) or _is_function(after)


def _is_function(item: Element) -> bool:
    while item.tag in _SCRIPTS and len(item):
        item = item[0]
    return item.tag == "mi" and len(item.text or "") > 1


def _opens(item: Element) -> bool:
    """Whether an item begins with a fence, such as the argument in parentheses."""
    while item.tag in _SCRIPTS and len(item):
        item = item[0]
    return item.tag == "mrow" and len(item) > 0 and item[0].get("fence") == "true"
