"""The entry point: finds the command, runs it, and turns every error into one line and an exit code.

Exit codes: 0 fine, 1 a check failed, 2 wrong usage, unreadable input or a second writer.
"""

from __future__ import annotations

import importlib
import io
import keyword
import os
import sys
from typing import NoReturn

import click

from quizapp import __version__
from quizapp.commands.options import Common, common_options
from quizapp.errors import QuizappError
from quizapp.text import one_line

# In the order in which a learner meets them.
COMMANDS = (
    "drill",
    "derive",
    "verify",
    "equal",
    "encode",
    "demo",
    "due",
    "cards",
    "log",
    "decks",
    "export",
    "import",
    "backup",
    "rebuild",
    "doctor",
    "reset",
    "config",
)


class LazyGroup(click.Group):
    """A group whose commands are imported when they are asked for."""

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002
        if cmd_name not in COMMANDS:
            return None
        # A module cannot be called what Python calls a statement.
        module = f"{cmd_name}_" if keyword.iskeyword(cmd_name) else cmd_name
        command: click.Command = importlib.import_module(f"quizapp.commands.{module}").command
        return command


@click.group(
    cls=LazyGroup, invoke_without_command=True, context_settings={"help_option_names": ["-h", "--help"]}
)
@click.version_option(__version__, prog_name="quizapp")
@common_options
@click.pass_context
def quizapp(ctx: click.Context, common: Common) -> None:
    """Drill a hard interview subject in the terminal until you own it.

    With no command the app opens.
    """
    ctx.obj = common
    if ctx.invoked_subcommand is None:
        importlib.import_module("quizapp.commands.app").open_app(common)


def main(arguments: list[str] | None = None) -> NoReturn:
    """Run the command line and exit; never shows a traceback for what a user can mend."""
    sys.exit(run(arguments))


def run(arguments: list[str] | None = None) -> int:
    """Run the command line and return the exit code."""
    try:
        for stream in (sys.stdin, sys.stdout, sys.stderr):
            if isinstance(stream, io.TextIOWrapper):
                # A terminal or pipe without UTF-8 shows a question mark instead of failing.
                stream.reconfigure(errors="replace")
        result = quizapp.main(args=arguments, prog_name="quizapp", standalone_mode=False)
        sys.stdout.flush()
        return result if isinstance(result, int) else 0
    except click.exceptions.Exit as stop:
        return stop.exit_code
    except (click.exceptions.Abort, KeyboardInterrupt):
        return 130
    except click.UsageError as error:
        path = error.ctx.command_path if error.ctx else "quizapp"
        return _complain(f"{path}: {error.format_message()} (see {path} --help)", 2)
    except click.ClickException as error:
        return _complain(f"quizapp: {error.format_message()}", 2)
    except QuizappError as error:
        return _complain(f"quizapp: {error}", error.exit_code)
    except (SystemExit, BrokenPipeError):
        # The reader of a pipe left (click says so by SystemExit); what is still buffered has nowhere to go.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except OSError as error:
        where = f": {error.filename}" if error.filename else ""
        return _complain(f"quizapp: {(error.strerror or str(error)).lower()}{where}", 2)


def _complain(message: str, code: int) -> int:
    click.echo(one_line(message), err=True)
    return code
