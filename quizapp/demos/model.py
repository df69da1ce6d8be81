"""What a demo is: controls that move values, and a view of numbers computed from them. No terminal in it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Protocol

Value = int | str


@dataclass(frozen=True)
class Number:
    """A whole number that arrows move from ``low`` to ``high``; ``shift`` with an arrow moves by ``leap``."""

    name: str
    label: str
    low: int
    high: int
    start: int
    step: int = 1
    leap: int = 10


@dataclass(frozen=True)
class Choice:
    """One of a few words; arrows go round."""

    name: str
    label: str
    options: tuple[str, ...]
    start: str


@dataclass(frozen=True)
class Sentence:
    """Words that the user may replace by typing. At most ``most`` of them count."""

    name: str
    label: str
    start: str
    most: int = 12


Control = Number | Choice | Sentence


@dataclass(frozen=True)
class HeatMap:
    """A table of numbers as colours from ``low`` to ``high``; rows of ``marked`` stand out.

    ``values`` has shape (rows, columns); a value that is not finite is masked. ``diverging`` where zero is the
    middle. ``cursor`` is a (row, column) or None.
    """

    title: str
    values: Sequence[Sequence[float]]
    low: float
    high: float
    row_labels: tuple[str, ...] = ()
    column_labels: tuple[str, ...] = ()
    diverging: bool = False
    marked: tuple[int, ...] = ()
    cursor: tuple[int, int] | None = None


@dataclass(frozen=True)
class Hand:
    """A hand of a dial: its angle in radians, anticlockwise from the right, and its length from 0 to 1."""

    label: str
    angle: float
    length: float = 1.0


@dataclass(frozen=True)
class Dial:
    """A clock face with hands; ``wedge`` is the pair of angles, in radians, between which it is filled."""

    title: str
    hands: tuple[Hand, ...]
    wedge: tuple[float, float] | None = None


@dataclass(frozen=True)
class Bar:
    """``text`` is the value as written beside the bar; ``mark`` where it stands out, with the word that says why."""

    label: str
    value: float
    text: str
    mark: str = ""


@dataclass(frozen=True)
class Bars:
    """Horizontal bars from ``low`` to ``high``; zero is drawn where it lies between. ``limit`` is a line across."""

    title: str
    bars: tuple[Bar, ...]
    low: float
    high: float
    limit: float | None = None


@dataclass(frozen=True)
class Curve:
    label: str
    x: Sequence[float]
    y: Sequence[float]


@dataclass(frozen=True)
class Curves:
    """Lines over one pair of axes; ``log_x``: the horizontal axis is logarithmic (base 10)."""

    title: str
    curves: tuple[Curve, ...]
    x_label: str
    y_label: str
    log_x: bool = False


@dataclass(frozen=True)
class Matrix:
    """Cells of text with labels; ``shades`` (0 to 1, the same shape) colours them, ``cursor`` is a (row, column).

    ``marked`` cells stand out, by their (row, column); they carry their own sign in the text.
    """

    title: str
    cells: tuple[tuple[str, ...], ...]
    row_labels: tuple[str, ...]
    column_labels: tuple[str, ...]
    shades: Sequence[Sequence[float]] | None = None
    cursor: tuple[int, int] | None = None
    marked: tuple[tuple[int, int], ...] = ()


Picture = HeatMap | Dial | Bars | Curves | Matrix


@dataclass(frozen=True)
class Reading:
    """A number beside the picture: what it is, the value itself, and how it is written."""

    label: str
    value: float
    text: str


@dataclass(frozen=True)
class View:
    """All that is shown for some values.

    ``see`` is the one sentence that says what to look at, ``say`` what to tell the interviewer, ``why`` the
    explanation behind ``?``; ``words`` describes the picture in numbers, a sentence a line, for who does not see it.
    """

    pictures: tuple[Picture, ...]
    readings: tuple[Reading, ...]
    see: str
    say: str
    why: str
    words: tuple[str, ...]


@dataclass(frozen=True)
class State:
    """Where a demo stands: the step (or tab), and the values that were moved off their start."""

    step: int = 0
    values: Mapping[str, Value] = field(default_factory=dict)


class Demo(Protocol):
    """One demo. ``steps`` names its steps or tabs, one at least; ``derivation`` is the id of the one behind it."""

    @property
    def name(self) -> str: ...
    @property
    def title(self) -> str: ...
    @property
    def steps(self) -> tuple[str, ...]: ...
    @property
    def derivation(self) -> str | None: ...

    def controls(self, step: int, values: Mapping[str, Value]) -> tuple[Control, ...]:
        """What can be moved at this step; the ranges may depend on the values."""

    def view(self, step: int, values: Mapping[str, Value]) -> View:
        """The picture for a whole set of values, as :func:`settle` gives it."""


def settle(demo: Demo, state: State) -> dict[str, Value]:
    """The value of every control at this step, each within its range as the others leave it."""
    values: dict[str, Value] = dict(state.values)
    for _ in range(3):  # a range may depend on a value that another range has just bounded
        before = dict(values)
        for control in demo.controls(state.step, values):
            values[control.name] = bounded(control, values.get(control.name, control.start))
        if values == before:
            break
    return values


def bounded(control: Control, value: Value) -> Value:
    """The value, or the nearest that the control allows."""
    match control:
        case Number():
            return (
                min(max(int(value), control.low), control.high) if isinstance(value, int) else control.start
            )
        case Choice():
            return value if value in control.options else control.start
        case Sentence():
            words = str(value).split()[: control.most]
            return " ".join(words) or control.start


def move(demo: Demo, state: State, name: str, steps: int, *, leap: bool = False) -> State:
    """The state after an arrow on one control; a sentence does not move."""
    values = settle(demo, state)
    for control in demo.controls(state.step, values):
        if control.name != name:
            continue
        match control:
            case Number():
                by = control.leap if leap else control.step
                values[name] = bounded(control, int(values[name]) + steps * by)
            case Choice():
                at = control.options.index(str(values[name]))
                values[name] = control.options[(at + steps) % len(control.options)]
            case Sentence():
                pass
    return replace(state, values=values)


def put(demo: Demo, state: State, name: str, value: Value) -> State:
    """The state with one value set, bounded as its control says."""
    values = settle(demo, state)
    values[name] = value
    return replace(state, values=settle(demo, replace(state, values=values)))


def go(demo: Demo, state: State, by: int) -> State:
    """The state at the next or the previous step; it stops at the ends. Values are kept."""
    return replace(state, step=min(max(state.step + by, 0), len(demo.steps) - 1))


def view(demo: Demo, state: State) -> View:
    return demo.view(state.step, settle(demo, state))
