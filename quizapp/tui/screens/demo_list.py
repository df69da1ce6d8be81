"""Choose a demo; the picture of the one in hand stands beside the list."""

from __future__ import annotations

from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical
from textual.content import Content
from textual.screen import Screen
from textual.widgets import OptionList, Static
from textual.widgets.option_list import Option

from quizapp.demos.model import Demo, State, view
from quizapp.demos.registry import load_all
from quizapp.text import strip_controls
from quizapp.tui.counted import counted
from quizapp.tui.widgets.key_line import KeyLine
from quizapp.tui.widgets.picture import PictureView

_KEYS = [
    Binding("enter", "open", "Open", id="demos-open", tooltip="Open the demo", priority=True),
    Binding("j", "move(1)", "Down", show=False, id="demos-down", tooltip="The next demo"),
    Binding("k", "move(-1)", "Up", show=False, id="demos-up", tooltip="The demo before"),
    Binding("c", "cards", "Cards", id="demos-cards", tooltip="The cards that ask about it"),
    Binding("escape,q", "leave", "Back", id="demos-back", tooltip="Back to where you were"),
]


class DemoListScreen(Screen[None]):
    """All demos, with the first picture of the one in hand."""

    BINDINGS: ClassVar[list[BindingType]] = [*_KEYS]
    DEFAULT_CSS = """
    DemoListScreen #choose { height: 1fr; margin-top: 1; }
    DemoListScreen OptionList {
        width: 32; height: 1fr; border: none; background: $background; padding: 0 1;
        text-wrap: nowrap; text-overflow: ellipsis;
    }
    DemoListScreen OptionList:focus { border: none; }
    DemoListScreen .about { width: 1fr; height: 1fr; padding: 0 2; border-left: solid $foreground 15%; }
    DemoListScreen .see { height: auto; max-height: 5; margin-top: 1; }
    DemoListScreen .steps { height: auto; max-height: 2; color: $text-muted; }
    DemoListScreen.-large OptionList { width: 46; }
    DemoListScreen.-narrow OptionList { width: 1fr; }
    DemoListScreen.-narrow .about { display: none; }
    """

    def __init__(self) -> None:
        super().__init__()
        self._demos: tuple[Demo, ...] = ()

    def compose(self) -> ComposeResult:
        with Horizontal(id="top"):
            yield Static(Content("Demos"), id="deck")
            yield Static("", id="progress")
        with Horizontal(id="choose"):
            yield OptionList(markup=False)
            with Vertical(classes="about"):
                yield PictureView()
                yield Static("", classes="see")
                yield Static("", classes="steps")
        yield KeyLine()

    def on_mount(self) -> None:
        self._demos = load_all()
        choices = self.query_one(OptionList)
        choices.add_options(Option(Content(demo.title), id=demo.name) for demo in self._demos)
        choices.highlighted = 0
        choices.focus()
        self.query_one("#progress", Static).update(Content(counted(len(self._demos), "demo")))

    def on_resize(self) -> None:
        self.set_class(self.size.width >= 110, "-large")

    @property
    def chosen(self) -> Demo | None:
        at = self.query_one(OptionList).highlighted
        return self._demos[at] if at is not None else None

    def on_option_list_option_highlighted(self, event: OptionList.OptionHighlighted) -> None:
        event.stop()
        demo = self.chosen
        if demo is None:
            return
        shown = view(demo, State())
        self.query_one(PictureView).show(shown.pictures)
        self.query_one(".see", Static).update(
            Content.assemble((demo.title, "bold"), "\n", strip_controls(shown.see))
        )
        steps = " · ".join(demo.steps) if len(demo.steps) > 1 else ""
        self.query_one(".steps", Static).update(Content(steps))

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        event.stop()
        self.action_open()

    def action_open(self) -> None:
        from quizapp.tui.screens.demo import DemoScreen

        if demo := self.chosen:
            self.app.push_screen(DemoScreen(demo.name))

    def action_cards(self) -> None:
        from quizapp.tui.screens.browse import BrowseScreen

        if demo := self.chosen:
            self.app.push_screen(BrowseScreen(f"demo:{demo.name}"))

    def action_move(self, by: int) -> None:
        choices = self.query_one(OptionList)
        if by > 0:
            choices.action_cursor_down()
        else:
            choices.action_cursor_up()

    def action_leave(self) -> None:
        self.app.pop_screen()
