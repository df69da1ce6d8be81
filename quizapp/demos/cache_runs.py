"""Decoding with a cache of keys, with the positions a bug would give, against one full pass."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from quizapp.encodings import position_ids, schemes
from quizapp.encodings.decoding import Decoder, divergence, logit_error
from quizapp.encodings.frequencies import Array, inverse_frequencies
from quizapp.encodings.learned import INITIAL_DEVIATION, initial_rows
from quizapp.encodings.scaling import dynamic_ntk_base
from quizapp.encodings.stack import Stack
from quizapp.encodings.words import word_vectors

START = "the cat sat on the mat"
MOST_WORDS, MOST_NEW, MOST_PADDING = 12, 8, 20
DIM, HEADS, TABLE_ROWS = 16, 2, 64
# Of the drawn decoders, one that does not repeat itself.
SEED = 56
# What a drawn model may write besides the words of the prompt.
_MORE = """
a and away bird blue boat bread bright by cold dark door down dream far field fire fish garden green hill house in
lamp light long moon mountain near night now old open over quiet rain red river road sea small snow soft song star
stone tree under wind
"""
WORDS = tuple(_MORE.split())
BASE, FACTOR = 10000.0, 4.0
RIGHT, ZERO = "right", "zero"
# The position that a decoded token is given, by its index and the length of the prompt.
LABELS: dict[str, Callable[[int, int], int]] = {
    RIGHT: lambda index, _: index,
    ZERO: lambda *_: 0,
    "one behind": lambda index, _: index - 1,
    "one ahead": lambda index, _: index + 1,
    "doubled": lambda index, _: 2 * index,
    "stuck": lambda _, prompt: prompt,
}
ROPE, LEARNED = "RoPE", "learned"
SCHEMES = (ROPE, LEARNED, "sinusoidal", "ALiBi")


@dataclass(frozen=True)
class Decoded:
    """``tokens`` names each token; errors and divergences are of the logits of each from the last of the prompt on;
    ``kept`` says whether the likeliest next word is that of the full pass.
    """

    tokens: tuple[str, ...]
    errors: Array
    divergences: Array
    kept: tuple[bool, ...]


@lru_cache
def scheme(name: str) -> schemes.Scheme:
    match name:
        case "learned":
            # As large as the words' vectors, which are standard normal.
            return schemes.added_learned(initial_rows(range(TABLE_ROWS), DIM) / INITIAL_DEVIATION)
        case "sinusoidal":
            return schemes.added_sinusoidal()
        case "ALiBi":
            return schemes.linear_bias(HEADS)
    return schemes.rotary(inverse_frequencies(DIM // HEADS, BASE))


def dynamic(length: int, trained: int) -> schemes.Scheme:
    """RoPE with the base that dynamic NTK uses at this length."""
    head = DIM // HEADS
    return schemes.rotary(inverse_frequencies(head, dynamic_ntk_base(BASE, FACTOR, head, length, trained)))


@lru_cache(maxsize=32)
def model(words: tuple[str, ...]) -> tuple[Decoder, tuple[str, ...]]:
    """A drawn decoder whose vocabulary begins with the words, and the vocabulary."""
    names = tuple(dict.fromkeys((*words, *WORDS)))
    decoder = Decoder(
        Stack.random(SEED, dim=DIM, heads=HEADS), word_vectors(names, DIM), word_vectors(names, DIM, 1)
    )
    return decoder, names


def indices(words: tuple[str, ...]) -> list[int]:
    names = model(words)[1]
    return [names.index(word) for word in words]


@lru_cache(maxsize=64)
def continued(words: tuple[str, ...], new: int, name: str) -> tuple[int, ...]:
    """The prompt and the tokens that the right model would write; every label is fed the same ones."""
    return tuple(model(words)[0].greedy(indices(words), new, scheme(name)))


@lru_cache(maxsize=64)
def whole_pass(words: tuple[str, ...], new: int, name: str) -> Array:
    """The logits of one full pass with the right positions, of each token from the last of the prompt on."""
    return model(words)[0].full(continued(words, new, name), scheme(name))[len(words) - 1 :]


@lru_cache(maxsize=256)
def decoded(words: tuple[str, ...], new: int, name: str, label: str) -> Decoded:
    """Token by token with this label against the full pass with the right positions."""
    decoder, names = model(words)
    tokens = continued(words, new, name)
    used = scheme(name)
    given, prompt = LABELS[label], len(words)
    found = decoder.cached(tokens, prompt, lambda _: used, lambda index: given(index, prompt))
    return _compared(tuple(names[token] for token in tokens), found, whole_pass(words, new, name))


@lru_cache(maxsize=256)
def rebased(words: tuple[str, ...], new: int, trained: int) -> Decoded:
    """Keys cached under the base of their time against a full pass under the base of each length."""
    decoder, names = model(words)
    tokens = continued(words, new, ROPE)
    lengths = range(len(words), len(tokens) + 1)
    whole = np.array([decoder.full(tokens[:length], dynamic(length, trained))[-1] for length in lengths])
    found = decoder.cached(tokens, len(words), lambda length: dynamic(length, trained), lambda index: index)
    return _compared(tuple(names[token] for token in tokens), found, whole)


def _compared(tokens: tuple[str, ...], found: Array, whole: Array) -> Decoded:
    kept = tuple((found.argmax(axis=1) == whole.argmax(axis=1)).tolist())
    return Decoded(tokens, logit_error(found, whole), divergence(whole, found), kept)


@dataclass(frozen=True)
class Padded:
    """Positions of the real tokens behind left padding, and the error of their logits by scheme."""

    positions: tuple[int, ...]
    errors: dict[str, Array]


@lru_cache(maxsize=256)
def padded(words: tuple[str, ...], padding: int, *, by_mask: bool) -> Padded:
    """Left padding that is masked, with positions that count it (as arange does) or leave it out."""
    decoder, names = model(words)
    tokens = indices(words)
    filled = [len(names) - 1] * padding + tokens
    mask = [[0] * padding + [1] * len(tokens)]
    places = position_ids.from_mask(mask)[0] if by_mask else np.arange(len(filled))
    errors = {}
    for name in (ROPE, LEARNED):
        used = scheme(name)
        found = decoder.full(filled, used, positions=places, padding=padding)[padding:]
        errors[name] = logit_error(found, decoder.full(tokens, used))
    return Padded(tuple(places[padding:].tolist()), errors)
