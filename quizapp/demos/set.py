"""The demo of the set property: two orders of a sentence through one real stack of attention and feed-forward."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from quizapp.demos import set_pool, set_rows
from quizapp.demos.model import Choice, Control, Number, Sentence, Value, View
from quizapp.demos.set_runs import EXACT, FLOATS, MOST_WORDS, NONE, ORDERS, POSITIONS
from quizapp.encodings.pooling import POOLS

START = "dog bites man"
PRODUCTS = "bread cheese apples"


@dataclass(frozen=True)
class SetProperty:
    name: str = "set"
    title: str = "Attention is a set operation"
    steps: tuple[str, ...] = ("two orders", "difference", "scores", "pooling", "products")
    derivation: str | None = "permutation-equivariance"

    def controls(self, step: int, values: Mapping[str, Value]) -> tuple[Control, ...]:
        positions = Choice("positions", "positions", tuple(POSITIONS), NONE)
        how = Choice("sums", "sums", (FLOATS, EXACT), FLOATS)
        layers = Number("layers", "layers", 1, 6, 2, leap=2)
        if step == 4:
            return (
                Sentence("products", "products", PRODUCTS, MOST_WORDS),
                positions,
                Number("shuffle", "shuffle", 0, 99, 0),
                layers,
                how,
            )
        sentence = Sentence("sentence", "sentence", START, MOST_WORDS)
        order = Choice("order", "second order", ORDERS, ORDERS[0])
        if step == 3:
            return (sentence, order, positions, Choice("pool", "pool", POOLS, POOLS[0]), layers, how)
        names = set_rows.word_names(str(values.get("sentence", START)).split()[:MOST_WORDS] or START.split())
        word = Choice("word", "word", names, names[len(names) // 2])
        if step == 2:
            # The scores shown are those of the first layer, so neither the layers nor the sums touch them.
            return (sentence, word, order, positions)
        return (sentence, word, order, positions, layers, how)

    def view(self, step: int, values: Mapping[str, Value]) -> View:
        return (
            set_rows.orders,
            set_rows.difference,
            set_rows.scores,
            set_pool.pooling,
            set_pool.products,
        )[step](values)


demo = SetProperty()
