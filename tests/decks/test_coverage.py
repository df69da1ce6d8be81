"""What ships covers the subject: every row of ``docs/coverage.md`` names cards that exist."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path

import pytest

from quizapp.decks.library import Library, assemble, built_in_decks
from quizapp.decks.load import Source, load_decks

PAGE = Path(__file__).parents[2] / "docs" / "coverage.md"

SYSTEMS = {"A": 10, "B": 10, "C": 5, "D": 8, "E": 10, "F": 8, "G": 6, "H": 4}
SLIPS = 16

EXPECTED = [f"{letter}{number}" for letter, count in SYSTEMS.items() for number in range(1, count + 1)] + [
    f"S{number}" for number in range(1, SLIPS + 1)
]


def read_rows(page: str) -> list[tuple[str, list[str]]]:
    """The rows of the page's tables: the id in the first column, the card ids in the last."""
    rows = []
    for line in page.splitlines():
        cells = [cell.strip() for cell in line.strip().strip("|").split("|")]
        if len(cells) == 3 and re.fullmatch(r"[A-HS]\d+", cells[0]):
            rows.append((cells[0], re.findall(r"`([^`]+)`", cells[2])))
    return rows


ROWS = read_rows(PAGE.read_text(encoding="utf-8"))


@pytest.fixture(scope="module")
def library() -> Library:
    return assemble(load_decks([Source(path, name) for name, path in built_in_decks().items()], None))


def test_the_page_has_every_system_and_every_slip_once() -> None:
    assert [row for row, _ in ROWS] == EXPECTED


@pytest.mark.parametrize(("row", "names"), ROWS, ids=[row for row, _ in ROWS])
def test_every_row_names_cards_that_exist(row: str, names: list[str], library: Library) -> None:
    assert names, f"{row} names no card"
    assert [name for name in names if not library.entry(name)] == []


def test_no_two_cards_have_the_same_heading(library: Library) -> None:
    headings = Counter(" ".join(cards[0].heading.casefold().split()) for cards in library.entries.values())
    assert [heading for heading, count in headings.items() if count > 1] == []


def test_every_card_has_exactly_one_level(library: Library) -> None:
    levels = {"warm-up", "core", "senior"}
    wrong = [name for name, cards in library.entries.items() if len(levels.intersection(cards[0].tags)) != 1]
    assert wrong == []


def test_there_are_twenty_bugs_to_spot(library: Library) -> None:
    bugs = [name for name, cards in library.entries.items() if "spot-the-bug" in cards[0].tags]
    assert len(bugs) >= 20


def follow_ups(library: Library, name: str) -> list[str]:
    return [follow for follow in library.entry(name)[0].fields.follow_ups if library.entry(follow)]


def longest_chain(library: Library, name: str, seen: tuple[str, ...] = ()) -> int:
    """Follow-ups in a row from a card, no card twice; counting stops at three."""
    if len(seen) == 3:
        return 0
    nexts = [follow for follow in follow_ups(library, name) if follow not in (*seen, name)]
    return max((1 + longest_chain(library, follow, (*seen, name)) for follow in nexts), default=0)


def test_from_every_rapid_fire_question_three_follow_ups_lead_on(library: Library) -> None:
    asked = [name for name, cards in library.entries.items() if "rapid-fire" in cards[0].tags]
    assert len(asked) >= 8
    assert {name: longest_chain(library, name) for name in asked if longest_chain(library, name) < 3} == {}
