"""Import: choose a file; see what it would bring before anything is written; then how it went."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar

from textual import work
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical, VerticalScroll
from textual.content import Content
from textual.screen import Screen
from textual.widgets import Input, Label, Static

from quizapp.commands.context import Context
from quizapp.errors import QuizappError
from quizapp.exchange.model import Cancelled, ReadOptions
from quizapp.exchange.registry import FORMATS
from quizapp.tui.app_context import app_of, context_of
from quizapp.tui.watched import Watched
from quizapp.tui.widgets.file_tree import FileTree
from quizapp.tui.widgets.key_line import KeyLine
from quizapp.tui.widgets.tick import Tick

if TYPE_CHECKING:
    from quizapp.exchange.import_file import ImportedFile

_EXTENSIONS = frozenset(
    extension for known in FORMATS.values() if known.reads for extension in known.extensions + known.also_read
)


class ImportScreen(Screen[None]):
    """Where a file is chosen, from the folders or by its path."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding(
            "tab", "app.focus_next", "Next", show=False, id="import-next", tooltip="The path, or the folders"
        ),
        Binding("escape", "leave", "Leave", id="import-leave", tooltip="Go back"),
    ]
    DEFAULT_CSS = """
    ImportScreen #import-files { height: 1fr; }
    ImportScreen .field { height: 1; }
    ImportScreen .field Label { width: 8; padding: 0 1; }
    ImportScreen .field Input { width: 1fr; background: $surface; }
    ImportScreen .field Input:focus { background: $surface-lighten-2; }
    ImportScreen #import-said { height: auto; padding: 0 1; color: $text-muted; }
    """

    def __init__(self, folder: Path | None = None) -> None:
        super().__init__()
        self._folder = folder or Path.cwd()

    def compose(self) -> ComposeResult:
        with Horizontal(id="top"):
            yield Static(Content("Import"), id="brand")
        with Vertical(id="import-files", classes="panel"):
            yield FileTree(self._folder, _EXTENSIONS)
        with Horizontal(classes="field"):
            yield Label(Content("File"))
            yield Input(
                placeholder="or a path, such as ~/Downloads/deck.apkg", id="import-file", compact=True
            )
        yield Static(
            Content("Anki packages and text, Mochi, hashcards, tables, JSON and Markdown."), id="import-said"
        )
        yield KeyLine()

    def on_mount(self) -> None:
        self.query_one("#import-files").border_title = "Choose a file"
        self.query_one(FileTree).focus()

    def on_directory_tree_file_selected(self, event: FileTree.FileSelected) -> None:
        event.stop()
        self._open(Path(event.path))

    def on_input_submitted(self, event: Input.Submitted) -> None:
        event.stop()
        if event.value.strip():
            self._open(Path(event.value.strip()).expanduser())

    def _open(self, path: Path) -> None:
        if path.is_dir():
            tree = self.query_one(FileTree)
            tree.path = path
            tree.focus()
            return
        self.app.push_screen(ImportReportScreen(path.absolute()), self._imported)

    def _imported(self, done: bool | None) -> None:
        if done:
            self.dismiss()

    def action_leave(self) -> None:
        self.dismiss()


