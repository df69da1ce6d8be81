"""The functions that a claim on a card may call by name: plain numbers and lists in, plain numbers and
lists out.

A word among the arguments (``WORDS``) arrives as text. numpy is imported at the first call, not with the
table.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from quizapp.encodings.checks import EncodingError, one_of, positive, real, whole

WORDS = frozenset({"bidirectional", "causal", "interleaved", "concatenated", "tensor2tensor"})


def sinusoidal(
    position: float, dim: int, base: float | str = 10000.0, layout: str = "interleaved"
) -> list[float]:
    """One row; ``sinusoidal(1, 4, concatenated)`` may leave the base out."""
    from quizapp.encodings.sinusoidal import sinusoidal as rows

    base, layout = _base_and_layout(base, layout)
    return _numbers(rows([real(position, "position")], dim, base, layout)[0])


def sinusoidal_frequency(
    pair: int, dim: int, base: float | str = 10000.0, layout: str = "interleaved"
) -> float:
    from quizapp.encodings.sinusoidal import sinusoidal_frequencies

    base, layout = _base_and_layout(base, layout)
    return _entry(sinusoidal_frequencies(dim, base, layout), pair)


def learned_parameters(length: int, dim: int) -> int:
    from quizapp.encodings.learned import LearnedTable

    return LearnedTable(length, dim).parameters


def shaw_index(query: int, key: int, clip: int) -> int:
    """Row of Shaw's table for query i, key j and clip k."""
    from quizapp.encodings.relative import shaw_indices

    return int(shaw_indices(whole(key, "key position") - whole(query, "query position"), clip))


def shaw_rows(clip: int) -> int:
    from quizapp.encodings.relative import shaw_rows as rows

    return rows(clip)


def t5_bucket(offset: int, buckets: int, max_distance: int, direction: str) -> int:
    from quizapp.encodings.relative import t5_buckets

    both = one_of(direction, "direction", ("bidirectional", "causal")) == "bidirectional"
    return int(t5_buckets(whole(offset, "offset"), buckets, max_distance, bidirectional=both))


def alibi_slopes(heads: int) -> list[float]:
    from quizapp.encodings.alibi import alibi_slopes as slopes

    return _numbers(slopes(heads))


def alibi_bias(query: int, key: int, heads: int, head: int) -> float:
    """slope * (j - i) for query i, key j and a head counted from 0."""
    shift = whole(key, "key position", 0) - whole(query, "query position", 0)
    slopes = alibi_slopes(heads)
    number = whole(head, "head", 0)
    if number >= len(slopes):
        raise EncodingError(f"head {number} does not exist; the {len(slopes)} heads count from 0")
    return slopes[number] * shift


def rope_inv_freq(dim: int, base: float) -> list[float]:
    return _numbers(_frequencies(dim, base))


def wavelength(pair: int, dim: int, base: float) -> float:
    """Positions for one turn of pair i."""
    return 2.0 * math.pi / _entry(_frequencies(dim, base), pair)


def turns(pair: int, dim: int, base: float, length: float) -> float:
    """Turns of pair i in ``length`` positions."""
    return positive(length, "length") / wavelength(pair, dim, base)


def first_incomplete_pair(dim: int, base: float, length: float) -> int:
    from quizapp.encodings.frequencies import first_incomplete_pair as first

    found = first(_frequencies(dim, base), length)
    if found is None:
        raise EncodingError(f"every pair completes a turn in {length} positions")
    return found


def complete_pairs(dim: int, base: float, length: float) -> int:
    from quizapp.encodings.frequencies import complete_pairs as count

    return count(_frequencies(dim, base), length)


def ntk_base(base: float, factor: float, dim: int) -> float:
    from quizapp.encodings import scaling

    return scaling.ntk_base(base, factor, dim)


def linear_inv_freq(dim: int, base: float, factor: float) -> list[float]:
    from quizapp.encodings import scaling

    return _numbers(scaling.linear(dim, base, factor))


def ntk_inv_freq(dim: int, base: float, factor: float) -> list[float]:
    from quizapp.encodings import scaling

    return _numbers(scaling.ntk(dim, base, factor))


def dynamic_ntk_base(base: float, factor: float, dim: int, length: float, original_length: float) -> float:
    from quizapp.encodings import scaling

    return scaling.dynamic_ntk_base(base, factor, dim, length, original_length)


def yarn_inv_freq(dim: int, base: float, factor: float, original_length: float) -> list[float]:
    from quizapp.encodings import yarn

    return _numbers(yarn.yarn(dim, base, factor, original_length))


def yarn_ramp(
    dim: int, base: float, original_length: float, beta_fast: float = 32.0, beta_slow: float = 1.0
) -> list[float]:
    """The share of each pair's own frequency that YaRN keeps."""
    from quizapp.encodings import yarn

    return _numbers(yarn.ramp(dim, base, original_length, beta_fast=beta_fast, beta_slow=beta_slow))


def yarn_attention_factor(factor: float) -> float:
    from quizapp.encodings import yarn

    return yarn.attention_factor(factor)


