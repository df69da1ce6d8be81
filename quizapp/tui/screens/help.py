"""Every key of a screen, made from its bindings, so that help and keys cannot disagree."""

from __future__ import annotations

from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import VerticalScroll
from textual.content import Content
from textual.screen import ModalScreen, Screen
from textual.widgets import Label, Static


class HelpScreen(ModalScreen[None]):
    """The keys of ``of``, with what each does and the name by which the configuration remaps it."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding(
            "escape,question_mark,f1,q", "dismiss", "Close", id="help-close", tooltip="Back to where you were"
        )
    ]

    def __init__(self, of: Screen[object]) -> None:
        super().__init__()
        self._rows = help_rows(of)

    def compose(self) -> ComposeResult:
        with VerticalScroll(classes="box wide"):
            yield Label(Content("Keys"), classes="box-title")
            width = max((len(keys) for keys, _, _ in self._rows), default=0)
            for keys, said, name in self._rows:
                yield Static(
                    Content.assemble(
                        (f"{keys:>{width}}  ", "$text-accent"), said, (f"  {name}", "$text-muted")
                    )
                )
            yield Static(
                Content('The names on the right are for [keys] in your configuration: undo = "z".'),
                classes="quiet",
            )


def help_rows(screen: Screen[object]) -> list[tuple[str, str, str]]:
    """The keys, what they do, and the binding's id; several keys of one action share a row."""
    rows: dict[str, tuple[list[str], str, str]] = {}
    for active in screen.active_bindings.values():
        binding = active.binding
        if not binding.description:
            continue
        said = active.tooltip or binding.tooltip or binding.description
        row = rows.setdefault(binding.action, ([], said, binding.id or ""))
        key = screen.app.get_key_display(binding)
        if key not in row[0]:
            row[0].append(key)
    return [(" ".join(keys), said, name) for keys, said, name in rows.values()]
