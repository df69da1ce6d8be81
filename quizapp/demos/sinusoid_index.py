"""Why the two obvious encodings fail: the index itself, and the index over the length."""

from __future__ import annotations

import numpy as np

from quizapp.demos.model import Bar, Bars, Reading, View
from quizapp.demos.wording import counted, quoted, shortened
from quizapp.encodings.sinusoidal import sinusoidal

# The dimension of the row that the index is compared with.
_DIM = 64
_LABEL = 10


def _label(position: int, word: str) -> str:
    return f"{position} {shortened(word, _LABEL)}"


def raw_index(words: list[str], start: int) -> View:
    """Step 1: each word's index, beside what an entry of an embedding is."""
    last = start + len(words) - 1
    largest = float(np.abs(sinusoidal([last], _DIM)).max())
    bars = tuple(
        Bar(_label(start + at, word), start + at, f"{start + at:,}", "largest" if start + at == last else "")
        for at, word in enumerate(words)
    )
    if last <= 1:
        see = "Here no index is larger than an entry of an embedding; move the first word on and watch."
    else:
        see = f"The index grows without end: {last:,} at the last word, where an entry of an embedding is about 1."
    return View(
        pictures=(Bars("the index of each word; the line is 1", bars, 0, max(last, 2), limit=1),),
        readings=(
            Reading("index of the last word", last, f"{last:,}"),
            Reading("largest entry of its sinusoidal row", largest, f"{largest:.4f}"),
        ),
        see=see,
        say="The bare index is unbounded: far into a text it swamps the embedding it is added to, and lengths never "
        "trained on bring values never seen.",
        why="Embeddings and the layers after them work with entries of about the same size; here that size is taken "
        "as 1. An index of 1,000 added to such a vector leaves nothing of the word. A sinusoidal row has entries "
        "between -1 and 1 and the norm √(d/2) at every position. (The seven steps are our way to tell it; the 2017 "
        "paper gives the formula and the reason.)",
        words=(
            f"The indices of the words: {', '.join(f'{word} {start + at}' for at, word in enumerate(words))}.",
            f"An entry of an embedding is about 1; the last index is {last:,}.",
            f"The largest entry of the sinusoidal row at {last:,}, with {_DIM} dimensions, is {largest:.4f}.",
        ),
    )


def share_of_length(words: list[str], place: int, length: int) -> View:
    """Step 2: the index over the length of the text, for this text and for a longer one."""
    count, word = len(words), words[place]
    here, there = place / count, place / length
    bars = tuple(
        Bar(_label(at, other), at / length, f"{at / length:.4f}", "this word" if at == place else "")
        for at, other in enumerate(words)
    )
    if place == 0:
        see = "The first word is at 0 in every text; choose a later one and make the text longer."
    elif length == count:
        see = (
            f"{quoted(word)} is at {place}/{count} = {here:.4f}. Make the text longer and its number changes."
        )
    else:
        see = (
            f"Same word, same place: {place}/{count} = {here:.4f} in this text, {place}/{length} = {there:.4f} "
            f"in one of {length} words."
        )
    return View(
        pictures=(Bars(f"index over length, {counted(length, 'word')} in all", bars, 0, 1),),
        readings=(
            Reading(f"{place}/{count}", here, f"{here:.4f}"),
            *([Reading(f"{place}/{length}", there, f"{there:.4f}")] if length > count else []),
            Reading("step to the next word", 1 / length, f"{1 / length:.4f}"),
        ),
        see=see,
        say="Divide by the length and it is bounded, but one step then means something else in every text, so "
        "'the word before' has no fixed number.",
        why="The share of the text is bounded, but the difference between two neighbours is 1/L and depends on the "
        "length L. A model that has learned what one step means in short texts meets another step in long ones; "
        "while a text is being written its length is not even known.",
        words=(
            f"With {counted(length, 'word')} in all: "
            f"{', '.join(f'{other} {at / length:.4f}' for at, other in enumerate(words))}.",
            f"{quoted(word)} at {place}: {here:.4f} of {counted(count, 'word')}, {there:.4f} of {length}.",
            f"Neighbours differ by 1/{length} = {1 / length:.4f}.",
        ),
    )
