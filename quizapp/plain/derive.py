"""Step through derivations by lines of text: for pipes, screen readers and plain terminals."""

from __future__ import annotations

import textwrap
from collections.abc import Callable, Iterator

from quizapp.derivations.find_wrong_step import WrongStepExercise
from quizapp.derivations.order_steps import OrderExercise
from quizapp.derivations.run import Answer, DerivationRun, Written
from quizapp.notation import draw
from quizapp.review.types import Grade

Say = Callable[[str], None]
Ask = Callable[[], str | None]

_KEYS = ":h hint, :r reveal, :u undo, :g goal, :q leave"


def formula(latex: str, label: str, *, source: bool, after: str = "") -> list[str]:
    """A formula with a label before its baseline and a remark behind it, as rows of text."""
    rows, baseline = ([latex], 0) if source else (list(draw(latex).rows), draw(latex).baseline)
    blank = " " * len(label)
    lines = [f"{label if row == baseline else blank}{text}" for row, text in enumerate(rows)]
    if after:
        lines[baseline] += f"    {after}"
    return [line.rstrip() for line in lines]


class PlainDerivation:
    """One derivation typed line by line; every typed line is answered by one line that starts with its
    verdict.
    """

    def __init__(self, run: DerivationRun, ask: Ask, say: Say, *, latex: bool = False) -> None:
        self._run = run
        self._ask = ask
        self._say = say
        self._latex = latex

    @property
    def suggested_grade(self) -> Grade | None:
        """What the run speaks for, once it reached its goal."""
        return Grade(self._run.suggested_grade) if self._run.finished else None

    def play(self) -> None:
        """Go on until the goal, ``:q`` or the end of input."""
        run = self._run
        self._say(run.derivation.title)
        if run.symbols:
            self._wrapped(f"with {run.symbols}")
        self._show(formula(run.claim, "show:  ", source=self._latex))
        self._say(f"({_KEYS})")
        self._line(1, run.lines[0])
        while not run.finished:
            text = self._ask()
            if text is None:
                return
            text = text.strip()
            if text and not self._obey(text):
                return
        if self._run.derivation.note:
            self._wrapped(self._run.derivation.note)

    def _obey(self, text: str) -> bool:
        """Act on one line of input; False to leave."""
        run = self._run
        key = text.lower() if text.startswith(":") else f":{text.lower()}"
        # A bare letter is a command only where it can't be a line.
        if not text.startswith(":") and (len(text) > 1 or run.preview(text).latex is not None):
            key = ""
        if key in (":q", ":quit"):
            return False
        if key in (":h", ":hint"):
            self._say(f"hint: {run.hint()}")
        elif key in (":r", ":reveal"):
            before = len(run.lines)
            if run.reveal() is None:
                self._say("nothing is left to reveal")
            self._since(before)
        elif key in (":u", ":undo"):
            if run.undo():
                self._say("taken back")
                self._line(len(run.lines), run.lines[-1])
            else:
                self._say("nothing to take back")
        elif key in (":g", ":goal"):
            before = len(run.lines)
            run.skip_to_goal()
            self._since(before)
        elif text.startswith(":"):
            self._say(f"{text.split()[0]} is no command; there are {_KEYS}")
        else:
            self._answer(run.submit(text))
        if run.finished:
            self._say(f"goal: {_tally(run)}")
        return True

    def _answer(self, answer: Answer) -> None:
        self._say(" ".join(f"{answer.verdict}: {answer.text}".split()))

    def _since(self, before: int) -> None:
        for number, written in enumerate(self._run.lines[before:], before + 1):
            self._line(number, written)

    def _line(self, number: int, written: Written) -> None:
        remark = ", ".join(part for part in (written.how, written.note) if part)
        self._show(
            formula(
                written.latex, f"{number:>3}  ", source=self._latex, after=f"[{remark}]" if remark else ""
            )
        )

    def _wrapped(self, text: str) -> None:
        self._show(textwrap.wrap(text, 78))

    def _show(self, lines: list[str]) -> None:
        for line in lines:
            self._say(line)


def play_order(
    exercise: OrderExercise, ask: Ask, say: Say, latex: Callable[[str], str], *, source: bool
) -> None:
    """Let the learner put shuffled lines right. Each proposal is answered with ``right`` or ``wrong``."""
    say(exercise.derivation.title)
    say("Put the numbered lines in order, such as: 2 1 3   (:r shows the order, :q leaves)")
    for row in formula(latex(exercise.first.text), "start  ", source=source):
        say(row)
    for number, step in enumerate(exercise.shuffled, 1):
        for row in formula(step.latex or latex(step.text), f"{number:>5}  ", source=source):
            say(row)
    for text in _lines(ask):
        if text == ":r":
            say(f"the order is {' '.join(str(index + 1) for index in exercise.order)}")
            return
        try:
            placed = exercise.answer([int(word) - 1 for word in text.replace(",", " ").split()])
        except ValueError:
            say(f"unreadable: name each line from 1 to {len(exercise.shuffled)} once, with spaces between")
            continue
        say(placed.text if placed.right else f"wrong: {placed.text}")
        if placed.right:
            return


def play_wrong_step(exercise: WrongStepExercise, ask: Ask, say: Say, *, source: bool) -> None:
    """Let the learner name the spoiled line.

    The guess is answered with ``right`` or ``wrong``, and the slip.
    """
    say(exercise.derivation.title)
    say("One line does not follow from the one before. Which?   (:r shows it, :q leaves)")
    for number, line in enumerate(exercise.lines, 1):
        for row in formula(line, f"{number:>3}  ", source=source):
            say(row)
    for text in _lines(ask):
        if text == ":r":
            say(exercise.answer(exercise.wrong).text.removeprefix("right, "))
            return
        try:
            found = exercise.answer(int(text) - 1)
        except ValueError:
            say(f"unreadable: write the number of a line, 1 to {len(exercise.lines)}")
            continue
        say(found.text if found.right else f"wrong: {found.text}")
        return


def _lines(ask: Ask) -> Iterator[str]:
    """The lines of input up to ``:q``, without the empty ones."""
    while (text := ask()) is not None:
        text = text.strip().lower()
        if text in (":q", "q"):
            return
        if text:
            yield ":r" if text == "r" else text


def _tally(run: DerivationRun) -> str:
    def count(number: int, word: str) -> str:
        return f"{number} {word}{'' if number == 1 else 's'}"

    parts = [count(len(run.lines), "line"), count(run.mistakes, "slip"), count(run.hints, "hint")]
    if run.revealed:
        parts.append(f"{run.revealed} revealed")
    return f"reached with {', '.join(parts)}"
