"""Problems on which position a token gets in a padded batch and a cache."""

from __future__ import annotations

from collections.abc import Mapping
from random import Random
from typing import Any

from quizapp.generators.generator import Generator
from quizapp.generators.problem import Problem, Unsuitable, number
from quizapp.generators.ranges import Parameter

_SIDES = ("left", "right")


def _next(drawn: Mapping[str, Any], source: Random) -> Problem:  # noqa: ARG001
    prompt, longest, generated, side = drawn["prompt"], drawn["longest"], drawn["generated"], drawn["side"]
    padding = longest - prompt
    if padding <= 0:
        raise Unsuitable
    # What a decoder does: the running count of the mask's ones.
    answer = prompt + generated
    slips = [
        (
            generated,
            "Positions go on from the prompt; they do not start again with the first generated token.",
        ),
        (longest + generated, "Padding has no position of its own: this counts the padded length."),
        (answer + 1, "Positions count from 0, so the next one is the number of tokens so far."),
        (answer - 1, "That position is taken by the token before."),
        (answer + prompt, "The prompt is counted twice."),
    ]
    made = "none" if generated == 0 else str(generated)
    return number(
        f"A prompt of {prompt} tokens is padded on the {side} to {longest}, the longest of its batch. Of "
        f"its answer {made} {'is' if generated < 2 else 'are'} generated so far. Which position does the "
        "next token get? Positions count from 0.",
        answer,
        slips,
        [
            f"Only real tokens count: {prompt} of the prompt and {generated} generated, at positions 0 to "
            f"{answer - 1}.",
            f"The {padding} padding tokens have none, wherever they stand.",
            f"The next position is ${prompt} + {generated} = {answer}$.",
        ],
        unit=None,
    )


def _fairseq_row(drawn: Mapping[str, Any], source: Random) -> Problem:  # noqa: ARG001
    token, padding_index, left = drawn["token"], drawn["padding_index"], drawn["left_padding"]
    answer = token + padding_index + 1
    slips = [
        (token, "Rows do not start at 0 here: row 0 up to the padding index are not for tokens."),
        (token + padding_index, "Real tokens start at the padding index plus one."),
        (answer + left, "Padding reads its own row and does not count."),
        (padding_index, "This is the row that padding reads."),
    ]
    return number(
        f"A RoBERTa-style model has padding index {padding_index} and counts table rows from there. A "
        f"sequence has {left} padding tokens on the left. Which row of the position table does its real "
        f"token {token} read (tokens from 0)?",
        answer,
        slips,
        [
            f"Padding reads row {padding_index}, the padding index.",
            f"Real tokens count from row ${padding_index} + 1 = {padding_index + 1}$, wherever the padding "
            "stands.",
            f"Token {token} reads row ${token} + {padding_index + 1} = {answer}$.",
        ],
    )


GENERATORS = (
    Generator(
        "next-position",
        "The position of the next token",
        {
            "prompt": Parameter("real tokens of the prompt", "2:600", least=1, most=10**7),
            "longest": Parameter("the padded length", [64, 128, 512, 600], least=2, most=10**7),
            "generated": Parameter("tokens generated so far", "0:20", most=10**7),
            "side": Parameter("where the padding is", list(_SIDES), words=_SIDES),
        },
        _next,
    ),
    Generator(
        "padded-row",
        "The table row of a padded sequence",
        {
            "token": Parameter("the real token, from 0", "0:100", most=10**6),
            "padding_index": Parameter("the padding index", [0, 1, 2], most=1000),
            "left_padding": Parameter("padding tokens on the left", "1:10", least=1, most=10**6),
        },
        _fairseq_row,
    ),
)
