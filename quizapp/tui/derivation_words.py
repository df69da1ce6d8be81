"""What the screens say of a derivation and its lines."""

from __future__ import annotations

from textual.content import Content

from quizapp.derivations.model import Derivation
from quizapp.derivations.run import Answer, DerivationRun, Preview, Written
from quizapp.derivations.words import assumptions, definition, span, symbol
from quizapp.errors import QuizappError
from quizapp.notation import draw, inline
from quizapp.tui.counted import counted

_ORIGINS = {"own": "own line", "revealed": "revealed", "skipped": "shown"}
_SIGNS = {"equal": ("✓", "$text-success"), "different": ("✗", "$text-error")}


def claim(derivation: Derivation) -> str:
    """The claim as LaTeX. Raises QuizappError where it can't be read."""
    return derivation.latex or DerivationRun(derivation).claim


def symbols(derivation: Derivation) -> str:
    """What is assumed, in one line with the symbols as they are drawn: ``m, n integer; θ real``."""
    declared = {_drawn(name): kind for name, kind in derivation.symbols.items()}
    said = [assumptions(declared)] if declared else []
    said += [f"{_drawn(name)} over {span(value)}" for name, value in derivation.for_all.items()]
    return "; ".join(said)


def definitions(run: DerivationRun, width: int) -> tuple[str, ...]:
    """The named functions and matrices as LaTeX, as many beside each other as ``width`` cells hold.

    One that can't be read is left out.
    """
    rows: list[str] = []
    for head in run.derivation.let:
        try:
            made = definition(head, run.checker.names)
        except QuizappError:
            continue
        joined = rf"{rows[-1]} \qquad {made}" if rows else ""
        if joined and draw(joined).width <= width:
            rows[-1] = joined
        else:
            rows.append(made)
    return tuple(rows)


def remark(written: Written) -> Content:
    """What stands beside a line: how it was settled, where it comes from, and why it follows."""
    parts = [part for part in (_ORIGINS.get(written.origin, ""), written.note) if part]
    rest = " · ".join(parts)
    if not written.how:
        return Content(rest)
    return Content.assemble(("✓ ", "$text-success"), written.how, f" · {rest}" if rest else "")


def verdict(answer: Answer) -> Content:
    """The verdict on a typed line, in words and with a mark."""
    sign, style = _SIGNS.get(answer.verdict, ("·", "$text-warning"))
    text = answer.text
    if answer.verdict == "different":
        text = f"different {text}" if text.startswith("at ") else f"different: {text}"
    return Content.assemble((f"{sign} {text}", style))


def caret(read: Preview, text: str, *, indent: int, width: int) -> Content:
    """What can't be read yet, with a mark under the place where the line is short enough to show it."""
    at = (read.at or 1) - 1
    column = indent + Content(text[:at]).cell_length
    if read.at is None or column >= width:
        where = f" at column {read.at}" if read.at else ""
        return Content(f"{' ' * indent}can't read this yet{where}: {read.message}")
    if column + 2 + len(read.message) <= width:
        return Content.assemble(" " * column, ("^", "bold $text-warning"), f" {read.message}")
    return Content.assemble(" " * column, ("^", "bold $text-warning"), f"\n{' ' * indent}{read.message}")


def tally(run: DerivationRun) -> str:
    """Where a run stands, in a few words."""
    parts = [f"step {len(run.lines)}"]
    if run.own_route:
        parts.append("own route")
    parts += [counted(run.mistakes, "slip")] if run.mistakes else []
    parts += [counted(run.hints, "hint")] if run.hints else []
    parts += [f"{run.revealed} revealed"] if run.revealed else []
    return " · ".join(parts)


def _drawn(name: str) -> str:
    try:
        return inline(symbol(name)) or name
    except QuizappError:
        return name
