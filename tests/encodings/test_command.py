"""``quizapp encode`` as scripts and people use it."""

from __future__ import annotations

import csv
import io
import json
import subprocess
import sys
from typing import Any

import numpy as np
import pytest
from click.testing import CliRunner

from quizapp.commands.encode import command
from quizapp.errors import QuizappError


def run(line: str) -> str:
    result = CliRunner().invoke(command, line.split(), catch_exceptions=False)
    assert result.exit_code == 0, result.output
    return result.output


def document(line: str) -> dict[str, Any]:
    found = json.loads(run(line + " --json"))
    assert isinstance(found, dict)
    return found


def table(line: str) -> tuple[list[str], list[list[str]]]:
    header, *rows = csv.reader(io.StringIO(run(line + " --csv")))
    return header, rows


@pytest.mark.parametrize(
    ("line", "scheme", "keys"),
    [
        ("sinusoidal --pos 0:16 --dim 8", "sinusoidal", {"values"}),
        ("rope --pos 3 --dim 8 --base 500000", "rope", {"inv_freq", "angles", "cos", "sin"}),
        ("rope-scaling --model llama-3.1-8b", "rope-scaling", {"inv_freq", "attention_factor"}),
        ("alibi --heads 12", "alibi", {"slopes"}),
        ("alibi --heads 12 --length 8", "alibi", {"slopes", "bias"}),
        ("t5 --offsets=-200:200 --causal", "t5", {"buckets"}),
        ("shaw --length 6 --clip 2", "shaw", {"indices"}),
        ("learned --length 2048 --dim 768", "learned", {"parameters_count"}),
    ],
)
def test_json_names_scheme_parameters_shape_and_arrays(line: str, scheme: str, keys: set[str]) -> None:
    found = document(line)
    assert found["scheme"] == scheme
    assert found["parameters"]
    assert keys <= set(found)
    first = next(key for key in found if key not in ("scheme", "parameters", "shape"))
    if scheme == "rope":
        first = "angles"
    if scheme != "learned":
        assert list(np.array(found[first], dtype=float).shape) == found["shape"]


def test_numbers_by_hand() -> None:
    assert document("sinusoidal --pos 3 --dim 2")["values"] == [[np.sin(3.0), np.cos(3.0)]]
    assert document("rope --pos 2 --dim 4")["angles"] == [[2.0, pytest.approx(0.02, rel=1e-15)]]
    assert document("alibi --heads 6")["slopes"] == [0.25, 0.0625, 0.015625, 0.00390625, 0.5, 0.125]
    assert document("alibi --heads 1 --length 2")["bias"] == [[[0.0, None], [-(2.0**-8), 0.0]]]
    assert document("t5 --offsets=-1:2")["buckets"] == [1, 0, 17]
    assert document("t5 --offsets=-1:2 --causal")["buckets"] == [1, 0, 0]
    assert document("shaw --length 3 --clip 1")["indices"] == [[1, 2, 2], [0, 1, 2], [0, 0, 1]]
    assert document("learned --length 512 --dim 768")["parameters_count"] == 393216
    half = document("rope-scaling --method linear --dim 4 --factor 2")
    assert half["inv_freq"] == [0.5, pytest.approx(0.005, rel=1e-15)]


def test_ranges_are_half_open() -> None:
    found = document("sinusoidal --pos 5:8 --dim 4")
    assert found["shape"] == [3, 4]
    assert [row[0] for row in found["values"]] == pytest.approx([np.sin(5), np.sin(6), np.sin(7)], abs=1e-15)


def test_csv_has_a_header_and_reads_back_exactly() -> None:
    header, rows = table("sinusoidal --pos 0:3 --dim 4")
    assert header == ["position", "pe_0", "pe_1", "pe_2", "pe_3"]
    assert [row[0] for row in rows] == ["0", "1", "2"]
    assert [[float(cell) for cell in row[1:]] for row in rows] == document("sinusoidal --pos 0:3 --dim 4")[
        "values"
    ]
    header, rows = table("rope --pos 1:3 --dim 4")
    assert header[1:] == ["angle_0", "angle_1", "cos_0", "cos_1", "sin_0", "sin_1"]
    assert float(rows[0][3]) == np.cos(1.0)


def test_blocks_join_without_a_seam() -> None:
    # 64 columns make blocks of 4096 rows: this range crosses several.
    _, rows = table("sinusoidal --pos 10:9000 --dim 64")
    assert [int(row[0]) for row in rows] == list(range(10, 9000))
    assert float(rows[8500][1]) == pytest.approx(np.sin(8510.0), abs=1e-12)
    assert document("sinusoidal --pos 10:9000 --dim 64")["values"][8500][0] == float(rows[8500][1])


def test_method_overrides_a_models_own() -> None:
    found = document("rope-scaling --model llama-2-7b --method yarn --factor 16")
    same = document("rope-scaling --method yarn --dim 128 --base 10000 --factor 16 --original-length 4096")
    assert found["inv_freq"] == same["inv_freq"]
    assert found["attention_factor"] == pytest.approx(0.1 * np.log(16) + 1)
    assert found["first_incomplete_pair"] == 46


