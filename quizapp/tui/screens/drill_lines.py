"""The lines round a card in the drill: where you are, its tags, the grades, how an answer is read."""

from __future__ import annotations

from textual.content import Content
from textual.style import Style

from quizapp.review.session import Session
from quizapp.review.turn import Turn
from quizapp.review.types import Grade
from quizapp.tui.words import GRADE_WORDS


def progress(session: Session, *, narrow: bool) -> Content:
    """Which card of how many; what is ahead and a bar, where there is room."""
    counts = session.counts
    total = session.total
    if narrow:
        return Content(f"{session.position}/{total}")
    done = session.position - 1
    cells = 8
    full = round(cells * done / total) if total else 0
    ahead = f"again {counts.again} · due {counts.due} · new {counts.new}"
    return Content(f"{ahead}   {'▓' * full}{'░' * (cells - full)} {session.position}/{total}")


def tags(turn: Turn) -> Content:
    marks = (["marked"] if turn.state.marked else []) + (["leech"] if turn.state.leech else [])
    return Content(" · ".join([*marks, turn.card.kind, *turn.card.tags]))


def grades(session: Session, *, narrow: bool) -> Content:
    """The grades with their intervals, the suggested one in brackets; two a line where it is narrow."""
    turn = session.turn
    if turn is None or not turn.answered:
        return Content("")
    suggested = session.suggested_grade
    parts: list[Content] = []
    for grade in Grade:
        outcome = session.outcomes.get(grade)
        text = f"{grade.value} {GRADE_WORDS[grade]}" + (f" {outcome.interval} d" if outcome else "")
        part = (
            Content.styled(f"[{text}]", "bold $text-accent") if grade is suggested else Content(f" {text} ")
        )
        parts.append(part.stylize(Style.from_meta({"grade": grade.value})))
    space = Content("  ")
    if not narrow:
        return space.join(parts)
    return Content("\n").join([space.join(parts[:2]), space.join(parts[2:])])


def read_as(read: str) -> Content:
    if not read:
        return Content("")
    if read.startswith("$") and read.endswith("$"):
        from quizapp.notation import draw

        rows = draw(read[1:-1]).rows
        return Content(
            "\n".join(("read as  " if number == 0 else " " * 9) + row for number, row in enumerate(rows))
        )
    return Content(f"read as  {read}")
