"""Step through a derivation: type a line, and be told whether it follows and by which numbers it fails."""

from __future__ import annotations

import asyncio
from typing import ClassVar

from textual import work
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, HorizontalScroll, Vertical, VerticalScroll
from textual.content import Content
from textual.screen import Screen
from textual.widgets import Footer, Input, OptionList, Static
from textual.widgets.option_list import Option

from quizapp.commands.context import Context
from quizapp.derivations.folders import folders
from quizapp.derivations.reading import find, load_library
from quizapp.derivations.run import Answer, DerivationRun, Written
from quizapp.errors import QuizappError
from quizapp.notation import draw
from quizapp.tui.app_context import app_of, context_of

_SIGNS = {"equal": ("✓", "$text-success"), "different": ("✗", "$text-error")}


def load_run(context: Context, name: str) -> DerivationRun:
    """A fresh run of a derivation, by its id. Raises QuizappError where there is none."""
    return DerivationRun(find(name, folders(context.home.path, context.common.decks)))


class DerivationScreen(Screen[int | None]):
    """Closes with the grade that the run speaks for, or None where the goal was not reached."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding(
            "f2",
            "hint",
            "Hint",
            id="derivation-hint",
            tooltip="A hint for the next step, in stages",
            priority=True,
        ),
        Binding(
            "f3", "reveal", "Reveal", id="derivation-reveal", tooltip="Write the next step", priority=True
        ),
        Binding(
            "f4",
            "goal",
            "To the end",
            id="derivation-goal",
            tooltip="Write all the remaining steps",
            priority=True,
        ),
        Binding(
            "ctrl+z", "undo", "Undo", id="derivation-undo", tooltip="Take the last line off", priority=True
        ),
        Binding(
            "escape", "leave", "Leave", id="derivation-leave", tooltip="Back to where you were", priority=True
        ),
    ]

    def __init__(self, run: DerivationRun) -> None:
        super().__init__()
        self._run = run
        self._busy = False

    def compose(self) -> ComposeResult:
        with Horizontal(id="top"):
            yield Static(Content(self._run.derivation.title), id="deck")
            yield Static("", id="progress")
        yield Static(Content(self._run.symbols), classes="quiet")
        with HorizontalScroll(id="claim", can_focus=False):
            yield Static(Content("\n".join(draw(self._run.claim).rows)))
        yield VerticalScroll(id="board", can_focus=False)
        yield Input(id="line", placeholder="the next line, for example cos(a)*cos(b)")
        yield Static("", id="preview")
        yield Static("", id="said")
        yield Footer(show_command_palette=False)

    def on_mount(self) -> None:
        self.query_one(Input).focus()
        self.call_after_refresh(self._warm_up)
        self.call_later(self._show)

    @work(thread=True, exit_on_error=False)
    def _warm_up(self) -> None:
        from quizapp import algebra

        algebra.warm_up()

    async def _show(self) -> None:
        run = self._run
        board = self.query_one("#board")
        await board.remove_children()
        await board.mount_all([_line(number, line) for number, line in enumerate(run.lines, 1)])
        board.scroll_end(animate=False)
        slips = f" · {run.mistakes} {'slip' if run.mistakes == 1 else 'slips'}" if run.mistakes else ""
        own = " · own route" if run.own_route else ""
        self.query_one("#progress", Static).update(Content(f"line {len(run.lines)}{own}{slips}"))
        if run.finished:
            self.query_one(Input).disabled = True
            self._say(f"✓ goal reached. {run.derivation.note or ''} (esc goes back)", "$text-success")

    def _say(self, text: str, style: str = "") -> None:
        self.query_one("#said", Static).update(Content.styled(text, style) if style else Content(text))

    @work(exclusive=True, group="preview")
    async def on_input_changed(self, event: Input.Changed) -> None:
        """Show how the line is read, a moment after the last key."""
        preview = self.query_one("#preview", Static)
        if not event.value.strip():
            preview.update("")
            return
        await asyncio.sleep(0.1)
        read = await asyncio.to_thread(self._run.preview, event.value)
        if read.latex:
            rows = draw(read.latex).rows
            preview.update(
                Content("\n".join(("read as  " if n == 0 else " " * 9) + row for n, row in enumerate(rows)))
            )
        else:
            caret = f" (character {read.at})" if read.at else ""
            preview.update(Content(f"can't read this yet{caret}: {read.message}"))

    def on_input_submitted(self, event: Input.Submitted) -> None:
        event.stop()
        if event.value.strip() and not self._busy:
            self._submit(event.value)

    @work
    async def _submit(self, text: str) -> None:
        """Decide in the background; the screen stays alive meanwhile."""
        self._busy = True
        self._say("checking…")
        try:
            answer = await asyncio.to_thread(self._run.submit, text)
        except QuizappError as error:
            self._say(str(error))
            return
        finally:
            self._busy = False
        self._say_answer(answer)
        if answer.accepted:
            self.query_one(Input).value = ""
            await self._show()

    def _say_answer(self, answer: Answer) -> None:
        sign, style = _SIGNS.get(answer.verdict, ("·", "$text-warning"))
        said = answer.text if answer.verdict == "equal" else f"{answer.verdict}{answer.text}"
        self._say(f"{sign} {said.lstrip(': ')}", style)

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:  # noqa: ARG002
        return not (action in ("hint", "reveal", "goal") and (self._run.finished or self._busy))

    def action_hint(self) -> None:
        self._say(f"hint: {self._run.hint()}")

    async def action_reveal(self) -> None:
        self._run.reveal()
        self._say("")
        await self._show()

    async def action_goal(self) -> None:
        self._run.skip_to_goal()
        await self._show()

    async def action_undo(self) -> None:
        if self._busy:
            return
        self._say("The last line is taken off." if self._run.undo() else "There is nothing to undo.")
        self.query_one(Input).disabled = False
        self.query_one(Input).focus()
        await self._show()

    def action_leave(self) -> None:
        self.dismiss(self._run.suggested_grade if self._run.finished else None)


def _line(number: int, line: Written) -> Horizontal:
    rows = draw(line.latex).rows
    how = f"✓ {line.how}" if line.how else ""
    remark = "   ".join(text for text in (how, line.note) if text)
    return Horizontal(
        Static(Content(f"{number:>2}  "), classes="number"),
        Vertical(
            HorizontalScroll(Static(Content("\n".join(rows))), can_focus=False),
            Static(Content(remark or "start"), classes="quiet"),
        ),
        classes="line",
    )


class DerivationListScreen(Screen[None]):
    """All derivations; the one chosen opens."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape,q", "dismiss", "Back", id="derivations-back", tooltip="Back to where you were"),
        Binding("j", "move(1)", "Down", show=False, id="derivations-down", tooltip="The next one"),
        Binding("k", "move(-1)", "Up", show=False, id="derivations-up", tooltip="The one before"),
    ]

    def compose(self) -> ComposeResult:
        with Horizontal(id="top"):
            yield Static(Content("Derivations"), id="deck")
            yield Static("", id="progress")
        yield OptionList(id="list", markup=False)
        yield Footer(show_command_palette=False)

    def on_mount(self) -> None:
        context = context_of(self)
        try:
            found = load_library(folders(context.home.path, context.common.decks))
        except QuizappError as error:
            self.dismiss()
            app_of(self).complain(error)
            return
        choices = self.query_one(OptionList)
        choices.add_options(
            Option(Content(f"{run.title}  ({len(run.steps)} steps)"), id=name) for name, run in found.items()
        )
        self.query_one("#progress", Static).update(
            Content(f"{len(found)} derivations, each proved step by step")
        )
        choices.highlighted = 0
        choices.focus()

    def action_move(self, by: int) -> None:
        choices = self.query_one(OptionList)
        if by > 0:
            choices.action_cursor_down()
        else:
            choices.action_cursor_up()

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        if event.option.id:
            try:
                run = load_run(context_of(self), event.option.id)
            except QuizappError as error:
                app_of(self).complain(error)
                return
            self.app.push_screen(DerivationScreen(run))