class ImportReportScreen(Screen[bool]):
    """What a file would bring, then what it brought. Closes with whether something was imported."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("enter", "take", "Import", id="report-take", tooltip="Write these cards into your decks"),
        Binding("s", "schedule", "Schedule", id="report-schedule", tooltip="Take reviews and due days, or not"),
        Binding("r", "replace", "Replace", id="report-replace", tooltip="Overwrite what you changed here"),
        Binding("down,j", "scroll(1)", "Down", show=False, id="report-down", tooltip="Further down the report"),
        Binding("up,k", "scroll(-1)", "Up", show=False, id="report-up", tooltip="Further up the report"),
        Binding("escape,q", "leave", "Leave", id="report-leave", tooltip="Stop the import, or go back"),
    ]  # fmt: skip
    DEFAULT_CSS = """
    ImportReportScreen #report { height: 1fr; padding: 1 2; }
    ImportReportScreen #report Static { height: auto; }
    ImportReportScreen .choices { height: auto; padding: 0 2; }
    ImportReportScreen #import-doing { height: auto; min-height: 1; padding: 0 2; color: $text-accent; }
    """

    def __init__(self, path: Path) -> None:
        super().__init__()
        self._path = path
        self._watched: Watched | None = None
        self._preview: ImportedFile | None = None
        self._done = False

    def compose(self) -> ComposeResult:
        with Horizontal(id="top"):
            yield Static(Content("Import"), id="brand")
            yield Static(Content(self._path.name), id="progress")
        with VerticalScroll(id="report", can_focus=False):
            yield Static("")
        with Vertical(classes="choices"):
            # Their keys are the screen's, so that enter always means one thing.
            yield Tick("reviews and due days too", ticked=True, focusable=False, id="with-schedule")
            yield Tick("replace what you changed here", focusable=False, id="replace-edits")
        yield Static("", id="import-doing")
        yield KeyLine()

    def on_mount(self) -> None:
        self.set_interval(0.1, self._progress)
        self.run_import(dry_run=True)

    def on_unmount(self) -> None:
        if self._watched:
            self._watched.stop()

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:  # noqa: ARG002
        if action in ("schedule", "replace"):
            return not self._done and self._watched is None
        if action == "take":
            return not self._done and self._watched is None and self._preview is not None
        return True

    def on_tick_changed(self, event: Tick.Changed) -> None:
        event.stop()
        self.run_import(dry_run=True)

    def action_schedule(self) -> None:
        self.query_one("#with-schedule", Tick).action_tick_me()

    def action_replace(self) -> None:
        self.query_one("#replace-edits", Tick).action_tick_me()

    def action_take(self) -> None:
        self.run_import(dry_run=False)

    def action_scroll(self, lines: int) -> None:
        self.query_one("#report").scroll_relative(y=lines, animate=False)

    def action_leave(self) -> None:
        """Stop what is being read or written; with nothing to stop, go back."""
        if self._watched:
            self._watched.stop()
        else:
            self.dismiss(self._done)

    @work(exclusive=True)
    async def run_import(self, *, dry_run: bool) -> None:
        """Read the file, and write its cards unless it is a ``dry_run``; show the report."""
        watched = self._watched = Watched("Reading" if dry_run else "Importing")
        self._preview = None
        self.refresh_bindings()
        try:
            report = await asyncio.to_thread(
                import_cards,
                context_of(self),
                self._path,
                watched,
                with_schedule=self.query_one("#with-schedule", Tick).holds,
                replace_edits=self.query_one("#replace-edits", Tick).holds,
                dry_run=dry_run,
            )
        except Cancelled:
            if dry_run:
                self._watched = None
                self.dismiss(False)
                return
            self._say("Stopped; nothing was written.")
            self._watched = None
            self.run_import(dry_run=True)
        except QuizappError as error:
            self._watched = None
            self.dismiss(False)
            app_of(self).complain(error)
        else:
            self._watched = None
            self._preview = report
            self._show(report)

    def _show(self, report: ImportedFile) -> None:
        self._done = not report.dry_run
        first, *lines = (line for line in report.as_lines() if not line.startswith("dry run"))
        text = Content("\n").join([Content.styled(f"{first}\n", "bold"), *map(Content, lines)])
        self.query_one("#report Static", Static).update(text)
        self.query_one(".choices").display = report.dry_run
        if self._done:
            # Every screen reads the decks anew.
            app_of(self).context = Context(context_of(self).common)
            self._say("Done.")
        else:
            self._say("Nothing is written yet; enter imports.")
        self.refresh_bindings()

    def _progress(self) -> None:
        if self._watched:
            self._say(self._watched.said())

    def _say(self, text: str) -> None:
        if self.is_attached:
            self.query_one("#import-doing", Static).update(Content(text))


def import_cards(
    context: Context,
    path: Path,
    watched: Watched,
    *,
    with_schedule: bool,
    replace_edits: bool,
    dry_run: bool,
) -> ImportedFile:
    """Import a file into the learner's own decks, in whichever thread.

    Raises QuizappError, and Cancelled once ``watched`` stops.
    """
    from quizapp.exchange.import_file import import_file

    roots = [context.home.decks, *map(Path, context.config.decks), *context.common.decks]
    return import_file(
        path,
        home=context.home,
        config=context.config,
        target=context.home.decks,
        library=context.library,
        roots=[root.expanduser() for root in roots],
        open_store=lambda write: context.store(write=write),
        now=context.clock.now(),
        options=ReadOptions(day_start=context.config.day_start, progress=watched),
        with_schedule=with_schedule,
        replace_edits=replace_edits,
        dry_run=dry_run,
    )
