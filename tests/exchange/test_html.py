"""The study sheet as text: every part of a card is there, and nothing of a card becomes markup."""

from __future__ import annotations

import datetime as dt
import re
from html.parser import HTMLParser
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from quizapp.decks.card import Fields
from quizapp.decks.entry import Entry, entries
from quizapp.decks.load import load_decks, sources
from quizapp.decks.parse import parse_deck
from quizapp.derivations import load_library
from quizapp.exchange.html import write
from quizapp.exchange.media import Picture
from quizapp.exchange.model import Bundle, Cancelled, DeckText, Written
from quizapp.exchange.registry import FORMATS, write_file
from quizapp.exchange.sheet_card import Face
from quizapp.exchange.sheet_cut import Labelled, fitted, lines, sheets
from quizapp.library import content_root

NOW = dt.datetime(2026, 11, 30, 12, tzinfo=dt.UTC)
VOID = {"meta", "br", "hr", "img", "input", "link"}


def bundle(*decks: DeckText, **more: object) -> Bundle:
    return Bundle(decks, {}, NOW, NOW.date(), 4, 0.9, **more)  # type: ignore[arg-type]


def deck(markdown: str, name: str = "test") -> DeckText:
    read = parse_deck(markdown.encode(), name=name, path=f"{name}.md")
    assert not read.problems, read.problems
    return DeckText(name, read.title, read.description, entries(read.cards))


def sheet(tmp_path: Path, *decks: DeckText, **more: object) -> tuple[str, Written]:
    target = tmp_path / "sheet.html"
    written = write(bundle(*decks, **more), target)
    return target.read_text(encoding="utf-8"), written


class Tree(HTMLParser):
    """Tags that are opened and closed in order, the attributes and the text."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.text = ""
        self.feed(html)
        self.close()
        assert not self.open, self.open

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))

    def handle_endtag(self, tag: str) -> None:
        assert self.open
        assert self.open.pop() == tag, (tag, self.open[-3:])

    def handle_data(self, data: str) -> None:
        self.text += data


RICH = """# Graphs & trees

About <graphs>.

## When is a graph bipartite?

```toml card
id = "bipartite"
tags = ["core", "graphs"]
points = ["no odd cycle", "$2$ colours"]
hints = ["Colour a triangle.", "Then a square."]
follow_ups = ["cost"]
sources = ["König 1936, https://example.org/a?b=1&c=2."]
demo = "rope"
checks = [{ claim = "1 + 1 = 2" }]
```

Exactly when it has no odd cycle: $V = A \\cup B$.

## What does it cost?

```toml card
id = "cost"
```

- [x] $O(n)$
- [ ] $O(n^2)$

Squares tempt: `a < b`.

## A tree has {{c1::$n - 1$::how many?}} edges, a {{c2::forest}} fewer.

```toml card
id = "edges"
```

