"""Home: the decks, today's work, the days ahead."""

from __future__ import annotations

import asyncio
import datetime as dt
from typing import TYPE_CHECKING, ClassVar, NamedTuple

from textual import work
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical
from textual.content import Content
from textual.screen import Screen
from textual.widgets import OptionList, Static

from quizapp.commands.context import Context
from quizapp.errors import QuizappError
from quizapp.tui.app_context import app_of, context_of
from quizapp.tui.widgets.deck_list import DeckList
from quizapp.tui.widgets.key_line import KeyLine

if TYPE_CHECKING:
    from quizapp.review.carry import Offer
    from quizapp.review.overview import Overview

_BARS = " ▁▂▃▄▅▆▇█"


class HomeScreen(Screen[None]):
    """The first screen. It reads the reviews and never writes them."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("enter", "drill", "Drill", id="home-drill", priority=True, tooltip="Drill the selected deck"),
        Binding(
            "a",
            "drill_all",
            "All decks",
            id="home-all",
            tooltip="Drill everything that is due, then new cards",
        ),
        Binding(
            "c",
            "cram",
            "Cram",
            show=False,
            id="home-cram",
            tooltip="Ask every card of the deck; the schedule stays as it is",
        ),
        Binding(
            "v",
            "derive",
            "Derive",
            id="home-derive",
            tooltip="Step through a derivation, checked line by line",
        ),
        Binding("m", "demos", "Demos", id="home-demos", tooltip="Live pictures of what the cards ask about"),
        Binding("b", "browse", "Browse", id="home-browse", tooltip="Search the cards"),
        Binding(
            "s",
            "app.settings",
            "Settings",
            id="home-settings",
            tooltip="Limits, recall, theme, interview date",
        ),
        Binding(
            "w",
            "carry",
            "Reworded",
            id="home-carry",
            tooltip="A card's heading changed: carry its history over to the new one",
        ),
        Binding(
            "u",
            "undo",
            "Undo",
            show=False,
            id="home-undo",
            tooltip="Take the last grade or action back, of any session",
        ),
        Binding("j,down", "down", "Down", show=False, id="home-down", tooltip="The next deck"),
        Binding("k,up", "up", "Up", show=False, id="home-up", tooltip="The deck before"),
        Binding("q", "app.quit", "Quit", id="home-quit", tooltip="Leave; everything is saved"),
        Binding(
            "x",
            "export",
            "Export",
            id="home-export",
            tooltip="Write decks for Anki, a browser, other programs",
        ),
        Binding(
            "o", "import", "Import", id="home-import", tooltip="Bring in cards of Anki and other programs"
        ),
    ]

    def __init__(self) -> None:
        super().__init__()
        self.data: Overview | None = None
        self._offers: list[Offer] = []

    def compose(self) -> ComposeResult:
        with Horizontal(id="top"):
            yield Static(Content.styled("quizapp", "bold"), id="brand")
            yield Static("", id="today-date")
        with Horizontal(id="panels"):
            with Vertical(id="decks", classes="panel"):
                yield (head := Static("", id="deck-head", classes="quiet"))
                yield DeckList(head, id="deck-list")
            with Vertical(id="today", classes="panel"):
                yield Static("", id="today-text")
        yield Static("", id="description")
        yield Static("", id="invitation")
        yield KeyLine()

    def on_mount(self) -> None:
        self.query_one("#decks").border_title = "Decks"
        self.query_one("#today").border_title = "Today"
        self.query_one(DeckList).focus()

    def on_screen_resume(self) -> None:
        # After the frame, so that the screen stands at once, however many cards there are to count.
        self.call_after_refresh(self.read)

    @work(exclusive=True)
    async def read(self) -> None:
        """Read the reviews again and show what they say."""
        if not self.is_current:
            return
        invitation = self.query_one("#invitation", Static)
        if self.data is None:
            invitation.update(Content("Reading the decks…"))
        try:
            read = await asyncio.to_thread(read_overview, context_of(self))
        except QuizappError as error:
            invitation.update(Content(str(error)))
            return
        first = self.data is None
        self.data = read.data
        self._offers = read.offers
        self._show(read)
        if first:
            self.call_after_refresh(app_of(self).warm_up)

    def _show(self, read: HomeReading) -> None:
        data = read.data
        self.query_one("#today-date", Static).update(
            Content(_date(data.day, context_of(self).config.interview))
        )
        decks = self.query_one(DeckList)
        decks.show(data.decks, decks.deck.name if decks.deck else "rapid-fire")
        self.query_one("#today-text", Static).update(_today(data))
        self.query_one("#invitation", Static).update(Content(_invitation(read)))
        self.refresh_bindings()

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:  # noqa: ARG002
        return bool(self._offers) if action == "carry" else True

    def on_option_list_option_highlighted(self, event: OptionList.OptionHighlighted) -> None:
        event.stop()
        if deck := self.query_one(DeckList).deck:
            text = " ".join(deck.description.split("\n\n")[0].split())
            self.query_one("#description", Static).update(Content(text or f"{deck.cards} cards"))

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        event.stop()
        self.action_drill()

    def action_drill(self) -> None:
        if deck := self.query_one(DeckList).deck:
            self._open((deck.name,))

    def action_drill_all(self) -> None:
        if self.data is not None:
            self._open(())

    def action_cram(self) -> None:
        if deck := self.query_one(DeckList).deck:
            self._open((deck.name,), cram=True)

    def _open(self, decks: tuple[str, ...], *, cram: bool = False) -> None:
        from quizapp.tui.screens.drill import DrillScreen

        self.app.push_screen(DrillScreen(decks, cram=cram))

    def action_derive(self) -> None:
        from quizapp.tui.screens.derivation_list import DerivationListScreen

        self.app.push_screen(DerivationListScreen())

    def action_demos(self) -> None:
        from quizapp.tui.screens.demo_list import DemoListScreen

        self.app.push_screen(DemoListScreen())

    def action_browse(self) -> None:
        from quizapp.tui.screens.browse import BrowseScreen

        self.app.push_screen(BrowseScreen())

    def action_export(self) -> None:
        from quizapp.tui.screens.export import ExportScreen

        deck = self.query_one(DeckList).deck
        self.app.push_screen(ExportScreen((deck.name,) if deck else ()))

    def action_import(self) -> None:
        from quizapp.tui.screens.import_files import ImportScreen

        self.app.push_screen(ImportScreen())

    @work
    async def action_carry(self) -> None:
        """Ask of each card that seems reworded whether its history goes on with the new heading."""
        from quizapp.tui.screens.confirm import ConfirmScreen

        context = context_of(self)
        for offer in self._offers:
            text = f"{offer.old} has {offer.reviews} reviews and is gone. Is it this card now?\n\n{offer.new}"
            if await self.app.push_screen_wait(ConfirmScreen("Carry the history over?", text)):
                try:
                    with context.store(write=True) as store:
                        store.carry(offer.old, offer.new, context.clock.now(), context.day(store))
                except QuizappError as error:
                    app_of(self).complain(error)
                    return
        self.read()

    def action_undo(self) -> None:
        from quizapp.tui.words import said_undone

        context = context_of(self)
        try:
            with context.store(write=True) as store:
                undone = store.undo(context.clock.now(), context.day(store))
        except QuizappError as error:
            app_of(self).complain(error)
            return
        self.notify(said_undone(undone) if undone else "There is nothing to undo.", markup=False)
        self.read()

    def action_down(self) -> None:
        self.query_one(DeckList).action_cursor_down()

    def action_up(self) -> None:
        self.query_one(DeckList).action_cursor_up()


class HomeReading(NamedTuple):
    """What the home screen says: also how many problems the decks have, which cards seem reworded, and which
    decks were edited here while the original that ships has changed.
    """

    data: Overview
    problems: int
    offers: list[Offer]
    changed: list[str]


def read_overview(context: Context) -> HomeReading:
    """Read all of it. Raises QuizappError."""
    from quizapp.decks.library import built_in_decks
    from quizapp.decks.write import changed_originals
    from quizapp.review.carry import offers
    from quizapp.review.overview import overview
    from quizapp.review.scheduler import KernelScheduler

    library = context.library
    with context.store() as store:
        day = context.day(store)
        states = store.states()
        data = overview(
            library.decks, library.cards, states, list(store.reviews()),
            KernelScheduler(context.config), day, context.config, store.done_on(day),
        )  # fmt: skip
    problems = sum(problem.level == "error" for problem in library.problems)
    changed = changed_originals(library.decks, built_in_decks())
    return HomeReading(data, problems, offers(library.cards.values(), states), changed)


def _date(day: dt.date, interview: str) -> str:
    """The study day, and how far the interview is, while it is ahead."""
    said = f"{day:%a} {day.day} {day:%b}"
    days = (dt.date.fromisoformat(interview) - day).days if interview else -1
    if days < 0:
        return said
    return f"{said} · interview " + ("today" if not days else "tomorrow" if days == 1 else f"in {days} days")


def bars(numbers: tuple[int, ...]) -> str:
    """A bar a number, the largest one full; its own scale stands beside it."""
    most = max(numbers, default=0)
    return "".join(_BARS[-(-number * 8 // most)] if most else _BARS[0] for number in numbers)


def _today(data: Overview) -> Content:
    lines = [f"{data.due} due · {data.new} new" + (f" · ~{data.minutes} min" if data.minutes else "")]
    lines += [
        "",
        f"next {len(data.ahead)} days",
        bars(data.ahead) if any(data.ahead) else "nothing scheduled yet",
    ]
    if any(data.ahead):
        lines.append(f"most {max(data.ahead)} a day, {sum(data.ahead)} in all")
    lines += [
        "",
        f"recall today  {round(100 * data.recall)} %" if data.recall is not None else "recall today  –",
    ]
    lines.append(f"streak        {data.streak} {'day' if data.streak == 1 else 'days'}")
    return Content("\n".join(lines))


def _invitation(read: HomeReading) -> str:
    data, problems, reworded = read.data, read.problems, len(read.offers)
    said = []
    if read.changed:
        said.append(f"The original of {read.changed[0]} has changed: quizapp decks diff {read.changed[0]}.")
    if reworded:
        cards = "1 card seems" if reworded == 1 else f"{reworded} cards seem"
        said.append(f"{cards} reworded; w carries the history over.")
    if problems:
        said.append(
            f"{problems} {'problem' if problems == 1 else 'problems'} in the decks: quizapp decks check says where."
        )
    if not data.decks:
        said.append("No decks yet: quizapp decks new TITLE starts one.")
    elif not data.reviewed:
        said.append("Press enter to start; space shows the answer, 1 to 4 grade it.")
    elif not data.due and not data.new:
        when = (
            f" The next card is due on {data.next_due:%a} {data.next_due.day} {data.next_due:%b}."
            if data.next_due
            else ""
        )
        said.append(f"Done for today.{when} c crams, v steps through a derivation.")
    return " ".join(said)
