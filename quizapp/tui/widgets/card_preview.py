"""A whole card to read: question, answer and what belongs to it."""

from __future__ import annotations

import datetime as dt

from textual.app import ComposeResult
from textual.containers import VerticalScroll
from textual.content import Content
from textual.widgets import Static

from quizapp.decks.card import Card
from quizapp.decks.cloze import show
from quizapp.review.kernel import Kernel
from quizapp.review.search import state_word
from quizapp.review.types import CardState
from quizapp.tui.counted import counted
from quizapp.tui.widgets.card_markdown import CardMarkdown


class CardPreview(VerticalScroll):
    """Shows one card; its text is replaced, never its widgets."""

    DEFAULT_CSS = """
    CardPreview { padding: 0 1 0 2; scrollbar-size-vertical: 1; }
    CardPreview > Static, CardPreview > CardMarkdown { height: auto; margin-bottom: 1; }
    CardPreview > .question { text-style: bold; }
    CardPreview > .facts { color: $text-muted; }
    CardPreview > .about { margin-bottom: 0; }
    """

    def __init__(self) -> None:
        super().__init__(can_focus=True)
        self._facts = (
            Static("", classes="facts about"),
            Static("", classes="facts"),
            Static("", classes="facts"),
        )
        self._texts = (CardMarkdown(classes="question"), CardMarkdown(classes="answer"))

    def compose(self) -> ComposeResult:
        about, standing, sources = self._facts
        yield from (about, standing, *self._texts, sources)

    async def show_card(self, card: Card | None, state: CardState, day: dt.date, kernel: Kernel) -> None:
        """Show a card as it stands on a study day; without one the pane is empty."""
        said = (
            " · ".join((card.deck, card.kind, *card.tags)) if card else "",
            standing(state, day, kernel) if card else "",
            "\n".join(card.fields.sources) if card else "",
        )
        for label, text in zip(self._facts, said, strict=True):
            label.update(Content(text))
        for shown, text in zip(
            self._texts, (question(card), answer(card)) if card else ("", ""), strict=True
        ):
            # The screen may be closed while the text before is still being laid out.
            if shown.is_attached:
                shown.show(text)
        self.scroll_home(animate=False)


def standing(state: CardState, day: dt.date, kernel: Kernel) -> str:
    """Where a card stands, in one line."""
    word = state_word(state, day)
    parts: list[str] = [] if word == "review" else [word]
    if state.memory is not None:
        recall = kernel.recall(state.memory.stability, (day - state.memory.day).days)
        parts += [f"due {state.due.isoformat()}"] if state.due else []
        parts += [f"recall {recall:.0%}", counted(state.reviews, "review"), counted(state.lapses, "lapse")]
    parts += [said for said, holds in (("marked", state.marked), ("leech", state.leech)) if holds]
    return " · ".join(parts)


def question(card: Card) -> str:
    """The prompt of a card as Markdown, its gaps filled."""
    parts = (card.heading, card.prompt)
    if card.cloze:
        parts = (
            show(card.heading, card.cloze, reveal=True),
            show(card.prompt, card.cloze, reveal=True),
        )
    return "\n\n".join(part for part in parts if part)


def answer(card: Card) -> str:
    """What a card answers as Markdown, with its key points and hints."""
    fields = card.fields
    parts = ["\n".join(f"- {'✓' if option.right else '✗'} {option.text}" for option in card.options)]
    if fields.answer is not None:
        parts.append(f"The answer: `{fields.answer}` {fields.unit or ''}".rstrip())
    parts.append(card.answer)
    for title, lines in (("Key points", fields.points), ("Hints", fields.hints)):
        if lines:
            parts.append("\n".join((f"*{title}*", "", *(f"- {line}" for line in lines))))
    if fields.generator:
        parts.append(f"Its numbers are drawn anew each time ({fields.generator}).")
    return "\n\n".join(part for part in parts if part)
