"""What short floats make of a number: positions above 256 (bfloat16) or 2048 (float16) start to collide."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from quizapp.encodings.checks import one_of
from quizapp.encodings.frequencies import Array

# By name, with the significant bits of each, the leading one included.
FORMATS = {"bfloat16": 8, "float16": 11, "float32": 24, "float64": 53}
# What is rounded on the way to an angle, each with those before it.
PARTS = ("frequency", "position", "product")

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


def to_float32(values: ArrayLike) -> Array:
    """Rounded to IEEE binary32, to nearest even. Shape of ``values``."""
    with np.errstate(over="ignore"):
        rounded: Array = np.asarray(values, dtype=np.float64).astype(np.float32).astype(np.float64)
    return rounded


def to_format(values: ArrayLike, name: str) -> Array:
    """Rounded to one of ``FORMATS``; shape of ``values``. Raises EncodingError for another name."""
    match one_of(name, "format", tuple(FORMATS)):
        case "bfloat16":
            return to_bfloat16(values)
        case "float16":
            return to_float16(values)
        case "float32":
            return to_float32(values)
    return np.asarray(values, dtype=np.float64)


def first_lost_position(name: str) -> int:
    """The smallest whole number that the format cannot hold: 2^p + 1 for p significant bits."""
    one_of(name, "format", tuple(FORMATS))
    return int(2 ** FORMATS[name]) + 1


def rounded_angles(positions: ArrayLike, frequencies: Array, name: str, upto: str = "product") -> Array:
    """Position times frequency where the frequency, the position too, or their product too is rounded.

    Shape (positions, frequencies); a position beyond the format's range is infinite, and so is its angle. Multiplied
    in double precision, so that only the roundings named by ``upto`` count.
    """
    reach = PARTS.index(one_of(upto, "rounded part", PARTS))
    places = np.atleast_1d(np.asarray(positions, dtype=np.float64))
    if reach >= 1:
        places = to_format(places, name)
    # Infinity times a frequency that was rounded to zero is no angle either.
    with np.errstate(invalid="ignore", over="ignore"):
        product: Array = places[:, None] * to_format(frequencies, name)
    return to_format(product, name) if reach >= 2 else product


def phase_errors(positions: ArrayLike, frequencies: Array, name: str, upto: str = "product") -> Array:
    """How far each rounded angle is from the angle in double precision, on the circle: 0 to pi.

    Shape (positions, frequencies); not a number where the rounded angle is infinite.
    """
    exact = np.atleast_1d(np.asarray(positions, dtype=np.float64))[:, None] * frequencies
    with np.errstate(invalid="ignore"):
        off: Array = np.abs(
            np.remainder(rounded_angles(positions, frequencies, name, upto) - exact + np.pi, 2 * np.pi)
            - np.pi
        )
    return off


def rounded_mean_cosine(
    query_positions: ArrayLike, key_positions: ArrayLike, frequencies: Array, name: str, upto: str = "product"
) -> Array:
    """Mean over the pairs of cos(angle of the key - angle of the query), each angle rounded; shape (positions,).

    In double precision it depends on the offset alone; what it does else is the format's doing.
    """
    queries = rounded_angles(query_positions, frequencies, name, upto)
    keys = rounded_angles(key_positions, frequencies, name, upto)
    with np.errstate(invalid="ignore"):
        mean: Array = np.cos(keys - queries).mean(axis=-1)
    return mean
