"""Proofs in the background that a key can stop."""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal
from collections.abc import Callable
from typing import TypeVar

T = TypeVar("T")


async def run_stoppable(work: Callable[[], T], stop: asyncio.Event) -> T:
    """Run ``work`` in a thread. Once ``stop`` is set, each proof in it ends undecided at once.

    Only the sympy process is ended; the next question starts another.
    """
    task = asyncio.create_task(asyncio.to_thread(work))
    stopped = asyncio.create_task(stop.wait())
    await asyncio.wait({task, stopped}, return_when=asyncio.FIRST_COMPLETED)
    stopped.cancel()
    while not task.done():
        # One line may ask several questions, each of which starts the process again.
        _end_proof()
        await asyncio.wait({task}, timeout=0.05)
    return task.result()


def _end_proof() -> None:
    from quizapp.algebra.worker import shared

    pid = shared().pid
    if pid is not None:
        with contextlib.suppress(OSError):
            os.kill(pid, signal.SIGTERM)
