"""Step through a derivation: type a line, and be told whether it follows and by which numbers it fails."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from functools import partial
from typing import ClassVar, TypeVar

from textual import work
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, VerticalScroll
from textual.content import Content
from textual.screen import Screen
from textual.widgets import Input, Static

from quizapp.commands.context import Context
from quizapp.derivations.folders import folders
from quizapp.derivations.reading import find
from quizapp.derivations.run import DerivationRun
from quizapp.errors import QuizappError
from quizapp.review.types import Grade
from quizapp.tui import derivation_words as words
from quizapp.tui.stoppable import run_stoppable
from quizapp.tui.widgets.board import LABEL, Board, BoardLine
from quizapp.tui.widgets.formula import FormulaView
from quizapp.tui.widgets.key_line import KeyLine

T = TypeVar("T")

# A pause in typing after which the line is read: shorter flickers, longer lags.
_PAUSE = 0.12
_KEYS = [
    Binding(
        "enter",
        "check",
        "Check",
        id="derivation-check",
        tooltip="Check the line; once the goal is reached, leave",
        priority=True,
    ),
    Binding(
        "f1",
        "hint",
        "Hint",
        id="derivation-hint",
        tooltip="The next hint: first the hint, then the reason",
        priority=True,
    ),
    Binding(
        "f2", "reveal", "Reveal", id="derivation-reveal", tooltip="Write the next step for me", priority=True
    ),
    Binding(
        "ctrl+z",
        "undo",
        "Undo",
        id="derivation-undo",
        tooltip="Take the last line back; slips and hints stay counted",
        priority=True,
    ),
    Binding(
        "f3", "goal", "Goal", id="derivation-goal", tooltip="Write all steps that are left", priority=True
    ),
    Binding(
        "escape",
        "leave",
        "Leave",
        id="derivation-leave",
        tooltip="Stop a check that takes long, else leave",
        priority=True,
    ),
    Binding(
        "up",
        "recall",
        "Line before",
        show=False,
        id="derivation-recall",
        tooltip="Put the line before into the input, to change it",
    ),
    Binding(
        "pageup", "scroll(-1)", "Lines up", show=False, id="derivation-up", tooltip="Scroll to earlier lines"
    ),
    Binding(
        "pagedown",
        "scroll(1)",
        "Lines down",
        show=False,
        id="derivation-down",
        tooltip="Scroll to later lines",
    ),
    Binding(
        "question_mark,f10",
        "app.help",
        "Help",
        key_display="?",
        id="derivation-help",
        tooltip="Every key of this screen",
        priority=True,
    ),
]


def load_run(context: Context, name: str) -> DerivationRun:
    """A fresh run of a derivation, by its id. Raises QuizappError where there is none."""
    return DerivationRun(find(name, folders(context.home.path, context.common.decks)))


class DerivationScreen(Screen[int | None]):
    """Drives a :class:`~quizapp.derivations.run.DerivationRun`.

    Closes with the grade that the run speaks for (1 to 4), or None where the goal was not reached.
    """

    AUTO_FOCUS = "Input"
    VERTICAL_BREAKPOINTS = [(0, "-low"), (20, "-high")]  # noqa: RUF012
    BINDINGS: ClassVar[list[BindingType]] = [*_KEYS]
    DEFAULT_CSS = """
    DerivationScreen .claim {
        height: auto; max-height: 40%; padding: 0 1; scrollbar-size-vertical: 1;
        border-bottom: solid $foreground 20%;
    }
    DerivationScreen .claim > * { height: auto; }
    DerivationScreen .board { height: 1fr; padding: 0 1; scrollbar-size-vertical: 1; }
    DerivationScreen BoardLine { margin-bottom: 1; }
    DerivationScreen .entry { height: 1; margin: 0 1; }
    DerivationScreen .entry > Static { width: 4; color: $text-accent; text-style: bold; }
    DerivationScreen .entry > Input { width: 1fr; }
    DerivationScreen .read { height: auto; min-height: 3; max-height: 9; padding: 0 1; color: $text-muted; }
    DerivationScreen .read > * { height: auto; display: none; }
    DerivationScreen .read > .-on { display: block; }
    DerivationScreen .said { height: auto; min-height: 2; max-height: 8; padding: 0 1 0 5; }
    DerivationScreen.-low .read { min-height: 1; max-height: 3; }
    DerivationScreen.-low .said { display: none; min-height: 1; max-height: 3; }
    DerivationScreen.-low.-answered .said { display: block; }
    DerivationScreen.-low.-answered .read { display: none; }
    DerivationScreen.-low .claim { max-height: 3; border-bottom: none; }
    DerivationScreen.-low .said { padding: 0 1; }
    DerivationScreen.-low BoardLine { margin-bottom: 0; }
    """

    def __init__(self, run: DerivationRun) -> None:
        super().__init__()
        self.run = run
        self._busy = False
        self._stop = asyncio.Event()

    def compose(self) -> ComposeResult:
        run = self.run
        with Horizontal(id="top"):
            yield Static(Content(run.derivation.title), id="deck")
            yield Static("", id="progress")
        with VerticalScroll(classes="claim", can_focus=False):
            yield FormulaView(run.claim, before="show  ")
            if said := words.symbols(run.derivation):
                yield Static(Content(f"with  {said}"), classes="quiet")
            for definition in words.definitions(run, self.app.size.width - 10):
                yield FormulaView(definition, before="      ", classes="quiet")
        yield Board(classes="board")
        with Horizontal(classes="entry"):
            yield Static("")
            yield Input(compact=True, placeholder="the next line, equal to the one before")
        with VerticalScroll(classes="read", can_focus=False):
            yield FormulaView("", classes="drawn")
            yield Static("", classes="caret")
        with VerticalScroll(classes="said", can_focus=False):
            yield Static("")
        yield KeyLine()

    def on_mount(self) -> None:
        self.call_after_refresh(self._warm_up)
        self.call_later(self._show)

    def on_unmount(self) -> None:
        self._stop.set()

    @work(thread=True, exit_on_error=False)
    def _warm_up(self) -> None:
        from quizapp import algebra

        algebra.warm_up()

    # What is shown.

    async def _show(self) -> None:
        """Show the board as it stands; lines that are already there stay where they are."""
        run = self.run
        board = self.query_one(".board")
        shown = list(board.query(BoardLine))
        same = 0
        while same < min(len(shown), len(run.lines)) and shown[same].latex == run.lines[same].latex:
            same += 1
        for line in shown[same:]:
            await line.remove()
        await board.mount_all(
            BoardLine(f"{number:>2}", written.latex, words.remark(written))
            for number, written in enumerate(run.lines[same:], same + 1)
        )
        if not self.is_attached:
            return  # the learner left while the board was drawn
        self.query_one("#progress", Static).update(Content(words.tally(run)))
        field = self.query_one(Input)
        field.disabled = run.finished
        self.query_one(".entry Static", Static).update(
            Content("" if run.finished else f"{len(run.lines) + 1:>2}▸ ")
        )
        if run.finished:
            grade = Grade(run.suggested_grade).word
            note = f"\n{run.derivation.note}" if run.derivation.note else ""
            self._say(
                Content.assemble(
                    ("✓ the goal is reached", "$text-success"), f"; suggested grade: {grade}{note}"
                )
            )
        else:
            field.focus()
        self.refresh_bindings()

    def _say(self, text: Content | str) -> None:
        said = Content(text) if isinstance(text, str) else text
        self.query_one(".said Static", Static).update(said)
        # A low screen has room for what is said or for how the line is read.
        self.set_class(bool(said.plain), "-answered")
        self.query_one(".said").scroll_home(animate=False)

    @work(exclusive=True, group="preview")
    async def on_input_changed(self, event: Input.Changed) -> None:
        """Show how the line is read, a moment after the last key."""
        if event.value:
            self.remove_class("-answered")
        await asyncio.sleep(_PAUSE)
        text = event.value
        read = await asyncio.to_thread(self.run.preview, text)
        if not (self.query(".drawn") and self.query(".caret")):
            return
        drawn, caret = self.query_one(".drawn", FormulaView), self.query_one(".caret", Static)
        if read.latex is not None:
            drawn.show(read.latex, before="read as  ")
        elif read.message:
            caret.update(words.caret(read, text, indent=LABEL, width=self.size.width - 2))
        drawn.set_class(read.latex is not None, "-on")
        caret.set_class(bool(read.latex is None and read.message), "-on")

    # What can be done.

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:  # noqa: ARG002
        if action in ("hint", "reveal", "goal"):
            return not (self.run.finished or self._busy)
        return not (self._busy and action in ("check", "undo"))

    def action_check(self) -> None:
        if self.run.finished:
            self.action_leave()
            return
        text = self.query_one(Input).value
        if text.strip():
            self._check(text)

    @work
    async def _check(self, text: str) -> None:
        answer = await self._settle(partial(self.run.submit, text))
        if answer is None:
            return
        if answer.verdict == "undecided" and self._stop.is_set():
            self._say("stopped; nothing was decided")
            return
        self._say(words.verdict(answer))
        if answer.accepted:
            self.query_one(Input).clear()
        await self._show()

    def action_hint(self) -> None:
        said = self.run.hint()
        self._say(Content.assemble(("hint  ", "$text-warning"), said))
        self.query_one("#progress", Static).update(Content(words.tally(self.run)))

    def action_reveal(self) -> None:
        self._write(self.run.reveal)

    def action_goal(self) -> None:
        self._write(self.run.skip_to_goal)

    @work
    async def _write(self, step: Callable[[], object]) -> None:
        if await self._settle(step) is not None:
            self._say("")
            await self._show()

    async def _settle(self, question: Callable[[], T]) -> T | None:
        """Ask in the background, so that the screen goes on living; one question at a time."""
        if self._busy:
            return None
        self._busy = True
        self._stop.clear()
        waiting = self.set_timer(0.15, lambda: self._say("checking…   esc stops it"))
        self.refresh_bindings()
        try:
            settled = await run_stoppable(question, self._stop)
            # The screen may have been closed meanwhile.
            return settled if self.query(Input) else None
        except QuizappError as error:
            self._say(str(error))
            return None
        finally:
            waiting.stop()
            self._busy = False
            self.refresh_bindings()

    async def action_undo(self) -> None:
        undone = self.run.undo()
        self._say("the last line is taken back" if undone else "there is nothing to take back")
        await self._show()

    def action_recall(self) -> None:
        field = self.query_one(Input)
        if not field.value:
            field.value = self.run.current.line.text
            field.cursor_position = len(field.value)

    def action_scroll(self, pages: int) -> None:
        board = self.query_one(".board")
        board.scroll_relative(y=pages * max(board.size.height - 1, 1), animate=False)

    def action_leave(self) -> None:
        if self._busy:
            self._stop.set()
            self._say("stopping…")
        else:
            self.dismiss(self.run.suggested_grade if self.run.finished else None)
