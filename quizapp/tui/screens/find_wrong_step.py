"""Find the one line of a derivation that was spoiled."""

from __future__ import annotations

import asyncio

from textual import work

from quizapp.derivations.find_wrong_step import WrongStepExercise, find_wrong_step
from quizapp.derivations.model import Derivation
from quizapp.errors import QuizappError
from quizapp.tui import derivation_words as words
from quizapp.tui.app_context import app_of
from quizapp.tui.screens.exercise import ExerciseScreen
from quizapp.tui.stoppable import run_stoppable
from quizapp.tui.widgets.board import BoardLine
from quizapp.tui.widgets.formula import FormulaView


class FindWrongStepScreen(ExerciseScreen):
    """The exercise is made in the background, since the spoiled line has to be refuted first."""

    def __init__(self, derivation: Derivation, seed: int) -> None:
        super().__init__(derivation.title, "One line does not follow from the one before. Which?")
        self._derivation = derivation
        self._seed = seed
        self._exercise: WrongStepExercise | None = None
        self._stop = asyncio.Event()

    def on_mount(self) -> None:
        self.query_one(FormulaView).show(words.claim(self._derivation), before="show  ")
        self.say("spoiling a line…")
        self._make()

    def on_unmount(self) -> None:
        self._stop.set()

    @work
    async def _make(self) -> None:
        try:
            exercise = await run_stoppable(lambda: find_wrong_step(self._derivation, self._seed), self._stop)
        except QuizappError as error:
            if self.is_current:
                self.action_leave()
            app_of(self).complain(error)
            return
        if not self.query(".board"):
            return
        await self.query_one(".board").mount_all(
            BoardLine(f"{number:>2}", latex) for number, latex in enumerate(exercise.lines, 1)
        )
        self._exercise = exercise
        self.say("")
        self.hold(1)

    def action_answer(self) -> None:
        if self.done:
            self.action_leave()
        elif self._exercise is not None:
            found = self._exercise.answer(self.at)
            self._show(found.text, right=found.right)

    def action_reveal(self) -> None:
        if self._exercise is not None:
            text = self._exercise.answer(self._exercise.wrong).text.removeprefix("right, ")
            self._show(text, right=None)

    def _show(self, text: str, *, right: bool | None) -> None:
        assert self._exercise is not None
        self.done = True
        self.say(text, right=right)
        wrong = self._exercise.wrong
        self.lines[wrong].label(f"{wrong + 1:>2}✗", "$text-error")
        self.hold(wrong)
        self.refresh_bindings()
