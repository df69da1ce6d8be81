"""A clock face with hands, drawn in braille dots: hands, their names, and the wedge between two of them."""

from __future__ import annotations

import math

from rich.cells import cell_len
from textual.strip import Strip

from quizapp.demos.model import Dial
from quizapp.tui.widgets.braille import Canvas
from quizapp.tui.widgets.look import Look, blank, fit, line

# Where names stand and how far the wedge is filled, as shares of the radius.
_NAMES, _HANDS, _WEDGE = 1.0, 0.86, 0.5
_PATTERNS = ("#", "## ", "#  ", "### # ")
_SMALLEST = (9, 5)


def size(dials: tuple[Dial, ...]) -> tuple[int, int]:
    """The cells that a row of them needs at least, with the titles."""
    return _SMALLEST[0] * len(dials), _SMALLEST[1] + 1


def render(picture: Dial, width: int, height: int, look: Look) -> list[Strip]:
    """One dial as large as it fits, its title above; ``height`` lines of ``width`` cells."""
    face = draw(picture, width, max(height - 1, 1), look)
    heading = line([(_centred(picture.title, width), look.muted)], width, look)
    return [heading, *face][:height]


def render_row(dials: tuple[Dial, ...], width: int, height: int, look: Look) -> list[Strip]:
    """Several dials in as many rows as make them largest."""
    if len(dials) == 1:
        return render(dials[0], width, height, look)
    across = max(
        range(1, len(dials) + 1), key=lambda n: _radius(width // n, height // -(-len(dials) // n) - 1)
    )
    down = -(-len(dials) // across)
    wide, tall = width // across, max(height // down, 1)
    # Not taller than wide: the rest would be empty.
    tall = min(tall, max(wide // 2, 2) + 2)
    strips: list[Strip] = []
    for row in range(down):
        faces = [render(dial, wide, tall, look) for dial in dials[row * across : (row + 1) * across]]
        for lines in zip(*faces, strict=True):
            strips.append(Strip.join(lines).adjust_cell_length(width, look.text))
    return strips[:height] + [blank(width, look)] * (height - len(strips))


def draw(picture: Dial, width: int, height: int, look: Look) -> list[Strip]:
    """The face alone. An angle that is not finite has no hand."""
    canvas = Canvas(width, height)
    radius = _radius(width, height)
    cx, cy = canvas.dots[0] / 2, canvas.dots[1] / 2

    def place(angle: float, share: float) -> tuple[float, float]:
        return cx + share * radius * math.cos(angle), cy - share * radius * math.sin(angle)

    for at in range(marks := max(12, 4 * round(math.pi * radius / 6))):
        canvas.dot(*place(2 * math.pi * at / marks, 0.95), look.muted)
    if picture.wedge is not None and all(map(math.isfinite, picture.wedge)):
        _fill(canvas, picture.wedge, (cx, cy), _WEDGE * radius, look)
    hands = [hand for hand in picture.hands if math.isfinite(hand.angle) and math.isfinite(hand.length)]
    names = len(hands) > 1 or any(hand.label for hand in hands)
    for at, hand in enumerate(hands):
        style = look.lines[at % len(look.lines)]
        reach = min(max(hand.length, 0.0), 1.0) * (_HANDS if names and radius >= 8 else 0.92)
        pattern = _PATTERNS[at % len(_PATTERNS)]
        canvas.line(cx, cy, *place(hand.angle, reach), style, pattern)
        if radius >= 8:
            # Beside it once more, so that it is seen on a busy face.
            across = math.pi / 2 + hand.angle
            dx, dy = math.cos(across), -math.sin(across)
            tip = place(hand.angle, reach)
            canvas.line(cx + dx, cy + dy, tip[0] + dx, tip[1] + dy, style, pattern)
    canvas.dot(cx, cy, look.text)
    if radius >= 8:
        taken: set[tuple[int, int]] = set()
        for at, hand in enumerate(hands):
            x, y = place(hand.angle, min(max(hand.length, 0.0), 1.0) * _NAMES)
            name = fit(hand.label, min(len(hand.label), 6))
            column = min(max(round(x / 2 - len(name) / 2), 0), max(width - len(name), 0))
            row = min(max(int(y // 4), 0), height - 1)
            while any((column + i, row) in taken for i in range(len(name))) and row + 1 < height:
                row += 1  # two hands that point the same way: their names stand below each other
            taken |= {(column + i, row) for i in range(len(name))}
            canvas.text(column, row, name, look.lines[at % len(look.lines)] + look.accent.without_color)
    return canvas.strips(look)


def _radius(width: int, height: int) -> float:
    return max(min(2 * width, 4 * height) / 2 - 1, 0.0)


def _fill(
    canvas: Canvas, wedge: tuple[float, float], centre: tuple[float, float], radius: float, look: Look
) -> None:
    """Every other dot of the sector from the first angle to the second, the way their difference's sign says.

    More than a full turn fills the circle.
    """
    start, sweep = wedge[0], wedge[1] - wedge[0]
    if sweep < 0:
        start, sweep = wedge[1], -sweep
    for y in range(math.floor(centre[1] - radius), math.ceil(centre[1] + radius) + 1):
        for x in range(math.floor(centre[0] - radius), math.ceil(centre[0] + radius) + 1):
            dx, dy = x + 0.5 - centre[0], centre[1] - y - 0.5
            inside = math.hypot(dx, dy) <= radius and (math.atan2(dy, dx) - start) % (2 * math.pi) <= sweep
            if inside and (x + y) % 2 == 0:
                canvas.dot(x, y, look.muted)


def _centred(text: str, width: int) -> str:
    text = fit(text, min(cell_len(text), width))
    return " " * ((width - cell_len(text)) // 2) + text
