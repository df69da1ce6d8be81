"""The cache demo: offsets by hand, decoding against a plain second run, and the reference figures it quotes."""

from __future__ import annotations

import itertools
import json
import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from quizapp.demos import cache_decoding, cache_padding, cache_runs, model
from quizapp.demos.cache import demo
from quizapp.demos.model import Bars, Curves, Matrix, State

GOLDEN = Path(__file__).parents[1] / "golden"
SENTENCES = ("the cat sat on the mat", "one", "no no", "猫 が 座 る", "🐶 🍎 👩‍🚀", "a b c d e f g h i j k l")
ROUNDING = 1e-9


def reference() -> Any:
    return json.loads((GOLDEN / "kv_position_drift.json").read_text())["results"]


def shown(step: int, **values: model.Value) -> model.View:
    state = State(step)
    for name, value in values.items():
        state = model.put(demo, state, name, value)
    return model.view(demo, state)


def reading(view: model.View, label: str) -> float:
    return next(entry.value for entry in view.readings if entry.label == label)


def cells(view: model.View) -> dict[str, tuple[str, ...]]:
    picture = view.pictures[0]
    assert isinstance(picture, Matrix)
    return dict(zip(picture.row_labels, picture.cells, strict=True))


def test_the_wrong_offset_is_the_key_itself() -> None:
    view = shown(0)
    assert (reading(view, "offset seen"), reading(view, "right offset")) == (300, -212)
    assert "+300" in view.see
    assert "-212" in view.see
    picture = view.pictures[0]
    assert isinstance(picture, Curves)
    seen, right, here = picture.curves
    assert (list(here.x), list(here.y)) == ([300], [300])
    assert list(seen.y)[:512] == list(range(512))
    assert list(right.y) == [n - 512 for n in range(513)]


def test_each_label_by_hand() -> None:
    # The third decoded token after a prompt of 10, index 12, and a key of the prompt and one decoded before.
    for label, own, decoded in (
        ("right", 12, 11), ("zero", 0, 0), ("one behind", 11, 10), ("one ahead", 13, 12),
        ("doubled", 24, 22), ("stuck", 10, 10),
    ):  # fmt: skip
        for key, position in ((4, 4), (11, decoded)):
            view = shown(0, prompt=10, token=2, label=label, key=key)
            assert reading(view, "its label") == own
            assert reading(view, "offset seen") == position - own
            assert reading(view, "right offset") == key - 12


def test_decoding_with_a_label_is_a_full_pass_with_those_positions() -> None:
    """Without a cache: one pass whose positions are the labels gives the same logits, so the same error."""
    words = ("the", "cat", "sat", "on", "the", "mat")
    for name, label in itertools.product(cache_runs.SCHEMES, cache_runs.LABELS):
        decoder, _ = cache_runs.model(words)
        tokens = cache_runs.continued(words, 4, name)
        positions = [*range(6), *(cache_runs.LABELS[label](index, 6) for index in range(6, 10))]
        used = cache_runs.scheme(name)
        wrong = decoder.full(tokens, used, positions=positions)
        right = decoder.full(tokens, used)
        error = [
            max(abs(a - b) for a, b in zip(*rows, strict=True)) for rows in zip(wrong, right, strict=True)
        ][5:]
        picture = shown(1, scheme=name, label=label, new=4).pictures[0]
        assert isinstance(picture, Bars)
        assert [bar.value for bar in picture.bars] == pytest.approx(error, abs=1e-11)


def test_the_right_label_agrees_and_each_wrong_one_is_caught() -> None:
    for words, name in itertools.product(SENTENCES, cache_runs.SCHEMES):
        found = cells(shown(2, sentence=words, scheme=name))
        assert all(text.startswith("✓") for text in found["right"])
        for label in ("zero", "one behind", "one ahead", "doubled"):
            assert found[label][:2] == ("✓", found["right"][1])
            assert found[label][3].startswith("✗"), (words, name, label)
        assert (found["stuck"][2][0], found["stuck"][3][0]) == ("✓", "✗")


def test_the_figures_quoted_are_the_reference() -> None:
    known = reference()
    drift = {
        "right": "correct_12",
        "zero": "zero",
        "one behind": "off_by_one_minus_11",
        "one ahead": "off_by_one_plus_13",
    }
    for label, name in drift.items():
        quoted = cache_decoding.REFERENCE[label]
        error = known[name]["max_abs_logit_diff"]
        assert quoted == (f"{error:.0e}" if error < 1e-3 else f"{error:.2f}")
        assert known[name]["argmax_same"]
        assert quoted in shown(1).why
    padded = {"RoPE": "left_pad5_llama_rope", "learned": "left_pad5_gpt2_learned"}
    for scheme, name in padded.items():
        error = known[name]["arange_positions"]
        assert cache_padding.REFERENCE[scheme] == (f"{error:.0e}" if error < 1e-3 else f"{error:.2f}")
        assert known[name]["mask_cumsum_positions"] < 1e-5


