"""The sympy process: it really stops, comes back, and leaves nothing behind."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

from quizapp.algebra import Names, Worker, decide
from quizapp.algebra.comparing import Comparison
from quizapp.algebra.meaning import meaning
from quizapp.algebra.reader import read
from quizapp.algebra.tree import Expression


def question(a: str, b: str) -> dict[str, object]:
    sides = [meaning(read(text, Names()), Names()) for text in (a, b)]
    nodes = [side for side in sides if isinstance(side, Expression)]
    comparison = Comparison.of(nodes[:1], nodes[1:], Names())
    return {"program": comparison.program.to_json(), "symbols": {}, "complex": False}


HARD = question("((x+y+z+w+u+v+1)^60 + 1)^40", "((x+y+z+w+u+v+1)^60 + 2)^40 - 1")


def test_a_hard_question_is_killed_and_the_next_one_answered() -> None:
    worker = Worker()
    try:
        assert worker.wait_ready()
        first = worker.pid
        start = time.monotonic()
        answer = worker.prove(HARD, 0.5)
        assert answer.timed_out or answer.failed
        assert time.monotonic() - start < 5
        assert worker.pid != first or answer.failed
        assert worker.prove(question("(x+y)^2", "x^2+2x y+y^2"), 20).proved
    finally:
        worker.close()
    assert not worker.running


def test_a_killed_worker_loses_nothing() -> None:
    worker = Worker()
    try:
        assert worker.wait_ready()
        assert worker.pid is not None
        os.kill(worker.pid, 9)
        assert worker.prove(question("x+x", "2x"), 20).failed or worker.running
        assert worker.prove(question("x+x", "2x"), 20).proved
        worker.restart()
        assert worker.prove(question("x+x", "2x"), 20).proved
    finally:
        worker.close()


def test_threads_take_turns() -> None:
    found: list[str] = []

    def ask(k: int) -> None:
        found.append(decide(f"(x+{k})^2", f"x^2 + {2 * k}x + {k * k}", Names(), limit=20).verdict)

    threads = [threading.Thread(target=ask, args=(k,)) for k in range(1, 7)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == ["equal"] * 6


@pytest.mark.skipif(os.name != "posix", reason="process ids are looked up in /proc")
def test_no_orphan_when_the_parent_dies() -> None:
    script = (
        "import sys, time\n"
        "from quizapp.algebra.worker import shared\n"
        "shared().wait_ready(); print(shared().pid, flush=True); time.sleep(60)\n"
    )
    parent = subprocess.Popen([sys.executable, "-c", script], stdout=subprocess.PIPE, text=True)
    assert parent.stdout is not None
    with parent.stdout:
        pid = int(parent.stdout.readline())
        parent.kill()
        parent.wait()
    for _ in range(100):
        state = Path(f"/proc/{pid}/stat")
        if not state.exists() or ") Z" in state.read_text(encoding="utf-8"):
            return
        time.sleep(0.05)
    raise AssertionError(f"the worker {pid} outlived its parent")


def test_nothing_heavy_is_imported_to_read_and_compare_forms() -> None:
    script = (
        "import sys\n"
        "from quizapp.algebra import Names, read, same_form, to_latex\n"
        "a, b = (read(t, Names()) for t in ('x + y', 'y + x'))\n"
        "assert same_form(a, b) and to_latex(a)\n"
        "print([m for m in ('sympy', 'mpmath', 'numpy', 'textual', 'rich') if m in sys.modules])\n"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_sympy_stays_out_of_the_process_that_decides() -> None:
    script = (
        "import sys\n"
        "from quizapp.algebra import Names, decide\n"
        "assert decide('sin(2x)', '2 sin(x) cos(x)', Names(), limit=20).proved\n"
        "assert decide('x', '2x', Names()).verdict == 'different'\n"
        "print('sympy' in sys.modules)\n"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "False"
