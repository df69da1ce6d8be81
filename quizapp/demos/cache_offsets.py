"""The offsets that a decoded token sees when its label is wrong: the ones it should see, and the others."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from quizapp.demos.cache_runs import LABELS, ZERO
from quizapp.demos.model import Choice, Control, Curve, Curves, Number, Reading, Value, View
from quizapp.demos.offsets_grid import signed
from quizapp.demos.wording import counted, ordinal
from quizapp.encodings.relative import offsets

LONGEST, MOST_NEW = 4096, 16

SAY = (
    "After a prompt of P tokens the first decoded one stands at position P. A path that labels it 0 turns the "
    "offset of key n from n - P into n: what came before seems to come after. Nothing crashes, latency is normal; "
    "only the logits are wrong."
)
_WHY = (
    "A cached key was rotated by its own position and is right; the query is rotated by its label and is wrong, "
    "so all offsets shift by the label's error. Tokens decoded earlier carry the same bug in their keys, so "
    "among themselves they may look right. The causal mask follows the order in which tokens came, not the "
    "labels, so no key is hidden. Had all tokens been shifted alike, RoPE would not notice: only the difference "
    "counts."
)


def controls(values: Mapping[str, Value]) -> tuple[Control, ...]:
    prompt, token = (_whole(values, name, start) for name, start in (("prompt", 512), ("token", 0)))
    last = min(max(prompt, 1), LONGEST) + min(max(token, 0), MOST_NEW - 1)
    return (
        Number("prompt", "prompt tokens", 1, LONGEST, 512, leap=64),
        Choice("label", "label", tuple(LABELS), ZERO),
        Number("token", "decoded token", 0, MOST_NEW - 1, 0, leap=4),
        Number("key", "key n", 0, last, min(300, last), leap=50),
    )


def _whole(values: Mapping[str, Value], name: str, start: int) -> int:
    value = values.get(name, start)
    return value if isinstance(value, int) else start


def view(values: Mapping[str, Value]) -> View:
    prompt, token, key = (int(values[name]) for name in ("prompt", "token", "key"))
    name = str(values["label"])
    query = prompt + token
    given = [LABELS[name](place, prompt) for place in range(prompt, query + 1)]
    own = given[-1]
    keys = np.arange(query + 1)
    labels = np.concatenate([keys[:prompt], given])
    seen, right = offsets([own], labels)[0], offsets([query], keys)[0]
    picture = Curves(
        f"offsets that the token at {query} sees",
        (
            Curve("seen", keys.tolist(), seen.tolist()),
            Curve("right", keys.tolist(), right.tolist()),
            Curve(f"key {key}", [key], [int(seen[key])]),
        ),
        "key n",
        "offset",
    )
    got, wanted = int(seen[key]), int(right[key])
    wrong = int((seen != right).sum())
    readings = (
        Reading("position", query, str(query)),
        Reading("its label", own, str(own)),
        Reading("offset seen", got, signed(got)),
        Reading("right offset", wanted, signed(wanted)),
        Reading("wrong offsets", wrong, f"{wrong} of {seen.size}"),
    )
    if not wrong:
        see = f"Labelled {query}, the token sees key {key} at {signed(wanted)}, and every other key rightly too."
    elif got == wanted:
        see = (
            f"Labelled {own} for {query}, it sees key {key} rightly at {signed(wanted)}; {wrong} of "
            f"{seen.size} offsets are wrong."
        )
    else:
        see = (
            f"Labelled {own} for {query}, it sees key {key} at {signed(got)} and not at {signed(wanted)}; "
            f"{wrong} of {seen.size} offsets are wrong."
        )
    shown = sorted({0, prompt // 2, prompt - 1, key, query})
    lines = (
        f"A prompt of {counted(prompt, 'token')}; then the {ordinal(token + 1)} decoded token, at position {query}, is "
        f"labelled {own}.",
        *(
            f"Key {place}: seen at {signed(int(seen[place]))}, right {signed(int(right[place]))}."
            for place in shown
        ),
        f"Wrong offsets: {wrong} of {seen.size}.",
    )
    return View((picture,), readings, see, SAY, _WHY, lines)