Cut one edge.
"""


def test_every_part_of_a_card_is_on_the_sheet(tmp_path: Path) -> None:
    html, written = sheet(tmp_path, deck(RICH))
    tree = Tree(html)
    assert (written.entries, written.cards) == (3, 4)
    for part in (
        "Graphs & trees", "About <graphs>.", "When is a graph bipartite?", "Colour a triangle.", "Hint 2 of 2",
        "Key points", "no odd cycle", "core", "graphs", "König 1936", "Squares tempt:", "a < b", "✓ right",
        "✗ wrong", "how many?", "forest", "Cut one edge.", "Asked next",
    ):  # fmt: skip
        assert part in tree.text, part
    links = {attrs.get("href") for tag, attrs in tree.tags if tag == "a"}
    assert {"#card-bipartite", "#card-cost", "https://example.org/a?b=1&c=2"} <= links
    ids = [attrs["id"] for _, attrs in tree.tags if "id" in attrs]
    assert len(ids) == len(set(ids))
    assert {loss.what.split(",")[0] for loss in written.lost} == {"demos", "claims"}


def test_follow_ups_that_stay_behind_are_reported(tmp_path: Path) -> None:
    there = Entry("a", "recall", "Q", fields=Fields(follow_ups=("b", "c")))
    html, written = sheet(tmp_path, DeckText("d", "D", "", (there, Entry("b", "recall", "R"))))
    assert 'href="#card-b"' in html
    assert "#card-c" not in html
    assert [(loss.what, loss.count) for loss in written.lost] == [
        ("follow-ups that are not on this sheet", 1)
    ]


def test_answers_hints_and_blanks_are_hidden_until_asked(tmp_path: Path) -> None:
    html, _ = sheet(tmp_path, deck(RICH))
    main = html[html.index("<main") : html.index("</main>")]
    shown = re.sub(r"<details.*?</details>", "", main.replace("<details open", "<open"), flags=re.DOTALL)
    for hidden in ("no odd cycle", "Colour a triangle", "✓ right", "Squares tempt", "Cut one edge"):
        assert hidden in main
        assert hidden not in shown
    assert main.count('type="checkbox"') == 2
    assert "checked" not in main


def test_card_text_never_becomes_markup(tmp_path: Path) -> None:
    nasty = '<script>alert(1)</script> <img src=x onerror=alert(1)> " onclick="x ]]> --> {{c1::<b onload=x>}}'
    fields = Fields(
        tags=(nasty,), hints=(nasty,), points=(nasty,), sources=(nasty,), unit=nasty, answer=nasty
    )
    made = [
        Entry(f'x" onload="{kind}', kind, nasty, nasty, nasty, fields)
        for kind in ("recall", "cloze", "number", "expression", "derivation", "generated")
    ]
    html, written = sheet(tmp_path, DeckText('d" onload="x', nasty, nasty, tuple(made)))
    tree = Tree(html)
    assert written.entries == len(made)
    assert [tag for tag, _ in tree.tags].count("script") == 1
    assert not [tag for tag, _ in tree.tags if tag in ("img", "iframe", "object", "link", "form", "style")][
        1:
    ]
    assert not [name for _, attrs in tree.tags for name in attrs if name.startswith("on")]


@settings(deadline=None, max_examples=40)
@given(st.text(alphabet=st.sampled_from("<>&\"'$\\{}:c1`*_[]()!|-#\n abα\ue000"), max_size=60))
def test_any_text_leaves_the_page_whole(tmp_path_factory: pytest.TempPathFactory, text: str) -> None:
    entry = Entry("a", "recall", text, text, text, Fields(hints=(text,), points=(text,)))
    html, _ = sheet(tmp_path_factory.mktemp("sheet"), DeckText("d", text, text, (entry,)))
    Tree(html)


def test_the_texts_that_other_programs_break_are_as_written(tmp_path: Path) -> None:
    texts = (
        "#include <bits/stdc++.h>", "1 <= n <= 10<sup>4</sup>", "vector<int, int>", "a\ttab", '"quoted" field',
    )  # fmt: skip
    code = "\n".join(texts)
    html, _ = sheet(tmp_path, deck(f"# T\n\n## Q\n\n```cpp\n{code}\n---\n```\n\n---\n\nIs $i<j$ masked?\n"))
    tree = Tree(html)
    assert f"{code}\n---" in tree.text
    assert re.search(r"Is i<j masked\?", tree.text)


def test_a_blank_inside_a_formula_hides_the_formula(tmp_path: Path) -> None:
    html, _ = sheet(tmp_path, deck("# T\n\n## Then $x = {{c1::\\frac{p}{q}::ratio}} + 1$ holds.\n\nYes.\n"))
    Tree(html)
    gap, told = re.findall(r'<span class="(?:gap|told)">(.*?</math></span>)', html)[:2]
    assert "mfrac" not in gap
    assert "mfrac" in told
    assert 'aria-label="Show blank 1, hint: ratio"' in html


def test_the_page_asks_for_nothing_from_outside(tmp_path: Path) -> None:
    picture = b"\x89PNG\r\n\x1a\n" + bytes(20)
    text = "# T\n\n## Q\n\n![own](a%20b.png) ![gone](c.png) ![far](https://example.org/d.png)\n"
    html, written = sheet(tmp_path, deck(text), media=(Picture("a%20b.png", picture),))
    tree = Tree(html)
    sources = [attrs["src"] for _, attrs in tree.tags if "src" in attrs]
    assert sources
    assert all((source or "").startswith("data:image/png;base64,iVBOR") for source in sources)
    assert not [tag for tag, _ in tree.tags if tag in ("link", "iframe")]
    assert "url(" not in html
    assert "@import" not in html
    assert {(loss.what.split(",")[0], loss.where) for loss in written.lost} == {
        ("a picture that is missing", "c.png"),
        ("a picture on the network is a link", "https://example.org/d.png"),
    }


def test_a_derivation_is_numbered_steps_with_reasons(tmp_path: Path) -> None:
    known = load_library([content_root() / "derivations"])
    fields = 'kind = "derivation"\nderivation = "rotation-composition"'
    text = f"# T\n\n## Show it.\n\n```toml card\n{fields}\n```\n\nDone.\n"
    html, _ = sheet(tmp_path, deck(text), derivations=known)
    steps = re.search(r'<main.*?<ol class="steps">(.*?)</ol>', html, re.DOTALL)
    assert steps
    author = known["rotation-composition"]
    assert steps[1].count("<li>") == len(author.steps)
    for step in author.steps:
        assert step.why.split(".")[0] in Tree(steps[1]).text
    without, written = sheet(tmp_path, deck(text))
    assert 'class="steps"' not in without
    assert [loss.where for loss in written.lost] == ["rotation-composition"]


def test_a_drawn_card_shows_examples_that_stay_the_same(tmp_path: Path) -> None:
    library = load_decks([s for s in sources(content_root() / "decks") if s.name == "by-hand"], None)[0]
    made = DeckText("by-hand", library.title, "", entries(library.cards)[:3])
    first, _ = sheet(tmp_path, made)
    second, _ = sheet(tmp_path, made)
    assert first == second
    assert first.count('class="example"') == 9
    assert first.count("Worked solution") == 9


def test_a_formula_that_is_not_understood_is_shown_as_its_source(tmp_path: Path) -> None:
    html, written = sheet(tmp_path, deck("# T\n\n## What is $\\foo{x}$?\n\nNothing.\n"))
    assert '<code class="tex">\\foo{x}</code>' in html
    assert [loss.where for loss in written.lost] == ["\\foo{x}"]


def test_stopping_leaves_no_file_behind(tmp_path: Path) -> None:
    def stop(done: int, total: int) -> None:
        assert total == 3
        if done == 1:
            raise Cancelled

    with pytest.raises(Cancelled):
        write_file(FORMATS["html"], bundle(deck(RICH)), tmp_path / "sheet.html", stop)
    assert list(tmp_path.iterdir()) == []


def test_cards_to_cut_lie_behind_their_questions() -> None:
    cards = [Labelled(Face((f"q{n}",), (f"a{n}",)), "deck", n) for n in range(1, 9)]
    made = sheets(cards)
    pages = [
        re.findall(r">([qa]\d+)</div>|<div class=\"cut\">", page) for page in made.html.split("<section")[1:]
    ]
    assert made.pages == len(pages) == 4
    assert pages[0] == ["q1", "q2", "q3", "q4", "q5", "q6"]
    assert pages[1] == ["a2", "a1", "a4", "a3", "a6", "a5"]
    assert pages[2] == ["q7", "q8", "", "", "", ""]
    assert pages[3] == ["a8", "a7", "", "", "", ""]


def test_an_answer_too_long_for_a_card_is_shortened_and_says_so() -> None:
    long = "<p>" + "word " * 2000 + "</p>"
    made = sheets([Labelled(Face(("q",), (long, "<p>points</p>")), "deck", 3)])
    assert made.shortened == 1
    assert "points" in made.html
    assert "word word" not in made.html
    assert "In full on the sheet, card 3." in made.html


def test_lines_are_estimated_from_text_and_formulas() -> None:
    assert lines("x" * 100, 50) == 2
    assert lines("<p>x</p><p>y</p>", 50) == pytest.approx(2.9)
    formula = '<span class="formula" style="--w:100;--h:4"><math><mi>x</mi></math></span>'
    assert lines(formula, 50) < lines(formula, 100)
    assert fitted("short") == (10.0, True)
    assert fitted("word " * 5000) == (6.0, False)


def test_several_decks_have_a_table_of_contents(tmp_path: Path) -> None:
    html, written = sheet(
        tmp_path, deck(RICH), DeckText("other/deck", "Other", "", (Entry("o", "recall", "Q"),))
    )
    nav = html[html.index("<nav") : html.index("</nav>")]
    assert 'href="#deck-test"' in nav
    assert 'href="#deck-other%2Fdeck"' in nav
    assert 'id="deck-other/deck"' in html
    assert nav.count("#card-") == written.entries == 4
    assert "2 decks · 4 cards · 30 November 2026" in html
