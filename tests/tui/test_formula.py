"""Formulas in Markdown: in a line, or on rows of their own that scroll."""

from __future__ import annotations

import pytest
from textual.app import App, ComposeResult

from quizapp.tui.widgets.formula import FormulaView, formula_text
from quizapp.tui.widgets.formula_tokens import latex_sources, parser

MATRIX = r"\begin{pmatrix} a \\ b \end{pmatrix}"


def outline(text: str) -> list[str]:
    """The blocks of a text: ``¶ words`` for a line, ``= latex after`` for a formula, else the token's type."""
    found = []
    for token in parser().parse(text):
        if token.type == "inline":
            found.append(
                "¶ " + "".join("|" if child.nesting else child.content for child in token.children or [])
            )
        elif token.type == "math_block":
            found.append(f"= {token.content.strip()} {(token.meta or {}).get('after', '')}".rstrip())
        elif not token.type.startswith("paragraph"):
            found.append(token.type)
    return found


def test_a_formula_that_fits_stays_in_its_line() -> None:
    assert outline(r"so $\theta_i$ and $\frac{a+b}{c}$ are") == ["¶ so θᵢ and (a + b)/c are"]


def test_a_formula_that_does_not_fit_leaves_the_sentence_whole() -> None:
    assert outline(f"where $v = {MATRIX}$, then $x^2$.") == ["¶ where", f"= v = {MATRIX} ,", "¶ then x²."]


def test_emphasis_goes_on_after_a_formula_inside_it() -> None:
    assert outline(f"is **so ${MATRIX}$ and so** on") == ["¶ is |so|", f"= {MATRIX}", "¶ |and so| on"]


def test_formulas_are_set_apart_within_lists_and_quotations() -> None:
    assert outline(f"- one ${MATRIX}$\n- two") == [
        "bullet_list_open", "list_item_open", "¶ one", f"= {MATRIX}", "list_item_close",
        "list_item_open", "¶ two", "list_item_close", "bullet_list_close",
    ]  # fmt: skip
    assert outline("> said\n> $$\n> x\n> $$") == ["blockquote_open", "¶ said", "= x", "blockquote_close"]


def test_display_formulas_within_a_line_are_set_apart() -> None:
    assert outline("so $$x^2$$ (1)") == ["¶ so", "= x^2", "¶ (1)"]


def test_a_table_keeps_its_formulas_in_its_cells() -> None:
    found = outline(f"| a | b |\n|---|---|\n| $x^2$ | ${MATRIX}$ |")
    assert [line for line in found if line.startswith("¶")] == ["¶ a", "¶ b", "¶ x²", f"¶ ${MATRIX}$"]


def test_what_cannot_be_drawn_stands_as_its_source() -> None:
    assert outline(r"so $\nosuch{x}$ holds") == [r"¶ so $\nosuch{x}$ holds"]


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("$5 and $10", "$5 and $10"),
        ("`$x$` is code", "$x$ is code"),
        ("[@click=app.quit]x[/]", "[@click=app.quit]x[/]"),
        ("<b>bold</b>", "<b>bold</b>"),
        ("[site](https://a.example)", "site (https://a.example)"),
        ("<https://a.example>", "https://a.example"),
        ("![two hands of a clock](dial.png)", "[picture: two hands of a clock]"),
        ("![](dial.png)", "[picture: dial.png]"),
    ],
)
def test_text_is_never_more_than_text(text: str, line: str) -> None:
    assert outline(text) == [f"¶ {line}"]
    types = {child.type for token in parser().parse(text) for child in token.children or []}
    assert types <= {"text", "code_inline"}


def test_the_sources_to_copy_are_all_the_formulas_in_order() -> None:
    assert latex_sources("a $x$ and\n\n$$\ny^2\n$$\n\n`$no$` $5") == ["x", "y^2"]


def test_what_stands_beside_a_formula_is_on_its_baseline() -> None:
    rows = formula_text(r"\frac{a}{b}", before="1  ", after=".").plain.split("\n")
    assert [row.startswith("1  ") for row in rows] == [False, True, False]
    assert [row.endswith(".") for row in rows] == [False, True, False]


def test_escape_sequences_never_reach_the_terminal() -> None:
    assert "\x1b" not in formula_text("x\x1b]0;title\x07 + \x1b[31my").plain


class Wide(App[None]):
    def compose(self) -> ComposeResult:
        yield FormulaView("x")
        yield FormulaView(" + ".join(f"x_{{{n}}}" for n in range(40)))


async def test_only_a_wide_formula_takes_the_focus_and_keys_scroll_it() -> None:
    app = Wide()
    async with app.run_test(size=(40, 10)) as pilot:
        await pilot.pause()
        narrow, wide = app.query(FormulaView)
        assert not narrow.focusable
        await pilot.press("tab")
        assert app.focused is wide
        await pilot.press("end")
        await pilot.pause()
        assert wide.scroll_offset.x == wide.max_scroll_x > 100
        await pilot.press("left")
        await pilot.pause()
        assert wide.scroll_offset.x == wide.max_scroll_x - 1
        await pilot.press("home")
        await pilot.pause()
        assert wide.scroll_offset.x == 0
        # The bar stands below the formula, not on it.
        assert (wide.scrollable_content_region.height, wide.outer_size.height) == (1, 2)


def test_a_formula_first_and_a_digit_last() -> None:
    (line,) = [token for token in parser().parse("$x_1$ is 3") if token.type == "inline"]
    assert "".join(child.content for child in line.children or []) == "x₁ is 3"
