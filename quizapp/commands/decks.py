"""``quizapp decks``: list, check, pin, new, diff, reset and carry."""

from __future__ import annotations

import difflib
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from quizapp.commands.context import Context
from quizapp.commands.options import Common, common_options
from quizapp.commands.progress import progress
from quizapp.errors import CheckFailed, UsageError

if TYPE_CHECKING:
    from quizapp.decks.card import Card, Deck
    from quizapp.decks.library import Library


@click.group("decks")
def command() -> None:
    """The decks: what there is, whether it is right, and your own."""


@command.command("list")
@common_options
def list_decks(common: Common) -> None:
    """List every deck with its cards."""
    library = Context(common, progress("reading decks")).library
    if common.json:
        common.print_json([_described(deck, library) for deck in library.decks])
        return
    width = max((len(deck.name) for deck in library.decks), default=0)
    for deck in library.decks:
        count = len({card.entry for card in deck.cards})
        click.echo(f"{deck.name:<{width}}  {count:>4} {'card ' if count == 1 else 'cards'}  {deck.title}")
    _mention_problems(library)


def _described(deck: Deck, library: Library) -> dict[str, Any]:
    first = {card.entry: card for card in reversed(deck.cards) if card.id in library.cards}
    return {
        "deck": deck.name,
        "title": deck.title,
        "path": deck.path,
        "cards": [_card(card) for card in reversed(first.values())],
    }


def _card(card: Card) -> dict[str, Any]:
    fields = card.fields
    return {
        "id": card.entry,
        "kind": card.kind,
        "line": card.line,
        "tags": list(fields.tags),
        "points": len(fields.points),
        "sources": len(fields.sources),
        "checks": len(fields.checks),
        "derivation": fields.derivation,
        "demo": fields.demo,
    }


def _mention_problems(library: Library) -> None:
    errors = sum(problem.level == "error" for problem in library.problems)
    if errors:
        many = "1 problem" if errors == 1 else f"{errors} problems"
        click.echo(f"{many} in the decks; quizapp decks check says where", err=True)


@command.command("check")
@click.argument("paths", nargs=-1, type=click.Path(path_type=Path))
@click.option("--strict", is_flag=True, help="Warnings count as errors.")
@common_options
def check(common: Common, paths: tuple[Path, ...], strict: bool) -> None:
    """Check deck files, or the whole library where none is named.

    Each problem is one line: the file, the line, what was expected.
    """
    from quizapp.decks.check import Known, check_cards
    from quizapp.decks.library import assemble
    from quizapp.decks.load import load_decks, sources
    from quizapp.demos.registry import NAMES

    context = Context(common, progress("reading decks"))
    library = context.library
    looked_at = library
    if paths:
        for path in paths:
            if not path.exists():
                raise UsageError(f"{path}: no such file or folder")
        looked_at = assemble(load_decks([source for path in paths for source in sources(path)], None))
    entries = set(library.entries) | set(looked_at.entries)
    known = Known(entries, _derivations(context), _generators(), NAMES)
    found = [*looked_at.problems, *check_cards(looked_at.cards.values(), known), *_parameters(looked_at)]
    found.sort(key=lambda problem: (problem.path, problem.line))
    wrong = [problem for problem in found if strict or problem.level == "error"]
    if common.json:
        common.print_json(
            [{"path": p.path, "line": p.line, "level": p.level, "message": p.message} for p in found]
        )
    else:
        for problem in found:
            click.echo(str(problem))
    if wrong:
        many = "1 problem" if len(wrong) == 1 else f"{len(wrong)} problems"
        raise CheckFailed(
            f"decks check: {many} in {len({problem.path for problem in wrong})} of {len(looked_at.decks)} files"
        )


def _derivations(context: Context) -> list[str] | None:
    from quizapp.derivations.folders import folders
    from quizapp.derivations.reading import load_library

    return list(load_library(folders(context.home.path, context.common.decks)))


def _generators() -> list[str]:
    from quizapp.generators import GENERATORS

    return list(GENERATORS)


def _parameters(library: Library) -> list[Any]:
    from quizapp.decks.card import Problem
    from quizapp.errors import QuizappError
    from quizapp.generators import find

    found = []
    for card in library.cards.values():
        if card.kind == "generated" and card.fields.generator:
            try:
                find(card.fields.generator).check(card.fields.parameters)
            except QuizappError as error:
                found.append(Problem(card.path, card.line, str(error)))
    return found


