"""A card on the screen: the question stays where it is, the answer opens below it."""

from __future__ import annotations

from textual.app import ComposeResult
from textual.containers import Vertical
from textual.content import Content
from textual.style import Style
from textual.widget import Widget
from textual.widgets import Rule, Static

from quizapp.review.question import LETTERS
from quizapp.review.session import Session, Turn
from quizapp.tui.widgets.card_markdown import CardMarkdown

_SIGN = {"right": ("✓", "$text-success"), "wrong": ("✗", "$text-error"), "undecided": ("·", "$text-warning")}


class CardView(Vertical):
    """Shows one turn of a session. Parts are made once for a card and changed as it is answered."""

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self._shown: tuple[object, bool] | None = None

    def compose(self) -> ComposeResult:
        yield Vertical(id="question")
        yield Vertical(id="reply")

    async def show(self, session: Session, *, cursor: int, chosen: frozenset[str], typed: str) -> None:
        """Show the card in hand: ``cursor`` is the key point in hand, ``chosen`` the letters picked so far,
        ``typed`` the answer that the verdict is about."""
        turn = session.turn
        assert turn is not None
        question, reply = self.query_one("#question"), self.query_one("#reply")
        if self._shown is None or self._shown[0] is not turn.question:
            await question.remove_children()
            await question.mount_all(_question(turn))
            self._shown = (turn.question, not turn.answered)
        for widget in question.query(OptionLine):
            widget.show(turn, chosen)
        hints = question.query_one("#hints", Static)
        hints.display = bool(turn.hints)
        hints.update(_hints(turn))
        if self._shown[1] != turn.answered:
            await reply.remove_children()
            if turn.answered:
                await reply.mount_all(_reply(session, turn, typed))
            self._shown = (turn.question, turn.answered)
        if turn.answered and turn.card.fields.points:
            reply.query_one("#points", Static).update(_points(turn, cursor))


class OptionLine(Widget):
    """One answer of a choice, with its letter and, once answered, whether it is right."""

    DEFAULT_CSS = """
    OptionLine { layout: horizontal; height: auto; margin: 0 0 0 2; }
    OptionLine > Static { width: 6; height: auto; }
    OptionLine > CardMarkdown { width: 1fr; }
    """

    def __init__(self, number: int, text: str, *, right: bool) -> None:
        super().__init__()
        self._number = number
        self._text = text
        self._right = right

    def compose(self) -> ComposeResult:
        yield Static("")
        yield CardMarkdown(self._text)

    def show(self, turn: Turn, chosen: frozenset[str]) -> None:
        letter = LETTERS[self._number]
        picked = letter in chosen or (turn.checked is not None and self._number in turn.checked.chosen)
        mark, style = ("▸", "bold $text-accent") if picked else (" ", "$text-accent")
        if turn.answered:
            mark, style = (" ", "$text-muted")
            if self._right:
                mark, style = ("✓", "$text-success")
            elif picked:
                mark, style = ("✗", "$text-error")
        self.query_one(Static).update(Content.assemble((f"{mark} {letter})  ", style)))

    def on_click(self) -> None:
        self.app.call_later(self.app.run_action, f"screen.choose('{LETTERS[self._number]}')")


def _question(turn: Turn) -> list[Widget]:
    question = turn.question
    parts: list[Widget] = [CardMarkdown(question.heading, classes="heading")]
    if question.prompt:
        parts.append(CardMarkdown(question.prompt, classes="prompt"))
    if question.options:
        options = [
            OptionLine(n, option.text, right=option.right) for n, option in enumerate(question.options)
        ]
        parts.append(Vertical(*options, classes="options"))
    if question.trouble:
        parts.append(Static(Content(question.trouble), classes="quiet"))
    parts.append(Static("", id="hints"))
    return parts


def _hints(turn: Turn) -> Content:
    hints = turn.card.fields.hints
    lines = [
        Content.assemble((f"hint {n + 1} of {len(hints)}   ", "$text-warning"), hints[n])
        for n in range(turn.hints)
    ]
    return Content("\n").join(lines)


def _reply(session: Session, turn: Turn, typed: str) -> list[Widget]:
    parts: list[Widget] = [Rule(line_style="ascii" if session.cram else "solid")]
    fields = turn.card.fields
    if turn.checked is not None:
        sign, style = _SIGN[turn.checked.verdict]
        said = f"   you said {typed}" if typed and not turn.question.options else ""
        parts.append(
            Static(
                Content.assemble((f"{sign} {turn.checked.message}", style), (said, "$text-muted")),
                id="verdict",
            )
        )
        if turn.checked.right_answer and not turn.question.options:
            parts.append(CardMarkdown(f"The answer: {turn.checked.right_answer}"))
    elif turn.card.kind in ("number", "expression"):
        parts.append(CardMarkdown(f"The answer: {fields.answer} {fields.unit or ''}"))
    if turn.question.answer:
        parts.append(CardMarkdown(turn.question.answer, classes="answer"))
    if fields.points:
        parts.append(
            Static(Content("Did you say           (arrows and x tick; the grade follows)"), classes="quiet")
        )
        parts.append(Static("", id="points"))
    if follow_ups := session.follow_ups():
        parts.append(CardMarkdown(f"next: {follow_ups[0].heading}  (f)", classes="quiet"))
    if fields.sources:
        parts.append(Static(Content("; ".join(fields.sources)), classes="quiet"))
    return parts


def _points(turn: Turn, cursor: int) -> Content:
    lines = []
    for number, point in enumerate(turn.card.fields.points):
        ticked = number in turn.ticked
        sign, style = ("✓", "$text-success") if ticked else ("·", "$text-muted")
        here = "▸" if number == cursor else " "
        line = Content.assemble((here, "$text-accent"), (f"{sign}  ", style), _plain(point))
        lines.append(line.stylize(Style.from_meta({"point": number})))
    return Content("\n").join(lines)


def _plain(text: str) -> str:
    """One line of a key point, its formulas as they stand in a line."""
    from quizapp.notation import render_text

    return " ".join(line.strip() for line in render_text(text, width=10_000))
