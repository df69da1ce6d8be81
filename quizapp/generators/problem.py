"""A drawn problem: what is asked, the right answer, what tempts instead, and the worked solution."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Literal, NamedTuple

from quizapp.errors import QuizappError

Value = int | float | str


class GeneratorError(QuizappError):
    """A generator is unknown, or its parameter ranges do not fit."""


class Unsuitable(Exception):  # noqa: N818
    """These drawn parameters make no good problem (a slip would give the right answer); draw again."""


class Slip(NamedTuple):
    """A wrong number and the mistake that leads to it."""

    value: float
    why: str


@dataclass(frozen=True)
class Choice:
    """One option, in Markdown; ``why`` says why it tempts, or why it is right."""

    text: str
    right: bool
    why: str


@dataclass(frozen=True)
class Problem:
    """``prompt`` and ``solution`` are Markdown with ``$math$``.

    A *number* has ``answer``, an absolute ``tolerance`` and ``slips``; a *choice* has ``choices``, and
    ``answer`` is the index of the right one.
    """

    prompt: str
    kind: Literal["number", "choice"]
    answer: float
    solution: tuple[str, ...]
    tolerance: float = 0.0
    unit: str | None = None
    choices: tuple[Choice, ...] = ()
    slips: tuple[Slip, ...] = ()
    generator: str = ""
    parameters: Mapping[str, Value] = field(default_factory=dict)

    @property
    def answer_text(self) -> str:
        """The right answer as shown: a number with as many digits as the tolerance makes sense of, or the
        option.
        """
        if self.kind == "choice":
            return self.choices[int(self.answer)].text
        if self.tolerance == 0.0:
            return f"{self.answer:.12g}"
        for digits in range(2, 16):
            rounded = float(f"{self.answer:.{digits}g}")
            if abs(rounded - self.answer) <= self.tolerance / 4:
                break
        return f"{rounded:.12g}"

    def accepts(self, typed: float) -> bool:
        """Whether a typed number (for a choice, its index) is right."""
        return abs(typed - self.answer) <= self.tolerance * (1.0 + 1e-9)

    def slip(self, typed: float) -> str | None:
        """The known mistake that a wrong typed number gives away, if it is one."""
        near = [
            slip
            for slip in self.slips
            if abs(typed - slip.value) <= max(self.tolerance, 1e-9 * abs(slip.value))
        ]
        return min(near, key=lambda slip: abs(typed - slip.value)).why if near else None


def number(
    prompt: str,
    answer: float,
    slips: Iterable[tuple[float, str]],
    solution: Iterable[str],
    *,
    tolerance: float = 0.0,
    unit: str | None = None,
) -> Problem:
    """A problem with a typed number; raises Unsuitable unless two slips stay clear of the answer and each
    other.
    """
    kept: list[Slip] = []
    # Two tolerances apart, so that no typed number is right and a slip, and half an integer apart at least.
    apart = max(2.5 * tolerance, 0.4 if tolerance == 0.0 else 0.0)
    for value, why in slips:
        others = (answer, *(slip.value for slip in kept))
        if math.isfinite(value) and all(abs(value - other) > apart for other in others):
            kept.append(Slip(value, why))
    if len(kept) < 2:
        raise Unsuitable
    return Problem(prompt, "number", answer, tuple(solution), tolerance, unit, slips=tuple(kept))


def choice(
    prompt: str,
    right: tuple[str, str],
    wrong: Iterable[tuple[str, str]],
    solution: Iterable[str],
    order: list[float],
    *,
    least: int = 2,
) -> Problem:
    """A problem with options, each (text, why); ``order`` holds random numbers that shuffle them.

    Wrong options whose text repeats another are left out; raises Unsuitable with fewer than ``least``.
    """
    texts = {right[0]: Choice(right[0], True, right[1])}
    for text, why in wrong:
        texts.setdefault(text, Choice(text, False, why))
    if len(texts) - 1 < least:
        raise Unsuitable
    options = [
        option for _, option in sorted(zip(order, texts.values(), strict=False), key=lambda pair: pair[0])
    ]
    at = next(index for index, option in enumerate(options) if option.right)
    return Problem(prompt, "choice", at, tuple(solution), choices=tuple(options))
