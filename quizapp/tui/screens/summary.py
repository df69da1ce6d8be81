"""The end of a session: what was learned, what comes back, the hardest cards."""

from __future__ import annotations

from collections.abc import Callable
from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import VerticalScroll
from textual.content import Content
from textual.screen import Screen
from textual.widgets import Label, Static

from quizapp.review.session import Session
from quizapp.review.types import Grade
from quizapp.tui.widgets.key_line import KeyLine
from quizapp.tui.words import GRADE_WORDS, said_undone


class SummaryScreen(Screen[bool]):
    """Closes with True where undo brought a card back."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding(
            "enter,escape,q,space", "dismiss(False)", "Home", id="summary-home", tooltip="Back to the decks"
        ),
        Binding("u", "undo", "Undo", id="summary-undo", tooltip="Take the last grade back and go on there"),
        Binding("r", "again", "Hardest again", id="summary-again", tooltip="Ask the hardest cards as a cram"),
    ]  # fmt: skip

    def __init__(self, session: Session, again: Callable[[], None]) -> None:
        super().__init__()
        self._session = session
        self._again = again

    def compose(self) -> ComposeResult:
        with VerticalScroll(id="summary"):
            yield Label(Content("Done"), classes="box-title")
            yield Static(Content(summary_text(self._session)))
        yield KeyLine()

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:  # noqa: ARG002
        return bool(self._session.summary().hardest) if action == "again" else True

    def action_again(self) -> None:
        self._again()

    def action_undo(self) -> None:
        undone = self._session.undo()
        if undone is None:
            self.notify("There is nothing to undo.", markup=False)
        else:
            self.notify(said_undone(undone), markup=False)
            self.dismiss(True)


def summary_text(session: Session) -> str:
    """The summary in words; numbers beside every bar."""
    summary = session.summary()
    lines = [
        f"{summary.cards} {'card' if summary.cards == 1 else 'cards'} in {round(summary.seconds / 60)} min"
    ]
    if summary.learned:
        lines.append(f"{summary.learned} new")
    most = max(summary.grades.values(), default=0)
    lines.append("")
    for grade in Grade:
        count = summary.grades.get(grade, 0)
        if count:
            lines.append(f"{GRADE_WORDS[grade]:<6} {'█' * max(1, round(20 * count / most))} {count}")
    if summary.comes_back:
        lines += ["", "comes back"]
        lines += [
            f"  {day:%a} {day.day:>2} {day:%b}  {count}"
            for day, count in list(summary.comes_back.items())[:7]
        ]
    if summary.hardest:
        lines += ["", "hardest (r asks them again)"]
        lines += [f"  {' '.join(card.heading.split())[:70]}" for card in summary.hardest]
    if session.cram:
        lines += ["", "A cram: the schedule is as it was."]
    return "\n".join(lines)
