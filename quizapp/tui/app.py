"""The app: themes, keys, signals, and the way from one screen to the next."""

from __future__ import annotations

import asyncio
import gc
import os
import signal
import sys
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from importlib import import_module
from typing import TYPE_CHECKING, Any, ClassVar

from textual import work
from textual.app import App, SystemCommand
from textual.binding import Binding, BindingType
from textual.screen import Screen
from textual.theme import Theme

from quizapp.commands.context import Context
from quizapp.commands.options import Common
from quizapp.errors import QuizappError, UsageError
from quizapp.tui.contrast import readable
from quizapp.tui.screens.help import HelpScreen
from quizapp.tui.screens.message import MessageScreen

if TYPE_CHECKING:
    from quizapp.demos.model import Value
    from quizapp.derivations.model import Derivation


class QuizApp(App[None]):
    """One window on the library and the reviews; ``first`` opens the first screen."""

    CSS_PATH = "app.tcss"
    TITLE = "quizapp"
    HORIZONTAL_BREAKPOINTS = [(0, "-narrow"), (72, "-wide")]  # noqa: RUF012  (an instance variable of App)
    VERTICAL_BREAKPOINTS = [(0, "-short"), (22, "-tall")]  # noqa: RUF012  (an instance variable of App)
    # Textual asks for the themes before it has looked at NO_COLOR.
    no_color: bool = False
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("question_mark,f1", "help", "Help", key_display="?", id="help", tooltip="Every key of this screen"),
        Binding("f10", "settings", "Settings", show=False, id="settings", tooltip="Limits, recall, theme, date"),
        Binding("ctrl+q", "quit", "Quit", show=False, id="quit", tooltip="Leave; everything is saved"),
        Binding("ctrl+z", "suspend_process", "To the shell", show=False, id="shell", tooltip="fg comes back here"),
    ]  # fmt: skip

    def __init__(self, context: Context, first: Screen[Any] | None = None) -> None:
        super().__init__()
        self.context = context
        self._first = first
        wanted = context.config.theme
        self.warnings: list[str] = []
        if wanted in self.available_themes:
            self.theme = wanted
        elif wanted in super().available_themes:
            self.warnings.append(f"{wanted} needs colours, and NO_COLOR is set; {self.theme} is used")
        elif wanted:
            self.warnings.append(f"there is no theme {wanted}; the settings list them")
        elif _light_background():
            self.theme = "textual-light"
        if context.config.keys:
            # The screens are imported for this, so that it is done for those who remap keys alone.
            self.warnings += keymap_problems(context.config.keys, known_bindings())
            self.set_keymap(context.config.keys)
        self._kept_theme = self.theme

    @property
    def available_themes(self) -> dict[str, Theme]:
        """Textual's themes. Without colours an ANSI theme would paint black on black, so there is none then."""
        themes = super().available_themes
        if not self.no_color:
            return themes
        return {name: theme for name, theme in themes.items() if not theme.ansi}

    def get_css_variables(self) -> dict[str, str]:
        """The theme's colours, its words dark or light enough to be read."""
        self.theme_variables = readable(super().get_css_variables())
        return self.theme_variables

    def get_default_screen(self) -> Screen[Any]:
        """Home, at once: an empty screen below it would be laid out for nothing."""
        from quizapp.tui.screens.home import HomeScreen

        return HomeScreen()

    def on_mount(self) -> None:
        for name in ("SIGTERM", "SIGHUP", "SIGINT"):
            # Without a handler the terminal would keep the alternate screen and the mouse.
            with suppress(AttributeError, NotImplementedError):
                asyncio.get_running_loop().add_signal_handler(getattr(signal, name), self.exit)
        self.call_after_refresh(_collect_garbage)
        if self._first is not None:
            self.push_screen(self._first)
        for warning in self.warnings:
            self.notify(warning, severity="warning", markup=False)

    @work(thread=True, exit_on_error=False)
    def warm_up(self) -> None:
        """Import what the first card will need; called once the home screen says all it has to say."""
        import_module("quizapp.tui.screens.drill")
        import_module("quizapp.commands.opening")
        import_module("fsrs")
        import_module("quizapp.notation").draw(r"\frac{a}{b}")

    def action_help(self) -> None:
        self.push_screen(HelpScreen(self.screen))

    def action_settings(self) -> None:
        from quizapp.tui.screens.settings import SettingsScreen

        if not isinstance(self.screen, SettingsScreen):
            self.push_screen(SettingsScreen())

    def get_system_commands(self, screen: Screen[object]) -> Iterable[SystemCommand]:
        """Every action of the screen in front, and the themes."""
        # Several keys may do one thing.
        actions = {(active.binding.action, active.node): active for active in screen.active_bindings.values()}
        for active in actions.values():
            binding = active.binding
            if binding.description and active.enabled:
                yield SystemCommand(
                    binding.description,
                    active.tooltip or binding.tooltip or f"Key {self.get_key_display(binding)}",
                    lambda action=binding.action, node=active.node: self.call_later(
                        self.run_action, action, node
                    ),
                )
        yield SystemCommand(
            "Theme", "Choose the colours; kept in your configuration", self.action_change_theme
        )
        yield SystemCommand("Save a picture", "Write this screen as SVG", lambda: self.action_screenshot())

    def watch_theme(self, theme: str) -> None:
        """Keep a theme that was chosen in the palette or in the settings."""
        if self.is_running and theme != self._kept_theme:
            self._kept_theme = theme
            try:
                self.keep_setting("theme", theme)
            except (OSError, QuizappError) as error:
                self.notify(f"the theme is not kept: {error}", severity="warning", markup=False)

    def keep_setting(self, name: str, value: str | int | float) -> None:
        """Write one setting, and use it from now on. Raises UsageError where it does not fit."""
        from quizapp.tui.settings import keep_setting

        keep_setting(self.context.home.config, name, value)
        self.context = Context(self.context.common)

    def complain(self, error: Exception) -> None:
        """Say what went wrong, in one calm box."""
        self.push_screen(MessageScreen("That did not work", str(error)))


