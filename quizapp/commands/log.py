"""``quizapp log``: the review log."""

from __future__ import annotations

from typing import Any

import click

from quizapp.commands.context import Context
from quizapp.commands.options import Common, common_options
from quizapp.errors import UsageError
from quizapp.review.types import Review


@click.command("log")
@click.option("--card", metavar="ID", help="Only the reviews of this card.")
@click.option("--all", "everything", is_flag=True, help="Show the reviews that were undone, too.")
@common_options
def command(common: Common, card: str | None, everything: bool) -> None:
    """Print every review, oldest first."""
    context = Context(common)
    with context.store() as store:
        reviews = list(store.reviews(card, undone=everything))
    if card is not None and not reviews and card not in context.library.cards:
        raise UsageError(f"log: no card {card}, neither in the library nor in the log; see quizapp cards")
    if common.json:
        common.print_json([_describe(review, everything) for review in reviews])
        return
    for review in reviews:
        then = f"next {review.due} ({review.interval} d)"
        undone = "  undone" if review.undone else ""
        click.echo(f"{review.at:%Y-%m-%d %H:%M}  {review.grade.word:<5}  {then}  {review.card}{undone}")
    if not reviews:
        click.echo("no reviews yet")


def _describe(review: Review, everything: bool) -> dict[str, Any]:
    values: dict[str, Any] = {
        "at": review.at.isoformat(timespec="milliseconds"),
        "day": review.day.isoformat(),
        "card": review.card,
        "grade": review.grade.word,
        "interval": review.interval,
        "stability": review.stability,
        "difficulty": review.difficulty,
        "seconds": review.seconds,
        "confidence": review.confidence,
    }
    if everything:
        values["undone"] = review.undone
    return values
