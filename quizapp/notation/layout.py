"""MathML to a box of terminal cells."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import replace
from xml.etree.ElementTree import Element

from quizapp.notation import symbols
from quizapp.notation.boxes import EMPTY, Box, aligned, beside, blank, lifted, stacked, text_box
from quizapp.notation.fences import curly, fence, framed, rooted
from quizapp.notation.letters import SUBSCRIPTS, SUPERSCRIPTS, as_script, unspaced
from quizapp.notation.spacing import classes_in_row, gap
from quizapp.notation.tables import Cell, table

_LEAVES = frozenset({"mi", "mn", "mo", "mtext", "ms"})
_BRACES = frozenset("⏞⏟⎴⎵")
_GAPS = {"0 2em": (0, 4), "0.333em": (1,)}
_ARROW_ENDS = {"→": ("─", "→"), "←": ("←", "─"), "↔": ("←", "→"), "⇒": ("═", "⇒"), "⇐": ("⇐", "═"),
               "↦": ("├", "→"), "↪": ("╰", "→"), "=": ("═", "═")}  # fmt: skip


def layout(tree: Element, script: bool = False) -> Box:
    """The box of a MathML tree. ``script``: inside a script, where operators are set tight.

    Works on any tree: an element that is not known is a row, and every leaf's text appears.
    """
    handler = _HANDLERS.get(tree.tag)
    box = _row(tree, script) if handler is None else handler(tree, script)
    spacing = tree.get("class")
    return box.classed(spacing) if spacing else box


def leaf_text(tree: Element) -> str:
    """The text of a leaf on one line."""
    return re.sub(r"\s", " ", tree.text or "")


def _leaf(tree: Element, _script: bool) -> Box:
    text = leaf_text(tree)
    spacing = symbols.CLASSES.get(text, "ord") if tree.tag == "mo" else "ord"
    box = text_box(text, spacing)
    # Children of a leaf are not MathML, and are not lost either.
    return beside([box, *[layout(child) for child in tree]]) if len(tree) else box


def _space(tree: Element, _script: bool) -> Box:
    match = re.fullmatch(r"\+?([\d.]+)em", tree.get("width", ""))
    width = float(match[1]) if match and match[1].count(".") <= 1 and match[1] != "." else 0.0
    return blank(0 if width == 0 else max(1, round(3 * width))).classed("space")


def _row(tree: Element, script: bool) -> Box:
    return row(list(tree), script, tree.get("fenced") == "true", leaf_text(tree).strip())


def row(items: Sequence[Element], script: bool, fenced: bool = False, text: str = "") -> Box:
    """Elements side by side, spaced by their classes; the marks of a fenced row grow with the rest."""
    boxes = [_enclosed_item(item, script) if fenced else layout(item, script) for item in items]
    if text:
        boxes.insert(0, text_box(text))
        return _spaced(boxes, script)
    if fenced and len(boxes) >= 2:
        return _fenced_row(items, boxes, script)
    return _spaced(boxes, script)


def _enclosed_item(item: Element, script: bool) -> Box:
    """What brackets hold: tables and stacks of two lines stand apart, so that the brackets grow round them."""
    if item.tag == "mtable":
        return _table(item, script, fenced=True)
    return layout(item, script and item.get("linethickness") != "0")


def _fenced_row(items: Sequence[Element], boxes: list[Box], script: bool) -> Box:
    growing = [index for index, item in enumerate(items) if item.tag == "mo" and item.get("fence") == "true"]
    inside = [box for index, box in enumerate(boxes) if index not in growing]
    body = beside(inside)
    if body.height > 1 and all(
        item.tag == "mtable" for index, item in enumerate(items) if index not in growing
    ):
        boxes = [
            beside([blank(1), box, blank(1)]) if index not in growing else box
            for index, box in enumerate(boxes)
        ]
    last = len(items) - 1
    for index in growing:
        mark = leaf_text(items[index])
        spacing = "open" if index == 0 else "close" if index == last else "rel"
        if not mark:
            boxes[index] = EMPTY
        else:
            # Scripts alone do not make a bracket grow.
            height = body.height if body.height > 2 else 1
            boxes[index] = fence(mark, height, body.baseline if height > 1 else 0).classed(spacing)
    joined = _spaced(boxes, script)
    return replace(joined, left="open", right="close", flat=body.height <= 2)


def _spaced(boxes: Sequence[Box], script: bool) -> Box:
    kept: list[Box] = []
    space = 0
    spaces: list[int] = []
    for box in boxes:
        if box.left == "space":
            space += box.width
        elif box.width or box.left:
            spaces.append(space)
            kept.append(box)
            space = 0
    lefts, rights = classes_in_row([(box.left, box.right) for box in kept])
    parts: list[Box] = []
    for index, box in enumerate(kept):
        width = spaces[index]
        if index:
            width = max(width, gap(kept[index - 1], box, rights[index - 1], lefts[index], script))
        if width:
            parts.append(blank(width))
        parts.append(box)
    if space:
        parts.append(blank(space))
    joined = beside(parts)
    if not kept:
        return joined.classed("space") if joined.width else joined
    return joined.classed(lefts[0], rights[-1])


def _child(tree: Element, index: int, script: bool) -> Box:
    return layout(tree[index], script) if index < len(tree) else EMPTY


def _rest(tree: Element, count: int, box: Box, script: bool) -> Box:
    """What a malformed element holds beyond its arguments, after it."""
    if len(tree) <= count and not leaf_text(tree).strip():
        return box
    extra = [layout(child, script) for child in list(tree)[count:]]
    return _spaced([text_box(leaf_text(tree).strip()), box, *extra], script)


def _fraction(tree: Element, script: bool) -> Box:
    above, below = _child(tree, 0, script), _child(tree, 1, script)
    if tree.get("linethickness") == "0":
        parts = [above, below] if script else [above, blank(1), below]
        box = stacked(parts, len(parts) - 2).classed("inner")
    else:
        bar = text_box("─" * (max(above.width, below.width, 1) + 2), "inner")
        box = stacked([above, bar, below], 1)
    return _rest(tree, 2, box, script)


def _square_root(tree: Element, script: bool) -> Box:
    body = row(list(tree), script, text=leaf_text(tree).strip())
    return rooted(body if body.width else blank(1), None)


def _root(tree: Element, script: bool) -> Box:
    body, index = _child(tree, 0, script), _child(tree, 1, True)
    small = as_script(index.rows[0], SUPERSCRIPTS) if index.height == 1 else None
    shown = text_box(small) if small else index
    return _rest(
        tree,
        2,
        rooted(body if body.width else blank(1), shown if shown.width else None, on_foot=bool(small)),
        script,
    )


def _scripts(tree: Element, script: bool) -> Box:
    base = _child(tree, 0, script)
    sub = _child(tree, 1, True) if tree.tag != "msup" else EMPTY
    sup = _child(tree, 1 if tree.tag == "msup" else 2, True) if tree.tag != "msub" else EMPTY
    box = with_scripts(base, sub, sup)
    return _rest(tree, 3 if tree.tag == "msubsup" else 2, box, script)


def small_script(box: Box, table: Mapping[str, str]) -> str | None:
    """The script in small characters, where it is one line and each has one."""
    return as_script(unspaced(box.rows[0]), table) if box.height == 1 and box.width else None


def with_scripts(base: Box, sub: Box, sup: Box) -> Box:
    """``base`` with its scripts: small characters where each has one, else rows above and below."""
    small_sub = small_script(sub, SUBSCRIPTS)
    small_sup = small_script(sup, SUPERSCRIPTS)
    # Beside a tall bracket there is room for a row of script within its height.
    tall = base.height > 2 and not base.flat and base.right == "close"
    outside = 0 if tall and sup.height == 1 else 1
    if (not sub.width or small_sub) and (not sup.width or small_sup):
        if base.height == 1 or base.flat:
            marks = text_box((small_sub or "") + (small_sup or ""))
            return beside([base, marks]).classed(base.left or "ord", base.right or "ord")
        raised = text_box(small_sup) if small_sup else EMPTY
        lowered = text_box(small_sub) if small_sub else EMPTY
        # Beside the numerator of a fraction a script would seem to be the numerator's.
        column = _column(raised, lowered, base, int(base.right == "inner"))
    elif small_sub and (base.height == 1 or base.flat):
        # The small subscript clings to the base, the superscript stands over it.
        column = _column(sup, text_box(small_sub), base, outside, sub_inside=True)
    elif small_sup and (base.height == 1 or base.flat):
        column = _column(text_box(small_sup), sub, base, outside, sup_inside=True)
    else:
        column = _column(sup, sub, base, outside)
    return beside([base, column]).classed(base.left or "ord", base.right or "ord")


def _column(
    sup: Box, sub: Box, base: Box, outside: int, *, sup_inside: bool = False, sub_inside: bool = False
) -> Box:
    """Scripts above each other; ``outside``: how far beyond the base's first and last row."""
    width = max(sup.width, sub.width)
    top = (0 if base.flat else -base.baseline) - (0 if sup_inside else outside)
    bottom = (0 if base.flat else base.height - 1 - base.baseline) + (0 if sub_inside else outside)
    placed: dict[int, str] = {}
    if sup.width:
        for offset, line in enumerate(aligned(sup, width, "left").rows):
            placed[top - sup.height + 1 + offset] = line
    if sub.width:
        for offset, line in enumerate(aligned(sub, width, "left").rows):
            placed[bottom + offset] = line
    first, last = min((0, *placed)), max((0, *placed))
    rows = tuple(placed.get(at, " " * width) for at in range(first, last + 1))
    return Box(rows, width, -first, "ord", "ord")


