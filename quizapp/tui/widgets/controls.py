"""The values that a demo lets one move, each on a line of its own, one of them in hand."""

from __future__ import annotations

import textwrap
from collections.abc import Mapping
from dataclasses import dataclass

from rich.cells import cell_len
from textual import events
from textual.content import Content
from textual.message import Message
from textual.widget import Widget

from quizapp.demos.model import Control, Sentence, Value
from quizapp.tui.widgets.look import fit

# Lines of a sentence that are shown below its name.
_MOST_LINES = 2


class Controls(Widget):
    """Shows controls with their values. A click takes one in hand, a click on its arrows or the wheel moves it."""

    @dataclass
    class Moved(Message):
        """A control is to move by some steps."""

        name: str
        by: int

    @dataclass
    class Chosen(Message):
        """A control is to be taken in hand; ``typed`` where its value is to be typed."""

        name: str
        typed: bool = False

    DEFAULT_CSS = "Controls { height: auto; width: 1fr; }"

    def __init__(self) -> None:
        super().__init__()
        self._controls: tuple[Control, ...] = ()
        self._values: Mapping[str, Value] = {}
        self._held = ""
        # For every line the control it belongs to, and where its arrows stand.
        self._lines: list[tuple[Control, tuple[int, int] | None]] = []

    def show(self, controls: tuple[Control, ...], values: Mapping[str, Value], held: str) -> None:
        before = len(self._lines)
        self._controls, self._values, self._held = controls, dict(values), held
        self.render()
        self.refresh(layout=len(self._lines) != before)

    def render(self) -> Content:
        width = self.size.width
        lines: list[Content] = []
        self._lines = []
        for control in self._controls:
            held = control.name == self._held
            label = "bold $text-accent" if held else "$text-muted"
            sign = "▸ " if held else "  "
            if isinstance(control, Sentence):
                said = "enter types" if held else ""
                name = fit(control.label, max(width - 3 - cell_len(said), 1))
                lines.append(Content.assemble((sign + name, label), (said, "$text-muted")))
                self._lines.append((control, None))
                for part in self._sentence(control, self._values):
                    lines.append(Content.assemble("    ", (part, "$foreground")))
                    self._lines.append((control, None))
                continue
            self._add(lines, control, width, sign, label, held=held)
        return Content("\n").join(lines)

    def _add(
        self, lines: list[Content], control: Control, width: int, sign: str, label: str, *, held: bool
    ) -> None:
        """The name and the value between its arrows; on two lines where one is too narrow for both."""
        value = str(self._values.get(control.name, control.start))
        value = fit(value, min(cell_len(value), max(width - 6, 1)))
        arrows = ("‹ ", " ›") if held else ("  ", "  ")
        room = width - cell_len(value) - 4 - 2
        if room < cell_len(control.label) + 1:
            lines.append(Content.assemble((sign + fit(control.label, max(width - 2, 1)), label)))
            self._lines.append((control, None))
            sign, name = "  ", " " * max(room, 0)
        else:
            name = fit(control.label, room)
        lines.append(
            Content.assemble((sign + name, label), (arrows[0], label), (value, "bold"), (arrows[1], label))
        )
        left = cell_len(sign + name)
        self._lines.append((control, (left, left + cell_len(value) + 3)))

    def _sentence(self, control: Sentence, values: Mapping[str, Value]) -> list[str]:
        text = str(values.get(control.name, control.start))
        width = max((self.size.width or 30) - 5, 8)
        return textwrap.wrap(
            text, width, max_lines=_MOST_LINES, placeholder=" …", break_on_hyphens=False
        ) or [""]

    def _at(self, event: events.MouseEvent) -> tuple[Control, tuple[int, int] | None, int] | None:
        offset = event.get_content_offset(self)
        if offset is None or not 0 <= offset.y < len(self._lines):
            return None
        return *self._lines[offset.y], offset.x

    def on_click(self, event: events.Click) -> None:
        if (found := self._at(event)) is None:
            return
        event.stop()
        control, arrows, x = found
        again = control.name == self._held
        self.post_message(self.Chosen(control.name, typed=again and arrows is None))
        if again and arrows is not None and abs(x - arrows[0]) <= 1:
            self.post_message(self.Moved(control.name, -1))
        elif again and arrows is not None and abs(x - arrows[1]) <= 1:
            self.post_message(self.Moved(control.name, 1))

    def on_mouse_scroll_down(self, event: events.MouseScrollDown) -> None:
        self._wheel(event, -1)

    def on_mouse_scroll_up(self, event: events.MouseScrollUp) -> None:
        self._wheel(event, 1)

    def _wheel(self, event: events.MouseEvent, by: int) -> None:
        found = self._at(event)
        if found is None or found[1] is None:
            return
        event.stop()
        self.post_message(self.Chosen(found[0].name))
        self.post_message(self.Moved(found[0].name, by))
