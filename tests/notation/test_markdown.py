"""Where mathematics is in Markdown, and its delimiters."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from markdown_it import MarkdownIt
from mdit_py_plugins.dollarmath import dollarmath_plugin

from quizapp.notation import Math, from_mathjax, split_math, to_mathjax


def formulas(text: str) -> list[tuple[str, bool]]:
    return [(piece.latex, piece.display) for piece in split_math(text) if isinstance(piece, Math)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("it costs $5 and $10", []),
        ("costs $5 and $6, `$x$`", []),
        ("Is $i<j$ masked?", [("i<j", False)]),
        (r"a code span `\\server\share` and `$x$`", []),
        ("A & B", []),
        (r"a \$x\$ b", []),
        (r"\\$x$", [("x", False)]),
        ("$a$ and $b$.", [("a", False), ("b", False)]),
        ("$$\na = b\n$$", [("a = b", True)]),
        ("so $$a$$ then", [("a", True)]),
        ("```\n$x$\n```\n$y$", [("y", False)]),
        ("~~~\n$x$\n\n$z$\n~~~\n", []),
        ("- item\n\n  ```py\n  $x$\n  ```\n", []),
        ("``a ` $x$`` $y$", [("y", False)]),
        ("$a\n\nb$", []),
        ("$ a$ or $a $", []),
        (r"$\text{\$5}$", [(r"\text{\$5}", False)]),
        ("> $$\n> a\n> $$", [("a", True)]),
    ],
)
def test_formulas_in_text(text: str, expected: list[tuple[str, bool]]) -> None:
    assert formulas(text) == expected


_WORDS = st.lists(st.sampled_from(["$", "a", "5", " ", "`", "\\", "b", "\n", ",", "x^2"]), max_size=16).map(
    "".join
)


@given(_WORDS)
def test_pieces_join_to_the_text(text: str) -> None:
    assert "".join(piece.source for piece in split_math(text)) == text


@given(_WORDS.filter(lambda text: "$$" not in text and "\\" not in text and "`" not in text))
def test_inline_formulas_are_those_of_the_deck_parser(text: str) -> None:
    # The deck parser is markdown-it with dollarmath; one line of text compares the rule for dollars.
    line = "x " + text.replace("\n", " ")
    parser = MarkdownIt("commonmark").use(dollarmath_plugin, allow_space=False, allow_digits=False)
    found = [
        token.content
        for block in parser.parseInline(line)
        for token in block.children or []
        if token.type == "math_inline"
    ]
    assert [latex for latex, _ in formulas(line)] == [latex.strip() for latex in found]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("so $x$ is", r"so \(x\) is"),
        ("$$\na\n$$", "\\[\na\n\\]"),
        ("costs $5 and $6, `$x$`", "costs $5 and $6, `$x$`"),
    ],
)
def test_mathjax_and_back(text: str, expected: str) -> None:
    assert to_mathjax(text) == expected
    assert from_mathjax(expected) == text


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (r"\( x \)", "$x$"),
        (r"2\(x\)3", "&#50;$x$&#51;"),
        (r"pay $x$ for \(y\)", r"pay \$x\$ for $y$"),
        (r"`\(x\)`", r"`\(x\)`"),
        (r"\\(x\\)", r"\\(x\\)"),
    ],
)
def test_from_mathjax(text: str, expected: str) -> None:
    assert from_mathjax(text) == expected
