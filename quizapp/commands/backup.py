"""``quizapp backup``: a copy of the reviews that can be relied on."""

from __future__ import annotations

from pathlib import Path

import click

from quizapp.commands.context import Context
from quizapp.commands.options import Common, common_options
from quizapp.errors import UsageError


@click.command("backup")
@click.argument("file", type=click.Path(path_type=Path))
@common_options
def command(common: Common, file: Path) -> None:
    """Copy all reviews to FILE, safely even while a session runs. An earlier backup there is replaced."""
    context = Context(common)
    if not context.home.database.exists():
        raise UsageError(f"backup: {context.home.path} has no reviews yet")
    target = file.expanduser().absolute()
    if target == context.home.database.resolve():
        raise UsageError("backup: FILE is the database itself; name another place")
    with context.store() as store:
        reviews = store.review_count()
        store.backup(target)
    size = target.stat().st_size
    if common.json:
        common.print_json({"path": str(target), "reviews": reviews, "bytes": size})
    else:
        click.echo(f"copied {reviews} {'review' if reviews == 1 else 'reviews'} ({size:,} bytes) to {target}")
