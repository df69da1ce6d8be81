"""``quizapp import``: decks of this and of other programs come in."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import click
from msgspec.structs import replace

from quizapp.commands.context import Context
from quizapp.commands.options import Common, common_options
from quizapp.commands.progress import progress
from quizapp.errors import UsageError
from quizapp.exchange.model import ExchangeError, ReadOptions, silent
from quizapp.exchange.registry import FORMATS
from quizapp.text import slug

if TYPE_CHECKING:
    from quizapp.exchange.import_file import ImportedFile

_READ = tuple(name for name, known in FORMATS.items() if known.reads)


@click.command("import")
@click.argument("files", metavar="FILE...", nargs=-1, required=True, type=click.Path(path_type=Path))
@click.option(
    "--into",
    "target",
    metavar="DIR",
    type=click.Path(path_type=Path),
    help="The folder of decks to write to; your own decks where it is left out.",
)
@click.option(
    "--format", "name", metavar="FORMAT", help=f"What FILE is, where it does not show: {', '.join(_READ)}."
)
@click.option(
    "--deck", "deck_name", metavar="NAME", default="", help="The deck for cards that name none themselves."
)
@click.option(
    "--column",
    "columns",
    metavar="NAME=PART",
    multiple=True,
    help="Which part of a card a column of a table is, as in Front=heading; repeatable.",
)
@click.option(
    "--with-schedule/--without-schedule",
    default=True,
    help="Take reviews and due days from FILE, where it has them (the default), or leave them.",
)
@click.option("--replace", "replace_edits", is_flag=True, help="Where a card was changed here, take FILE's.")
@click.option("--dry-run", is_flag=True, help="Say what would happen, and change nothing.")
@common_options
def command(
    common: Common,
    files: tuple[Path, ...],
    target: Path | None,
    name: str | None,
    deck_name: str,
    columns: tuple[str, ...],
    with_schedule: bool,
    replace_edits: bool,
    dry_run: bool,
) -> None:
    """Read the cards of FILE into your decks, and say what became of each part.

    Importing again brings what is new in FILE; cards that you changed here stay yours unless you add --replace.
    A folder stands for the files in it.
    """
    options = ReadOptions(columns=dict(map(_column, columns)), progress=progress("reading card") or silent)
    done: list[ImportedFile] = []
    for path, within in _files(files):
        # The library is read again for each file, since the one before may have added cards.
        context = Context(common)
        options = replace(options, deck=deck_name or within, day_start=context.config.day_start)
        done.append(_import(context, path, target, name, options, with_schedule, replace_edits, dry_run))
        if not common.json:
            click.echo("\n".join(done[-1].as_lines()))
    if common.json:
        values = [one.as_values() for one in done]
        common.print_json(values[0] if len(values) == 1 else {"files": values})


def _import(
    context: Context,
    path: Path,
    target: Path | None,
    name: str | None,
    options: ReadOptions,
    with_schedule: bool,
    replace_edits: bool,
    dry_run: bool,
) -> ImportedFile:
    from quizapp.exchange.import_file import import_file

    roots = [context.home.decks, *map(Path, context.config.decks), *context.common.decks]
    return import_file(
        path,
        home=context.home,
        config=context.config,
        target=(target or context.home.decks).expanduser().absolute(),
        library=context.library,
        roots=[root.expanduser() for root in roots],
        open_store=lambda write: context.store(write=write),
        now=context.clock.now(),
        options=options,
        name=name,
        with_schedule=with_schedule,
        replace_edits=replace_edits,
        dry_run=dry_run,
    )


def _files(given: tuple[Path, ...]) -> Iterator[tuple[Path, str]]:
    """Each file, and for one in a folder below a named folder the name of the deck that it makes."""
    readable = [found for found in FORMATS.values() if found.reads]
    known = {extension for found in readable for extension in found.extensions + found.also_read}
    for path in given:
        path = path.expanduser()
        if not path.is_dir():
            yield path, ""
            continue
        found = [file for file in sorted(path.rglob("*")) if file.is_file() and file.suffix.lower() in known]
        found = [file for file in found if not any(part[0] == "." for part in file.relative_to(path).parts)]
        if not found:
            raise ExchangeError(f"{path}: no file to import in this folder")
        for file in found:
            parts = file.relative_to(path).with_suffix("").parts
            yield file, "/".join(slug(part) or "deck" for part in parts) if len(parts) > 1 else ""


def _column(text: str) -> tuple[str, str]:
    name, equals, part = text.partition("=")
    if not equals or not name.strip() or not part.strip():
        raise UsageError(f"import: --column {text}: write NAME=PART, as in Front=heading")
    return name.strip(), part.strip()
