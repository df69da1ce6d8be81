"""Drill by lines of text: each line of input is one command, each grade is said once it is saved."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from quizapp.notation import render_text
from quizapp.plain.derive import PlainDerivation
from quizapp.review.question import LETTERS
from quizapp.review.session import Session
from quizapp.review.types import Grade
from quizapp.text import strip_controls

Ask = Callable[[], str | None]
Say = Callable[[str], None]

WIDTH = 78
_LEAVE, _HINT, _UNDO = (":q", "q"), (":h", "h"), (":u", "u")
_HELP = (
    "An empty line shows the answer. On cards with a typed answer, type it.",
    "1 again, 2 hard, 3 good, 4 easy: after the answer. :h hint, :u undo, :s suspend, :b bury, :m mark,",
    ":f follow-up (:f 2 for the second), :v derivation, :q leave.",
    "Bare h, u and q do the same where they cannot be an answer.",
)


class PlainDrill:
    """One session, driven by lines. ``titles`` gives each deck's title by name."""

    def __init__(
        self, session: Session, ask: Ask, say: Say, *, titles: Mapping[str, str], latex: bool = False,
        derivation: Callable[[str], PlainDerivation] | None = None,
    ) -> None:  # fmt: skip
        self._session = session
        self._ask = ask
        self._say = say
        self._titles = titles
        self._latex = latex
        self._derivation = derivation

    def play(self) -> None:
        """Go on until the last card, ``:q`` or the end of input. With no card left, the last action can be undone."""
        if self._over():
            self._offer_undo("u: take the last action back, empty line: leave")
        else:
            self._show_question()
        while not self._over():
            line = self._ask()
            if line is None or not self._obey(strip_controls(line).strip()):
                break
            if self._over():
                # The last grade can be a slip of the finger too.
                self._say("")
                self._offer_undo("that was the last card (u: undo, empty line: leave)")
        self._show_summary()

    def _over(self) -> bool:
        return self._session.phase == "done"

    def _offer_undo(self, offer: str) -> None:
        self._say(offer)
        line = self._ask()
        if line is not None and strip_controls(line).strip().lower() in _UNDO:
            self._undo()

    def _obey(self, text: str) -> bool:
        """Act on one line; False to leave."""
        session = self._session
        turn = session.turn
        assert turn is not None
        asked = session.phase == "asked"
        bare = not (asked and turn.question.types_answer)
        if text == ":q" or (bare and text.lower() in _LEAVE):
            return False
        if text == ":h" or (bare and text.lower() in _HINT):
            self._hint()
        elif text == ":u" or (bare and text.lower() in _UNDO):
            self._undo()
        elif text in (":s", ":b", ":m", ":v", ":?", "?"):
            self._command(text)
        elif text.split(" ")[0] == ":f":
            self._follow_up(text[2:].strip())
        elif text.startswith(":"):
            self._say(f"{text}: no such command; :? lists them")
        elif asked:
            self._answer(text)
        elif text in ("1", "2", "3", "4"):
            self._grade(Grade(int(text)))
        elif not text:
            self._say("grade it: 1 again, 2 hard, 3 good, 4 easy")
        else:
            self._say(f"{text}: grade with 1 to 4, or :? for help")
        return True

    def _answer(self, text: str) -> None:
        session = self._session
        turn = session.turn
        assert turn is not None
        if not text:
            session.reveal()
            self._show_answer()
        elif not turn.question.types_answer:
            if text in ("1", "2", "3", "4"):
                self._say("an empty line shows the answer first; then grade it")
            else:
                self._say("say it aloud; an empty line shows the answer, :? lists the commands")
        else:
            checked = session.answer(text)
            named = checked.message.startswith(checked.verdict)
            self._lines(checked.message if named else f"{checked.verdict}: {checked.message}")
            if checked.verdict == "unreadable":
                return
            if checked.right_answer:
                start = "\n\n" if "\n" in checked.right_answer else " "
                self._lines(f"The answer:{start}{checked.right_answer}")
            self._show_answer()

    def _grade(self, grade: Grade) -> None:
        turn = self._session.turn
        assert turn is not None
        review = self._session.grade(grade)
        if review is None:
            self._say(f"cram {turn.card.id} {grade.word}; the schedule is as it was")
        else:
            days = review.interval
            self._say(f"saved {review.card} {grade.word} next {review.due.isoformat()} ({days} d)")
        if self._session.phase != "done":
            self._show_question()

    def _hint(self) -> None:
        turn = self._session.turn
        assert turn is not None
        hint = self._session.hint()
        total = len(turn.card.fields.hints)
        if hint is None:
            self._say("no further hint" if total else "this card has no hint")
        else:
            self._lines(f"hint {turn.hints + 1} of {total}: {hint}")

    def _undo(self) -> None:
        undone = self._session.undo()
        if undone is None:
            self._say("there is nothing to undo")
            return
        self._say(f"undone: {undone.words}")
        if not self._over():
            self._show_question()

    def _command(self, text: str) -> None:
        session = self._session
        turn = session.turn
        assert turn is not None
        match text:
            case ":s":
                session.suspend()
                self._say(f"suspended {turn.card.id}")
            case ":b":
                session.bury()
                self._say(f"buried {turn.card.id} until tomorrow")
            case ":m":
                self._say(f"{'marked' if session.toggle_mark() else 'unmarked'} {turn.card.id}")
                return
            case ":v":
                self._derive()
                return
            case _:
                for line in _HELP:
                    self._say(line)
                return
        if session.phase != "done":
            self._show_question()

    def _follow_up(self, which: str) -> None:
        found = self._session.follow_ups()
        if not found:
            self._say("this card has no follow-up")
        elif (which or "1") not in {str(number) for number in range(1, len(found) + 1)}:
            self._say(f":f {which}: this card's follow-ups are 1 to {len(found)}")
        else:
            self._session.open_follow_up(found[int(which or 1) - 1].id)
            self._show_question()

    def _derive(self) -> None:
        turn = self._session.turn
        assert turn is not None
        name = turn.card.fields.derivation
        if not name or self._derivation is None:
            self._say("this card has no derivation")
            return
        played = self._derivation(name)
        played.play()
        if played.suggested_grade is not None:
            self._session.suggest(played.suggested_grade)
            self._say(
                f"the derivation speaks for {played.suggested_grade.value} {played.suggested_grade.word}"
            )
        self._show_question()

    def _show_question(self) -> None:
        session = self._session
        turn = session.turn
        assert turn is not None
        title = self._titles.get(turn.card.deck, turn.card.deck)
        self._say("")
        self._say(strip_controls(f"{title} · {session.position} of {session.total} · {turn.card.kind}"))
        self._markdown(turn.question.heading)
        if session.phase == "answered":
            self._show_answer()
            return
        if turn.question.prompt:
            self._say("")
            self._markdown(turn.question.prompt)
        for letter, option in zip(LETTERS, turn.question.options, strict=False):
            self._markdown(option.text, f"{letter}) ")
        if turn.question.trouble:
            self._say(strip_controls(f"this card cannot be drawn: {turn.question.trouble}"))
        if turn.question.options:
            self._say("(a letter: your answer, empty line: answer, :h: hint, :q: leave)")
        elif turn.question.types_answer:
            self._say("(type your answer, empty line: answer, :h: hint, :q: leave)")
        elif turn.card.kind == "derivation" and self._derivation is not None:
            self._say("(:v: step through it, empty line: answer, h: hint, q: leave)")
        else:
            self._say("(empty line: answer, h: hint, q: leave)")

    def _show_answer(self) -> None:
        session = self._session
        turn = session.turn
        assert turn is not None
        if turn.question.options and turn.checked is None:
            self._say(f"The answer: {', '.join(turn.question.right_letters)}")
        fields = turn.card.fields
        if turn.card.kind in ("number", "expression") and turn.checked is None:
            self._say(strip_controls(f"The answer: {fields.answer} {fields.unit or ''}".rstrip()))
        if turn.question.answer:
            self._say("Answer:")
            self._markdown(turn.question.answer)
        if fields.points:
            self._say("Key points:")
            for number, point in enumerate(fields.points, 1):
                self._markdown(point, f"{number}. ")
        for number, card in enumerate(session.follow_ups(), 1):
            self._markdown(card.heading, f"next (:f {number}): " if number > 1 else "next (:f): ")
        if session.cram:
            self._say("1 again, 2 hard, 3 good, 4 easy (a cram: nothing is scheduled)")
        else:
            said_of = ", ".join(
                f"{grade.value} {grade.word} "
                + ("today" if grade is Grade.AGAIN else f"{outcome.interval} d")
                for grade, outcome in session.outcomes.items()
            )
            self._say(said_of)

    def _show_summary(self) -> None:
        summary = self._session.summary()
        if not summary.cards:
            return
        grades = ", ".join(
            f"{summary.grades[grade]} {grade.word}" for grade in Grade if summary.grades[grade]
        )
        self._say("")
        self._say(f"{summary.cards} {'card' if summary.cards == 1 else 'cards'}: {grades}")
        if summary.left:
            self._say(f"{summary.left} left for next time")

    def _lines(self, text: str) -> None:
        self._markdown(text)

    def _markdown(self, text: str, label: str = "") -> None:
        lines = render_text(text, width=WIDTH - len(label), latex=self._latex)
        for number, line in enumerate(lines):
            self._say((label if number == 0 else " " * len(label)) + line)
