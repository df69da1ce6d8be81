"""Fuzz: intervals are spread a little, so that cards learned together do not come back together.

The spread is Anki's (``rslib/src/scheduler/states/fuzz.rs``). What is drawn depends on the card and on how
often it was reviewed, on nothing else: the interval on the button is the interval stored.
"""

from __future__ import annotations

import hashlib
import math

_SPREAD = ((2.5, 7.0, 0.15), (7.0, 20.0, 0.1), (20.0, math.inf, 0.05))
NO_FUZZ_BELOW = 2.5


def draw(card: str, reviews: int) -> float:
    """A number from 0 (in) to 1 (out), the same for the same card and number of reviews on every machine."""
    digest = hashlib.blake2b(f"{card}\0{reviews}".encode("utf-8", "surrogatepass"), digest_size=6).digest()
    return int.from_bytes(digest, "big") / 2**48


def fuzz_bounds(interval: int, maximum: int, *, previous: int = 0) -> tuple[int, int]:
    """The shortest and the longest interval (days) that fuzz may make of ``interval``.

    ``previous`` is the interval before a passed review: fuzz takes a longer one never back to it or below,
    and one in whose range it lies never below it.
    """
    interval = max(1, min(interval, maximum))
    if interval < NO_FUZZ_BELOW:
        return interval, interval
    delta = 1.0 + sum(factor * max(min(interval, end) - start, 0.0) for start, end, factor in _SPREAD)
    low, high = max(2, round(interval - delta)), min(maximum, round(interval + delta))
    if interval > previous:
        return max(low, previous + 1), high
    return (previous if low <= previous <= high else low), high


def fuzzed(bounds: tuple[int, int], share: float) -> int:
    """The interval (days) at ``share``, from 0 (in) to 1 (out), of its bounds."""
    low, high = bounds
    return low + int(share * (high - low + 1))
