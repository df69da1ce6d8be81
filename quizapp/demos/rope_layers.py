"""What is rotated, and where: queries and keys in every layer, the values too, or the input once."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from quizapp.demos.model import Bar, Bars, Control, Number, Reading, Sentence, View
from quizapp.demos.wording import comparison, quoted, small
from quizapp.encodings.attention import attend
from quizapp.encodings.frequencies import Array, inverse_frequencies
from quizapp.encodings.rope import rotate
from quizapp.encodings.schemes import Scheme
from quizapp.encodings.stack import Stack
from quizapp.encodings.words import word_vectors

DIM = 8
FREQUENCIES = inverse_frequencies(DIM)
# One head, so that a head is as wide as the input and the same rotation fits both.
STACK = Stack.random(5, dim=DIM, heads=1, hidden=16)


def _turned(vectors: Array, positions: ArrayLike) -> Array:
    return rotate(vectors, positions, FREQUENCIES)


EVERY_LAYER = Scheme("RoPE", rotation=_turned)
INPUT_ONCE = Scheme("rotated input", input=_turned)


def controls() -> tuple[Control, ...]:
    return (
        Sentence("sentence", "sentence", "the cat sat on the mat"),
        Number("all_on", "all shifted by s", 0, 10_000, 100, leap=100),
    )


def with_values(vectors: Array, positions: Array) -> Array:
    """One attention of the first layer that rotates the values as well; shape (words, dim)."""
    layer = STACK.layers[0]
    queries, keys, values = (vectors @ part for part in (layer.query, layer.key, layer.value))
    return attend(_turned(queries, positions), _turned(keys, positions), _turned(values, positions)).output


def view(sentence: str, shift: int) -> View:
    words = sentence.split()
    here = np.arange(len(words), dtype=np.float64)
    vectors = word_vectors(words, DIM)

    def change(scheme: Scheme) -> float:
        runs = [STACK.run(vectors, scheme, positions=places).output for places in (here, here + shift)]
        return float(np.abs(runs[1] - runs[0]).max())

    every = change(EVERY_LAYER)
    once = change(INPUT_ONCE)
    values = float(np.abs(with_values(vectors, here + shift) - with_values(vectors, here)).max())
    # One word all along: whatever differs between the places can only be the position.
    same = word_vectors([words[0]] * len(words), DIM)
    received = STACK.run(same, EVERY_LAYER, positions=here)
    first = Stack(STACK.layers[:1], STACK.heads).run(same, EVERY_LAYER, positions=here).output
    rows = float(np.ptp(first, axis=0).max())
    scores = float(np.ptp(received.scores[1]))
    bars = tuple(
        Bar(name, value, small(value))
        for name, value in (("queries, keys", every), ("values too", values), ("input once", once))
    )
    if shift:
        see = (
            f"All {shift:,} on: with queries and keys rotated the output is {comparison(every)}; with the values "
            f"too it is off by {small(values)}, with the input rotated once by {small(once)}."
        )
    else:
        see = "s is 0, so nothing has moved; shift all positions and compare the three."
    return View(
        pictures=(Bars("change of the output when all positions shift", bars, 0, max(values, once, 0.1)),),
        readings=(
            Reading("queries, keys", every, small(every)),
            Reading("values too", values, small(values)),
            Reading("input once", once, small(once)),
            Reading("one word: rows into layer 2", rows, small(rows)),
            Reading("one word: scores of layer 2", scores, small(scores)),
        ),
        see=see,
        say="RoPE turns queries and keys in every layer. The values are left alone, so a layer's output holds no "
        "rotation, and the next layer has to turn its own queries and keys again.",
        why="Repeat one word: layer 1 mixes equal values and hands on equal rows, whatever its scores were. What "
        "reaches layer 2 holds no position, and its scores differ by place only because it rotates again. If the "
        "input were rotated once, W_Q and W_K would stand between the rotation and the score, and nothing would be "
        "relative; rotated values would make the output depend on the absolute position. Weights are drawn, not "
        "trained: this shows what the symmetry does, not how good a model is.",
        words=(
            f"{quoted(sentence, 60)}, all positions shifted by {shift:,}; largest change of the output:",
            f"queries and keys rotated in both layers: {small(every)}",
            f"queries, keys and values rotated, one attention: {small(values)}",
            f"the input rotated once, before both layers: {small(once)}",
            f"{quoted(words[0])} in {'its one place' if len(words) == 1 else f'all {len(words)} places'}: the rows "
            f"into layer 2 differ by {small(rows)}, layer 2's scores by {small(scores)}.",
        ),
    )
