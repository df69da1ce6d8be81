"""Where a card in hand leads: its derivation, its demo, its history, its formulas, its file."""

from __future__ import annotations

from typing import Any

from textual.screen import Screen

from quizapp.errors import QuizappError
from quizapp.review.session import Session
from quizapp.review.turn import Turn
from quizapp.review.types import Grade
from quizapp.tui.app_context import app_of, context_of
from quizapp.tui.edit import edit_card


async def derive(screen: Screen[Any], session: Session, turn: Turn) -> None:
    """Step through the card's derivation; on a card that asks for it, what came of it suggests the grade."""
    from quizapp.tui.screens.derivation import DerivationScreen, load_run

    try:
        run = load_run(context_of(screen), turn.card.fields.derivation or "")
    except QuizappError as error:
        app_of(screen).complain(error)
        return
    grade = await screen.app.push_screen_wait(DerivationScreen(run))
    if grade is not None and session.turn is turn and turn.card.kind == "derivation":
        session.suggest(Grade(grade))


def open_demo(screen: Screen[Any], session: Session, turn: Turn) -> None:
    """Open the card's demo; the card waits as it is, and its time does not run."""
    from quizapp.tui.screens.demo import DemoScreen

    clock = context_of(screen).clock
    left = clock.seconds()
    try:
        demo = DemoScreen(turn.card.fields.demo or "")
    except QuizappError as error:
        app_of(screen).complain(error)
        return
    screen.app.push_screen(demo, lambda _: session.was_away(clock.seconds() - left))


def show_history(screen: Screen[Any], turn: Turn) -> None:
    """Show where the card stands, and its reviews."""
    from quizapp.tui.screens.message import MessageScreen
    from quizapp.tui.words import history

    with context_of(screen).store() as store:
        reviews = list(store.reviews(turn.card.id))
    screen.app.push_screen(MessageScreen(turn.card.id, history(turn.card, turn.state, reviews)))


def copy_formulas(screen: Screen[Any], turn: Turn) -> None:
    """Copy the LaTeX of all that is shown."""
    from quizapp.tui.widgets.card_markdown import latex_sources

    question = turn.question
    shown = [question.heading, question.prompt, *([question.answer] if turn.answered else [])]
    found = latex_sources("\n\n".join(shown))
    screen.app.copy_to_clipboard("\n".join(found))
    many = "1 formula" if len(found) == 1 else f"{len(found)} formulas"
    screen.notify(f"{many} copied." if found else "There is no formula here.", markup=False)


def edit(screen: Screen[Any], session: Session, turn: Turn) -> None:
    """Open the card in the learner's editor, and take the change in."""
    try:
        library = edit_card(app_of(screen), turn.card)
    except (QuizappError, OSError) as error:
        app_of(screen).complain(error)
        return
    session.reload(library.cards)
    mine = [problem for problem in library.problems if problem.level == "error"]
    if mine:
        screen.notify(str(mine[0]), severity="error", markup=False)