@command.command("pin")
@click.argument("names", metavar="DECK...", nargs=-1, required=True)
@common_options
def pin(common: Common, names: tuple[str, ...]) -> None:
    """Write the id of each card into its deck file, touching nothing else.

    A pinned card can be reworded or moved to another file and keeps its history. DECK is a deck's name or file.
    """
    from quizapp.decks.write import pin_ids

    context = Context(common, progress("reading decks"))
    for deck in [_named(context, name) for name in names]:
        errors = [problem for problem in deck.problems if problem.level == "error"]
        if errors:
            raise CheckFailed(f"{errors[0]} (mend it, then pin)")
        if deck.file in _built_in().values() and not _writable_checkout():
            raise UsageError(f"{deck.name} is a built-in deck and pinned already")
        count = pin_ids(deck)
        click.echo(f"{deck.path}: {count} {'id' if count == 1 else 'ids'} written")


def _built_in() -> dict[str, Path]:
    from quizapp.decks.library import built_in_decks

    return built_in_decks()


def _writable_checkout() -> bool:
    from quizapp.library import content_root

    return (content_root() / "pyproject.toml").is_file()


def _named(context: Context, name: str) -> Deck:
    from quizapp.decks.load import load_decks, sources

    if name.endswith(".md") or Path(name).is_file():
        path = Path(name)
        if not path.is_file():
            raise UsageError(f"{path}: no such file")
        # In the library the deck has the name, and so the ids, that its folder gives it.
        for deck in context.library.decks:
            if deck.file.resolve() == path.resolve():
                return deck
        return load_decks(list(sources(path)), None)[0]
    return context.library.deck(name)


@command.command("new")
@click.argument("title")
@click.option(
    "--into", type=click.Path(path_type=Path, file_okay=False), help="The folder; your own decks by default."
)
@common_options
def new(common: Common, title: str, into: Path | None) -> None:
    """Start a deck of your own."""
    from quizapp.decks.write import new_deck

    context = Context(common, progress("reading decks"))
    path = new_deck(into or context.home.decks, title)
    click.echo(f"{path}: edit it, then quizapp drill {path.stem}" + (f" --decks {into}" if into else ""))


@command.command("diff")
@click.argument("name", metavar="DECK")
@common_options
def diff(common: Common, name: str) -> None:
    """Show how your copy of a built-in deck differs from the one that ships now."""
    own, original = _pair(Context(common, progress("reading decks")), name)
    lines = difflib.unified_diff(
        original.read_text("utf-8", "replace").splitlines(),
        own.read_text("utf-8", "replace").splitlines(),
        "built-in",
        "yours",
        lineterm="",
    )
    from quizapp.text import strip_controls

    for line in lines:
        click.echo(strip_controls(line))


@command.command("reset")
@click.argument("name", metavar="DECK")
@click.option("--yes", is_flag=True, help="Do not ask.")
@common_options
def reset(common: Common, name: str, yes: bool) -> None:
    """Take the built-in deck as it ships now; your copy is kept beside it with the ending .old."""
    from quizapp.decks.write import original_note

    own, original = _pair(Context(common, progress("reading decks")), name)
    if not yes:
        if not sys.stdin.isatty():
            raise UsageError(f"decks reset replaces {own}; add --yes to agree")
        click.confirm(f"Replace {own} by the built-in deck?", abort=True)
    kept = own.with_name(f"{own.name}.old")
    own.replace(kept)
    original_note(own).unlink(missing_ok=True)
    click.echo(f"{name} is the built-in deck again ({original}); your copy is {kept}")


def _pair(context: Context, name: str) -> tuple[Path, Path]:
    original = _built_in().get(name)
    if original is None:
        raise UsageError(f"{name} is not a built-in deck; those are {', '.join(_built_in())}")
    own = context.home.decks / f"{name}.md"
    if not own.is_file():
        raise UsageError(f"there is no copy of {name} in {context.home.decks}; the built-in deck is in use")
    return own, original


@command.command("carry")
@click.argument("old", required=False)
@click.argument("new", required=False)
@common_options
def carry(common: Common, old: str | None, new: str | None) -> None:
    """Carry the history of a card whose heading changed over to its new id.

    Without arguments: list the cards that seem to have been reworded.
    """
    from quizapp.review.carry import offers

    context = Context(common, progress("reading decks"))
    if old is None or new is None:
        if old is not None:
            raise UsageError("decks carry takes the old id and the new one")
        with context.store() as store:
            found = offers(context.library.cards.values(), store.states())
        if common.json:
            common.print_json([offer._asdict() for offer in found])
            return
        for offer in found:
            click.echo(
                f"{offer.old} ({offer.reviews} reviews) seems reworded: quizapp decks carry {offer.old} {offer.new}"
            )
        if not found:
            click.echo("every card with a history is in the library")
        return
    if new not in context.library.cards:
        raise UsageError(f"decks carry: no card {new} in the library; see quizapp cards")
    with context.store(write=True) as store:
        if not store.state(old).reviews:
            raise UsageError(f"decks carry: {old} has no reviews; see quizapp log")
        store.carry(old, new, context.clock.now(), context.day(store))
    click.echo(f"{new} goes on with the history of {old}; undo takes it back")