def yarn_correction_range(
    dim: int, base: float, original_length: float, beta_fast: float = 32.0, beta_slow: float = 1.0
) -> list[float]:
    """[low, high], rounded outwards as the shipped code does."""
    from quizapp.encodings import yarn

    return list(yarn.correction_range(dim, base, original_length, beta_fast, beta_slow))


def llama3_inv_freq(
    dim: int, base: float, factor: float, low: float, high: float, original_length: int
) -> list[float]:
    from quizapp.encodings import scaling

    return _numbers(scaling.llama3(dim, base, factor, low, high, original_length))


def longrope_attention_factor(factor: float, original_length: float) -> float:
    from quizapp.encodings import scaling

    return scaling.longrope_attention_factor(factor, original_length)


def deepseek_softmax_scale_factor(factor: float, mscale_all_dim: float) -> float:
    from quizapp.encodings import yarn

    return yarn.softmax_scale_factor(factor, mscale_all_dim)


def mean_cosine(distance: float, dim: int, base: float) -> float:
    from quizapp.encodings.frequencies import mean_cosine as mean

    return float(mean(real(distance, "distance"), _frequencies(dim, base)))


def first_negative_mean_cosine(dim: int, base: float) -> int:
    from quizapp.encodings.frequencies import first_negative_mean_cosine as first

    found = first(_frequencies(dim, base))
    if found is None:
        raise EncodingError("the mean cosine stays positive over the first 4,000,000 distances")
    return found


def rope_score(query: Sequence[float], key: Sequence[float], m: float, n: float, theta: float) -> float:
    """q^T R((n - m) theta) k for 2-vectors."""
    from quizapp.encodings import rope

    return rope.pair_score(
        _vector(query), _vector(key), real(m, "query position"), real(n, "key position"), real(theta, "theta")
    )


def rotate(vector: Sequence[float], angle: float) -> list[float]:
    """A 2-vector turned counter-clockwise."""
    from quizapp.encodings import rope

    return _numbers(rope.rotation(angle) @ _vector(vector))


def pe_dot(position: float, offset: float, dim: int) -> float:
    """PE(p) . PE(p + k)."""
    from quizapp.encodings.sinusoidal import row_dot_product

    return row_dot_product(real(position, "position"), real(offset, "offset"), dim)


def pe_norm(position: float, dim: int) -> float:
    return math.hypot(*sinusoidal(position, dim))


def float16(value: float) -> float:
    from quizapp.encodings import precision

    return float(precision.to_float16(real(value, "value")))


def bfloat16(value: float) -> float:
    from quizapp.encodings import precision

    return float(precision.to_bfloat16(real(value, "value")))


def causal_mean_std(index: int) -> float:
    """Standard deviation of the mean of i + 1 uncorrelated values of variance 1: 1/sqrt(i + 1)."""
    return 1.0 / math.sqrt(whole(index, "index", 0) + 1)


FUNCTIONS: Mapping[str, Callable[..., float | int | list[float]]] = {
    function.__name__: function
    for function in (
        sinusoidal,
        sinusoidal_frequency,
        learned_parameters,
        shaw_index,
        shaw_rows,
        t5_bucket,
        alibi_slopes,
        alibi_bias,
        rope_inv_freq,
        wavelength,
        turns,
        first_incomplete_pair,
        complete_pairs,
        ntk_base,
        linear_inv_freq,
        ntk_inv_freq,
        dynamic_ntk_base,
        yarn_inv_freq,
        yarn_ramp,
        yarn_attention_factor,
        yarn_correction_range,
        llama3_inv_freq,
        longrope_attention_factor,
        deepseek_softmax_scale_factor,
        mean_cosine,
        first_negative_mean_cosine,
        rope_score,
        rotate,
        pe_dot,
        pe_norm,
        float16,
        bfloat16,
        causal_mean_std,
    )
}


def _frequencies(dim: int, base: float) -> Any:
    from quizapp.encodings.frequencies import inverse_frequencies

    return inverse_frequencies(dim, base)


def _base_and_layout(base: Any, layout: str) -> tuple[float, str]:
    return (10000.0, base) if isinstance(base, str) else (real(base, "base"), layout)


def _entry(values: Any, index: Any) -> float:
    number = whole(index, "pair", 0)
    if number >= len(values):
        raise EncodingError(f"pair {number} does not exist; the {len(values)} pairs count from 0")
    return float(values[number])


def _vector(values: Any) -> list[float]:
    """Two numbers, also as a column [[a], [b]], which is how the algebra writes a vector."""
    if not isinstance(values, Sequence) or isinstance(values, str):
        raise EncodingError(f"expected a vector such as [1, 0], not {values!r}")
    flat = [
        item[0] if isinstance(item, Sequence) and not isinstance(item, str) and len(item) == 1 else item
        for item in values
    ]
    if len(flat) != 2:
        raise EncodingError(f"expected a vector of 2 numbers, not {len(flat)}")
    return [real(item, "vector entry") for item in flat]


def _numbers(array: Any) -> list[float]:
    return [float(value) for value in array]
