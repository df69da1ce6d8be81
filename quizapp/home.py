"""Where a user's data lives: the home folder and the files in it."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class Home:
    """The folder with a user's reviews, decks, configuration and backups."""

    path: Path

    @property
    def database(self) -> Path:
        return self.path / "reviews.sqlite"

    @property
    def lock(self) -> Path:
        return self.path / "session.lock"

    @property
    def cache(self) -> Path:
        return self.path / "cache.msgpack"

    @property
    def config(self) -> Path:
        return self.path / "config.toml"

    @property
    def decks(self) -> Path:
        return self.path / "decks"

    @property
    def backups(self) -> Path:
        return self.path / "backups"


def find_home(chosen: Path | None = None) -> Home:
    """The home folder: the one chosen, else ``QUIZAPP_HOME``, else the platform's place for user data."""
    if chosen is None and (named := os.environ.get("QUIZAPP_HOME")):
        chosen = Path(named)
    if chosen is None:
        import platformdirs

        chosen = Path(platformdirs.user_data_dir("quizapp", appauthor=False))
    return Home(chosen.expanduser().absolute())
