"""Where derivations are looked for."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from quizapp.library import content_root


def folders(home: Path, decks: Iterable[Path] = ()) -> tuple[Path, ...]:
    """The folders of derivations, least important first: built in, the home's, and one inside each folder
    of decks.
    """
    return (
        content_root() / "derivations",
        home / "derivations",
        *(folder / "derivations" for folder in decks if (folder / "derivations").is_dir()),
    )
