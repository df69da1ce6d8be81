"""Context extension: one frequency vector instead of another, so that long positions land on trained
angles.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from quizapp.encodings import yarn
from quizapp.encodings.checks import (
    EncodingError,
    base_above_one,
    even_dimension,
    factor_at_least_one,
    one_of,
    positive,
    whole,
)
from quizapp.encodings.frequencies import Array, inverse_frequencies, turns

METHODS = ("none", "linear", "ntk", "dynamic-ntk", "yarn", "llama3", "longrope")


@dataclass(frozen=True)
class Scaling:
    """How a model's frequencies are changed. ``factor`` is the wanted length over ``original_length``.

    Fields that a method does not use are ignored by it. ``attention_factor`` of None means: what the method
    prescribes.
    """

    method: str = "none"
    factor: float = 1.0
    original_length: int | None = None
    beta_fast: float = yarn.BETA_FAST
    beta_slow: float = yarn.BETA_SLOW
    truncate: bool = True
    paper_ramp: bool = False
    mscale: float | None = None
    mscale_all_dim: float | None = None
    low_freq_factor: float = 1.0
    high_freq_factor: float = 4.0
    short_factors: tuple[float, ...] = ()
    long_factors: tuple[float, ...] = ()


@dataclass(frozen=True)
class Scaled:
    """What a method yields: frequencies of shape (dim/2,) and what multiplies cosines and sines."""

    frequencies: Array
    attention_factor: float


def scale(scaling: Scaling, dim: int, base: float, length: int | None = None) -> Scaled:
    """The frequencies of a method for a head of ``dim`` coordinates.

    ``length`` is the current sequence length, which dynamic NTK and LongRoPE look at; None means within the
    trained one. Raises EncodingError where the method misses a parameter.
    """
    one_of(scaling.method, "method", METHODS)
    factor = factor_at_least_one(scaling.factor)
    if length is not None:
        whole(length, "length", 1)
    match scaling.method:
        case "none":
            return Scaled(inverse_frequencies(dim, base), 1.0)
        case "linear":
            return Scaled(linear(dim, base, factor), 1.0)
        case "ntk":
            return Scaled(ntk(dim, base, factor), 1.0)
    original = _original(scaling)
    match scaling.method:
        case "dynamic-ntk":
            now = length if length is not None else original
            return Scaled(inverse_frequencies(dim, dynamic_ntk_base(base, factor, dim, now, original)), 1.0)
        case "yarn":
            return Scaled(
                yarn.yarn(
                    dim,
                    base,
                    factor,
                    original,
                    beta_fast=scaling.beta_fast,
                    beta_slow=scaling.beta_slow,
                    truncate=scaling.truncate,
                    paper_ramp=scaling.paper_ramp,
                ),
                yarn.attention_factor(factor, scaling.mscale, scaling.mscale_all_dim),
            )
        case "llama3":
            return Scaled(
                llama3(dim, base, factor, scaling.low_freq_factor, scaling.high_freq_factor, original), 1.0
            )
    return Scaled(
        longrope(dim, base, scaling.short_factors, scaling.long_factors, original, length),
        longrope_attention_factor(factor, original),
    )


def linear(dim: int, base: float, factor: float) -> Array:
    """Position interpolation: every frequency over ``factor``, the same as every position over it; shape
    (dim/2,).

    Source: Chen et al. 2023, section 2.3.
    """
    return inverse_frequencies(dim, base) / factor_at_least_one(factor)


def ntk_base(base: float, factor: float, dim: int) -> float:
    """b s^(d/(d-2)): pair 0 keeps its frequency, the last pair's is divided by exactly s.

    Source: bloc97's NTK-aware scaling; Peng et al. 2023 (YaRN), definition 1. Raises EncodingError at d = 2.
    """
    dim, base, factor = even_dimension(dim), base_above_one(base), factor_at_least_one(factor)
    if dim == 2:
        raise EncodingError(
            "NTK-aware scaling is undefined at dim 2: the first pair is also the last; use dim 4 or more"
        )
    return _finite_base(base, factor, dim)


def ntk(dim: int, base: float, factor: float) -> Array:
    """NTK-aware frequencies: pair i is divided by s^(2i/(d-2)); shape (dim/2,)."""
    return inverse_frequencies(dim, ntk_base(base, factor, dim))


def dynamic_ntk_base(base: float, factor: float, dim: int, length: float, original_length: float) -> float:
    """The base at a current length: b (f l/L - (f - 1))^(d/(d-2)), and b itself while l <= L.

    Source: emozilla's dynamic NTK; transformers, _compute_dynamic_ntk_parameters. Cached keys keep the base
    of their time, which is why a cache of rotated keys disagrees with a recomputation once l > L.
    """
    factor = factor_at_least_one(factor)
    stretch = max(1.0, positive(length, "length") / positive(original_length, "original length"))
    return ntk_base(base, factor * stretch - (factor - 1.0), dim)


def llama3(dim: int, base: float, factor: float, low: float, high: float, original_length: int) -> Array:
    """Llama 3.1: pairs of fewer than ``low`` turns over ``factor``, of more than ``high`` kept, blended
    between.

    Linear in the number of turns, as in YaRN's paper (equations 17 to 20), without its temperature; shape
    (dim/2,). ``low`` equal to ``high`` leaves no blend (Llama 4 Scout). Source: llama-models,
    apply_scaling.
    """
    factor = factor_at_least_one(factor)
    low, high = positive(low, "low-freq factor"), positive(high, "high-freq factor")
    if low > high:
        raise EncodingError(f"low-freq factor {low:g} exceeds high-freq factor {high:g}; swap them")
    frequencies = inverse_frequencies(dim, base)
    made = turns(frequencies, original_length)
    # Without a span there is nothing to blend: one step at the threshold.
    span = high - low
    keep = np.clip((made - low) / span, 0.0, 1.0) if span else (made >= low).astype(np.float64)
    return (1.0 - keep) * frequencies / factor + keep * frequencies


def longrope(
    dim: int,
    base: float,
    short_factors: Sequence[float],
    long_factors: Sequence[float],
    original_length: int,
    length: int | None = None,
) -> Array:
    """Each frequency over its own searched factor: the long list once the sequence exceeds the original
    length.

    Source: Ding et al. 2024 (LongRoPE); transformers, _compute_longrope_parameters; shape (dim/2,).
    """
    frequencies = inverse_frequencies(dim, base)
    chosen = long_factors if length is not None and length > original_length else short_factors
    if len(chosen) != frequencies.size:
        raise EncodingError(
            f"longrope needs {frequencies.size} short and {frequencies.size} long factors for dim {dim}, "
            f"not {len(chosen)}; a model such as phi-3.5-mini brings its own"
        )
    divisors = np.array([positive(value, "longrope factor") for value in chosen], dtype=np.float64)
    changed: Array = frequencies / divisors
    return changed


def longrope_attention_factor(factor: float, original_length: float) -> float:
    """sqrt(1 + ln s / ln L), for short prompts too. Source: microsoft/LongRoPE; transformers."""
    factor, original = factor_at_least_one(factor), positive(original_length, "original length")
    if original <= 1:
        raise EncodingError("original length must be at least 2: LongRoPE divides by its logarithm")
    return math.sqrt(1.0 + math.log(factor) / math.log(original))


def _original(scaling: Scaling) -> int:
    if scaling.original_length is None:
        raise EncodingError(
            f"{scaling.method} needs the original length: the context the model was trained at"
        )
    return whole(scaling.original_length, "original length", 1)


def _finite_base(base: float, factor: float, dim: int) -> float:
    try:
        new = base * math.pow(factor, dim / (dim - 2))
    except OverflowError:
        new = math.inf
    if math.isinf(new):
        raise EncodingError(f"factor {factor:g} is too large for base {base:g}: the new base overflows")
    return new
