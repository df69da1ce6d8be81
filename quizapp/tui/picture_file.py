"""Writes a picture as SVG: the drawing, and below it the numbers and the sentence that go with it."""

from __future__ import annotations

import io
from collections.abc import Sequence
from pathlib import Path

from rich.color import Color
from rich.console import Console
from rich.segment import Segment, Segments
from rich.style import Style
from rich.terminal_theme import DIMMED_MONOKAI, TerminalTheme
from textual.strip import Strip

from quizapp.errors import UsageError

# Rich's own format asks a server for its font and draws a window round the text; a picture needs neither.
_FORMAT = """\
<svg class="rich-terminal" viewBox="0 0 {width} {height}" xmlns="http://www.w3.org/2000/svg">
<style>
.{unique_id}-matrix {{
    font-family: "DejaVu Sans Mono", "Fira Code", Menlo, Consolas, monospace;
    font-size: {char_height}px;
    line-height: {line_height}px;
    font-variant-east-asian: full-width;
}}
{styles}
</style>
<defs><clipPath id="{unique_id}-clip-terminal">
<rect x="0" y="0" width="{terminal_width}" height="{terminal_height}" />
</clipPath>{lines}</defs>
<rect width="100%" height="100%" fill="FILL"/>
<g transform="translate({terminal_x}, {terminal_y})" clip-path="url(#{unique_id}-clip-terminal)">
{backgrounds}
<g class="{unique_id}-matrix">
{matrix}
</g>
</g>
</svg>
"""

_BLACK, _WHITE = (18, 18, 18), (224, 224, 224)


def as_svg(strips: Sequence[Strip], name: str, ground: Style, *, dark: bool) -> str:
    """The lines as one SVG document; ``ground`` has the colours of paper and ink.

    A theme of the terminal's own colours names none, so that ``dark`` has to say which they are like.
    """
    width = max((strip.cell_length for strip in strips), default=1)
    console = Console(
        record=True,
        width=width,
        file=io.StringIO(),
        color_system="truecolor",
        force_terminal=True,
        legacy_windows=False,
    )
    for strip in strips:
        # A last segment of its own keeps a line that ends in spaces as wide as the others.
        console.print(Segments([*strip, Segment("", Style())]), end="")
        console.print()
    paper = _rgb(ground.bgcolor, _BLACK if dark else _WHITE)
    ink = _rgb(ground.color, _WHITE if dark else _BLACK)
    palette = [DIMMED_MONOKAI.ansi_colors[number] for number in range(16)]
    named = [(colour.red, colour.green, colour.blue) for colour in palette]
    theme = TerminalTheme(paper, ink, named[:8], named[8:])
    code_format = _FORMAT.replace("FILL", "#{:02x}{:02x}{:02x}".format(*paper))
    return console.export_svg(title=name, theme=theme, code_format=code_format, unique_id="picture")


def write_svg(svg: str, name: str, folders: Sequence[Path]) -> Path:
    """Write it into the first folder that takes it, under a name that is free. Raises UsageError where none does."""
    problems = []
    for folder in folders:
        try:
            folder.mkdir(parents=True, exist_ok=True)
            for number in range(1, 1000):
                path = folder / (f"{name}.svg" if number == 1 else f"{name}-{number}.svg")
                try:
                    with path.open("x", encoding="utf-8") as file:
                        file.write(svg)
                except FileExistsError:
                    continue
                return path
            problems.append(f"{folder}: full of pictures of this name")
        except OSError as error:
            problems.append(f"{folder}: {(error.strerror or str(error)).lower()}")
    raise UsageError(f"the picture is not saved; {'; '.join(problems)}")


def _rgb(color: Color | None, otherwise: tuple[int, int, int]) -> tuple[int, int, int]:
    if color is None or color.is_default:
        return otherwise
    red, green, blue = color.get_truecolor()
    return red, green, blue
