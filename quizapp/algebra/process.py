"""The sympy process: reads questions from its input, one JSON line each, and answers in kind."""

from __future__ import annotations

import json
import os
import queue
import signal
import sys
import threading
from typing import Any

MEMORY = 1 << 30


def main() -> None:
    """Serve until the input closes; then end at once, even in the middle of a proof."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    _limit_memory()
    questions: queue.Queue[dict[str, Any]] = queue.Queue()
    threading.Thread(target=_read, args=(questions,), daemon=True).start()

    from quizapp.algebra.prover import prove, warm

    warm()
    _say({"ready": True})
    while True:
        question = questions.get()
        try:
            method = prove(question)
            _say({"id": question["id"], "proved": bool(method), "method": method, "failed": False})
        except Exception:  # noqa: BLE001
            # sympy raises nearly anything on odd input; whatever it is, there is no proof.
            _say({"id": question["id"], "proved": False, "method": "", "failed": True})


def _say(reply: dict[str, Any]) -> None:
    sys.stdout.write(json.dumps(reply) + "\n")
    sys.stdout.flush()


def _read(questions: queue.Queue[dict[str, Any]]) -> None:
    for line in sys.stdin:
        questions.put(json.loads(line))
    os._exit(0)


def _limit_memory() -> None:
    try:
        import resource
    except ImportError:
        return
    _, hard = resource.getrlimit(resource.RLIMIT_AS)
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, hard))


if __name__ == "__main__":
    main()