def _limits(tree: Element, script: bool) -> Box:
    if not len(tree):
        return _row(tree, script)
    under = tree.tag in ("munder", "munderover")
    over = tree.tag in ("mover", "munderover")
    mark = tree[1] if len(tree) == 2 and tree[1].tag == "mo" and len(tree[1]) == 0 else None
    if mark is not None and leaf_text(mark) in _BRACES:
        return curly(leaf_text(mark), _child(tree, 0, script)).classed("ord")
    if mark is not None and (tree.get("accent") == "true" or tree.get("accentunder") == "true"):
        return _accented(_child(tree, 0, script), leaf_text(mark), over)
    base = _child(tree, 0, script)
    below = _child(tree, 1, True) if under else EMPTY
    above = _child(tree, 2 if under else 1, True) if over else EMPTY
    if tree[0].get("stretchy") == "true" and leaf_text(tree[0]) in _ARROW_ENDS:
        base = _long_arrow(leaf_text(tree[0]), max(below.width, above.width)).classed("rel")
    parts = [box for box in (above, base, below) if box.width or box is base]
    box = stacked(parts, parts.index(base)) if len(parts) > 1 else base
    if len(parts) > 1 and base.left not in ("rel", "op", "bin"):
        box = box.classed("op" if tree[0].get("movablelimits") == "true" else base.left or "ord")
    return _rest(tree, 3 if tree.tag == "munderover" else 2, box, script)


