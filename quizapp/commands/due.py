"""``quizapp due``: what is due today, by deck."""

from __future__ import annotations

import click

from quizapp.commands.context import Context
from quizapp.commands.options import Common, common_options
from quizapp.commands.progress import progress
from quizapp.review.queue import counts


@click.command("due")
@common_options
def command(common: Common) -> None:
    """Say how many cards are due and new today, in all and by deck.

    The first line fits a status bar. The day's limits hold for each drill, so the decks may add up to more.
    """
    context = Context(common, progress("reading decks"))
    library = context.library
    with context.store() as store:
        day = context.day(store)
        found = counts(library.cards.values(), store.states(), day, context.config, store.done_on(day))
    if common.json:
        decks = [{"deck": deck.deck, "due": deck.due, "new": deck.new} for deck in found.decks]
        common.print_json({"due": found.due, "new": found.new, "decks": decks})
        return
    click.echo(f"{found.due} due, {found.new} new")
    waiting = [deck for deck in found.decks if deck.due or deck.new]
    for deck in waiting:
        click.echo(f"{deck.due:6} due {deck.new:5} new   {deck.deck}")
