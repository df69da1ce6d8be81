"""YaRN (Peng et al. 2023): fast pairs keep their frequency, slow ones are interpolated, and attention is
sharpened.
"""

from __future__ import annotations

import math

import numpy as np

from quizapp.encodings.checks import (
    EncodingError,
    base_above_one,
    even_dimension,
    factor_at_least_one,
    positive,
    real,
)
from quizapp.encodings.frequencies import Array, inverse_frequencies, turns

# Turns in the original length above which a pair is kept, and below which it is interpolated (section 3.2).
BETA_FAST = 32.0
BETA_SLOW = 1.0


def yarn(
    dim: int,
    base: float,
    factor: float,
    original_length: float,
    *,
    beta_fast: float = BETA_FAST,
    beta_slow: float = BETA_SLOW,
    truncate: bool = True,
    paper_ramp: bool = False,
) -> Array:
    """(1 - g) theta / s + g theta, with the kept share g of ``ramp``; shape (dim/2,). Section 3.2, equation
    20.
    """
    factor = factor_at_least_one(factor)
    kept = ramp(
        dim,
        base,
        original_length,
        beta_fast=beta_fast,
        beta_slow=beta_slow,
        truncate=truncate,
        paper_ramp=paper_ramp,
    )
    frequencies = inverse_frequencies(dim, base)
    return (1.0 - kept) * frequencies / factor + kept * frequencies


def ramp(
    dim: int,
    base: float,
    original_length: float,
    *,
    beta_fast: float = BETA_FAST,
    beta_slow: float = BETA_SLOW,
    truncate: bool = True,
    paper_ramp: bool = False,
) -> Array:
    """The share g of each pair's own frequency: 1 keeps it, 0 interpolates it; shape (dim/2,).

    Every shipped implementation is linear in the pair *index* between the correction range. ``paper_ramp``
    is the paper's equation 18, linear in the number of *turns*: up to 3 times another frequency for some
    pairs.
    """
    low, high = correction_range(dim, base, original_length, beta_fast, beta_slow, truncate=truncate)
    if paper_ramp:
        made = turns(inverse_frequencies(dim, base), original_length)
        kept: Array = np.clip((made - beta_slow) / (beta_fast - beta_slow), 0.0, 1.0)
        return kept
    if low > high:
        raise EncodingError(
            f"YaRN has no range of pairs at original length {original_length:g} and base {base:g}: "
            f"from pair {low:g} down to {high:g}; check both, or use the paper's ramp"
        )
    if low == high:
        # The implementations widen an empty range this way, instead of dividing by zero.
        high += 0.001
    index_kept: Array = 1.0 - np.clip((np.arange(dim // 2) - low) / (high - low), 0.0, 1.0)
    return index_kept


def correction_range(
    dim: int,
    base: float,
    original_length: float,
    beta_fast: float = BETA_FAST,
    beta_slow: float = BETA_SLOW,
    *,
    truncate: bool = True,
) -> tuple[float, float]:
    """The pair indices between which the ramp falls from 1 to 0, clamped to [0, dim - 1].

    The pair that makes r turns in L positions is d ln(L / (2 pi r)) / (2 ln b); ``truncate`` rounds the
    range outwards (gpt-oss does not). Source: jquesnelle/yarn, find_correction_range.
    """
    dim, base = even_dimension(dim), base_above_one(base)
    length = positive(original_length, "original length")
    fast, slow = positive(beta_fast, "beta fast"), positive(beta_slow, "beta slow")
    if fast <= slow:
        raise EncodingError(f"beta fast {fast:g} must exceed beta slow {slow:g}: fast pairs make more turns")

    def pair_with(rotations: float) -> float:
        return dim * math.log(length / (rotations * 2.0 * math.pi)) / (2.0 * math.log(base))

    low, high = pair_with(fast), pair_with(slow)
    if truncate:
        low, high = math.floor(low), math.ceil(high)
    return max(float(low), 0.0), min(float(high), dim - 1.0)


def temperature_factor(factor: float, mscale: float = 1.0) -> float:
    """0.1 * mscale * ln s + 1, sqrt(1/t) of equation 22: on cosines and sines, so scores grow by its
    square.
    """
    if real(mscale, "mscale") < 0:
        raise EncodingError(f"mscale must not be negative, not {mscale:g}")
    return 0.1 * mscale * math.log(factor_at_least_one(factor)) + 1.0


def attention_factor(
    factor: float, mscale: float | None = None, mscale_all_dim: float | None = None
) -> float:
    """What multiplies cosines and sines: the temperature factor, or the ratio of two where both mscales are
    given.

    DeepSeek-V2 and V3 give both, equal: the factor is 1 and the softmax scale carries the temperature
    instead. Source: transformers, _compute_yarn_parameters.
    """
    if (mscale is None) != (mscale_all_dim is None):
        raise EncodingError(
            "mscale and mscale_all_dim go together: only their ratio counts; give both or neither"
        )
    if mscale is not None and mscale_all_dim is not None:
        return temperature_factor(factor, mscale) / temperature_factor(factor, mscale_all_dim)
    return temperature_factor(factor)


def softmax_scale_factor(factor: float, mscale_all_dim: float) -> float:
    """(0.1 * mscale_all_dim * ln s + 1)^2, by which DeepSeek multiplies 1/sqrt(d). Source: DeepSeek-V3,
    model.py.
    """
    return temperature_factor(factor, mscale_all_dim) ** 2