def known_bindings() -> dict[str, str]:
    """Every binding's id with its default keys, over all screens."""
    from quizapp.tui.screens.answer_line import AnswerInput
    from quizapp.tui.screens.browse import BrowseScreen
    from quizapp.tui.screens.confirm import ConfirmScreen
    from quizapp.tui.screens.demo import DemoScreen, ValueInput
    from quizapp.tui.screens.demo_list import DemoListScreen
    from quizapp.tui.screens.derivation import DerivationScreen
    from quizapp.tui.screens.derivation_list import DerivationListScreen
    from quizapp.tui.screens.drill import DrillScreen
    from quizapp.tui.screens.exercise import ExerciseScreen
    from quizapp.tui.screens.export import ExportScreen
    from quizapp.tui.screens.find_wrong_step import FindWrongStepScreen
    from quizapp.tui.screens.home import HomeScreen
    from quizapp.tui.screens.import_files import ImportReportScreen, ImportScreen
    from quizapp.tui.screens.message import MessageScreen
    from quizapp.tui.screens.order_steps import OrderStepsScreen
    from quizapp.tui.screens.settings import SettingsScreen
    from quizapp.tui.screens.summary import SummaryScreen
    from quizapp.tui.widgets.file_tree import FileTree
    from quizapp.tui.widgets.formula import FormulaView
    from quizapp.tui.widgets.row_list import RowList
    from quizapp.tui.widgets.tick import Tick

    owners = (
        QuizApp, HomeScreen, DrillScreen, AnswerInput, SummaryScreen, SettingsScreen, DerivationScreen,
        DerivationListScreen, ExerciseScreen, OrderStepsScreen, FindWrongStepScreen, BrowseScreen, RowList,
        FormulaView, HelpScreen, MessageScreen, ConfirmScreen, DemoScreen, ValueInput, DemoListScreen,
        ExportScreen, ImportScreen, ImportReportScreen, FileTree, Tick,
    )  # fmt: skip
    return {
        binding.id: binding.key
        for owner in owners
        for binding in owner.BINDINGS
        if isinstance(binding, Binding) and binding.id
    }


