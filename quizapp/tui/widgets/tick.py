"""A choice of yes or no in one line; which it is shows without colour."""

from __future__ import annotations

from typing import ClassVar

from textual.binding import Binding, BindingType
from textual.content import Content
from textual.events import Click
from textual.message import Message
from textual.reactive import reactive
from textual.widget import Widget


class Tick(Widget, can_focus=True):
    """Ticked or not; disabled where it cannot be chosen."""

    class Changed(Message):
        """It was ticked, or the tick was taken away."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("space,enter", "tick_me", "Tick", id="tick-toggle", tooltip="Choose this, or leave it")
    ]
    DEFAULT_CSS = """
    Tick { height: 1; width: 1fr; }
    Tick:focus { background: $surface-lighten-2; text-style: bold; }
    Tick:disabled { color: $text-muted; }
    """
    ticked: reactive[bool] = reactive(False)

    def __init__(
        self, text: str, *, ticked: bool = False, focusable: bool = True, id: str | None = None
    ) -> None:
        super().__init__(id=id)
        self.can_focus = focusable
        self._text = text
        self.set_reactive(Tick.ticked, ticked)

    @property
    def holds(self) -> bool:
        """Whether it is chosen and can be."""
        return self.ticked and not self.disabled

    def render(self) -> Content:
        sign = ("✓", "$text-success") if self.holds else ("·", "$text-muted")
        return Content.assemble(sign, "  ", self._text)

    def on_click(self, event: Click) -> None:
        event.stop()
        self.action_tick_me()

    def action_tick_me(self) -> None:
        self.ticked = not self.ticked
        self.post_message(self.Changed())
