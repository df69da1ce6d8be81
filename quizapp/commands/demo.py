"""``quizapp demo``: the live pictures, or their numbers in plain text."""

from __future__ import annotations

import difflib
import math
import textwrap
from collections.abc import Iterable

import click

from quizapp.commands.front import fit_for_the_app, front
from quizapp.commands.options import Common, common_options
from quizapp.demos.model import Choice, Control, Demo, Number, State, Value, View, put, settle, view
from quizapp.errors import UsageError


@click.command("demo")
@click.argument("name", metavar="[NAME]", required=False)
@click.option("--plain", is_flag=True, help="Describe the picture in numbers, as plain text.")
@click.option("--list", "show_list", is_flag=True, help="List the demos.")
@click.option("--set", "settings", multiple=True, metavar="NAME=VALUE", help="Set a value; repeatable.")
@click.option("--step", metavar="N|NAME", help="Start at a step, by its number from 1 or its name.")
@common_options
def command(
    common: Common,
    name: str | None,
    plain: bool,
    show_list: bool,
    settings: tuple[str, ...],
    step: str | None,
) -> None:
    """Open a live picture of an encoding or of attention, moved by keys.

    Without NAME the gallery opens. With --plain the picture is described in numbers; --json gives these
    numbers to scripts.
    """
    from quizapp.demos.registry import load, load_all

    if show_list:
        _list(common, load_all())
        return
    if name is None:
        if plain or common.json:
            raise UsageError("name a demo; quizapp demo --list shows them")
        if settings or step:
            raise UsageError("--set and --step go with the name of a demo; quizapp demo --list shows them")
        _need_terminal("")
        front().open_demo(None, common)
        return
    demo = load(name)
    state = set_values(demo, State(_step(demo, step)), settings)
    if common.json:
        common.print_json(_document(demo, state, view(demo, state)))
    elif plain:
        from quizapp.demos.words import describe

        click.echo("\n".join(describe(demo, state, view(demo, state))))
    else:
        _need_terminal(f" {name}")
        front().open_demo(name, common, step=state.step, values=state.values)


def _need_terminal(name: str) -> None:
    if not fit_for_the_app():
        shown = f"quizapp demo{name or ' NAME'} --plain"
        raise UsageError(f"a demo is drawn in a terminal, and this is none; {shown} describes it in numbers")


def _list(common: Common, demos: Iterable[Demo]) -> None:
    if common.json:
        common.print_json([{"name": demo.name, "title": demo.title} for demo in demos])
        return
    for demo in demos:
        steps = f" ({', '.join(demo.steps)})" if len(demo.steps) > 1 else ""
        for at, line in enumerate(textwrap.wrap(f"{demo.title}{steps}", 66)):
            click.echo(f"{demo.name if at == 0 else '':10}  {line}")


def _step(demo: Demo, wanted: str | None) -> int:
    """The step by its number from 1, or by its name or how it begins."""
    if wanted is None:
        return 0
    if wanted.isascii() and wanted.isdigit():
        if 1 <= int(wanted) <= len(demo.steps):
            return int(wanted) - 1
        last = len(demo.steps)
        raise UsageError(
            f"--step {wanted}: {demo.name} has {'1 step' if last == 1 else f'steps 1 to {last}'}"
        )
    text = wanted.casefold()
    names = [step.casefold() for step in demo.steps]
    found = [at for at, step in enumerate(names) if step == text] or [
        at for at, step in enumerate(names) if text and step.startswith(text)
    ]
    if len(found) != 1:
        listed = ", ".join(f"{at} {step}" for at, step in enumerate(demo.steps, 1))
        raise UsageError(f"--step {wanted}: {demo.name} has the steps {listed}")
    return found[0]


def set_values(demo: Demo, state: State, settings: Iterable[str]) -> State:
    """The state with each NAME=VALUE set. Raises UsageError for an unknown name and a value that does not fit."""
    wanted: dict[str, str] = {}
    for setting in settings:
        name, equals, text = setting.partition("=")
        if not equals:
            raise UsageError(f"--set {setting}: write NAME=VALUE")
        wanted[name.strip()] = text.strip()
    # A range may depend on another value, so what is out of range now is tried again after the others.
    for _ in range(len(wanted) + 1):
        for name, text in wanted.items():
            state = put(demo, state, name, _value(_control(demo, state, name), name, text))
    values = settle(demo, state)
    for name, text in wanted.items():
        control = _control(demo, state, name)
        if isinstance(control, Number) and values[name] != _value(control, name, text):
            raise UsageError(f"--set {name}={text}: {name} goes from {control.low} to {control.high}")
    return state


def _control(demo: Demo, state: State, name: str) -> Control:
    controls = {control.name: control for control in demo.controls(state.step, settle(demo, state))}
    if name in controls:
        return controls[name]
    near = difflib.get_close_matches(name, controls, 1)
    step = f" at step {state.step + 1}" if len(demo.steps) > 1 else ""
    meant = f"did you mean {near[0]}?" if near else f"it has {', '.join(controls) or 'none'}"
    raise UsageError(f"--set {name}: {demo.name} has no value {name}{step}; {meant}")


def _value(control: Control, name: str, text: str) -> Value:
    if isinstance(control, Number):
        try:
            return int(text)
        except ValueError:
            raise UsageError(
                f"--set {name}={text}: a whole number from {control.low} to {control.high} is needed"
            ) from None
    if isinstance(control, Choice) and text not in control.options:
        raise UsageError(f"--set {name}={text}: one of {', '.join(control.options)} is needed")
    if not text:
        raise UsageError(f"--set {name}=: at least one word is needed")
    return text


def _document(demo: Demo, state: State, shown: View) -> dict[str, object]:
    """What is shown, for scripts. A value that is not finite is null."""
    return {
        "name": demo.name,
        "title": demo.title,
        "step": demo.steps[state.step],
        "values": settle(demo, state),
        "see": shown.see,
        "words": list(shown.words),
        "readings": [
            {
                "label": reading.label,
                "value": float(reading.value) if math.isfinite(reading.value) else None,
                "text": reading.text,
            }
            for reading in shown.readings
        ],
        "say": shown.say,
        "why": shown.why,
        "derivation": demo.derivation,
    }
