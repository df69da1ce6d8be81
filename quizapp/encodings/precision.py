"""What 16-bit floats make of a number: positions above 256 (bfloat16) or 2048 (float16) start to collide."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from quizapp.encodings.frequencies import Array

_BFLOAT16_LARGEST = float.fromhex("0x1.fep127")
_BFLOAT16_LEAST_EXPONENT = -125


def to_float16(values: ArrayLike) -> Array:
    """Rounded to IEEE binary16, to nearest even; beyond 65504 infinite. Shape of ``values``."""
    with np.errstate(over="ignore"):
        rounded: Array = np.asarray(values, dtype=np.float64).astype(np.float16).astype(np.float64)
    return rounded


def to_bfloat16(values: ArrayLike) -> Array:
    """Rounded to bfloat16 (8 significant bits, float32's exponents), to nearest even. Shape of ``values``."""
    mantissa, exponent = np.frexp(np.asarray(values, dtype=np.float64))
    places = 8 - np.maximum(_BFLOAT16_LEAST_EXPONENT - exponent, 0)
    rounded = np.ldexp(np.rint(np.ldexp(mantissa, places)), exponent - places)
    result: Array = np.where(np.abs(rounded) > _BFLOAT16_LARGEST, np.copysign(np.inf, rounded), rounded)
    return result
