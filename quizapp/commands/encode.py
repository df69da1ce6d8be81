"""``quizapp encode``: the numbers of a positional encoding, as a table, JSON or CSV."""

from __future__ import annotations

import dataclasses
import functools
import os
import shutil
import sys
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any

import click

from quizapp.commands.options import Common, common_options
from quizapp.errors import UsageError

if TYPE_CHECKING:
    from quizapp.encodings.documents import Document
    from quizapp.encodings.models import Model
    from quizapp.encodings.scaling import Scaling

_METHODS = ("none", "linear", "ntk", "dynamic-ntk", "yarn", "llama3", "longrope")
# Options whose meaning belongs to one method; elsewhere they would do nothing.
_OWN_OPTIONS = {
    "beta_fast": ("yarn", "--beta-fast"),
    "beta_slow": ("yarn", "--beta-slow"),
    "truncate": ("yarn", "--no-truncate"),
    "paper_ramp": ("yarn", "--paper-ramp"),
    "mscale": ("yarn", "--mscale"),
    "mscale_all_dim": ("yarn", "--mscale-all-dim"),
    "low_freq_factor": ("llama3", "--low-freq-factor"),
    "high_freq_factor": ("llama3", "--high-freq-factor"),
    "short_factors": ("longrope", "--short-factors"),
    "long_factors": ("longrope", "--long-factors"),
}


def span(text: str) -> tuple[int, int]:
    """``A:B``, half-open, or one whole number, as (start, stop)."""
    first, colon, last = text.partition(":")
    try:
        start = int(first)
        return (start, int(last) if colon else start + 1)
    except ValueError:
        raise click.BadParameter(
            f"{text!r} is neither a whole number nor a range such as 0:16 (from 0 to 15)"
        ) from None


def numbers(text: str) -> tuple[float, ...]:
    """Numbers separated by commas."""
    try:
        return tuple(float(part) for part in text.split(","))
    except ValueError:
        raise click.BadParameter(f"{text!r} is not a list of numbers such as 1.0,1.05,1.1") from None


def whole_numbers(text: str) -> tuple[int, ...]:
    """Whole numbers separated by commas."""
    try:
        return tuple(int(part) for part in text.split(","))
    except ValueError:
        raise click.BadParameter(f"{text!r} is not a list of whole numbers such as 16,24,24") from None


def blocks(text: str) -> tuple[int | tuple[int, int, int], ...]:
    """Blocks of M-RoPE separated by commas: a number is text, ``4x6`` an image, ``2x4x6`` a video."""
    found: list[int | tuple[int, int, int]] = []
    for part in text.split(","):
        try:
            sizes = [int(size) for size in part.split("x")]
        except ValueError:
            sizes = []
        match sizes:
            case [length]:
                found.append(length)
            case [rows, columns]:
                found.append((1, rows, columns))
            case [frames, rows, columns]:
                found.append((frames, rows, columns))
            case _:
                raise click.BadParameter(
                    f"{part!r} is no block; 3 is text, 4x6 an image of 4 rows and 6 columns, 2x4x6 a video"
                )
    return tuple(found)


def scheme_options(function: Callable[..., Document]) -> Callable[..., None]:
    """The common options, ``--csv``, and the writing of the document that the command returns."""

    @common_options
    @click.option("--csv", "as_csv", is_flag=True, help="Print CSV, for scripts; large tables are streamed.")
    @functools.wraps(function)
    def wrapper(common: Common, as_csv: bool, **rest: Any) -> None:
        if common.json and as_csv:
            raise UsageError("--json and --csv exclude each other; give one of them")
        document = function(**rest)
        if common.json:
            _write(document.json())
        elif as_csv:
            _write(document.csv())
        else:
            _write(_text(document))

    return wrapper


@click.group(invoke_without_command=True)
@click.pass_context
def command(ctx: click.Context) -> None:
    """Numbers of a positional encoding, as a table with a heat map, JSON or CSV.

    Ranges A:B are half-open: 0:16 is 0 to 15.
    """
    if ctx.invoked_subcommand is None:
        raise UsageError(f"encode needs a scheme: {', '.join(sorted(command.commands))}")


@command.command("sinusoidal")
@click.option("--pos", type=span, metavar="A:B", required=True, help="One position or a range.")
@click.option("--dim", type=int, required=True, help="Dimension of the model; even.")
@click.option("--base", type=float, default=10000.0, show_default=True)
@click.option(
    "--layout",
    type=click.Choice(["interleaved", "concatenated", "tensor2tensor"]),
    default="interleaved",
    show_default=True,
    help="sin, cos, sin, cos (the paper); all sines, then all cosines; the authors' own code.",
)
@scheme_options
def sinusoidal_command(pos: tuple[int, int], dim: int, base: float, layout: str) -> Document:
    """Rows of the sinusoidal encoding."""
    from quizapp.encodings import documents

    return documents.sinusoidal(*pos, dim, base, layout)


