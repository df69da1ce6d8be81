"""Choose a derivation, and what to do with it: type it, put its lines in order, or find its wrong line."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import ClassVar

from textual import work
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, VerticalScroll
from textual.content import Content
from textual.screen import Screen
from textual.widgets import OptionList, Static
from textual.widgets.option_list import Option

from quizapp.derivations.folders import folders
from quizapp.derivations.model import Derivation
from quizapp.derivations.reading import load_library
from quizapp.errors import QuizappError
from quizapp.review.clock import seed_from_environment
from quizapp.tui import derivation_words as words
from quizapp.tui.app_context import app_of, context_of
from quizapp.tui.counted import counted
from quizapp.tui.widgets.formula import FormulaView
from quizapp.tui.widgets.key_line import KeyLine

_KEYS = [
    Binding(
        "enter",
        "type",
        "Type it",
        id="derivations-type",
        tooltip="Step through it, typing the lines",
        priority=True,
    ),
    Binding("o", "order", "Order the lines", id="derivations-order", tooltip="Put its shuffled lines right"),
    Binding("w", "wrong", "Wrong line", id="derivations-wrong", tooltip="Find the one line that was spoiled"),
    Binding("j", "move(1)", "Down", show=False, id="derivations-down", tooltip="The next derivation"),
    Binding("k", "move(-1)", "Up", show=False, id="derivations-up", tooltip="The derivation before"),
    Binding("escape,q", "leave", "Back", id="derivations-back", tooltip="Back to where you were"),
]


class DerivationListScreen(Screen[None]):
    """All derivations, with the claim of the one in hand."""

    BINDINGS: ClassVar[list[BindingType]] = [*_KEYS]
    DEFAULT_CSS = """
    DerivationListScreen #choose { height: 1fr; }
    DerivationListScreen OptionList {
        width: 2fr; height: 1fr; border: none; background: $background; padding: 0 1;
        text-wrap: nowrap; text-overflow: ellipsis;
    }
    DerivationListScreen OptionList:focus { border: none; }
    DerivationListScreen .about { width: 3fr; height: 1fr; padding: 1 2; border-left: solid $foreground 20%; }
    DerivationListScreen .about > * { height: auto; margin-bottom: 1; }
    DerivationListScreen .title { text-style: bold; }
    DerivationListScreen.-narrow #choose { layout: vertical; }
    DerivationListScreen.-narrow OptionList { width: 1fr; }
    DerivationListScreen.-narrow .about {
        width: 1fr; height: auto; max-height: 40%; padding: 0 2; border-left: none; border-top: solid $foreground 20%;
    }
    DerivationListScreen.-narrow .title { display: none; }
    """

    def __init__(self) -> None:
        super().__init__()
        self._found: dict[str, Derivation] = {}

    def compose(self) -> ComposeResult:
        with Horizontal(id="top"):
            yield Static(Content("Derivations"), id="deck")
            yield Static("", id="progress")
        with Horizontal(id="choose"):
            yield OptionList(markup=False)
            with VerticalScroll(classes="about", can_focus=False):
                yield Static("", classes="title")
                yield FormulaView("")
                yield Static("", classes="quiet")
        yield KeyLine()

    def on_mount(self) -> None:
        context = context_of(self)
        try:
            self._found = load_library(folders(context.home.path, context.common.decks))
        except QuizappError as error:
            self.app.pop_screen()
            app_of(self).complain(error)
            return
        choices = self.query_one(OptionList)
        choices.add_options(Option(Content(found.title), id=name) for name, found in self._found.items())
        choices.highlighted = 0 if self._found else None
        choices.focus()
        self.query_one("#progress", Static).update(Content(counted(len(self._found), "derivation")))
        if not self._found:
            self.query_one(".title", Static).update(Content("There is no derivation in the library."))

    @property
    def _chosen(self) -> Derivation | None:
        option = self.query_one(OptionList).highlighted_option
        return self._found.get(option.id or "") if option else None

    def on_option_list_option_highlighted(self) -> None:
        self._describe()

    @work(exclusive=True)
    async def _describe(self) -> None:
        found = self._chosen
        if found is None:
            return
        self.query_one(".title", Static).update(Content(found.title))
        lines = [
            f"with {said}" if (said := words.symbols(found)) else "",
            counted(len(found.steps), "step"),
            *found.sources,
        ]
        self.query_one(".quiet", Static).update(Content("\n".join(filter(None, lines))))
        try:
            self.query_one(FormulaView).show(words.claim(found))
        except QuizappError as error:
            self.query_one(FormulaView).show("")
            self.query_one(".quiet", Static).update(Content(str(error)))

    def on_option_list_option_selected(self) -> None:
        self.action_type()

    def action_type(self) -> None:
        from quizapp.derivations.run import DerivationRun
        from quizapp.tui.screens.derivation import DerivationScreen

        self._open(lambda found: DerivationScreen(DerivationRun(found)))

    def action_order(self) -> None:
        from quizapp.derivations.order_steps import order_steps
        from quizapp.tui.screens.order_steps import OrderStepsScreen

        self._open(lambda found: OrderStepsScreen(order_steps(found, _seed())))

    def action_wrong(self) -> None:
        from quizapp.tui.screens.find_wrong_step import FindWrongStepScreen

        self._open(lambda found: FindWrongStepScreen(found, _seed()))

    def _open(self, made: Callable[[Derivation], Screen[int | None] | Screen[None]]) -> None:
        found = self._chosen
        if found is None:
            return
        try:
            screen = made(found)
        except QuizappError as error:
            app_of(self).complain(error)
            return
        self.app.push_screen(screen)

    def action_move(self, by: int) -> None:
        choices = self.query_one(OptionList)
        if by > 0:
            choices.action_cursor_down()
        else:
            choices.action_cursor_up()

    def action_leave(self) -> None:
        self.app.pop_screen()


def _seed() -> int:
    fixed = seed_from_environment()
    return random.SystemRandom().randrange(2**32) if fixed is None else fixed
