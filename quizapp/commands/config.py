"""``quizapp config``: the configuration and where it lives."""

from __future__ import annotations

import json
from typing import Any

import click
import msgspec

from quizapp.commands.context import Context
from quizapp.commands.options import Common, common_options


@click.command("config")
@common_options
def command(common: Common) -> None:
    """Show every setting, as the lines of a configuration file, and where that file is."""
    context = Context(common)
    values = msgspec.to_builtins(context.config)
    if common.json:
        common.print_json(values)
        return
    path = context.home.config
    click.echo(f"# {path}{'' if path.exists() else ' (not there yet; these are the defaults)'}")
    # A table takes every line below it, so tables come last.
    for name, value in sorted(values.items(), key=lambda item: isinstance(item[1], dict)):
        if isinstance(value, dict):
            click.echo(f"\n[{name}]")
            for key, inner in value.items():
                click.echo(f"{_text(key)} = {_text(inner)}")
        else:
            click.echo(f"{name} = {_text(value)}")


def _text(value: Any) -> str:
    """A number, a string or a list as TOML, which writes these as JSON does."""
    return json.dumps(value, ensure_ascii=False)
