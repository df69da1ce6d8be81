"""``quizapp export``: decks leave, for Anki, other programs, a browser or another computer."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

import click

from quizapp.commands.context import Context
from quizapp.commands.options import Common, common_options
from quizapp.commands.progress import progress
from quizapp.derivations.folders import folders
from quizapp.errors import UsageError
from quizapp.exchange.model import silent
from quizapp.exchange.registry import FORMATS, format_to_write

if TYPE_CHECKING:
    from quizapp.exchange.collect import Collected
    from quizapp.exchange.export_decks import Exported


@click.command("export")
@click.argument("names", metavar="[DECK]...", nargs=-1)
@click.option(
    "-o",
    "--output",
    required=True,
    metavar="FILE",
    type=click.Path(path_type=Path),
    help="Where to write; - is standard output, for a format that is text.",
)
@click.option(
    "--format",
    "name",
    metavar="FORMAT",
    help=f"What to write, where FILE does not say it: {', '.join(FORMATS)}.",
)
@click.option("--with-schedule", is_flag=True, help="Take memory, due days and the reviews along.")
@click.option("--tag", "tags", metavar="TAG", multiple=True, help="Only cards with this tag; repeatable.")
@click.option("--due", is_flag=True, help="Only cards that are due today.")
@click.option(
    "--search", metavar="QUERY", default="", help="Only cards that QUERY finds, as in quizapp cards."
)
@common_options
def command(
    common: Common,
    names: tuple[str, ...],
    output: Path,
    name: str | None,
    with_schedule: bool,
    tags: tuple[str, ...],
    due: bool,
    search: str,
) -> None:
    """Write DECKs to FILE, all decks where none is named; the extension of FILE says the format.

    Says what was written and what the format cannot carry. A file that is there already is replaced once the new
    one is whole.
    """
    from quizapp.exchange.export_decks import send

    to_stdout = str(output) == "-"
    if to_stdout and name is None:
        raise UsageError("export: standard output has no extension; add --format, such as --format json")
    found = format_to_write(output, name)
    if to_stdout and not found.text:
        raise UsageError(f"export: {found.name} is no text; name a file instead of -")
    query = " ".join(part for part in (search, *map(_tag, tags), "is:due" if due else "") if part)
    context = Context(common, progress("reading decks"))
    collected = _collect(context, names, query, with_schedule)
    say = progress("writing card") or silent
    if not to_stdout:
        exported = send(context.home, found, collected, output.expanduser(), say)
    else:
        with tempfile.TemporaryDirectory(prefix="quizapp-") as folder:
            path = Path(folder, f"export{found.extensions[0] if found.extensions else '.md'}")
            exported = send(context.home, found, collected, path)
            click.echo(path.read_bytes(), nl=False)
    _report(common, exported, err=to_stdout)


def _tag(text: str) -> str:
    if '"' in text:
        raise UsageError(f"export: --tag {text}: a tag holds no quotation mark")
    return f'tag:"{text}"'


def _collect(context: Context, decks: tuple[str, ...], query: str, with_schedule: bool) -> Collected:
    from quizapp.exchange.export_decks import gather

    with context.store() as store:
        return gather(
            context.home,
            context.config,
            context.library,
            store,
            now=context.clock.now(),
            day=context.day(store),
            decks=decks,
            query=query,
            with_schedule=with_schedule,
            folders=folders(context.home.path, context.common.decks),
        )


def _report(common: Common, exported: Exported, *, err: bool) -> None:
    if err:
        # Standard output holds the cards.
        lines = exported.as_lines()[1:]
        click.echo("\n".join(lines), err=True, nl=bool(lines))
    elif common.json:
        common.print_json(exported.as_values())
    else:
        click.echo("\n".join(exported.as_lines()))
