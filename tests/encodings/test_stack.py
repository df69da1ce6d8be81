"""Attention, the schemes and the stack: against plain loops, and by the symmetries that must hold."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest

from quizapp.encodings import alibi, attention, frequencies, rope, scaling, schemes, sinusoidal, stack
from quizapp.encodings.checks import EncodingError
from quizapp.encodings.frequencies import Array

DIM, HEADS, LENGTH = 16, 2, 7
ROPE = schemes.rotary(frequencies.inverse_frequencies(DIM // HEADS))


@pytest.fixture
def model() -> stack.Stack:
    return stack.Stack.random(3, layers=3, dim=DIM, heads=HEADS)


@pytest.fixture
def tokens() -> Array:
    return np.random.default_rng(5).standard_normal((LENGTH, DIM))


def all_schemes() -> list[schemes.Scheme]:
    draw = np.random.default_rng(7)
    return [
        schemes.NONE,
        schemes.added_sinusoidal(),
        schemes.added_learned(draw.standard_normal((32, DIM))),
        ROPE,
        schemes.linear_bias(HEADS),
        schemes.bucketed_bias(draw.standard_normal((HEADS, 8)), 16),
        schemes.relative_keys(draw.standard_normal((9, DIM // HEADS))),
    ]


def test_attention_equals_plain_loops() -> None:
    draw = np.random.default_rng(1)
    q, k, v = draw.standard_normal((3, 4)), draw.standard_normal((5, 4)), draw.standard_normal((5, 2))
    bias = draw.standard_normal((3, 5))
    found = attention.attend(q, k, v, bias)
    for m in range(3):
        scores = [
            math.fsum(a * b for a, b in zip(q[m], k[n], strict=True)) / 2.0 + bias[m, n] for n in range(5)
        ]
        total = math.fsum(math.exp(score) for score in scores)
        for column in range(2):
            exact = math.fsum(math.exp(score) / total * v[n, column] for n, score in enumerate(scores))
            assert found.output[m, column] == pytest.approx(exact, abs=1e-14)


def test_softmax_refuses_a_row_without_a_key() -> None:
    assert attention.softmax([0.0, -np.inf]).tolist() == [1.0, 0.0]
    assert attention.softmax([1000.0, 1000.0]).tolist() == [0.5, 0.5]
    with pytest.raises(EncodingError, match="finite score"):
        attention.softmax([-np.inf, -np.inf])


def test_without_positions_the_stack_is_equivariant(model: stack.Stack, tokens: Array) -> None:
    plain = model.run(tokens).output
    for order in itertools.islice(itertools.permutations(range(LENGTH)), 0, 5040, 97):
        shuffled = model.run(tokens[list(order)]).output
        assert np.abs(shuffled - plain[list(order)]).max() < 1e-13


def test_a_causal_mask_or_positions_break_the_symmetry(model: stack.Stack, tokens: Array) -> None:
    order = [2, 1, 0, 3, 4, 5, 6]
    runs = [(schemes.NONE, True), *((scheme, False) for scheme in all_schemes()[1:])]
    for scheme, causal in runs:
        plain = model.run(tokens, scheme, causal=causal).output
        shuffled = model.run(tokens[order], scheme, causal=causal).output
        assert np.abs(shuffled - plain[order]).max() > 0.01, scheme.name


@pytest.mark.parametrize("scheme", all_schemes(), ids=lambda scheme: scheme.name)
def test_decoding_with_a_cache_equals_the_whole_run(
    model: stack.Stack, tokens: Array, scheme: schemes.Scheme
) -> None:
    whole = model.run(tokens, scheme, causal=True).output
    step = model.run(tokens[:4], scheme, causal=True)
    rows = [step.output]
    for token in tokens[4:]:
        step = model.run(token[None, :], scheme, causal=True, cache=step.cache)
        rows.append(step.output)
    assert np.abs(np.concatenate(rows) - whole).max() < 1e-12
    assert step.cache.positions == tuple(range(LENGTH))


def test_a_wrong_position_after_the_prompt_shows_up(model: stack.Stack, tokens: Array) -> None:
    right = model.run(tokens, ROPE, causal=True).output[-1]
    prompt = model.run(tokens[:-1], ROPE, causal=True)
    for position in (0, LENGTH - 2, LENGTH):
        wrong = model.run(tokens[-1:], ROPE, positions=[position], causal=True, cache=prompt.cache).output[0]
        assert np.abs(wrong - right).max() > 0.01


def test_rotated_keys_of_a_changed_base_do_not_fit(model: stack.Stack, tokens: Array) -> None:
    head = DIM // HEADS
    late = schemes.rotary(
        frequencies.inverse_frequencies(head, scaling.dynamic_ntk_base(1e4, 4, head, 2 * LENGTH, LENGTH))
    )
    prompt = model.run(tokens[:-1], ROPE, causal=True)
    mixed = model.run(tokens[-1:], late, causal=True, cache=prompt.cache).output[0]
    assert np.abs(mixed - model.run(tokens, late, causal=True).output[-1]).max() > 1e-3


def test_a_uniform_shift_changes_nothing_for_rope_and_much_for_a_table(
    model: stack.Stack, tokens: Array
) -> None:
    there = np.arange(LENGTH) + 20
    assert (
        np.abs(model.run(tokens, ROPE, positions=there).output - model.run(tokens, ROPE).output).max() < 1e-12
    )
    table = all_schemes()[2]
    assert (
        np.abs(model.run(tokens, table, positions=there).output - model.run(tokens, table).output).max() > 0.1
    )


def test_a_learned_table_ends(model: stack.Stack, tokens: Array) -> None:
    with pytest.raises(EncodingError, match="position 32 does not exist"):
        model.run(tokens, all_schemes()[2], positions=np.arange(LENGTH) + 26)


def test_both_rotary_layouts_agree_after_reordering() -> None:
    draw = np.random.default_rng(9)
    q, k = draw.standard_normal((2, 5, 8))
    turning = frequencies.inverse_frequencies(8)
    order = rope.half_split_order(8)
    interleaved = rope.scores(q, k, np.arange(5), turning, "interleaved")
    half = rope.scores(q[:, order], k[:, order], np.arange(5), turning, "half-split")
    assert np.abs(interleaved - half).max() < 1e-13
    assert np.abs(rope.scores(q, k, np.arange(5), turning) - interleaved).max() > 0.1


def test_partial_rotation_leaves_the_rest_alone() -> None:
    vectors = np.random.default_rng(2).standard_normal((3, 8))
    turned = rope.rotate(vectors, [1, 2, 3], rope.partial_frequencies(8, 0.5))
    assert np.array_equal(turned[:, 4:], vectors[:, 4:])
    norms = np.hypot(vectors[:, 0], vectors[:, 2])
    assert np.allclose(np.hypot(turned[:, 0], turned[:, 2]), norms)
    assert not np.allclose(turned[:, :4], vectors[:, :4])


def test_shift_matrix_moves_every_row() -> None:
    rows = sinusoidal.sinusoidal(np.arange(50), 8)
    moved = rows[:40] @ sinusoidal.shift_matrix(10, 8).T
    assert np.abs(moved - rows[10:]).max() < 1e-13
    assert np.abs(rows[:40] @ sinusoidal.shift_matrix(10, 8) - rows[10:]).max() > 0.1


def test_alibi_forms_have_the_same_softmax() -> None:
    scores = np.random.default_rng(4).standard_normal((8, 6, 6)) + attention.causal_mask(
        np.arange(6), np.arange(6)
    )
    paper = attention.softmax(scores + alibi.alibi_bias(6, 8))
    for form in ("bloom", "mpt"):
        shipped = attention.softmax(scores + alibi.alibi_bias(6, 8, form)[:, None, :])
        assert np.abs(shipped - paper).max() < 1e-15


def test_shapes_that_do_not_fit_are_named(model: stack.Stack) -> None:
    with pytest.raises(EncodingError, match="dim 16"):
        model.run(np.zeros((3, 4)))
    with pytest.raises(EncodingError, match="3 tokens need 3 positions"):
        model.run(np.zeros((3, DIM)), positions=[1, 2])
    with pytest.raises(EncodingError, match="do not divide"):
        stack.Stack.random(0, dim=10, heads=3)
    with pytest.raises(EncodingError, match="coordinates"):
        rope.rotate(np.zeros((1, 2)), [0], np.ones(2))
