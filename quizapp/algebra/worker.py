"""A warm sympy in a process of its own, which a hard question cannot outlive."""

from __future__ import annotations

import atexit
import contextlib
import json
import os
import queue
import subprocess
import sys
import threading
import time
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

START_LIMIT = 30.0


@dataclass(frozen=True)
class Answer:
    """What the worker found: a proof with its method, or none; ``timed_out`` when it was stopped."""

    proved: bool
    method: str = ""
    timed_out: bool = False
    failed: bool = False


class Worker:
    """One sympy process. Safe to call from several threads: one question at a time.

    The process ends when its parent does, even in the middle of a question, since its input closes.
    Killing it loses nothing: the next question starts another one.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._process: subprocess.Popen[str] | None = None
        self._lines: queue.Queue[str | None] = queue.Queue()
        self._ready = False
        self._count = 0

    @property
    def running(self) -> bool:
        """Whether the process is there."""
        return self._process is not None and self._process.poll() is None

    @property
    def pid(self) -> int | None:
        """The id of the process, if it runs."""
        return self._process.pid if self._process is not None and self.running else None

    def start(self) -> None:
        """Start the process; returns at once, it becomes ready by itself."""
        with self._lock:
            self._start()

    def wait_ready(self, limit: float = START_LIMIT) -> bool:
        """Start it and wait until it is warm; False if that takes longer than ``limit`` seconds."""
        with self._lock:
            self._start()
            return self._await_ready(limit)

    def prove(self, question: Mapping[str, Any], limit: float) -> Answer:
        """Ask for a proof; after ``limit`` seconds (once it is warm) the process is killed and replaced."""
        with self._lock:
            self._start()
            if not self._await_ready(START_LIMIT):
                self._kill()
                return Answer(False, failed=True)
            self._count += 1
            try:
                assert self._process is not None
                assert self._process.stdin is not None
                self._process.stdin.write(json.dumps({**question, "id": self._count, "limit": limit}) + "\n")
                self._process.stdin.flush()
            except OSError:
                self._kill()
                return Answer(False, failed=True)
            return self._await_answer(limit)

    def restart(self) -> None:
        """Kill the process and start another."""
        with self._lock:
            self._kill()
            self._start()

    def close(self) -> None:
        """End the process."""
        with self._lock:
            self._kill()

    def _await_answer(self, limit: float) -> Answer:
        deadline = time.monotonic() + limit
        while True:
            try:
                line = self._lines.get(timeout=max(deadline - time.monotonic(), 0.0))
            except queue.Empty:
                self._kill()
                self._start()
                return Answer(False, timed_out=True)
            if line is None:
                self._kill()
                self._start()
                return Answer(False, failed=True)
            reply = json.loads(line)
            if reply.get("id") == self._count:
                return Answer(bool(reply["proved"]), str(reply["method"]), failed=bool(reply["failed"]))

    def _await_ready(self, limit: float) -> bool:
        if self._ready:
            return True
        try:
            line = self._lines.get(timeout=limit)
        except queue.Empty:
            return False
        self._ready = line is not None
        return self._ready

    def _start(self) -> None:
        if self.running:
            return
        self._kill()
        root = str(Path(__file__).resolve().parents[2])
        path = os.pathsep.join(part for part in (root, os.environ.get("PYTHONPATH", "")) if part)
        lines: queue.Queue[str | None] = queue.Queue()
        self._lines = lines
        # A session of its own: Ctrl-C in the terminal is meant for the app.
        process = subprocess.Popen(
            [sys.executable, "-m", "quizapp.algebra.process"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
            encoding="utf-8",
            env={**os.environ, "PYTHONPATH": path, "PYTHONHASHSEED": "0"},
            start_new_session=os.name == "posix",
        )
        self._process = process
        threading.Thread(target=_collect, args=(process, lines), daemon=True).start()

    def _kill(self) -> None:
        process, self._process = self._process, None
        self._ready = False
        if process is None:
            return
        with contextlib.suppress(OSError):
            process.kill()
        process.wait()
        with contextlib.suppress(OSError):
            if process.stdin is not None:
                process.stdin.close()


def _collect(process: subprocess.Popen[str], lines: queue.Queue[str | None]) -> None:
    assert process.stdout is not None
    with process.stdout, contextlib.suppress(ValueError, OSError):
        for line in process.stdout:
            lines.put(line)
    lines.put(None)


_SHARED = Worker()


def shared() -> Worker:
    """The worker that ``decide`` uses."""
    return _SHARED


def warm_up() -> None:
    """Start the shared worker in the background."""
    _SHARED.start()


def shut_down() -> None:
    """End the shared worker; the next question starts it again."""
    _SHARED.close()


atexit.register(shut_down)
