"""The app: themes, keys, signals, and the way from one screen to the next."""

from __future__ import annotations

import asyncio
import os
import signal
from collections.abc import Iterable, Sequence
from typing import Any, ClassVar

from textual import work
from textual.app import App, SystemCommand
from textual.binding import Binding, BindingType
from textual.screen import Screen

from quizapp.commands.context import Context
from quizapp.commands.options import Common
from quizapp.errors import QuizappError
from quizapp.tui.screens.help import HelpScreen
from quizapp.tui.screens.message import MessageScreen


class QuizApp(App[None]):
    """One window on the library and the reviews; ``first`` opens the first screen."""

    CSS_PATH = "app.tcss"
    TITLE = "quizapp"
    HORIZONTAL_BREAKPOINTS = [(0, "-narrow"), (72, "-wide")]  # noqa: RUF012  (an instance variable of App)
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("question_mark,f1", "help", "Help", key_display="?", id="help", tooltip="Every key of this screen"),
        Binding("ctrl+q", "quit", "Quit", show=False, id="quit", tooltip="Leave; everything is saved"),
    ]  # fmt: skip

    def __init__(self, context: Context, first: Screen[Any] | None = None) -> None:
        super().__init__()
        self.context = context
        self._first = first
        # Without colours an ANSI theme would paint black on black.
        bad = "NO_COLOR" in os.environ and context.config.theme.startswith("ansi")
        wanted = context.config.theme
        if wanted and wanted in self.available_themes and not bad:
            self.theme = wanted
        elif not wanted and _light_background():
            self.theme = "textual-light"
        self.warnings = keymap_problems(context.config.keys, known_bindings())
        self.set_keymap(context.config.keys)
        if wanted and wanted not in self.available_themes:
            self.warnings.append(f"there is no theme {wanted}; the palette (ctrl+p) lists them")

    def on_mount(self) -> None:
        from quizapp.tui.screens.home import HomeScreen

        for name in ("SIGTERM", "SIGHUP"):
            if hasattr(signal, name):
                # Without a handler the terminal would keep the alternate screen and the mouse.
                asyncio.get_running_loop().add_signal_handler(getattr(signal, name), self.exit)
        self.push_screen(HomeScreen())
        if self._first is not None:
            self.push_screen(self._first)
        for warning in self.warnings:
            self.notify(warning, severity="warning", markup=False)
        self.call_after_refresh(self._warm_up)

    @work(thread=True, exit_on_error=False)
    def _warm_up(self) -> None:
        """Import what the first card will need, once the first frame is there."""
        import fsrs

        from quizapp.notation import draw

        draw(r"\frac{a}{b}")
        assert fsrs

    def action_help(self) -> None:
        self.push_screen(HelpScreen(self.screen))

    def get_system_commands(self, screen: Screen[object]) -> Iterable[SystemCommand]:
        """Every action of the screen in front, and the themes."""
        for active in screen.active_bindings.values():
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
        """Keep a theme that was chosen in the palette."""
        if (
            self.is_running
            and theme != (self.context.config.theme or "textual-dark")
            and not theme.startswith("ansi")
        ):
            from quizapp.tui.settings import keep_setting

            try:
                keep_setting(self.context.home.config, "theme", theme)
            except (OSError, QuizappError) as error:
                self.notify(f"the theme is not kept: {error}", severity="warning", markup=False)

    def complain(self, error: Exception) -> None:
        """Say what went wrong, in one calm box."""
        self.push_screen(MessageScreen("That did not work", str(error)))


def known_bindings() -> dict[str, str]:
    """Every binding's id with its default keys, over all screens."""
    from quizapp.tui.screens.browse import BrowseScreen
    from quizapp.tui.screens.derivation import DerivationScreen
    from quizapp.tui.screens.drill import DrillScreen
    from quizapp.tui.screens.home import HomeScreen
    from quizapp.tui.screens.summary import SummaryScreen

    found: dict[str, str] = {}
    for owner in (QuizApp, HomeScreen, DrillScreen, SummaryScreen, DerivationScreen, BrowseScreen):
        for binding in owner.BINDINGS:
            if isinstance(binding, Binding) and binding.id:
                found[binding.id] = binding.key
    return found


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


def _run(common: Common, first: Screen[Any] | None) -> None:
    from quizapp import algebra

    app = QuizApp(Context(common), first)
    try:
        app.run()
    finally:
        algebra.shut_down()


def open_home(common: Common) -> None:
    """Open the app on its home screen."""
    _run(common, None)


def open_drill(common: Common, decks: Sequence[str], *, cram: bool = False, limit: int | None = None) -> None:
    """Open the app on a drill. Raises UsageError on an unknown deck, before the app opens."""
    from quizapp.tui.screens.drill import DrillScreen

    Context(common).library.select(decks)
    _run(common, DrillScreen(tuple(decks), cram=cram, limit=limit))


def open_derivation(name: str | None, common: Common) -> None:
    """Open the app on a derivation, or on the list of them."""
    from quizapp.tui.screens.derivation import DerivationListScreen, DerivationScreen, load_run

    if name is None:
        _run(common, DerivationListScreen())
        return
    _run(common, DerivationScreen(load_run(Context(common), name)))
