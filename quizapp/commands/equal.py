"""``quizapp equal``: decide whether two expressions are equal."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any, TextIO

import click

from quizapp.algebra import Names, Verdict, decide
from quizapp.commands.options import Common, common_options
from quizapp.errors import QuizappError, UsageError


class _Expressions(click.Command):
    """Takes what starts with ``-`` as an expression unless it is one of the options."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        options = {
            name: param for param in self.get_params(ctx) for name in param.opts if name.startswith("-")
        }
        before: list[str] = []
        expressions: list[str] = []
        rest = iter(args)
        for arg in rest:
            if arg == "--":
                expressions.extend(rest)
                break
            name, equals, _ = arg.partition("=")
            option = options.get(name if equals and name.startswith("--") else arg)
            if option is None:
                expressions.append(arg)
                continue
            before.append(arg)
            flag = isinstance(option, click.Option) and (option.is_flag or option.is_eager)
            if not flag and not (equals and arg.startswith("--")):
                before.extend([value for value in [next(rest, None)] if value is not None])
        return super().parse_args(ctx, [*before, "--", *expressions])


@click.command(cls=_Expressions)
@click.argument("a", required=False)
@click.argument("b", required=False)
@click.option(
    "--symbol", "symbols", multiple=True, metavar="NAME=ASSUMPTION", help='Such as "n=positive integer".'
)
@click.option(
    "--let", "lets", multiple=True, metavar="NAME=TEXT", help='Such as "R(x)=[[cos(x), -sin(x)], ...]".'
)
@click.option(
    "--limit", default=2.0, show_default=True, type=click.FloatRange(0.05, 600), help="Seconds for sympy."
)
@click.option(
    "--batch", metavar="FILE", help="JSON lines with a, b, symbols and let; - reads standard input."
)
@common_options
def command(
    common: Common,
    a: str | None,
    b: str | None,
    symbols: tuple[str, ...],
    lets: tuple[str, ...],
    limit: float,
    batch: str | None,
) -> int:
    """Decide whether A equals B: with a proof, a counterexample, or an honest "undecided".

    Undeclared symbols are real. Exit code 0 for equal, 1 for different or undecided, 2 for unreadable.
    """
    declared = dict(_split(symbol, "--symbol", "n=positive integer") for symbol in symbols)
    let = dict(_split(text, "--let", "A=[[a, b], [c, d]]") for text in lets)
    if batch is not None:
        if a is not None:
            raise UsageError("give two expressions or --batch, not both")
        _batch(batch, declared, let, limit)
        return 0
    if a is None or b is None:
        raise UsageError("two expressions are needed: quizapp equal A B")
    verdict = decide(a, b, Names(declared, let), limit=limit)
    if common.json:
        common.print_json(verdict.to_json())
    else:
        for line in _report(verdict, a, b):
            click.echo(line, err=verdict.verdict == "unreadable")
    return {"equal": 0, "unreadable": 2}.get(verdict.verdict, 1)


def _split(text: str, option: str, example: str) -> tuple[str, str]:
    name, mark, value = text.partition("=")
    if not mark or not name.strip() or not value.strip():
        raise UsageError(f"{option} {text!r}: write it as in {option} {example!r}")
    return name.strip(), value.strip()


def _report(verdict: Verdict, a: str, b: str) -> Iterator[str]:
    if verdict.verdict == "unreadable":
        text = " ".join((a if verdict.side == "a" else b).split("\n"))
        at = verdict.at or 1
        first = max(0, at - 60)
        yield f"unreadable: {verdict.message}"
        yield "  " + text[first : first + 76]
        yield "  " + " " * (at - 1 - first) + "^"
        return
    if verdict.verdict == "equal":
        yield f"equal: proved ({verdict.method})"
    elif verdict.verdict == "undecided":
        yield f"undecided: {verdict.message}"
    elif verdict.counterexample:
        yield f"different: at {', '.join(f'{name} = {value}' for name, value in verdict.counterexample)}"
    else:
        yield "different" + (
            f": {verdict.message}" if verdict.message and not verdict.agrees_to_digits else ""
        )
    if verdict.verdict == "different" and verdict.left is not None:
        yield f"  left   {_number(verdict.left)}"
        yield f"  right  {_number(verdict.right)}"
    if verdict.agrees_to_digits:
        yield f"  note   {verdict.message}"
    for condition in verdict.conditions:
        yield f"  note   {condition}"


def _number(value: Any) -> str:
    if isinstance(value, list):
        return "[" + ", ".join(map(_number, value)) + "]"
    return f"{value:.12g}" if isinstance(value, float) else "not defined" if value is None else str(value)


def _batch(source: str, symbols: dict[str, str], let: dict[str, str], limit: float) -> None:
    if source == "-":
        _answer_all(sys.stdin, source, symbols, let, limit)
        return
    with Path(source).open(encoding="utf-8") as lines:
        _answer_all(lines, source, symbols, let, limit)


def _answer_all(
    lines: TextIO, source: str, symbols: dict[str, str], let: dict[str, str], limit: float
) -> None:
    for number, line in enumerate(lines, 1):
        if line.strip():
            found = _answer(line, f"{source}:{number}", symbols, let, limit)
            click.echo(json.dumps(found, ensure_ascii=False, allow_nan=False))
            sys.stdout.flush()


def _answer(
    line: str, place: str, symbols: dict[str, str], let: dict[str, str], limit: float
) -> dict[str, Any]:
    """One verdict a line; a line that is no question is unreadable and says why, the rest go on."""
    try:
        question = json.loads(line)
        if not isinstance(question, dict) or not all(
            isinstance(question.get(side), str) for side in ("a", "b")
        ):
            raise UsageError(f'{place}: a line needs {{"a": "...", "b": "..."}}')
        own = [question.get(key, {}) for key in ("symbols", "let")]
        if not all(isinstance(part, dict) and all(isinstance(v, str) for v in part.values()) for part in own):
            raise UsageError(f"{place}: symbols and let map names to text")
        names = Names({**symbols, **own[0]}, {**let, **own[1]})
        return decide(question["a"], question["b"], names, limit=limit).to_json()
    except (ValueError, RecursionError) as error:
        return Verdict("unreadable", "reading", message=f"{place}: this is not JSON: {error}").to_json()
    except QuizappError as error:
        return Verdict("unreadable", "reading", message=str(error)).to_json()
