"""Words that can be read in every theme: the roles that a theme leaves too faint are moved towards black or white."""

from __future__ import annotations

from collections.abc import Mapping

from textual.color import Color

# WCAG 2.2, success criterion 1.4.3: text of normal size.
READABLE = 4.5
_WORDS = ("text-primary", "text-secondary", "text-accent", "text-warning", "text-error", "text-success")
_GROUNDS = ("background", "surface")
_BLACK, _WHITE = Color(0, 0, 0), Color(255, 255, 255)
_STEPS = 20
_MUTED = 0.6
# The share of the theme's first colour in the ground of a list's row in hand, as app.tcss and RowList have it.
_ROW = 0.2


def contrast(one: Color, other: Color) -> float:
    """The contrast of two opaque colours, from 1 to 21, as WCAG 2.2 defines it."""
    light, dark = sorted((_luminance(one), _luminance(other)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


def readable(variables: Mapping[str, str]) -> dict[str, str]:
    """The variables of a theme with every role for words at 4.5:1 on what it stands on, and the cursor too.

    A theme of the terminal's own colours stays as it is: what they look like is not known here.
    """
    changed = dict(variables)
    grounds = [_colour(variables[name]) for name in _GROUNDS]
    if any(ground.ansi is not None for ground in grounds):
        return changed
    grounds.append(grounds[0].blend(_colour(variables["primary"]), _ROW))
    # Textual's own is a share of whatever fits the ground, which only its style sheets understand.
    muted = grounds[0].blend(_colour(variables["foreground"]), _MUTED)
    changed["text-muted"] = _moved(muted, grounds).hex
    for name in _WORDS:
        changed[name] = _moved(_colour(variables[name]), grounds).hex
    cursor = _colour(variables["block-cursor-background"])
    changed["block-cursor-foreground"] = max((_BLACK, _WHITE), key=lambda word: contrast(word, cursor)).hex
    words, ground = _colour(variables["foreground"]), _colour(variables["surface-lighten-2"])
    selection = _colour(variables["input-selection-background"])
    changed["input-selection-background"] = _faint(selection, words, ground)
    return changed


def _colour(text: str) -> Color:
    """A colour as themes write it: ``#81a1c1`` or ``#81a1c1 35%``."""
    name, _, share = text.partition(" ")
    color = Color.parse(name)
    return color.with_alpha(float(share.rstrip("%")) / 100) if share else color


def _moved(word: Color, grounds: list[Color]) -> Color:
    """The word's colour, or the nearest on its way to black or white that can be read on every ground."""
    end = max((_BLACK, _WHITE), key=lambda colour: min(contrast(colour, ground) for ground in grounds))
    for step in range(_STEPS + 1):
        moved = word.blend(end, step / _STEPS)
        if all(contrast(moved, ground) >= READABLE for ground in grounds):
            return moved
    return end


def _faint(selection: Color, words: Color, ground: Color) -> str:
    """A selection through which words can be read as well as beside it, or nearly."""
    wanted = min(READABLE, 0.9 * contrast(words, ground))
    for step in range(_STEPS):
        alpha = selection.a * (1 - step / _STEPS)
        if contrast(words, ground.blend(selection.with_alpha(1), alpha)) >= wanted:
            return selection.with_alpha(alpha).hex
    return ground.hex


def _luminance(color: Color) -> float:
    channels = [value / 255 for value in color.rgb]
    red, green, blue = (c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue
