"""A card of a study sheet: what is asked, what is hidden until asked, and both faces of the cards to cut."""

from __future__ import annotations

import random
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from html import escape
from typing import TYPE_CHECKING
from urllib.parse import quote

from quizapp.decks.cloze import deletions, show
from quizapp.decks.entry import Entry
from quizapp.derivations.model import Derivation
from quizapp.errors import QuizappError
from quizapp.exchange.sheet_parts import Parts, listed, source
from quizapp.exchange.steps import Worked, worked

if TYPE_CHECKING:
    from quizapp.decks.card import Option
    from quizapp.generators import Problem

# How many problems are drawn for a card whose numbers are new at each review in the app.
_EXAMPLES = 3
# Narrow ranges hold fewer problems than that.
_DRAWS = 20


@dataclass(frozen=True)
class Face:
    """One card to cut: HTML of the question and of the answer, each in versions from the fullest to the shortest."""

    questions: tuple[str, ...]
    answers: tuple[str, ...]


class SheetCard:
    """One entry, ready for the sheet. ``number`` counts through the sheet from 1."""

    def __init__(
        self, entry: Entry, number: int, parts: Parts, derivations: Mapping[str, Derivation]
    ) -> None:
        self.entry = entry
        self.number = number
        self._parts = parts
        self._derivations = derivations
        self.options = list(entry.options)
        # Authors often write the right answer first; the same entry is always shuffled the same way.
        random.Random(f"sheet/{entry.id}").shuffle(self.options)

    @cached_property
    def heading(self) -> str:
        """The question's first line, with a cloze's text in full."""
        entry = self.entry
        return self._parts.text(_told(entry.heading) if entry.kind == "cloze" else entry.heading, line=True)

    @property
    def plain_heading(self) -> str:
        """The heading fit to stand inside a link."""
        return without_links(self.heading)

    @property
    def anchor(self) -> str:
        return f"card-{self.entry.id}"

    @property
    def link(self) -> str:
        """The address of the card inside the page, for an attribute."""
        return f"#{quote(self.anchor, safe='')}"

    @cached_property
    def derivation(self) -> Worked | None:
        """The derivation that goes with the card, where it is at hand and can be read."""
        name = self.entry.fields.derivation
        if not name:
            return None
        if name not in self._derivations:
            self._parts.lose("a derivation that is not at hand is left out", name)
            return None
        try:
            return worked(self._derivations[name])
        except QuizappError:
            self._parts.lose("a derivation that cannot be read is left out", name)
            return None

    @cached_property
    def problems(self) -> tuple[Problem, ...]:
        """Examples of a generated card, always the same ones."""
        from quizapp.generators import generate

        fields = self.entry.fields
        if self.entry.kind != "generated":
            return ()
        drawn: dict[str, Problem] = {}
        try:
            for number in range(_DRAWS):
                key = f"sheet/{self.entry.id}/{number}"
                problem = generate(fields.generator or "", fields.parameters, key)
                drawn.setdefault(problem.prompt, problem)
                if len(drawn) == _EXAMPLES:
                    break
        except QuizappError:
            self._parts.lose("a problem that cannot be drawn is left out", self.entry.id)
            return ()
        return tuple(drawn.values())

    def html(self, follow_ups: Iterable[SheetCard]) -> str:
        """The card on the sheet; ``follow_ups`` are the cards of this sheet that are asked next."""
        entry = self.entry
        kind = "" if entry.kind == "recall" else f'<li class="kind">{entry.kind}</li>'
        tags = "".join(f"<li>{escape(tag)}</li>" for tag in entry.fields.tags)
        about = f'<ul class="tags">{kind}{tags}</ul>' if kind or tags else ""
        return (
            f'<article class="card" id="{escape(self.anchor)}"><header>'
            f'<a class="number" href="{self.link}" aria-label="Card {self.number}">{self.number}</a>'
            f"<h3>{self._asked_heading()}</h3></header>"
            f"{self._asked()}{self._hints()}{self._answer(follow_ups)}{about}</article>"
        )

    def _asked_heading(self) -> str:
        if self.entry.kind == "cloze":
            return self._parts.with_blanks(self.entry.heading, line=True)
        return self.heading

    def _asked(self) -> str:
        entry, parts = self.entry, self._parts
        if entry.kind == "cloze":
            made = parts.with_blanks(entry.prompt)
            return f'<div class="text">{made}</div>' if made else ""
        made = parts.block(entry.prompt)
        if self.options:
            made += parts.options(self.options)
        if entry.kind == "derivation" and self.derivation:
            made += parts.claim(self.derivation)
        if self.problems:
            made += "".join(self._example(problem) for problem in self.problems)
        return made

    def _example(self, problem: Problem) -> str:
        parts = self._parts
        return (
            f'<section class="example">{parts.block(problem.prompt)}'
            f"{parts.options(_choices(problem)) if problem.choices else ''}"
            f'<details class="answer"><summary>Worked solution</summary>{self._solution(problem)}</details></section>'
        )

    def _solution(self, problem: Problem, *, slips: bool = True) -> str:
        parts = self._parts
        steps = "".join(f"<li>{parts.text(line)}</li>" for line in problem.solution)
        if problem.choices:
            reasons = [choice.why for choice in problem.choices] if slips else []
            return f'{parts.options(_choices(problem), marked=True, reasons=reasons)}<ol class="solution">{steps}</ol>'
        tempting = [f"<b>{slip.value:.5g}</b>: {parts.text(slip.why)}" for slip in problem.slips]
        return (
            f'<p class="result">{_said(problem.answer_text, problem.unit)}</p><ol class="solution">{steps}</ol>'
            f"{listed('Slips', tempting) if slips else ''}"
        )

    def _hints(self) -> str:
        hints = self.entry.fields.hints
        return "".join(
            f'<details class="hint"><summary>Hint {n} of {len(hints)}</summary>'
            f"<div>{self._parts.text(hint)}</div></details>"
            for n, hint in enumerate(hints, 1)
        )

    def _answer(self, follow_ups: Iterable[SheetCard]) -> str:
        fields = self.entry.fields
        inside = self._told() + self._points()
        if self.derivation and self.entry.kind != "derivation":
            inside += (
                f'<details class="more"><summary>Derivation: {escape(self.derivation.title)}</summary>'
                f"{self._parts.claim(self.derivation)}{self._parts.steps(self.derivation)}</details>"
            )
        inside += listed(
            "Asked next", (f'<a href="{card.link}">{card.plain_heading}</a>' for card in follow_ups)
        )
        sources = list(fields.sources)
        if self.derivation and self.entry.kind == "derivation":
            sources += [text for text in self.derivation.sources if text not in sources]
        if sources:
            inside += f'<p class="sources">Sources: {"; ".join(map(source, sources))}</p>'
        if not inside:
            return ""
        word = {"generated": "How to", "cloze": "Explanation"}.get(self.entry.kind, "Answer")
        return f'<details class="answer"><summary>{word}</summary>{inside}</details>'

    def _told(self, *, reasons: bool = True) -> str:
        """The answer itself, without key points."""
        entry, parts = self.entry, self._parts
        made = ""
        if self.options:
            made = parts.options(self.options, marked=True)
        elif entry.kind in ("number", "expression") and entry.fields.answer is not None:
            made = self._result()
        if entry.kind == "derivation" and self.derivation:
            made += parts.steps(self.derivation, reasons=reasons)
        return made + (parts.block(entry.answer) if reasons or not made else "")

    def _result(self) -> str:
        fields = self.entry.fields
        found = self._parts.typed(fields.answer, fields.symbols)
        after = f" {escape(fields.unit)}" if fields.unit else ""
        after += f' <span class="quiet">± {fields.tolerance:g}</span>' if fields.tolerance else ""
        if self.entry.kind == "expression" and fields.symbols:
            kinds = "; ".join(f"{name} {kind}" for name, kind in fields.symbols.items())
            after += f' <span class="quiet">({escape(kinds)})</span>'
        return f'<p class="result">{found}{after}</p>'

    def _points(self) -> str:
        return listed("Key points", map(self._parts.text, self.entry.fields.points))

    def faces(self) -> tuple[Face, ...]:
        """The cards to cut: one a card of the app, so a cloze has one for each of its numbers."""
        entry, parts = self.entry, self._parts
        if entry.kind == "cloze":
            numbers = sorted(
                {found.number for text in (entry.heading, entry.prompt) for found in deletions(text)}
            )
            return tuple(self._cloze_face(number) for number in numbers)
        question = f"<h3>{self.heading}</h3>{parts.block(entry.prompt)}"
        if self.problems:
            problem = self.problems[0]
            question += parts.block(problem.prompt) + (
                parts.options(_choices(problem)) if problem.choices else ""
            )
            solved = self._solution(problem, slips=False)
            return (
                Face((question,), (solved + self._told() + self._points(), solved + self._points(), solved)),
            )
        if self.options:
            question += parts.options(self.options)
        questions = [question]
        if entry.kind == "derivation" and self.derivation:
            questions = [question + parts.claim(self.derivation, given=given) for given in (True, False)]
        short = self._told(reasons=False)
        answers = [self._told() + self._points(), short + self._points(), short]
        if self.entry.fields.points:
            answers.append(self._points())
        elif self.derivation:
            answers.append(listed("Steps", (escape(step.rule) for step in self.derivation.steps)))
        return (Face(tuple(questions), tuple(answers)),)

    def _cloze_face(self, number: int) -> Face:
        entry, parts = self.entry, self._parts

        def written(*, reveal: bool) -> str:
            heading = show(entry.heading, number, reveal=reveal)
            prompt = show(entry.prompt, number, reveal=reveal)
            return f"<h3>{parts.text(heading, line=True)}</h3>{parts.block(prompt)}"

        told = written(reveal=True)
        return Face(
            (written(reveal=False),), (told + self._told() + self._points(), told + self._points(), told)
        )


def without_links(html: str) -> str:
    """``html`` fit to stand inside a link."""
    return re.sub(r"</?a\b[^>]*>", "", html)


def _told(text: str) -> str:
    """A cloze's text with nothing hidden."""
    return show(text, 0, reveal=True)


def _choices(problem: Problem) -> list[Option]:
    from quizapp.decks.card import Option

    return [Option(choice.text, choice.right) for choice in problem.choices]


def _said(answer: str, unit: str | None) -> str:
    return f"<b>{escape(answer)}</b>" + (f" {escape(unit)}" if unit else "")
