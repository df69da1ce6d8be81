"""The functions that claims call: plain values, every name, against numbers from elsewhere."""

from __future__ import annotations

import math
import subprocess
import sys
from typing import Any

import pytest

from quizapp.encodings.checks import EncodingError
from quizapp.encodings.claims import FUNCTIONS, WORDS


@pytest.mark.parametrize(
    ("name", "arguments", "value"),
    [
        ("sinusoidal", (1, 4), [math.sin(1), math.cos(1), math.sin(0.01), math.cos(0.01)]),
        ("sinusoidal", (1, 4, 100), [math.sin(1), math.cos(1), math.sin(0.1), math.cos(0.1)]),
        ("sinusoidal", (1, 4, "concatenated"), [math.sin(1), math.sin(0.01), math.cos(1), math.cos(0.01)]),
        ("sinusoidal", (1, 4, "tensor2tensor"), [math.sin(1), math.sin(1e-4), math.cos(1), math.cos(1e-4)]),
        ("sinusoidal_frequency", (1, 4), 0.01),
        ("learned_parameters", (512, 768), 393216),
        ("shaw_index", (5, 0, 2), 0),
        ("shaw_rows", (2,), 5),
        ("t5_bucket", (-1, 32, 128, "bidirectional"), 1),
        ("t5_bucket", (1, 32, 128, "bidirectional"), 17),
        ("t5_bucket", (-113, 32, 128, "causal"), 31),
        ("alibi_slopes", (2,), [1 / 16, 1 / 256]),
        ("alibi_bias", (5, 2, 8, 0), -1.5),
        ("rope_inv_freq", (4, 10000), [1.0, 0.01]),
        ("wavelength", (0, 128, 10000), 2 * math.pi),
        ("turns", (1, 4, 10000, 4096), 40.96 / (2 * math.pi)),
        ("first_incomplete_pair", (128, 10000, 4096), 46),
        ("complete_pairs", (128, 500000, 8192), 35),
        ("ntk_base", (10000, 4, 4), 160000.0),
        ("linear_inv_freq", (4, 10000, 8), [0.125, 0.00125]),
        ("ntk_inv_freq", (4, 10000, 4), [1.0, 0.0025]),
        ("dynamic_ntk_base", (10000, 2, 4, 8192, 4096), 90000.0),
        ("dynamic_ntk_base", (10000, 2, 4, 100, 4096), 10000.0),
        ("yarn_attention_factor", (8,), 0.1 * math.log(8) + 1),
        ("yarn_correction_range", (128, 10000, 4096), [20.0, 46.0]),
        ("longrope_attention_factor", (32, 4096), 1.1902380714238083),
        ("deepseek_softmax_scale_factor", (40, 1), 1.8738542070926265),
        ("mean_cosine", (0, 128, 10000), 1.0),
        ("first_negative_mean_cosine", (128, 10000), 1707),
        ("rope_score", ([1, 0], [1, 0], 2, 5, 1.0), math.cos(3)),
        ("rope_score", ([1, 0], [0, 1], 2, 5, 1.0), -math.sin(3)),
        ("rope_score", ([[1], [0]], [[0], [1]], 2, 5, 1.0), -math.sin(3)),
        ("rotate", ([1, 0], math.pi / 2), [0.0, 1.0]),
        ("pe_dot", (7, 3, 4), math.cos(3) + math.cos(0.03)),
        ("pe_norm", (12345, 8), 2.0),
        ("float16", (2049,), 2048.0),
        ("bfloat16", (257,), 256.0),
        ("bfloat16", (0.1,), 0.10009765625),
        ("causal_mean_std", (3,), 0.5),
    ],
)
def test_value(name: str, arguments: tuple[Any, ...], value: Any) -> None:
    found = FUNCTIONS[name](*arguments)
    assert type(found) is type(value)
    assert found == pytest.approx(value, rel=1e-12, abs=1e-12)


def test_ramp_and_frequencies_are_lists_of_plain_floats() -> None:
    kept = FUNCTIONS["yarn_ramp"](128, 10000, 4096)
    scaled = FUNCTIONS["yarn_inv_freq"](128, 10000, 16, 4096)
    plain = FUNCTIONS["rope_inv_freq"](128, 10000)
    llama = FUNCTIONS["llama3_inv_freq"](128, 500000, 8, 1, 4, 8192)
    assert isinstance(kept, list)
    assert isinstance(scaled, list)
    assert isinstance(plain, list)
    assert isinstance(llama, list)
    assert kept[20] == 1.0
    assert kept[33] == 0.5
    assert kept[46] == 0.0
    assert scaled[33] == pytest.approx(plain[33] * (0.5 + 0.5 / 16), rel=1e-12)
    assert llama[63] == pytest.approx(500000 ** (-126 / 128) / 8, rel=1e-12)
    assert all(type(value) is float for value in kept + scaled + llama)


@pytest.mark.parametrize(
    ("name", "arguments"),
    [
        ("sinusoidal", (1, 5)),
        ("sinusoidal", (1, 4, "sideways")),
        ("t5_bucket", (-1, 32, 128, "both")),
        ("t5_bucket", (-1.5, 32, 128, "causal")),
        ("alibi_bias", (5, 2, 8, 8)),
        ("wavelength", (64, 128, 10000)),
        ("first_incomplete_pair", (4, 10000, 4096)),
        ("rope_score", ([1, 0, 0], [1, 0], 2, 5, 1.0)),
        ("rotate", (3, 1.0)),
        ("ntk_base", (10000, 4, 2)),
        ("float16", (math.nan,)),
    ],
)
def test_misuse_is_one_line(name: str, arguments: tuple[Any, ...]) -> None:
    with pytest.raises(EncodingError) as caught:
        FUNCTIONS[name](*arguments)
    assert "\n" not in str(caught.value)


def test_words_are_the_ones_that_functions_take() -> None:
    for word in WORDS & {"bidirectional", "causal"}:
        FUNCTIONS["t5_bucket"](-1, 32, 128, word)
    for word in WORDS - {"bidirectional", "causal"}:
        FUNCTIONS["sinusoidal"](1, 4, word)


def test_the_table_itself_does_not_import_numpy() -> None:
    code = "import sys, quizapp.encodings.claims; sys.exit('numpy' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
