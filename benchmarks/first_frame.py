"""How soon the app is there, against an empty Textual app with a Markdown widget, and how soon a key is drawn.

Each is a process of its own in a pseudo-terminal of 80 by 24, in turns. Keys are pressed with 10,000 cards.

Run: python benchmarks/first_frame.py
"""

from __future__ import annotations

import fcntl
import os
import pty
import select
import signal
import statistics
import struct
import subprocess
import sys
import tempfile
import termios
import time
from pathlib import Path

ROUNDS = 5
KEYS = 60
CARDS = 10_000
LIMIT_RATIO = 1.3
LIMIT_KEY_MS = 16.0
EMPTY = """
from textual.app import App
from textual.widgets import Markdown
class Empty(App):
    def compose(self):
        yield Markdown("first frame")
Empty().run()
"""


FLOOR = """
from textual.app import App
from textual.widgets import Static
class Floor(App):
    def compose(self):
        yield Static("first frame")
    def on_key(self, event):
        self.query_one(Static).update(event.key)
Floor().run()
"""


class Terminal:
    """A program in a pseudo-terminal; ``close`` ends it."""

    def __init__(self, *command: str) -> None:
        self.parent, child = pty.openpty()
        fcntl.ioctl(child, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 80, 0, 0))
        kept = {name: value for name, value in os.environ.items() if name not in ("NO_COLOR", "QUIZAPP_HOME")}
        self.start = time.perf_counter()
        self.process = subprocess.Popen(
            [sys.executable, *command],
            stdin=child, stdout=child, stderr=child, start_new_session=True,
            env=kept | {"TERM": "xterm-256color", "COLORTERM": "truecolor"},
        )  # fmt: skip
        os.close(child)

    def read(self, seconds: float) -> bytes:
        """What was written, as soon as anything is; nothing after ``seconds``."""
        if not select.select([self.parent], [], [], seconds)[0]:
            return b""
        return os.read(self.parent, 1 << 16)

    def until(self, text: str, seconds: float = 60) -> float:
        """Milliseconds from the start of the process until the text is drawn."""
        seen = b""
        while text.encode() not in seen:
            if time.perf_counter() - self.start > seconds:
                raise SystemExit(f"{text!r} was never drawn: {seen[-300:]!r}")
            seen += self.read(0.1)
        return 1000 * (time.perf_counter() - self.start)

    def quiet(self) -> None:
        """Wait until nothing was written for a while."""
        while self.read(0.4):
            pass

    def press(self, key: str) -> float:
        """Milliseconds from a key to the first thing drawn after it."""
        start = time.perf_counter()
        os.write(self.parent, key.encode())
        if not self.read(2):
            raise SystemExit(f"the key {key!r} draws nothing")
        took = 1000 * (time.perf_counter() - start)
        while self.read(0.05):
            pass
        return took

    def close(self) -> None:
        self.process.send_signal(signal.SIGKILL)
        self.process.wait()
        os.close(self.parent)


def first_frames(home: Path) -> None:
    """Print when the first frame is there, and when the decks are listed in it."""
    app = ("-m", "quizapp", "--home", str(home))
    programs = {
        "empty app": (("-c", EMPTY), "first frame"),
        "quizapp, first frame": (app, "Decks"),
        "quizapp, decks listed": (app, "Rapid fire"),
    }
    times: dict[str, list[float]] = {name: [] for name in programs}
    for turn in range(ROUNDS + 1):
        for name, (command, text) in programs.items():
            terminal = Terminal(*command)
            took = terminal.until(text)
            terminal.close()
            if turn:  # The first one fills the caches.
                times[name].append(took)
    base = statistics.median(times["empty app"])
    print(f"{'':<24}{'median ms':>10}{'ratio':>8}{'limit':>8}")
    for name, found in times.items():
        limit = f"{LIMIT_RATIO:>8.1f}" if name == "quizapp, first frame" else ""
        print(f"{name:<24}{statistics.median(found):>10.0f}{statistics.median(found) / base:>8.2f}{limit}")


def key_presses(home: Path, decks: Path) -> None:
    """Print how long a key takes to be drawn with many cards, and in an app that shows the key and nothing else."""
    cards = "\n".join(
        f'## Question {number}?\n\n```toml card\npoints = ["one", "two", "three"]\nhints = ["first", "second"]\n```\n\n'
        f"Answer $x_{{{number}}}$, then\n\n$$\\frac{{{number}}}{{b}}$$\n"
        for number in range(CARDS)
    )
    (decks / "many.md").write_text(f"# Many cards\n\nTo be pressed.\n\n{cards}", encoding="utf-8")
    home.joinpath("config.toml").write_text(f"new_per_day = {CARDS - 1}\n", encoding="utf-8")
    where = ("--home", str(home), "--decks", str(decks))
    drill = ("-m", "quizapp", "drill", "many", *where)
    # What is run, the text to wait for, keys pressed before, and keys to measure, each for itself.
    runs = {
        "Textual alone": (("-c", FLOOR), "first frame", "", {"a key": "a", "another": "b"}),
        "home": (("-m", "quizapp", *where), "Many cards", "", {"next deck": "j", "deck before": "k"}),
        "drill": (drill, "Question", "", {"hint": "h", "answer": " ", "grade, next card": "3"}),
        "answered": (drill, "Question", " ", {"next key point": "j", "tick": "x", "point before": "k"}),
        "cram": ((*drill, "--cram"), "Question", "", {"answer": " ", "grade, next card": "3"}),
    }
    print(f"\n{f'with {CARDS} cards':<32}{'median ms':>10}{'p95 ms':>8}{'limit':>8}")
    for name, (command, text, before, keys) in runs.items():
        terminal = Terminal(*command)
        terminal.until(text)
        terminal.quiet()
        if before:
            terminal.press(before)
        times: dict[str, list[float]] = {said: [] for said in keys}
        for _ in range(KEYS // len(keys)):
            for said, key in keys.items():
                times[said].append(terminal.press(key))
        terminal.close()
        for said, found in times.items():
            p95 = statistics.quantiles(found, n=20)[-1]
            row = f"{f'{name}: {said}':<32}{statistics.median(found):>10.1f}{p95:>8.1f}"
            print(row if name == "Textual alone" else f"{row}{LIMIT_KEY_MS:>8.1f}")


def main() -> None:
    """Print both tables."""
    with tempfile.TemporaryDirectory() as home:
        first_frames(Path(home))
    with tempfile.TemporaryDirectory() as home, tempfile.TemporaryDirectory() as decks:
        key_presses(Path(home), Path(decks))


if __name__ == "__main__":
    main()