@command.command("rope")
@click.option("--pos", type=span, metavar="A:B", required=True, help="One position or a range.")
@click.option("--dim", type=int, required=True, help="Dimension of a head; even.")
@click.option("--base", type=float, default=10000.0, show_default=True)
@click.option("--partial", type=float, help="Rotate only this share of the coordinates (GPT-NeoX, Phi).")
@click.option(
    "--proportional", type=float, help="Keep this share of the pairs, the fastest; others do not turn."
)
@scheme_options
def rope_command(
    pos: tuple[int, int], dim: int, base: float, partial: float | None, proportional: float | None
) -> Document:
    """Frequencies, angles, cosines and sines of rotary encoding."""
    from quizapp.encodings import documents

    return documents.rotary(*pos, dim, base, partial=partial, proportional=proportional)


@command.command("xpos")
@click.option("--pos", type=span, metavar="A:B", required=True, help="One position or a range.")
@click.option("--dim", type=int, required=True, help="Dimension of a head; even.")
@click.option("--base", type=float, default=10000.0, show_default=True)
@click.option(
    "--scale-base",
    type=float,
    default=512.0,
    show_default=True,
    help="Positions over which a pair shrinks by its zeta.",
)
@scheme_options
def xpos_command(pos: tuple[int, int], dim: int, base: float, scale_base: float) -> Document:
    """What xPos multiplies queries and divides keys by, beside turning them."""
    from quizapp.encodings import rotary_variants

    return rotary_variants.xpos(*pos, dim, base, scale_base)


@command.command("mrope")
@click.option(
    "--blocks",
    type=blocks,
    metavar="N,HxW,TxHxW,...",
    required=True,
    help="Text tokens, or rows x columns of an image, or frames x rows x columns of a video, in order.",
)
@click.option(
    "--sections",
    type=whole_numbers,
    metavar="T,H,W",
    help="Pairs for time, height and width.  [default: 16,24,24; 24,20,20 with --interleaved]",
)
@click.option("--interleaved", is_flag=True, help="Deal the pairs in turn (Qwen3-VL).")
@click.option("--base", type=float, default=1000000.0, show_default=True)
@scheme_options
def mrope_command(
    blocks: tuple[int | tuple[int, int, int], ...],
    sections: tuple[int, ...] | None,
    interleaved: bool,
    base: float,
) -> Document:
    """M-RoPE's positions in time, height and width for text, images and video."""
    from quizapp.encodings import mrope, rotary_variants

    usual = mrope.QWEN3_VL if interleaved else mrope.QWEN2_VL
    return rotary_variants.multimodal(blocks, sections or usual, base, interleaved=interleaved)


@command.command("rope-scaling")
@click.option("--model", metavar="NAME", help="A published model's settings, such as llama-3.1-8b.")
@click.option("--method", type=click.Choice(_METHODS), help="How the context is extended.  [default: none]")
@click.option("--dim", type=int, help="Dimension of a head; even.")
@click.option("--base", type=float, help="[default: 10000]")
@click.option("--factor", type=float, help="Wanted length over trained length; at least 1.")
@click.option("--original-length", type=int, help="The length trained at.")
@click.option("--length", type=int, help="The current length, for dynamic-ntk and longrope.")
@click.option("--beta-fast", type=float, help="yarn: turns from which a pair is kept.  [default: 32]")
@click.option("--beta-slow", type=float, help="yarn: turns below which a pair is interpolated.  [default: 1]")
@click.option(
    "--no-truncate", "truncate", flag_value=False, default=None, type=bool, help="yarn: exact range."
)
@click.option("--paper-ramp", flag_value=True, default=None, type=bool, help="yarn: the ramp of the paper.")
@click.option("--mscale", type=float, help="yarn: DeepSeek's mscale.")
@click.option("--mscale-all-dim", type=float, help="yarn: DeepSeek's mscale_all_dim.")
@click.option("--low-freq-factor", type=float, help="llama3: turns below which.  [default: 1]")
@click.option("--high-freq-factor", type=float, help="llama3: turns above which.  [default: 4]")
@click.option(
    "--short-factors",
    type=numbers,
    metavar="X,Y,...",
    help="longrope: one factor a pair, up to the trained length.",
)
@click.option(
    "--long-factors", type=numbers, metavar="X,Y,...", help="longrope: one factor a pair, beyond it."
)
@scheme_options
def rope_scaling_command(
    model: str | None,
    method: str | None,
    dim: int | None,
    base: float | None,
    length: int | None,
    **settings: Any,
) -> Document:
    """Rotary frequencies of a longer context, pair by pair."""
    from quizapp.encodings import models
    from quizapp.encodings.scaling_document import rope_scaling

    found = models.find(model) if model is not None else None
    if dim is None and found is None:
        raise UsageError("rope-scaling needs --dim (the dimension of a head) or --model NAME")
    scaling = _scaling(found, method, {key: value for key, value in settings.items() if value is not None})
    return rope_scaling(
        scaling,
        dim if dim is not None else found.rotary_dim if found else 0,
        base if base is not None else found.base if found else 10000.0,
        length=length,
        model=found,
    )


