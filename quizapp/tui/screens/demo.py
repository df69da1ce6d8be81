"""One demo: its picture, the values that move it, the numbers beside it, and what to say."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Mapping
from pathlib import Path
from typing import ClassVar

from rich.cells import cell_len
from textual import work
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Container, Horizontal, Vertical, VerticalScroll
from textual.content import Content
from textual.screen import Screen
from textual.strip import Strip
from textual.timer import Timer
from textual.widgets import Input, Static

from quizapp.demos.model import (
    Choice,
    Control,
    Demo,
    Number,
    Reading,
    Sentence,
    State,
    Value,
    View,
    go,
    move,
    put,
    settle,
)
from quizapp.demos.registry import load
from quizapp.errors import QuizappError
from quizapp.text import slug, strip_controls
from quizapp.tui.app_context import app_of, context_of
from quizapp.tui.picture_file import as_svg, write_svg
from quizapp.tui.screens.demo_keys import DEMO_KEYS
from quizapp.tui.widgets.controls import Controls
from quizapp.tui.widgets.key_line import KeyLine
from quizapp.tui.widgets.look import Look, blank, fit, line
from quizapp.tui.widgets.picture import PictureView, draw, groups, size

# Steps a second while a value runs on.
_RATE = 10
# Below this width everything stands below each other.
_NARROW = 72
# A picture that is saved has this many cells at least.
_SAVED = (78, 22)


class ValueInput(Input):
    """Where a value is typed; no letter is a command here."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("enter", "submit", "Take it", id="value-take", tooltip="Use what is typed"),
    ]


