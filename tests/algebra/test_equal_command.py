"""``quizapp equal``: its words, its JSON, its exit codes."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from quizapp.cli import run

KEYS = ["verdict", "method", "counterexample", "left", "right", "side", "at", "message"]


@pytest.mark.parametrize(
    ("arguments", "code", "verdict"),
    [
        (["x+x", "2x"], 0, "equal"),
        (["-x", "x"], 1, "different"),
        (["-sin(x)", "sin(-x)"], 0, "equal"),
        (["sqrt(-1-x^2)", "3"], 1, "undecided"),
        (["x+", "x"], 2, "unreadable"),
        (["sqrt(x^2)", "x", "--symbol", "x=positive"], 0, "equal"),
        (["--symbol=x=positive", "sqrt(x^2)", "x"], 0, "equal"),
        (["f(2)", "4", "--let", "f(x)=x^2"], 0, "equal"),
        (["--limit", "5", "--", "-x", "-x"], 0, "equal"),
    ],
)
def test_json_and_exit_code(
    arguments: list[str], code: int, verdict: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["equal", "--json", *arguments]) == code
    found = json.loads(capsys.readouterr().out)
    assert list(found)[: len(KEYS)] == KEYS
    assert found["verdict"] == verdict


def test_text_of_each_verdict(capsys: pytest.CaptureFixture[str]) -> None:
    run(["equal", "x/x", "1"])
    assert capsys.readouterr().out.splitlines() == [
        "equal: proved (arithmetic)",
        "  note   the first line needs x != 0",
    ]
    run(["equal", "(a+b)^2", "a^2+b^2"])
    first, left, right = capsys.readouterr().out.splitlines()
    assert first.startswith("different: at a = ")
    assert (left.split()[0], right.split()[0]) == ("left", "right")
    run(["equal", "a/2b", "x"])
    message, line, caret = capsys.readouterr().err.splitlines()
    assert "(a/2)*b or a/(2*b)" in message
    assert line[caret.index("^")] == "b"


@pytest.mark.parametrize(
    "arguments",
    [
        [],
        ["x"],
        ["x", "y", "z"],
        ["x", "y", "--symbol", "x"],
        ["x", "y", "--symbol", "x=big"],
        ["x", "y", "--let", "f(x"],
        ["x", "--batch", "-"],
        ["--batch", "/nowhere/at/all"],
    ],
)
def test_wrong_usage_is_one_line(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["equal", *arguments]) == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    assert len(captured.err.splitlines()) == 1


def test_batch_answers_every_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    questions = tmp_path / "questions.jsonl"
    lines = [
        '{"a": "sqrt(x^2)", "b": "x", "symbols": {"x": "positive"}}',
        '{"a": "sqrt(x^2)", "b": "x"}',
        "",
        "not json",
        '{"a": 3, "b": "x"}',
        '{"a": "x", "b": "x", "symbols": {"x": "odd"}}',
        "[" * 5000,
    ]
    questions.write_text("\n".join(lines), encoding="utf-8")
    assert run(["equal", "--batch", str(questions)]) == 0
    found = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [answer["verdict"] for answer in found] == ["equal", "different", *["unreadable"] * 4]
    assert "questions.jsonl:4" in found[2]["message"]
