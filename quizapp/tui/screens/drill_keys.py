"""The keys of the drill, Anki's where Anki has one."""

from __future__ import annotations

from dataclasses import replace

from textual.binding import ActiveBinding, Binding, BindingType

from quizapp.review.question import LETTERS
from quizapp.review.session import Session
from quizapp.review.turn import Turn
from quizapp.review.types import Grade
from quizapp.tui.words import GRADE_WORDS

_CHOICE = [
    Binding(
        letter,
        f"choose('{letter}')",
        f"Choose {letter}",
        show=False,
        id=f"choice-{letter}",
        tooltip=f"Choose answer {letter}; of several right ones, tick it",
    )
    for letter in LETTERS[:8]
]

DRILL_KEYS: list[BindingType] = [
    Binding(
        "space,enter",
        "go_on",
        "Answer",
        id="drill-answer",
        tooltip="Show the answer, then take the grade in brackets",
    ),
    *[
        Binding(
            str(grade.value),
            f"grade({grade.value})",
            GRADE_WORDS[grade],
            show=False,
            id=f"drill-{grade.word}",
            tooltip=f"Grade {grade.word}",
        )
        for grade in Grade
    ],
    Binding("h,f2", "hint", "Hint", id="drill-hint", tooltip="The next hint; f2 while you type"),
    Binding(
        "u,f3",
        "undo",
        "Undo",
        id="drill-undo",
        tooltip="Take the last grade or action back, without limit; f3 while you type",
    ),
    Binding("x", "tick", "Tick", show=False, id="drill-tick", tooltip="Tick or untick the key point"),
    Binding(
        "j,down",
        "down",
        "Next point",
        show=False,
        id="drill-down",
        tooltip="The next key point, or scroll",
    ),
    Binding(
        "k,up", "up", "Point before", show=False, id="drill-up", tooltip="The key point before, or scroll"
    ),
    Binding("v", "derive", "Derivation", id="drill-derivation", tooltip="Step through the card's derivation"),
    Binding("d,f4", "demo", "Demo", id="drill-demo", tooltip="The card's live picture; f4 while you type"),
    Binding(
        "f",
        "follow_up",
        "Follow-up",
        id="drill-follow-up",
        tooltip="Ask what an interviewer asks next; this card comes back",
    ),
    Binding("e", "edit", "Edit", show=False, id="drill-edit", tooltip="Edit the card in $EDITOR"),
    Binding(
        "at",
        "suspend",
        "Suspend",
        show=False,
        key_display="@",
        id="drill-suspend",
        tooltip="Take the card out of the schedule",
    ),
    Binding(
        "minus",
        "bury",
        "Bury",
        show=False,
        key_display="-",
        id="drill-bury",
        tooltip="Put the card off until tomorrow",
    ),
    Binding(
        "asterisk",
        "mark",
        "Mark",
        show=False,
        key_display="*",
        id="drill-mark",
        tooltip="Mark the card, to find it again",
    ),
    Binding("i", "info", "Info", show=False, id="drill-info", tooltip="The card's whole history"),
    Binding("c", "copy", "Copy LaTeX", show=False, id="drill-copy", tooltip="Copy the LaTeX of the formulas"),
    Binding(
        "escape,q",
        "leave",
        "Leave",
        show=False,
        id="drill-leave",
        tooltip="Back home; everything is saved",
    ),
    *_CHOICE,
]


def acts(session: Session, turn: Turn, action: str, parameters: tuple[object, ...]) -> bool:
    """Whether an action can act on the card in hand; a letter that is an answer of a choice is nothing else."""
    asked = not turn.answered
    options = LETTERS[: len(turn.question.options)] if asked else ""
    clash = {
        "edit": "e", "derive": "v", "follow_up": "f", "copy": "c", "hint": "h", "info": "i", "demo": "d",
    }  # fmt: skip
    if action in clash and clash[action] in options:
        return False
    match action:
        case "choose":
            return str(parameters[0]) in options
        case "grade" | "tick":
            return not asked and (action == "grade" or bool(turn.card.fields.points))
        case "hint":
            return asked and turn.hints < len(turn.card.fields.hints)
        case "follow_up":
            return not asked and bool(session.follow_ups())
        case "derive":
            return bool(turn.card.fields.derivation)
        case "demo":
            return bool(turn.card.fields.demo)
    return True


def said_of(found: dict[str, ActiveBinding], turn: Turn) -> dict[str, ActiveBinding]:
    """The keys as this card has them: the answer key names the grade it takes, the letters of a choice are one key."""
    letters = LETTERS[: len(turn.question.options)]
    for key, active in found.items():
        binding = active.binding
        if turn.answered and binding.action == "go_on":
            binding = replace(binding, description=GRADE_WORDS[turn.suggested_grade])
        elif binding.action == "choose('a')" and letters:
            binding = replace(binding, description="Choose", key_display=f"a-{letters[-1]}", show=True)
        found[key] = active._replace(binding=binding)
    return found
