"""Decoding with a cache against one full pass, and what a wrong position does to it."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from quizapp.encodings import decoding, frequencies, schemes, stack
from quizapp.encodings.checks import EncodingError
from quizapp.encodings.decoding import Decoder
from quizapp.encodings.learned import initial_rows
from quizapp.encodings.similarity import cosines
from quizapp.encodings.words import word_vectors

PROMPT = 12
ROPE = schemes.rotary(frequencies.inverse_frequencies(8))
TABLE = schemes.added_learned(np.random.default_rng(8).standard_normal((64, 16)))


@pytest.fixture
def model() -> Decoder:
    names = [f"w{index}" for index in range(40)]
    return Decoder(stack.Stack.random(0), word_vectors(names, 16), word_vectors(names, 16, 1))


@pytest.fixture
def tokens(model: Decoder) -> list[int]:
    return model.greedy(list(range(PROMPT)), 3, ROPE)


@pytest.mark.parametrize("scheme", [ROPE, TABLE], ids=lambda scheme: scheme.name)
def test_right_positions_agree_and_wrong_ones_do_not(
    model: Decoder, tokens: list[int], scheme: schemes.Scheme, golden: Callable[[str], Any]
) -> None:
    whole = model.full(tokens, scheme)[PROMPT - 1 :]
    reference = golden("kv_position_drift")["results"]
    labels: dict[str, Callable[[int], float]] = {
        "correct_12": lambda index: index,
        "zero": lambda _: 0,
        "off_by_one_minus_11": lambda index: index - 1,
        "off_by_one_plus_13": lambda index: index + 1,
        "double_24": lambda index: 2 * index,
    }
    for name, label in labels.items():
        found = model.cached(tokens, PROMPT, lambda _: scheme, label)
        error = decoding.logit_error(found, whole)
        assert error[0] < 1e-12  # the first new token comes from the prompt's pass
        # The same pattern as in the reference model: right is rounding alone, every wrong label is seen.
        right = reference[name]["max_abs_logit_diff"] < 1e-5
        assert right == (name == "correct_12")
        assert (error[1] < 1e-12) == right
        assert error[1] < 1e-12 or error[1] > 0.05


def test_divergence_equals_its_definition() -> None:
    right, found = np.array([[0.0, 1.0, 2.0]]), np.array([[0.5, 0.0, 2.0]])
    p = [math.exp(x) / sum(map(math.exp, right[0])) for x in right[0]]
    q = [math.exp(x) / sum(map(math.exp, found[0])) for x in found[0]]
    exact = sum(a * math.log(a / b) for a, b in zip(p, q, strict=True))
    assert decoding.divergence(right, found)[0] == pytest.approx(exact, rel=1e-12)
    assert decoding.divergence(right, right)[0] == 0.0


@pytest.mark.parametrize("padding", [1, 5, 20])
def test_left_padding_is_invisible_to_rope_and_not_to_a_table(
    model: Decoder, tokens: list[int], padding: int
) -> None:
    padded = [39] * padding + tokens
    counted = [0] * padding + list(range(len(tokens)))
    for scheme, naive_agrees in ((ROPE, True), (TABLE, False)):
        right = model.full(tokens, scheme)
        naive = model.full(padded, scheme, padding=padding)[padding:]
        mended = model.full(padded, scheme, positions=counted, padding=padding)[padding:]
        assert np.abs(mended - right).max() < 1e-12
        assert (np.abs(naive - right).max() < 1e-12) == naive_agrees
    unmasked = model.full(padded, ROPE)[padding:]
    assert np.abs(unmasked - model.full(tokens, ROPE)).max() > 0.1


def test_the_likeliest_word_follows(model: Decoder) -> None:
    tokens = model.greedy([3, 4], 2, ROPE)
    assert tokens[:2] == [3, 4]
    assert tokens[2] == int(model.full([3, 4], ROPE)[-1].argmax())


def test_a_word_has_one_vector() -> None:
    rows = word_vectors(["the", "cat", "the", "猫", "🐈"], 16, 2)
    assert np.array_equal(rows[0], rows[2])
    assert len({tuple(row) for row in rows.tolist()}) == 4
    assert not np.array_equal(rows[0], word_vectors(["the"], 16, 3)[0])
    assert word_vectors([], 4).shape == (0, 4)


def test_cosines_equal_plain_sums() -> None:
    rows, others = np.random.default_rng(1).standard_normal((2, 3, 5))
    for i, j in np.ndindex(3, 3):
        dot = math.fsum(a * b for a, b in zip(rows[i], others[j], strict=True))
        exact = dot / math.hypot(*rows[i]) / math.hypot(*others[j])
        assert cosines(rows, others)[i, j] == pytest.approx(exact, rel=1e-12)
    with pytest.raises(EncodingError, match="zeros"):
        cosines([[0.0, 0.0]], [[1.0, 0.0]])


def test_an_untrained_table_has_no_neighbours() -> None:
    rows = initial_rows(range(200), 64)
    assert np.array_equal(rows[[17]], initial_rows([17], 64))
    assert np.std(rows) == pytest.approx(0.02, rel=0.05)
    alike = cosines(rows, rows)
    near, far = np.diagonal(alike, 1), np.diagonal(alike, 100)
    assert abs(near.mean()) < 0.03
    assert abs(far.mean()) < 0.03
    assert near.std() == pytest.approx(1 / 8, rel=0.2)
