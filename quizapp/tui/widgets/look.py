"""How pictures look: the styles a theme gives them, and lines of a fixed width made of styled text."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from rich.cells import cell_len, set_cell_size
from rich.segment import Segment
from rich.style import Style
from textual.strip import Strip


@dataclass(frozen=True)
class Look:
    """The styles of a picture. ``colour`` is False where shades have to stand for colours.

    ``lines`` are the styles of curves and hands, in their order; each also has a pattern of its own.
    """

    text: Style = field(default_factory=Style)
    muted: Style = field(default_factory=Style)
    accent: Style = field(default_factory=lambda: Style(bold=True))
    lines: tuple[Style, ...] = (Style(), Style(), Style(), Style())
    colour: bool = True


Span = tuple[str, Style]


def line(spans: Iterable[Span], width: int, look: Look) -> Strip:
    """One line exactly ``width`` cells wide; what does not fit is cut."""
    segments = [Segment(text, style) for text, style in spans if text]
    return Strip(segments).adjust_cell_length(width, look.text)


def blank(width: int, look: Look) -> Strip:
    return Strip([Segment(" " * width, look.text)], width)


def fit(text: str, width: int, *, right: bool = False) -> str:
    """The text in exactly ``width`` cells; an ellipsis says that some of it is missing."""
    text = " ".join(text.split())
    size = cell_len(text)
    if size > width:
        return set_cell_size(text, width - 1) + "…" if width > 0 else ""
    return " " * (width - size) + text if right else text + " " * (width - size)


def title(text: str, width: int, look: Look, note: str = "") -> Strip:
    """The title of a picture, with a note at the right end of the line; the title is cut for it."""
    room = max(width - cell_len(note) - 1, 0) if note else width
    return line([(fit(text, room), look.muted), (f" {note}" if note else "", look.accent)], width, look)


def number(value: float) -> str:
    """A number on an axis or a legend: short, and never more digits than it has."""
    if value == 0:
        return "0"
    if abs(value) >= 1e5 or abs(value) < 1e-3:
        return f"{value:.2g}".replace("e+0", "e").replace("e-0", "e-").replace("e+", "e")
    return f"{value:.4g}" if abs(value) >= 1000 else f"{value:.3g}"


def thinned(count: int, most: int, keep: Iterable[int] = ()) -> list[int]:
    """At most ``most`` of ``count`` indices, evenly spread, with the first, the last and those of ``keep``."""
    if count <= most:
        return list(range(count))
    keep = [index for index in keep if 0 <= index < count]
    if most <= 1:
        return [*keep, 0][:most]
    even = [round(at * (count - 1) / (most - 1)) for at in range(most)]
    for index in keep:
        # A kept index takes the place of its nearest neighbour, so that the order and the number stay.
        if index not in even:
            nearest = min(range(most), key=lambda at: abs(even[at] - index))
            even[nearest] = index
    return sorted(set(even))
