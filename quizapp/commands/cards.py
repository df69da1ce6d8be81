"""``quizapp cards``: search the library."""

from __future__ import annotations

import datetime as dt
from typing import Any

import click

from quizapp.commands.context import Context
from quizapp.commands.options import Common, common_options
from quizapp.commands.progress import progress
from quizapp.decks.card import Card
from quizapp.review.kernel import Kernel
from quizapp.review.search import search, state_word
from quizapp.review.types import CardState


@click.command("cards")
@click.argument("query", nargs=-1)
@common_options
def command(common: Common, query: tuple[str, ...]) -> None:
    """List the cards that QUERY finds; without one, all.

    A query is words to look for and any of tag:NAME, deck:NAME, kind:KIND, id:ID, is:due, is:new,
    is:suspended, is:buried, is:marked, is:leech and state:STATE. All must hold; a minus sign turns one round,
    as in quizapp cards "tag:rope -is:new". A star in a name stands for anything.
    """
    context = Context(common, progress("reading decks"))
    library = context.library
    with context.store() as store:
        day = context.day(store)
        states = store.states()
    found = search(" ".join(query), library.cards.values(), states, day)
    kernel = Kernel(context.config.weights)
    described = [_describe(card, states.get(card.id) or CardState(card.id), day, kernel) for card in found]
    if common.json:
        common.print_json(described)
        return
    for card, values in zip(found, described, strict=True):
        recall = "   –" if values["recall"] is None else f"{values['recall']:4.0%}"
        due = values["due"] or "–"
        click.echo(f"{values['state']:<9}  {due:<10}  {recall}  {card.id}  {_plain(card.heading)}")
    click.echo(f"{len(found)} {'card' if len(found) == 1 else 'cards'}")


def _describe(card: Card, state: CardState, day: dt.date, kernel: Kernel) -> dict[str, Any]:
    memory = state.memory
    elapsed = 0 if memory is None else (day - memory.day).days
    return {
        "id": card.id,
        "deck": card.deck,
        "kind": card.kind,
        "tags": list(card.tags),
        "state": state_word(state, day),
        "due": None if state.due is None else state.due.isoformat(),
        "stability": None if memory is None else memory.stability,
        "difficulty": None if memory is None else memory.difficulty,
        "reviews": state.reviews,
        "lapses": state.lapses,
        "recall": None if memory is None else kernel.recall(memory.stability, elapsed),
    }


def _plain(text: str) -> str:
    return "".join(letter if letter.isprintable() else " " for letter in text)