class DemoScreen(Screen[None]):
    """Shows what :func:`quizapp.demos.model.view` says for the values on screen, drawn anew when one changes."""

    AUTO_FOCUS = ""
    BINDINGS: ClassVar[list[BindingType]] = DEMO_KEYS
    DEFAULT_CSS = """
    DemoScreen #all { height: 1fr; overflow: hidden hidden; scrollbar-size-vertical: 1; }
    DemoScreen #body { height: 1fr; layout: horizontal; margin-top: 1; }
    DemoScreen #pane { width: 1fr; height: 1fr; padding: 0 1 0 2; }
    DemoScreen #side {
        width: 33; height: 1fr; padding: 0 1; border-left: solid $foreground 15%; scrollbar-size-vertical: 1;
    }
    DemoScreen.-large #side { width: 42; padding: 0 2; }
    DemoScreen #readings { height: auto; margin-top: 1; }
    DemoScreen #told { height: auto; padding: 0 2; margin-top: 1; }
    DemoScreen.-short #told { margin-top: 0; }
    DemoScreen #see { height: auto; color: $foreground; }
    DemoScreen #say { height: auto; color: $text-muted; }
    DemoScreen .entry { height: 1; margin: 0 2; display: none; }
    DemoScreen.-typing .entry { display: block; }
    DemoScreen .entry > Static { width: auto; color: $text-accent; text-style: bold; padding-right: 1; }
    DemoScreen .entry > Input { width: 1fr; background: $surface; }
    DemoScreen.-tight #body, DemoScreen.-tight #told { margin-top: 0; }
    DemoScreen.-above #body { layout: vertical; }
    DemoScreen.-above #side {
        width: 1fr; height: auto; max-height: 50%; border-left: none; layout: horizontal;
    }
    DemoScreen.-above #side Controls { width: 34; }
    DemoScreen.-above #side #readings { width: 1fr; margin: 0 0 0 2; }
    DemoScreen.-narrow #all, DemoScreen.-short #all { overflow-y: auto; }
    DemoScreen.-narrow #body { layout: vertical; height: auto; margin-top: 0; }
    DemoScreen.-narrow #pane { height: 12; padding: 0 1; }
    DemoScreen.-narrow #side { width: 1fr; height: auto; border-left: none; overflow: hidden; }
    DemoScreen.-narrow #told { padding: 0 1; }
    DemoScreen.-short #body { height: auto; margin-top: 0; }
    DemoScreen.-short #pane { height: 14; }
    DemoScreen.-short #side { height: auto; max-height: 14; }
    DemoScreen.-short.-narrow #pane { height: 12; }
    DemoScreen.-short.-narrow #side { max-height: 100; }
    """

    def __init__(self, name: str, step: int = 0, values: Mapping[str, Value] | None = None) -> None:
        """``name`` of a demo, the step it opens on, and values that are not at their start. Raises UsageError."""
        super().__init__()
        self.demo: Demo = load(name)
        self._start = State(step, dict(values or {}))
        self.state = self._start
        self.shown: View | None = None
        self._held = ""
        self._ticking: Timer | None = None

    def compose(self) -> ComposeResult:
        with Horizontal(id="top"):
            yield Static(Content(self.demo.title), id="deck")
            yield Static("", id="progress")
        with VerticalScroll(id="all", can_focus=False):
            with Container(id="body"):
                with Vertical(id="pane"):
                    yield PictureView(id="picture")
                with VerticalScroll(id="side", can_focus=False):
                    yield Controls()
                    yield Static("", id="readings")
            with Vertical(id="told"):
                yield Static("", id="see")
                yield Static("", id="say")
        with Horizontal(classes="entry"):
            yield Static("", id="asked")
            yield ValueInput(compact=True, select_on_focus=True)
        yield KeyLine()

    def on_mount(self) -> None:
        self._show()

    def on_resize(self) -> None:
        self.set_class(self.size.width >= 110, "-large")
        # Once the new layout stands, so that lines are broken for it.
        self.call_after_refresh(self._show)

    def on_screen_suspend(self) -> None:
        self._stop()

    # What is shown.

    @property
    def controls(self) -> tuple[Control, ...]:
        return self.demo.controls(self.state.step, settle(self.demo, self.state))

    @property
    def held(self) -> Control | None:
        """The control in hand."""
        return next((control for control in self.controls if control.name == self._held), None)

    def _show(self) -> None:
        """Compute the view for the values as they are, and show it."""
        values = settle(self.demo, self.state)
        controls = self.demo.controls(self.state.step, values)
        if all(control.name != self._held for control in controls):
            first = [c.name for c in controls if not isinstance(c, Sentence)] + [c.name for c in controls]
            self._held = first[0] if first else ""
        view = self.demo.view(self.state.step, values)
        changed = view != self.shown
        self.shown = view
        self.query_one("#progress", Static).update(
            steps_line(self.demo, self.state.step, max(self.size.width - cell_len(self.demo.title) - 6, 10))
        )
        self.query_one(Controls).show(controls, values, self._held)
        if changed:
            self.query_one(PictureView).show(view.pictures)
        self.query_one("#readings", Static).update(
            readings(view.readings, self.query_one("#readings").size.width or 28)
        )
        self.query_one("#see", Static).update(Content(strip_controls(view.see)))
        self.query_one("#say", Static).update(
            Content.assemble(("Say it: ", "bold"), strip_controls(view.say))
        )
        self.refresh_bindings()
        # Once the texts have their lines, so that what they leave is known.
        self.call_after_refresh(self._place, view)

    def _place(self, view: View) -> None:
        """A picture that is wide and low stands above the values, any other beside them; a high one takes the gaps."""
        beside = self.size.width - 37 if self.size.width < 110 else self.size.width - 46
        needs = [size(group) for group in groups(view.pictures)]
        wide = max((need[0] for need in needs), default=0)
        tall = sum(need[1] for need in needs)
        above = self.size.width >= _NARROW and wide > beside and tall <= self.size.height - 13
        self.set_class(above, "-above")
        room = self.size.height - 4 - self.query_one("#told").size.height
        self.set_class(tall + len(needs) - 1 > room, "-tight")

    # What can be done now.

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        if self.has_class("-typing"):
            return action == "leave"
        held = self.held
        match action:
            case "move" | "leap":
                return held is not None and not isinstance(held, Sentence)
            case "choose":
                return len(self.controls) > 1
            case "type":
                return held is not None and not isinstance(held, Choice)
            case "play":
                return isinstance(held, Number) and self.app.animation_level != "none"
            case "step":
                return 0 <= self.state.step + int(str(parameters[0])) < len(self.demo.steps)
            case "derive":
                return self.demo.derivation is not None
        return True

    def action_move(self, by: int) -> None:
        self._move(self._held, by)

    def action_leap(self, by: int) -> None:
        self._move(self._held, by, leap=True)

    def _move(self, name: str, by: int, *, leap: bool = False) -> None:
        self.state = move(self.demo, self.state, name, by, leap=leap)
        self._show()

    def action_choose(self, by: int) -> None:
        names = [control.name for control in self.controls]
        self._held = names[(names.index(self._held) + by) % len(names)]
        self._stop()
        self._show()

    def action_step(self, by: int) -> None:
        self._stop()
        self.state = go(self.demo, self.state, by)
        self._show()

    def action_reset(self) -> None:
        self._stop()
        self.state = State(self.state.step, self._start.values)
        self._show()

    def action_scroll(self, by: int) -> None:
        page = self.query_one("#all")
        page.scroll_relative(y=by * max(page.size.height - 2, 1), animate=False)

    def action_why(self) -> None:
        from quizapp.tui.screens.message import MessageScreen

        if self.shown is not None:
            self.app.push_screen(MessageScreen("Why", strip_controls(self.shown.why)))

    def on_controls_chosen(self, event: Controls.Chosen) -> None:
        event.stop()
        if event.name != self._held:
            self._stop()
        self._held = event.name
        self._show()
        if event.typed:
            self.action_type()

    def on_controls_moved(self, event: Controls.Moved) -> None:
        event.stop()
        self._move(event.name, event.by)

    # A value that runs on.

    def action_play(self) -> None:
        if self._ticking is not None:
            self._stop()
        else:
            self._ticking = self.set_interval(1 / _RATE, self._run_on)

    def _run_on(self) -> None:
        held = self.held
        if not isinstance(held, Number) or int(settle(self.demo, self.state)[held.name]) >= held.high:
            self._stop()
            return
        self._move(held.name, 1)

    def _stop(self) -> None:
        if self._ticking is not None:
            self._ticking.stop()
            self._ticking = None

    # Typing a value.

    def action_type(self) -> None:
        held = self.held
        if held is None or isinstance(held, Choice):
            return
        self._stop()
        limits = f" ({held.low} to {held.high})" if isinstance(held, Number) else ""
        self.query_one("#asked", Static).update(Content(f"{held.label}{limits}"))
        field = self.query_one(ValueInput)
        field.value = str(settle(self.demo, self.state)[held.name])
        self.add_class("-typing")
        field.focus()
        self.refresh_bindings()

    def on_input_submitted(self, event: Input.Submitted) -> None:
        event.stop()
        held = self.held
        text = strip_controls(event.value).strip()
        if held is None or not text:
            self._stop_typing()
            return
        if isinstance(held, Number):
            if re.fullmatch(r"[+-]?\d{1,18}", text) is None:
                self.query_one("#asked", Static).update(
                    Content(f"a whole number, {held.low} to {held.high}:")
                )
                return
            self.state = put(self.demo, self.state, held.name, int(text))
        else:
            self.state = put(self.demo, self.state, held.name, text)
        self._stop_typing()

    def _stop_typing(self) -> None:
        self.remove_class("-typing")
        self.set_focus(None)
        self._show()

    # Where it leads.

    @work
    async def action_derive(self) -> None:
        from quizapp.tui.screens.derivation import DerivationScreen, load_run

        try:
            run = load_run(context_of(self), self.demo.derivation or "")
        except QuizappError as error:
            app_of(self).complain(error)
            return
        await self.app.push_screen_wait(DerivationScreen(run))

    def action_cards(self) -> None:
        from quizapp.tui.screens.browse import BrowseScreen

        self.app.push_screen(BrowseScreen(f"demo:{self.demo.name}"))

    def action_save(self) -> None:
        view = self.shown
        if view is None:
            return
        look = self.query_one(PictureView).look()
        name = slug(f"{self.demo.name} {self.demo.steps[self.state.step]}")
        folders = (Path.cwd(), context_of(self).home.path / "pictures")
        try:
            lines = picture_lines(self.demo, self.state, view, look)
            svg = as_svg(lines, self.demo.title, look.text, dark=self.app.current_theme.dark)
            path = write_svg(svg, name, folders)
        except (QuizappError, OSError) as error:
            app_of(self).complain(error)
            return
        self.notify(f"Saved as {path}", markup=False)

    def action_leave(self) -> None:
        if self.has_class("-typing"):
            self._stop_typing()
        else:
            self.dismiss(None)


