"""Whose history may belong to a reworded card."""

from __future__ import annotations

from quizapp.decks.card import Card, Fields
from quizapp.review.carry import Offer, offers
from quizapp.review.types import CardState


def card(name: str, *, pinned: bool = False) -> Card:
    return Card(name, name, name.rpartition("/")[0], "recall", "h", "", "", "d.md", 1, pinned, Fields())


def states(**reviews: int) -> dict[str, CardState]:
    return {
        name.replace("__", "/"): CardState(name.replace("__", "/"), reviews=n) for name, n in reviews.items()
    }


def test_the_nearest_new_heading_of_the_deck_is_offered_once() -> None:
    cards = [card("rope/why-does-rope-rotate"), card("rope/what-is-alibi"), card("rope/why-does-rope-turn")]
    log = states() | {
        "rope/why-does-rope-rotates": CardState("rope/why-does-rope-rotates", reviews=4),
        "rope/what-is-the-alibi": CardState("rope/what-is-the-alibi", reviews=2),
    }
    assert offers(cards, log) == [
        Offer("rope/what-is-the-alibi", "rope/what-is-alibi", 2),
        Offer("rope/why-does-rope-rotates", "rope/why-does-rope-rotate", 4),
    ]


def test_nothing_is_offered_for_pinned_reviewed_unlike_or_foreign_cards() -> None:
    old = states(rope__abcdefgh=3)
    assert offers([card("rope/abcdefg")], old) == [Offer("rope/abcdefgh", "rope/abcdefg", 3)]
    assert offers([card("rope/abcdefg", pinned=True)], old) == []
    assert offers([card("rope/abcdefg")], old | states(rope__abcdefg=1)) == []
    assert offers([card("rope/zyxw")], old) == []
    assert offers([card("alibi/abcdefg")], old) == []
    assert offers([card("rope/abcdefg"), card("rope/abcdefgh")], old) == []
    assert offers([card("rope/abcdefg")], states(rope__abcdefgh=0)) == []
