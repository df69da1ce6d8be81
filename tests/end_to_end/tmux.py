"""A shell in a tmux of its own: what a terminal shows, and the state it is left in."""

from __future__ import annotations

import contextlib
import os
import shlex
import subprocess
import sys
import time
from pathlib import Path

WAIT = 40.0


class Tmux:
    """One window with an interactive shell; ``close`` ends it."""

    def __init__(self, folder: Path, **environment: str) -> None:
        self._socket = str(folder / "tmux")
        self.home = folder / "home"
        settings = {"QUIZAPP_HOME": str(self.home), "PS1": "$ ", "PYTHONUTF8": "1", "TERM": "xterm-256color"}
        shell = ["env", "-u", "NO_COLOR", "-u", "CI"]
        shell += [f"{name}={value}" for name, value in (settings | environment).items()]
        shell += ["bash", "--norc", "--noprofile", "-i"]
        self._tmux("new-session", "-d", "-x", "80", "-y", "24", "-s", "t", shlex.join(shell))
        self._tmux("set-option", "-g", "window-size", "manual")
        self.wait_for("$")

    def _tmux(self, *arguments: str) -> str:
        # Without UTF-8 in the environment tmux would show underscores.
        done = subprocess.run(
            ["tmux", "-u", "-S", self._socket, "-f", os.devnull, *arguments],
            capture_output=True, text=True, timeout=30, check=True,
        )  # fmt: skip
        return done.stdout

    def run(self, *arguments: str) -> None:
        """Run quizapp in the shell."""
        self.type(shlex.join([sys.executable, "-m", "quizapp", *arguments]))
        self.press("Enter")

    def type(self, text: str) -> None:
        self._tmux("send-keys", "-l", text)

    def press(self, *keys: str) -> None:
        """Press keys by tmux's names, such as ``C-z``."""
        self._tmux("send-keys", *keys)

    def resize(self, width: int, height: int) -> None:
        self._tmux("resize-window", "-x", str(width), "-y", str(height))

    def screen(self) -> str:
        return self._tmux("capture-pane", "-p")

    def wait_for(self, *texts: str) -> str:
        """Wait until the screen shows all the texts and has come to rest; returns what it shows."""
        end = time.monotonic() + WAIT
        before = ""
        while not (all(text in (shown := self._words()) for text in texts) and shown == before):
            assert time.monotonic() < end, (texts, self.screen())
            before = shown
            time.sleep(0.1)
        return shown

    def _words(self) -> str:
        return " ".join(self.screen().split())

    def in_the_shell(self, command: str) -> str:
        """What a command prints, once the shell has run it."""
        self.type(f"clear; {command}; echo do''ne")
        self.press("Enter")
        return self.wait_for("done").rpartition("done")[0]

    def flags(self) -> dict[str, str]:
        """Whether the other screen is shown, a mouse is reported, and the cursor is there: 1 or 0."""
        names = ("alternate_on", "mouse_any_flag", "cursor_flag")
        values = self._tmux("display-message", "-p", " ".join(f"#{{{name}}}" for name in names)).split()
        return dict(zip(names, values, strict=True))

    def assert_clean(self) -> None:
        """The terminal echoes, takes lines, shows its own screen and its cursor, and reports no mouse."""
        settings = self.in_the_shell("stty -a").replace(";", " ").split()
        for wanted in ("icanon", "echo", "isig", "icrnl", "opost"):
            assert wanted in settings, settings
        assert self.flags() == {"alternate_on": "0", "mouse_any_flag": "0", "cursor_flag": "1"}

    def app(self) -> int:
        """The process id of the app."""
        shell = self._tmux("display-message", "-p", "#{pane_pid}").strip()
        end = time.monotonic() + WAIT
        while not (children := _children(int(shell))):
            assert time.monotonic() < end
            time.sleep(0.02)
        return children[0]

    def end(self) -> None:
        """End tmux and all that runs in it, as when its window is closed."""
        self._tmux("kill-server")

    def close(self) -> None:
        with contextlib.suppress(subprocess.CalledProcessError):
            self.end()


def _children(process: int) -> list[int]:
    found = []
    for status in Path("/proc").glob("[0-9]*/stat"):
        with contextlib.suppress(OSError):
            if int(status.read_text().rpartition(")")[2].split()[1]) == process:
                found.append(int(status.parent.name))
    return found
