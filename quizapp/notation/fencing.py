"""Brackets that belong together become one group, so that they can grow and carry scripts."""

from __future__ import annotations

from xml.etree.ElementTree import Element

from quizapp.notation import symbols

_SCRIPTS = frozenset({"msub", "msup", "msubsup"})


def pair_fences(items: list[Element]) -> list[Element]:
    """``items`` with every matched pair of brackets, and what is between them, as one fenced `mrow`.

    A script on the closing bracket becomes the script of the group. Brackets without a partner stay as they
    are; a bracket of another shape closes too (half-open intervals).
    """
    sides = _sides(items)
    if "open" not in sides:
        return items
    rows: list[list[Element]] = [[]]
    for item, side in zip(items, sides, strict=True):
        if side == "open":
            rows.append([item])
        elif side == "close" and len(rows) > 1:
            rows[-1].append(item)
            content = rows.pop()
            rows[-1].append(_group(content))
        else:
            rows[-1].append(item)
    while len(rows) > 1:
        unclosed = rows.pop()
        rows[-1] += unclosed
    return rows[0]


def _core(item: Element) -> Element:
    """The sign that carries the scripts of ``item``."""
    return item[0] if item.tag in _SCRIPTS and len(item) else item


def _sides(items: list[Element]) -> list[str]:
    sides = []
    for item in items:
        core = _core(item)
        spacing = core.get("class") or symbols.CLASSES.get(core.text or "", "")
        is_side = core.tag == "mo" and spacing in ("open", "close") and (core.text or "") not in "!?"
        is_side = is_side and not (spacing == "open" and core is not item)
        sides.append(spacing if is_side else "")
    for bar in symbols.BARS:
        _pair_bars(items, sides, bar)
    return sides


def _pair_bars(items: list[Element], sides: list[str], bar: str) -> None:
    """Bars open and close in turn, where there is an even number of them within one pair of brackets."""
    levels: list[list[int]] = [[]]
    done: list[list[int]] = []
    for index, item in enumerate(items):
        if sides[index] == "open":
            levels.append([])
        elif sides[index] == "close" and len(levels) > 1:
            done.append(levels.pop())
        elif _core(item).tag == "mo" and _core(item).text == bar and not _core(item).get("class"):
            levels[-1].append(index)
    for places in (*done, *levels):
        turns = [places[at : at + 2] for at in range(0, len(places), 2)]
        if all(
            len(turn) == 2 and turn[1] > turn[0] + 1 and _core(items[turn[0]]) is items[turn[0]]
            for turn in turns
        ):
            for first, second in turns:
                sides[first], sides[second] = "open", "close"


def _group(content: list[Element]) -> Element:
    closing = content[-1]
    core = _core(closing)
    for mark in (content[0], core):
        mark.set("fence", "true")
        mark.set("stretchy", "true")
    group = Element("mrow", {"fenced": "true"})
    group.extend([*content[:-1], core])
    if core is closing:
        return group
    scripted = Element(closing.tag)
    scripted.extend([group, *list(closing)[1:]])
    return scripted
