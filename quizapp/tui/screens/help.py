"""Every key of a screen, made from its bindings, so that help and keys cannot disagree."""

from __future__ import annotations

from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Grid, VerticalScroll
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

    DEFAULT_CSS = """
    #keys { grid-size: 3; grid-columns: auto 1fr auto; grid-rows: auto; grid-gutter: 0 2; height: auto; }
    HelpScreen.-narrow #keys { grid-size: 2; grid-columns: auto 1fr; }
    HelpScreen.-narrow #keys .name { display: none; }
    """

    def __init__(self, of: Screen[object]) -> None:
        super().__init__()
        self._rows = help_rows(of)

    def compose(self) -> ComposeResult:
        with VerticalScroll(classes="box wide"):
            yield Label(Content("Keys"), classes="box-title")
            with Grid(id="keys"):
                for keys, said, name in self._rows:
                    yield Static(Content.styled(keys, "$text-accent"))
                    yield Static(Content(said))
                    yield Static(Content.styled(name, "$text-muted"), classes="name")
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
    # Those that any screen of any such program has come last.
    own = sorted(rows.values(), key=lambda row: not row[2])
    return [(" ".join(keys), said, name) for keys, said, name in own]
