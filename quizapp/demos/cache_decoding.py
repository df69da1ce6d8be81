"""Logits while decoding with a label, against one full pass; and which tests would tell the labels apart."""

from __future__ import annotations

from collections.abc import Mapping

from quizapp.demos.cache_offsets import SAY
from quizapp.demos.cache_runs import (
    LABELS,
    MOST_NEW,
    MOST_WORDS,
    RIGHT,
    ROPE,
    SCHEMES,
    START,
    ZERO,
    Decoded,
    decoded,
)
from quizapp.demos.model import Bar, Bars, Choice, Control, Matrix, Number, Reading, Sentence, Value, View
from quizapp.demos.wording import ROUNDING, counted, listed, small

_TESTS = ("it runs", "prefill", "next token", "every token")
# The errors of a drawn small Llama in float32, prompt of 12, by label.
REFERENCE = {RIGHT: "3e-06", ZERO: "3.67", "one behind": "1.03", "one ahead": "4.37"}

_WHY = (
    "The first new token comes from the prompt's pass, which is right whatever the bug; every later one is fed "
    "singly, with its label. Weights and words here are drawn, in float64, so the size of an error says nothing "
    f"about the quality of a text. In a drawn small Llama in float32 the largest error was {REFERENCE[RIGHT]} "
    f"with the right position, {REFERENCE[ZERO]} with zero, {REFERENCE['one behind']} one behind and "
    f"{REFERENCE['one ahead']} one ahead, and the likeliest token stayed the same each time: a test that compares "
    "words would have passed."
)
_SAY_TEST = (
    "The test: decode token by token and compare the logits with one full forward pass, at every position. It fails "
    "wherever a label is wrong; a test of prefill alone passes every time."
)


def controls() -> tuple[Control, ...]:
    return (
        Sentence("sentence", "prompt", START, MOST_WORDS),
        Choice("label", "label", tuple(LABELS), ZERO),
        Choice("scheme", "encoding", SCHEMES, ROPE),
        Number("new", "new tokens", 1, MOST_NEW, 4, leap=2),
    )


def _settings(values: Mapping[str, Value]) -> tuple[tuple[str, ...], str, str, int]:
    words = tuple(str(values["sentence"]).split())
    return words, str(values["label"]), str(values["scheme"]), int(values["new"])


def error_bars(run: Decoded, prompt: int, title: str, marks: Mapping[int, str]) -> Bars:
    """A bar for each token whose logits were compared; ``marks`` by index."""
    bars = tuple(
        Bar(
            f"{index} {run.tokens[index]}",
            float(error),
            small(float(error)),
            marks.get(index, ""),
        )
        for index, error in enumerate(run.errors, prompt - 1)
    )
    worst = float(run.errors.max())
    return Bars(title, bars, 0.0, worst if worst >= ROUNDING else 1.0)


def view(values: Mapping[str, Value]) -> View:
    """The error of each token's logits under one label."""
    words, label, name, new = _settings(values)
    run = decoded(words, new, name, label)
    prompt = len(words)
    picture = error_bars(run, prompt, "largest error of the logits", {prompt - 1: "prefill"})
    worst, first = float(run.errors.max()), float(run.errors[0])
    nats = float(run.divergences.max())
    kept = sum(run.kept)
    readings = (
        Reading("largest error", worst, small(worst)),
        Reading("largest KL, nats", nats, small(max(nats, 0.0))),
        Reading("likeliest word kept", kept, f"{kept} of {len(run.kept)}"),
    )
    if worst < ROUNDING:
        see = f"Label {label}: with the cache every token's logits are those of the full pass, within {small(worst)}."
    else:
        see = (
            f"Label {label}: prefill is right ({small(first)}), then the logits are off by up to {small(worst)}. "
            "Nothing crashed."
        )
    given = [LABELS[label](index, prompt) for index in range(prompt, prompt + new)]
    lines = (
        f"Prompt of {counted(prompt, 'token')}: {' '.join(words)}. Encoding {name}.",
        f"New tokens at {_span(prompt, prompt + new - 1)} are labelled {listed(map(str, given))}.",
        *(
            f"Token {index} ({run.tokens[index]}): error {small(float(error))}, KL {small(max(float(kl), 0.0))}, "
            f"likeliest word {'kept' if same else 'changed'}."
            for index, (error, kl, same) in enumerate(
                zip(run.errors, run.divergences, run.kept, strict=True), prompt - 1
            )
        ),
    )
    return View((picture,), readings, see, SAY, _WHY, lines)


def the_test(values: Mapping[str, Value]) -> View:
    """Each label under four tests, from the one that sees nothing to the one that sees all."""
    words, label, name, new = _settings(values)
    runs = {each: decoded(words, new, name, each) for each in LABELS}
    found = {each: _found(run) for each, run in runs.items()}
    cells = tuple(("✓", *(verdict(error) for error in errors)) for errors in found.values())
    names = tuple(found)
    marked = tuple(
        (row, column)
        for row, errors in enumerate(found.values())
        for column, error in enumerate(errors, 1)
        if error >= ROUNDING
    )
    picture = Matrix(
        "what each test says, and the error it measures",
        cells,
        names,
        _TESTS,
        cursor=(names.index(label), len(_TESTS) - 1),
        marked=marked,
    )
    # "stuck" labels the first new token rightly, so it is no mistake yet where there is one only.
    places = range(len(words), len(words) + new)
    wrong = [each for each in names if any(LABELS[each](place, len(words)) != place for place in places)]
    caught = [sum(found[each][column] >= ROUNDING for each in wrong) for column in range(3)]
    readings = (
        *(
            Reading(f"caught by {test}", number, f"{number} of {len(wrong)}")
            for test, number in zip(_TESTS[1:], caught, strict=True)
        ),
        Reading(f"error, {label}", found[label][2], small(found[label][2])),
    )
    see = (
        f"Every label runs and passes prefill. The next token catches {caught[1]} of {len(wrong)} wrong ones, "
        f"every token {caught[2]}; labels that are right pass all."
    )
    lines = (
        f"Prompt of {counted(len(words), 'token')}: {' '.join(words)}. Encoding {name}; {counted(new, 'new token')}.",
        *(
            f"Label {each}: it runs; prefill {small(errors[0])}, next token {small(errors[1])}, every token "
            f"{small(errors[2])}: {'passes' if errors[2] < ROUNDING else 'caught'}."
            for each, errors in found.items()
        ),
    )
    return View((picture,), readings, see, _SAY_TEST, _WHY, lines)


def _found(run: Decoded) -> tuple[float, float, float]:
    """The errors that a test of prefill, of the next token and of every token measures."""
    return float(run.errors[0]), float(run.errors[1]), float(run.errors.max())


def verdict(error: float) -> str:
    return f"{'✓' if error < ROUNDING else '✗'} {small(error)}"


def _span(first: int, last: int) -> str:
    return str(first) if first == last else f"{first} to {last}"
