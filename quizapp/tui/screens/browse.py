"""Search the cards, read one, and change its state."""

from __future__ import annotations

import asyncio
import datetime as dt
from collections.abc import Callable
from functools import lru_cache
from typing import ClassVar

from rich.cells import cell_len, set_cell_size
from textual import work
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal
from textual.content import Content
from textual.screen import Screen
from textual.widgets import Input, Static

from quizapp.decks.card import Card
from quizapp.errors import QuizappError
from quizapp.review.kernel import Kernel
from quizapp.review.search import search, state_word
from quizapp.review.types import CardState
from quizapp.storage import SqliteStore
from quizapp.text import strip_controls
from quizapp.tui.app_context import app_of, context_of
from quizapp.tui.counted import counted
from quizapp.tui.edit import edit_card
from quizapp.tui.screens.confirm import ConfirmScreen
from quizapp.tui.screens.message import MessageScreen
from quizapp.tui.widgets.card_markdown import latex_sources
from quizapp.tui.widgets.card_preview import CardPreview, answer, question
from quizapp.tui.widgets.key_line import KeyLine
from quizapp.tui.widgets.row_list import RowList
from quizapp.tui.words import history, said_undone

# A pause after which a search or a preview follows the last key.
_PAUSE = 0.06
# Cells of the state at the end of a row; with the deck from this width on.
_STATE = 9
_ROOM_FOR_DECKS = 70

Change = Callable[[SqliteStore, dt.datetime, dt.date], str]