def test_divergence_and_kept_words_from_the_logits() -> None:
    words = ("the", "cat", "sat", "on", "the", "mat")
    decoder, _ = cache_runs.model(words)
    tokens = cache_runs.continued(words, 3, "RoPE")
    used = cache_runs.scheme("RoPE")
    right = decoder.full(tokens, used)[5:].tolist()
    wrong = decoder.full(tokens, used, positions=[0, 1, 2, 3, 4, 5, 0, 0, 0])[5:].tolist()
    worst = 0.0
    for a, b in zip(right, wrong, strict=True):
        p, q = ([math.exp(x) / math.fsum(map(math.exp, row)) for x in row] for row in (a, b))
        worst = max(worst, math.fsum(x * math.log(x / y) for x, y in zip(p, q, strict=True)))
    view = shown(1, label="zero", new=3)
    assert reading(view, "largest KL, nats") == pytest.approx(worst, rel=1e-9)
    kept = sum(a.index(max(a)) == b.index(max(b)) for a, b in zip(right, wrong, strict=True))
    assert reading(view, "likeliest word kept") == kept


@pytest.mark.parametrize("words", SENTENCES)
def test_padding_is_seen_by_a_table_and_not_by_rope(words: str) -> None:
    for padding in (0, 1, 5, 20):
        view = shown(3, sentence=words, padding=padding)
        assert reading(view, "RoPE, largest") < ROUNDING
        assert (reading(view, "learned table, largest") > 0.1) == (padding > 0)
        assert reading(view, "first real position") == padding
        mended = shown(3, sentence=words, padding=padding, ids="count real tokens")
        assert reading(mended, "RoPE, largest") < ROUNDING
        assert reading(mended, "learned table, largest") < ROUNDING
        assert reading(mended, "first real position") == 0
        assert ("both are right" in mended.see) or padding == 0


@pytest.mark.parametrize("words", SENTENCES)
def test_a_moving_base_breaks_the_cache_beyond_the_trained_length(words: str) -> None:
    count = len(words.split())
    for trained, new in itertools.product((2, 7, 8, 20), (1, 8)):
        view = shown(4, sentence=words, trained=trained, new=new)
        picture = view.pictures[0]
        assert isinstance(picture, Bars)
        for length, bar in enumerate(picture.bars, count):
            beyond = length > max(trained, count)
            assert (bar.value > 1e-6) == beyond, (words, trained, length)
            assert (bar.mark == "beyond L") == beyond
        assert ("no longer fit" in view.see) == (count + new > max(trained, count))
    # The same pattern as in the reference model, which was trained on 16.
    known = reference()["dynamic_ntk_incremental_vs_recompute"]
    assert all((error > 1e-4) == (int(length) > 16) for length, error in known.items())


def test_every_control_changes_the_view() -> None:
    other: dict[str, model.Value] = {
        "prompt": 40, "label": "one ahead", "token": 3, "key": 7, "sentence": "dogs bark", "scheme": "learned",
        "new": 6, "padding": 2, "ids": "count real tokens", "trained": 6,
    }  # fmt: skip
    for step in range(len(demo.steps)):
        before = shown(step)
        for control in demo.controls(step, model.settle(demo, State(step))):
            assert shown(step, **{control.name: other[control.name]}) != before, (step, control.name)


def test_no_extreme_fails_or_says_what_is_false() -> None:
    for prompt, token, label, key in itertools.product((1, 4096), (0, 15), cache_runs.LABELS, (0, 5000)):
        view = shown(0, prompt=prompt, token=token, label=label, key=key)
        picture = view.pictures[0]
        assert isinstance(picture, Curves)
        wrong = int((np.array(picture.curves[0].y) != np.array(picture.curves[1].y)).sum())
        assert reading(view, "wrong offsets") == wrong
        assert ("rightly too" in view.see) == (wrong == 0)
    for words, label, new in itertools.product(SENTENCES, cache_runs.LABELS, (1, 8)):
        view = shown(1, sentence=words, label=label, new=new)
        assert ("off by up to" in view.see) == (reading(view, "largest error") > ROUNDING)
        assert shown(2, sentence=words, label=label, new=new).see
