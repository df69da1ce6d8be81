"""xPos and M-RoPE against torchscale and transformers, and their commands."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from click.testing import CliRunner

from quizapp.commands.encode import command
from quizapp.encodings import frequencies, mrope, xpos
from quizapp.encodings.checks import EncodingError
from quizapp.encodings.rotary_variants import multimodal
from quizapp.encodings.rotary_variants import xpos as xpos_document

Golden = Callable[[str], Any]


def test_zeta_and_scores_of_torchscale(golden: Golden) -> None:
    for dim, case in golden("xpos")["cases"].items():
        np.testing.assert_allclose(xpos.zeta(int(dim)), case["torchscale_zeta"], rtol=1e-6)
        if case["q"] is None:
            continue
        places = np.arange(len(case["q"]))
        for moved in (places, places - len(places) // 2):
            queries = xpos.rotate_queries(case["q"], moved)
            keys = xpos.rotate_keys(case["k"], moved)
            np.testing.assert_allclose(queries @ keys.T, case["torchscale_scores"], atol=3e-6)


def test_a_score_shrinks_by_zeta() -> None:
    query, key = np.array([[1.0, 0.0, 0.0, 0.0]]), np.array([[1.0, 0.0, 0.0, 0.0]])
    m, n = 700, 188
    score = float((xpos.rotate_queries(query, [m]) @ xpos.rotate_keys(key, [n]).T)[0, 0])
    # 512 positions apart: the cosine times zeta_0 itself.
    assert score == pytest.approx(np.cos(m - n) * (0.4 / 1.4))


def blocks_of(case: dict[str, Any]) -> list[mrope.Block]:
    merge = case["spatial_merge_size"]
    grids = [*(case["image_grid_thw"] or ()), *(case["video_grid_thw"] or ())]
    blocks: list[mrope.Block] = []
    kinds = next(value for key, value in case.items() if key.startswith("token_types"))
    at = 0
    while at < len(kinds):
        if kinds[at]:
            time, height, width = grids.pop(0)
            blocks.append((time, height // merge, width // merge))
            at += time * height * width // merge**2
        else:
            end = next((place for place in range(at, len(kinds)) if kinds[place]), len(kinds))
            blocks.append(end - at)
            at = end
    return blocks


def test_positions_of_transformers(golden: Golden) -> None:
    for name, case in golden("mrope")["cases"].items():
        blocks = blocks_of(case)
        ids = mrope.position_ids(blocks)
        assert ids.tolist() == case["position_ids"], name
        document = multimodal(blocks, mrope.QWEN2_VL, 1e6, interleaved=False)
        assert document.arrays["delta"] == case["delta"]
        assert document.arrays["next_position"] == np.max(case["position_ids"]) + 1


def test_axis_of_each_pair(golden: Golden) -> None:
    sections = golden("mrope")["sections"]
    assert (
        mrope.axis_of_pairs(sections["qwen2_vl"]).tolist() == sections["axis_of_each_pair_qwen2_vl_measured"]
    )
    dealt = mrope.axis_of_pairs(sections["qwen3_vl_interleaved"], interleaved=True)
    assert dealt.tolist() == sections["axis_of_each_pair_qwen3_vl_measured"]


def test_text_alone_is_plain_rope() -> None:
    turning = frequencies.inverse_frequencies(128, 1e6)
    for interleaved, sections in ((False, mrope.QWEN2_VL), (True, mrope.QWEN3_VL)):
        axes = mrope.axis_of_pairs(sections, interleaved=interleaved)
        found = mrope.angles(mrope.position_ids([7]), turning, axes)
        assert np.array_equal(found, frequencies.angles(np.arange(7), turning))


def test_angles_follow_their_axis() -> None:
    turning = frequencies.inverse_frequencies(8, 1e4)
    axes = mrope.axis_of_pairs((1, 2, 1))
    ids = mrope.position_ids([2, (1, 2, 3)])
    found = mrope.angles(ids, turning, axes)
    for token in range(8):
        for pair, axis in enumerate([0, 1, 1, 2]):
            assert found[token, pair] == ids[axis, token] * turning[pair]
    with pytest.raises(EncodingError, match="they must agree"):
        mrope.angles(ids, turning[:3], axes)


@pytest.mark.parametrize(
    ("make", "says"),
    [
        (lambda: mrope.position_ids([]), "at least one block"),
        (lambda: mrope.position_ids([3, (1, 0, 2)]), "must be at least 1, not 0"),
        (lambda: mrope.position_ids([(1, 1000, 1000)]), "more than 262,144 tokens"),
        (lambda: mrope.axis_of_pairs((1, 2)), "3 sections"),
        (lambda: mrope.axis_of_pairs((2, 9, 3), interleaved=True), "height has more than a third"),
        (lambda: multimodal([1], (0, 0, 0), 1e6, interleaved=False), "leave no pair"),
        (lambda: xpos.scales([1], 4, 0.0), "scale base must be greater than 0"),
        (lambda: xpos.scales([1], 5), "dim 5 is odd"),
        (lambda: xpos_document(10**9, 10**9 + 1, 4, 1e4, 512.0), "too small for a float"),
        (lambda: xpos_document(3, 3, 4, 1e4, 512.0), "empty or negative"),
        (lambda: xpos_document(0, 1 << 24, 4, 1e4, 512.0), "too many numbers"),
    ],
)
def test_refusals(make: Callable[[], object], says: str) -> None:
    with pytest.raises(EncodingError, match=says):
        make()


def run(*arguments: str) -> Any:
    return CliRunner().invoke(command, list(arguments))


def test_commands() -> None:
    found = json.loads(run("mrope", "--blocks", "3,2x3,2", "--json").output)
    assert found["shape"] == [3, 11]
    assert found["position_ids"][1] == [0, 1, 2, 3, 3, 3, 4, 4, 4, 6, 7]
    assert found["axis_of_pair"].count(1) == 24
    dealt = json.loads(run("mrope", "--blocks", "2x2x2", "--interleaved", "--json").output)
    assert dealt["axis_of_pair"][:6] == [0, 1, 2, 0, 1, 2]
    assert run("mrope", "--blocks", "1,2x2", "--csv").output.splitlines()[2] == "1,vision,1,1,1"
    assert "the delta is -3" in run("mrope", "--blocks", "3,2x3,2").output
    scales = json.loads(run("xpos", "--pos", "512", "--dim", "8", "--json").output)
    assert scales["query_scale"][0] == pytest.approx(scales["zeta"])
    assert scales["shape"] == [1, 4]
    assert len(run("xpos", "--pos", "0:3", "--dim", "4", "--csv").output.splitlines()) == 7
    assert "causal" in run("xpos", "--pos", "0:3", "--dim", "4").output


@pytest.mark.parametrize(
    ("option", "value"),
    [("--blocks", "3,2x"), ("--blocks", "a"), ("--blocks", "1x1x1x1"), ("--sections", "1,b,3")],
)
def test_unreadable_values(option: str, value: str) -> None:
    arguments = ["mrope", option, value, *(() if option == "--blocks" else ("--blocks", "3"))]
    result = run(*arguments)
    assert result.exit_code == 2
    assert value.split(",")[-1] in result.output
