"""A card on the screen: the question stays where it is, the answer opens below it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import lru_cache

from textual.content import Content
from textual.style import Style

from quizapp.review.question import LETTERS, Question
from quizapp.review.session import Session
from quizapp.review.turn import Turn
from quizapp.tui.widgets.markdown_rows import Palette, Row, beside, markdown_rows
from quizapp.tui.widgets.row_view import RowView

_SIGN = {"right": ("✓", "$text-success"), "wrong": ("✗", "$text-error"), "undecided": ("·", "$text-warning")}
_QUIET = "$text-muted"


@dataclass(frozen=True)
class Part:
    """One part of a card: Markdown, or text as it stands. ``mark`` stands before it, ``space`` empty rows above it."""

    text: str | Content
    style: str | Style = ""
    mark: Content = Content.empty()  # noqa: RUF009  (immutable)
    space: int = 1

    def rows(self, width: int, palette: Palette) -> Iterator[Row]:
        room = self.mark.cell_length
        found = (
            markdown_rows(self.text, width - room, palette)
            if isinstance(self.text, str)
            else tuple(map(Row, self.text.wrap(width - room)))
        )
        for row in beside(self.mark, Content(" " * room), found):
            yield replace(row, body=row.body.stylize_before(self.style)) if self.style else row


class CardView(RowView):
    """Shows one turn of a session."""

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self._parts: tuple[Part | None, ...] = ()
        self._question: Question | None = None

    def show(self, session: Session, *, cursor: int, chosen: frozenset[str], typed: str) -> None:
        """Show the card in hand: ``cursor`` is the key point in hand, ``chosen`` the letters picked so far,
        ``typed`` the answer that the verdict is about."""
        turn = session.turn
        assert turn is not None
        parts: list[Part | None] = [*_question(turn, chosen)]
        if turn.answered:
            parts += [None, *_reply(session, turn, cursor, typed)]
        self._parts = tuple(parts)
        same = turn.question is self._question
        self._question = turn.question
        self.changed(same=same)

    def prepare(self, text: str) -> None:
        """Read and draw a text of a card that is shown soon."""
        markdown_rows(text, self.content_size.width, self.palette)

    def lay_out(self, width: int, palette: Palette) -> list[Row]:
        made: list[Row] = []
        for part in self._parts:
            space = part.space if part else 1
            made += [Row(Content.empty())] * (space if made else 0)
            # A line parts the answer from the question.
            made += (
                part.rows(width, palette) if part else [Row(Content.styled("─" * width, "$foreground 25%"))]
            )
        return made


def _question(turn: Turn, chosen: frozenset[str]) -> Iterator[Part]:
    question = turn.question
    yield Part(question.heading, "bold")
    if question.prompt:
        yield Part(question.prompt)
    for number, option in enumerate(question.options):
        letter = LETTERS[number]
        picked = letter in chosen or (turn.checked is not None and number in turn.checked.chosen)
        sign, style = ("▸", "bold $text-accent") if picked else (" ", "$text-accent")
        if turn.answered:
            sign, style = (" ", _QUIET)
            if option.right:
                sign, style = ("✓", "$text-success")
            elif picked:
                sign, style = ("✗", "$text-error")
        mark = Content.assemble((f"  {sign} {letter})  ", style)).stylize(Style.from_meta({"choose": letter}))
        yield Part(option.text, Style.from_meta({"choose": letter}), mark, space=int(not number))
    if question.trouble:
        yield Part(Content(question.trouble), _QUIET)
    hints = turn.card.fields.hints
    for number in range(turn.hints):
        text = Content.assemble((f"hint {number + 1} of {len(hints)}   ", "$text-warning"), hints[number])
        yield Part(text, space=int(not number))


def _reply(session: Session, turn: Turn, cursor: int, typed: str) -> Iterator[Part]:
    fields = turn.card.fields
    checked = turn.checked
    if checked is not None:
        sign, style = _SIGN[checked.verdict]
        said = f"   you said {typed}" if typed and not turn.question.options else ""
        yield Part(Content.assemble((f"{sign} {checked.message}", style), (said, _QUIET)))
        if checked.right_answer and not turn.question.options:
            yield Part(f"The answer: {checked.right_answer}")
    elif turn.card.kind in ("number", "expression"):
        yield Part(f"The answer: {fields.answer} {fields.unit or ''}")
    if turn.question.answer:
        yield Part(turn.question.answer)
    if fields.points:
        yield Part(Content("Did you say           (arrows and x tick; the grade follows)"), _QUIET)
    for number, point in enumerate(fields.points):
        ticked = number in turn.ticked
        sign, style = ("✓", "$text-success") if ticked else ("·", _QUIET)
        here = "▸" if number == cursor else " "
        meta = Style.from_meta({"point": number})
        mark = Content.assemble((here, "$text-accent"), (f"{sign}  ", style)).stylize(meta)
        yield Part(Content(_plain(point)), meta, mark, space=0)
    space = 1
    if follow_ups := session.follow_ups():
        yield Part(f"next: {follow_ups[0].heading}  (f)", _QUIET)
        space = 0
    if fields.sources:
        yield Part(Content("; ".join(fields.sources)), _QUIET, space=space)


@lru_cache(maxsize=512)
def _plain(text: str) -> str:
    """One line of a key point, its formulas as they stand in a line."""
    from quizapp.notation import render_text

    return " ".join(line.strip() for line in render_text(text, width=10_000))
