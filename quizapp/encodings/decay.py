"""How RoPE's score behaves with distance before any training: what fades, and for which queries and keys."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import ArrayLike

from quizapp.encodings.checks import base_above_one, whole
from quizapp.encodings.frequencies import Array
from quizapp.encodings.rope import rotate

_EULER = 0.57721566490153286
# Below, the power series loses fewer than two digits; above, the continued fraction needs few terms.
_SERIES_UP_TO = 4.0
_TERMS = 100


def cosine_integral(values: ArrayLike) -> Array:
    """Ci(x) = gamma + ln x + integral of (cos t - 1)/t from 0 to x, for x > 0; shape of ``values``.

    By its power series up to 4, by the continued fraction of E1(ix) beyond. Source: Abramowitz and Stegun 1964,
    5.2.16 and 5.1.22.
    """
    x = np.asarray(values, dtype=np.float64)
    small = np.minimum(x, _SERIES_UP_TO)
    term, series = np.ones_like(small), np.zeros_like(small)
    for k in range(1, 20):
        term = -term * small * small / ((2 * k - 1) * (2 * k))
        series += term / (2 * k)
    z = 1j * np.maximum(x, _SERIES_UP_TO)
    tail = np.zeros_like(z)
    for k in range(_TERMS, 0, -1):
        tail = k * k / (z + 2 * k + 1 - tail)
    far = -np.real(np.exp(-z) / (z + 1 - tail))
    result: Array = np.where(x < _SERIES_UP_TO, _EULER + np.log(small) + series, far)
    return result


def mean_cosine_limit(distances: ArrayLike, base: float) -> Array:
    """(Ci(D) - Ci(D/b)) / ln b: the mean cosine at distance D of a head with ever more pairs; shape of ``distances``.

    The sum over pairs becomes the integral of cos(D b^-u) over u from 0 to 1.
    """
    b = base_above_one(base)
    apart = np.abs(np.asarray(distances, dtype=np.float64))
    some = np.where(apart > 0.0, apart, 1.0)
    faded = (cosine_integral(some) - cosine_integral(some / b)) / math.log(b)
    result: Array = np.where(apart > 0.0, faded, 1.0)
    return result


def random_score_moments(
    distances: ArrayLike, frequencies: Array, draws: int = 200, seed: int = 0
) -> tuple[Array, Array]:
    """Mean and standard deviation of q . R(D) k / sqrt(d) over independent normal q and k; each of shape (distances,).

    The same draws at every distance. In expectation they are 0 and 1 whatever the distance: nothing fades.
    """
    places = np.atleast_1d(np.asarray(distances, dtype=np.float64))
    dim = 2 * frequencies.size
    random = np.random.default_rng(seed)
    queries = random.standard_normal((whole(draws, "draws", 2), dim))
    keys = random.standard_normal((draws, dim))
    means, spreads = np.empty(places.size), np.empty(places.size)
    for at, place in enumerate(places):
        turned = rotate(keys[:, None, :], [place], frequencies)[:, 0, :]
        found = (queries * turned).sum(axis=1) / math.sqrt(dim)
        means[at], spreads[at] = found.mean(), found.std()
    return means, spreads
