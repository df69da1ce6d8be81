"""One session on the screen: the question, then the answer below it, then a grade."""

from __future__ import annotations

import asyncio
import gc
from collections.abc import Callable
from typing import ClassVar

from textual import work
from textual.app import ComposeResult
from textual.binding import ActiveBinding, BindingType
from textual.containers import Horizontal, VerticalScroll
from textual.content import Content
from textual.events import Click
from textual.screen import Screen
from textual.widgets import Static

from quizapp.errors import QuizappError
from quizapp.review.check import check_answer
from quizapp.review.question import Question
from quizapp.review.session import Session
from quizapp.review.turn import Turn
from quizapp.review.types import Grade
from quizapp.storage import SqliteStore
from quizapp.tui.app_context import app_of, context_of
from quizapp.tui.screens import side_trips
from quizapp.tui.screens.answer_line import AnswerLine
from quizapp.tui.screens.card_view import CardView
from quizapp.tui.screens.drill_keys import DRILL_KEYS, acts, said_of
from quizapp.tui.screens.drill_lines import grades, progress, tags
from quizapp.tui.widgets.key_line import KeyLine
from quizapp.tui.words import said_undone

# Below this width the counts and the bar go, not the deck's name.
NARROW = 72
# Between two texts that are prepared, in seconds: a key that comes meanwhile goes first.
_PAUSE = 0.02


