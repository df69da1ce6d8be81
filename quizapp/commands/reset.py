"""``quizapp reset``: make cards new again."""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Mapping

import click

from quizapp.commands.context import Context
from quizapp.commands.options import Common, common_options
from quizapp.decks.card import Card
from quizapp.errors import UsageError
from quizapp.review.types import CardState


@click.command("reset")
@click.argument("name", metavar="CARD|DECK")
@click.option("--yes", is_flag=True, help="Do not ask.")
@common_options
def command(common: Common, name: str, yes: bool) -> None:
    """Forget the memory of one card, or of every card of a deck, so that it is new again.

    Asks first. The log keeps the reviews, and undo in the app takes a reset back.
    """
    context = Context(common)
    library = context.library
    with context.store(write=True) as store:
        states = store.states()
        known = _named(name, library.cards.values(), states)
        seen = [card for card in known if (state := states.get(card)) and state.memory is not None]
        if seen and not yes and not _confirmed(name, len(seen)):
            click.echo("nothing was changed", err=common.json)
            return
        store.reset(seen, context.clock.now(), context.day(store))
    if common.json:
        common.print_json({"reset": seen})
    elif seen:
        click.echo(f"{name}: {_count(len(seen))} new again")
    else:
        click.echo(f"{name}: nothing to forget, all is new")


def _named(name: str, cards: Iterable[Card], states: Mapping[str, CardState]) -> list[str]:
    """The ids that a name stands for: a card's (archived or not), a cloze entry's, or all of a deck."""
    cards = tuple(cards)
    ids = {card.id for card in cards} | states.keys()
    if name in ids:
        return [name]
    found = [card.id for card in cards if name in (card.entry, card.deck)]
    if not found:
        near = difflib.get_close_matches(name, {*ids, *(card.deck for card in cards)}, 1)
        hint = f"did you mean {near[0]}?" if near else "see quizapp cards"
        raise UsageError(f"reset: no card or deck {name}; {hint}")
    return found


def _confirmed(name: str, count: int) -> bool:
    try:
        return click.confirm(f"Forget the memory of {_count(count)} ({name})?", err=True)
    except click.Abort:
        # The end of the input answers nothing, so nothing is done.
        click.echo(err=True)
        return False


def _count(number: int) -> str:
    return f"{number} card" if number == 1 else f"{number} cards"
