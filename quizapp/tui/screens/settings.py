"""The settings, each checked as it is entered and written to the configuration file at once."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, VerticalScroll
from textual.content import Content
from textual.events import DescendantFocus
from textual.screen import Screen
from textual.widgets import Input, Label, Select, Static

from quizapp.errors import QuizappError
from quizapp.tui.app_context import app_of, context_of
from quizapp.tui.widgets.key_line import KeyLine


@dataclass(frozen=True)
class Setting:
    """One line of the screen; ``name`` is the setting's name in the configuration file."""

    name: str
    label: str
    takes: str
    said: str

    def value_of(self, text: str) -> str | int | float:
        """What was typed, as the file takes it. Raises ValueError where that cannot be read."""
        if self.name == "interview":
            return text.strip()
        return float(text) if self.name == "desired_retention" else int(text)


SETTINGS = (
    Setting("desired_retention", "Recall to aim at", "0.7 to 0.99", "A card comes back when recall falls to this."),
    Setting("new_per_day", "New cards a day", "0 to 9999", "New cards of a study day, over all decks."),
    Setting("reviews_per_day", "Reviews a day", "0 to 9999", "Due cards of a study day, over all decks."),
    Setting("maximum_interval", "Longest interval", "1 to 36500 days", "No card stays away longer than this."),
    Setting("day_start", "Day starts at", "0 to 23 o'clock", "Until this hour it is still yesterday's study day."),
    Setting("leech_threshold", "Leech after", "1 or more lapses", "A card forgotten so often is marked as a leech."),
    Setting("interview", "Interview on", "a date as 2026-12-14, or empty", "The day that the schedule aims at."),
)  # fmt: skip


class SettingsScreen(Screen[None]):
    """Closes with the configuration as it stands in the file; a value that does not fit is not written."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("enter", "keep", "Keep", id="settings-keep", tooltip="Check this value and write it"),
        Binding("down", "app.focus_next", "Next", show=False, id="settings-down", tooltip="The next setting"),
        Binding("up", "app.focus_previous", "Before", show=False, id="settings-up", tooltip="The setting before"),
        Binding("escape", "close", "Home", id="settings-close", tooltip="Keep what fits and go back"),
    ]  # fmt: skip

    def __init__(self) -> None:
        super().__init__()
        self._said = ""
        self._wrong: dict[str, str] = {}

    def compose(self) -> ComposeResult:
        config = context_of(self).config
        app = app_of(self)
        with Horizontal(id="top"):
            yield Static(Content("Settings"), id="brand")
        with VerticalScroll(id="settings", can_focus=False):
            for setting in SETTINGS:
                with Horizontal(classes="setting"):
                    yield Label(Content(setting.label))
                    value = getattr(config, setting.name)
                    yield Input(str(value), id=setting.name, compact=True)
                    yield Static(Content(setting.takes), classes="quiet")
            with Horizontal(classes="setting"):
                yield Label(Content("Theme"))
                yield Select(
                    [(name, name) for name in sorted(app.available_themes)],
                    value=app.theme,
                    allow_blank=False,
                    id="theme",
                    compact=True,
                )
            yield Static("", id="about")
        yield Static(Content(str(context_of(self).home.config)), id="where", classes="quiet")
        yield KeyLine()

    def on_mount(self) -> None:
        self.query(Input).first().focus()

    def on_descendant_focus(self, event: DescendantFocus) -> None:
        setting = _setting(event.widget.id)
        self._said = setting.said if setting else "Dark or light; kept as it is chosen."
        self._tell()

    def on_input_blurred(self, event: Input.Blurred) -> None:
        self._keep(event.input)

    def on_input_submitted(self, event: Input.Submitted) -> None:
        event.stop()
        if self._keep(event.input):
            self.focus_next()

    def on_select_changed(self, event: Select.Changed) -> None:
        if isinstance(event.value, str):
            self.app.theme = event.value

    def action_keep(self) -> None:
        if isinstance(self.focused, Input):
            self._keep(self.focused)

    def action_close(self) -> None:
        """Go back; a value that does not fit is said first, and given up the second time."""
        field = self.focused
        known = isinstance(field, Input) and field.id in self._wrong
        if known or not isinstance(field, Input) or self._keep(field):
            self.dismiss()

    def _keep(self, field: Input) -> bool:
        """Write the value of one field where it changed; says in place why it does not fit."""
        setting = _setting(field.id)
        if setting is None:
            return True
        before = getattr(context_of(self).config, setting.name)
        try:
            value = setting.value_of(field.value)
            if value != before:
                app_of(self).keep_setting(setting.name, value)
                self._said = f"✓ {setting.label}: {value if value != '' else 'none'}, kept."
            self._wrong.pop(setting.name, None)
        except (QuizappError, ValueError, OSError) as error:
            self._wrong[setting.name] = (
                str(error)
                if isinstance(error, OSError)
                # What the file's reader says names a file and a line, of no use to someone who stands in the field.
                else f"{setting.label}: {setting.takes}, and not {field.value.strip() or 'nothing'}"
            )
        field.set_class(setting.name in self._wrong, "-invalid")
        self._tell()
        return setting.name not in self._wrong

    def _tell(self) -> None:
        lines = [Content.styled(f"✗ {wrong}", "$text-error") for wrong in self._wrong.values()]
        self.query_one("#about", Static).update(Content("\n").join([*lines, Content(self._said)]))


def _setting(name: str | None) -> Setting | None:
    return next((setting for setting in SETTINGS if setting.name == name), None)
