"""The search language."""

from __future__ import annotations

import datetime as dt

import pytest

from quizapp.decks.card import Card, Fields, Option
from quizapp.errors import UsageError
from quizapp.review.search import search
from quizapp.review.types import CardState, Memory

DAY = dt.date(2026, 11, 30)
CARDS = (
    Card(
        "rope-1",
        "rope-1",
        "rope",
        "recall",
        "Rotate $q$: why?",
        "",
        "An angle",
        "r.md",
        1,
        True,
        Fields(tags=("rope", "senior")),
    ),
    Card(
        "alibi",
        "alibi",
        "bias/alibi",
        "number",
        "Slope of head 1",
        "",
        "0.5",
        "a.md",
        1,
        True,
        Fields(tags=("Bias",), points=("geometric",)),
    ),
    Card(
        "mask",
        "mask",
        "rope",
        "choice",
        "Is it masked?",
        "",
        "",
        "r.md",
        9,
        True,
        Fields(),
        (Option("Größe θ", True),),
    ),
    Card(
        "shaw",
        "shaw",
        "bias/shaw",
        "recall",
        "Clip at a:b",
        "",
        "x",
        "s.md",
        1,
        True,
        Fields(tags=("relative",)),
    ),
)
STATES = {
    "rope-1": CardState("rope-1", Memory(3.0, 5.0, DAY - dt.timedelta(4)), DAY - dt.timedelta(1), 3, 2),
    "alibi": CardState(
        "alibi", Memory(3.0, 5.0, DAY - dt.timedelta(4)), DAY, 3, 2, suspended=True, leech=True
    ),
    "mask": CardState("mask", buried_on=DAY, marked=True),
}


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("", "rope-1 alibi mask shaw"),
        ("WHY", "rope-1"),
        ("größe", "mask"),
        ("geometric", "alibi"),
        ("rotate angle", "rope-1"),
        ("rotate slope", ""),
        ('"slope of"', "alibi"),
        ('"of slope"', ""),
        ("tag:rope", "rope-1"),
        ("tag:bias", "alibi"),
        ("tag:r*", "rope-1 shaw"),
        ("deck:rope", "rope-1 mask"),
        ("deck:bias/*", "alibi shaw"),
        ("kind:choice", "mask"),
        ("id:rope*", "rope-1"),
        ("is:due", "rope-1"),
        ("is:new", "shaw"),
        ("is:suspended", "alibi"),
        ("is:buried", "mask"),
        ("is:marked", "mask"),
        ("is:leech", "alibi"),
        ("state:review", "rope-1"),
        ("state:buried", "mask"),
        ("-is:new", "rope-1 alibi mask"),
        ("deck:rope -is:due", "mask"),
        ('-"slope of"', "rope-1 mask shaw"),
        ("-deck:rope -is:suspended", "shaw"),
        ("a:b", "shaw"),
        ("-", "rope-1"),
    ],
)
def test_queries(query: str, expected: str) -> None:
    assert [card.id for card in search(query, CARDS, STATES, DAY)] == expected.split()


@pytest.mark.parametrize(
    ("query", "said"),
    [
        ("is:dew", "is: takes one of due, new, suspended, buried, marked, leech"),
        ("state:", "state: takes one of new, review, suspended, buried"),
        ("tag:", "tag: needs a value"),
        ("tags:rope", "did you mean tag:?"),
        ('"open', "a quotation mark is not closed"),
    ],
)
def test_mistakes_are_said_in_one_line(query: str, said: str) -> None:
    with pytest.raises(UsageError) as caught:
        search(query, CARDS, STATES, DAY)
    assert said in str(caught.value)
    assert "\n" not in str(caught.value)
