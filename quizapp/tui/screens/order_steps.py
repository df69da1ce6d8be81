"""Put the shuffled lines of a derivation right."""

from __future__ import annotations

from typing import ClassVar

from textual.binding import Binding, BindingType

from quizapp.algebra import to_latex
from quizapp.derivations.checker import Checker
from quizapp.derivations.model import Step
from quizapp.derivations.order_steps import OrderExercise
from quizapp.tui import derivation_words as words
from quizapp.tui.screens.exercise import ExerciseScreen
from quizapp.tui.widgets.board import BoardLine
from quizapp.tui.widgets.formula import FormulaView


class OrderStepsScreen(ExerciseScreen):
    """The first line stays; the line in hand moves with J and K, or shift and the arrows."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding(
            "J,shift+down",
            "carry(1)",
            "Carry down",
            key_display="J",
            id="exercise-carry-down",
            tooltip="Move the line in hand down",
        ),
        Binding(
            "K,shift+up",
            "carry(-1)",
            "Carry up",
            key_display="K",
            id="exercise-carry-up",
            tooltip="Move the line in hand up",
        ),
    ]

    def __init__(self, exercise: OrderExercise) -> None:
        super().__init__(exercise.derivation.title, "The lines below are shuffled. Put them in order.")
        self._exercise = exercise
        self._order = list(range(len(exercise.shuffled)))

    async def on_mount(self) -> None:
        exercise = self._exercise
        checker = Checker(exercise.derivation)

        def drawn(step: Step) -> str:
            return step.latex or to_latex(checker.read(step.text))

        self.query_one(FormulaView).show(words.claim(exercise.derivation), before="show  ")
        board = self.query_one(".board")
        await board.mount_all(
            [
                BoardLine("  ", drawn(exercise.first)),
                *(BoardLine("  ", drawn(step)) for step in exercise.shuffled),
            ]
        )
        self._number()
        self.hold(1)

    def action_move(self, by: int) -> None:
        self.hold(max(1, self.at + by))

    def hold(self, number: int) -> None:
        super().hold(max(1, number))

    def action_carry(self, by: int) -> None:
        here, there = self.at, self.at + by
        if self.done or not 1 <= there < len(self.lines):
            return
        order, board = self._order, self.query_one(".board")
        order[here - 1], order[there - 1] = order[there - 1], order[here - 1]
        line, other = self.lines[here], self.lines[there]
        if by > 0:
            board.move_child(line, after=other)
        else:
            board.move_child(line, before=other)
        self._number()
        self.hold(there)
        self.say("")

    def action_answer(self) -> None:
        if self.done:
            self.action_leave()
            return
        placed = self._exercise.answer(self._order)
        self.done = placed.right
        self.say(placed.text, right=placed.right)
        self._number(len(self._order) if placed.wrong is None else placed.wrong)
        self.refresh_bindings()

    def action_reveal(self) -> None:
        board = self.query_one(".board")
        lines = dict(zip(self._order, self.lines[1:], strict=True))
        self._order = list(self._exercise.order)
        for index in self._order:
            board.move_child(lines[index], after=len(self.lines) - 1)
        self.done = True
        self.say("this is the order")
        self._number()
        self.refresh_bindings()

    def _number(self, right: int = 0) -> None:
        """Number the places; the first ``right`` of them are known to be right."""
        for place, line in enumerate(self.lines):
            line.label(f"{place + 1:>2}{'✓' if 0 < place <= right else ' '}")
