"""The queue: what is asked, in which order, within which limits; and counts that agree with it."""

from __future__ import annotations

import datetime as dt
import time
from collections.abc import Mapping

from hypothesis import given
from hypothesis import strategies as st

from quizapp.config import Config
from quizapp.decks.card import Card, Fields
from quizapp.review.queue import build_queue, counts
from quizapp.review.types import CardState, Memory

DAY = dt.date(2026, 11, 30)


def card(name: str, entry: str | None = None, deck: str = "rope") -> Card:
    return Card(name, entry or name, deck, "recall", name, "", "", f"{deck}.md", 1, True, Fields())


def seen(name: str, stability: float, ago: int, due: int = 0, **rest: object) -> CardState:
    memory = Memory(stability, 5.0, DAY - dt.timedelta(ago))
    state = {
        "card": name,
        "memory": memory,
        "due": DAY + dt.timedelta(due),
        "interval": 1,
        "reviews": 3,
        **rest,
    }
    return CardState(**state)  # type: ignore[arg-type]


def index(*states: CardState) -> dict[str, CardState]:
    return {state.card: state for state in states}


def names(cards: tuple[Card, ...]) -> list[str]:
    return [card.id for card in cards]


def test_due_cards_come_first_and_the_weakest_of_them_before_all() -> None:
    cards = [card(name) for name in ("n1", "strong", "n2", "weak", "later", "middle")]
    states = index(
        seen("strong", 90.0, 5), seen("weak", 1.0, 9), seen("middle", 9.0, 9), seen("later", 1.0, 9, due=1)
    )
    queue = build_queue(cards, states, DAY, Config())
    assert names(queue.cards) == ["weak", "middle", "strong", "n1", "n2"]
    assert (queue.due, queue.new, queue.held_due, queue.held_new) == (3, 2, 0, 0)


def test_limits_count_what_was_done_today() -> None:
    cards = [card(f"n{number}") for number in range(6)] + [card(f"d{number}") for number in range(6)]
    states = index(*(seen(f"d{number}", 5.0, 5 + number) for number in range(6)))
    config = Config(new_per_day=4, reviews_per_day=5)
    queue = build_queue(cards, states, DAY, config, done_today=({"x", "y", "z"}, {"w"}))
    assert names(queue.cards) == ["d5", "d4", "d3", "d2", "n0"]
    assert (queue.held_due, queue.held_new) == (2, 5)
    assert names(build_queue(cards, states, DAY, config, limit=2).cards) == ["d5", "d4"]
    assert names(build_queue(cards, states, DAY, config, limit=7).cards)[-2:] == ["n0", "n1"]
    assert build_queue(cards, states, DAY, config, limit=0).cards == ()


def test_suspended_and_buried_cards_stay_out() -> None:
    cards = [card(name) for name in ("s", "b", "b-yesterday", "n")]
    states = index(
        seen("s", 5.0, 5, suspended=True),
        seen("b", 5.0, 5, buried_on=DAY),
        seen("b-yesterday", 5.0, 5, buried_on=DAY - dt.timedelta(1)),
    )
    assert names(build_queue(cards, states, DAY, Config()).cards) == ["b-yesterday", "n"]
    assert sorted(names(build_queue(cards, states, DAY, Config(), cram=True, seed=1).cards)) == [
        "b-yesterday",
        "n",
    ]


def test_one_sibling_a_study_day() -> None:
    cards = [card(f"c:{number}", "c") for number in (1, 2, 3)] + [card("other")]
    assert names(build_queue(cards, {}, DAY, Config()).cards) == ["c:1", "other"]
    due = index(seen("c:3", 5.0, 9))
    assert names(build_queue(cards, due, DAY, Config()).cards) == ["c:3", "other"]
    two = index(seen("c:2", 5.0, 9), seen("c:3", 5.0, 20))
    assert names(build_queue(cards, two, DAY, Config()).cards) == ["c:3", "other"]
    done = index(seen("c:3", 5.0, 0, due=5))
    assert names(build_queue(cards, done, DAY, Config(), done_today=((), ("c:3",))).cards) == ["other"]


def test_a_card_reset_today_is_asked_again() -> None:
    cards = [card("a"), card("b")]
    assert names(build_queue(cards, {}, DAY, Config(), done_today=(("a",), ())).cards) == ["a", "b"]


def test_cram_asks_everything_in_an_order_that_the_seed_fixes() -> None:
    cards = [card(f"c{number}") for number in range(30)]
    states = index(seen("c3", 50.0, 1, due=40))
    first, second, other = (
        build_queue(cards, states, DAY, Config(), cram=True, seed=seed) for seed in (1, 1, 2)
    )
    assert first == second
    assert first.cards != other.cards
    assert set(names(first.cards)) == {one.id for one in cards}
    assert len(build_queue(cards, states, DAY, Config(), cram=True, seed=1, limit=4).cards) == 4


random_states = st.one_of(
    st.none(),
    st.builds(
        lambda ago, due, stability, suspended, buried: seen(
            "", stability, ago, due, suspended=suspended, buried_on=DAY if buried else None
        ),
        st.integers(1, 90),
        st.integers(-30, 30),
        st.floats(0.1, 300),
        st.booleans(),
        st.booleans(),
    ),
)


@given(
    st.lists(st.tuples(st.sampled_from("abc"), st.integers(0, 5), random_states), max_size=40),
    st.integers(0, 8),
    st.integers(0, 8),
)
def test_counts_are_what_a_drill_asks(
    made: list[tuple[str, int, CardState | None]], new: int, due: int
) -> None:
    cards, states = [], {}
    for number, (deck, entry, state) in enumerate(made):
        cards.append(card(f"{number}", f"{deck}/{entry}", deck))
        if state is not None:
            states[str(number)] = CardState(
                str(number),
                state.memory,
                state.due,
                1,
                3,
                suspended=state.suspended,
                buried_on=state.buried_on,
            )
    config = Config(new_per_day=new, reviews_per_day=due)
    done = (("x",), ("y", "z"))
    found = counts(cards, states, DAY, config, done)
    queue = build_queue(cards, states, DAY, config, done_today=done)
    assert (found.due, found.new) == (queue.due, queue.new)
    assert _order_is_right(queue.cards[: queue.due], states)
    for each in found.decks:
        members = [one for one in cards if one.deck == each.deck]
        alone = build_queue(members, states, DAY, config, done_today=done)
        assert (each.due, each.new) == (alone.due, alone.new)
        asked = [one.entry for one in alone.cards]
        assert len(asked) == len(set(asked))


def _order_is_right(cards: tuple[Card, ...], states: Mapping[str, CardState]) -> bool:
    """Recall falls with days over stability, whatever the curve."""
    ages = []
    for one in cards:
        memory = states[one.id].memory
        assert memory is not None
        ages.append((DAY - memory.day).days / memory.stability)
    return ages == sorted(ages, reverse=True)


def test_ten_thousand_cards_take_no_time() -> None:
    cards = [card(f"c{number}", deck=f"d{number % 20}") for number in range(10_000)]
    states = index(*(seen(f"c{number}", 5.0 + number % 50, number % 90) for number in range(6000)))
    start = time.process_time()
    queue = build_queue(cards, states, DAY, Config())
    found = counts(cards, states, DAY, Config())
    assert time.process_time() - start < 2.0
    assert (queue.due, queue.new, queue.held_due) == (200, 20, 5800)
    assert (found.due, found.new, len(found.decks)) == (200, 20, 20)