def keymap_problems(keys: dict[str, str], known: dict[str, str]) -> list[str]:
    """What is wrong with the configured keys: names that are not there, keys that two actions of one screen share."""
    problems = [
        f"keys: there is no action {name}; the help screen (?) names them"
        for name in keys
        if name not in known
    ]
    taken: dict[tuple[str, str], str] = {}
    for name, default in known.items():
        screen = name.partition("-")[0] if "-" in name else ""
        for key in keys.get(name, default).split(","):
            other = taken.setdefault((screen, key.strip()), name)
            if other != name:
                problems.append(
                    f"keys: {key.strip()} is both {other} and {name}; change one in the configuration"
                )
    return problems


def _light_background() -> bool:
    """What COLORFGBG says of the terminal's background, where the terminal sets it."""
    return os.environ.get("COLORFGBG", "").rpartition(";")[2] in ("7", "15")


def _collect_garbage() -> None:
    """Collect garbage from now on, and leave alone what was imported and made for the first frame: it stays."""
    gc.freeze()
    gc.enable()


def _run(context: Context, first: Screen[Any] | None) -> None:
    from quizapp import algebra

    if (encoding := sys.stderr.encoding or "ascii").lower().replace("-", "") != "utf8":
        raise UsageError(
            f"the app draws in UTF-8 and this terminal takes {encoding}; set LANG=C.UTF-8, "
            "or use quizapp drill --plain"
        )
    for name in ("COLUMNS", "LINES"):
        # A size that a program put into the environment would be believed for ever, however the window changes.
        os.environ.pop(name, None)
    app = QuizApp(context, first)
    try:
        app.run()
    finally:
        gc.enable()
        algebra.shut_down()


def open_home(common: Common) -> None:
    """Open the app on its home screen."""
    _run(Context(common), None)


def open_drill(common: Common, decks: Sequence[str], *, cram: bool = False, limit: int | None = None) -> None:
    """Open the app on a drill. Raises UsageError on an unknown deck, before the app opens."""
    from quizapp.tui.screens.drill import DrillScreen

    context = Context(common)
    context.library.select(decks)
    _run(context, DrillScreen(tuple(decks), cram=cram, limit=limit))


def open_derivation(
    derivation: Derivation | None, common: Common, *, order: int | None = None, wrong_step: int | None = None
) -> None:
    """Open the app on a derivation, or on the list of them.

    ``order`` and ``wrong_step`` are the seeds of its two exercises; None where another is wanted.
    """
    first: Screen[Any]
    if derivation is None:
        from quizapp.tui.screens.derivation_list import DerivationListScreen

        first = DerivationListScreen()
    elif order is not None:
        from quizapp.derivations.order_steps import order_steps
        from quizapp.tui.screens.order_steps import OrderStepsScreen

        first = OrderStepsScreen(order_steps(derivation, order))
    elif wrong_step is not None:
        from quizapp.tui.screens.find_wrong_step import FindWrongStepScreen

        first = FindWrongStepScreen(derivation, wrong_step)
    else:
        from quizapp.derivations.run import DerivationRun
        from quizapp.tui.screens.derivation import DerivationScreen

        first = DerivationScreen(DerivationRun(derivation))
    _run(Context(common), first)


def open_demo(
    name: str | None, common: Common, *, step: int = 0, values: Mapping[str, Value] | None = None
) -> None:
    """Open the app on a demo, or on the list of them. Raises UsageError on an unknown one."""
    from quizapp.tui.screens.demo import DemoScreen
    from quizapp.tui.screens.demo_list import DemoListScreen

    first = DemoListScreen() if name is None else DemoScreen(name, step, values)
    _run(Context(common), first)
