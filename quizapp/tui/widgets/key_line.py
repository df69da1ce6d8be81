"""The keys of a screen in one line, made from its bindings."""

from __future__ import annotations

from rich.cells import cell_len
from textual.content import Content
from textual.events import Click, Mount
from textual.screen import Screen
from textual.widget import Widget

# How far apart two keys stand.
_GAP = 2


class KeyLine(Widget):
    """Shows each binding that can act now, as far as they fit; the last one, help, always does.

    One widget draws them all: a widget a key, as Textual's Footer has it, takes a third of the first frame.
    """

    DEFAULT_CSS = "KeyLine { dock: bottom; height: 1; padding: 0 1; color: $text-muted; }"

    def on_mount(self, event: Mount) -> None:
        event.stop()
        self.screen.bindings_updated_signal.subscribe(self, self._updated)

    def _updated(self, screen: Screen[object]) -> None:
        if screen is self.screen:
            self.refresh()

    def render(self) -> Content:
        parts = [
            Content.assemble((keys, "bold $text-accent" if enabled else "dim"), (f" {said}", "" if enabled else "dim"))
            for keys, said, _, enabled in self._fitting()
        ]  # fmt: skip
        return Content(" " * _GAP).join(parts)

    def on_click(self, event: Click) -> None:
        """A click on a key presses it."""
        event.stop()
        at = 0
        x = event.get_content_offset_capture(self).x
        for keys, said, key, enabled in self._fitting():
            width = cell_len(f"{keys} {said}")
            if at <= x < at + width and enabled:
                self.app.simulate_key(key)
            at += width + _GAP

    def _fitting(self) -> list[tuple[str, str, str, bool]]:
        """How a key is shown, what it does, the key itself, and whether it acts now; as many as there is room for."""
        shown: dict[str, tuple[str, str, str, bool]] = {}
        for active in self.screen.active_bindings.values():
            binding = active.binding
            if binding.show and binding.description:
                keys = self.app.get_key_display(binding)
                shown.setdefault(binding.action, (keys, binding.description, binding.key, active.enabled))
        items = list(shown.values())
        if not items:
            return []
        *items, last = items

        def width(item: tuple[str, str, str, bool]) -> int:
            return cell_len(f"{item[0]} {item[1]}")

        room = self.content_size.width - width(last)
        fitting = []
        for item in items:
            room -= width(item) + _GAP
            if room < 0:
                break
            fitting.append(item)
        return [*fitting, last]
