"""MathML elements, as the reader makes them."""

from __future__ import annotations

from xml.etree.ElementTree import Element


def element(tag: str, text: str = "", *children: Element, **attributes: str) -> Element:
    """A MathML element."""
    made = Element(tag, {name.replace("_", "-"): value for name, value in attributes.items()})
    made.text = text or None
    made.extend(children)
    return made


def row_of(items: list[Element]) -> Element:
    """One element for a list of them."""
    return items[0] if len(items) == 1 else element("mrow", "", *items)


def fence(mark: str) -> Element:
    """A bracket that grows; "" is an absent one."""
    return element("mo", mark, fence="true", stretchy="true")


def enclosed(body: Element, left: str, right: str) -> Element:
    """``body`` in brackets that grow with it."""
    return element("mrow", "", fence(left), body, fence(right), fenced="true")


def attach(base: Element, sub: Element | None, sup: Element | None, limits: bool) -> Element:
    """``base`` with its scripts, as limits under and over it or beside it."""
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


def joined(body: Element) -> Element:
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
    for item in joined:
        if item.tag == "mi" and len(item.text or "") == 1 and not item.attrib:
            # A browser slants a name of one letter unless told otherwise.
            item.set("mathvariant", "normal")
    return row_of(joined) if joined else element("mrow")
