"""A large deck as an Anki package: written by us and by genanki, read by us and imported by Anki, in one run.

    pip install --group interop
    python benchmarks/exchange.py [NOTES]

genanki writes the same question and answer with one tag; ours also carries the source of each card. Each figure is the
best of three runs in this process, by the clock and by the processor: on a busy machine the second one is the fairer.
"""

from __future__ import annotations

import datetime as dt
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import anki.collection
import genanki

from quizapp.decks.card import Fields
from quizapp.decks.entry import Entry
from quizapp.exchange.apkg import read, write
from quizapp.exchange.model import Bundle, DeckText, ReadOptions

RUNS = 3


def texts(notes: int) -> list[tuple[str, str, str]]:
    return [
        (
            f"card-{number}",
            f"What does encoding number {number} add to the row of position {number * 7 % 4096}?",
            f"A vector of {number % 512 + 1} numbers that depends on position {number * 7 % 4096} alone, so two rows "
            f"of the same token differ by what encoding {number} says.",
        )
        for number in range(notes)
    ]


def ours(notes: list[tuple[str, str, str]]) -> Bundle:
    now = dt.datetime(2026, 11, 30, 12, tzinfo=dt.UTC)
    entries = tuple(
        Entry(name, "recall", front, "", back, Fields(tags=("bench",))) for name, front, back in notes
    )
    decks = (DeckText("bench/deck", "A large deck", "", entries),)
    return Bundle(
        decks, dict.fromkeys((name for name, _, _ in notes), 1_790_000_000), now, now.date(), 4, 0.9
    )


def theirs(notes: list[tuple[str, str, str]], target: Path) -> None:
    kind = genanki.Model(
        1_607_392_319, "Bench", fields=[{"name": "Front"}, {"name": "Back"}],
        templates=[{"name": "Card 1", "qfmt": "{{Front}}", "afmt": "{{FrontSide}}<hr id=answer>{{Back}}"}],
    )  # fmt: skip
    deck = genanki.Deck(2_059_400_110, "bench::deck")
    for name, front, back in notes:
        deck.add_note(genanki.Note(kind, [front, back], guid=name, tags=["bench"]))
    genanki.Package(deck).write_to_file(str(target))


def imported(package: Path, folder: Path) -> int:
    col = anki.collection.Collection(str(folder / f"{time.monotonic_ns()}.anki2"))
    options = anki.collection.ImportAnkiPackageOptions()
    col.import_anki_package(
        anki.collection.ImportAnkiPackageRequest(package_path=str(package), options=options)
    )
    count = int(col.note_count())
    col.close()
    return count


def best(work: Callable[[], Any]) -> tuple[float, float, Any]:
    """The least time by the clock, the least by the processor, and what was made."""
    clock: list[float] = []
    processor: list[float] = []
    result = None
    for _ in range(RUNS):
        result = None
        start, start_processor = time.perf_counter(), time.process_time()
        result = work()
        clock.append(time.perf_counter() - start)
        processor.append(time.process_time() - start_processor)
    return min(clock), min(processor), result


def main() -> None:
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 100_000
    notes = texts(count)
    bundle = ours(notes)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        own, other = folder / "ours.apkg", folder / "genanki.apkg"
        wrote = best(lambda: write(bundle, own))
        wrote_other = best(lambda: theirs(notes, other))
        print(f"{count:,} notes, best of {RUNS}")
        print(f"{'':34}{'ours':>9}{'other':>9}{'ratio':>8}")
        lines("write", "genanki", wrote, wrote_other)
        size, size_other = own.stat().st_size, other.stat().st_size
        line("size, MB (genanki)", size / 1e6, size_other / 1e6)
        for label, package in (("read our file", own), ("read genanki's file", other)):
            took = best(lambda: read(package, ReadOptions()))  # noqa: B023
            took_other = best(lambda: imported(package, folder))  # noqa: B023
            assert took_other[2] == count == sum(len(deck.entries) for deck in took[2].decks)
            lines(label, "Anki", took, took_other)


def lines(label: str, other: str, one: tuple[float, float, Any], two: tuple[float, float, Any]) -> None:
    line(f"{label}, seconds ({other})", one[0], two[0])
    line("  of the processor", one[1], two[1])


def line(label: str, own: float, other: float) -> None:
    print(f"{label:34}{own:9.2f}{other:9.2f}{own / other:8.2f}")


if __name__ == "__main__":
    main()
