"""Where a drill runs: no terminal, a dumb one, one that interrupts; and text that attacks it."""

from __future__ import annotations

import json
import os
import pty
import signal
import subprocess
import sys
from pathlib import Path

import pytest

ATTACK = (
    b"# T \x1b]0;title\x07\n\n## One \x1b[31mred\x1b[0m\ttab [@click=app.quit]x[/]\n\n"
    b"Answer \x1b[2J\x08 \xc2\x9b31m end.\n"
    b"\n## Two\n\nSecond.\n"
)


def command(home: Path, *arguments: str) -> list[str]:
    return [sys.executable, "-m", "quizapp", *arguments, "--home", str(home)]


def environment(**more: str) -> dict[str, str]:
    return os.environ | {"QUIZAPP_NOW": "2026-11-30T12:00:00+01:00", "PYTHONUTF8": "1"} | more


def test_the_app_without_a_terminal_points_to_plain_lines(tmp_path: Path) -> None:
    done = subprocess.run(
        command(tmp_path),
        input="",
        capture_output=True,
        text=True,
        timeout=60,
        env=environment(),
        check=False,
    )
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.count("\n") == 1
    assert "quizapp drill --plain" in done.stderr


@pytest.fixture
def deck(tmp_path: Path) -> str:
    (tmp_path / "decks").mkdir()
    (tmp_path / "decks" / "zz-attack.md").write_bytes(ATTACK)
    return "zz-attack"


def test_escape_sequences_reach_neither_stream(tmp_path: Path, deck: str) -> None:
    done = subprocess.run(
        command(tmp_path, "drill", deck, "--plain"), input=b"\x1b[A\n\n3\n:u\n\n3\n:x\x1b[31m\n", timeout=60,
        capture_output=True, env=environment(), check=False,
    )  # fmt: skip
    assert done.returncode == 0
    for stream in (done.stdout.decode(), done.stderr.decode()):
        assert not [c for c in stream if (ord(c) < 32 and c != "\n") or 127 <= ord(c) < 160]
    out = done.stdout.decode()
    assert "One red" in out
    assert "[@click=app.quit]x[/]" in out
    assert out.count("saved zz-attack/") == 2


@pytest.mark.skipif(not hasattr(os, "openpty"), reason="needs a pseudo-terminal")
def test_a_dumb_terminal_gets_lines_and_an_interrupt_loses_nothing(tmp_path: Path, deck: str) -> None:
    parent, child = pty.openpty()
    process = subprocess.Popen(
        command(tmp_path, "drill", deck), stdin=child, stdout=child, stderr=subprocess.PIPE,
        env=environment(TERM="dumb"), start_new_session=True,
    )  # fmt: skip
    os.close(child)
    os.write(parent, b"\n3\n")
    seen = b""
    while b"2 of 2" not in seen:
        seen += os.read(parent, 4096)
    assert b"saved zz-attack/" in seen
    assert b"\x1b" not in seen
    process.send_signal(signal.SIGINT)
    _, errors = process.communicate(timeout=30)
    os.close(parent)
    assert process.returncode == 130
    assert b"Traceback" not in errors
    log = subprocess.run(
        command(tmp_path, "log", "--json"),
        capture_output=True,
        text=True,
        timeout=60,
        env=environment(),
        check=True,
    )
    assert [row["grade"] for row in json.loads(log.stdout)] == ["good"]
    assert sorted(path.name for path in tmp_path.glob("reviews*")) == ["reviews.sqlite"]
