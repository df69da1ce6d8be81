from __future__ import annotations

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from quizapp.decks.cloze import deletions
from quizapp.decks.library import built_in_decks
from quizapp.decks.parse import parse_deck
from quizapp.exchange.clozes import from_anki, to_anki

PAIRS = [
    (
        r"{{c1::$\frac{pos}{10000^{2i/d_{model}}}$}}",
        r"{{c1::\(\frac{pos}{10000^{2i/d_{model} } }\)}}",
    ),
    ("a {{c1::**b** c::hint}} d", "a {{c1::<b>b</b> c::hint}} d"),
    ("{{c2::`std::vector<int>`}}", "{{c2::<code>std:<!-- -->:vector&lt;int&gt;</code>}}"),
    ("{{c1::std::vector::}} {{c1::{a}}}", "{{c1::std:<!-- -->:vector}} {{c1::{a}<!-- -->}}"),
    ("{{c2::$a::b} }$::$h_{i_{j}}$}}", r"{{c2::\(a: :b}  }\)::\(h_{i_{j}<!-- -->}\)}}"),
    ("`{{c1::x}}` {{c1::y}}", "<code>{<!-- -->{c1::x}}</code> {{c1::y}}"),
    ("${{c1::x^{2}}} + y$", r"\({{c1::x^{2} }} + y\)"),
    ("**{{c1::a}}**", "<b>{{c1::a}}</b>"),
    ("{{c3::a\n\nb}} c", "<p>{{c3::a</p><p>b}} c</p>"),
    ("- {{c1::x}}\n- {{c2::y::z}}", "<ul><li>{{c1::x}}</li><li>{{c2::y::z}}</li></ul>"),
    ("⸨ {{c1::x}} ⸩", "⸨ {{c1::x}} ⸩"),
    ("no hole", "no hole"),
]


@pytest.mark.parametrize(("ours", "anki"), PAIRS)
def test_both_ways_exactly(ours: str, anki: str) -> None:
    assert to_anki(ours) == anki
    back = from_anki(anki)
    assert (back.markdown, back.lost) == (ours, ())


@pytest.mark.parametrize(
    ("anki", "ours", "lost"),
    [
        (
            "{{c1,2::a}} {{c2::b}}",
            "{{c1::a}} {{c2::b}}",
            "hiding a part on several cards: it is hidden on the first of them",
        ),
        (
            "{{c1::a {{c2::b}} c}} d",
            "{{c1::a}} {{c2::b}} {{c1::c}} d",
            "a deletion inside another: the outer one hides what stands around it",
        ),
        (
            "<pre>for i in {{c1::range(n)}}:<br>    print({{c2::i}})</pre>",
            "`for i in `{{c1::`range(n)`}}`:`\\\n`    print(`{{c2::`i`}}`)`",
            "the block form of code with hidden parts; its lines are kept",
        ),
        ("{{c1::}} a {{c2::b", r"a {\{c2::b", "the deletion c1, which hides nothing"),
        ("<code>x{{c1::y::h}}</code>", "`x`{{c1::`y`::h}}", None),
        ("{{c1::a::h<i>i</i>}}", "{{c1::a::h*i*}}", None),
        ("{{c1::{}} x", r"{{c1::\{}} x", None),
        ("{{c1::$5::price}} x", r"{{c1::\$5::price}} x", None),
        ("{{c0::x}} {{c12::y}}", r"{\{c0::x}} {{c12::y}}", None),
        ("<div>{{c1::a</div><div>b}}</div>", "{{c1::a\\\nb}}", None),
        (r"\({{c1::a}}^{2}\)", "${{c1::a}}^{2}$", None),
    ],
)
def test_what_anki_users_write(anki: str, ours: str, lost: str | None) -> None:
    made = from_anki(anki)
    assert made.markdown == ours
    assert made.lost == ((lost,) if lost else ())


def test_every_cloze_of_the_built_in_decks_comes_back_exactly() -> None:
    texts = [
        text
        for path in built_in_decks().values()
        for card in parse_deck(path.read_bytes(), name=path.stem, path=str(path)).cards
        if card.kind == "cloze"
        for text in (card.heading, card.prompt)
    ]
    assert len(texts) > 30
    for text in texts:
        back = from_anki(to_anki(text))
        assert not back.lost
        # A line end inside a paragraph, or inside a formula on lines of its own, is a space.
        assert re.sub(r"\s+", " ", back.markdown).replace("$$ ", "$$") == re.sub(r"\s+", " ", text).replace(
            "$$ ", "$$"
        )


TOKENS = [*"a:<&1 ", "b c", "::", "{b}", "$x$", r"$\frac{a}{b_{c}}$", "`k::v}}`", "hint"]
words = st.lists(st.sampled_from(TOKENS), min_size=1, max_size=6).map("".join)


def anki_reads(html: str) -> list[tuple[int, str]]:
    """The deletions as Anki finds them: a text ends at the first closing braces, comments are part of it."""
    return [
        (int(n), text.split("::")[0]) for n, text in re.findall(r"\{\{c(\d+)::(.*?)\}\}", html, re.DOTALL)
    ]


@settings(max_examples=500, deadline=None)
@given(st.lists(st.tuples(words, words), min_size=1, max_size=3))
def test_whatever_is_hidden_stays_hidden_both_ways(parts: list[tuple[str, str]]) -> None:
    text = "x " + " ".join(f"{{{{c{n}::{hidden}}}}} {after}" for n, (hidden, after) in enumerate(parts, 1))
    try:
        holes = deletions(text)
    except ValueError:
        return
    html = to_anki(text)
    assert [number for number, _ in anki_reads(html)] == [hole.number for hole in holes]
    back = from_anki(html)
    assert [hole.number for hole in deletions(back.markdown)] == [hole.number for hole in holes]
    if "$$" not in text:
        # A second trip changes nothing: what Anki shows is the same.
        assert " ".join(to_anki(back.markdown).split()) == " ".join(html.split())


@settings(max_examples=500, deadline=None)
@given(
    st.lists(
        st.sampled_from(["{{c1::", "{{c2::", "}}", "::", "<b>", "</b>", "<pre>", "</pre>", "<div>", "</div>", "<code>",
                         "</code>", r"\(", r"\)", "a", " ", "{", "}", "$", "<br>", "`", "1", "<!-- -->"]),
        max_size=18,
    ).map("".join)
)  # fmt: skip
def test_any_cloze_html_is_read_as_a_sound_cloze(html: str) -> None:
    made = from_anki(html)
    assert not re.search("[\ufdd0-\ufdef]", made.markdown)
    deletions(made.markdown)
