"""What demos say, over mixtures of all their values: grammar, numbers written out, and no sentence that is false."""

from __future__ import annotations

import json
import random
import re
from collections.abc import Iterator

import pytest
from click.testing import CliRunner

from quizapp.commands.demo import command
from quizapp.demos.model import (
    Bars,
    Choice,
    Control,
    Demo,
    Matrix,
    Number,
    Sentence,
    State,
    Value,
    View,
    move,
    put,
    settle,
    view,
)
from quizapp.demos.registry import load, load_all

SENTENCES = (
    "word",
    "a b",
    "a b c d e f g h i j k l m",
    "日本語 の 文 😀 👩‍👩‍👧 é",
    "same same same same",
    "the dog bites the man",
    "Donaudampfschifffahrtsgesellschaftskapitän" * 3,
)
_COUNTED = "position|word|row|pair|token|order|prediction|value"
# "1 words"; a variable as in "i + 1 keys" is no count.
_ONE = re.compile(rf"(?<![+-] )(?<![\d.,/+-])\b1 (?:{_COUNTED}|key|place|text)s\b")
_MANY = re.compile(rf"(?<![\d.,/+-])(?:[2-9]|\d\d+) (?:{_COUNTED})\b")
_BROKEN = re.compile(r"\bnan\b|\binf\b|np\.|\de\+\d|-0\.0+(?!\d)|,,")


def values_of(control: Control, chosen: random.Random) -> list[Value]:
    match control:
        case Number():
            ends = {control.low, control.start, control.high, min(control.low + 1, control.high)}
            return sorted(ends | {chosen.randint(control.low, control.high)})
        case Choice():
            return list(control.options)
        case Sentence():
            return list(SENTENCES)


def states(demo: Demo, step: int) -> Iterator[State]:
    """Every value alone, and two dozen mixtures."""
    chosen = random.Random(11)
    start = State(step)
    for control in demo.controls(step, settle(demo, start)):
        for value in values_of(control, chosen):
            yield put(demo, start, control.name, value)
    for _ in range(24):
        state = start
        names = [control.name for control in demo.controls(step, settle(demo, start))]
        for name in names:
            found = {each.name: each for each in demo.controls(step, settle(demo, state))}
            if name in found:
                state = put(demo, state, name, chosen.choice(values_of(found[name], chosen)))
        yield state


def told(shown: View) -> Iterator[str]:
    yield from (shown.see, shown.say, shown.why, *shown.words)
    yield from (f"{reading.label}: {reading.text}" for reading in shown.readings)
    for picture in shown.pictures:
        yield picture.title
        match picture:
            case Bars():
                yield from (bar.text for bar in picture.bars)
            case Matrix():
                yield from (cell for row in picture.cells for cell in row)


def places() -> list[tuple[str, int]]:
    return [(demo.name, step) for demo in load_all() for step in range(len(demo.steps))]


@pytest.mark.parametrize(("name", "step"), places())
def test_every_sentence_counts_rightly_and_writes_numbers_out(name: str, step: int) -> None:
    demo = load(name)
    for state in states(demo, step):
        for text in told(view(demo, state)):
            for pattern in (_ONE, _MANY, _BROKEN):
                assert not pattern.search(text), (text, settle(demo, state))


@pytest.mark.parametrize(("name", "step"), places())
def test_an_arrow_on_a_value_changes_the_picture_or_a_number(name: str, step: int) -> None:
    demo = load(name)
    base = [State(step), *list(states(demo, step))[::4]]
    for control in demo.controls(step, settle(demo, State(step))):
        if isinstance(control, Sentence):
            continue
        pairs = (
            (view(demo, state), view(demo, move(demo, state, control.name, by)))
            for state in base
            for by in (1, -1)
            if control.name in {each.name for each in demo.controls(step, settle(demo, state))}
        )
        assert any(repr((a.pictures, a.readings)) != repr((b.pictures, b.readings)) for a, b in pairs), (
            control.name
        )


@pytest.mark.parametrize(
    ("name", "settings"),
    [
        ("set", ["--step", "3", "--set", "positions=causal mask"]),
        ("offsets", ["--step", "5", "--set", "query=0", "--set", "key=3"]),
        ("precision", ["--step", "3", "--set", "format=float16", "--set", "position=131072"]),
        ("precision", ["--step", "4", "--set", "shift=65536"]),
        ("learned", ["--set", "position=16000"]),
    ],
)
def test_what_is_masked_or_infinite_leaves_the_document_valid(name: str, settings: list[str]) -> None:
    result = CliRunner().invoke(command, [name, "--json", *settings])
    assert result.exit_code == 0, result.output

    def refuse(constant: str) -> None:
        raise AssertionError(constant)

    document = json.loads(result.stdout, parse_constant=refuse)
    assert document["readings"]


def test_position_after_a_lost_one_is_not_called_safe() -> None:
    demo = load("precision")
    shown = view(demo, put(demo, State(0), "position", 4096))
    assert "hold position 4,096 exactly, but others have been lost before" in shown.see
    shown = view(demo, put(demo, State(0), "position", 256))
    assert "Move on" in shown.see


def test_equal_products_are_one_order_and_orders_differ() -> None:
    demo = load("set")
    same = view(demo, put(demo, State(4), "products", "tea tea tea"))
    assert "only one order" in same.see
    few = view(demo, put(demo, State(4), "products", "tea tea jam"))
    assert next(reading.value for reading in few.readings if reading.label == "orders shown") == 3


def test_a_label_that_is_right_so_far_is_not_counted_wrong() -> None:
    demo = load("cache")
    for new, wrong in ((1, 4), (2, 5)):
        shown = view(demo, put(demo, State(2), "new", new))
        assert f"of {wrong} wrong ones, every token {wrong};" in shown.see


def test_a_band_is_claimed_only_where_the_cosine_falls() -> None:
    demo = load("learned")
    state = put(demo, put(demo, State(2), "table", "sinusoid"), "dim", "16")
    for apart in range(1, 12):
        shown = view(demo, put(demo, state, "apart", apart))
        readings = {reading.label: reading.value for reading in shown.readings}
        first = next(iter(readings.values()))
        assert ("A band" in shown.see) == (first == readings["largest off diagonal"])
