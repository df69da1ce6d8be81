"""Every scheme against the numbers of the implementations that models run."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from quizapp.encodings import (
    alibi,
    frequencies,
    learned,
    models,
    position_ids,
    precision,
    relative,
    rope,
    scaling,
    sinusoidal,
    yarn,
)
from quizapp.encodings.checks import EncodingError

Golden = Callable[[str], Any]
METHODS = {"linear": "linear", "dynamic": "dynamic-ntk", "yarn": "yarn", "llama3": "llama3"}


@pytest.mark.parametrize(
    ("section", "layout", "near", "far"),
    [
        ("interleaved_2i_over_d", "interleaved", 1e-7, 1e-7),
        ("concat_2i_over_d", "concatenated", 1e-7, 1e-7),
        # These sources compute the angles in float32.
        ("concat_i_over_half_minus_1", "tensor2tensor", 1e-5, 2e-4),
    ],
)
def test_sinusoidal_rows(golden: Golden, section: str, layout: str, near: float, far: float) -> None:
    compared = 0
    for dim, rows in golden("sinusoidal")[section].items():
        if isinstance(rows, str):
            continue
        for position, row in rows.items():
            mine = sinusoidal.sinusoidal(int(position), int(dim), layout=layout)[0]
            assert np.abs(mine - row).max() < (near if int(position) <= 100 else far)
            compared += len(row)
    assert compared > 1000


def test_fairseq_counts_from_the_padding_index(golden: Golden) -> None:
    row = golden("sinusoidal")["fairseq_padding_idx_1"]["first_real_token_uses_row2"]
    assert np.allclose(sinusoidal.sinusoidal(2, 8, layout="tensor2tensor")[0], row, atol=1e-6)
    for source in ("fairseq_make_positions", "roberta_create_position_ids"):
        case = golden("positions")[source]
        mine = sinusoidal.fairseq_positions(case["input_ids"], case["padding_idx"])
        assert mine.tolist() == case["positions"]


def test_inverse_frequencies_of_published_configurations(golden: Golden) -> None:
    compared = 0
    for name, config in golden("rope_inv_freq")["configs"].items():
        rest = dict(config["rope_scaling"] or {})
        original = rest.pop("original_max_position_embeddings", config["max_position_embeddings"])
        method = METHODS[rest.pop("rope_type")] if rest else "none"
        wanted = scaling.Scaling(method, original_length=original, **rest)
        for length, result in config["results"].items():
            mine = scaling.scale(
                wanted, config["head_dim"], config["rope_theta"], None if length == "None" else int(length)
            )
            np.testing.assert_allclose(mine.frequencies, result["inv_freq"], rtol=1e-6, err_msg=name)
            assert mine.attention_factor == pytest.approx(result["attention_factor"], rel=1e-12), name
            compared += 1
    assert compared == 36


def test_ntk_and_llama4(golden: Golden) -> None:
    checks = golden("rope_inv_freq_crosschecks")
    for alpha in (2, 4, 8, 16):
        case = checks[f"ntk_static_alpha{alpha}"]
        assert scaling.ntk_base(1e4, alpha, 128) == pytest.approx(case["new_base"], rel=1e-12)
        np.testing.assert_allclose(scaling.ntk(128, 1e4, alpha), case["inv_freq"], rtol=1e-6)
    scout = scaling.llama3(128, 5e5, 16, 1, 1, 8192)
    np.testing.assert_allclose(scout, checks["llama4_scout_factor16_high1"]["inv_freq"], rtol=1e-6)
    softmax = checks["deepseek_v3_native"]["softmax_scale_multiplier_mscale_sq"]
    assert yarn.softmax_scale_factor(40, 1.0) == pytest.approx(softmax, rel=1e-12)


@pytest.mark.parametrize(
    ("name", "model"), [("phi3_5_mini", "phi-3.5-mini"), ("phi3_vision_128k", "phi-3-vision-128k")]
)
def test_longrope(golden: Golden, name: str, model: str) -> None:
    config = golden("longrope")["configs"][name]
    found = models.find(model)
    assert list(found.scaling.short_factors) == config["short_factor"]
    assert list(found.scaling.long_factors) == config["long_factor"]
    for length, result in config["results"].items():
        mine = found.scaled(None if length == "None" else int(length))
        np.testing.assert_allclose(mine.frequencies, result["inv_freq"], rtol=1e-6)
        assert mine.attention_factor == pytest.approx(result["attention_factor"], rel=1e-12)


def test_longrope_attention_factors(golden: Golden) -> None:
    table = golden("longrope")["attention_factor_table"]["sqrt(1+ln s/ln L)"]
    for key, value in table.items():
        s, length = (float(part.split("=")[1]) for part in key.split(","))
        assert scaling.longrope_attention_factor(s, length) == pytest.approx(value, rel=1e-12)


@pytest.mark.parametrize(
    ("model", "config"),
    [
        ("llama-2-7b", "llama2_7b_4k"),
        ("yarn-llama-2-7b-64k", "llama2_7b_yarn_s16"),
        ("yarn-llama-2-7b-128k", "llama2_7b_yarn_s32"),
        ("code-llama-7b", "code_llama_7b"),
        ("llama-3-8b", "llama3_8b_8k"),
        ("llama-3.1-8b", "llama3_1_8b_128k"),
        ("llama-3.2-1b", "llama3_2_1b_128k"),
        ("mistral-7b-v0.1", "mistral_7b_v0_1"),
        ("mistral-7b-v0.3", "mistral_7b_v0_3"),
        ("yarn-mistral-7b-64k", "mistral_7b_yarn_s8"),
        ("qwen2.5-7b", "qwen2_5_7b"),
        ("qwen2.5-7b-128k", "qwen2_5_7b_yarn_s4"),
        ("deepseek-v3", "deepseek_v3_yarn_s40"),
        ("deepseek-v2-lite", "deepseek_v2_lite_yarn_s40"),
        ("gpt-oss-20b", "gpt_oss_yarn_s32_untruncated"),
        ("gemma-3-4b-global", "gemma3_global_linear_s8"),
    ],
)
def test_models_by_name(golden: Golden, model: str, config: str) -> None:
    result = golden("rope_inv_freq")["configs"][config]["results"]["None"]
    mine = models.find(model).scaled()
    np.testing.assert_allclose(mine.frequencies, result["inv_freq"], rtol=1e-6)
    assert mine.attention_factor == pytest.approx(result["attention_factor"], rel=1e-12)


@pytest.mark.parametrize(
    ("model", "config"), [("gpt-neox-20b", "gpt_neox_20b"), ("pythia-70m", "pythia_70m"), ("phi-2", "phi_2")]
)
def test_partial_rotary(golden: Golden, model: str, config: str) -> None:
    case = golden("partial_rotary")["configs"][config]
    found = models.find(model)
    assert found.rotary_dim == case["rot_dim"]
    np.testing.assert_allclose(found.scaled().frequencies, case["inv_freq"], rtol=1e-6)


def test_gpt_j_turns_64_of_256_coordinates(golden: Golden) -> None:
    case = golden("partial_rotary")["configs"]["gpt_j_6b"]
    turned = frequencies.angles(1, models.find("gpt-j-6b").scaled().frequencies)[0]
    np.testing.assert_allclose(np.sin(turned), case["sin_pos1"], atol=1e-7)
    np.testing.assert_allclose(np.cos(turned), case["cos_pos1"], atol=1e-7)


def test_proportional_rotary_zeroes_the_slow_pairs(golden: Golden) -> None:
    configs = golden("partial_rotary")["configs"]
    case = configs["gemma4_global_style_prope"]
    mine = rope.proportional_frequencies(case["head_dim"], case["partial_rotary_factor"], case["rope_theta"])
    np.testing.assert_allclose(mine[: case["n_nonzero"]], case["inv_freq_nonzero"], rtol=1e-6)
    assert np.count_nonzero(mine == 0) == case["n_zero"]
    np.testing.assert_allclose(
        rope.proportional_frequencies(16, 0.5), configs["toy_d16_p0.5"]["inv_freq"], rtol=1e-6
    )


@pytest.mark.parametrize(("key", "layout"), [("half_split", "half-split"), ("interleaved", "interleaved")])
def test_rotated_queries_keys_and_scores(golden: Golden, key: str, layout: str) -> None:
    for case in golden("rope_rotated")["cases"].values():
        turning = frequencies.inverse_frequencies(case["d"], case["theta"])
        places = np.array(case["positions"])
        tolerance = 1e-6 + 1.2e-7 * places * np.abs(case["q"]).max()
        for name in ("q", "k"):
            mine = rope.rotate(case[name], places, turning, layout)
            off = np.abs(mine - np.array(case[key][name])).max(axis=1)
            allowed = 1e-6 + 1.2e-7 * places * np.abs(case[name]).max()
            assert np.all(off <= allowed)
        mine = rope.scores(np.array(case["q"]), np.array(case["k"]), places, turning, layout)
        near = places <= 100
        off = np.abs(mine - np.array(case[key]["scores_qk"]))[np.ix_(near, near)]
        assert off.max() <= 10 * tolerance[near].max() * case["d"] ** 0.5


def test_alibi_slopes(golden: Golden) -> None:
    for heads, slopes in golden("alibi_slopes")["slopes"].items():
        np.testing.assert_allclose(alibi.alibi_slopes(int(heads)), slopes, rtol=1e-14)


def test_alibi_bias_in_three_forms(golden: Golden) -> None:
    for name, case in golden("alibi_bias")["cases"].items():
        heads, length = (int(part[1:]) for part in name.split("_"))
        for form in ("bloom", "mpt"):
            np.testing.assert_allclose(alibi.alibi_bias(length, heads, form), case[form], atol=1e-7)
        if case["paper_causal_-m(i-j)"] == "omitted":
            continue
        paper = np.array(case["paper_causal_-m(i-j)"], dtype=float)
        np.testing.assert_allclose(alibi.alibi_bias(length, heads), np.where(np.isnan(paper), -np.inf, paper))


def test_t5_buckets(golden: Golden) -> None:
    for name, buckets in golden("t5_buckets")["tables"].items():
        count, distance, mode = name.split("_")
        mine = relative.t5_buckets(
            np.arange(-200, 201),
            int(count.removeprefix("buckets")),
            int(distance.removeprefix("dist")),
            bidirectional=mode == "bidirectional",
        )
        assert mine.tolist() == buckets


def test_shaw_indices(golden: Golden) -> None:
    case = golden("shaw_indices")
    for name, rows in case["square"].items():
        length, clip = map(int, name.split(","))
        places = np.arange(length)
        assert relative.shaw_indices(relative.offsets(places, places), clip).tolist() == rows
    for name, rows in case["cache_decode_row"].items():
        length, clip = map(int, name.split(","))
        assert relative.shaw_indices(relative.offsets([length - 1], np.arange(length)), clip).tolist() == rows
    for clip, count in case["row_counts"].items():
        assert relative.shaw_rows(int(clip)) == count


def test_learned_tables(golden: Golden) -> None:
    case = golden("positions")
    for table in case["learned_tables"].values():
        assert learned.LearnedTable(table["rows"], table["d"]).parameters == table["params"]
    roberta = learned.LearnedTable(514, 768, reserved=2)
    assert roberta.row(0) == case["roberta_create_position_ids"]["padding_idx"] + 1
    with pytest.raises(EncodingError, match=r"position 512 does not exist .* 0 to 511 do"):
        roberta.row(512)


def test_positions_of_a_padded_batch(golden: Golden) -> None:
    case = golden("positions")["hf_generate_left_pad"]
    assert position_ids.from_mask(case["attention_mask"]).tolist() == case["position_ids"]


def test_sixteen_bit_positions(golden: Golden) -> None:
    case = golden("precision")
    cast = case["positions_cast"]
    assert precision.to_bfloat16(cast["pos"]).tolist() == cast["bfloat16"]
    halves = [np.inf if value in (None, "inf", float("inf")) else value for value in cast["float16"]]
    assert precision.to_float16(cast["pos"]).tolist() == halves
    distinct = case["n_distinct_positions_0_8191"]
    assert len(set(precision.to_bfloat16(np.arange(8192)).tolist())) == distinct["bfloat16"]
    assert len(set(precision.to_float16(np.arange(8192)).tolist())) == distinct["float16"]


def test_mean_cosine_and_incomplete_pairs(golden: Golden) -> None:
    case = golden("derived_checks")
    decay = case["rope_mean_cos"]
    for base, key in ((1e4, "1e4"), (5e5, "5e5"), (1e6, "1e6")):
        mine = frequencies.mean_cosine(decay["deltas"], frequencies.inverse_frequencies(128, base))
        np.testing.assert_allclose(mine, decay[f"base_{key}"], atol=1e-11)
    for base, key in ((1e4, "1e4"), (5e5, "5e5")):
        first = frequencies.first_negative_mean_cosine(frequencies.inverse_frequencies(128, base))
        assert first == decay[f"base_{key}_facts"]["first_negative_delta"]
    for name, facts in case["critical_dims"].items():
        _, dim, base, length = name.split()
        turning = frequencies.inverse_frequencies(int(dim[1:]), float(base[1:]))
        assert frequencies.first_incomplete_pair(turning, int(length[1:])) == facts["first_incomplete_pair"]
        assert frequencies.complete_pairs(turning, int(length[1:])) == facts["first_incomplete_pair"]
        assert frequencies.wavelengths(turning).max() == pytest.approx(facts["max_wavelength"], rel=1e-12)


@pytest.mark.parametrize(
    ("name", "dim", "base", "original"),
    [
        ("llama2", 128, 1e4, 4096),
        ("qwen2.5", 128, 1e6, 32768),
        ("deepseek", 64, 1e4, 4096),
        ("gpt-oss", 64, 1.5e5, 4096),
    ],
)
def test_both_yarn_ramps(golden: Golden, name: str, dim: int, base: float, original: int) -> None:
    case = golden("derived_checks")["yarn_ramp"][name]
    assert list(yarn.correction_range(dim, base, original)) == case["low_high_truncated"]
    raw = yarn.correction_range(dim, base, original, truncate=False)
    assert list(raw) == pytest.approx(case["low_high_raw"], rel=1e-12)
    np.testing.assert_allclose(yarn.ramp(dim, base, original), case["gamma_code_truncated"], atol=1e-6)
    paper = yarn.ramp(dim, base, original, paper_ramp=True)
    np.testing.assert_allclose(paper, case["gamma_paper_eq18"], atol=1e-6)


def test_worked_numbers(golden: Golden) -> None:
    case = golden("worked_numbers")
    bank = case["bank_example"]
    rows = sinusoidal.sinusoidal([0, 1], 4)
    np.testing.assert_allclose(rows[1], [float(value) for value in bank["p1"]], atol=1e-15)
    table = case["base_table"]
    for factor, base in table["ntk_base_llama_d128"].items():
        assert scaling.ntk_base(1e4, float(factor), 128) == pytest.approx(float(base), rel=1e-12)
    for factor, value in table["yarn_sqrt_1_over_t"].items():
        assert yarn.attention_factor(float(factor)) == pytest.approx(float(value), rel=1e-12)
    pair = case["rope_pair_d2_theta1"]
    for m, row in enumerate(pair["scores_m0_to_4_n0_to_4"]):
        for n, score in enumerate(row):
            assert rope.pair_score(pair["q"], pair["k"], m, n, 1.0) == pytest.approx(float(score), abs=1e-13)
