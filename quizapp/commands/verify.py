"""``quizapp verify``: check every derivation and every claim of decks."""

from __future__ import annotations

import itertools
import sys
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

import click

from quizapp.claims.check import DERIVATIONS, check_card, check_derivation
from quizapp.claims.report import Report, Row
from quizapp.commands.context import Context
from quizapp.commands.options import Common, common_options
from quizapp.derivations import DerivationError, load
from quizapp.derivations.folders import folders
from quizapp.errors import CheckFailed, QuizappError, UsageError

if TYPE_CHECKING:
    from quizapp.decks.card import Card, Deck
    from quizapp.derivations.model import Derivation


@dataclass
class _Work:
    """What is to be checked, and what couldn't be read on the way there."""

    derivations: dict[str, Derivation] = field(default_factory=dict)
    cards: list[Card] = field(default_factory=list)
    unread: list[str] = field(default_factory=list)

    def add_derivation(self, path: Path) -> None:
        try:
            found = load(path)
        except DerivationError as error:
            self.unread.append(str(error))
        else:
            self.derivations[found.path] = found

    def add_deck(self, deck: Deck) -> None:
        self.unread += [str(problem) for problem in deck.problems if problem.level == "error"]
        # A cloze makes several cards of one entry, which share their claims.
        self.cards += {card.entry: card for card in deck.cards}.values()


@click.command("verify")
@click.argument("paths", nargs=-1, type=click.Path(path_type=Path), metavar="[PATH]...")
@common_options
def command(common: Common, paths: tuple[Path, ...]) -> None:
    """Check every step of every derivation and recompute every claim on a card.

    PATHs are deck files, derivation files or folders of them; without any, the whole library is checked.
    Exit code 1 when something fails or stays undecided, 2 when something can't be read.
    """
    from quizapp import algebra

    context = Context(common)
    roots = folders(context.home.path, common.decks)
    work = _named(paths) if paths else _library(context, roots)
    algebra.warm_up()
    try:
        report = Report(tuple(_with_progress(_rows(work, roots), len(work.derivations) + len(work.cards))))
    finally:
        algebra.shut_down()
    if common.json:
        common.print_json(report.to_json())
    else:
        _print(report)
    _judge(report, work.unread)


def _named(paths: tuple[Path, ...]) -> _Work:
    from quizapp.decks.load import load_decks, sources

    work = _Work()
    for path in paths:
        if path.is_dir():
            derivations, decks = sorted(path.rglob("*.toml")), list(sources(path))
            if not (derivations or decks):
                raise UsageError(f"{path}: no decks (.md) and no derivations (.toml) in this folder")
        elif not path.exists():
            raise UsageError(f"{path}: there is no such file or folder")
        elif path.suffix not in (".md", ".toml"):
            raise UsageError(f"{path}: neither a deck (.md) nor a derivation (.toml)")
        else:
            derivations, decks = ([path], []) if path.suffix == ".toml" else ([], list(sources(path)))
        for derivation in derivations:
            work.add_derivation(derivation)
        for deck in load_decks(decks, None):
            work.add_deck(deck)
    return work


def _library(context: Context, roots: tuple[Path, ...]) -> _Work:
    work = _Work()
    for path in {path.name: path for root in roots for path in sorted(root.glob("*.toml"))}.values():
        work.add_derivation(path)
    for deck in context.library.decks:
        work.add_deck(deck)
    return work


def _rows(work: _Work, roots: tuple[Path, ...]) -> Iterator[Row]:
    for derivation in work.derivations.values():
        try:
            yield check_derivation(derivation)
        except DerivationError as error:
            work.unread.append(str(error))
    names = {path.stem for root in roots for path in root.glob("*.toml")}
    names |= {found.id for found in work.derivations.values()}
    for card in work.cards:
        yield check_card(card, names)


def _with_progress(rows: Iterator[Row], total: int) -> Iterator[Row]:
    """Show how far it is on a terminal; say nothing to a pipe."""
    if not sys.stderr.isatty():
        yield from rows
        return
    for number, row in enumerate(rows, 1):
        click.echo(f"\r{number}/{total}  {row.id[:50]:50}", nl=False, err=True)
        yield row
    click.echo("\r" + " " * 70 + "\r", nl=False, err=True)


def _print(report: Report) -> None:
    proofs = [row for row in report.rows if row.group == DERIVATIONS]
    width = max((len(row.id) for row in report.rows if row.group == DERIVATIONS), default=0)
    for row in proofs:
        click.echo(f"{row.id:{width}}  {row.summary}")
    decks = itertools.groupby(
        (row for row in report.rows if row.group != DERIVATIONS), key=lambda row: row.group
    )
    for deck, rows in decks:
        merged = Row(deck, deck, tuple(finding for row in rows for finding in row.findings))
        if merged.findings:
            click.echo(f"{deck:{width}}  {merged.summary}")
    wrong = [finding for finding in report.findings if not finding.holds]
    for finding in wrong:
        click.echo(f"\n{finding}")
    click.echo(f"\n{report.checked} statements checked, {report.checked - len(wrong)} hold")


def _judge(report: Report, unread: list[str]) -> None:
    lost = [
        *unread,
        *(f"{found.path}:{found.line}: {found.message}" for found in report.having("unreadable")),
    ]
    if lost:
        more = f" (and {len(lost) - 1} more)" if len(lost) > 1 else ""
        raise QuizappError(f"{lost[0]}{more}")
    failed, undecided = len(report.having("failed")), len(report.having("undecided"))
    if failed or undecided:
        raise CheckFailed(f"verify: {failed} failed, {undecided} undecided of {report.checked} statements")
