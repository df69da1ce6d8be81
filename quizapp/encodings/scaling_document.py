"""A context extension as a document: what became of every pair, and which never complete a turn in
training.
"""

from __future__ import annotations

from typing import Any

from quizapp.encodings import frequencies, yarn
from quizapp.encodings.blocks import csv_table
from quizapp.encodings.documents import Document
from quizapp.encodings.models import MODELS, Model
from quizapp.encodings.scaling import Scaling, scale
from quizapp.encodings.text import Table, number

# The fields that matter to a method, beside factor and original length.
USED: dict[str, tuple[str, ...]] = {
    "none": (),
    "linear": (),
    "ntk": (),
    "dynamic-ntk": (),
    "yarn": ("beta_fast", "beta_slow", "truncate", "paper_ramp", "mscale", "mscale_all_dim"),
    "llama3": ("low_freq_factor", "high_freq_factor"),
    "longrope": ("short_factors", "long_factors"),
}


def rope_scaling(
    scaling: Scaling, dim: int, base: float, *, length: int | None = None, model: Model | None = None
) -> Document:
    """Scaled frequencies and attention factor; ``model`` is where the settings come from, if from one."""
    scaled = scale(scaling, dim, base, length)
    plain = frequencies.inverse_frequencies(dim, base)
    waves = frequencies.wavelengths(scaled.frequencies)
    original = scaling.original_length
    parameters: dict[str, Any] = {
        **({"model": model.title} if model else {}),
        "method": scaling.method,
        "dim": dim,
        "base": float(base),
        "factor": float(scaling.factor),
        "original_length": original,
        "length": length,
    }
    for name in USED[scaling.method]:
        if not name.endswith("_factors"):
            parameters[name] = getattr(scaling, name)
    arrays: dict[str, Any] = {
        "inv_freq": scaled.frequencies,
        "attention_factor": scaled.attention_factor,
        "unscaled_inv_freq": plain,
        "wavelengths": waves,
    }
    notes = [f"Attention factor {scaled.attention_factor:.10g} on cosines and sines, its square on scores."]
    if scaling.method == "yarn" and scaling.mscale_all_dim:
        arrays["softmax_scale_factor"] = yarn.softmax_scale_factor(scaling.factor, scaling.mscale_all_dim)
        notes.append(f"The softmax scale is multiplied by {arrays['softmax_scale_factor']:.6g}.")
    if model:
        arrays["source"] = model.source
        notes.append(f"Settings from {model.source}.")
    header = ["pair", "inv_freq", "of unscaled", "wavelength"]
    columns = [
        [f"{value:.6g}" for value in scaled.frequencies.tolist()],
        [f"{value:.4f}" for value in (scaled.frequencies / plain).tolist()],
        [number(value) for value in waves.tolist()],
    ]
    if original is not None:
        turned = frequencies.turns(plain, original)
        first = frequencies.first_incomplete_pair(plain, original)
        arrays["first_incomplete_pair"] = first
        header.append("turns in training")
        columns.append([f"{value:.4g}" for value in turned.tolist()])
        notes.append(_incomplete(first, plain.size, original))
    changed = scaling.method != "none"
    cells = zip(scaled.frequencies.tolist(), plain.tolist(), waves.tolist(), strict=True)
    rows = [[pair, *values, scaled.attention_factor] for pair, values in enumerate(cells)]
    names = ["pair", "inv_freq", "unscaled_inv_freq", "wavelength", "attention_factor"]
    return Document(
        scheme="rope-scaling",
        parameters=parameters,
        shape=scaled.frequencies.shape,
        arrays=arrays,
        csv=lambda: iter([csv_table(names, rows)]),
        table=Table(
            tuple(header),
            tuple((str(pair), *values) for pair, values in enumerate(zip(*columns, strict=True))),
        ),
        picture=(scaled.frequencies / plain)[None, :] if changed else None,
        notes=(*(["The picture: each pair's frequency over its unscaled one."] if changed else []), *notes),
    )


def model_list() -> Document:
    """Every model that ``--model`` knows, with its settings and their source."""
    fields = ("name", "dim", "base", "length", "method", "factor", "layout", "source")
    rows = [
        (
            name,
            model.rotary_dim,
            float(model.base),
            model.length,
            model.scaling.method,
            float(model.scaling.factor),
            model.layout,
            model.source,
        )
        for name, model in MODELS.items()
    ]
    return Document(
        scheme="models",
        parameters={"count": len(rows)},
        shape=(len(rows),),
        arrays={"models": [dict(zip(fields, row, strict=True)) for row in rows]},
        csv=lambda: iter([csv_table(fields, rows)]),
        table=Table(
            fields[:-2],
            tuple((row[0], str(row[1]), number(row[2]), str(row[3]), row[4], number(row[5])) for row in rows),
        ),
        most_rows=len(rows),
        notes=("dim is what rotates of a head; length is the trained one. --json names each source.",),
    )


def _incomplete(first: int | None, pairs: int, original: int) -> str:
    if first is None:
        return f"Every unscaled pair completes a turn within {original} positions."
    late = f"{pairs - first} of {pairs} pairs, from pair {first} on"
    return f"Unscaled, {late}, complete no turn within {original} positions."
