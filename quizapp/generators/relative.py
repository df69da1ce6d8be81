"""Problems on Shaw's clipped offsets and T5's buckets."""

from __future__ import annotations

from collections.abc import Mapping
from random import Random
from typing import Any

from quizapp.encodings import claims
from quizapp.generators.generator import Generator
from quizapp.generators.problem import Problem, Unsuitable, number
from quizapp.generators.ranges import Parameter
from quizapp.generators.write import signed

_MODES = ("bidirectional", "causal")


def _shaw(drawn: Mapping[str, Any], source: Random) -> Problem:  # noqa: ARG001
    query, key, clip = drawn["query_pos"], drawn["key_pos"], drawn["clip"]
    offset = key - query
    if offset == 0:
        raise Unsuitable
    clipped = max(-clip, min(clip, offset))
    answer = claims.shaw_index(query, key, clip)
    slips = [
        (claims.shaw_index(key, query, clip), "The sign of the offset: it is key minus query."),
        (clipped, "This is the clipped offset; the row is k further, so that rows start at 0."),
        (offset + clip, "The offset has to be clipped first."),
        (answer + 1, "Rows count from 0."),
        (min(abs(offset), clip), "Shaw keeps before and after apart; this is the bare distance."),
    ]
    return number(
        f"Shaw et al. clip offsets at $k = {clip}$. Which row of the table, counted from 0, does the query "
        f"at position {query} read for the key at position {key}?",
        answer,
        slips,
        [
            f"The offset is key minus query: ${key} - {query} = {offset}$.",
            f"Clipped to between {-clip} and {clip} it is {clipped}.",
            f"Rows start at offset {-clip}, so add {clip}: ${signed(clipped)} + {clip} = {answer}$ of "
            f"{2 * clip + 1} rows.",
        ],
    )


def _buckets_each_way(buckets: int, mode: str) -> int:
    return buckets // 2 if mode == "bidirectional" else buckets


def _t5(drawn: Mapping[str, Any], source: Random) -> Problem:  # noqa: ARG001
    offset, buckets, furthest, mode = drawn["offset"], drawn["buckets"], drawn["max_distance"], drawn["mode"]
    if offset == 0 or (mode == "causal" and offset > 0):
        raise Unsuitable
    both = mode == "bidirectional"
    count = _buckets_each_way(buckets, mode)
    exact, distance = count // 2, abs(offset)
    if furthest <= exact:
        raise Unsuitable
    answer = claims.t5_bucket(offset, buckets, furthest, mode)
    added = count if both and offset > 0 else 0
    other_mode = _MODES[1 - _MODES.index(mode)]
    slips = [
        (
            min(distance, count - 1) + added,
            "Only the first half of the buckets is exact; beyond it they widen.",
        ),
        (answer - 1, "One bucket too low."),
        (answer + 1, "One bucket too high."),
    ]
    if both:
        slips.insert(
            0, (answer - added if added else answer + count, "The other direction: a key after adds half.")
        )
    if offset < 0 and furthest > _buckets_each_way(buckets, other_mode) // 2:
        slips.insert(
            0, (claims.t5_bucket(offset, buckets, furthest, other_mode), f"That is the {other_mode} bucket.")
        )
    steps = [
        f"The offset is key minus query: {offset}, so the key is {'after' if offset > 0 else 'before'} the "
        "query."
    ]
    if both:
        steps.append(
            f"Each direction has {count} of the {buckets} buckets; a key after the query adds {count}."
        )
    if distance < exact:
        steps.append(f"Distances below {exact} have a bucket each: {distance} is in bucket {distance}.")
    else:
        steps.append(
            rf"From distance {exact} on: ${exact} + \lfloor "
            rf"\frac{{\ln({distance}/{exact})}}{{\ln({furthest}/{exact})}} \cdot {count - exact} \rfloor = "
            f"{answer - added}$" + (f", the last of {count}." if answer - added == count - 1 else ".")
        )
    steps.append(f"Bucket {answer}.")
    return number(
        f"T5 with {buckets} buckets and max distance {furthest}, {mode}: in which bucket is offset "
        f"{offset} (key minus query)?",
        answer,
        slips,
        steps,
    )


