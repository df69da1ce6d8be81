"""``quizapp derive``: step through a derivation, typing the lines."""

from __future__ import annotations

import random
import sys
from pathlib import Path

import click

from quizapp.commands.front import fit_for_the_app, front
from quizapp.commands.options import Common, common_options
from quizapp.derivations.folders import folders
from quizapp.derivations.model import Derivation
from quizapp.derivations.reading import find, load, load_library
from quizapp.errors import UsageError
from quizapp.home import find_home
from quizapp.review.clock import seed_from_environment


@click.command("derive")
@click.argument("name", metavar="[ID]", required=False)
@click.option(
    "--plain", is_flag=True, help="Read lines from standard input and answer each with its verdict."
)
@click.option("--list", "show_list", is_flag=True, help="List the derivations.")
@click.option("--order", is_flag=True, help="Put the shuffled lines right instead of typing them.")
@click.option("--wrong-step", is_flag=True, help="Find the one line that was spoiled.")
@click.option("--latex", is_flag=True, help="Show the source of formulas instead of drawing them.")
@common_options
def command(
    common: Common, name: str | None, plain: bool, show_list: bool, order: bool, wrong_step: bool, latex: bool
) -> None:
    """Step through a derivation: type a line, and learn whether it follows.

    ID is the name of a derivation, or the path of a derivation file. Any line that equals the one before is
    accepted. In plain mode each line is answered by one that starts with equal, different, undecided or
    unreadable; reaching the end prints goal.
    """
    if order and wrong_step:
        raise UsageError("--order and --wrong-step are two exercises; choose one")
    roots = folders(find_home(common.home).path, common.decks)
    if show_list:
        _list(common, load_library(roots))
        return
    if common.json:
        raise UsageError("--json goes with --list here")
    derivation = _find(name, roots)
    if not (plain or latex) and fit_for_the_app() and not (derivation is None and (order or wrong_step)):
        front().open_derivation(
            derivation,
            common,
            order=_seed() if order else None,
            wrong_step=_seed() if wrong_step else None,
        )
        return
    if derivation is None:
        raise UsageError("name a derivation; quizapp derive --list shows them")
    _play(derivation, order=order, wrong_step=wrong_step, latex=latex)


def _find(name: str | None, roots: tuple[Path, ...]) -> Derivation | None:
    if name is None:
        return None
    return load(Path(name)) if name.endswith(".toml") else find(name, roots)


def _list(common: Common, library: dict[str, Derivation]) -> None:
    if common.json:
        common.print_json(
            [{"id": found.id, "title": found.title, "steps": len(found.steps)} for found in library.values()]
        )
        return
    width = max(map(len, library), default=0)
    for found in library.values():
        click.echo(f"{found.id:{width}}  {len(found.steps):2} steps  {found.title}")


def _play(derivation: Derivation, *, order: bool, wrong_step: bool, latex: bool) -> None:
    from quizapp import algebra
    from quizapp.derivations.checker import Checker
    from quizapp.derivations.find_wrong_step import find_wrong_step
    from quizapp.derivations.order_steps import order_steps
    from quizapp.derivations.run import DerivationRun
    from quizapp.plain.derive import PlainDerivation, play_order, play_wrong_step

    try:
        if order:
            checker = Checker(derivation)
            exercise = order_steps(derivation, _seed())
            play_order(exercise, _ask, _say, lambda text: algebra.to_latex(checker.read(text)), source=latex)
            return
        algebra.warm_up()
        if wrong_step:
            play_wrong_step(find_wrong_step(derivation, _seed()), _ask, _say, source=latex)
        else:
            PlainDerivation(DerivationRun(derivation), _ask, _say, latex=latex).play()
    finally:
        algebra.shut_down()


def _seed() -> int:
    fixed = seed_from_environment()
    return random.SystemRandom().randrange(2**32) if fixed is None else fixed


def _ask() -> str | None:
    """The next line of input; None at its end."""
    if sys.stdin.isatty():
        click.echo("> ", nl=False)
    try:
        line = sys.stdin.readline()
    except UnicodeDecodeError as error:
        raise UsageError(f"the input is not UTF-8 text at byte {error.start}; save it as UTF-8") from None
    return line if line else None


def _say(text: str) -> None:
    click.echo("".join(character for character in text if character.isprintable()))
    sys.stdout.flush()
