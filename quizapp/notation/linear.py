"""A formula on one line, where that can be said without ambiguity."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from xml.etree.ElementTree import Element

from quizapp.notation import symbols
from quizapp.notation.boxes import Box, text_box
from quizapp.notation.errors import UnreadableFormula
from quizapp.notation.letters import SUBSCRIPTS, SUPERSCRIPTS, as_script, unspaced
from quizapp.notation.spacing import classes_in_row, gap


class _TwoDimensional(Exception):  # noqa: N818 - an answer, not an error
    """The formula needs more than one line."""


@dataclass(frozen=True, slots=True)
class _Piece:
    """A stretch of the line.

    ``atom``: one symbol, with or without scripts. ``quotient``: a slash binds its ends. ``open_root``: a
    root sign without brackets, which must not touch what follows. ``bare_script``: how a script of full
    size ends the text: "_", "^" or "*" (a star) before one symbol, "(" in brackets. ``is_root``: a script at
    its end would be read into the root.
    """

    text: str
    left: str = "ord"
    right: str = "ord"
    atom: bool = False
    quotient: bool = False
    open_root: bool = False
    bare_script: str = ""
    is_root: bool = False

    def box(self) -> Box:
        return text_box(self.text).classed(self.left, self.right)


@lru_cache(maxsize=4096)
def inline(latex: str) -> str | None:
    """``latex`` on one line, or None where it takes more.

    Scripts are small characters where each has one, else ``W_Q`` or ``x^(n+K)``; a fraction is ``a/b`` with
    the brackets that keep its meaning.
    """
    from quizapp.notation.reader import read

    try:
        text = _line(read(latex, display=False)).text
    except (UnreadableFormula, RecursionError, _TwoDimensional):
        return None
    return text.replace("\u00a0", " ").strip() or None


def _line(tree: Element, script: bool = False) -> _Piece:
    handler = _HANDLERS.get(tree.tag)
    if handler is None:
        raise _TwoDimensional
    piece = handler(tree, script)
    spacing = tree.get("class")
    return replace(piece, left=spacing, right=spacing) if spacing else piece


def _leaf(tree: Element, _script: bool) -> _Piece:
    text = tree.text or ""
    spacing = symbols.CLASSES.get(text, "ord") if tree.tag == "mo" else "ord"
    if text in ("⋮", "⋱", "⋰"):
        raise _TwoDimensional
    one_symbol = tree.tag in ("mi", "mn") or (spacing == "ord" and text not in "/|‖")
    return _Piece(text, spacing, spacing, atom=one_symbol and not re.search(r"\s", text))


def _space(tree: Element, _script: bool) -> _Piece:
    width = float(tree.get("width", "0em").removesuffix("em") or 0)
    return _Piece(" " * (0 if width == 0 else max(1, round(3 * width))), "space", "space")


def _row(tree: Element, script: bool) -> _Piece:
    items = [_line(item, script) for item in tree]
    if tree.get("fenced") == "true":
        if not tree[0].text and (tree[-1].text or "") in symbols.BARS:
            return _evaluated(items, script)
        if not all(mark.text for mark in (tree[0], tree[-1])):
            raise _TwoDimensional
        items[0] = replace(items[0], left="open", right="open")
        items[-1] = replace(items[-1], left="close", right="close")
        joined = _join(items, script)
        return _Piece(joined.text, "open", "close", atom=True)
    if len(items) == 1:
        return items[0]
    return _join(items, script)


def _evaluated(items: Sequence[_Piece], script: bool) -> _Piece:
    """What stands before a bar alone on its right, where it is plain how far back the bar reaches."""
    joined = _join(items[1:-1], script)
    if (
        not joined.text
        or " " in joined.text
        or "/" in joined.text
        or joined.bare_script
        or not items[-1].text
    ):
        raise _TwoDimensional
    return _Piece(joined.text + items[-1].text, joined.left, "close", atom=True)


def _join(items: Sequence[_Piece], script: bool) -> _Piece:
    kept: list[_Piece] = []
    spaces: list[int] = []
    space = 0
    for item in items:
        if item.left == "space":
            space += len(item.text)
        elif item.text or item.left:
            kept.append(item)
            spaces.append(space)
            space = 0
    if not kept:
        return _Piece(" " * space, "space", "space") if space else _Piece("", "", "")
    kept = [_protected(kept, at) for at in range(len(kept))]
    lefts, rights = classes_in_row([(item.left, item.right) for item in kept])
    line = " " * spaces[0]
    for at, item in enumerate(kept):
        if at:
            width = max(spaces[at], gap(kept[at - 1].box(), item.box(), rights[at - 1], lefts[at], script))
            if not width and kept[at - 1].bare_script:
                if kept[at - 1].bare_script == "^" and item.left == "open":
                    # A bracket after an exponent of full size would seem to be its argument.
                    raise _TwoDimensional
                width = int(item.text[:1].isalnum())
            line += " " * width
        line += item.text
    alone = kept[0] if len(kept) == 1 else None
    if alone is not None:
        return replace(alone, text=line + " " * space)
    return _Piece(line + " " * space, lefts[0], rights[-1])


_BRACKETED = re.compile(r"\(.*\)")
# Marks that take no argument, so that a bracket after them is the base's.
_STARS = frozenset("*∗⋆†‡⊺")
_ENDS_LEFT = frozenset({"open", "bin", "rel", "punct", "sign", ""})
_ENDS_RIGHT = frozenset({"close", "bin", "rel", "punct", ""})


def _protected(items: Sequence[_Piece], at: int) -> _Piece:
    """A quotient or a root in brackets, where its neighbours would be read into it."""
    item = items[at]
    before = items[at - 1] if at else None
    after = items[at + 1] if at + 1 < len(items) else None
    left_ends = before is None or (before.right in _ENDS_LEFT and before.text not in ("/", "÷"))
    right_ends = after is None or (after.left in _ENDS_RIGHT and after.text not in ("/", "!"))
    if (
        item.quotient
        and before is not None
        and before.right == "op"
        and before.text[0].isalpha()
        and not right_ends
    ):
        # How far a function reaches behind a fraction is for the fraction's shape to say.
        raise _TwoDimensional
    if item.quotient and not (left_ends and right_ends):
        return _Piece(f"({item.text})", "open", "close", atom=True)
    if item.open_root and not right_ends:
        return _Piece(f"√({item.text[1:]})", "ord", "close", atom=True)
    return item


def _fraction(tree: Element, script: bool) -> _Piece:
    if tree.get("linethickness") == "0":
        raise _TwoDimensional
    above, below = _line(tree[0], script), _line(tree[1], script)
    if not above.text or not below.text:
        raise _TwoDimensional
    one = above.atom or _is_product(tree[0], above)
    top = above.text if one else f"({above.text})"
    differential = one and _is_differential(tree[1], above.text)
    bottom = below.text if below.atom or below.open_root or differential else f"({below.text})"
    return _Piece(f"{top}/{bottom}", quotient=True)


def _unwrapped(tree: Element) -> Element:
    while tree.tag == "mrow" and len(tree) == 1 and not tree.attrib:
        tree = tree[0]
    return tree


def _is_differential(tree: Element, above: str) -> bool:
    """Whether ``tree`` is the dx of dy/dx, which everyone writes without brackets."""
    tree = _unwrapped(tree)
    if tree.tag != "mrow" or len(tree) != 2 or tree[0].tag != "mi" or tree[0].text not in ("d", "∂"):
        return False
    return above.startswith(tree[0].text) and _plain_base(_unwrapped(tree[1]))


def _is_product(tree: Element, piece: _Piece) -> bool:
    """Letters, numbers and brackets side by side, which a slash after them divides as a whole."""
    tree = _unwrapped(tree)
    if tree.tag != "mrow" or tree.get("fenced") or not piece.text or piece.bare_script:
        return False
    items = [_unwrapped(item) for item in tree]
    bracketed = [_is_group(item) for item in items]
    for at, item in enumerate(items):
        named = item.get("class") == "op" or item.tag == "mtext"
        function = named and at + 1 < len(items) and bracketed[at + 1]
        if not (
            bracketed[at]
            or (_is_letter(item) and _plain_base(item))
            or (function and item.tag in ("mi", "mtext"))
        ):
            return False
    return " " not in _BRACKETED.sub("", piece.text)


def _is_group(item: Element) -> bool:
    base = item[0] if item.tag in ("msub", "msup", "msubsup") else item
    return base.get("fenced") == "true"


def _is_letter(item: Element) -> bool:
    return item.tag in ("mi", "mn", "msub", "msup", "msubsup") and item.get("class") != "op"


def _plain_base(item: Element) -> bool:
    base = _unwrapped(item[0] if len(item) else item)
    return base.tag in ("mi", "mn") and base.get("class") != "op"


def _is_bracketed(piece: _Piece) -> bool:
    """Whether all of ``piece`` stands in one pair of brackets, without scripts behind them."""
    return (
        piece.atom and piece.left == "open" and not piece.bare_script and piece.text[-1:] in symbols.CLOSING
    )


def _square_root(tree: Element, script: bool) -> _Piece:
    body = _line(tree[0], script)
    if body.atom and body.left != "open":
        return _Piece("√" + body.text, atom=False, open_root=True, is_root=True)
    inner = body.text if _is_bracketed(body) else f"({body.text})"
    return _Piece("√" + inner, "ord", "close", atom=True, is_root=True)


def _root(tree: Element, script: bool) -> _Piece:
    index = as_script(unspaced(_line(tree[1], True).text), SUPERSCRIPTS)
    if index is None:
        raise _TwoDimensional
    body = _line(tree[0], script)
    inner = body.text if _is_bracketed(body) else f"({body.text})"
    return _Piece(f"{index}√{inner}", "ord", "close", atom=True, is_root=True)


def _small(piece: _Piece | None, table: Mapping[str, str]) -> str | None:
    return None if piece is None else as_script(unspaced(piece.text), table)


def _scripts(tree: Element, script: bool) -> _Piece:
    base = _line(tree[0], script)
    if base.bare_script:
        # Scripts of full size run on to the end: another script would be read into them.
        raise _TwoDimensional
    if base.quotient or base.is_root:
        base = _Piece(f"({base.text})", "open", "close", atom=True)
    sub = _line(tree[1], True) if tree.tag != "msup" else None
    sup = _line(tree[1 if tree.tag == "msup" else 2], True) if tree.tag != "msub" else None
    small_sub, small_sup = _small(sub, SUBSCRIPTS), _small(sup, SUPERSCRIPTS)
    # Full-size scripts come last: a small one after them would belong to them.
    text = base.text + (small_sub or "") + (small_sup or "")
    bare = ""
    for piece, small, mark, script_tree in ((sub, small_sub, "_", tree[1]), (sup, small_sup, "^", tree[-1])):
        if piece is not None and small is None:
            if script or not piece.text:
                raise _TwoDimensional
            leaf = _unwrapped(script_tree).tag in ("mi", "mn", "mo", "mtext", "mover")
            simple = len(piece.text) == 1 or (leaf and not re.search(r"[\s_^]", piece.text))
            text += mark + (piece.text if simple else f"({piece.text})")
            bare = ("*" if piece.text in _STARS else mark) if simple else "("
    base_class = (base.left or "ord", base.right or "ord")
    return _Piece(text, *base_class, atom=base.atom or not base.text, bare_script=bare)


def _accented(tree: Element, script: bool) -> _Piece:
    if tree.get("accent") != "true" or len(tree) != 2:
        raise _TwoDimensional
    base, sign = _line(tree[0], script), tree[1].text or ""
    mark = symbols.ACCENT_MARKS.get(sign) or ("\u0304" if sign == "‾" else None)
    if mark is None or len(base.text) != 1 or not base.text.isalpha():
        raise _TwoDimensional
    return _Piece(unicodedata.normalize("NFC", base.text + mark), atom=True)


_HANDLERS = {
    **dict.fromkeys(("mi", "mn", "mo", "mtext"), _leaf),
    "mspace": _space,
    "mrow": _row,
    "mfrac": _fraction,
    "msqrt": _square_root,
    "mroot": _root,
    "msub": _scripts,
    "msup": _scripts,
    "msubsup": _scripts,
    "mover": _accented,
}