class BrowseScreen(Screen[None]):
    """Reads the reviews; a change of state opens them for writing for that moment only."""

    AUTO_FOCUS = "RowList"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding(
            "slash",
            "search",
            "Search",
            key_display="/",
            id="browse-search",
            tooltip="Text, tag:, deck:, kind:, demo:, is:due, is:new, is:suspended, is:marked; a minus negates one",
        ),
        Binding("enter", "read", "Read", id="browse-read", tooltip="Go into the card, to scroll it"),
        Binding("e", "edit", "Edit", id="browse-edit", tooltip="Edit the card in $EDITOR"),
        Binding(
            "at",
            "suspend",
            "Suspend",
            key_display="@",
            id="browse-suspend",
            tooltip="Suspend it, or bring it back",
        ),
        Binding(
            "asterisk",
            "mark",
            "Mark",
            key_display="*",
            id="browse-mark",
            tooltip="Mark it, or take the mark off",
        ),
        Binding("i", "info", "History", id="browse-info", tooltip="The card's whole history"),
        Binding(
            "r",
            "reset",
            "Reset",
            show=False,
            id="browse-reset",
            tooltip="Make the card new again; undo brings it back",
        ),
        Binding("u", "undo", "Undo", show=False, id="browse-undo", tooltip="Take the last action back"),
        Binding(
            "c",
            "copy",
            "Copy LaTeX",
            show=False,
            id="browse-copy",
            tooltip="Copy the LaTeX of the card's formulas",
        ),
        Binding("down", "move(1)", "Down", show=False, id="browse-down", tooltip="The next card"),
        Binding("up", "move(-1)", "Up", show=False, id="browse-up", tooltip="The card before"),
        Binding(
            "escape,q", "back", "Back", id="browse-back", tooltip="To the list, then back to where you were"
        ),
    ]
    DEFAULT_CSS = """
    BrowseScreen .query { height: 1; margin: 0 1; }
    BrowseScreen .query > Static { width: 3; color: $text-accent; text-style: bold; }
    BrowseScreen .query > Input { width: 1fr; }
    BrowseScreen .complaint { height: auto; padding: 0 1; color: $text-warning; display: none; }
    BrowseScreen .complaint.-on { display: block; }
    BrowseScreen .panes { height: 1fr; margin-top: 1; }
    BrowseScreen RowList { width: 1fr; padding: 0 1; }
    BrowseScreen CardPreview { width: 1fr; border-left: solid $foreground 20%; }
    BrowseScreen CardPreview:focus { border-left: solid $primary; }
    BrowseScreen.-narrow .panes { margin-top: 0; }
    BrowseScreen.-narrow CardPreview { display: none; border-left: none; }
    BrowseScreen.-narrow.-reading CardPreview { display: block; }
    BrowseScreen.-narrow.-reading RowList { display: none; }
    """

    def __init__(self, query: str = "") -> None:
        """``query`` is searched for first."""
        super().__init__()
        self._query = query
        self._states: dict[str, CardState] = {}
        self._found: list[Card] = []
        self._day = dt.date.min
        self._kernel = Kernel()

    def compose(self) -> ComposeResult:
        with Horizontal(id="top"):
            yield Static(Content("Cards"), id="deck")
            yield Static("", id="progress")
        with Horizontal(classes="query"):
            yield Static(Content("/"))
            yield Input(
                self._query,
                compact=True,
                placeholder="text  tag:rope  deck:rapid-fire  is:due  -is:new",
                select_on_focus=False,
            )
        yield Static("", classes="complaint")
        with Horizontal(classes="panes"):
            yield RowList()
            yield CardPreview()
        yield KeyLine()

    def on_mount(self) -> None:
        self._kernel = Kernel(context_of(self).config.weights)
        self._search()

    # What is shown.

    @work(exclusive=True, group="search")
    async def _search(self, *, pause: float = 0.0, keep: str | None = None, wrong: str = "") -> None:
        """Search in a thread. ``keep`` is the card to have in hand afterwards, where it is still found.

        ``wrong`` is said above the list.
        """
        await asyncio.sleep(pause)
        query = "".join(field.value for field in self.query(Input))
        try:
            found = await asyncio.to_thread(self._find, query)
        except QuizappError as error:
            found, wrong = self._found, str(error)
        if not self.query(RowList):
            return  # the screen was closed meanwhile
        self._complain(wrong)
        if found is self._found:
            return
        self._found = found
        count = len(context_of(self).library.cards)
        self.query_one("#progress", Static).update(Content(f"{len(self._found)} of {count} cards"))
        at = next((row for row, card in enumerate(self._found) if card.id == keep), 0)
        self.query_one(RowList).show(len(self._found), self._row, at)

    def _find(self, query: str) -> list[Card]:
        context = context_of(self)
        if not self._states:
            self._read_states()
        return search(query, context.library.cards.values(), self._states, self._day)

    def _read_states(self) -> None:
        context = context_of(self)
        with context.store() as store:
            self._states = store.states()
            self._day = context.day(store)

    def _complain(self, text: str) -> None:
        complaint = self.query_one(".complaint", Static)
        complaint.update(Content(text))
        complaint.set_class(bool(text), "-on")

    def _state(self, card: Card) -> CardState:
        return self._states.get(card.id) or CardState(card.id)

    def _row(self, row: int, width: int) -> Content:
        card = self._found[row]
        state = self._state(card)
        deck = f"  {set_cell_size(card.deck, 18)}" if width >= _ROOM_FOR_DECKS else ""
        said, style = _when(state, self._day)
        room = width - _STATE - 3 - cell_len(deck)
        title = _title(question(card).partition("\n\n")[0])
        if cell_len(title) > room:
            title = f"{set_cell_size(title, room - 1)}…"
        mark = ("* ", "$text-warning") if state.marked else "  "
        return Content.assemble(
            mark, set_cell_size(title, room), (deck, "$text-muted"), (f" {said:>{_STATE}}", style)
        )

    @property
    def card(self) -> Card | None:
        """The card in hand."""
        at = next((rows.at for rows in self.query(RowList)), None)
        return self._found[at] if at is not None and at < len(self._found) else None

    def on_row_list_moved(self) -> None:
        self.refresh_bindings()
        self._preview()

    @work(exclusive=True, group="preview")
    async def _preview(self) -> None:
        await asyncio.sleep(_PAUSE)
        card = self.card
        state = self._state(card) if card else CardState("")
        for preview in self.query(CardPreview):
            await preview.show_card(card, state, self._day, self._kernel)

    def on_input_changed(self) -> None:
        self._search(pause=_PAUSE)

    # Moving about.

    def on_input_submitted(self) -> None:
        self.query_one(RowList).focus()

    def on_row_list_chosen(self) -> None:
        self.action_read()

    def action_search(self) -> None:
        self.remove_class("-reading")
        self.query_one(Input).focus()

    def action_move(self, by: int) -> None:
        self.query_one(RowList).action_move(by)

    def action_read(self) -> None:
        self.add_class("-reading")
        self.call_after_refresh(self.query_one(CardPreview).focus)

    def action_back(self) -> None:
        if self.has_class("-reading") or isinstance(self.focused, Input):
            self.remove_class("-reading")
            self.query_one(RowList).focus()
        else:
            self.dismiss()

    # What can be done with the card in hand.

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:  # noqa: ARG002
        if action not in ("read", "edit", "suspend", "mark", "info", "reset", "copy"):
            return True
        return self.card is not None and not isinstance(self.focused, Input)

    def action_suspend(self) -> None:
        card = self.card
        assert card is not None
        suspended = not self._state(card).suspended

        def change(store: SqliteStore, now: dt.datetime, day: dt.date) -> str:
            store.set_suspended(card.id, suspended, now, day)
            return (
                f"{card.id} is suspended; @ brings it back."
                if suspended
                else f"{card.id} is back in the schedule."
            )

        self._change(change)

    def action_mark(self) -> None:
        card = self.card
        assert card is not None
        marked = not self._state(card).marked

        def change(store: SqliteStore, now: dt.datetime, day: dt.date) -> str:
            store.set_marked(card.id, marked, now, day)
            return f"{card.id} is {'marked' if marked else 'no longer marked'}."

        self._change(change)

    @work
    async def action_reset(self) -> None:
        card = self.card
        assert card is not None
        if self._state(card).memory is None:
            self.notify(f"{card.id} is new already.", markup=False)
            return
        text = f"{card.id} becomes new. Its reviews stay in the log, and u brings its memory back."
        if await self.app.push_screen_wait(ConfirmScreen("Forget this card?", text)):

            def change(store: SqliteStore, now: dt.datetime, day: dt.date) -> str:
                store.reset([card.id], now, day)
                return f"{card.id} is new again; u brings it back."

            self._change(change)

    def action_undo(self) -> None:
        def change(store: SqliteStore, now: dt.datetime, day: dt.date) -> str:
            undone = store.undo(now, day)
            return said_undone(undone) if undone else "There is nothing to undo."

        self._change(change)

    def _change(self, change: Change) -> None:
        """Write one change and read the states again. Where a session elsewhere is writing, it is said."""
        context, card = context_of(self), self.card
        try:
            with context.store(write=True) as store:
                said = change(store, context.clock.now(), context.day(store))
            self._read_states()
        except QuizappError as error:
            app_of(self).complain(error)
            return
        self.notify(said, markup=False)
        self._search(keep=card.id if card else None)

    def action_info(self) -> None:
        card = self.card
        assert card is not None
        with context_of(self).store() as store:
            reviews = list(store.reviews(card.id))
        self.app.push_screen(MessageScreen(card.id, history(card, self._state(card), reviews)))

    def action_copy(self) -> None:
        card = self.card
        assert card is not None
        sources = latex_sources(f"{question(card)}\n\n{answer(card)}")
        if sources:
            self.app.copy_to_clipboard("\n".join(sources))
        count = counted(len(sources), "formula")
        self.notify(
            f"The LaTeX of {count} is copied." if sources else "This card has no formula.", markup=False
        )

    def action_edit(self) -> None:
        card = self.card
        assert card is not None
        try:
            library = edit_card(app_of(self), card)
        except (QuizappError, OSError) as error:
            app_of(self).complain(error)
            return
        wrong = next((problem for problem in library.problems if problem.level == "error"), None)
        self._search(keep=card.id, wrong=str(wrong) if wrong else "")


@lru_cache(maxsize=20_000)
def _title(text: str) -> str:
    """A question in one line, its formulas as they stand in a line."""
    from quizapp.notation import render_text

    if "$" in text:
        text = " ".join(render_text(text, width=10_000))
    return " ".join(strip_controls(text).split())


def _when(state: CardState, day: dt.date) -> tuple[str, str]:
    """When a card comes, in a word or two, and the colour of the words."""
    word = state_word(state, day)
    if word != "review" or state.due is None:
        return word, "$text-muted"
    days = (state.due - day).days
    return ("due", "$text-accent") if days <= 0 else (f"in {days} d", "$text-muted")
