"""Markdown as plain lines."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from quizapp.notation import render_text
from quizapp.notation.width import cells


def test_inline_formula_stays_in_the_line() -> None:
    assert render_text("The score of $q_m$ is $\\frac{a+b}{c}$, **not** `x*y`.", width=60) == [
        "The score of qₘ is (a + b)/c, not `x*y`."
    ]


def test_a_formula_of_several_rows_stands_alone_and_keeps_its_full_stop() -> None:
    assert render_text("so $$\\frac{a}{b}$$. Then $x$", width=60) == [
        "so",
        "   a",
        "  ───.",
        "   b",
        "Then x",
    ]


def test_latex_is_left_as_source() -> None:
    assert render_text("so $x_q$ and\n\n$$\n\\frac{a}{b}\n$$", width=60, latex=True) == [
        "so $x_q$ and", "", "$$", "\\frac{a}{b}", "$$",
    ]  # fmt: skip


def test_code_lists_and_prices() -> None:
    markdown = "- costs $5 and $10\n- [x] `\\\\server\\share` A & B\n\n```py\ny = '$x$'\n\tz\n```\nend \\$5"
    assert render_text(markdown, width=60) == [
        "- costs $5 and $10", "- [x] `\\\\server\\share` A & B", "", "```py", "y = '$x$'", "    z",
        "```", "end $5",
    ]  # fmt: skip


def test_wrapping_hangs_list_items_and_never_breaks_a_formula() -> None:
    lines = render_text("- one two three $a + b + c + d$ four five", width=20)
    assert lines == ["- one two three", "  a + b + c + d four", "  five"]


def test_tables_keep_their_lines() -> None:
    assert render_text("| a | $x_i$ |\n|---|---|\n| b | c |", width=10) == [
        "| a | xᵢ |",
        "|---|---|",
        "| b | c |",
    ]


def test_links_and_pictures_are_said_in_words() -> None:
    assert render_text("see [the page](https://e.org/a) ![a clock](c.png)", width=60) == [
        "see the page (https://e.org/a) a clock"
    ]


def test_escape_sequences_are_stripped() -> None:
    assert render_text("a\x1b[31mb\x07 `c\x1b` $x\x1b$", width=60) == ["a[31mb `c`", "  x"]


@given(st.text(max_size=80), st.integers(8, 40))
def test_any_text_gives_printable_lines(markdown: str, width: int) -> None:
    for latex in (False, True):
        assert all(line.isprintable() for line in render_text(markdown, width=width, latex=latex))


@given(st.lists(st.sampled_from(["alpha", "beta", "日本", "c"]), min_size=1, max_size=20).map(" ".join))
def test_prose_fits_the_width_and_loses_no_word(markdown: str) -> None:
    lines = render_text(markdown, width=12)
    assert all(cells(line) <= 12 for line in lines)
    assert " ".join(lines).split() == markdown.split()


def test_a_hard_break_ends_the_line() -> None:
    assert render_text("one\\\ntwo  \nthree\nfour\\\\\nfive", width=40) == ["one", "two", "three four\\ five"]
