"""When content changed: never earlier than before, and never because of an export."""

from __future__ import annotations

import hashlib

from msgspec.structs import replace

from quizapp.decks.entry import Entry
from quizapp.derivations.model import Derivation, Step
from quizapp.exchange.changed import (
    Version,
    changed_path,
    content_hash,
    modified,
    read_versions,
    write_versions,
)
from quizapp.exchange.imported import MOST_VERSIONS
from quizapp.home import Home

ENTRY = Entry("a", "recall", "?", answer="yes")
STEPS = Derivation("d", "D", "a = a", (Step("start", "a"), Step("end", "a")))


def seconds(
    known: dict[str, Version], entry: Entry, file_time: int, now: int
) -> tuple[int, dict[str, Version]]:
    after = modified(known, [(entry, None, file_time)], now)
    return after["a"].seconds, after


def test_a_new_entry_dates_from_its_file_and_never_from_the_future() -> None:
    assert seconds({}, ENTRY, 500, 1000)[0] == 500
    assert seconds({}, ENTRY, 5000, 1000)[0] == 1000


def test_the_date_stays_while_the_content_does() -> None:
    _, known = seconds({}, ENTRY, 500, 1000)
    assert seconds(known, ENTRY, 900, 2000)[0] == 500


def test_a_change_is_later_than_before_whatever_the_clock_says() -> None:
    _, known = seconds({}, ENTRY, 500, 1000)
    changed = replace(ENTRY, answer="no")
    assert seconds(known, changed, 500, 2000)[0] == 2000
    assert seconds(known, changed, 500, 100)[0] == 501


def test_what_was_exported_is_remembered_in_order_and_not_without_end() -> None:
    known: dict[str, Version] = {}
    versions = [replace(ENTRY, answer=str(number)) for number in range(20)]
    for entry in versions:
        _, known = seconds(known, entry, 1, 1000)
    assert known["a"].seen == tuple(map(content_hash, versions))[-MOST_VERSIONS:]
    _, known = seconds(known, versions[-2], 1, 1000)
    assert known["a"].seen == tuple(map(content_hash, versions))[-MOST_VERSIONS:]


def test_a_derivation_is_part_of_the_content_of_its_card() -> None:
    other = replace(STEPS, steps=(*STEPS.steps, Step("again", "a")))
    assert len({content_hash(ENTRY), content_hash(ENTRY, STEPS), content_hash(ENTRY, other)}) == 3


def test_it_is_kept_in_the_home_and_a_spoiled_file_is_as_none(home: Home) -> None:
    _, known = seconds({}, ENTRY, 500, 1000)
    write_versions(home, known)
    assert read_versions(home) == known
    changed_path(home).write_text("{")
    assert read_versions(home) == {}


def test_a_hash_says_only_what_the_entry_says() -> None:
    """So a key that decks learn later does not make every card a changed one."""
    assert (
        content_hash(ENTRY)
        == hashlib.blake2b(
            b'{"id":"a","kind":"recall","heading":"?","answer":"yes"}', digest_size=9
        ).hexdigest()
    )
