"""Ask before something that is not done by accident."""

from __future__ import annotations

from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.content import Content
from textual.screen import ModalScreen
from textual.widgets import Label, Static


class ConfirmScreen(ModalScreen[bool]):
    """Closes with whether it shall be done."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("y,enter", "answer(True)", "Yes", id="confirm-yes", tooltip="Do it"),
        Binding("n,escape,q", "answer(False)", "No", id="confirm-no", tooltip="Leave it as it is"),
    ]

    def __init__(self, title: str, text: str) -> None:
        super().__init__()
        self._question = title
        self._text = text

    def compose(self) -> ComposeResult:
        with Vertical(classes="box"):
            yield Label(Content(self._question), classes="box-title")
            yield Static(Content(self._text))
            yield Static(Content("y Yes   n No"), classes="quiet")

    def action_answer(self, done: bool) -> None:
        self.dismiss(done)
