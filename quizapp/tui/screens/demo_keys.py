"""The keys of a demo."""

from __future__ import annotations

from textual.binding import Binding, BindingType

DEMO_KEYS: list[BindingType] = [
    Binding("left,h", "move(-1)", "Move", key_display="←→", id="demo-less", tooltip="The value in hand, one less"),
    Binding("right,l", "move(1)", "More", show=False, id="demo-more", tooltip="The value in hand, one more"),
    Binding("shift+left,H", "leap(-1)", "Leap back", show=False, id="demo-leap-back", tooltip="A leap down"),
    Binding("shift+right,L", "leap(1)", "Leap", show=False, id="demo-leap", tooltip="A leap up"),
    Binding("tab,down,j", "choose(1)", "Value", key_display="tab", id="demo-value", tooltip="The next value"),
    Binding("shift+tab,up,k", "choose(-1)", "Value before", show=False, id="demo-value-before",
            tooltip="The value before"),
    Binding("n", "step(1)", "Next", id="demo-next", tooltip="The next step"),
    Binding("p", "step(-1)", "Before", id="demo-before", tooltip="The step before"),
    Binding("w", "why", "Why", id="demo-why", tooltip="Why it is so, with what must be said beside it"),
    Binding("enter", "type", "Type", id="demo-type", tooltip="Type the value in hand: a sentence, a number"),
    Binding("space", "play", "Play", show=False, id="demo-play", tooltip="Let the value run on; again stops it"),
    Binding("r", "reset", "Reset", show=False, id="demo-reset", tooltip="All values back to their start"),
    Binding("v", "derive", "Derivation", id="demo-derivation", tooltip="Step through the derivation behind it"),
    Binding("c", "cards", "Cards", id="demo-cards", tooltip="The cards that ask about it"),
    Binding("pagedown", "scroll(1)", "Page down", show=False, id="demo-page-down", tooltip="What is below"),
    Binding("pageup", "scroll(-1)", "Page up", show=False, id="demo-page-up", tooltip="What is above"),
    Binding("s", "save", "Save", show=False, id="demo-save", tooltip="Write the picture as SVG"),
    Binding("escape,q", "leave", "Back", id="demo-back", tooltip="Back to where you were"),
]  # fmt: skip
