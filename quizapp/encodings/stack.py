"""A small transformer of real layers, for demonstrations: attention, feed-forward, any scheme, and a cache
of keys.

Weights are drawn, not trained: it shows what symmetry and position do, and says nothing of the quality of
text.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from quizapp.encodings.attention import Attended, attend, causal_mask
from quizapp.encodings.checks import EncodingError, whole
from quizapp.encodings.frequencies import Array
from quizapp.encodings.schemes import NONE, Scheme
from quizapp.encodings.sums import FLOAT, Sums


@dataclass(frozen=True)
class Layer:
    """One block. ``query``, ``key``, ``value``, ``out`` are (dim, dim), ``up`` (dim, hidden), ``down``
    (hidden, dim).
    """

    query: Array
    key: Array
    value: Array
    out: Array
    up: Array
    down: Array


@dataclass(frozen=True)
class LayerCache:
    """Keys as attention uses them (rotated, if the scheme rotates) and values, both (heads, length, head
    dim).
    """

    keys: Array
    values: Array


@dataclass(frozen=True)
class Cache:
    """What a decoder keeps of the tokens seen: one LayerCache a layer, and the positions they were given."""

    layers: tuple[LayerCache, ...]
    positions: tuple[float, ...]


@dataclass(frozen=True)
class Run:
    """``output`` (length, dim) after the last layer; attention ``weights`` and the ``scores`` before the
    softmax, mask included, (heads, m, n) a layer; and the cache.
    """

    output: Array
    weights: tuple[Array, ...]
    scores: tuple[Array, ...]
    cache: Cache


@dataclass(frozen=True)
class Stack:
    """Pre-norm layers without biases; ``heads`` divides the dimension."""

    layers: tuple[Layer, ...]
    heads: int

    @classmethod
    def random(cls, seed: int, *, layers: int = 2, dim: int = 16, heads: int = 2, hidden: int = 32) -> Stack:
        """Weights from a normal distribution scaled by 1/sqrt(fan-in), the same for the same seed."""
        depth, width = whole(layers, "layers", 1), whole(dim, "dim", 1)
        inner, count = whole(hidden, "hidden", 1), whole(heads, "heads", 1)
        if width % count:
            raise EncodingError(f"{count} heads do not divide dim {width}")
        source = np.random.default_rng(seed)

        def draw(rows: int, columns: int) -> Array:
            drawn: Array = source.standard_normal((rows, columns)) / np.sqrt(rows)
            return drawn

        def layer() -> Layer:
            query, key, value, out = (draw(width, width) for _ in range(4))
            return Layer(query, key, value, out, draw(width, inner), draw(inner, width))

        return cls(tuple(layer() for _ in range(depth)), count)

    @property
    def dim(self) -> int:
        return int(self.layers[0].query.shape[0])

    def run(
        self,
        embeddings: ArrayLike,
        scheme: Scheme = NONE,
        *,
        positions: ArrayLike | None = None,
        causal: bool = False,
        padding: int = 0,
        cache: Cache | None = None,
        sums: Sums = FLOAT,
    ) -> Run:
        """Run tokens of shape (length, dim), after the cached ones if there are any.

        ``positions`` are the new tokens' (default: counting on from the cache). The causal mask follows the
        order in which tokens came, not the positions they claim, as a decoder's does; so a wrong position
        goes unnoticed. The first ``padding`` tokens of the whole sequence are padding, which no token
        behind them sees.
        """
        hidden = np.asarray(embeddings, dtype=np.float64)
        if hidden.ndim != 2 or hidden.shape[1] != self.dim:
            raise EncodingError(f"embeddings of shape {hidden.shape} do not fit a stack of dim {self.dim}")
        before = cache.positions if cache else ()
        start, count = len(before), hidden.shape[0]
        places = (
            np.arange(start, start + count) if positions is None else np.atleast_1d(np.asarray(positions))
        )
        if places.shape != (count,):
            raise EncodingError(f"{count} tokens need {count} positions, not {places.shape[0]}")
        seen = (*before, *places.tolist())
        fresh, known = np.arange(start, start + count), np.arange(start + count)
        mask: Array | float = causal_mask(fresh, known) if causal else 0.0
        if padding:
            mask = mask + padding_mask(fresh, known, padding)
        hidden = scheme.input(hidden, places)
        weights: list[Array] = []
        scores: list[Array] = []
        caches: list[LayerCache] = []
        for index, layer in enumerate(self.layers):
            normed = layer_norm(hidden, sums=sums)
            queries, keys, values = (
                self._split(sums.product(normed, part)) for part in (layer.query, layer.key, layer.value)
            )
            bias = scheme.bias(queries, places, seen) + mask
            queries, keys = scheme.rotation(queries, places), scheme.rotation(keys, places)
            if cache:
                old = cache.layers[index]
                keys, values = (
                    np.concatenate([old.keys, keys], axis=1),
                    np.concatenate([old.values, values], axis=1),
                )
            attended: Attended = attend(queries, keys, values, bias, scheme.scale, sums)
            hidden = hidden + sums.product(self._join(attended.output), layer.out)
            inner = np.maximum(sums.product(layer_norm(hidden, sums=sums), layer.up), 0.0)
            hidden = hidden + sums.product(inner, layer.down)
            weights.append(attended.weights)
            scores.append(attended.scores)
            caches.append(LayerCache(keys, values))
        return Run(hidden, tuple(weights), tuple(scores), Cache(tuple(caches), seen))

    def _split(self, vectors: Array) -> Array:
        return vectors.reshape(vectors.shape[0], self.heads, -1).transpose(1, 0, 2)

    def _join(self, vectors: Array) -> Array:
        return vectors.transpose(1, 0, 2).reshape(vectors.shape[1], -1)


def padding_mask(query_places: ArrayLike, key_places: ArrayLike, padding: int) -> Array:
    """-inf where a real token would see one of the first ``padding`` places; shape (queries, keys).

    Padding still sees padding: its rows need a distribution, and nobody reads them.
    """
    real = np.asarray(query_places)[:, None] >= padding
    return np.where(real & (np.asarray(key_places)[None, :] < padding), -np.inf, 0.0)


def layer_norm(vectors: Array, epsilon: float = 1e-5, sums: Sums = FLOAT) -> Array:
    """Each row to mean 0 and variance 1, without a gain; acts row by row, so it keeps the symmetry."""
    width = vectors.shape[-1]
    centred = vectors - sums.total(vectors) / width
    result: Array = centred / np.sqrt(sums.total(centred**2) / width + epsilon)
    return result
