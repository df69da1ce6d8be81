"""Cloze deletions: braces balance, code is left alone, the last :: outside maths starts the hint."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quizapp.decks.cloze import ClozeError, deletions, hidden_texts, show


@pytest.mark.parametrize(
    ("text", "hidden", "hint"),
    [
        ("a {{c1::b}} c", "b", ""),
        ("{{c1::b::h}}", "b", "h"),
        (r"{{c1::$\frac{pos}{10000^{2i/d_{model}}}$}}", r"$\frac{pos}{10000^{2i/d_{model}}}$", ""),
        (r"{{c1::$\frac{a}{b}$::a ratio}}", r"$\frac{a}{b}$", "a ratio"),
        ("{{c1::std::vector::a C++ type}}", "std::vector", "a C++ type"),
        ("{{c1::`a::b`}}", "`a::b`", ""),
        ("{{c1::`}}`}}", "`}}`", ""),
        (r"{{c1::$\{x\}$}}", r"$\{x\}$", ""),
        ("{{c1::$a::b$::hint}}", "$a::b$", "hint"),
        ("{{c12::x}}", "x", ""),
    ],
)
def test_a_deletion_ends_where_its_author_meant(text: str, hidden: str, hint: str) -> None:
    (found,) = deletions(text)
    assert (found.hidden, found.hint) == (hidden, hint)


@pytest.mark.parametrize(
    "text", ["`{{c1::a}}`", "```\n{{c1::a}}\n```", "~~~\n{{c1::a}}\n~~~", "``x `{{c1::a}}` y``"]
)
def test_code_hides_nothing(text: str) -> None:
    assert deletions(text) == []


@pytest.mark.parametrize("text", ["{{c1::a", "{{c1::{a}}", "{{c1::}}", "{{c0::a}}", "{{c1::a {{c2::b}} }}"])
def test_mistakes_are_said(text: str) -> None:
    with pytest.raises(ClozeError):
        deletions(text)


def test_one_card_hides_its_own_number_only() -> None:
    text = "{{c1::sine::s}} and {{c2::cosine}} and {{c1::$x$}}"
    assert show(text, 1, reveal=False) == "[s] and cosine and […]"
    assert show(text, 1, reveal=True) == "**sine** and cosine and $x$"
    assert hidden_texts(text, 1) == ["sine", "$x$"]


@given(
    st.lists(
        st.sampled_from(["{{c1::", "}}", "{", "}", "::", "$", "`", "a", "\\", "\n", "```", "{{c2::"]),
        max_size=14,
    )
)
def test_any_text_is_read_or_refused(parts: list[str]) -> None:
    text = "".join(parts)
    try:
        found = deletions(text)
    except ClozeError:
        return
    for deletion in found:
        assert text[deletion.start :].startswith(f"{{{{c{deletion.number}::")
        assert text[: deletion.end].endswith("}}")


def test_a_deletion_inside_a_formula_stays_a_formula() -> None:
    text = r"${{c1::\frac{a}{b}}} + {{c2::y::a letter}}$ at {{c1::noon}}"
    assert show(text, 1, reveal=True) == r"$\frac{a}{b} + y$ at **noon**"
    assert show(text, 1, reveal=False) == "$[…] + y$ at […]"
    assert show(text, 2, reveal=False) == r"$\frac{a}{b} + [\text{a letter}]$ at noon"
