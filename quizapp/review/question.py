"""A card as it is asked: clozes hidden, answers in a shuffled order, generated problems drawn."""

from __future__ import annotations

import random
from dataclasses import dataclass
from typing import TYPE_CHECKING

from quizapp.decks.card import Card, Kind, Option
from quizapp.decks.cloze import hidden_texts, show
from quizapp.errors import QuizappError

if TYPE_CHECKING:
    from quizapp.generators import Problem

LETTERS = "abcdefghijklmnopqrstuvwxyz"


@dataclass(frozen=True)
class Question:
    """What is shown before the answer, and what the answer will show.

    ``heading``, ``prompt`` and ``answer`` are Markdown. ``options`` stand in the order of their letters.
    ``types_answer`` says whether the learner types (a letter, a number, an expression, hidden words).
    ``problem`` is set for a generated card; ``trouble`` says why a card can only be graded by hand.
    """

    card: Card
    kind: Kind
    heading: str
    prompt: str
    answer: str
    options: tuple[Option, ...] = ()
    hidden: tuple[str, ...] = ()
    problem: Problem | None = None
    trouble: str = ""

    @property
    def types_answer(self) -> bool:
        if self.kind == "generated":
            return self.problem is not None
        return self.kind in ("cloze", "choice", "number", "expression")

    @property
    def right_letters(self) -> str:
        return "".join(letter for letter, option in zip(LETTERS, self.options, strict=False) if option.right)


def ask(card: Card, reviews: int, seed: int = 0) -> Question:
    """Make the question of a card that was reviewed ``reviews`` times; the same numbers make the same question."""
    key = f"{seed}/{card.id}/{reviews}"
    if card.kind == "generated":
        return _generated(card, key)
    if card.kind == "cloze":
        revealed = tuple(show(text, card.cloze, reveal=True) for text in (card.heading, card.prompt))
        return Question(
            card,
            card.kind,
            show(card.heading, card.cloze, reveal=False),
            show(card.prompt, card.cloze, reveal=False),
            "\n\n".join(text for text in (*revealed, card.answer) if text),
            hidden=tuple(h for text in (card.heading, card.prompt) for h in hidden_texts(text, card.cloze)),
        )
    options = list(card.options)
    random.Random(key).shuffle(options)
    return Question(card, card.kind, card.heading, card.prompt, card.answer, tuple(options))


def _generated(card: Card, key: str) -> Question:
    from quizapp.generators import generate

    try:
        problem = generate(card.fields.generator or "", card.fields.parameters, key)
    except QuizappError as error:
        return Question(card, card.kind, card.heading, card.prompt, card.answer, trouble=str(error))
    prompt = "\n\n".join(text for text in (card.prompt, problem.prompt) if text)
    solution = "\n\n".join(problem.solution)
    answer = f"**{problem.answer_text}**\n\n{solution}" + (f"\n\n{card.answer}" if card.answer else "")
    options = tuple(Option(choice.text, choice.right) for choice in problem.choices)
    return Question(card, card.kind, card.heading, prompt, answer, options, problem=problem)
