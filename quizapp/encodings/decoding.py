"""Logits of the drawn stack: one forward pass over everything, or token by token with a cache of keys.

The two must agree at every position. Where they do not, a position, a mask or a frequency changed between
them, and nothing else would say so.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from quizapp.encodings.attention import softmax
from quizapp.encodings.frequencies import Array
from quizapp.encodings.schemes import Scheme
from quizapp.encodings.stack import Stack, layer_norm


@dataclass(frozen=True)
class Decoder:
    """A stack between two embeddings of its vocabulary: ``words`` for the input and ``readout`` for the logits,
    both (words, dim).
    """

    stack: Stack
    words: Array
    readout: Array

    def logits(self, hidden: Array) -> Array:
        """Shape (length, dim) to (length, words)."""
        result: Array = layer_norm(hidden) @ self.readout.T
        return result

    def full(
        self, tokens: Sequence[int], scheme: Scheme, positions: ArrayLike | None = None, padding: int = 0
    ) -> Array:
        """Logits of one causal forward pass; shape (length, words)."""
        run = self.stack.run(
            self.words[list(tokens)], scheme, positions=positions, causal=True, padding=padding
        )
        return self.logits(run.output)

    def greedy(self, prompt: Sequence[int], count: int, scheme: Scheme) -> list[int]:
        """The prompt and ``count`` tokens behind it, each the likeliest."""
        tokens = list(prompt)
        for _ in range(count):
            tokens.append(int(self.full(tokens, scheme)[-1].argmax()))
        return tokens

    def cached(
        self,
        tokens: Sequence[int],
        prompt: int,
        scheme_at: Callable[[int], Scheme],
        position_at: Callable[[int], float],
    ) -> Array:
        """Logits for each token from the last of the ``prompt`` on, the later ones fed singly through a cache;
        shape (length - prompt + 1, words).

        ``scheme_at`` says which scheme the model uses once its text is that long; ``position_at`` labels the
        token with that index.
        """
        run = self.stack.run(self.words[list(tokens[:prompt])], scheme_at(prompt), causal=True)
        rows = [self.logits(run.output[-1:])]
        for index in range(prompt, len(tokens)):
            run = self.stack.run(
                self.words[[tokens[index]]],
                scheme_at(index + 1),
                positions=[position_at(index)],
                causal=True,
                cache=run.cache,
            )
            rows.append(self.logits(run.output))
        return np.concatenate(rows)


def logit_error(found: Array, right: Array) -> Array:
    """The largest absolute difference of each row; shape (length,)."""
    return np.asarray(np.abs(found - right).max(axis=-1))


def divergence(right: Array, found: Array) -> Array:
    """KL(softmax(right) || softmax(found)) of each row, in nats; shape (length,)."""
    wanted, got = softmax(right), softmax(found)
    return np.asarray((wanted * (np.log(wanted) - np.log(got))).sum(axis=-1))
