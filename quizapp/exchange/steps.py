"""A derivation as numbered steps, for formats that show one instead of stepping through it."""

from __future__ import annotations

import msgspec

from quizapp.derivations.model import Derivation


class WorkedStep(msgspec.Struct, frozen=True):
    """One line: ``latex``, why it follows (Markdown), and the short name of the rule.

    A ``fact`` is a relation used on the way; the chain runs on from the line before it.
    """

    latex: str
    why: str
    rule: str = ""
    hint: str = ""
    fact: bool = False


class Worked(msgspec.Struct, frozen=True):
    """A derivation to read: its claim and definitions as LaTeX, what its symbols are (Markdown), its lines."""

    title: str
    claim: str
    symbols: str
    steps: tuple[WorkedStep, ...]
    definitions: tuple[str, ...] = ()
    note: str = ""
    sources: tuple[str, ...] = ()


def worked(derivation: Derivation) -> Worked:
    """The author's way from the claim's left side to its right side.

    Raises:
        QuizappError: a line or a declaration can't be read.
    """
    from quizapp.algebra import to_latex
    from quizapp.derivations.run import DerivationRun, stated
    from quizapp.derivations.words import definition

    run = DerivationRun(derivation)
    checker = run.checker
    steps = tuple(
        WorkedStep(
            step.latex
            or (to_latex(checker.read(step.expr)) if step.expr is not None else stated(checker, step.text)),
            step.why,
            step.rule or "",
            step.hint or "",
            fact=step.expr is None,
        )
        for step in derivation.steps
    )
    return Worked(
        derivation.title,
        run.claim,
        _symbols(derivation),
        steps,
        tuple(definition(head, checker.names) for head in derivation.let),
        derivation.note or "",
        derivation.sources,
    )


def _symbols(derivation: Derivation) -> str:
    from quizapp.derivations.words import assumptions, span, symbol

    declared = {f"${symbol(name)}$": kind for name, kind in derivation.symbols.items()}
    said = [assumptions(declared)] if declared else []
    said += [f"${symbol(name)}$ over {span(value)}" for name, value in derivation.for_all.items()]
    return "; ".join(said)
