"""Export: which decks, in which format, into which file; then how it went."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar

from textual import work
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical
from textual.content import Content
from textual.screen import Screen
from textual.widgets import Input, Label, Select, Static

from quizapp.derivations.folders import folders
from quizapp.errors import QuizappError
from quizapp.exchange.model import Cancelled
from quizapp.exchange.registry import FORMATS, Format
from quizapp.tui.app_context import app_of, context_of
from quizapp.tui.counted import counted
from quizapp.tui.watched import Watched
from quizapp.tui.widgets.key_line import KeyLine
from quizapp.tui.widgets.row_list import RowList
from quizapp.tui.widgets.tick import Tick

if TYPE_CHECKING:
    from quizapp.commands.context import Context
    from quizapp.decks.card import Deck
    from quizapp.exchange.export_decks import Exported

_WRITTEN = tuple(known for known in FORMATS.values() if known.writes)


class ExportScreen(Screen[None]):
    """Writes decks to a file; ``chosen`` are ticked to begin with, all where it is empty."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("ctrl+s,enter", "write", "Write", id="export-write", tooltip="Write the file"),
        Binding("space", "tick", "Tick", id="export-tick", tooltip="Take this deck along, or leave it"),
        Binding("a", "tick_all", "All", id="export-all", tooltip="Tick every deck, or none"),
        Binding(
            "tab", "app.focus_next", "Next", show=False, id="export-next", tooltip="The next field"
        ),
        Binding(
            "shift+tab", "app.focus_previous", "Before", show=False, id="export-before", tooltip="The field before"
        ),
        Binding("escape", "leave", "Leave", id="export-leave", tooltip="Stop the export, or go back"),
    ]  # fmt: skip
    DEFAULT_CSS = """
    ExportScreen #export-decks { height: 1fr; }
    ExportScreen .field { height: 1; }
    ExportScreen .field Label { width: 12; padding: 0 1; }
    ExportScreen .field Select { width: 40; }
    ExportScreen .field Input { width: 1fr; background: $surface; }
    ExportScreen .field Input:focus { background: $surface-lighten-2; }
    ExportScreen #export-said { height: auto; min-height: 1; padding: 0 1; color: $text-muted; }
    """

    def __init__(self, chosen: Sequence[str] = ()) -> None:
        super().__init__()
        self._chosen = set(chosen)
        self._decks: list[Deck] = []
        self._suggested = ""
        self._watched: Watched | None = None

    def compose(self) -> ComposeResult:
        with Horizontal(id="top"):
            yield Static(Content("Export"), id="brand")
            yield Static("", id="progress")
        with Vertical(id="export-decks", classes="panel"):
            yield RowList(id="export-list")
        with Horizontal(classes="field"):
            yield Label(Content("Format"))
            yield Select(
                [(_named(known), known.name) for known in _WRITTEN],
                value=_WRITTEN[0].name,
                allow_blank=False,
                id="export-format",
                compact=True,
            )
        with Horizontal(classes="field"):
            yield Label(Content("Schedule"))
            yield Tick("memory, due days and reviews", id="export-schedule")
        with Horizontal(classes="field"):
            yield Label(Content("File"))
            yield Input(id="export-file", compact=True)
        yield Static("", id="export-said")
        yield KeyLine()

    def on_mount(self) -> None:
        self.query_one("#export-decks").border_title = "Decks"
        self.query_one(RowList).focus()
        self.set_interval(0.1, self._progress)
        self._read()

    @work
    async def _read(self) -> None:
        """Show the decks; a large library takes a while to read."""
        context = context_of(self)
        self._say("Reading the decks…")
        self._decks = list(await asyncio.to_thread(lambda: context.library.decks))
        if not self._chosen:
            self._chosen = {deck.name for deck in self._decks}
        held = next((at for at, deck in enumerate(self._decks) if deck.name in self._chosen), 0)
        self.query_one(RowList).show(len(self._decks), self._row, held)
        self._say("")
        self._tell()

    def on_unmount(self) -> None:
        if self._watched:
            self._watched.stop()

    @property
    def format(self) -> Format:
        return FORMATS[str(self.query_one("#export-format", Select).value)]

    def _row(self, row: int, width: int) -> Content:
        deck = self._decks[row]
        ticked = deck.name in self._chosen
        count = counted(len({card.entry for card in deck.cards}), "card")
        title = Content(deck.title).truncate(max(width - len(count) - 6, 4), ellipsis=True)
        space = " " * max(width - 4 - title.cell_length - len(count) - 1, 1)
        sign = ("✓", "$text-success") if ticked else ("·", "$text-muted")
        return Content.assemble(" ", sign, "  ", title, space, (count, "$text-muted"))

    def _tell(self) -> None:
        """Show what is chosen, and a file name that fits as long as none was typed."""
        chosen = [deck for deck in self._decks if deck.name in self._chosen]
        cards = sum(len({card.entry for card in deck.cards}) for deck in chosen)
        said = f"{len(chosen)} of {counted(len(self._decks), 'deck')} · {counted(cards, 'card')}"
        self.query_one("#progress", Static).update(Content(said))
        field = self.query_one("#export-file", Input)
        if field.value == self._suggested:
            name = chosen[0].name.replace("/", "-") if len(chosen) == 1 else "quizapp"
            self._suggested = field.value = name + _extension(self.format)
        self.query_one(Tick).disabled = not self.format.schedule
        self.query_one(RowList).refresh()
        self.refresh_bindings()

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:  # noqa: ARG002
        if action in ("tick", "tick_all"):
            return self._watched is None and isinstance(self.focused, RowList)
        return self._watched is None if action == "write" else True

    def on_descendant_focus(self) -> None:
        self.refresh_bindings()

    def on_row_list_chosen(self, event: RowList.Chosen) -> None:
        event.stop()
        self.action_tick()

    def action_tick(self) -> None:
        at = self.query_one(RowList).at
        if at is not None:
            self._chosen ^= {self._decks[at].name}
            self._tell()

    def action_tick_all(self) -> None:
        every = {deck.name for deck in self._decks}
        self._chosen = set() if self._chosen >= every else every
        self._tell()

    def on_select_changed(self, event: Select.Changed) -> None:
        event.stop()
        self._tell()

    def on_input_changed(self, event: Input.Changed) -> None:
        """A typed extension says the format."""
        event.stop()
        suffix = Path(event.value).suffix.lower()
        if event.value == self._suggested or suffix == _extension(self.format):
            return
        for known in _WRITTEN:
            if suffix and suffix in known.extensions:
                self.query_one("#export-format", Select).value = known.name
                return

    def on_input_submitted(self, event: Input.Submitted) -> None:
        event.stop()
        self.action_write()

    @work(exclusive=True)
    async def action_write(self) -> None:
        from quizapp.tui.screens.message import MessageScreen

        typed = self.query_one("#export-file", Input).value.strip()
        decks = tuple(deck.name for deck in self._decks if deck.name in self._chosen)
        if not decks or not typed:
            self._say("Tick a deck first." if typed else "Name a file first.")
            return
        target = Path(typed).expanduser().absolute()
        if target.is_file() and not await self._replaces(target):
            return
        watched = self._watched = Watched("Writing cards")
        self.refresh_bindings()
        try:
            exported = await asyncio.to_thread(
                write_decks,
                context_of(self),
                decks,
                self.format,
                target,
                watched,
                with_schedule=self.query_one(Tick).holds,
            )
        except Cancelled:
            self._say("Stopped; nothing was written.")
        except QuizappError as error:
            self._say("")
            app_of(self).complain(error)
        else:
            self._say("")
            self.app.push_screen(MessageScreen("Exported", "\n".join(exported.as_lines())))
        finally:
            self._watched = None
            self.refresh_bindings()

    async def _replaces(self, target: Path) -> bool:
        from quizapp.tui.screens.confirm import ConfirmScreen

        question = ConfirmScreen("Replace the file?", f"{target} is there already.")
        return await self.app.push_screen_wait(question)

    def action_leave(self) -> None:
        """Stop what is being written; with nothing to stop, go back."""
        if self._watched:
            self._watched.stop()
        else:
            self.dismiss()

    def _progress(self) -> None:
        if self._watched:
            self._say(self._watched.said())

    def _say(self, text: str) -> None:
        if self.is_attached:
            self.query_one("#export-said", Static).update(Content(text))


def write_decks(
    context: Context,
    decks: Sequence[str],
    found: Format,
    target: Path,
    watched: Watched,
    *,
    with_schedule: bool,
) -> Exported:
    """Write decks to a file, in whichever thread. Raises QuizappError, and Cancelled once ``watched`` stops."""
    from quizapp.exchange.export_decks import gather, send

    with context.store() as store:
        collected = gather(
            context.home,
            context.config,
            context.library,
            store,
            now=context.clock.now(),
            day=context.day(store),
            decks=decks,
            with_schedule=with_schedule,
            folders=folders(context.home.path, context.common.decks),
        )
    return send(context.home, found, collected, target, watched)


def _named(known: Format) -> str:
    return f"{known.title} ({_extension(known)})"


def _extension(known: Format) -> str:
    """hashcards' files are Markdown, which by itself would mean a deck file."""
    return known.extensions[0] if known.extensions else ".md"
