"""Search the cards, look at one, and change its state."""

from __future__ import annotations

from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, VerticalScroll
from textual.content import Content
from textual.screen import Screen
from textual.widgets import Footer, Input, OptionList, Static
from textual.widgets.option_list import Option

from quizapp.decks.card import Card
from quizapp.decks.cloze import show
from quizapp.errors import QuizappError
from quizapp.review.search import search, state_word
from quizapp.review.types import CardState
from quizapp.tui.app_context import app_of, context_of
from quizapp.tui.edit import edit_card
from quizapp.tui.screens.message import MessageScreen
from quizapp.tui.widgets.card_markdown import CardMarkdown
from quizapp.tui.words import history

# More lines than anyone scrolls; the search narrows them.
_MOST = 500


class BrowseScreen(Screen[None]):
    """Reads the reviews; a change of state opens them for writing for that moment only."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding(
            "slash",
            "search",
            "Search",
            key_display="/",
            id="browse-search",
            tooltip="Text, tag:, deck:, is:due, is:new, is:suspended, is:marked",
        ),
        Binding("e", "edit", "Edit", id="browse-edit", tooltip="Edit the card in $EDITOR"),
        Binding(
            "at",
            "suspend",
            "Suspend",
            key_display="@",
            id="browse-suspend",
            tooltip="Suspend the card, or bring it back",
        ),
        Binding(
            "asterisk",
            "mark",
            "Mark",
            key_display="*",
            id="browse-mark",
            tooltip="Mark the card, or take its mark away",
        ),
        Binding("i", "info", "Info", show=False, id="browse-info", tooltip="The card's whole history"),
        Binding(
            "r",
            "reset",
            "Reset",
            show=False,
            id="browse-reset",
            tooltip="Forget the card's history; undo brings it back",
        ),
        Binding("u", "undo", "Undo", show=False, id="browse-undo", tooltip="Take the last action back"),
        Binding("j", "move(1)", "Down", show=False, id="browse-down", tooltip="The next card"),
        Binding("k", "move(-1)", "Up", show=False, id="browse-up", tooltip="The card before"),
        Binding("escape,q", "back", "Back", id="browse-back", tooltip="Back home"),
    ]

    def __init__(self) -> None:
        super().__init__()
        self._states: dict[str, CardState] = {}
        self._found: list[Card] = []

    def compose(self) -> ComposeResult:
        with Horizontal(id="top"):
            yield Static(Content("Cards"), id="deck")
            yield Static("", id="progress")
        yield Input(
            id="query",
            placeholder="text   tag:rope   deck:rapid-fire   is:due   is:suspended",
            select_on_focus=False,
        )
        with Horizontal(id="split"):
            yield OptionList(id="list", markup=False)
            with VerticalScroll(id="shown"):
                yield CardMarkdown("", id="preview-card")
        yield Footer(show_command_palette=False)

    def on_mount(self) -> None:
        self._read()
        self._search("")
        self.query_one(OptionList).focus()

    def _read(self) -> None:
        context = context_of(self)
        with context.store() as store:
            self._states = store.states()
            self._day = context.day(store)

    def _search(self, text: str) -> None:
        cards = context_of(self).library.cards
        try:
            self._found = list(search(text, cards.values(), self._states, self._day))
        except QuizappError as error:
            self.query_one("#progress", Static).update(Content(str(error)))
            return
        many = f"{len(self._found)} of {len(cards)} cards"
        if len(self._found) > _MOST:
            many += f", the first {_MOST} shown"
        self.query_one("#progress", Static).update(Content(many))
        choices = self.query_one(OptionList)
        at = choices.highlighted or 0
        choices.clear_options()
        choices.add_options([Option(self._row(card)) for card in self._found[:_MOST]])
        if self._found:
            choices.highlighted = min(at, len(self._found[:_MOST]) - 1)

    def _row(self, card: Card) -> Content:
        state = self._states.get(card.id, CardState(card.id))
        due = f" {state.due.isoformat()}" if state.due else ""
        mark = "* " if state.marked else ""
        return Content.assemble(
            f"{mark}{' '.join(card.heading.split())}\n",
            (f"  {state_word(state, self._day)}{due} · {card.deck}", "$text-muted"),
        )

    @property
    def _card(self) -> Card | None:
        at = self.query_one(OptionList).highlighted
        return self._found[at] if at is not None and at < len(self._found) else None

    async def on_option_list_option_highlighted(self, event: OptionList.OptionHighlighted) -> None:
        event.stop()
        card = self._card
        if card is None:
            return
        heading, prompt = (
            (show(text, card.cloze, reveal=True) for text in (card.heading, card.prompt))
            if card.cloze
            else (card.heading, card.prompt)
        )
        options = "\n".join(f"- {'✓' if option.right else '✗'} {option.text}" for option in card.options)
        parts = [f"**{heading}**", prompt, options, str(card.fields.answer or ""), card.answer]
        await self.query_one(CardMarkdown).show("\n\n".join(part for part in parts if part))
        self.query_one("#shown").scroll_home(animate=False)

    def on_input_changed(self, event: Input.Changed) -> None:
        self._search(event.value)

    def on_input_submitted(self) -> None:
        self.query_one(OptionList).focus()

    def action_search(self) -> None:
        self.query_one(Input).focus()

    def action_move(self, by: int) -> None:
        choices = self.query_one(OptionList)
        if by > 0:
            choices.action_cursor_down()
        else:
            choices.action_cursor_up()

    def action_back(self) -> None:
        if isinstance(self.focused, Input):
            self.query_one(OptionList).focus()
        else:
            self.dismiss()

    def action_suspend(self) -> None:
        self._change("suspend")

    def action_mark(self) -> None:
        self._change("mark")

    def action_reset(self) -> None:
        self._change("reset")

    def action_undo(self) -> None:
        self._change("undo")

    def _change(self, what: str) -> None:
        """Write one change and read the states again. A drill elsewhere keeps the lock: then it says so."""
        card = self._card
        if card is None:
            return
        context = context_of(self)
        state = self._states.get(card.id, CardState(card.id))
        now = context.clock.now()
        try:
            with context.store(write=True) as store:
                day = context.day(store)
                if what == "suspend":
                    store.set_suspended(card.id, not state.suspended, now, day)
                elif what == "mark":
                    store.set_marked(card.id, not state.marked, now, day)
                elif what == "reset":
                    store.reset([card.id], now, day)
                elif store.undo(now, day) is None:
                    self.notify("There is nothing to undo.", markup=False)
        except QuizappError as error:
            app_of(self).complain(error)
            return
        self._read()
        self._search(self.query_one(Input).value)

    def action_info(self) -> None:
        card = self._card
        if card is None:
            return
        with context_of(self).store() as store:
            reviews = list(store.reviews(card.id))
        state = self._states.get(card.id, CardState(card.id))
        self.app.push_screen(MessageScreen(card.id, history(card, state, reviews)))

    def action_edit(self) -> None:
        card = self._card
        if card is None:
            return
        try:
            library = edit_card(app_of(self), card)
        except (QuizappError, OSError) as error:
            app_of(self).complain(error)
            return
        wrong = [problem for problem in library.problems if problem.level == "error"]
        if wrong:
            self.notify(str(wrong[0]), severity="error", markup=False)
        self._search(self.query_one(Input).value)
