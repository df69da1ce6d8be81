"""Rows of the table, and the dot product of two of them."""

from __future__ import annotations

import numpy as np

from quizapp.demos.model import Curve, Curves, HeatMap, Reading, View
from quizapp.demos.wording import counted, listed, quoted, shortened
from quizapp.encodings.frequencies import mean_cosine
from quizapp.encodings.sinusoidal import row_dot_product, sinusoidal, sinusoidal_frequencies

FARTHEST_DISTANCE = 100


def table(words: list[str], place: int, column: int, dim: int) -> View:
    """Step 5: the table as a heat map, with the rows of equal words marked."""
    count, word = len(words), words[place]
    rows = sinusoidal(range(count), dim)
    twins = [at for at, other in enumerate(words) if other.casefold() == word.casefold()]
    apart = np.linalg.norm(rows[:, None] - rows[None], axis=-1)
    value = float(rows[place, column])
    readings = [Reading(f"{'cos' if column % 2 else 'sin'} of pair {column // 2}", value, f"{value:+z.4f}")]
    norm = float(np.linalg.norm(rows[place]))
    readings.append(Reading("norm of the row", norm, f"{norm:.4f}"))
    nearest = None
    if count > 1:
        others = np.where(np.eye(count, dtype=bool), np.inf, apart)
        nearest = float(others.min())
        readings.append(Reading("two nearest rows", nearest, f"{nearest:.4f}"))
    if len(twins) > 1:
        other = next(at for at in twins if at != place)
        gap = float(apart[place, other])
        both = f"rows {min(place, other)} and {max(place, other)}"
        readings.append(Reading(both, gap, f"{gap:.4f}"))
        see = f"{quoted(word)} stands at {listed(map(str, twins))}: the same word, yet {both} are {gap:.4f} apart."
    elif nearest is not None:
        see = f"{quoted(word)} stands here once; no two rows are alike, the two nearest {nearest:.4f} apart."
    else:
        see = "One word, one row; type a longer sentence to compare rows."
    return View(
        pictures=(
            HeatMap(
                f"PE, {counted(count, 'position')} by {dim} columns",
                rows.tolist(),
                -1,
                1,
                tuple(f"{at} {shortened(other, 7)}" for at, other in enumerate(words)),
                tuple(map(str, range(dim))),
                diverging=True,
                marked=tuple(twins) if len(twins) > 1 else (),
                cursor=(place, column),
            ),
        ),
        readings=tuple(readings),
        see=see,
        say="Each position has a row of its own, all of the norm √(d/2), so the same word at two places enters the "
        "first layer as two different vectors.",
        why="A row is added to the embedding of its word. The left columns change fast, the right ones hardly: within "
        "a short text the slow pairs stay near sine 0 and cosine 1. No single column names a position, for each "
        "takes nearly the same value again and again; the whole row does.",
        words=(
            *(
                f"{at} {other}: {' '.join(f'{entry:+z.2f}' for entry in rows[at, :8])}{' ...' if dim > 8 else ''}"
                for at, other in enumerate(words)
            ),
            f"Row {place}, column {column} is {value:+z.4f}; the norm of every row is {norm:.4f}.",
            *([see] if len(twins) > 1 else []),
        ),
    )


def dot_product(position: int, distance: int, dim: int) -> View:
    """Step 7: the dot product of two rows over their distance."""
    distances = list(range(FARTHEST_DISTANCE + 1))
    rows = sinusoidal([position, *(position + k for k in distances)], dim)
    curve = (rows[1:] @ rows[0]).tolist()
    product = row_dot_product(position, distance, dim)
    cosines = float(mean_cosine([distance], sinusoidal_frequencies(dim))[0]) * dim / 2
    start = row_dot_product(position + 1, distance, dim)
    return View(
        pictures=(
            Curves(
                f"PE(p) · PE(p + k) at p = {position:,}, d = {dim}",
                (
                    Curve("dot product", distances, curve),
                    Curve(f"k = {distance}", [distance], [product]),
                ),
                "distance k",
                "dot product",
            ),
        ),
        readings=(
            Reading("PE(p) · PE(p + k)", product, f"{product:.8f}"),
            Reading("from p + 1 instead", start, f"{start:.8f}"),
            Reading("sum of cos kω", cosines, f"{cosines:.8f}"),
            Reading("at k = 0, d/2", dim / 2, f"{dim / 2:g}"),
        ),
        see=f"At distance {distance} the product is {product:.4f}, whatever p is: move p and the curve stays.",
        say="The dot product of two rows is the sum of cos kω over the pairs: it depends on the distance alone, so "
        "nearby positions look alike from anywhere.",
        why="sin a sin b + cos a cos b = cos(a - b) in every pair. The cosine is even, so the product knows how far, "
        "not which way, and it is not monotone: it rises again here and there. In the model W_Q and W_K stand "
        "between the two rows, and the content is in them too; the plain product is what they start from.",
        words=(
            f"PE({position:,}) · PE({position + distance:,}) = {product:.8f}; from p + 1 it is {start:.8f}.",
            f"The sum of cos kω over the {dim // 2} pairs is {cosines:.8f}.",
            "By distance: " + ", ".join(f"{k}: {curve[k]:.4f}" for k in (0, 1, 2, 3, 4, 10, 30, 100)) + ".",
        ),
    )
