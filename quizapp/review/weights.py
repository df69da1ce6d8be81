"""The 21 weights of FSRS-6: their defaults, their bounds, and how older sets become one."""

from __future__ import annotations

import math
from collections.abc import Sequence

DEFAULT_WEIGHTS = (
    0.212, 1.2931, 2.3065, 8.2956, 6.4133, 0.8334, 3.0194, 0.001, 1.8722, 0.1666, 0.796,
    1.4835, 0.0614, 0.2629, 1.6483, 0.6014, 1.8729, 0.5425, 0.0912, 0.0658, 0.1542,
)  # fmt: skip
LOWEST = (
    (0.001,) * 4 + (1.0, 0.001, 0.001, 0.001, 0.0, 0.0) + (0.001,) * 4 + (0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.1)
)
HIGHEST = (100.0,) * 4 + (
    10.0,
    4.0,
    4.0,
    0.75,
    4.5,
    0.8,
    3.5,
    5.0,
    0.25,
    0.9,
    4.0,
    1.0,
    6.0,
    2.0,
    2.0,
    0.8,
    0.8,
)
SIZES = (17, 19, 21)

# The forgetting curve's exponent was fixed before FSRS-6 made it a weight.
_FIXED_DECAY = 0.5
# Weights from an Anki package went through 32-bit floats, so a bound may be passed by a rounding error.
_ROUNDING = 1e-5


def complete_weights(weights: Sequence[float]) -> tuple[float, ...]:
    """The 21 weights of FSRS-6 that say what ``weights`` says; none means the defaults.

    Sets of 17 (FSRS-4.5) and 19 (FSRS-5) are rewritten the way the FSRS reference implementation does it
    (``check_and_fill_parameters`` in fsrs-rs), then kept within the bounds.
    Raises ValueError, naming the weight, where the set has another size or a weight is out of bounds.
    """
    if not weights:
        return DEFAULT_WEIGHTS
    if len(weights) not in SIZES:
        raise ValueError(f"weights needs 17, 19 or 21 numbers, not {len(weights)}")
    full = [float(weight) for weight in weights]
    if len(full) == 17:
        full[4] += 2.0 * full[5]
        # A negative weight would leave the logarithm's domain; the bounds refuse it below.
        full[5] = _log(1.0 + 3.0 * full[5]) / 3.0
        full[6] += 0.5
        full += [0.0, 0.0]
    if len(full) == 19:
        full += [0.0, _FIXED_DECAY]
    for place, (weight, low, high) in enumerate(zip(full, LOWEST, HIGHEST, strict=True), 1):
        if not low - _ROUNDING <= weight <= high + _ROUNDING:
            raise ValueError(
                f"weight {place} of {len(weights)} comes to {weight:g}, outside {low:g} to {high:g}"
            )
    return tuple(min(max(weight, low), high) for weight, low, high in zip(full, LOWEST, HIGHEST, strict=True))


def _log(value: float) -> float:
    return math.log(value) if value > 0 else -math.inf
