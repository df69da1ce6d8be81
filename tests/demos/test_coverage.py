"""``docs/demos.md`` leads from every system to the demo, the card and the derivation that show it."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

import pytest

from quizapp.decks.library import Library, assemble, built_in_decks
from quizapp.decks.load import Source, load_decks
from quizapp.demos.registry import load, load_all

ROOT = Path(__file__).parents[2]
SYSTEMS = {"A": 10, "B": 10, "C": 5, "D": 8, "E": 10, "F": 8, "G": 6, "H": 4}
EXPECTED = [f"{letter}{number}" for letter, count in SYSTEMS.items() for number in range(1, count + 1)]
# Facts from papers, who ships what, and a comparison in words: nothing in them to draw or to count.
WORDS_ALONE = {"B9", "D7", "G3", "G4", "G5"}


@dataclass(frozen=True)
class Row:
    id: str
    demos: tuple[tuple[str, str], ...]
    cards: tuple[str, ...]
    derivations: tuple[str, ...]


def quoted(cell: str) -> tuple[str, ...]:
    return tuple(re.findall(r"`([^`]+)`", cell))


def read_rows(page: str) -> list[Row]:
    rows = []
    for line in page.splitlines():
        cells = [cell.strip() for cell in line.strip().strip("|").split("|")]
        if len(cells) == 5 and re.fullmatch(r"[A-H]\d+", cells[0]):
            demos = [text.partition(": ") for text in quoted(cells[2])]
            rows.append(
                Row(
                    cells[0],
                    tuple((name, step) for name, _, step in demos),
                    quoted(cells[3]),
                    quoted(cells[4]),
                )
            )
    return rows


ROWS = read_rows((ROOT / "docs" / "demos.md").read_text(encoding="utf-8"))


@pytest.fixture(scope="module")
def library() -> Library:
    return assemble(load_decks([Source(path, name) for name, path in built_in_decks().items()], None))


def test_every_system_has_one_row() -> None:
    assert [row.id for row in ROWS] == EXPECTED


@pytest.mark.parametrize("row", ROWS, ids=[row.id for row in ROWS])
def test_a_row_names_what_exists(row: Row, library: Library) -> None:
    assert bool(row.demos) == (row.id not in WORDS_ALONE)
    for name, step in row.demos:
        assert step in load(name).steps
    assert row.cards
    assert [name for name in row.cards if not library.entry(name)] == []
    assert [name for name in row.derivations if not (ROOT / "derivations" / f"{name}.toml").exists()] == []


def test_every_step_of_every_demo_stands_in_a_row() -> None:
    named = {pair for row in ROWS for pair in row.demos}
    assert {(demo.name, step) for demo in load_all() for step in demo.steps} == named


def test_what_a_demo_and_a_card_lead_to_exists(library: Library) -> None:
    for demo in load_all():
        assert demo.derivation is None or (ROOT / "derivations" / f"{demo.derivation}.toml").exists()
    wanted = {cards[0].fields.demo for cards in library.entries.values()} - {None}
    assert wanted == {demo.name for demo in load_all()}
