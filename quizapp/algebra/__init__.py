"""Read maths without eval, decide whether two lines are equal, and say by which numbers they differ.

Everything is imported when it is first asked for; sympy lives in a process of its own.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from quizapp.algebra.deciding import Verdict, decide
    from quizapp.algebra.errors import Unreadable
    from quizapp.algebra.evaluation import evaluate
    from quizapp.algebra.form import same_form
    from quizapp.algebra.names import Names
    from quizapp.algebra.printing import to_latex, to_text
    from quizapp.algebra.reader import read, read_relation
    from quizapp.algebra.slips import Slip, name_slip, spoil
    from quizapp.algebra.tree import Expression
    from quizapp.algebra.worker import Worker, shut_down, warm_up

_HOME = {
    "Expression": "tree",
    "Names": "names",
    "Slip": "slips",
    "Unreadable": "errors",
    "Verdict": "deciding",
    "Worker": "worker",
    "decide": "deciding",
    "evaluate": "evaluation",
    "name_slip": "slips",
    "read": "reader",
    "read_relation": "reader",
    "same_form": "form",
    "shut_down": "worker",
    "spoil": "slips",
    "to_latex": "printing",
    "to_text": "printing",
    "warm_up": "worker",
}

__all__ = [
    "Expression",
    "Names",
    "Slip",
    "Unreadable",
    "Verdict",
    "Worker",
    "decide",
    "evaluate",
    "name_slip",
    "read",
    "read_relation",
    "same_form",
    "shut_down",
    "spoil",
    "to_latex",
    "to_text",
    "warm_up",
]


def __getattr__(name: str) -> Any:
    if name not in _HOME:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    import importlib

    value = getattr(importlib.import_module(f"{__name__}.{_HOME[name]}"), name)
    globals()[name] = value
    return value
