"""The keys of the drill, Anki's where Anki has one."""

from __future__ import annotations

from textual.binding import Binding, BindingType

from quizapp.review.question import LETTERS
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
