"""Derivation files: what the format takes, and each mistake in one line with its place."""

from __future__ import annotations

from pathlib import Path

import pytest

from quizapp.derivations import DerivationError, find, load, load_library
from quizapp.derivations.cases import cases
from quizapp.library import content_root

GOOD = """\
id = "double-angle"
title = "The sine of a double angle"
claim = "sin(2 x) = 2 sin(x) cos(x)"

[symbols]
x = "real"

[[steps]]
expr = "sin(2 x)"
why = "The left side."

[[steps]]
expr = "sin(x + x)"
why = "2x is x + x."
rule = "split"

[[steps]]
expr = "2 sin(x) cos(x)"
why = "The sine of a sum."
"""

IDS = {
    *("rotation-composition", "rotation-composition-d4", "rotation-composition-d8", "linear-shift"),
    *("linear-shift-sign", "permutation-equivariance", "softmax-permutation", "ffn-equivariance"),
    *("causal-mask-breaks-symmetry", "relative-score", "relative-score-d8", "relative-score-complex"),
    *("relative-score-expanded", "shift-invariance", "rotation-keeps-norm", "pe-dot-product", "pe-norm"),
    *("step-back", "wavelengths", "turns-and-incomplete-pairs", "interpolation-scales-frequencies"),
    *("ntk-aware-base", "yarn-ramp-and-temperature", "llama3-ntk-by-parts", "alibi-row-shift"),
    *("alibi-geometric", "shaw-offsets", "t5-offsets", "causal-mean-variance", "four-term-expansion"),
    *("rope-commutes-with-interpolation", "uniform-shift-score"),
}


def written(folder: Path, text: str, name: str = "double-angle") -> Path:
    path = folder / f"{name}.toml"
    path.write_text(text, encoding="utf-8")
    return path


def test_a_file_is_read_with_its_places(tmp_path: Path) -> None:
    found = load(written(tmp_path, GOOD))
    assert (found.id, found.symbols, len(found.steps)) == ("double-angle", {"x": "real"}, 3)
    assert found.claim_line == 3
    assert found.lines == (9, 13, 18)
    assert [step.rule for step in found.steps] == [None, "split", None]


@pytest.mark.parametrize(
    ("old", "new", "line", "said"),
    [
        ('title = "The', 'titel = "The', 2, "did you mean title?"),
        ('claim = "sin(2 x) = 2 sin(x) cos(x)"', 'claim = "sin(2 x)"', 3, "LEFT = RIGHT"),
        ('rule = "split"', 'rul = "split"', 15, "step 2 has an unknown key rul; did you mean rule?"),
        ('why = "2x is x + x."', "why = 3", 14, "step 2: why must be text in quotes, not a whole number"),
        ('expr = "sin(x + x)"\n', "", 12, "step 2 needs exactly one of expr and relation"),
        ('expr = "sin(x + x)"', 'expr = " "', 13, "step 2: expr is empty"),
        ('id = "double-angle"', 'id = "Double Angle"', 1, "lower-case words joined by hyphens"),
        ('id = "double-angle"', 'id = "half-angle"', 1, "file name without .toml, which is 'double-angle'"),
        ('x = "real"', "x = real", 6, "not valid TOML"),
        ('x = "real"', "x = 1", 5, "an entry of symbols must be text in quotes"),
    ],
)
def test_a_mistake_names_its_line(tmp_path: Path, old: str, new: str, line: int, said: str) -> None:
    assert GOOD.count(old) == 1
    path = written(tmp_path, GOOD.replace(old, new))
    with pytest.raises(DerivationError) as caught:
        load(path)
    assert str(caught.value).startswith(f"{path}:{line}: ")
    assert said in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_file_that_is_not_there_or_not_text(tmp_path: Path) -> None:
    with pytest.raises(DerivationError, match="no such derivation file"):
        load(tmp_path / "none.toml")
    (tmp_path / "bad.toml").write_bytes(b"\xff\xfe")
    with pytest.raises(DerivationError, match="not UTF-8"):
        load(tmp_path / "bad.toml")


def test_one_step_is_no_derivation(tmp_path: Path) -> None:
    text = GOOD[: GOOD.index('[[steps]]\nexpr = "sin(x + x)"')]
    with pytest.raises(DerivationError, match="at least two steps"):
        load(written(tmp_path, text))


def test_a_later_folder_replaces_and_a_missing_one_is_skipped(tmp_path: Path) -> None:
    first, second = tmp_path / "one", tmp_path / "two"
    first.mkdir()
    second.mkdir()
    written(first, GOOD)
    written(second, GOOD.replace("The sine", "Again the sine"))
    roots = (first, tmp_path / "missing", second)
    assert load_library(roots)["double-angle"].title.startswith("Again")
    assert find("double-angle", roots).title.startswith("Again")
    with pytest.raises(DerivationError, match="did you mean double-angle"):
        find("duoble-angle", roots)
    with pytest.raises(DerivationError, match="no derivation"):
        find("../double-angle", roots)


def test_the_library_has_every_derivation_that_cards_and_scripts_name() -> None:
    library = load_library([content_root() / "derivations"])
    assert set(library) >= IDS
    for found in library.values():
        assert all(step.hint for step in found.steps[1:]), found.id
        assert all(step.rule for step in found.steps), found.id
        assert found.sources, found.id


def test_the_claims_that_scripts_rely_on() -> None:
    found = find("rotation-composition", [content_root() / "derivations"])
    assert found.claim == "R(m theta)^T R(n theta) = R((n-m) theta)"
    assert found.symbols == {"m": "real", "n": "real", "theta": "real"}


def ranged(folder: Path, entry: str) -> Path:
    return written(folder, GOOD.replace("[symbols]", f"[for_all]\n{entry}\n\n[symbols]"))


def test_ranges_are_half_open_and_permutations_complete(tmp_path: Path) -> None:
    found, noun = cases(load(ranged(tmp_path, 'k = "-1:3"')))
    assert [dict(case.values)["k"] for case in found] == ["-1", "0", "1", "2"]
    assert noun == "values of k"
    found, noun = cases(load(ranged(tmp_path, 'P = "permutations(3)"')))
    assert len({case.values for case in found}) == 6
    assert noun == "permutations"
    found, noun = cases(load(ranged(tmp_path, 'k = "0:3"\nj = [1, "pi"]')))
    assert len(found) == 6
    assert noun == "cases"


@pytest.mark.parametrize(
    ("entry", "said"),
    [
        ('k = "3:3"', "is empty"),
        ("k = []", "is empty"),
        ('k = "all"', "is no range"),
        ('k = "0:100000"', "more than 720 values"),
        ('P = "permutations(9)"', "from 1 to 6, not 9"),
        ('j = "0:30"\nk = "0:30"', "900 cases"),
    ],
)
def test_a_range_that_cannot_be_gone_through(tmp_path: Path, entry: str, said: str) -> None:
    path = ranged(tmp_path, entry)
    with pytest.raises(DerivationError, match=said) as caught:
        cases(load(path))
    assert str(caught.value).startswith(f"{path}:5: ")
