"""``quizapp derive``, as a script sees it."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from quizapp.commands.derive import command

VERDICTS = ("equal", "different", "undecided", "unreadable")


def derive(*arguments: str, lines: str = "") -> Result:
    return CliRunner().invoke(command, list(arguments), input=lines)


@pytest.fixture(autouse=True)
def _own_home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("QUIZAPP_HOME", str(tmp_path / "home"))
    monkeypatch.setenv("QUIZAPP_SEED", "3")


def test_each_typed_line_gets_one_line_that_starts_with_its_verdict() -> None:
    typed = (
        "R(m theta)^T R(n theta)\n"
        "R(-m theta) R(n theta)\n"
        "R((m-n) theta)\n"
        "R(m theta\n"
        "\n"
        "[[cos(n theta - m theta), -sin(n theta - m theta)], [sin(n theta - m theta), cos(n theta - m theta)]]\n"
        "R((n-m) theta)\n"
    )
    result = derive("rotation-composition", "--plain", lines=typed)
    assert result.exit_code == 0, result.output
    answers = [
        line.split(":")[0] for line in result.output.splitlines() if line.startswith((*VERDICTS, "goal"))
    ]
    assert answers == ["equal", "equal", "different", "unreadable", "equal", "equal", "goal"]
    refused = next(line for line in result.output.splitlines() if line.startswith("different"))
    assert re.search(r"at m = \S+, n = \S+, theta = \S+, row \d, column \d: line 2 gives -?\d", refused)


def test_the_end_of_input_and_leaving_are_fine() -> None:
    for lines in ("", ":q\nR((n-m) theta)\n", "q\n"):
        result = derive("rotation-composition", "--plain", lines=lines)
        assert result.exit_code == 0
        assert "goal:" not in result.output


def test_hint_reveal_undo_and_goal() -> None:
    result = derive("rotation-composition", "--plain", lines=":h\n:r\n:u\n:x\n:g\n")
    lines = result.output.splitlines()
    assert any(line.startswith("hint: Write both matrices out") for line in lines)
    assert "taken back" in lines
    assert any(line.startswith(":x is no command") for line in lines)
    assert any(line.startswith("goal: reached with 5 lines, 0 slips, 1 hint") for line in lines)
    assert sum("transposed]" in line for line in lines) == 2


def test_the_source_of_formulas_instead_of_drawings() -> None:
    result = derive("linear-shift", "--latex", lines="")
    assert "show:  PE(p+k) = R_k\\, PE(p)" in result.output


def test_output_has_no_control_characters() -> None:
    result = derive("linear-shift", "--plain", lines="PE(p+k)\x1b[31m\nPE(p)\x00\n")
    assert not re.search(r"[\x00-\x09\x0b-\x1f\x7f]", result.output)


def test_the_list() -> None:
    found = json.loads(derive("--list", "--json").output)
    assert {
        "id": "linear-shift",
        "title": "A shift of the sinusoidal encoding is linear",
        "steps": 6,
    } in found
    assert len(found) >= 32
    assert "rotation-composition " in derive("--list").output


def test_ordering_lines() -> None:
    shown = derive("rotation-composition", "--order", lines=":r\n").output
    order = shown.splitlines()[-1].removeprefix("the order is ")
    wrong = " ".join(reversed(order.split()))
    result = derive("rotation-composition", "--order", lines=f"{wrong}\n1 1\n{order}\n")
    answers = [line.split(":")[0] for line in result.output.splitlines()[-3:]]
    assert answers == ["wrong", "unreadable", "right"]


def test_finding_the_wrong_line() -> None:
    shown = derive("rotation-composition", "--wrong-step", lines=":r\n").output.splitlines()[-1]
    number = re.match(r"line (\d+) is wrong: ", shown)
    assert number
    right = derive("rotation-composition", "--wrong-step", lines=f"x\n{number[1]}\n").output.splitlines()
    assert right[-2].startswith("unreadable")
    assert right[-1].startswith(f"right, line {number[1]} is wrong")
    assert (
        derive("rotation-composition", "--wrong-step", lines="1\n")
        .output.splitlines()[-1]
        .startswith("wrong: ")
    )


def test_a_file_of_ones_own(tmp_path: Path) -> None:
    path = tmp_path / "own.toml"
    path.write_text(
        "id = 'own'\ntitle = 'Own'\nclaim = 'x + x = 2 x'\n[symbols]\nx = 'real'\n"
        "[[steps]]\nexpr = 'x + x'\nwhy = 'a'\n[[steps]]\nexpr = '2 x'\nwhy = 'b'\n",
        encoding="utf-8",
    )
    assert "goal:" in derive(str(path), "--plain", lines="2x\n").output


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("rotation-compositoin", "--plain"), "did you mean rotation-composition?"),
        (("--plain",), "name a derivation"),
        (("linear-shift", "--order", "--wrong-step"), "choose one"),
        (("linear-shift", "--json"), "--list"),
    ],
)
def test_wrong_usage_is_one_line(arguments: tuple[str, ...], said: str) -> None:
    result = derive(*arguments)
    assert result.exception is not None
    assert said in str(result.exception)
    assert getattr(result.exception, "exit_code", None) == 2
