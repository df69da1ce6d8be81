"""The cards ahead, against two plain lists that are counted anew each time."""

from __future__ import annotations

import datetime as dt

from hypothesis import given
from hypothesis import strategies as st

from quizapp.decks.card import Card, Fields
from quizapp.review.types import CardState, Memory
from quizapp.review.waiting import Snapshot, Waiting

NAMES = "abcdefg"
MEMORY = Memory(1.0, 5.0, dt.date(2026, 11, 30))
CARDS = {
    name: Card(name, name, "deck", "recall", name, "", "", "deck.md", 1, True, Fields()) for name in NAMES
}
STEPS = st.lists(
    st.tuples(st.sampled_from(["pop", "drop", "first", "back", "keep", "restore"]), st.sampled_from(NAMES)),
    max_size=30,
)


@given(
    queue=st.permutations(NAMES[:5]), seen=st.sets(st.sampled_from(NAMES)), steps=STEPS, count=st.booleans()
)
def test_it_is_two_lists_that_know_their_length(
    queue: list[str], seen: set[str], steps: list[tuple[str, str]], count: bool
) -> None:
    states = {name: CardState(name, memory=MEMORY) for name in seen}
    waiting = Waiting([CARDS[name] for name in queue], lambda: states)
    fresh, again = list(queue), list[str]()
    kept: tuple[Snapshot, list[str], list[str]] | None = None

    def drop(name: str) -> None:
        for names in (fresh, again):
            if name in names:
                names.remove(name)

    for step, name in steps:
        if step == "pop":
            expected = next(iter(fresh or again), None)
            card = waiting.pop()
            assert (card.id if card else None) == expected
            drop(expected or "")
        elif step == "drop":
            waiting.drop(CARDS[name])
            drop(name)
        elif step == "first":
            waiting.put_first(CARDS[name])
            drop(name)
            fresh.insert(0, name)
        elif step == "back":
            waiting.come_back(CARDS[name])
            drop(name)
            again.append(name)
        elif step == "keep":
            kept = waiting.snapshot(), list(fresh), list(again)
        elif kept is not None:
            waiting.restore(kept[0], CARDS)
            fresh, again = list(kept[1]), list(kept[2])
        if count:
            assert waiting.new == sum(name not in seen for name in fresh)
        assert (waiting.fresh, waiting.again, len(waiting)) == (
            len(fresh),
            len(again),
            len(fresh) + len(again),
        )
        assert {name for name in NAMES if name in waiting} == {*fresh, *again}
    assert waiting.new == sum(name not in seen for name in fresh)
    left = []
    while card := waiting.pop():
        left.append(card.id)
    assert left == [*fresh, *again]


def test_an_edited_library_takes_the_place_of_the_old() -> None:
    waiting = Waiting(list(CARDS.values()), dict)
    waiting.come_back(CARDS["a"])
    waiting.reload({name: CARDS[name] for name in "ac"})
    assert (waiting.fresh, waiting.again, waiting.new) == (1, 1, 1)
    assert [card.id for card in (waiting.pop(), waiting.pop()) if card] == ["c", "a"]
