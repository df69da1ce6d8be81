"""Any MathML tree becomes a rectangle that shows every leaf."""

from __future__ import annotations

import unicodedata
from xml.etree.ElementTree import Element

from hypothesis import given, settings
from hypothesis import strategies as st

from quizapp.notation.layout import layout
from quizapp.notation.letters import SUBSCRIPTS, SUPERSCRIPTS
from quizapp.notation.width import cells

_BACK = {small: plain for table in (SUBSCRIPTS, SUPERSCRIPTS) for plain, small in table.items()}
_BACK["ᵀ"] = "T"
_LEAVES = st.text(alphabet="abcqKQ019θω日é", min_size=1, max_size=4)
_TAGS = st.sampled_from(
    [
        "mrow", "mfrac", "msqrt", "mroot", "msub", "msup", "msubsup", "munder", "mover", "munderover",
        "mtable", "mtr",
        "mtd", "menclose", "mstyle", "semantics",
    ]
)  # fmt: skip
_ATTRIBUTES = st.dictionaries(
    st.sampled_from(
        ["class", "fenced", "fence", "linethickness", "columnlines", "rowlines", "displaystyle", "accent"]
    ),
    st.sampled_from(["true", "op", "rel", "0", "|.|", "solid none"]),
    max_size=2,
)


def _leaf(text: str, tag: str) -> Element:
    made = Element(tag)
    made.text = text
    return made


def _branch(tag: str, attributes: dict[str, str], children: list[Element]) -> Element:
    made = Element(tag, attributes)
    made.extend(children)
    return made


_TREES = st.recursive(
    st.builds(_leaf, _LEAVES, st.sampled_from(["mi", "mn", "mtext", "mo"])),
    lambda inner: st.builds(_branch, _TAGS, _ATTRIBUTES, st.lists(inner, max_size=4)),
    max_leaves=12,
)


def _characters(rows: tuple[str, ...]) -> list[str]:
    shown = unicodedata.normalize("NFKD", "".join(_BACK.get(mark, mark) for row in rows for mark in row))
    wanted = set(unicodedata.normalize("NFKD", "abcqKQ019θω日é"))
    return sorted(mark for mark in shown if mark in wanted)


@given(_TREES)
@settings(deadline=None, max_examples=300)
def test_any_tree_is_a_rectangle_with_every_leaf(tree: Element) -> None:
    box = layout(tree)
    assert {cells(row) for row in box.rows} == {box.width}
    assert 0 <= box.baseline < box.height
    leaves = tuple(leaf.text or "" for leaf in tree.iter() if len(leaf) == 0 and leaf.text)
    assert _characters(box.rows) == _characters(leaves)
