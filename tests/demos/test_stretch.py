"""The demo of context extension against the references, plain loops, and at the ends of every control."""

from __future__ import annotations

import itertools
import json
import math
from pathlib import Path
from typing import Any

import pytest

from quizapp.demos import stretch_methods as methods
from quizapp.demos.model import Bars, Control, Curves, Matrix, Number, State, Value, View, move, settle
from quizapp.demos.model import view as show
from quizapp.demos.stretch import demo
from quizapp.encodings import models

GOLDEN = Path(__file__).parent.parent / "golden"
BREAKING, METHOD, COMPARE, MODELS, SYMPTOM = range(5)


def golden(name: str) -> Any:
    return json.loads((GOLDEN / f"{name}.json").read_text(encoding="utf-8"))


def at(step: int, **values: Value) -> View:
    return show(demo, State(step, values))


def reading(seen: View, label: str) -> float:
    return next(one.value for one in seen.readings if one.label == label)


def options(control: Control) -> list[Value]:
    if isinstance(control, Number):
        return [control.low, 1, control.start, control.high]
    return list(getattr(control, "options"))  # noqa: B009


def thetas(dim: int, base: float) -> list[float]:
    return [base ** (-2 * pair / dim) for pair in range(dim // 2)]


@pytest.mark.parametrize("step", range(5))
def test_every_view_is_whole(step: int) -> None:
    """All choices of a step, with ranges that depend on each other settled."""
    seen_states = set()
    for chosen in itertools.product(*(options(control) for control in demo.controls(step, {}))):
        names = [control.name for control in demo.controls(step, {})]
        values = settle(demo, State(step, dict(zip(names, chosen, strict=True))))
        if (key := tuple(sorted(values.items()))) in seen_states:
            continue
        seen_states.add(key)
        seen = demo.view(step, values)
        assert all(math.isfinite(one.value) for one in seen.readings)
        for sentence in (seen.see, seen.say, seen.why, *seen.words):
            assert sentence.endswith("."), sentence
            assert "  " not in sentence
            assert "nan" not in sentence
        assert len(seen.see) <= 200
        assert len(seen.say) <= 225
    assert len(seen_states) > 10


@pytest.mark.parametrize("step", range(5))
def test_every_control_changes_the_view(step: int) -> None:
    for control in demo.controls(step, {}):
        state = State(step, settle(demo, State(step)))
        assert show(demo, move(demo, state, control.name, 1)) != show(demo, state), control.name


def test_only_longer_lengths_can_be_wanted() -> None:
    for trained in methods.TRAINED:
        values = settle(demo, State(COMPARE, {"trained": trained, "wanted": "2k"}))
        assert methods.LENGTHS[str(values["wanted"])] > methods.LENGTHS[trained]


@pytest.mark.parametrize(
    ("name", "values"),
    [
        ("llama2 d128 b1e4 L4096", {"trained": "4k"}),
        ("llama1 d128 b1e4 L2048", {"trained": "2k"}),
        ("llama3 d128 b5e5 L8192", {"trained": "8k", "base": "500,000"}),
        ("qwen2.5 d128 b1e6 L32768", {"trained": "32k", "base": "1,000,000"}),
        ("deepseek d64 b1e4 L4096", {"trained": "4k", "dim": "64"}),
    ],
)
def test_pairs_that_never_came_round(name: str, values: dict[str, Value]) -> None:
    facts = golden("derived_checks")["critical_dims"][name]
    seen = at(BREAKING, **values)
    assert reading(seen, "no full turn") == facts["n_incomplete(lambda>L)"]
    assert reading(seen, "first of them") == facts["first_incomplete_pair"]
    assert reading(seen, "longest λ") == pytest.approx(facts["max_wavelength"])
    assert f"from pair {facts['first_incomplete_pair']} on" in seen.see
    (picture,) = seen.pictures
    assert isinstance(picture, Bars)
    assert [bar.mark for bar in picture.bars].index("no turn") == facts["first_incomplete_pair"]
    assert all(
        (bar.value < 0) == (pair >= facts["first_incomplete_pair"]) for pair, bar in enumerate(picture.bars)
    )
    turns = methods.LENGTHS[str(values["trained"])] / facts["max_wavelength"]
    assert 10 ** picture.bars[-1].value == pytest.approx(turns)


def by_hand(method: str, dim: int, base: float, trained: int, wanted: int) -> list[float]:
    """Frequencies by the papers' formulas, one pair at a time."""
    s = wanted / trained
    found = []
    for pair, theta in enumerate(thetas(dim, base)):
        r = trained * theta / (2 * math.pi)
        match method:
            case methods.NONE:
                found.append(theta)
            case methods.INTERPOLATION:
                found.append(theta / s)
            case methods.NTK | methods.DYNAMIC:
                found.append(theta * s ** (-2 * pair / (dim - 2)))
            case methods.PAPER_YARN:
                g = min(max((r - 1) / 31, 0), 1)
                found.append(theta * g + theta / s * (1 - g))
            case methods.LLAMA3:
                g = min(max((r - 1) / 3, 0), 1)
                found.append(theta * g + theta / s * (1 - g))
            case methods.YARN:
                low, high = (
                    dim * math.log(trained / (turns * 2 * math.pi)) / (2 * math.log(base))
                    for turns in (32, 1)
                )
                low, high = math.floor(low), math.ceil(high)
                g = 1 - min(max((pair - low) / (high - low), 0), 1)
                found.append(theta * g + theta / s * (1 - g))
    return found


@pytest.mark.parametrize("method", [name for name in methods.METHODS if name != methods.LONGROPE])
@pytest.mark.parametrize(
    ("dim", "base", "trained", "wanted"), [("128", "10,000", "4k", "32k"), ("64", "500,000", "8k", "128k")]
)
def test_methods_by_their_formulas(method: str, dim: str, base: str, trained: str, wanted: str) -> None:
    seen = at(METHOD, method=method, dim=dim, base=base, trained=trained, wanted=wanted)
    length, then = methods.LENGTHS[trained], methods.LENGTHS[wanted]
    plain = thetas(int(dim), float(base.replace(",", "")))
    found = by_hand(method, int(dim), float(base.replace(",", "")), length, then)
    late = [pair for pair, theta in enumerate(plain) if length * theta < 2 * math.pi]
    ratios = [then * found[pair] / (length * plain[pair]) for pair in late]
    assert reading(seen, "past training") == sum(ratio > 1 + 1e-7 for ratio in ratios)
    assert reading(seen, "at most") == pytest.approx(max(ratios))
    assert reading(seen, "pair 0 a step") == pytest.approx(found[0])
    kept = [found[pair] / plain[pair] for pair in range(len(plain)) if pair not in late]
    assert reading(seen, "fast pairs keep") == pytest.approx(sum(kept) / len(kept))
    sharper = (
        (0.1 * math.log(then / length) + 1) ** 2 if method in (methods.YARN, methods.PAPER_YARN) else 1.0
    )
    assert reading(seen, "scores") == pytest.approx(sharper)
    (picture,) = seen.pictures
    assert isinstance(picture, Curves)
    for pair, (y, theta) in enumerate(zip(picture.curves[1].y, found, strict=True)):
        assert 10**y == pytest.approx(then * theta / (2 * math.pi)), pair
    (shares,) = at(
        METHOD, method=method, dim=dim, base=base, trained=trained, wanted=wanted, show="frequency kept"
    ).pictures
    assert isinstance(shares, Curves)
    assert list(shares.curves[0].y) == pytest.approx([a / b for a, b in zip(found, plain, strict=True)])


def test_longrope_is_phis_own() -> None:
    case = golden("longrope")["configs"]["phi3_5_mini"]
    seen = at(METHOD, method=methods.LONGROPE, wanted="32k", show="frequency kept")
    (picture,) = seen.pictures
    assert isinstance(picture, Curves)
    assert list(picture.curves[0].y) == pytest.approx([1 / factor for factor in case["long_factor"]])
    assert reading(seen, "scores") == pytest.approx(1.1902380714238083**2)
    assert "Phi-3.5 mini" in seen.see
    assert [control.name for control in demo.controls(METHOD, {"method": methods.LONGROPE})] == [
        "method",
        "show",
        "wanted",
    ]


def test_side_by_side_says_what_each_method_says_alone() -> None:
    seen = at(COMPARE, trained="4k", wanted="64k")
    (picture,) = seen.pictures
    assert isinstance(picture, Matrix)
    assert len(picture.cells) == len(picture.row_labels) == len(methods.METHODS)
    for method, row in zip(methods.METHODS, picture.cells, strict=True):
        alone = at(METHOD, method=method, trained="4k", wanted="64k")
        past, pairs = row[0].split("/")
        assert int(past) == reading(alone, "past training")
        assert int(pairs) == (48 if method == methods.LONGROPE else 64)
        assert float(row[1]) == pytest.approx(reading(alone, "at most"), abs=0.0051)
        assert float(row[2]) == pytest.approx(reading(alone, "pair 0 a step"), abs=0.00051)
        assert float(row[4]) == pytest.approx(reading(alone, "scores"), abs=0.0051)
    assert "untouched 18 of 64; interpolation 0, NTK-aware 17, YaRN 0, Llama 3 0" in at(COMPARE).see


def test_short_texts_side_by_side() -> None:
    seen = at(COMPARE, now="512 tokens")
    assert "no longer than training" in seen.see
    assert "0.125 rad" in seen.see
    dynamic = next(line for line in seen.words if line.startswith("dynamic NTK"))
    assert "keep 100.0%" in dynamic
    halfway = at(COMPARE, now="half of it")
    # At 16k of 4k, dynamic NTK is NTK-aware scaling by 4.
    alone = at(METHOD, method=methods.NTK, wanted="16k")
    line = next(line for line in halfway.words if line.startswith("dynamic NTK"))
    assert f"{reading(alone, 'past training'):.0f} of 64 pairs past training" in line
    assert f"{reading(alone, 'at most'):.2f} times" in line


@pytest.mark.parametrize(
    ("model", "case"),
    [
        ("llama-3.1-8b", "llama3_1_8b_128k"),
        ("yarn-llama-2-7b-64k", "llama2_7b_yarn_s16"),
        ("gpt-oss-20b", "gpt_oss_yarn_s32_untruncated"),
        ("deepseek-v3", "deepseek_v3_yarn_s40"),
        ("qwen2.5-7b-128k", "qwen2_5_7b_yarn_s4"),
    ],
)
def test_models_run_at_the_reference_frequencies(model: str, case: str) -> None:
    result = golden("rope_inv_freq")["configs"][case]["results"]
    reference = (result if isinstance(result, list) else list(result.values()))[0]
    seen = at(MODELS, model=model, length="64k")
    (picture,) = seen.pictures
    assert isinstance(picture, Curves)
    for y, frequency in zip(picture.curves[1].y, reference["inv_freq"], strict=True):
        assert 10**y == pytest.approx(65536 * frequency / (2 * math.pi), rel=1e-6)


def test_models_by_name() -> None:
    for name, model in models.MODELS.items():
        seen = at(MODELS, model=name)
        assert seen.see.startswith(f"{model.title}: ")
        assert model.source in seen.words[-1]
        assert reading(seen, "trained at") == model.length
    assert reading(at(MODELS, model="llama-3-8b"), "no full turn") == 29
    # Divided by 8, and run at 8 times the trained length: where training ended.
    assert reading(at(MODELS, model="llama-3.1-8b"), "past, as run") == 0
    assert reading(at(MODELS, model="llama-3.1-8b"), "past, unscaled") == 29


def test_the_symptom_of_the_reference() -> None:
    case = golden("precision")["llama31_scaled_vs_unscaled_mean_cos"]
    for position, value in zip(case["pos"], case["mean_cos"], strict=True):
        seen = at(SYMPTOM, position=position)
        assert reading(seen, "cosine here") == pytest.approx(value, abs=2e-6)
        assert f"{value:.3f}" in seen.see
    assert reading(at(SYMPTOM), "pairs changed") == 35


def test_a_changed_base_by_a_loop() -> None:
    for position in (0, 7, 4096, 131072):
        pairs = zip(thetas(128, 1e4), thetas(128, 5e5), strict=True)
        mean = sum(math.cos(position * (a - b)) for a, b in pairs) / 64
        assert reading(at(SYMPTOM, case="base changed", position=position), "cosine here") == pytest.approx(
            mean, abs=1e-9
        )


@pytest.mark.parametrize("case", ["YaRN", "NTK-aware", "interpolated"])
def test_an_untuned_method_by_a_loop(case: str) -> None:
    method = {"interpolated": methods.INTERPOLATION}.get(case, case)
    pairs = list(zip(thetas(128, 1e4), by_hand(method, 128, 1e4, 4096, 32768), strict=True))
    mean = sum(math.cos(100 * (a - b)) for a, b in pairs) / 64
    assert reading(at(SYMPTOM, case=case, position=100), "cosine here") == pytest.approx(mean, abs=1e-9)


def test_switches_and_ramps_by_the_reference() -> None:
    phi = golden("longrope")["configs"]["phi3_5_mini"]
    plain = thetas(96, 1e4)
    mean = sum(
        math.cos(5000 * (theta / long - theta / short))
        for theta, long, short in zip(plain, phi["long_factor"], phi["short_factor"], strict=True)
    ) / 48  # fmt: skip
    assert reading(at(SYMPTOM, case="list switched", position=5000), "cosine here") == pytest.approx(
        mean, abs=1e-9
    )
    dynamic = (
        sum(
            math.cos(4000 * (theta * 2 ** (-2 * i / 126) - theta)) for i, theta in enumerate(thetas(128, 1e4))
        )
        / 64
    )
    assert reading(at(SYMPTOM, case="dynamic, old keys", position=4000), "cosine here") == pytest.approx(
        dynamic, abs=1e-9
    )
    code, paper = (by_hand(name, 128, 1e4, 4096, 65536) for name in (methods.YARN, methods.PAPER_YARN))
    ramps = sum(math.cos(5000 * (a - b)) for a, b in zip(code, paper, strict=True)) / 64
    assert reading(at(SYMPTOM, case="YaRN's other ramp", position=5000), "cosine here") == pytest.approx(
        ramps, abs=1e-9
    )
    configs = golden("rope_inv_freq")["configs"]
    exact, rounded = (
        next(iter(configs[name]["results"]))["inv_freq"]
        if isinstance(configs[name]["results"], list)
        else next(iter(configs[name]["results"].values()))["inv_freq"]
        for name in ("gpt_oss_yarn_s32_untruncated", "gpt_oss_yarn_s32_truncated")
    )
    mean = sum(math.cos(100 * (a - b)) for a, b in zip(exact, rounded, strict=True)) / 32
    assert reading(at(SYMPTOM, case="range rounded", position=100), "cosine here") == pytest.approx(
        mean, abs=1e-5
    )
