"""Changes to deck files: pin ids, start a new deck, take a built-in deck over to edit it.

Every file is written beside and renamed, so that an interrupted run leaves the old one whole.
"""

from __future__ import annotations

import os
import re
import tempfile
from collections.abc import Iterable
from pathlib import Path

from quizapp.decks.card import Card, Deck
from quizapp.errors import UsageError
from quizapp.text import slug

_NEW = """\
# {title}

What this deck is about, in a sentence or two.

## Write your first question here

```toml card
tags = ["core"]
points = ["one thing that a good answer says", "another"]
```

The answer, in Markdown; formulas between dollars: $a^2 + b^2 = c^2$.
"""


def write_text(path: Path, text: str | bytes) -> None:
    """Write beside and rename; the permissions of a file that was there stay."""
    data = text.encode() if isinstance(text, str) else text
    path = path.resolve()
    handle, temporary = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}-")
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        mode = path.stat().st_mode if path.exists() else 0o644
        Path(temporary).chmod(mode & 0o7777)
        Path(temporary).replace(path)
    except BaseException:
        Path(temporary).unlink(missing_ok=True)
        raise


def pin_ids(deck: Deck) -> int:
    """Write the present id into each card that has none, touching nothing else; returns how many."""
    path = deck.file
    data = path.read_bytes()
    ending = b"\r\n" if b"\r\n" in data else b"\n"
    lines = data.split(ending)
    unpinned: dict[int, Card] = {card.line: card for card in deck.cards if not card.pinned}
    for card in sorted(unpinned.values(), key=lambda found: -found.line):
        line = f'id = "{card.entry}"'.encode()
        at = card.line  # the line after the heading, 0-based
        while at < len(lines) and not lines[at].strip():
            at += 1
        if at < len(lines) and re.fullmatch(rb" {0,3}(`{3,}|~{3,})\s*toml\s+card\s*", lines[at]):
            lines.insert(at + 1, line)
        else:
            lines[card.line : card.line] = [b"", b"```toml card", line, b"```"]
    if unpinned:
        write_text(path, ending.join(lines))
    return len(unpinned)


def new_deck(folder: Path, title: str) -> Path:
    """Start a deck file in ``folder``. Raises UsageError where there is one of that name."""
    name = slug(title)
    if not name:
        raise UsageError("a title needs letters or digits")
    path = folder / f"{name}.md"
    if path.exists():
        raise UsageError(f"{path}: there is a deck of that name already")
    folder.mkdir(parents=True, exist_ok=True)
    write_text(path, _NEW.format(title=" ".join(title.split())))
    return path


def original_note(copy: Path) -> Path:
    """The file beside a taken-over deck that remembers the original it was copied from."""
    return copy.with_name(f".{copy.name}.original")


def take_over(original: Path, folder: Path, name: str) -> Path:
    """Copy a built-in deck to the user's own folder, where it replaces the original; a copy there already is kept."""
    path = folder / f"{name}.md"
    if not path.exists():
        path.parent.mkdir(parents=True, exist_ok=True)
        data = original.read_bytes()
        write_text(original_note(path), data)
        write_text(path, data)
    return path


def changed_originals(decks: Iterable[Deck], built_in: dict[str, Path]) -> list[str]:
    """The decks that were taken over and whose original has changed since."""
    found = []
    for deck in decks:
        original = built_in.get(deck.name)
        note = original_note(deck.file)
        if (
            original
            and original != deck.file
            and note.is_file()
            and note.read_bytes() != original.read_bytes()
        ):
            found.append(deck.name)
    return found
