"""The rows of two orders of a sentence: the tables side by side, one word's row in digits, and its scores."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from quizapp.demos.model import HeatMap, Matrix, Reading, Value, View
from quizapp.demos.set_runs import CAUSAL, EXACT, FLOATS, MIXED, NONE, POSITIONS, Pair, pair
from quizapp.demos.wording import ROUNDING, comparison, fixed, listed, quoted, shortened, small

FIRST, SECOND, GAP = "1st order", "2nd order", "difference"

WHY_FLOATS = (
    "About floats: in real arithmetic the rows are equal. A computer adds the terms of the softmax in the order "
    "of the "
    'words, and another order rounds otherwise: about 1e-16 in float64, 5e-7 in float32. So "bit-identical" is false '
    "for plain floats: of 500 random draws of width 64 not one row of the same word came out the same to the "
    "bit. With exact sums each sum is rounded once, from its exact value; then the order of its terms cannot "
    "matter."
)
WHY_SET = (
    "A permutation P of the words permutes Q, K and V; the scores become P S Pᵀ, the softmax works row by row, "
    "and PᵀP = I cancels: Attn(PX) = P Attn(X). The feed-forward part and the LayerNorm act on each row alone, "
    "so stacking layers keeps the symmetry. This is equivariance, not invariance: the rows move along with their "
    "words."
)
WHY_BROKEN = (
    "What breaks it enters at the input, by adding a vector (sinusoidal, learned), or at the scores (RoPE, "
    "ALiBi, T5, Shaw). A causal mask breaks it too: the mask M stays where it is while the words move, and P M "
    "Pᵀ is not M. So does any step that mixes neighbouring rows, such as a convolution or a running mean."
)


def word_names(words: Sequence[str]) -> tuple[str, ...]:
    """A name for each word; from the second time on a repeated one carries its number."""
    seen: dict[str, int] = {}
    names = []
    for word in words:
        seen[word] = seen.get(word, 0) + 1
        names.append(word if seen[word] == 1 else f"{word} ({seen[word]})")
    return tuple(names)


def settings(values: Mapping[str, Value]) -> tuple[tuple[str, ...], str, str, str, int]:
    """Words, order, positions, sums and layers."""
    words = tuple(str(values["sentence"]).split())
    order, positions, how = (str(values[name]) for name in ("order", "positions", "sums"))
    return words, order, positions, how, int(values["layers"])


def say(positions: str) -> str:
    """What to tell the interviewer about what is switched on."""
    if positions == NONE:
        return (
            "Without positions self-attention is permutation equivariant: reorder the words, and the same rows come "
            "out, reordered. So it sees a bag of words."
        )
    if positions == CAUSAL:
        return (
            "A causal mask alone breaks the symmetry: it stays where it is while the words move, so each word sees "
            "other words. That is how a decoder without an encoding can know some order."
        )
    if positions == MIXED:
        return (
            "The feed-forward part works row by row and keeps the symmetry. A step that mixes neighbouring rows, "
            "such as a convolution or a running mean, breaks it."
        )
    return f"An encoding breaks the symmetry: with {named(positions)}, {POSITIONS[positions]}."


class Case:
    """Two runs and the word that is followed through both."""

    def __init__(self, values: Mapping[str, Value]) -> None:
        self.words, self.order, self.positions, self.how, self.layers = settings(values)
        self.names = word_names(self.words)
        self.word = self.names.index(str(values["word"]))
        self.pair: Pair = pair(self.words, self.order, self.positions, self.how, self.layers)
        self.here, self.there = self.word, self.pair.place(self.word)
        self.second = tuple(self.words[place] for place in self.pair.order)
        self.gap = float(self.pair.row_differences[self.word])
        self.worst = float(self.pair.row_differences.max())

    @property
    def same_sentence(self) -> bool:
        return self.words == self.second

    def readings(self) -> tuple[Reading, ...]:
        found = [
            Reading("difference, this word", self.gap, small(self.gap)),
            Reading("difference, all words", self.worst, small(self.worst)),
        ]
        twins = [place for place in range(len(self.words)) if self.words[place] == self.words[self.word]]
        if len(twins) > 1:
            rows = self.pair.first.output[twins]
            apart = float(np.abs(rows - rows[0]).max())
            found.append(Reading("difference, repeated", apart, small(apart)))
        return tuple(found)

    def heads(self) -> tuple[str, ...]:
        """The sentences, for who does not see the picture."""
        return (
            f"{FIRST}: {' '.join(self.words)}.",
            f"{SECOND}: {' '.join(self.second)}.",
            f"Positions: {self.positions}; {POSITIONS[self.positions]}. Layers: {self.layers}. Sums: {self.how}.",
        )


def verdict(case: Case) -> str:
    """One sentence, true for every choice."""
    word = quoted(case.words[case.word], 16)
    if len(case.words) == 1:
        return "One word has only one order: type a second word."
    if case.same_sentence:
        return "Both orders read the same, so the rows are the same: choose another order."
    if case.gap >= ROUNDING:
        return (
            f"With {named(case.positions)} the row of {word} is no longer the same: {comparison(case.gap)}."
        )
    if case.worst >= ROUNDING:
        return (
            f"The row of {word} is {comparison(case.gap)} here, but with {named(case.positions)} others are not: "
            f"{comparison(case.worst)}."
        )
    return f"The row of {word} is {comparison(case.gap)}; so the order of the words is lost."


def named(positions: str) -> str:
    """What is switched on, as it stands in a sentence."""
    return {
        CAUSAL: "a causal mask",
        MIXED: "a running mean",
        "sinusoidal": "sinusoids",
        "learned": "a learned table",
    }.get(positions, positions)


def orders(values: Mapping[str, Value]) -> View:
    """Both tables as heat maps: the same rows, elsewhere."""
    case = Case(values)
    tables = (case.pair.first.output, case.pair.second.output)
    reach = max(float(np.abs(table).max()) for table in tables)
    pictures = tuple(
        HeatMap(
            shortened(f"{name}: {' '.join(words)}", 44),
            table.tolist(),
            -reach,
            reach,
            row_labels=words,
            diverging=True,
            marked=(place,),
        )
        for name, words, table, place in (
            (FIRST, case.words, tables[0], case.here),
            (SECOND, case.second, tables[1], case.there),
        )
    )
    rows = (
        f"{name}, row of {words[place]} (place {place}): {listed(fixed(x) for x in table[place])}."
        for name, words, table, place in (
            (FIRST, case.words, tables[0], case.here),
            (SECOND, case.second, tables[1], case.there),
        )
    )
    spread = f"Largest difference of a word's rows: {small(case.worst)}."
    return View(
        pictures,
        case.readings(),
        verdict(case),
        say(case.positions),
        f"{WHY_SET} {WHY_BROKEN}",
        (*case.heads(), *rows, spread),
    )


def difference(values: Mapping[str, Value]) -> View:
    """One word's row in both orders, coordinate by coordinate."""
    case = Case(values)
    first, second = case.pair.first.output[case.here], case.pair.second.output[case.there]
    gaps = first - second
    picture = Matrix(
        f"the row of {shortened(case.words[case.word], 24)}",
        tuple((fixed(a), fixed(b), small(gap)) for a, b, gap in zip(first, second, gaps, strict=True)),
        tuple(str(column) for column in range(first.size)),
        (FIRST, SECOND, GAP),
        marked=tuple((column, 2) for column in np.flatnonzero(np.abs(gaps) >= ROUNDING).tolist()),
    )
    unlike = int(np.count_nonzero(gaps))
    readings = (
        *case.readings(),
        Reading("coordinates not equal", unlike, f"{unlike} of {gaps.size}"),
    )
    if case.how == EXACT and case.gap == 0 and not case.same_sentence:
        see = (
            f"With exact sums the row of {quoted(case.words[case.word], 16)} is equal to the bit in both orders; "
            "with floats only up to rounding."
        )
    elif 0 < case.gap < ROUNDING and case.positions == NONE:
        see = (
            f"Equal up to rounding, {small(case.gap)}: floats add the same terms in another order. "
            "Choose exact sums, and it is 0."
        )
    else:
        see = verdict(case)
    told = (
        "Exact in real arithmetic, about 1e-16 in floats: sure to be bit-identical only if every sum is exact."
        if case.worst < ROUNDING
        else say(case.positions)
    )
    lines = (
        f"Coordinate {column}: {fixed(a)} and {fixed(b)}, difference {small(gap)}."
        for column, (a, b, gap) in enumerate(zip(first, second, gaps, strict=True))
    )
    return View((picture,), readings, see, told, f"{WHY_FLOATS} {WHY_SET}", (*case.heads(), *lines))