def test_the_list_of_models_is_what_the_option_takes() -> None:
    listed = document("models")["models"]
    assert len(listed) >= 30
    for entry in listed:
        found = document(f"rope-scaling --model {entry['name']}")
        assert len(found["inv_freq"]) == entry["dim"] // 2
        assert found["source"] == entry["source"]
    _, rows = table("models")
    assert [row[-1] for row in rows] == [entry["source"] for entry in listed]
    assert all(entry["name"] in run("models") for entry in listed)


def test_truncate_and_paper_ramp_change_the_numbers() -> None:
    line = "rope-scaling --method yarn --dim 64 --base 150000 --factor 32 --original-length 4096"
    shipped, exact, paper = (document(line + more) for more in ("", " --no-truncate", " --paper-ramp"))
    assert exact["inv_freq"] != shipped["inv_freq"]
    assert paper["inv_freq"] != exact["inv_freq"]
    assert exact["inv_freq"] == document("rope-scaling --model gpt-oss-20b")["inv_freq"]


@pytest.mark.parametrize(
    "line",
    [
        "sinusoidal --pos 0:5000 --dim 512",
        "rope --pos 0:50 --dim 128",
        "rope --pos 3 --dim 128",
        "rope-scaling --model llama-3.1-405b",
        "alibi --heads 40 --length 60",
        "t5",
        "shaw --length 100 --clip 30",
        "learned --length 2048 --dim 12288",
    ],
)
def test_text_fits_eighty_columns(line: str) -> None:
    lines = run(line).splitlines()
    assert len(lines) < 60
    assert max(map(len, lines)) <= 80
    assert "\x1b" not in run(line)


def test_text_without_unicode() -> None:
    result = subprocess.run(
        [sys.executable, "-m", "quizapp", "encode", "sinusoidal", "--pos", "0:8", "--dim", "8"],
        capture_output=True,
        env={"PYTHONIOENCODING": "ascii", "NO_COLOR": "1"},
        check=True,
    )
    assert result.stdout.isascii()
    assert b"#" in result.stdout


@pytest.mark.parametrize(
    ("line", "says"),
    [
        ("", "encode needs a scheme: alibi, learned"),
        ("sinusoidal --pos 3 --dim 7", "dim 7 is odd"),
        ("sinusoidal --pos 3:3 --dim 8", "empty"),
        ("sinusoidal --pos=-1 --dim 8", "positions start at 0"),
        ("sinusoidal --pos 3 --dim 8 --base nan", "finite"),
        ("sinusoidal --pos 3 --dim 8 --base 1", "greater than 1"),
        ("sinusoidal --pos 3 --dim 99999999999", "at most"),
        ("rope --pos 3 --dim 0", "at least 2"),
        ("rope --pos 3 --dim 8 --partial 0", "rotary fraction"),
        ("rope --pos 3 --dim 8 --partial 0.5 --proportional 0.5", "exclude each other"),
        ("alibi --heads 0", "heads must be at least 1"),
        ("alibi --heads 8 --length 100000", "at most"),
        ("alibi --heads 8 --form mpt", "--length"),
        ("rope-scaling --method ntk --dim 2 --factor 4", "undefined at dim 2"),
        ("rope-scaling --method linear --dim 8 --factor -2", "at least 1"),
        ("rope-scaling --method linear --dim 8", "needs --factor"),
        ("rope-scaling --method yarn --dim 8 --factor 2", "original length"),
        (
            "rope-scaling --method yarn --dim 64 --base 10 --factor 2 --original-length 1000000",
            "no range of pairs",
        ),
        ("rope-scaling --method none --dim 8 --beta-fast 2", "belongs to --method yarn"),
        ("rope-scaling --method yarn --dim 8 --factor 2 --original-length 64 --mscale 1", "go together"),
        (
            "rope-scaling --method longrope --dim 8 --factor 2 --original-length 64",
            "short and 4 long factors",
        ),
        ("rope-scaling --model lama-3.1-8b", "did you mean llama-3.1-8b"),
        ("rope-scaling", "--dim"),
        ("learned --length 2048 --dim 768 --pos 2048", "position 2048 does not exist"),
        ("learned --length 2048 --dim 768 --pos 0:2049", "position 2048 does not exist"),
        ("t5 --buckets 33", "odd"),
        ("t5 --max-distance 8", "greater than 8"),
        ("shaw --length 3 --clip -1", "clip must be at least 0"),
        ("sinusoidal --pos 3 --dim 8 --json --csv", "exclude each other"),
    ],
)
def test_bad_parameters_are_one_clear_line(line: str, says: str) -> None:
    with pytest.raises(QuizappError) as caught:
        CliRunner().invoke(command, line.split(), catch_exceptions=False, standalone_mode=False)
    assert says in str(caught.value)
    assert "\n" not in str(caught.value)
    assert caught.value.exit_code == 2


def test_a_range_that_is_none() -> None:
    result = CliRunner().invoke(command, ["sinusoidal", "--pos", "1:x", "--dim", "8"])
    assert result.exit_code == 2
    assert "such as 0:16" in result.output


def test_a_pipe_closed_early_ends_quietly() -> None:
    line = [
        sys.executable,
        "-m",
        "quizapp",
        "encode",
        "sinusoidal",
        "--pos",
        "0:100000",
        "--dim",
        "512",
        "--csv",
    ]
    with subprocess.Popen(line, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        assert process.stdout.readline().startswith(b"position,")
        process.stdout.close()
        assert process.wait(30) == 0
        assert process.stderr.read() == b""
