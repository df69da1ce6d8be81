"""Two orders of one sentence through the same stack, with or without something that knows positions."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from quizapp.encodings import schemes, sums
from quizapp.encodings.frequencies import Array, inverse_frequencies
from quizapp.encodings.learned import initial_rows
from quizapp.encodings.pooling import pooled
from quizapp.encodings.stack import Run, Stack
from quizapp.encodings.uniform_head import uniform_means
from quizapp.encodings.words import word_vectors

DIM, HEADS, HIDDEN = 8, 2, 16
MOST_WORDS = 12
FLOATS, EXACT = "floats", "exact"
NONE, CAUSAL, SINUSOIDAL, MIXED = "none", "causal mask", "sinusoidal", "running mean"
# What can be switched on, and where it enters.
POSITIONS = {
    NONE: "nothing knows a position",
    CAUSAL: "the mask hides later words from the scores",
    SINUSOIDAL: "a row of sines and cosines is added to the input",
    "learned": "the row of each position is added to the input",
    "RoPE": "queries and keys are rotated before their score",
    "ALiBi": "slope times offset, key minus query, is added to the scores",
    "T5": "a number for each bucket of offsets is added to the scores",
    "Shaw": "a vector for each clipped offset is added to the keys in the scores",
    MIXED: "each input becomes the mean of itself and those before it, so rows are mixed",
}
ORDERS = ("swap ends", "reverse", "rotate", "swap last two")


@dataclass(frozen=True)
class Pair:
    """Both runs. ``order`` has, for each place of the second, the place of the same word in the first."""

    first: Run
    second: Run
    order: tuple[int, ...]

    def place(self, word: int) -> int:
        """Where the word of the first order stands in the second."""
        return self.order.index(word)

    @property
    def row_differences(self) -> Array:
        """The largest difference of each word's row between the runs; shape (words,), in the first order."""
        moved = self.first.output[list(self.order)] - self.second.output
        found: Array = np.abs(moved).max(axis=1)
        return found[[self.place(word) for word in range(len(self.order))]]


def reordered(count: int, order: str) -> tuple[int, ...]:
    """For each place of the second order, the place of its word in the first."""
    places = list(range(count))
    if order == "reverse":
        places.reverse()
    elif order == "rotate":
        places = [*places[1:], places[0]]
    elif count > 1:
        other = -2 if order == "swap last two" else 0
        places[other], places[-1] = places[-1], places[other]
    return tuple(places)


def scheme(name: str) -> schemes.Scheme:
    draw = np.random.default_rng(11)
    match name:
        case "sinusoidal":
            return schemes.added_sinusoidal()
        case "learned":
            return schemes.added_learned(initial_rows(range(MOST_WORDS), DIM))
        case "RoPE":
            return schemes.rotary(inverse_frequencies(DIM // HEADS))
        case "ALiBi":
            return schemes.linear_bias(HEADS)
        case "T5":
            return schemes.bucketed_bias(draw.standard_normal((HEADS, 8)), 16)
        case "Shaw":
            return schemes.relative_keys(draw.standard_normal((9, DIM // HEADS)))
        case "running mean":
            return schemes.Scheme(MIXED, input=lambda vectors, _: uniform_means(vectors))
    return schemes.NONE


def adding(name: str) -> sums.Sums:
    return sums.EXACT if name == EXACT else sums.FLOAT


@lru_cache(maxsize=256)
def run(words: tuple[str, ...], positions: str, how: str, layers: int) -> Run:
    """The words in this order through the stack."""
    model = Stack.random(1, layers=layers, dim=DIM, heads=HEADS, hidden=HIDDEN)
    return model.run(
        word_vectors(words, DIM), scheme(positions), causal=positions == CAUSAL, sums=adding(how)
    )


def pair(words: tuple[str, ...], order: str, positions: str, how: str, layers: int) -> Pair:
    places = reordered(len(words), order)
    second = tuple(words[place] for place in places)
    return Pair(run(words, positions, how, layers), run(second, positions, how, layers), places)


def prediction(words: tuple[str, ...], positions: str, how: str, layers: int) -> float:
    """A drawn linear read-out of the mean row: what a model of a set of products would predict."""
    mean = pooled(run(words, positions, how, layers).output, "mean", adding(how))
    readout = word_vectors(["read-out"], DIM).T
    return float(adding(how).product(mean[None, :], readout)[0, 0])


def shuffles(goods: tuple[str, ...], most: int, seed: int) -> list[tuple[str, ...]]:
    """Listings that read differently, the given one first; as many as there are, at most ``most``."""
    alike = math.prod(math.factorial(goods.count(good)) for good in set(goods))
    wanted = min(most, math.factorial(len(goods)) // alike)
    found = {goods: None}
    draw = np.random.default_rng(seed)
    while len(found) < wanted:
        found[tuple(goods[place] for place in draw.permutation(len(goods)))] = None
    return list(found)
