"""The decks with what each has to do: one line a deck, its numbers in columns."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from rich.cells import cell_len, set_cell_size
from textual.content import Content
from textual.events import Resize
from textual.widgets import OptionList, Static
from textual.widgets.option_list import Option

if TYPE_CHECKING:
    from quizapp.review.overview import DeckLine

_EIGHTHS = " ▏▎▍▌▋▊▉"
_COUNT = 5
_BAR = 5
# Below this width the titles need the room of the bars.
_ROOM_FOR_BARS = 44


class DeckList(OptionList):
    """Shows decks; the one in hand has the cursor. ``head`` says above the list what its columns are."""

    DEFAULT_CSS = """
    DeckList { height: 1fr; border: none; padding: 0; background: transparent; }
    DeckList:focus { border: none; }
    """

    def __init__(self, head: Static, *, id: str | None = None) -> None:
        super().__init__(id=id, markup=False)
        self._head = head
        self._decks: Sequence[DeckLine] = ()

    def show(self, decks: Sequence[DeckLine], name: str | None) -> None:
        """Show these decks, with the one called ``name`` in hand, the first one where there is none such."""
        self._decks = decks
        self._draw()
        at = next((number for number, deck in enumerate(decks) if deck.name == name), 0)
        self.highlighted = at if decks else None

    @property
    def deck(self) -> DeckLine | None:
        """The deck in hand."""
        at = self.highlighted
        return self._decks[at] if at is not None and at < len(self._decks) else None

    def on_resize(self, event: Resize) -> None:
        event.stop()
        if self._decks:
            at = self.highlighted
            self._draw()
            self.highlighted = at

    def _draw(self) -> None:
        width = self.scrollable_content_region.width - 1
        bars = width >= _ROOM_FOR_BARS and any(deck.recall is not None for deck in self._decks)
        last = _BAR + 7 if bars else 8
        self._head.update(
            _columns("deck", "due", "new", "recall", width, last) if self._decks else Content("")
        )
        self.set_options(
            Option(
                _columns(
                    deck.title, _count(deck.due), _count(deck.new), recall(deck.recall, bars), width, last
                ),
                id=deck.name,
            )
            for deck in self._decks
        )


def _columns(title: str, due: str, new: str, share: str, width: int, last: int) -> Content:
    room = max(width - 2 * _COUNT - last, 8)
    if cell_len(title) > room:
        title = set_cell_size(title, room - 1) + "…"
    return Content(f"{set_cell_size(title, room)}{due:>{_COUNT}}{new:>{_COUNT}}{share:>{last}}")


def _count(number: int) -> str:
    return str(number) if number else "–"


def recall(value: float | None, bar: bool) -> str:
    """Predicted recall in per cent, with a bar of it where there is room."""
    if value is None:
        return "–"
    said = f"{round(100 * value):>3} %"
    if not bar:
        return said
    eighths = round(8 * _BAR * value)
    full, part = divmod(eighths, 8)
    drawn = "█" * full + (_EIGHTHS[part] if part else "")
    return f"{drawn:<{_BAR}} {said}"
