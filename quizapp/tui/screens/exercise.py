"""What the two exercises made of a derivation share: its lines, a cursor on them, and what is said."""

from __future__ import annotations

from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, VerticalScroll
from textual.content import Content
from textual.screen import Screen
from textual.widgets import Static

from quizapp.tui.widgets.board import BoardLine
from quizapp.tui.widgets.formula import FormulaView
from quizapp.tui.widgets.key_line import KeyLine


class ExerciseScreen(Screen[None]):
    """A board with a line in hand; what enter does is the exercise's own affair."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding(
            "enter,space", "answer", "Answer", id="exercise-answer", tooltip="Answer; once answered, leave"
        ),
        Binding("down,j", "move(1)", "Down", show=False, id="exercise-down", tooltip="The next line"),
        Binding("up,k", "move(-1)", "Up", show=False, id="exercise-up", tooltip="The line before"),
        Binding("r", "reveal", "Reveal", id="exercise-reveal", tooltip="Show the solution"),
        Binding("escape,q", "leave", "Leave", id="exercise-leave", tooltip="Back to where you were"),
    ]
    DEFAULT_CSS = """
    ExerciseScreen .claim { height: auto; max-height: 40%; padding: 0 1; border-bottom: solid $foreground 20%; }
    ExerciseScreen .claim > * { height: auto; }
    ExerciseScreen .board { height: 1fr; padding: 0 1; scrollbar-size-vertical: 1; }
    ExerciseScreen BoardLine { margin-bottom: 1; }
    ExerciseScreen .said { height: auto; min-height: 2; max-height: 8; padding: 0 1 0 5; }
    """

    def __init__(self, title: str, task: str) -> None:
        super().__init__()
        self._title = title
        self._what_to_do = task
        self._at = 0
        self.done = False

    def compose(self) -> ComposeResult:
        with Horizontal(id="top"):
            yield Static(Content(self._title), id="deck")
        with VerticalScroll(classes="claim", can_focus=False):
            yield FormulaView("")
            yield Static(Content(self._what_to_do), classes="quiet")
        yield VerticalScroll(classes="board", can_focus=False)
        with VerticalScroll(classes="said", can_focus=False):
            yield Static("")
        yield KeyLine()

    @property
    def lines(self) -> list[BoardLine]:
        """The lines on the board, from top to bottom."""
        return list(self.query(BoardLine))

    @property
    def at(self) -> int:
        """The line in hand, counted from 0."""
        return self._at

    def hold(self, number: int) -> None:
        """Take another line in hand."""
        lines = self.lines
        self._at = max(0, min(number, len(lines) - 1))
        for place, line in enumerate(lines):
            line.set_class(place == self._at, "-here")
        if lines:
            lines[self._at].scroll_visible(animate=False)

    def say(self, text: str, *, right: bool | None = None) -> None:
        """Say a sentence, with a mark where it is a verdict."""
        sign, style = {True: ("✓ ", "$text-success"), False: ("✗ ", "$text-error"), None: ("", "")}[right]
        self.query_one(".said Static", Static).update(
            Content.styled(f"{sign}{text}", style) if style else Content(text)
        )

    def action_move(self, by: int) -> None:
        self.hold(self._at + by)

    def on_board_line_chosen(self, event: BoardLine.Chosen) -> None:
        event.stop()
        self.hold(self.lines.index(event.line))

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:  # noqa: ARG002
        return not (action == "reveal" and self.done)

    def action_leave(self) -> None:
        self.dismiss()
