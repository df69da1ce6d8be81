"""Where an answer is typed, and how it is read, shown below it."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from typing import ClassVar

from textual import on, work
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.content import Content
from textual.message import Message
from textual.widgets import Input, Static

from quizapp.errors import QuizappError
from quizapp.tui.screens.drill_lines import read_as

# How long the hand has to rest before a line is read, in seconds.
_REST = 0.08


class AnswerInput(Input):
    """The line itself; no letter is a command here."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding(
            "enter", "submit", "Check", id="answer-check", tooltip="Check the line; an empty one shows the answer"
        )
    ]  # fmt: skip


class AnswerLine(Vertical):
    """Takes one typed answer. ``reads`` says how a line is read; None while nothing is asked."""

    DEFAULT_CSS = """
    AnswerLine { height: auto; margin-top: 1; }
    AnswerLine Input { margin: 0; background: $surface; padding: 0 1; }
    AnswerLine Static { height: auto; padding: 0 1; color: $text-muted; }
    """

    @dataclass
    class Entered(Message):
        """The line was entered; ``text`` may be empty."""

        text: str

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self.reads: Callable[[str], str] | None = None
        self._input = AnswerInput(id="answer", placeholder="your answer", compact=True)
        self._said = Static("", id="preview")

    def compose(self) -> ComposeResult:
        yield self._input
        yield self._said

    @property
    def text(self) -> str:
        """What is typed."""
        return self._input.value

    def clear(self) -> None:
        """Make room for the next answer."""
        if self._input.value:
            with self.prevent(Input.Changed):
                self._input.value = ""
        self.say("")

    def say(self, text: str) -> None:
        """Say something about the line, in place of how it is read."""
        if text or self._said.content:
            self._said.update(Content(text))

    def take_focus(self) -> None:
        """Let keys be typed here."""
        self._input.focus()

    @on(Input.Submitted)
    def _enter(self, event: Input.Submitted) -> None:
        event.stop()
        self.post_message(self.Entered(event.value))

    @on(Input.Changed)
    def _changed(self, event: Input.Changed) -> None:
        event.stop()
        self._preview(event.value)

    @work(exclusive=True)
    async def _preview(self, text: str) -> None:
        await asyncio.sleep(_REST)
        if (reads := self.reads) is not None:
            with suppress(QuizappError):
                self._said.update(read_as(await asyncio.to_thread(reads, text)))