class DrillScreen(Screen[None]):
    """Drives a :class:`~quizapp.review.session.Session`; every grade is saved before the next card shows."""

    BINDINGS: ClassVar[list[BindingType]] = DRILL_KEYS

    def __init__(self, decks: tuple[str, ...] = (), *, cram: bool = False, limit: int | None = None) -> None:
        super().__init__()
        self._decks = decks
        self._cram = cram
        self._limit = limit
        self._store: SqliteStore | None = None
        self.session: Session | None = None
        self._cursor = 0
        self._chosen: set[str] = set()
        self._busy = False
        # The question that the counts on top were made for.
        self._counted: Question | None = None
        self._to_prepare: list[str] = []

    def compose(self) -> ComposeResult:
        with Horizontal(id="top"):
            yield Static("", id="deck")
            yield Static("", id="progress")
        with VerticalScroll(id="card"):
            yield CardView(id="view")
            yield AnswerLine(id="typing")
        yield Static("", id="tags")
        yield Static("", id="grades")
        yield KeyLine()

    def on_mount(self) -> None:
        if self.session is None:
            self._open()
        else:
            self.call_later(self._show)

    def _open(self) -> None:
        from quizapp.commands.opening import open_session

        context = context_of(self)
        try:
            self._store = context.store(write=True)
            self.session = open_session(
                context, self._store, self._decks, cram=self._cram, limit=self._limit
            ).session
        except QuizappError as error:
            self._close_store()
            self.app.pop_screen()
            app_of(self).complain(error)
            return
        # Thousands of cards stay for the whole session; the garbage collector need not look at them at every turn.
        gc.freeze()
        if self._store.backup_problem:
            self.notify(self._store.backup_problem, severity="warning", markup=False)
        if self.session.phase == "done":
            self._close_store()
            self.app.pop_screen()
            self.notify("Nothing is due in this deck. c asks its cards all the same.", markup=False)
            return
        self.call_later(self._show)

    def on_unmount(self) -> None:
        self._close_store()

    def _close_store(self) -> None:
        if self._store is not None:
            self._store.close()
            self._store = None

    @property
    def turn(self) -> Turn | None:
        return self.session.turn if self.session else None

    # What is shown.

    async def _show(self) -> None:
        """Show the card in hand as it stands."""
        session, turn = self.session, self.turn
        if session is None:
            return
        if turn is None:
            await self._finish()
            return
        titles = {deck.name: deck.title for deck in context_of(self).library.decks}
        _update(self.query_one("#deck", Static), Content(titles.get(turn.card.deck, turn.card.deck)))
        if self._counted is not turn.question:
            self._counted = turn.question
            narrow = self.size.width < NARROW
            _update(self.query_one("#progress", Static), progress(session, narrow=narrow))
        self._show_card()
        line = self.query_one(AnswerLine)
        line.display = not turn.answered and turn.question.types_answer and not turn.question.options
        line.reads = session.preview if line.display else None
        if line.display:
            line.take_focus()
        elif self.focused is not None:
            self.set_focus(None)
        _update(self.query_one("#tags", Static), tags(turn))
        self.refresh_bindings()
        if not self._to_prepare:
            self.set_timer(_PAUSE, self._prepare)
        after = session.next_question()
        self._to_prepare = [*_texts(turn.question), *(_texts(after) if after else ())]

    def _show_card(self) -> None:
        """Show what the card's own keys change: ticks, the grade they suggest, the letters chosen."""
        assert self.session is not None
        self.query_one(CardView).show(
            self.session,
            cursor=self._cursor,
            chosen=frozenset(self._chosen),
            typed=self.query_one(AnswerLine).text,
        )
        _update(self.query_one("#grades", Static), grades(self.session, narrow=self.size.width < NARROW))

    def _prepare(self) -> None:
        """Read and draw what the next keys will show, a text at a time between two keys."""
        self.query_one(CardView).prepare(self._to_prepare.pop(0))
        if self._to_prepare:
            self.set_timer(_PAUSE, self._prepare)

    async def _next(self) -> None:
        self._cursor = 0
        self._chosen.clear()
        self.query_one(AnswerLine).clear()
        self.query_one("#card").scroll_home(animate=False)
        await self._show()

    async def on_resize(self) -> None:
        """Say as much as there is room for now."""
        self._counted = None
        if self.turn is not None:
            await self._show()

    async def _finish(self) -> None:
        from quizapp.tui.screens.summary import SummaryScreen

        assert self.session is not None

        def after(undone: bool | None) -> None:
            if undone:
                self.call_later(self._next)
            else:
                self.call_later(self._leave)

        self.app.push_screen(SummaryScreen(self.session, self._hardest_again), after)

    def _hardest_again(self) -> None:
        """Ask the hardest cards once more, over the summary. The store stays open below."""
        assert self.session is not None
        screen = DrillScreen()
        screen.session = self.session.hardest_again()
        self.app.push_screen(screen)

    def _leave(self) -> None:
        self._close_store()
        if self.app.screen is self:
            self.app.pop_screen()

    # What can be done now.

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        turn = self.turn
        if turn is None or self.session is None:
            return action in ("leave", "undo")
        return acts(self.session, turn, action, parameters)

    @property
    def active_bindings(self) -> dict[str, ActiveBinding]:
        """Once there is an answer, the answer key says which grade it takes; the letters of a choice are one key."""
        found = super().active_bindings
        turn = self.turn
        return found if turn is None else said_of(found, turn)

    async def action_go_on(self) -> None:
        session = self.session
        if session is None or session.phase == "done" or self._busy:
            return
        if session.phase == "answered":
            await self.action_grade(session.suggested_grade.value)
            return
        if self._chosen:
            await self._check("".join(sorted(self._chosen)))
            return
        session.reveal()
        await self._show()

    async def action_grade(self, grade: int) -> None:
        assert self.session is not None
        try:
            self.session.grade(Grade(grade))
        except (QuizappError, OSError) as error:
            app_of(self).complain(error)
            return
        await self._next()

    async def on_click(self, event: Click) -> None:
        """A click does what its key does. Links would be drawn as such, so these are none."""
        if (grade := event.style.meta.get("grade")) is not None:
            await self.run_action(f"grade({grade})")
        elif (point := event.style.meta.get("point")) is not None:
            await self.run_action(f"tick({point})")
        elif (letter := event.style.meta.get("choose")) is not None:
            await self.run_action(f"choose('{letter}')")

    async def action_choose(self, letter: str) -> None:
        turn = self.turn
        assert turn is not None
        if len(turn.question.right_letters) == 1:
            await self._check(letter)
            return
        self._chosen ^= {letter}
        await self._show()

    async def _check(self, text: str) -> None:
        """Check a typed answer in the background: a proof may take its time."""
        session, turn = self.session, self.turn
        if session is None or turn is None or self._busy:
            return
        self._busy = True
        line = self.query_one(AnswerLine)
        line.say("checking…")
        try:
            checked = await asyncio.to_thread(check_answer, turn.question, text)
        except QuizappError as error:
            line.say(str(error))
            return
        finally:
            self._busy = False
        if self.turn is not turn:
            return
        session.accept(checked)
        if checked.verdict == "unreadable":
            line.say(f"can't read this: {checked.message}")
            return
        await self._show()

    async def on_answer_line_entered(self, event: AnswerLine.Entered) -> None:
        event.stop()
        if event.text.strip():
            self._start_check(event.text)
        elif self.session is not None and self.session.phase == "asked":
            self.session.reveal()
            await self._show()

    @work
    async def _start_check(self, text: str) -> None:
        await self._check(text)

    async def action_hint(self) -> None:
        assert self.session is not None
        self.session.hint()
        await self._show()

    async def action_tick(self, point: int | None = None) -> None:
        """Tick or untick a key point: the one in hand, or the one that was clicked."""
        assert self.session is not None
        if point is not None:
            self._cursor = point
        self.session.toggle_point(self._cursor)
        self._show_card()
        self.refresh_bindings()

    async def action_down(self) -> None:
        await self._move(1)

    async def action_up(self) -> None:
        await self._move(-1)

    async def _move(self, by: int) -> None:
        turn = self.turn
        points = len(turn.card.fields.points) if turn and turn.answered else 0
        wanted = self._cursor + by
        if 0 <= wanted < points:
            self._cursor = wanted
            self._show_card()
        else:
            self.query_one("#card").scroll_relative(y=by, animate=False)

    async def action_undo(self) -> None:
        assert self.session is not None
        try:
            undone = self.session.undo()
        except (QuizappError, OSError) as error:
            app_of(self).complain(error)
            return
        if undone is None:
            self.notify("There is nothing to undo.", markup=False)
            return
        self.notify(said_undone(undone), markup=False)
        await self._next()

    async def action_suspend(self) -> None:
        session, turn = self._in_hand()
        await self._put_away(session.suspend, f"{turn.card.id} is suspended; u brings it back.")

    async def action_bury(self) -> None:
        session, turn = self._in_hand()
        await self._put_away(session.bury, f"{turn.card.id} is put off until tomorrow; u brings it back.")

    async def _put_away(self, write: Callable[[], None], said: str) -> None:
        try:
            write()
        except (QuizappError, OSError) as error:
            app_of(self).complain(error)
            return
        self.notify(said, markup=False)
        await self._next()

    async def action_mark(self) -> None:
        try:
            marked = self._in_hand()[0].toggle_mark()
        except (QuizappError, OSError) as error:
            app_of(self).complain(error)
            return
        self.notify("Marked." if marked else "No longer marked.", markup=False)
        await self._show()

    async def action_follow_up(self) -> None:
        session, _ = self._in_hand()
        session.open_follow_up(session.follow_ups()[0].id)
        await self._next()

    @work
    async def action_derive(self) -> None:
        await side_trips.derive(self, *self._in_hand())
        await self._show()

    def action_demo(self) -> None:
        side_trips.open_demo(self, *self._in_hand())

    def action_info(self) -> None:
        side_trips.show_history(self, self._in_hand()[1])

    def action_copy(self) -> None:
        side_trips.copy_formulas(self, self._in_hand()[1])

    async def action_edit(self) -> None:
        side_trips.edit(self, *self._in_hand())
        await self._show()

    def _in_hand(self) -> tuple[Session, Turn]:
        """The session and its card; every key but undo and leave acts only while there is one."""
        assert self.session is not None
        assert self.session.turn is not None
        return self.session, self.session.turn

    def action_leave(self) -> None:
        self._leave()


def _update(line: Static, said: Content) -> None:
    """Change a text, and lay the screen out again only where its size changes."""
    before = line.content
    assert isinstance(before, (str, Content))
    shown = Content(before) if isinstance(before, str) else before
    if not shown.is_same(said):
        wider = line.styles.is_auto_width and shown.cell_length != said.cell_length
        higher = line.styles.is_auto_height and shown.plain.count("\n") != said.plain.count("\n")
        line.update(said, layout=wider or higher)


def _texts(question: Question) -> list[str]:
    return [question.heading, question.prompt, *(option.text for option in question.options), question.answer]