def _long_arrow(sign: str, width: int) -> Box:
    start, end = _ARROW_ENDS[sign]
    line = "═" if sign in "⇒⇐=" else "─"
    return text_box(start + line * max(width, 1) + end)


def _accented(base: Box, sign: str, over: bool) -> Box:
    mark = symbols.ACCENT_MARKS.get(sign)
    letter = base.rows[0] if base.height == 1 else ""
    if (
        over
        and mark
        and sign not in ("→", "...", "....")
        and len(letter) == 1
        and unicodedata.category(letter)[0] == "L"
        and letter < "\uffff"
    ):
        composed = unicodedata.normalize("NFC", letter + mark)
        return text_box(composed)
    width = max(base.width, 1)
    line = {
        "‾": "_",
        "_": "‾" if not over else "_",
        "→": "─" * (width - 1) + "→",
        "←": "←" + "─" * (width - 1),
        "↔": "←" + "─" * (width - 2) + "→" if width > 1 else "↔",
    }
    drawn = line.get(sign, sign)
    if drawn in "_‾":
        drawn *= width
    parts = [text_box(drawn), base] if over else [base, text_box(drawn)]
    box = stacked(parts, 1 if over else 0)
    spacing = "ord" if sign not in "‾_→←↔" else "lined" if width == 1 else "inner"
    return replace(box.classed(spacing), flat=base.height == 1)


def _table(tree: Element, script: bool, fenced: bool = False) -> Box:
    paired = tree.get("columnspacing") == "0 2em"
    rows: list[list[Cell]] = []
    strays: list[Box] = []
    for line in tree:
        if line.tag != "mtr":
            strays.append(layout(line))
            continue
        cells: list[Cell] = []
        for cell in line:
            content = row(list(cell), script, text=leaf_text(cell).strip())
            if paired and len(cells) % 2 == 0 and content.right in ("rel", "sign"):
                # The sign at the end of a cell has its other operand in the next.
                content = beside([content, blank(1)])
            cells.append(Cell(content, cell.get("columnalign", "center")))
        rows.append(cells)
    box = table(
        rows,
        gaps=_GAPS.get(tree.get("columnspacing", ""), (3,)),
        loose=len(rows) == 2 and (fenced or (tree.get("displaystyle") != "true" and not script)),
        column_lines=tree.get("columnlines", ""),
        row_lines=tree.get("rowlines", "").split(),
    )
    return _spaced([box, *strays], False) if strays else box


def _enclosed(tree: Element, script: bool) -> Box:
    return framed(row(list(tree), script, text=leaf_text(tree).strip()))


def _phantom(tree: Element, script: bool) -> Box:
    body = row(list(tree), script)
    return lifted(blank(body.width), body.baseline, body.height - 1 - body.baseline).classed(
        body.left, body.right
    )


_HANDLERS = {
    **dict.fromkeys(_LEAVES, _leaf),
    "mspace": _space,
    "mfrac": _fraction,
    "msqrt": _square_root,
    "mroot": _root,
    "msub": _scripts,
    "msup": _scripts,
    "msubsup": _scripts,
    "munder": _limits,
    "mover": _limits,
    "munderover": _limits,
    "mtable": _table,
    "menclose": _enclosed,
    "mphantom": _phantom,
}
