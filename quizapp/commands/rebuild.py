"""``quizapp rebuild``: derive every card's memory again from the log."""

from __future__ import annotations

import click

from quizapp.commands.context import Context
from quizapp.commands.options import Common, common_options
from quizapp.review.reschedule import rescheduled


@click.command("rebuild")
@click.option(
    "--reschedule",
    is_flag=True,
    help="Also compute memory and due days anew with the weights and the retention of the configuration.",
)
@common_options
def command(common: Common, reschedule: bool) -> None:
    """Derive every card's memory again from the review log.

    What was stored with each review is kept. With --reschedule the grades are replayed under the present
    configuration instead, as one action that undo takes back.
    """
    context = Context(common)
    config = context.config
    with context.store(write=True) as store:
        built = store.rebuild()
        moved = rescheduled(store.reviews(), store.states(), config) if reschedule else {}
        store.reschedule(moved, context.clock.now(), context.day(store))
    if common.json:
        common.print_json(
            {
                "reviews": built.reviews,
                "cards": built.cards,
                "changed": list(built.changed),
                "rescheduled": sorted(moved),
            }
        )
        return
    repaired = f"{len(built.changed)} differed and were put right" if built.changed else "all were right"
    click.echo(f"{built.reviews} reviews of {built.cards} cards replayed: {repaired}")
    if reschedule:
        click.echo(f"{len(moved)} cards have a new memory or due day")
