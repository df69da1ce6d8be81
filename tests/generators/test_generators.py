"""What every generator promises: the same problem for the same seed, ranges that are checked, readable
text.
"""

from __future__ import annotations

import re
import subprocess
import sys
from typing import Any

import latex2mathml.converter
import pytest

from quizapp.generators import GENERATORS, GeneratorError, find, generate


@pytest.mark.parametrize("name", GENERATORS)
def test_the_same_seed_gives_the_same_problem(name: str) -> None:
    assert generate(name, {}, 11) == generate(name, {}, 11)
    assert len({generate(name, {}, seed).prompt for seed in range(30)}) > 4


@pytest.mark.parametrize("name", GENERATORS)
def test_text_is_readable(name: str) -> None:
    for seed in range(40):
        problem = generate(name, {}, seed)
        texts = [problem.prompt, *problem.solution, *(choice.text for choice in problem.choices)]
        whys = [*(choice.why for choice in problem.choices), *(slip.why for slip in problem.slips)]
        assert len(problem.solution) >= 1
        assert problem.generator == name
        assert set(problem.parameters) == set(GENERATORS[name].parameters)
        for text in [*texts, *whys]:
            assert text.count("$") % 2 == 0
            outside = re.sub(r"\$[^$]*\$", "", text)
            assert not re.search(r"[\\{}]|e[+-]\d\d|\d\.\d{9}", outside), text
            for formula in re.findall(r"\$([^$]*)\$", text):
                assert "<merror" not in latex2mathml.converter.convert(formula)
                assert "e+" not in formula
        assert all(why.endswith(".") for why in whys)


@pytest.mark.parametrize("name", GENERATORS)
def test_the_shown_answer_is_accepted(name: str) -> None:
    for seed in range(100):
        problem = generate(name, {}, seed)
        if problem.kind == "choice":
            assert problem.answer_text == next(choice.text for choice in problem.choices if choice.right)
        else:
            assert problem.accepts(float(problem.answer_text))
            assert len(problem.answer_text) <= 12


def test_naming_the_generators_does_not_import_numpy() -> None:
    code = "import sys, quizapp.generators; sys.exit('numpy' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


def test_ranges_on_a_card_are_half_open_or_lists() -> None:
    drawn = [generate("wavelength", {"dim": [64], "pair": "3:6"}, seed).parameters for seed in range(60)]
    assert {row["pair"] for row in drawn} == {3, 4, 5}
    assert {row["dim"] for row in drawn} == {64}
    one = generate("alibi-slope", {"heads": 12, "head": "8"}, 0)
    assert one.parameters == {"heads": 12, "head": 8}
    even = {generate("turns", {"dim": "60:70"}, seed).parameters["dim"] for seed in range(80)}
    assert even == {60, 62, 64, 66, 68}


@pytest.mark.parametrize(
    ("name", "parameters", "says"),
    [
        ("wavelength", {"dim": [7]}, "odd"),
        ("wavelength", {"dim": []}, "empty"),
        ("wavelength", {"pair": "5:5"}, "empty"),
        ("wavelength", {"pair": "5:x"}, "half-open"),
        ("wavelength", {"pair": [1.5]}, "whole number"),
        ("wavelength", {"dim": [64], "pair": "40:50"}, "leave no problem"),
        ("wavelength", {"heads": 3}, "no parameter 'heads'; it takes dim, base, pair"),
        ("wavelength", {"base": [float("nan")]}, "not a number"),
        ("wavelength", {"base": [0]}, "not between"),
        ("ntk-base", {"dim": [2]}, "not between 4"),
        ("t5-bucket", {"mode": ["sideways"]}, "bidirectional, causal"),
        ("rope-score", {"theta": [-1]}, "not between"),
        ("wavelenght", {}, "did you mean wavelength"),
        ("nothing", {}, "Known: sinusoidal-component"),
    ],
)
def test_bad_ranges_are_one_clear_line(name: str, parameters: dict[str, Any], says: str) -> None:
    with pytest.raises(GeneratorError) as caught:
        find(name).check(parameters)
    assert says in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_typed_number_is_judged_and_a_slip_is_named() -> None:
    problem = generate("next-position", {"prompt": [512], "longest": [600], "generated": [0]}, 0)
    assert problem.answer == 512
    assert problem.accepts(512.0)
    assert not problem.accepts(0)
    assert "start again" in str(problem.slip(0))
    assert "padded length" in str(problem.slip(600))
    assert problem.slip(77) is None
    rounded = generate("ntk-base", {"dim": [128], "base": [10000], "factor": [8]}, 0)
    assert rounded.accepts(82685)
    assert not rounded.accepts(80000)
