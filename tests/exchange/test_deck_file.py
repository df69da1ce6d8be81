"""Splicing: some entries change, whatever else stands in the file and however its lines end."""

from __future__ import annotations

from pathlib import Path

import pytest
from msgspec.structs import replace

from quizapp.decks.library import built_in_decks
from quizapp.decks.render import render_entry
from quizapp.exchange.deck_file import read_deck_file, spliced

BROKEN = {
    "fence": b"## Broken\n\n```py\nopen\n\n",
    "empty": b"##\n\n",
    "comment": b"<!-- open\n\n## Lost?\n\nx\n\n",
    "twice": b"## Twice?\n\nx\n\n## Twice?\n\ny\n\n",
    "title": b"# Second title\n\n",
    "bytes": b"## Bad \xff\n\nx\n\n",
    "none": b"",
}
ENDS = {"lf": b"\n", "crlf": b"\r\n", "cr": b"\r"}


@pytest.mark.parametrize("broken", BROKEN)
@pytest.mark.parametrize("ending", ENDS)
@pytest.mark.parametrize("edge", ["plain", "mark", "cut"])
def test_what_does_not_change_stays(broken: str, ending: str, edge: str) -> None:
    data = built_in_decks()["rapid-fire"].read_bytes()
    at = data.index(b"\n## ", len(data) // 2) + 1
    data = (data[:at] + BROKEN[broken] + data[at:]).replace(b"\n", ENDS[ending])
    data = {"plain": data, "mark": b"\xef\xbb\xbf" + data, "cut": data.rstrip()}[edge]
    file = read_deck_file(Path("x.md"), "x", data)
    assert spliced(file, {}, []) == data
    names = list(file.entries)
    for name in (names[0], names[len(names) // 2], names[-1]):
        changed = replace(file.entries[name], answer="Changed.\n\n- here")
        out = spliced(
            file, {name: render_entry(changed)}, ['## New?\n\n```toml card\nid = "new"\n```\n\nYes.']
        )
        after = read_deck_file(Path("x.md"), "x", out)
        assert dict(after.entries) == {**file.entries, name: changed, "new": after.entries["new"]}
        # What stands before and behind the changed entry is the same to the byte.
        common = next(n for n in range(len(data)) if out[n] != data[n])
        tail = data[data.index(b"## ", common) :] if b"## " in data[common:] else b""
        assert tail.rstrip() in out
