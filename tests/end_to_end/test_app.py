"""The real app in a pseudo-terminal: it draws, grades, and leaves a clean terminal, by key and by signal."""

from __future__ import annotations

import os
import pty
import re
import select
import signal
import struct
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from quizapp.home import Home
from quizapp.review.types import Grade
from quizapp.storage import open_store

LEAVES_ALTERNATE_SCREEN = b"\x1b[?1049l"


class Terminal:
    """A process in a pseudo-terminal of 80 by 24."""

    def __init__(self, home: Path, *arguments: str, **environment: str) -> None:
        import fcntl
        import termios

        self.parent, child = pty.openpty()
        fcntl.ioctl(child, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 80, 0, 0))
        plain = {name: value for name, value in os.environ.items() if name not in ("NO_COLOR", "CI")}
        self.process = subprocess.Popen(
            [sys.executable, "-m", "quizapp", *arguments],
            stdin=child, stdout=child, stderr=child, start_new_session=True,
            env=plain | {"TERM": "xterm-256color", "QUIZAPP_HOME": str(home)} | environment,
        )  # fmt: skip
        os.close(child)
        self.output = b""

    def wait_for(self, text: str, seconds: float = 30) -> None:
        end = time.monotonic() + seconds
        while text.encode() not in self.output:
            assert time.monotonic() < end, self.output[-2000:]
            self._read(0.1)

    def _read(self, seconds: float) -> None:
        if select.select([self.parent], [], [], seconds)[0]:
            try:
                self.output += os.read(self.parent, 65536)
            except OSError:
                return

    def type(self, text: str) -> None:
        os.write(self.parent, text.encode())

    def end(self, seconds: float = 30) -> int:
        end = time.monotonic() + seconds
        while self.process.poll() is None:
            assert time.monotonic() < end, self.output[-2000:]
            self._read(0.05)
        self._read(0.1)
        return self.process.returncode


@pytest.fixture
def terminals() -> Iterator[list[Terminal]]:
    opened: list[Terminal] = []
    yield opened
    for terminal in opened:
        if terminal.process.poll() is None:
            terminal.process.kill()
            terminal.process.wait()
        os.close(terminal.parent)


def test_a_card_is_graded_in_the_real_app(terminals: list[Terminal], tmp_path: Path) -> None:
    terminal = Terminal(tmp_path, "drill", "rapid-fire")
    terminals.append(terminal)
    terminal.wait_for("Prove")
    terminal.type(" ")
    terminal.wait_for("Good")
    terminal.type("3")
    terminal.wait_for("Write")
    terminal.type("\x11")
    assert terminal.end() == 0
    assert LEAVES_ALTERNATE_SCREEN in terminal.output
    with open_store(Home(tmp_path), write=False) as store:
        assert [(review.card, review.grade) for review in store.reviews()] == [
            ("equivariance-proof", Grade.GOOD)
        ]
    assert not list(tmp_path.glob("*-wal"))


@pytest.mark.parametrize("how", [signal.SIGTERM, signal.SIGHUP])
def test_a_signal_leaves_a_clean_terminal(
    terminals: list[Terminal], tmp_path: Path, how: signal.Signals
) -> None:
    terminal = Terminal(tmp_path)
    terminals.append(terminal)
    terminal.wait_for("Rapid fire")
    time.sleep(0.3)
    terminal.process.send_signal(how)
    assert terminal.end() == 0
    assert LEAVES_ALTERNATE_SCREEN in terminal.output
    assert b"Traceback" not in terminal.output


def test_a_dumb_terminal_is_told_about_plain_mode(terminals: list[Terminal], tmp_path: Path) -> None:
    terminal = Terminal(tmp_path, TERM="dumb")
    terminals.append(terminal)
    assert terminal.end() == 2
    assert b"quizapp drill --plain" in terminal.output


def test_sixteen_colours_are_enough(terminals: list[Terminal], tmp_path: Path) -> None:
    terminal = Terminal(tmp_path, "drill", "rapid-fire", TERM="linux", COLORTERM="")
    terminals.append(terminal)
    terminal.wait_for("Prove")
    terminal.type(" ")
    terminal.wait_for("Good")
    terminal.type("\x11")
    assert terminal.end() == 0
    assert colours(terminal.output) == set()
    assert re.search(rb"\x1b\[[\d;]*(3|9)[0-7][;m]", terminal.output)


def test_without_colours_all_is_grey(terminals: list[Terminal], tmp_path: Path) -> None:
    terminal = Terminal(tmp_path, "drill", "rapid-fire", NO_COLOR="1", COLORTERM="truecolor")
    terminals.append(terminal)
    terminal.wait_for("Prove")
    terminal.type(" ")
    terminal.wait_for("[3 Good")
    terminal.type("\x11")
    assert terminal.end() == 0
    found = colours(terminal.output)
    assert len(found) > 1
    assert all(len(set(colour)) == 1 for colour in found)


def colours(output: bytes) -> set[tuple[bytes, ...]]:
    """The colours beyond the sixteen: red, green and blue, or the number in a palette of 256."""
    return {
        tuple(part for part in found.groups() if part is not None)
        for found in re.finditer(rb"[34]8;(?:2;(\d+);(\d+);(\d+)|5;(\d+))", output)
    }


@pytest.mark.parametrize("locale", [{"LANG": "C", "LC_ALL": ""}, {"LANG": "", "LC_ALL": "POSIX"}])
def test_a_bare_locale_still_draws_formulas(
    terminals: list[Terminal], tmp_path: Path, locale: dict[str, str]
) -> None:
    # Containers and ssh leave the locale bare; their terminals take UTF-8 all the same.
    terminal = Terminal(tmp_path, "drill", "rapid-fire", **locale)
    terminals.append(terminal)
    terminal.wait_for("Prove")
    terminal.type(" ")
    terminal.wait_for("─")
    terminal.type("3")
    terminal.wait_for("Write")
    terminal.type("\x11")
    assert terminal.end() == 0


def test_a_terminal_without_utf_8_is_told_about_it(terminals: list[Terminal], tmp_path: Path) -> None:
    ascii_only = {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}
    terminal = Terminal(tmp_path, **ascii_only)
    terminals.append(terminal)
    assert terminal.end() == 2
    assert b"LANG=C.UTF-8" in terminal.output
    assert b"quizapp drill --plain" in terminal.output
    assert b"\x1b[?1049h" not in terminal.output
    plain = Terminal(tmp_path, "drill", "rapid-fire", "--plain", PYTHONIOENCODING="iso-8859-1")
    terminals.append(plain)
    plain.type("\n3\n:q\n")
    assert plain.end() == 0, plain.output
    assert b"saved equivariance-proof good" in plain.output
    # What its letters cannot say is a question mark, and nothing is written in others.
    assert b"\xc2\xb7" not in plain.output
    assert b"\xb7" in plain.output