def scores(values: Mapping[str, Value]) -> View:
    """The scores of one query in the first layer: a pair's score does not know where its words stand."""
    case = Case({**values, "layers": 1, "sums": FLOATS})
    moved = [case.pair.place(word) for word in range(len(case.words))]
    first = case.pair.first.scores[0][0, case.here]
    second = case.pair.second.scores[0][0, case.there][moved]
    gaps = [
        abs(a - b) if np.isfinite(a) and np.isfinite(b) else (0.0 if a == b else np.inf)
        for a, b in zip(first.tolist(), second.tolist(), strict=True)
    ]
    cells = tuple(
        (f"{key} → {place}", _score(a), _score(b), small(gap) if np.isfinite(gap) else "one masked")
        for key, (place, a, b, gap) in enumerate(zip(moved, first, second, gaps, strict=True))
    )
    word = case.words[case.word]
    picture = Matrix(
        f"scores of {shortened(word, 16)} with each word",
        cells,
        case.names,
        ("place", FIRST, SECOND, GAP),
        cursor=(case.word, 0),
        marked=tuple((key, 3) for key, gap in enumerate(gaps) if gap >= ROUNDING),
    )
    unlike = sum(gap >= ROUNDING for gap in gaps)
    worst = max(gaps)
    readings = (
        Reading("scores that changed", unlike, f"{unlike} of {len(gaps)}"),
        Reading("largest change", worst, small(worst) if np.isfinite(worst) else "masked"),
    )
    if len(gaps) == 1 or case.same_sentence:
        see = verdict(case)
    elif unlike:
        see = (
            f"With {named(case.positions)} the score of a pair depends on where its words stand: "
            f"{unlike} of {len(gaps)} changed."
        )
    else:
        see = f"The words moved, and every score of {quoted(word, 16)} stayed, {comparison(worst)}."
    why = (
        "score(i, j) = qᵢ·kⱼ/√dₖ. Neither query nor key has a position in it: two tokens have the same score "
        "wherever they stand. Shown is the first head of the first layer, mask and bias included. "
        + WHY_BROKEN
    )
    lines = (
        f"Key {name}, place {place}: {a} and {b}, difference {gap}."
        for name, (place, a, b, gap) in zip(case.names, cells, strict=True)
    )
    told = (
        "A score is a dot product of two contents. Unless something adds positions to it, it cannot tell near "
        "from far."
        if case.positions == NONE
        else say(case.positions)
    )
    heads = (
        *case.heads()[:2],
        f"Positions: {case.positions}; {POSITIONS[case.positions]}. First layer, first head.",
    )
    return View((picture,), readings, see, told, why, (*heads, *lines))


def _score(value: float) -> str:
    return fixed(value) if np.isfinite(value) else "masked"
