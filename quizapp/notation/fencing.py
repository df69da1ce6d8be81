"""Brackets that belong together become one group, so that they can grow and carry scripts."""

from __future__ import annotations

from xml.etree.ElementTree import Element

from quizapp.notation import symbols
from quizapp.notation.elements import fence

_SCRIPTS = frozenset({"msub", "msup", "msubsup"})


def pair_fences(items: list[Element]) -> list[Element]:
    """``items`` with every matched pair of brackets, and what is between them, as one fenced `mrow`.

    A script on the closing bracket becomes the script of the group. Brackets without a partner stay as they
    are; a bracket of another shape closes too (half-open intervals).
    """
    sides = _sides(items)
    if "open" not in sides:
        return _evaluated(items)
    rows: list[list[Element]] = [[]]
    for item, side in zip(items, sides, strict=True):
        if side == "open":
            rows.append([item])
        elif side == "close" and len(rows) > 1:
            rows[-1].append(item)
            first, *inner, last = rows.pop()
            rows[-1].append(_group([first, *_evaluated(inner), last]))
        else:
            rows[-1].append(item)
    while len(rows) > 1:
        unclosed = rows.pop()
        rows[-1] += unclosed
    return _evaluated(rows[0])


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
        for sized in (False, True):
            _pair_bars(items, sides, bar, sized)
    return sides


def _is_bar(core: Element, sized: bool) -> bool:
    """Whether ``core`` is a bar that may open or close, of the text's size or of a size of its own."""
    if core.tag != "mo" or core.text not in symbols.BARS:
        return False
    return core.get("sized") == "true" and core.get("class") == "ord" if sized else not core.get("class")


def _pair_bars(items: list[Element], sides: list[str], bar: str, sized: bool) -> None:
    """Bars open and close in turn, where there is an even number of them within one pair of brackets."""
    levels: list[list[int]] = [[]]
    done: list[list[int]] = []
    for index, item in enumerate(items):
        if sides[index] == "open":
            levels.append([])
        elif sides[index] == "close" and len(levels) > 1:
            done.append(levels.pop())
        elif _core(item).text == bar and _is_bar(_core(item), sized):
            levels[-1].append(index)
    for places in (*done, *levels):
        turns = [places[at : at + 2] for at in range(0, len(places), 2)]
        if all(
            len(turn) == 2 and turn[1] > turn[0] + 1 and _core(items[turn[0]]) is items[turn[0]]
            for turn in turns
        ):
            for first, second in turns:
                sides[first], sides[second] = "open", "close"


def _evaluated(items: list[Element]) -> list[Element]:
    """``items`` with each bar that carries limits grown to what it evaluates, back to the last relation."""
    done: list[Element] = []
    start = 0
    for item in items:
        core = _core(item)
        spacing = core.get("class") or symbols.CLASSES.get(core.text or "", "")
        if core.tag == "mo" and spacing in ("rel", "punct"):
            start = len(done) + 1
        limited = item.tag in ("msub", "msubsup") and core.tag == "mo" and core.text in symbols.BARS
        if limited and len(done) > start and core.get("class") != "open":
            done[start:] = [_group([fence(""), *done[start:], item])]
        else:
            done.append(item)
    return done


def _group(content: list[Element]) -> Element:
    closing = content[-1]
    core = _core(closing)
    middle = [item for item in content[1:-1] if item.tag == "mo" and item.get("sized") == "true"]
    for mark in (content[0], *middle, core):
        mark.set("fence", "true")
        mark.set("stretchy", "true")
    group = Element("mrow", {"fenced": "true"})
    group.extend([*content[:-1], core])
    if core is closing:
        return group
    scripted = Element(closing.tag)
    scripted.extend([group, *list(closing)[1:]])
    return scripted
