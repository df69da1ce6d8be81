"""The colours of a heat map: their lightness rises with the value, and no pair of them needs red told from green.

Computed in Oklab (Bjorn Ottosson 2020, "A perceptual color space for image processing"), where the first
coordinate is lightness as people see it: from a dark blue through teal, or through grey where zero is the
middle, to a light yellow. Blue and yellow stay apart in the common kinds of colour blindness, and the order of
lightness is left where there is no colour at all.
"""

from __future__ import annotations

import math
from functools import cache

# Neighbours are hardly told apart. More of them would make more pairs of a half block than Textual's caches hold,
# and fewer equal neighbours that are drawn as one.
LEVELS = 32
Rgb = tuple[int, int, int]

# Lightness at the ends. Darker would be lost on a black background, lighter on a white one.
_DARK, _LIGHT = 0.30, 0.92
# Hue in degrees and chroma at the low end, the middle and the high end.
_STOPS = ((264.0, 0.125), (200.0, 0.085), (100.0, 0.125))


@cache
def colours(*, diverging: bool = False) -> tuple[Rgb, ...]:
    """The scale as ``LEVELS`` sRGB colours."""
    return tuple(_colour(level / (LEVELS - 1), diverging=diverging) for level in range(LEVELS))


def level(value: float, low: float, high: float) -> int | None:
    """The place of a value on the scale; None where it is not finite. Values outside lie at the ends."""
    if not math.isfinite(value):
        return None
    share = (value - low) / (high - low) if high > low else 0.5
    return round(min(max(share, 0.0), 1.0) * (LEVELS - 1))


def is_light(colour: Rgb) -> bool:
    """Whether black text reads better on it than white (relative luminance, WCAG 2.2)."""
    red, green, blue = (_linear(channel / 255) for channel in colour)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue > 0.179


def _colour(share: float, *, diverging: bool) -> Rgb:
    lightness = _DARK + (_LIGHT - _DARK) * share
    low, middle, high = _STOPS
    (hue_a, chroma_a), (hue_b, chroma_b) = (low, middle) if share < 0.5 else (middle, high)
    part = 2 * share if share < 0.5 else 2 * share - 1
    if diverging:
        # Straight through grey: the hue says the sign, the chroma how far from zero.
        hue, chroma = (
            (low if share < 0.5 else high)[0],
            abs(2 * share - 1) * (low if share < 0.5 else high)[1],
        )
    else:
        hue, chroma = hue_a + (hue_b - hue_a) * part, chroma_a + (chroma_b - chroma_a) * part
    return _in_gamut(lightness, chroma, math.radians(hue))


def _in_gamut(lightness: float, chroma: float, hue: float) -> Rgb:
    """The colour, with as much chroma as sRGB has at this lightness."""
    while True:
        channels = _oklab_to_linear(lightness, chroma * math.cos(hue), chroma * math.sin(hue))
        if all(-1e-4 <= channel <= 1 + 1e-4 for channel in channels) or chroma < 1e-3:
            red, green, blue = (round(255 * _gamma(min(max(channel, 0.0), 1.0))) for channel in channels)
            return red, green, blue
        chroma *= 0.97


def _oklab_to_linear(lightness: float, a: float, b: float) -> tuple[float, float, float]:
    long = (lightness + 0.3963377774 * a + 0.2158037573 * b) ** 3
    medium = (lightness - 0.1055613458 * a - 0.0638541728 * b) ** 3
    short = (lightness - 0.0894841775 * a - 1.2914855480 * b) ** 3
    return (
        4.0767416621 * long - 3.3077115913 * medium + 0.2309699292 * short,
        -1.2684380046 * long + 2.6097574011 * medium - 0.3413193965 * short,
        -0.0041960863 * long - 0.7034186147 * medium + 1.7076147010 * short,
    )


def _gamma(value: float) -> float:
    return 12.92 * value if value <= 0.0031308 else 1.055 * value ** (1 / 2.4) - 0.055


def _linear(value: float) -> float:
    return value / 12.92 if value <= 0.04045 else ((value + 0.055) / 1.055) ** 2.4
