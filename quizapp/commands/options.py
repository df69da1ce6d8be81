"""What every command accepts: where the data is, which decks, JSON or text."""

from __future__ import annotations

import functools
import json
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

import click

R = TypeVar("R")


@dataclass(frozen=True)
class Common:
    """The options that are accepted after every subcommand."""

    home: Path | None
    decks: tuple[Path, ...]
    json: bool

    def print_json(self, value: Any) -> None:
        """Print one JSON document; non-ASCII text stays readable."""
        click.echo(json.dumps(value, ensure_ascii=False, allow_nan=False))


def common_options(function: Callable[..., R]) -> Callable[..., R]:
    """Add ``--home``, ``--decks`` and ``--json``; the command gets them as ``common``."""

    @click.option(
        "--home",
        type=click.Path(path_type=Path, file_okay=False),
        envvar="QUIZAPP_HOME",
        help="Where your reviews, decks and configuration live.",
    )
    @click.option(
        "--decks",
        multiple=True,
        metavar="DIR",
        type=click.Path(path_type=Path),
        help="Another folder of decks; repeatable.",
    )
    @click.option("--json", "as_json", is_flag=True, help="Print JSON, for scripts.")
    @functools.wraps(function)
    def wrapper(home: Path | None, decks: tuple[Path, ...], as_json: bool, **rest: Any) -> R:
        before = click.get_current_context().find_root().obj
        if isinstance(before, Common):
            # What stands before the subcommand counts too; what stands behind it counts more.
            home = home or before.home
            decks = decks or before.decks
        return function(common=Common(home, decks, as_json), **rest)

    return wrapper
