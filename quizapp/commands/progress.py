"""How far long work has come, on a terminal's error stream; nothing in a pipe."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable

# Work that is done before anyone looks up needs no line.
_QUIET_SECONDS = 0.4


def progress(what: str) -> Callable[[int, int], None] | None:
    """A callback that says ``what`` and how far it is; None where no terminal shows it."""
    if not sys.stderr.isatty():
        return None
    started = time.monotonic()
    shown = False

    def say(done: int, total: int) -> None:
        nonlocal shown
        if done < total and time.monotonic() - started > _QUIET_SECONDS:
            shown = True
            sys.stderr.write(f"\r{what} {done} of {total}")
        elif done == total and shown:
            sys.stderr.write("\r" + " " * 60 + "\r")
        sys.stderr.flush()

    return say