def _parameters(drawn: Mapping[str, Any], source: Random) -> Problem:  # noqa: ARG001
    scheme, dim, heads, length = drawn["scheme"], drawn["dim"], drawn["heads"], drawn["length"]
    clip, buckets = drawn["clip"], drawn["buckets"]
    if dim % heads:
        raise Unsuitable
    if scheme == "learned":
        return number(
            f"How many parameters has a learned position table for {length} positions at model dimension "
            f"{dim}?",
            claims.learned_parameters(length, dim),
            [
                ((length - 1) * dim, "Positions 0 to L - 1 are L rows."),
                (length * dim * heads, "The table is added to the embeddings, once; heads do not matter."),
                (length * length, "That is the size of the score matrix, not of the table."),
                (length * (dim // heads), "The rows have the dimension of the model, not of a head."),
                (length, "Each row has d numbers."),
            ],
            [f"One row of {dim} numbers a position.", rf"${length} \cdot {dim} = {length * dim}$."],
        )
    if scheme == "shaw":
        head = dim // heads
        answer = claims.shaw_rows(clip) * head
        return number(
            f"Shaw's relative keys with clip distance $k = {clip}$, shared by the {heads} heads of a "
            f"layer, model dimension {dim}: how many parameters has the table of one layer, keys only?",
            answer,
            [
                (2 * clip * head, "Offset 0 has a row too: 2k + 1."),
                ((clip + 1) * head, "Before and after have rows of their own: 2k + 1."),
                ((2 * clip + 1) * dim, "A row is added to a key, so it has the dimension of a head."),
                (2 * answer, "That counts the values' table too."),
            ],
            [
                rf"Offsets from {-clip} to {clip} are $2 \cdot {clip} + 1 = {2 * clip + 1}$ rows.",
                f"A row meets a key of one head: ${dim} / {heads} = {head}$ numbers.",
                rf"${2 * clip + 1} \cdot {head} = {answer}$.",
            ],
        )
    return number(
        f"T5's relative bias with {buckets} buckets and {heads} heads, one table shared by all layers of "
        "the encoder: how many parameters is that?",
        buckets * heads,
        [
            (buckets, "Each head has scalars of its own."),
            (buckets * dim, "A bucket holds a scalar for each head, not a vector."),
            (2 * buckets * heads, "The buckets already cover both directions."),
            (buckets * (dim // heads), "A bucket holds a scalar, not a vector of the head's dimension."),
        ],
        [f"A scalar for every bucket and head: ${buckets} \\cdot {heads} = {buckets * heads}$."],
    )


GENERATORS = (
    Generator(
        "shaw-index",
        "The row of Shaw's table",
        {
            "query_pos": Parameter("the query's position", "0:16", most=1_000_000),
            "key_pos": Parameter("the key's position", "0:16", most=1_000_000),
            "clip": Parameter("the clip distance", [2, 3, 4, 8], least=1, most=100_000),
        },
        _shaw,
    ),
    Generator(
        "t5-bucket",
        "The bucket of an offset in T5",
        {
            "offset": Parameter("key minus query", "-200:200", least=-1_000_000, most=1_000_000),
            "buckets": Parameter("the number of buckets", [32], least=4, most=4096, even=True),
            "max_distance": Parameter("where the last bucket starts", [128], least=2, most=1_000_000),
            "mode": Parameter("encoder or decoder", list(_MODES), words=_MODES),
        },
        _t5,
    ),
    Generator(
        "parameter-count",
        "What a scheme costs in parameters",
        {
            "scheme": Parameter("the scheme", ["learned", "shaw", "t5"], words=("learned", "shaw", "t5")),
            "length": Parameter("positions in a learned table", [512, 1024, 2048], least=2, most=1_000_000),
            "dim": Parameter(
                "the dimension of the model", [512, 768, 1024], least=2, most=100_000, even=True
            ),
            "heads": Parameter("the heads of a layer", [8, 16], least=2, most=1024),
            "clip": Parameter("Shaw's clip distance", [4, 16, 64], least=1, most=100_000),
            "buckets": Parameter("T5's buckets", [32, 64], least=4, most=4096, even=True),
        },
        _parameters,
    ),
)
