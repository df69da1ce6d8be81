"""Cards as two Markdown texts, for programs that know a front and a back and nothing more."""

from __future__ import annotations

import re

from quizapp.decks.entry import Entry
from quizapp.errors import QuizappError
from quizapp.exchange.losses import Losses
from quizapp.exchange.model import Bundle
from quizapp.exchange.steps import Worked, worked

_FENCE = re.compile(r" {0,3}(`{3,}|~{3,})")


class PlainCards:
    """Writes the cards of a bundle for one program; what it cannot carry is added to ``lost``."""

    def __init__(self, bundle: Bundle, lost: Losses, program: str) -> None:
        self._bundle = bundle
        self._lost = lost
        self._program = program
        self._worked: dict[str, Worked | None] = {}

    def texts(self, entry: Entry) -> tuple[str, str]:
        """Front and back of an entry that is no cloze."""
        front = [entry.heading, entry.prompt]
        back: list[str] = []
        fields = entry.fields
        if entry.kind == "choice":
            front.append("\n".join(f"- {_indented(option.text, 2)}" for option in entry.options))
            right = [option.text for option in entry.options if option.right]
            back.append(
                right[0] if len(right) == 1 else "\n".join(f"- {_indented(text, 2)}" for text in right)
            )
            self.lose("checking a choice: its options stand in the question", entry)
        elif entry.kind in ("number", "expression"):
            unit = f" {fields.unit}" if fields.unit else ""
            value = str(fields.answer)
            back.append(f"**{value}**{unit}" if entry.kind == "number" else f"`{value}`")
            self.lose("checking a typed answer: you grade yourself", entry)
        elif entry.kind == "derivation" and fields.derivation:
            shown = self._steps(fields.derivation, entry)
            if shown is not None:
                front.append(f"$${shown.claim}$$")
                back.append(
                    "\n".join(f"1. $${step.latex}$$\n   {_one_line(step.why)}" for step in shown.steps)
                )
            self.lose("stepping through a derivation: its lines stand in the answer", entry)
        elif entry.kind == "generated":
            question, solution = self._example(entry)
            front.append(question)
            back.append(solution)
            self.lose("new numbers at each review: one example of the problem stands for all", entry)
        back.append(entry.answer)
        if fields.points:
            back.append("**Key points**\n\n" + "\n".join(f"- {point}" for point in fields.points))
        return _joined(front), _joined(back)

    def lose_fields(self, entry: Entry, kept: tuple[str, ...] = ()) -> None:
        """Say which fields of an entry have no place."""
        said = {
            "tags": "tags", "hints": "hints", "follow_ups": "follow-up questions", "sources": "sources",
            "checks": "checks of its claims", "demo": "the demo that goes with a card",
        }  # fmt: skip
        for name, what in said.items():
            if name not in kept and getattr(entry.fields, name):
                self.lose(what, entry)

    def lose(self, what: str, entry: Entry) -> None:
        self._lost.add(f"{what} ({self._program} has no place for it)" if ":" not in what else what, entry.id)

    def _steps(self, name: str, entry: Entry) -> Worked | None:
        if name not in self._worked:
            derivation = self._bundle.derivations.get(name)
            try:
                self._worked[name] = worked(derivation) if derivation else None
            except QuizappError:
                self._worked[name] = None
        if self._worked[name] is None:
            self._lost.add(
                f"the steps of the derivation {name}: it cannot be read from the library", entry.id
            )
        return self._worked[name]

    def _example(self, entry: Entry) -> tuple[str, str]:
        from quizapp.generators import generate

        try:
            problem = generate(entry.fields.generator or "", entry.fields.parameters, entry.id)
        except QuizappError as error:
            self._lost.add(f"an example of the problem: {error}", entry.id)
            return "", ""
        choices = "\n".join(f"- {choice.text}" for choice in problem.choices)
        unit = f" {problem.unit}" if problem.unit else ""
        steps = "\n".join(f"1. {_indented(line, 3)}" for line in problem.solution)
        return _joined([problem.prompt, choices]), _joined([problem.answer_text + unit, steps])


def outside_fences(markdown: str) -> list[tuple[str, bool]]:
    """The lines of a text, each with whether it stands outside fenced code."""
    made: list[tuple[str, bool]] = []
    fence = ""
    for line in markdown.split("\n"):
        found = _FENCE.match(line)
        if fence:
            made.append((line, False))
            if found and found[1].startswith(fence) and not line[found.end() :].strip():
                fence = ""
        else:
            made.append((line, not found))
            fence = found[1] if found else ""
    return made


def _joined(parts: list[str]) -> str:
    return "\n\n".join(part for part in parts if part.strip())


def _indented(text: str, width: int) -> str:
    return text.replace("\n", "\n" + " " * width)


def _one_line(text: str) -> str:
    return " ".join(text.split())
