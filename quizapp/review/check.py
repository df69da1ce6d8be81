"""Whether a typed answer is right: by letters, as a number, as an expression, as hidden words."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from quizapp.decks.number import read_number
from quizapp.errors import QuizappError
from quizapp.review.question import LETTERS, Question

if TYPE_CHECKING:
    from quizapp.algebra import Names


@dataclass(frozen=True)
class Checked:
    """What is said of a typed answer.

    ``message`` can stand alone; ``right_answer`` is Markdown, shown where the answer was not right.
    *undecided* counts neither for nor against the learner; *unreadable* leaves the question open.
    """

    verdict: Literal["right", "wrong", "undecided", "unreadable"]
    message: str
    right_answer: str = ""
    chosen: frozenset[int] = frozenset()


def check_answer(question: Question, text: str) -> Checked:
    """Check a typed answer against its question."""
    if not text.strip():
        return Checked("unreadable", "nothing was typed")
    if question.options:
        return _choice(question, text)
    if question.problem is not None:
        return _generated(question, text)
    match question.kind:
        case "number":
            return _number(question, text)
        case "expression":
            return _expression(question, text)
        case "cloze":
            return _cloze(question, text)
    return Checked("undecided", "graded by you")


def preview(question: Question, text: str) -> str:
    """How a typed answer is read, for a live preview: LaTeX between dollars, a value, or what cannot be read."""
    if not text.strip() or question.options:
        return ""
    try:
        if question.problem is not None or question.kind == "number":
            unit = _unit(question)
            value = read_number(text, unit).value
            return f"{value:.10g}" + (f" {unit}" if unit else "")
        if question.kind == "expression":
            from quizapp.algebra import read, to_latex

            return f"${to_latex(read(text, _names(question)))}$"
    except QuizappError as error:
        return str(error)
    return ""


def letters(question: Question, text: str) -> frozenset[int] | str:
    """The options that ``a``, ``a c``, ``ac`` or ``a, c`` name, or what is wrong with it."""
    named = re.sub(r"[\s,;.)]|\band\b", "", text.lower())
    known = LETTERS[: len(question.options)]
    if not named or any(letter not in known for letter in named):
        return f"answer with a letter from a to {known[-1]}"
    return frozenset(known.index(letter) for letter in named)


def _choice(question: Question, text: str) -> Checked:
    chosen = letters(question, text)
    if isinstance(chosen, str):
        return Checked("unreadable", chosen)
    right = frozenset(number for number, option in enumerate(question.options) if option.right)
    answer = "\n".join(f"- {LETTERS[number]}) {question.options[number].text}" for number in sorted(right))
    if chosen == right:
        return Checked("right", "right", "", chosen)
    why = ""
    if question.problem is not None:
        why = " ".join(question.problem.choices[number].why for number in sorted(chosen - right))
    missed = len(right - chosen)
    if not why and chosen < right:
        why = f"{missed} more {'is' if missed == 1 else 'are'} right"
    return Checked("wrong", f"wrong{': ' + why if why else ''}", answer, chosen)


def _generated(question: Question, text: str) -> Checked:
    problem = question.problem
    assert problem is not None
    try:
        typed = read_number(text, problem.unit)
    except QuizappError as error:
        return Checked("unreadable", str(error))
    if problem.accepts(typed.value):
        return Checked("right", "right")
    slip = problem.slip(typed.value)
    return Checked(
        "wrong",
        f"wrong{': ' + slip if slip else ''}",
        f"{problem.answer_text} {problem.unit or ''}".strip(),
    )


def _unit(question: Question) -> str | None:
    return question.problem.unit if question.problem is not None else question.card.fields.unit


def _number(question: Question, text: str) -> Checked:
    fields = question.card.fields
    unit = fields.unit
    try:
        typed = read_number(text, unit)
    except QuizappError as error:
        return Checked("unreadable", str(error))
    try:
        right = read_number(str(fields.answer), unit)
    except QuizappError as error:
        return Checked("undecided", f"the card's own answer can't be read ({error}); grade yourself")
    tolerance = fields.tolerance if fields.tolerance is not None else right.half_unit
    # A tolerance is a decimal; the last bit of a float must not decide against the learner.
    slack = tolerance + 1e-12 * max(1.0, abs(right.value))
    if abs(typed.value - right.value) <= slack:
        return Checked("right", "right")
    answer = f"{fields.answer} {unit or ''}".strip()
    sign = ": the sign is flipped" if abs(typed.value + right.value) <= slack else ""
    return Checked("wrong", f"wrong{sign}", answer)


def _names(question: Question) -> Names:
    from quizapp.algebra import Names

    return Names(symbols=question.card.fields.symbols)


def _expression(question: Question, text: str) -> Checked:
    from quizapp.algebra import decide, name_slip, read

    answer = str(question.card.fields.answer)
    names = _names(question)
    verdict = decide(answer, text, names)
    shown = f"`{answer}`"
    match verdict.verdict:
        case "equal":
            return Checked("right", "right (proved equal)")
        case "unreadable":
            return Checked("unreadable", verdict.message)
        case "different":
            at = ", ".join(f"{name} = {value}" for name, value in verdict.counterexample)
            where = (
                f" at {at} the answer is {_short(verdict.left)}, yours {_short(verdict.right)}" if at else ""
            )
            slip = name_slip(read(answer, names), read(text, names), names)
            return Checked("wrong", f"wrong:{where}" + (f". {slip.text}" if slip else ""), shown)
    return Checked("undecided", f"undecided: {verdict.message}; not counted against you", shown)


def _short(value: object) -> str:
    return f"{value:.6g}" if isinstance(value, float) else str(value)


def _cloze(question: Question, text: str) -> Checked:
    def plain(words: str) -> str:
        # A point between digits says which number it is; a comma there only groups thousands.
        words = re.sub(r"(?<!\d)[.,]|[.,](?!\d)|,(?=\d{3}(?!\d))", "", words)
        return re.sub(r"[\s$`*_\\{};]+", "", words).casefold()

    wanted = question.hidden
    shown = ", ".join(wanted)
    parts = [part for part in re.split(r"[,;]", text) if part.strip()]
    if plain(text) == plain("".join(wanted)) or [plain(p) for p in parts] == [plain(w) for w in wanted]:
        return Checked("right", "right")
    # Words can be right in many ways; the learner compares and grades.
    return Checked("undecided", "compare with the answer and grade yourself", shown)
