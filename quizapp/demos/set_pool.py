"""What is left of the order once the rows are pooled: nothing without positions, and a false difference with them."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from quizapp.demos.model import Bar, Bars, Matrix, Reading, Value, View
from quizapp.demos.set_rows import FIRST, GAP, SECOND, WHY_FLOATS, named, settings
from quizapp.demos.set_runs import NONE, POSITIONS, SINUSOIDAL, adding, pair, prediction, shuffles
from quizapp.demos.wording import ROUNDING, comparison, counted, fixed, quoted, small
from quizapp.encodings.pooling import pooled

MOST_ORDERS = 6


def pooling(values: Mapping[str, Value]) -> View:
    """One vector for the sentence, from both orders."""
    words, order, positions, how, layers = settings(values)
    runs = pair(words, order, positions, how, layers)
    pool = str(values["pool"])
    first, second = (pooled(run.output, pool, adding(how)) for run in (runs.first, runs.second))
    gaps = first - second
    gap = float(np.abs(gaps).max())
    moved = float(np.abs(runs.first.output - runs.second.output).max())
    picture = Matrix(
        "the last row" if pool == "last" else f"{pool} of the rows",
        tuple((fixed(a), fixed(b), small(c)) for a, b, c in zip(first, second, gaps, strict=True)),
        tuple(str(column) for column in range(first.size)),
        (FIRST, SECOND, GAP),
        marked=tuple((column, 2) for column in np.flatnonzero(np.abs(gaps) >= ROUNDING).tolist()),
    )
    readings = (
        Reading("tables, place by place", moved, small(moved)),
        Reading("pooled", gap, small(gap)),
    )
    other = tuple(words[place] for place in runs.order)
    name = {"last": "last row", "max": "maximum"}.get(pool, pool)
    if words == other:
        see = (
            "One word has only one order: type a second word."
            if len(words) == 1
            else "Both orders read the same, so everything is the same: choose another order."
        )
    elif gap < ROUNDING and moved >= ROUNDING:
        see = f"The tables differ by {small(moved)} place by place, yet the {name} is {comparison(gap)}."
    elif gap < ROUNDING:
        see = f"The {name} is {comparison(gap)}, and so are the tables."
    elif pool == "last" and positions == NONE:
        see = f"The last row is another word's now, {comparison(gap)}: this pooling asks for the order."
    else:
        see = f"With {named(positions)} the {name} depends on the order: {comparison(gap)}."
    say = (
        "Per token the stack is equivariant: outputs move with their words. Pooled by sum, mean or maximum it is "
        "invariant: one vector, whatever the order. Taking the last row is not invariant."
    )
    why = (
        "Sum, mean and maximum do not ask in which order their terms come, so pooling turns equivariant into "
        'invariant: pool(P Y) = pool(Y). A classifier on top of a mean then cannot tell "dog bites man" from '
        '"man bites dog". '
        "Reading the last row asks which word stands last, so it depends on the order. Reading the row of one "
        "token that is always there, such as [CLS], does not, without positions: that row is the same in every "
        "order. " + WHY_FLOATS
    )
    lines = (
        f"{FIRST}: {' '.join(words)}.",
        f"{SECOND}: {' '.join(other)}.",
        f"Positions: {positions}; {POSITIONS[positions]}. Pool: {pool}. Sums: {how}.",
        f"The tables differ by {small(moved)} place by place, the pooled vectors by {small(gap)}.",
        *(
            f"Coordinate {column}: {fixed(a)} and {fixed(b)}, difference {small(c)}."
            for column, (a, b, c) in enumerate(zip(first, second, gaps, strict=True))
        ),
    )
    return View((picture,), readings, see, say, why, lines)


def products(values: Mapping[str, Value]) -> View:
    """A set of products in several orders: the prediction must not depend on the order."""
    goods = tuple(str(values["products"]).split())
    positions, how = str(values["positions"]), str(values["sums"])
    layers, seed = int(values["layers"]), int(values["shuffle"])
    listings = shuffles(goods, MOST_ORDERS, seed)
    found = [prediction(listing, positions, how, layers) for listing in listings]
    spread = max(found) - min(found)
    signs = {word: chr(ord("a") + index) for index, word in enumerate(dict.fromkeys(goods))}
    labels = ["".join(signs[word] for word in listing) for listing in listings]
    picture = Bars(
        "prediction, by the order of the list",
        tuple(
            Bar(label, value, fixed(value), "" if abs(value - found[0]) < ROUNDING else "changed")
            for label, value in zip(labels, found, strict=True)
        ),
        min(0.0, *found),
        max(0.0, *found),
    )
    changed = sum(abs(value - found[0]) >= ROUNDING for value in found)
    readings = (
        Reading("orders shown", len(found), str(len(found))),
        Reading("spread of predictions", spread, small(spread)),
        Reading("predictions changed", changed, f"{changed} of {len(found)}"),
    )
    if len(listings) == 1:
        see = (
            "One product has only one order: type a second one."
            if len(goods) == 1
            else "All products are alike, so there is only one order: type another one."
        )
    elif changed:
        see = (
            f"The same set, and {counted(len({round(value, 9) for value in found}), 'prediction')}: "
            f"{named(positions)} {'make' if positions == SINUSOIDAL else 'makes'} a difference that is not there."
        )
    elif positions == NONE:
        see = f"{counted(len(found), 'order')} of one set, one prediction, {comparison(spread)}."
    else:
        see = f"Here the prediction does not change, {comparison(spread)}, although positions are known."
    say = (
        "Give a model positions only where the order means something. For a set of products they invent a difference "
        "between two listings of the same set; without them the prediction is invariant."
    )
    why = (
        "The data have no order: a basket, a point cloud, a set of records. Without positions the stack is "
        "equivariant and the mean of its rows invariant, so every listing gives the same prediction, up to "
        "rounding. With an encoding or a causal mask the model can learn a listing's order, an accident of how "
        "it was stored. The weights are drawn, not trained: the demo shows the dependence, not its size in a "
        "trained model."
    )
    lines = (
        f"Products: {', '.join(f'{sign} {word}' for word, sign in signs.items())}.",
        f"Positions: {positions}; {POSITIONS[positions]}. Pool: mean. Sums: {how}.",
        *(
            f"Order {label} ({quoted(' '.join(listing), 60)}): {fixed(value, 12)}."
            for label, listing, value in zip(labels, listings, found, strict=True)
        ),
        f"The predictions differ by {small(spread)} at most.",
    )
    return View((picture,), readings, see, say, why, lines)
