"""``quizapp drill``: review what is due, then new cards."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from typing import TYPE_CHECKING

import click

from quizapp.commands.context import Context
from quizapp.commands.front import fit_for_the_app, front
from quizapp.commands.options import Common, common_options
from quizapp.commands.progress import progress
from quizapp.text import strip_controls

if TYPE_CHECKING:
    from quizapp.review.types import CardState


@click.command("drill")
@click.argument("names", metavar="[DECK]...", nargs=-1)
@click.option("--cram", is_flag=True, help="Ask every card, due or not; the schedule stays as it is.")
@click.option("--limit", type=click.IntRange(min=1), metavar="N", help="At most N cards.")
@click.option("--plain", is_flag=True, help="Lines of text instead of the app.")
@click.option("--latex", is_flag=True, help="In plain mode: show the source of formulas.")
@common_options
def command(
    common: Common, names: tuple[str, ...], cram: bool, limit: int | None, plain: bool, latex: bool
) -> None:
    """Review what is due, then new cards; of the decks named, or of all.

    In a pipe, or where the terminal cannot draw, it reads and writes plain lines.
    """
    if plain or latex or not fit_for_the_app():
        _plain(common, names, cram=cram, limit=limit, latex=latex)
    else:
        front().open_drill(common, names, cram=cram, limit=limit)


def _plain(common: Common, names: tuple[str, ...], *, cram: bool, limit: int | None, latex: bool) -> None:
    from quizapp import algebra
    from quizapp.commands.opening import open_session
    from quizapp.plain.derive import PlainDerivation
    from quizapp.plain.drill import PlainDrill

    context = Context(common, progress("reading decks"))
    library = context.library
    for problem in library.problems:
        if problem.level == "error":
            click.echo(strip_controls(str(problem)), err=True)
    library.select(names)
    with context.store(write=True) as store:
        if store.backup_problem:
            click.echo(store.backup_problem, err=True)
        opened = open_session(context, store, names, cram=cram, limit=limit)
        session = opened.session
        _mention_reworded(context, store.states())
        if session.phase == "done":
            click.echo(
                _nothing_to_do(context, store.states(), names, opened.queue.held_new + opened.queue.held_due)
            )
            if cram or not store.review_count():
                return

        def derivation(name: str) -> PlainDerivation:
            from quizapp.derivations import find
            from quizapp.derivations.folders import folders
            from quizapp.derivations.run import DerivationRun

            run = DerivationRun(find(name, folders(context.home.path, common.decks)))
            return PlainDerivation(run, ask, say, latex=latex)

        titles = {deck.name: deck.title for deck in library.decks}
        try:
            PlainDrill(session, ask, say, titles=titles, latex=latex, derivation=derivation).play()
        finally:
            algebra.shut_down()


def _mention_reworded(context: Context, states: Mapping[str, CardState]) -> None:
    from quizapp.review.carry import offers

    for offer in offers(context.library.cards.values(), states):
        click.echo(
            f"{offer.old} has {offer.reviews} reviews and is gone; if it is {offer.new} now: "
            f"quizapp decks carry {offer.old} {offer.new}",
            err=True,
        )


def _nothing_to_do(
    context: Context, states: Mapping[str, CardState], names: tuple[str, ...], held: int
) -> str:
    if held:
        return f"done for today; the day's limits keep {held} more for tomorrow (quizapp drill --cram asks them now)"
    days = [
        state.due
        for card in context.library.select(names)
        if (state := states.get(card.id)) and state.due and not state.suspended
    ]
    if not days:
        return "no cards to drill; quizapp decks new TITLE starts a deck"
    return f"nothing is due; the next card is due on {min(days).isoformat()} (quizapp drill --cram asks them now)"


def ask() -> str | None:
    """The next line of input; None at its end."""
    if sys.stdin.isatty():
        click.echo("> ", nl=False)
    line = sys.stdin.readline()
    return line.rstrip("\r\n") if line else None


def say(text: str) -> None:
    """One line of output, written at once; whatever text it holds, it moves no cursor."""
    click.echo(strip_controls(text).replace("\r", "").expandtabs(4))
    sys.stdout.flush()
