"""Texts that exchange formats are known to break, through every format that goes both ways."""

from __future__ import annotations

import datetime as dt
from html import unescape
from pathlib import Path

import pytest

from quizapp.decks.card import Fields, Option
from quizapp.decks.entry import Entry
from quizapp.decks.parse import parse_deck
from quizapp.decks.render import render_deck
from quizapp.exchange.model import Bundle, DeckText, ReadOptions
from quizapp.exchange.registry import FORMATS, read_file, write_file
from quizapp.exchange.to_html import to_html

TRAPS = {
    "include": "#include <bits/stdc++.h>",
    "sup": "1 <= n <= 10<sup>4</sup>",
    "vector": "vector<int, int> v; map<string, vector<int>> m",
    "less": "Is $i<j$ masked? And $a \\& b$?",
    "quote": '"Quoted" at the start, "unclosed',
    "separators": "a, b; c | d :: e",
    "specials": r"\*no emphasis\*, snake_case, 2 \* 3, \[x], ~~ &lt; &amp;amp;",
    "prices": "$5 and $10",
    "formula": "=SUM(A1:A2)",
    "braces": r"${a_{b_{c}}}$ and {{not a cloze}}",
    "latex": r"$\text{a \(b\) c}$ \\(literal\\)",
    "unicode": "naïve Ωμέγα 漢字 🙂 e\u0301",
    "tags": "[sound:x.mp3] [latex]y[/latex] [$]z[/$]",
}
BODIES = {
    "code": "```cpp\n#include <bits/stdc++.h>\n\n\tint x = a < b && c > d;\n---\nQ: no\n## no\n{{c1::x}}\n```",
    "rule": "above\n\n---\n\nbelow",
    "table": "| a | b\\|c |\n|---|---|\n| $x<y$ | `p|q` |".replace("`p|q`", "`p\\|q`"),
    "list": "- one\n  - two\n\n    more\n- three",
    "display": "$$\n\\begin{cases}\na & b \\\\\nc & d\n\\end{cases}\n$$",
    "lines": "first\\\nsecond\n\n1\\. no list\n\n\\# no heading",
}
TWO_WAY = [name for name, known in FORMATS.items() if known.reads and known.writes]


def entries() -> tuple[Entry, ...]:
    made = [
        Entry(f"trap-{name}", "recall", text, "", text, Fields(points=(text,), hints=(text,)))
        for name, text in TRAPS.items()
    ]
    # In a question, a rule would split it from the answer.
    made += [
        Entry(f"body-{name}", "recall", f"Body {name}?", "" if name == "rule" else text, text)
        for name, text in BODIES.items()
    ]
    made += [
        Entry(
            "cloze",
            "cloze",
            r"{{c1::$\frac{pos}{10000^{2i/d_{model}}}$}} and {{c2::`a::b<c>`::hint}}",
            answer="x",
        ),
        Entry(
            "choice", "choice", "Which?", "", "why", options=(Option("`a<b>`", True), Option("$x$", False))
        ),
    ]
    return tuple(made)


def shown(markdown: str) -> str:
    """What a reader sees: HTML of the text, a rule being a rule however it is written."""
    return " ".join(unescape(to_html(markdown)).split())


@pytest.mark.parametrize("name", TWO_WAY)
def test_every_trap_survives_the_trip(tmp_path: Path, name: str) -> None:
    known = FORMATS[name]
    sent = entries()
    now = dt.datetime(2026, 11, 30, 9, tzinfo=dt.UTC)
    bundle = Bundle((DeckText("traps", "Traps", "", sent),), {}, now, now.date(), 4, 0.9)
    path = tmp_path / f"traps{known.extensions[0] if known.extensions else '.md'}"
    write_file(known, bundle, path)
    _, incoming = read_file(path, ReadOptions(), name)
    (deck,) = incoming.decks
    if name == "hashcards":
        # Ids, hints and choices have no place in it; what stands in the text does.
        assert len(deck.entries) == len(sent)
        for old, new in zip(sent, deck.entries, strict=True):
            if old.kind == "recall":
                assert (new.heading, shown(new.prompt)) == (old.heading, shown(old.prompt))
                assert shown(new.answer.partition("\n\n**Key points**")[0]) == shown(old.answer)
        assert deck.entries[-2].heading == sent[-2].heading.replace("::hint", "")
    else:
        assert {entry.id: entry for entry in deck.entries} == {entry.id: entry for entry in sent}


def test_the_traps_are_cards_that_a_deck_can_hold() -> None:
    text = render_deck("Traps", "", entries())
    deck = parse_deck(text.encode(), name="traps", path="traps.md")
    assert [str(problem) for problem in deck.problems if problem.level == "error"] == []
    assert len({card.entry for card in deck.cards}) == len(entries())
