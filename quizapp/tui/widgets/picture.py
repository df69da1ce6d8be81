"""The pictures of a demo: each drawn by the file of its kind, laid out in the room there is."""

from __future__ import annotations

from typing import ClassVar

from rich.style import Style
from textual.geometry import Region
from textual.strip import Strip
from textual.widget import Widget

from quizapp.demos.model import Bars, Curves, Dial, HeatMap, Matrix, Picture
from quizapp.tui.widgets import bars, curves, dial, heat_map, matrix
from quizapp.tui.widgets.look import Look, blank

Group = tuple[Dial, ...] | HeatMap | Bars | Curves | Matrix


def groups(pictures: tuple[Picture, ...]) -> list[Group]:
    """The pictures in order; dials that follow each other are one row."""
    found: list[Group] = []
    for picture in pictures:
        if isinstance(picture, Dial):
            if found and isinstance(found[-1], tuple):
                found[-1] = (*found[-1], picture)
            else:
                found.append((picture,))
        else:
            found.append(picture)
    return found


def size(group: Group) -> tuple[int, int]:
    """The cells that it needs at least: width and height."""
    match group:
        case HeatMap():
            return heat_map.size(group)
        case Bars():
            return bars.size(group)
        case Curves():
            return curves.size(group)
        case Matrix():
            return matrix.size(group)
        case _:
            return dial.size(group)


def draw(pictures: tuple[Picture, ...], width: int, height: int, look: Look) -> list[Strip]:
    """All pictures in ``height`` lines: below each other, or side by side where only that leaves each enough."""
    found = groups(pictures)
    if not found or width < 4 or height < 1:
        return [blank(width, look)] * max(height, 0)
    needs = [size(group) for group in found]
    gap = 3
    easy = sum(heat_map.comfortable_height(group) if isinstance(group, HeatMap) else need[1]
               for group, need in zip(found, needs, strict=True)) + len(found) - 1 <= height  # fmt: skip
    if not easy and len(found) > 1 and sum(wide for wide, _ in needs) + gap * (len(found) - 1) <= width:
        return _beside(found, needs, width, height, gap, look)
    strips: list[Strip] = []
    left = height
    for at, (group, share) in enumerate(zip(found, _heights(found, needs, height), strict=True)):
        drawn = _draw(group, width, min(share, left), look)
        strips += drawn[:left]
        left = height - len(strips)
        if at + 1 < len(found) and left > 0 and sum(tall for _, tall in needs) + len(found) <= height:
            strips.append(blank(width, look))
            left -= 1
    return strips + [blank(width, look)] * (height - len(strips))


def _heights(found: list[Group], needs: list[tuple[int, int]], height: int) -> list[int]:
    """A share of the lines each, by what each needs."""
    total = sum(tall for _, tall in needs)
    gaps = len(needs) - 1 if total + len(needs) <= height else 0
    room = height - gaps
    shares = [max(room * tall // total, 1) for _, tall in needs]
    if isinstance(found[-1], (tuple, Curves)):
        # These grow with the room there is; the others would only look unlike each other.
        shares[-1] = max(room - sum(shares[:-1]), 1)
    return shares


def _beside(
    found: list[Group], needs: list[tuple[int, int]], width: int, height: int, gap: int, look: Look
) -> list[Strip]:
    total = sum(wide for wide, _ in needs)
    room = width - gap * (len(found) - 1)
    widths = [room * wide // total for wide, _ in needs]
    drawn = []
    for group, wide in zip(found, widths, strict=True):
        strips = _draw(group, wide, height, look)
        drawn.append(strips + [blank(wide, look)] * (height - len(strips)))
    lines = []
    for row in zip(*drawn, strict=True):
        parts = [row[0]]
        for strip in row[1:]:
            parts += [blank(gap, look), strip]
        lines.append(Strip.join(parts).adjust_cell_length(width, look.text))
    return lines


def _draw(group: Group, width: int, height: int, look: Look) -> list[Strip]:
    match group:
        case HeatMap():
            return heat_map.render(group, width, height, look)
        case Bars():
            return bars.render(group, width, height, look)
        case Curves():
            return curves.render(group, width, height, look)
        case Matrix():
            return matrix.render(group, width, height, look)
        case _:
            return dial.render_row(group, width, height, look)


class PictureView(Widget):
    """Shows pictures; drawn anew when they, its size or the theme change, and at no other time."""

    COMPONENT_CLASSES: ClassVar[set[str]] = {
        "picture--muted",
        "picture--accent",
        "picture--first",
        "picture--second",
        "picture--third",
        "picture--fourth",
    }
    DEFAULT_CSS = """
    PictureView { height: 1fr; width: 1fr; }
    PictureView > .picture--muted { color: $text-muted; }
    PictureView > .picture--accent { color: $text-accent; text-style: bold; }
    PictureView > .picture--first { color: $text-primary; }
    PictureView > .picture--second { color: $text-warning; }
    PictureView > .picture--third { color: $text-success; }
    PictureView > .picture--fourth { color: $text-secondary; }
    """

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self._pictures: tuple[Picture, ...] = ()
        self._drawn: list[Strip] = []
        self._drawn_for: object = None

    def show(self, pictures: tuple[Picture, ...]) -> None:
        self._pictures = pictures
        self._drawn_for = None
        self.refresh()

    def look(self) -> Look:
        """The styles of the theme in use."""

        def style(name: str) -> Style:
            return self.get_component_rich_style(f"picture--{name}")

        return Look(
            text=self.rich_style,
            muted=style("muted"),
            accent=style("accent"),
            lines=(style("first"), style("second"), style("third"), style("fourth")),
            colour=not self.app.no_color and self.app.console.color_system in ("truecolor", "256"),
        )

    def render_lines(self, crop: Region) -> list[Strip]:
        width, height = self.size
        wanted = (width, height, self.look())
        if self._drawn_for != wanted:
            self._drawn = draw(self._pictures, *wanted)
            self._drawn_for = wanted
        return super().render_lines(crop)

    def render_line(self, y: int) -> Strip:
        return self._drawn[y] if y < len(self._drawn) else Strip.blank(self.size.width, self.rich_style)
