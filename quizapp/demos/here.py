"""A mark for the value in hand in a picture of curves."""

from __future__ import annotations

import math
from collections.abc import Iterable

from quizapp.demos.model import Curve


def upright(x: float, curves: Iterable[Curve]) -> Curve:
    """A line at ``x`` as high as the curves are; finite values alone count."""
    heights = [y for curve in curves for y in curve.y if math.isfinite(y)]
    return Curve("here", [x, x], [min(heights), max(heights)])
