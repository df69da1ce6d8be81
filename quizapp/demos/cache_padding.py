"""Left padding, which RoPE does not notice and a table does; and a base that moves under cached keys."""

from __future__ import annotations

from collections.abc import Mapping

from quizapp.demos.cache_decoding import error_bars, verdict
from quizapp.demos.cache_runs import (
    FACTOR,
    LEARNED,
    MOST_NEW,
    MOST_PADDING,
    MOST_WORDS,
    ROPE,
    START,
    padded,
    rebased,
)
from quizapp.demos.model import Choice, Control, Matrix, Number, Reading, Sentence, Value, View
from quizapp.demos.wording import ROUNDING, comparison, counted, small

COUNT_ALL, COUNT_REAL = "count padding", "count real tokens"
# What left padding of 5 did to the logits of drawn small models in float32, positions counted with the padding.
REFERENCE = {ROPE: "3e-06", LEARNED: "4.33"}

_SAY = (
    "Left padding shifts all real tokens alike. RoPE sees only differences, so it does not notice; a learned "
    "table reads other rows. So the bug is invisible on Llama and fatal on GPT-2: count positions from the mask."
)
_WHY = (
    "A batch of prompts is padded on the left so that all end together. Positions from arange count the padding; "
    "positions from the running sum of the mask do not. The padding itself is masked here in both cases, so the "
    "positions alone make the difference. With RoPE a shift of all tokens cancels in every score. In drawn small "
    f"models in float32, padding of 5 changed the logits by {REFERENCE[ROPE]} (Llama) and {REFERENCE[LEARNED]} "
    "(GPT-2). In bfloat16 even RoPE's shift is not free, since large positions are rounded."
)
_SAY_BASE = (
    "Rotate once, store, never touch again: that holds for fixed frequencies. Dynamic NTK changes the base as "
    "the text grows, so cached keys keep an old rotation and no longer fit the new query."
)
_WHY_BASE = (
    "Dynamic NTK keeps the base up to the trained length L and raises it beyond, with the length of the text. A "
    "full pass at length l rotates all keys with the base of l; a cache holds each key with the base of its "
    "time. They agree up to L and part beyond. Cures: cache the keys unrotated and rotate them when they are "
    "read, or fix the base. LongRoPE's switch and a context shift have the same trouble. Here the factor is "
    f"{FACTOR:g}."
)


def controls() -> tuple[Control, ...]:
    return (
        Sentence("sentence", "prompt", START, MOST_WORDS),
        Number("padding", "padding", 0, MOST_PADDING, 5, leap=5),
        Choice("ids", "positions", (COUNT_ALL, COUNT_REAL), COUNT_ALL),
    )


def base_controls() -> tuple[Control, ...]:
    return (
        Sentence("sentence", "prompt", START, MOST_WORDS),
        Number("trained", "trained length L", 2, MOST_WORDS + MOST_NEW, 8, leap=4),
        Number("new", "new tokens", 1, MOST_NEW, 4, leap=2),
    )


def view(values: Mapping[str, Value]) -> View:
    """The error that padding makes in each real token's logits, for RoPE and for a learned table."""
    words = tuple(str(values["sentence"]).split())
    padding, ids = int(values["padding"]), str(values["ids"])
    run = padded(words, padding, by_mask=ids == COUNT_REAL)
    columns = (run.errors[ROPE], run.errors[LEARNED])
    cells = tuple(
        (str(position), verdict(float(rope)), verdict(float(table)))
        for position, rope, table in zip(run.positions, *columns, strict=True)
    )
    marked = tuple(
        (row, column)
        for column, errors in enumerate(columns, 1)
        for row, error in enumerate(errors)
        if error >= ROUNDING
    )
    picture = Matrix(
        f"error of the logits behind {counted(padding, 'padding token')}",
        cells,
        words,
        ("position", "RoPE", "table"),
        marked=marked,
    )
    rope, table = (float(errors.max()) for errors in columns)
    readings = (
        Reading("first real position", run.positions[0], str(run.positions[0])),
        Reading("RoPE, largest", rope, small(rope)),
        Reading("learned table, largest", table, small(table)),
    )
    if padding == 0:
        see = "Without padding both are right. Add some."
    elif table >= ROUNDING:
        see = f"The same padding: RoPE's logits stay {comparison(rope)}; the learned table's are {comparison(table)}."
    else:
        see = "Positions counted from the mask: both are right, however long the padding is."
    lines = (
        f"{counted(padding, 'padding token')} before {counted(len(words), 'word')}; {ids}.",
        *(
            f"{word}, at position {position}: RoPE {small(float(rope_error))}, learned table "
            f"{small(float(table_error))}."
            for word, position, rope_error, table_error in zip(words, run.positions, *columns, strict=True)
        ),
    )
    return View((picture,), readings, see, _SAY, _WHY, lines)


def moving_base(values: Mapping[str, Value]) -> View:
    """Dynamic NTK while decoding: cached keys against keys rotated anew."""
    words = tuple(str(values["sentence"]).split())
    trained, new = int(values["trained"]), int(values["new"])
    run = rebased(words, new, trained)
    prompt = len(words)
    # The token at index i makes the text i + 1 long.
    marks = dict.fromkeys(range(max(trained, prompt), prompt + new), "beyond L")
    picture = error_bars(run, prompt, f"error of the logits, L = {trained}", marks)
    worst = float(run.errors.max())
    agree = sum(error < ROUNDING for error in run.errors.tolist())
    readings = (
        Reading("trained length", trained, str(trained)),
        Reading("longest text", prompt + new, str(prompt + new)),
        Reading("tokens that agree", agree, f"{agree} of {run.errors.size}"),
        Reading("largest error", worst, small(worst)),
    )
    if worst < ROUNDING:
        see = f"The text stays within L = {trained}, the base stays, and the cache agrees, within {small(worst)}."
    else:
        see = (
            f"Once decoding goes on beyond L = {trained}, the base moves and cached keys no longer fit: off by up to "
            f"{small(worst)}."
        )
    lines = (
        f"Dynamic NTK, factor {FACTOR:g}, trained length {trained}; prompt of {counted(prompt, 'token')}: "
        f"{' '.join(words)}.",
        *(
            f"Length {length}: error {small(float(error))}{' (prefill)' if length == prompt else ''}."
            for length, error in enumerate(run.errors, prompt)
        ),
    )
    return View((picture,), readings, see, _SAY_BASE, _WHY_BASE, lines)