@command.command("models")
@scheme_options
def models_command() -> Document:
    """The models that rope-scaling knows by name."""
    from quizapp.encodings.scaling_document import model_list

    return model_list()


def _scaling(model: Model | None, method: str | None, given: dict[str, Any]) -> Scaling:
    from quizapp.encodings.scaling import Scaling

    start = model.scaling if model else Scaling()
    chosen = method or start.method
    for name in given:
        owner, option = _OWN_OPTIONS.get(name, (chosen, ""))
        if owner != chosen:
            raise UsageError(f"{option} belongs to --method {owner}, not to {chosen}")
    if chosen != start.method:
        start = Scaling(short_factors=start.short_factors, long_factors=start.long_factors)
        if chosen != "none" and "factor" not in given:
            raise UsageError(f"--method {chosen} needs --factor: the wanted length over the trained one")
    if start.original_length is None and model:
        start = dataclasses.replace(start, original_length=model.length)
    return dataclasses.replace(start, method=chosen, **given)


@command.command("alibi")
@click.option("--heads", type=int, required=True)
@click.option("--length", type=int, help="Print the bias of so many tokens too.")
@click.option(
    "--form",
    type=click.Choice(["paper", "bloom", "mpt"]),
    help="Bias as in the paper, or as shipped: the same softmax.  [default: paper]",
)
@scheme_options
def alibi_command(heads: int, length: int | None, form: str | None) -> Document:
    """Slopes of ALiBi and, with a length, its bias."""
    from quizapp.encodings import documents

    if form is not None and length is None:
        raise UsageError("--form shapes the bias; give --length too")
    return documents.alibi_scheme(heads, length, form or "paper")


@command.command("t5")
@click.option(
    "--offsets", type=span, metavar="A:B", default="-128:129", show_default=True, help="Key minus query."
)
@click.option("--buckets", type=int, default=32, show_default=True)
@click.option("--max-distance", type=int, default=128, show_default=True)
@click.option("--bidirectional/--causal", default=True, help="Encoder or decoder.  [default: bidirectional]")
@scheme_options
def t5_command(offsets: tuple[int, int], buckets: int, max_distance: int, bidirectional: bool) -> Document:
    """T5's bucket of each offset."""
    from quizapp.encodings import documents

    return documents.t5(*offsets, buckets, max_distance, bidirectional=bidirectional)


@command.command("shaw")
@click.option("--length", type=int, required=True)
@click.option("--clip", type=int, required=True, help="The largest offset with a row of its own.")
@scheme_options
def shaw_command(length: int, clip: int) -> Document:
    """Which row of Shaw's table every query and key pair reads."""
    from quizapp.encodings import documents

    return documents.shaw(length, clip)


@command.command("learned")
@click.option("--length", type=int, required=True, help="Rows of the table.")
@click.option("--dim", type=int, required=True)
@click.option("--pos", type=span, metavar="A:B", help="Positions to look up; one without a row is an error.")
@scheme_options
def learned_command(length: int, dim: int, pos: tuple[int, int] | None) -> Document:
    """Size of a learned table, and where it ends."""
    from quizapp.encodings import documents

    return documents.learned(length, dim, pos)


def _text(document: Document) -> Iterable[bytes]:
    encoding = sys.stdout.encoding or "ascii"
    try:
        "░▒▓█·".encode(encoding)
        unicode = True
    except (UnicodeEncodeError, LookupError):
        unicode = False
    # A pipe has no width of its own; 80 columns suit every reader.
    columns = shutil.get_terminal_size().columns if sys.stdout.isatty() else 80
    for line in document.lines(unicode=unicode, width=min(max(columns, 40), 120)):
        yield (line + os.linesep).encode(encoding, "replace")


def _write(pieces: Iterable[bytes]) -> None:
    try:
        for piece in pieces:
            sys.stdout.buffer.write(piece)
        sys.stdout.buffer.flush()
    except BrokenPipeError:
        # The reader of a pipe has seen enough; click would turn that into exit code 1.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
