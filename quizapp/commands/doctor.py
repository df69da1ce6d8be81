"""``quizapp doctor``: look at everything that can go wrong, and say how to mend it."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from contextlib import ExitStack
from typing import TYPE_CHECKING, Literal

import click
import msgspec

from quizapp.commands.context import Context
from quizapp.commands.options import Common, common_options
from quizapp.errors import CheckFailed, QuizappError
from quizapp.review.day import study_day

if TYPE_CHECKING:
    from quizapp.storage import SqliteStore

# Room for a copy of a large log while it is written.
_ENOUGH_SPACE = 200 * 1024 * 1024


class Finding(msgspec.Struct, frozen=True):
    """What one check found."""

    check: str
    level: Literal["ok", "note", "error"]
    message: str


@click.command("doctor")
@common_options
def command(common: Common) -> None:
    """Check the home folder, the reviews, the configuration, the decks and the backups.

    Changes nothing. Exit code 1 where something is wrong.
    """
    context = Context(common)
    findings = list(_all(context))
    wrong = [finding for finding in findings if finding.level == "error"]
    if common.json:
        common.print_json({"ok": not wrong, "checks": msgspec.to_builtins(findings)})
    else:
        for finding in findings:
            click.echo(f"{finding.level:<5}  {finding.check}: {finding.message}")
    if wrong:
        problems = "1 problem" if len(wrong) == 1 else f"{len(wrong)} problems"
        raise CheckFailed(f"doctor: {problems} in {context.home.path}")


def _all(context: Context) -> Iterator[Finding]:
    yield from _space(context)
    configured = _configuration(context)
    yield configured
    with ExitStack() as stack:
        store = None
        try:
            store = stack.enter_context(context.store())
        except QuizappError as error:
            yield Finding("reviews", "error", str(error))
        if store is not None:
            yield from _reviews(context, store, configured=configured.level == "ok")
        yield from _writer(context)
        if configured.level == "ok":
            yield from _decks(context, store)
    yield _backups(context)


def _space(context: Context) -> Iterator[Finding]:
    path = context.home.path
    if not path.exists():
        yield Finding("home", "note", f"{path} is not there yet; the first session makes it")
        return
    free = shutil.disk_usage(path).free
    level: Literal["ok", "note"] = "ok" if free >= _ENOUGH_SPACE else "note"
    yield Finding("home", level, f"{path}, {free // (1024 * 1024):,} MB free on its disk")


def _configuration(context: Context) -> Finding:
    path = context.home.config
    try:
        _ = context.config
    except (QuizappError, OSError) as error:
        return Finding("configuration", "error", str(error))
    return Finding("configuration", "ok", str(path) if path.exists() else "the defaults")


def _reviews(context: Context, store: SqliteStore, *, configured: bool) -> Iterator[Finding]:
    from quizapp.storage import integrity

    try:
        broken = integrity.damages(store)
        if broken:
            yield Finding(
                "reviews", "error", f"{store.path} is damaged: {integrity.some(broken)}; restore a backup"
            )
            return
        differ = integrity.differences(store)
        backwards = integrity.days_backwards(store)
        last = store.last_day()
        count = store.review_count()
    except QuizappError as error:
        yield Finding("reviews", "error", str(error))
        return
    if differ:
        yield Finding(
            "reviews",
            "error",
            f"the memory of {integrity.some(differ)} is not the log's; run quizapp rebuild",
        )
    else:
        yield Finding("reviews", "ok", f"{count} reviews, and the memory is what they say")
    if backwards:
        yield Finding(
            "days", "error", f"the study days of {integrity.some(backwards)} run backwards in the log"
        )
    elif configured and last is not None:
        today = study_day(context.clock.now(), context.config.day_start)
        if last > today:
            advice = f"the last review's study day {last} counts as today until {today} gets there"
            yield Finding(
                "days", "note", f"the clock was ahead: {advice}; undo that review if it was a mistake"
            )
        else:
            yield Finding("days", "ok", f"the last review was on {last}")
    yield Finding("database", "ok", integrity.sqlite_note())


def _writer(context: Context) -> Iterator[Finding]:
    from quizapp.storage.lock import holder

    process = holder(context.home.lock)
    if process is not None:
        name = f" (process {process})" if process else ""
        yield Finding("session", "note", f"a session is open{name}; readers work meanwhile")


def _decks(context: Context, store: SqliteStore | None) -> Iterator[Finding]:
    from quizapp.decks.library import built_in_decks
    from quizapp.decks.write import changed_originals

    try:
        library = context.library
    except (QuizappError, OSError) as error:
        yield Finding("decks", "error", str(error))
        return
    for deck in library.decks:
        for problem in deck.problems:
            yield Finding("decks", "error" if problem.level == "error" else "note", str(problem))
    yield Finding("decks", "ok", f"{len(library.decks)} decks, {len(library.cards)} cards")
    for name in changed_originals(library.decks, built_in_decks()):
        advice = f"quizapp decks diff {name} shows it, decks reset {name} takes it"
        yield Finding("decks", "note", f"the original of {name} has changed since you edited it: {advice}")
    archived = store.archived(library.cards) if store is not None else []
    if archived:
        from quizapp.storage.integrity import some

        kept = "their reviews are kept" if len(archived) > 1 else "its reviews are kept"
        yield Finding("decks", "note", f"in no deck any more, {kept}: {some(archived)}")


def _backups(context: Context) -> Finding:
    from quizapp.storage.backup import backups_in

    there = backups_in(context.home.backups)
    if not there:
        return Finding("backups", "note", "none yet; the first session after the first reviews takes one")
    return Finding("backups", "ok", f"{len(there)}, the newest {there[-1]}")
