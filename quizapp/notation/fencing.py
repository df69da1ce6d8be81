"""Brackets that belong together become one group, so that they can grow and carry scripts."""

from __future__ import annotations

from xml.etree.ElementTree import Element

from quizapp.notation import symbols
from quizapp.notation.elements import fence

_SCRIPTS = frozenset({"msub", "msup", "msubsup"})
_BEFORE_OPERAND = frozenset({"bin", "rel", "punct", "open", "op"})


def pair_fences(items: list[Element]) -> list[Element]:
    """``items`` with every matched pair of brackets, and what is between them, as one fenced `mrow`.

    A script on the closing bracket becomes the script of the group. Brackets without a partner stay as they
    are; a bracket of another shape closes too (half-open intervals).
    """
    sides = _sides(items)
    if "open" not in sides:
        return _beside_tables(_evaluated(items))
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
    return _beside_tables(_evaluated(rows[0]))


def _beside_tables(items: list[Element]) -> list[Element]:
    """``items`` with a bracket that has no partner, beside a table, grown to the table's height."""
    if not any(item.tag == "mtable" for item in items):
        return items
    done: list[Element] = []
    for item in items:
        before = done[-1] if done else None
        if item.tag == "mtable" and before is not None and before.tag == "mo" and _side(before) == "open":
            done[-1] = _group([before, item, fence("")])
        elif before is not None and before.tag == "mtable" and _side(_core(item)) == "close":
            done[-1] = _group([fence(""), before, item])
        else:
            done.append(item)
    return done


def _core(item: Element) -> Element:
    """The sign that carries the scripts of ``item``."""
    return item[0] if item.tag in _SCRIPTS and len(item) else item


def _side(sign: Element) -> str:
    """Whether ``sign`` is a bracket that opens or closes."""
    spacing = sign.get("class") or symbols.CLASSES.get(sign.text or "", "")
    is_bracket = sign.tag == "mo" and spacing in ("open", "close") and (sign.text or "") not in "!?"
    return spacing if is_bracket else ""


def _sides(items: list[Element]) -> list[str]:
    sides = []
    for item in items:
        side = _side(_core(item))
        sides.append("" if side == "open" and _core(item) is not item else side)
    signs = {_core(item).text for item in items}
    for bar in sorted(symbols.BARS.intersection(sign for sign in signs if sign)):
        for sized in (False, True):
            _pair_bars(items, sides, bar, sized)
    if ">" in signs:
        _pair_angles(items, sides)
    return sides


def _is_bar(core: Element, sized: bool) -> bool:
    """Whether ``core`` is a bar that may open or close, of the text's size or of a size of its own."""
    if core.tag != "mo" or core.text not in symbols.BARS:
        return False
    return core.get("sized") == "true" and core.get("class") == "ord" if sized else not core.get("class")


def _pair_bars(items: list[Element], sides: list[str], bar: str, sized: bool) -> None:
    """Bars open and close, where all of them within one pair of brackets find a partner."""
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
        pairs = _partners(items, places)
        if not pairs and len(places) % 2:
            pairs = _partners_beside_a_divider(items, places)
        for first, second in pairs:
            sides[first], sides[second] = "open", "close"


def _partners(items: list[Element], places: list[int]) -> list[tuple[int, int]]:
    """The bars at ``places`` two by two; none where one is left over or a pair holds nothing.

    A bar closes the last open one, unless it stands where an operand is due: after a sign, or right after an
    opening bar.
    """
    pairs = []
    waiting: list[int] = []
    for place in places:
        before = place - 1
        while before >= 0 and items[before].tag == "mspace":
            before -= 1
        opened = bool(waiting) and waiting[-1] == before
        if waiting and not opened and not _awaits_operand(items[before]):
            pairs.append((waiting.pop(), place))
        elif _core(items[place]) is not items[place]:
            return []
        else:
            waiting.append(place)
    return [] if waiting else pairs


def _partners_beside_a_divider(items: list[Element], places: list[int]) -> list[tuple[int, int]]:
    """The pairs where one bar divides, as in ``{x | |x| < 1}``: those that hold no relation, if they are plain."""
    for divider in places:
        if divider == 0 or _awaits_operand(items[divider - 1]) or _core(items[divider]) is not items[divider]:
            continue
        pairs = _partners(items, [place for place in places if place != divider])
        held = [item for first, second in pairs for item in items[first + 1 : second]]
        crossed = any(first < divider < second for first, second in pairs)
        relates = any(symbols.CLASSES.get(item.text or "") == "rel" for item in held)
        if pairs and not crossed and not relates:
            items[divider].set("class", "rel")
            return pairs
    return []


def _awaits_operand(item: Element) -> bool:
    """Whether an operand follows ``item``: a sign, an operator or an opening bracket."""
    spacing = item.get("class") or symbols.CLASSES.get(_core(item).text or "", "")
    return (_core(item).tag == "mo" and _core(item).text == "/") or spacing in _BEFORE_OPERAND


def _pair_angles(items: list[Element], sides: list[str]) -> None:
    """``<x, y>``: a sign of order that has nothing on its left, up to one that has nothing on its right."""
    first: int | None = None
    for index, item in enumerate(items):
        text = item.text if item.tag == "mo" and not item.get("class") else ""
        operand_due = index == 0 or (_awaits_operand(items[index - 1]) and sides[index - 1] != "close")
        if text == "<" and operand_due:
            first = index
        elif text == "<" or (sides[index] and first is None):
            first = None
        elif _core(item).tag == "mo" and _core(item).text == ">" and first is not None:
            if not operand_due and _nothing_follows(items, index):
                sides[first], sides[index] = "open", "close"
            first = None


def _nothing_follows(items: list[Element], index: int) -> bool:
    following = next((item for item in items[index + 1 :] if item.tag != "mspace"), None)
    if following is None:
        return True
    spacing = following.get("class") or symbols.CLASSES.get(_core(following).text or "", "")
    return _core(following).tag == "mo" and spacing in ("bin", "rel", "punct", "close")


def _evaluated(items: list[Element]) -> list[Element]:
    """``items`` with each bar that carries limits grown to what it evaluates, back to the last relation."""
    if not any(item.tag in ("msub", "msubsup") and _core(item).text in symbols.BARS for item in items):
        return items
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
