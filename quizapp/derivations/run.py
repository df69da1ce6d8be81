"""Step through a derivation by typing it: the state machine that both fronts drive."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

from quizapp.algebra import Expression, Unreadable, name_slip, to_latex
from quizapp.derivations.checker import Checker, Settled, unequal
from quizapp.derivations.model import Derivation, Step
from quizapp.derivations.reading import DerivationError
from quizapp.derivations.words import apart, assumptions

Verdict = Literal["equal", "different", "undecided", "unreadable"]
Kind = Literal["follows", "goal", "unsimplified", "already", "different", "undecided", "unreadable"]
Origin = Literal["start", "own", "author", "revealed", "skipped"]


@dataclass(frozen=True)
class Written:
    """A line on the board.

    ``how`` is how it follows (``proved``, ``checked over all 6 permutations``; empty for the start),
    ``note`` the short reason beside it. A ``fact`` is a relation used on the way; the chain runs on from
    the line before it.
    """

    line: Expression
    latex: str
    origin: Origin
    how: str = ""
    note: str = ""
    fact: bool = False


@dataclass(frozen=True)
class Answer:
    """What is said of a typed line.

    ``text`` is the whole answer in words and starts after ``verdict``. ``at`` is the 1-based column of what
    can't be read; ``read_as`` the LaTeX of how the line was read; ``slip`` names the known mistake that a
    wrong line made.
    """

    verdict: Verdict
    kind: Kind
    text: str
    at: int | None = None
    read_as: str | None = None
    slip: str | None = None
    counterexample: dict[str, Any] | None = None
    left: Any = None
    right: Any = None

    @property
    def accepted(self) -> bool:
        """Whether the line was written on the board."""
        return self.kind in ("follows", "goal", "unsimplified")


@dataclass(frozen=True)
class Preview:
    """How a line being typed is read: its LaTeX, or what is wrong and in which 1-based column."""

    latex: str | None
    message: str = ""
    at: int | None = None


@dataclass(frozen=True)
class _State:
    board: tuple[Written, ...]
    position: int  # the author's steps reached so far
    finished: bool = False
    skipped: bool = False
    revealed: int = 0


class DerivationRun:
    """One learner's way through a derivation, from the claim's left side to its right side.

    Any line that equals the one before is accepted, the author's or one's own. Undo takes lines back; slips
    and hints stay counted.
    """

    def __init__(self, derivation: Derivation, *, limit: float = 2.0) -> None:
        """``limit`` bounds one decision, in seconds.

        Raises:
            DerivationError: the derivation's declarations or its claim can't be read.
        """
        self.derivation = derivation
        self.checker = Checker(derivation, limit=limit)
        try:
            sides = self.checker.read_chain(derivation.claim)
        except Unreadable as error:
            raise DerivationError(f"{derivation.path}:{derivation.claim_line}: claim, {error}") from None
        if len(sides) != 2:
            raise DerivationError(
                f"{derivation.path}:{derivation.claim_line}: the claim needs one left and one right side"
            )
        start, self._goal = sides
        chain = [index for index, step in enumerate(derivation.steps) if step.expr is not None]
        first = chain[0] if chain else -1
        self._last = derivation.steps[chain[-1]] if chain else None
        self._steps = tuple(step for index, step in enumerate(derivation.steps) if index != first)
        latex = derivation.steps[first].latex if chain else None
        self._state = _State((Written(start, latex or to_latex(start), "start", note="start"),), 0)
        self._history: list[_State] = []
        self._mistakes = 0
        self._hints = 0
        self._stage = (0, 0)  # the step that hints are for, and how many of them were given

    @property
    def claim(self) -> str:
        """The claim as LaTeX."""
        return self.derivation.latex or " = ".join(
            to_latex(line) for line in self.checker.read_chain(self.derivation.claim)
        )

    @property
    def goal(self) -> str:
        """The claim's right side as LaTeX."""
        return to_latex(self._goal)

    @property
    def symbols(self) -> str:
        """What is assumed of the symbols, in one line."""
        return assumptions(self.derivation.symbols)

    @property
    def lines(self) -> tuple[Written, ...]:
        """The board, oldest line first; the start is the claim's left side."""
        return self._state.board

    @property
    def current(self) -> Written:
        """The line that the next one has to equal."""
        return next(written for written in reversed(self._state.board) if not written.fact)

    @property
    def finished(self) -> bool:
        """Whether the goal is reached."""
        return self._state.finished

    @property
    def mistakes(self) -> int:
        """Lines refused with a counterexample."""
        return self._mistakes

    @property
    def hints(self) -> int:
        """Hints given."""
        return self._hints

    @property
    def revealed(self) -> int:
        """Steps on the board that were revealed."""
        return self._state.revealed

    @property
    def own_route(self) -> bool:
        """Whether a line on the board is the learner's own rather than one of the author's."""
        return any(written.origin == "own" for written in self._state.board)

    @property
    def remaining(self) -> int:
        """The author's steps that are still ahead."""
        return len(self._steps) - self._state.position

    @property
    def suggested_grade(self) -> int:
        """1 (again) to 4 (easy) from slips, hints and reveals, by their share of the derivation's steps.

        Again where the goal was not reached or skipped to, or half of the steps were revealed.
        """
        steps = len(self._steps)
        if not self.finished or self._state.skipped or 2 * self.revealed >= steps:
            return 1
        load = self._mistakes + self._hints + 2 * self.revealed
        if load == 0:
            return 4
        if 3 * load <= steps:
            return 3
        return 2 if 3 * load <= 2 * steps else 1

    def preview(self, text: str) -> Preview:
        """How a line is read so far. Decides nothing, so it is quick enough for every key."""
        if not text.strip().lstrip("=").strip():
            return Preview(None)
        try:
            members = self.checker.read_chain(_continued(text))
        except Unreadable as error:
            return Preview(None, error.message, error.at + _offset(text))
        return Preview(" = ".join(to_latex(member) for member in members))

    def submit(self, text: str) -> Answer:
        """Check a typed line against the current one and write it on the board if it follows.

        A chain ``a = b = c`` is checked member by member; a leading ``=`` continues the line before.
        """
        try:
            members = self.checker.read_chain(_continued(text))
        except Unreadable as error:
            at = error.at + _offset(text)
            return Answer(
                "unreadable", "unreadable", f"can't read this at column {at}: {error.message}", at=at
            )
        read_as = " = ".join(to_latex(member) for member in members)
        if len(members) > 1 and (fact := self._fact(members)) is not None:
            return fact
        checked: list[tuple[Expression, Settled]] = []
        for member in members:
            try:
                found = self._against_board(member)
            except Unreadable as error:
                return Answer("unreadable", "unreadable", f"can't use this: {error.message}", read_as=read_as)
            if found.outcome == "different":
                return self._refused(member, found, read_as)
            if found.outcome == "undecided":
                return _undecided(found, read_as)
            checked.append((member, found))
        answers = [self._write(member, found, read_as) for member, found in checked]
        return answers[-1]

    def hint(self) -> str:
        """The next hint for the author's next step: first the hint, then the reason, then that it can be
        revealed.
        """
        if self.finished or not self.remaining:
            return "There is nothing left to find; write the goal."
        step = self._steps[self._state.position]
        said = [text for text in (step.hint, step.why) if text]
        given = self._stage[1] if self._stage[0] == self._state.position else 0
        if given >= len(said):
            return "That was the last hint; reveal the step."
        self._hints += 1
        self._stage = (self._state.position, given + 1)
        return said[given]

    def reveal(self) -> Written | None:
        """Write the author's next step on the board; None when there is none left."""
        if self.finished or not self.remaining:
            return None
        step = self._steps[self._state.position]
        written = self._by_author(step, "revealed")
        position = self._state.position + 1
        self._move(
            _State(
                (*self._state.board, written),
                position,
                step is self._last or (not written.fact and self._is_goal(written.line)),
                self._state.skipped,
                self._state.revealed + 1,
            )
        )
        return written

    def skip_to_goal(self) -> tuple[Written, ...]:
        """Write all the author's steps that are left; the run then counts as not solved."""
        if self.finished:
            return ()
        added = tuple(self._by_author(step, "skipped") for step in self._steps[self._state.position :])
        if self._last is None:
            added += (Written(self._goal, self.goal, "skipped", "proved"),)
        self._move(_State((*self._state.board, *added), len(self._steps), True, True, self._state.revealed))
        return added

    def undo(self) -> bool:
        """Take the last line back; False when only the start is left."""
        if not self._history:
            return False
        self._state = self._history.pop()
        return True

    def _move(self, state: _State) -> None:
        self._history.append(self._state)
        self._state = state

    def _against_board(self, line: Expression) -> Settled:
        """Compare with the current line and, where that can't be decided, with every other line known to
        equal it.
        """
        found = self.checker.compare(self.current.line, line)
        if found.outcome != "undecided":
            return found
        others = [written.line for written in self._state.board if not written.fact]
        others += [self.checker.read(step.expr) for step in self.derivation.steps if step.expr is not None]
        for other in (self._goal, *others):
            again = self.checker.compare(other, line)
            if again.outcome == "equal":
                return again
        return found

    def _fact(self, members: tuple[Expression, ...]) -> Answer | None:
        """A relation that is the author's next fact is written beside the chain."""
        for index in range(self._state.position, len(self._steps)):
            step = self._steps[index]
            if step.relation is None or unequal(step.relation):
                continue
            stated = self.checker.read_chain(step.relation)
            if len(stated) == len(members) and all(map(self.checker.same, stated, members)):
                self._move(
                    _State(
                        (*self._state.board, self._by_author(step, "author")),
                        index + 1,
                        self._state.finished,
                        self._state.skipped,
                        self._state.revealed,
                    )
                )
                return Answer(
                    "equal", "follows", f"holds by itself ({self._state.board[-1].how}), a fact for later"
                )
        return None

    def _write(self, line: Expression, found: Settled, read_as: str) -> Answer:
        for number, written in enumerate(self._state.board, 1):
            if not written.fact and self.checker.same(written.line, line):
                return Answer("equal", "already", f"already written, line {number}", read_as=read_as)
        step = self._author_step(line)
        goal = self._is_goal(line) or (step is not None and self._steps[step] is self._last)
        note = self._steps[step].rule or "" if step is not None else ""
        origin: Origin = "own" if step is None and not goal else "author"
        position = self._state.position if step is None else step + 1
        kind: Kind = "goal" if goal else "follows"
        said = f"reaches the goal ({found.how})" if goal else f"follows ({found.how})"
        if origin == "own" and self._longer(line):
            kind, said = "unsimplified", f"equal, not yet simpler ({found.how})"
        elif step is not None and not goal:
            said += f", the author's step {self.derivation.steps.index(self._steps[step]) + 1}"
        if found.conditions:
            said += "; " + "; ".join(found.conditions)
        written = Written(line, to_latex(line), origin, found.how, note)
        self._move(
            _State((*self._state.board, written), position, goal, self._state.skipped, self._state.revealed)
        )
        return Answer("equal", kind, said, read_as=read_as)

    def _refused(self, line: Expression, found: Settled, read_as: str) -> Answer:
        self._mistakes += 1
        current = self.current
        number = self._state.board.index(current) + 1
        said = apart(found, f"line {number}", "yours")
        slip = name_slip(current.line, line, self.checker.names)
        if slip is not None:
            said += f". {slip.text}"
        return Answer(
            "different",
            "different",
            said,
            read_as=read_as,
            slip=slip.text if slip is not None else None,
            counterexample=found.counterexample,
            left=found.verdict.left,
            right=found.verdict.right,
        )

    def _author_step(self, line: Expression) -> int | None:
        """The furthest author's step of that form that is still ahead."""
        for index in range(len(self._steps) - 1, self._state.position - 1, -1):
            step = self._steps[index]
            if step.expr is not None and self.checker.same(self.checker.read(step.expr), line):
                return index
        return None

    def _is_goal(self, line: Expression) -> bool:
        return self.checker.same(self._goal, line)

    def _longer(self, line: Expression) -> bool:
        """Whether a line has grown past the one before and past everything that the author still writes."""
        ahead = [
            self.checker.read(step.expr)
            for step in self._steps[self._state.position :]
            if step.expr is not None
        ]
        return _size(line) > max(_size(other) for other in (self.current.line, self._goal, *ahead))

    def _by_author(self, step: Step, origin: Origin) -> Written:
        if step.expr is None:
            left, _, found = self.checker.relation(step.text)
            latex = step.latex or stated(self.checker, step.text)
            return Written(left, latex, origin, found.how, step.rule or "", fact=True)
        line = self.checker.read(step.expr)
        found = self.checker.compare(self.current.line, line)
        return Written(line, step.latex or to_latex(line), origin, found.how, step.rule or "")


def stated(checker: Checker, text: str) -> str:
    """A relation as LaTeX. Raises Unreadable."""
    if sides := unequal(text):
        left, right = sides
        return f"{to_latex(checker.read(left))} \\neq {to_latex(checker.read(right))}"
    return " = ".join(to_latex(line) for line in checker.read_chain(text))


def _undecided(found: Settled, read_as: str) -> Answer:
    points = found.verdict.points
    said = f"can't decide: agrees at {points} points, not counted against you" if points else "can't decide"
    if found.verdict.message:
        said += f" ({found.verdict.message})"
    return Answer("undecided", "undecided", f"{said}; try a smaller step", read_as=read_as)


def _continued(text: str) -> str:
    return text[_offset(text) :]


def _offset(text: str) -> int:
    """How many characters stand before the line itself: spaces, and an equals sign that continues the line
    before.
    """
    bare = text.lstrip()
    if bare.startswith("=") and not bare.startswith("=="):
        bare = bare[1:].lstrip()
    return len(text) - len(bare)


def _size(expression: Expression) -> int:
    return sum(_size(argument) for argument in expression.args) + 1