def steps_line(demo: Demo, step: int, width: int) -> Content:
    """The steps, the one in hand in brackets; where they don't fit, its number and its name, or the number alone."""
    if len(demo.steps) == 1:
        return Content("")
    if len("   ".join(demo.steps)) + 4 <= width:
        parts = [
            Content.styled(f"[ {name} ]", "bold $text-accent") if at == step else Content(f"  {name}  ")
            for at, name in enumerate(demo.steps)
        ]
        return Content("").join(parts)
    name = demo.steps[step]
    said = f"step {step + 1} of {len(demo.steps)} · "
    if cell_len(said + name) > width:
        return Content.styled(f"{step + 1}/{len(demo.steps)}", "bold $text-accent")
    return Content.assemble(
        said, (fit(name, min(cell_len(name), max(width - len(said), 1))), "bold $text-accent")
    )


def readings(found: tuple[Reading, ...], width: int) -> Content:
    """The numbers, names on the left and digits on the right; below each other where both don't fit."""
    lines = []
    for reading in found:
        label, text = strip_controls(reading.label), strip_controls(reading.text)
        room = width - cell_len(label) - cell_len(text)
        gap = " " * room if room >= 1 else f"\n{' ' * max(width - cell_len(text), 2)}"
        lines.append(Content.assemble((label, "$text-muted"), gap, (text, "bold")))
    return Content("\n").join(lines)


def picture_lines(demo: Demo, state: State, view: View, look: Look) -> list[Strip]:
    """The picture with its values, numbers and sentence, as it is saved."""
    needs = [size(group) for group in groups(view.pictures)]
    width = max(_SAVED[0], *(need[0] for need in needs))
    height = max(_SAVED[1], sum(need[1] for need in needs) + len(needs))
    values = settle(demo, state)
    step = f" · {demo.steps[state.step]}" if len(demo.steps) > 1 else ""
    lines = [f"{control.label}: {values[control.name]}" for control in demo.controls(state.step, values)]
    lines += [f"{reading.label}: {reading.text}" for reading in view.readings]
    strips = [line([(fit(f"{demo.title}{step}", width), look.accent)], width, look), blank(width, look)]
    strips += draw(view.pictures, width, height, look)
    strips.append(blank(width, look))
    for text in lines:
        strips.append(line([(fit(strip_controls(text), width), look.muted)], width, look))
    strips.append(blank(width, look))
    strips += [
        line([(part, look.text)], width, look) for part in textwrap.wrap(strip_controls(view.see), width)
    ]
    return strips
