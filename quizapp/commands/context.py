"""What the commands that look at reviews share: home, configuration, clock, library, store."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from quizapp.commands.options import Common
from quizapp.config import Config, load_config
from quizapp.home import Home, find_home
from quizapp.review.clock import clock_from_environment
from quizapp.review.day import current_day
from quizapp.review.types import Clock

if TYPE_CHECKING:
    from quizapp.decks.library import Library
    from quizapp.storage import SqliteStore


@dataclass(frozen=True)
class Context:
    """Each part is read when it is first asked for."""

    common: Common
    progress: Callable[[int, int], None] | None = None

    @cached_property
    def home(self) -> Home:
        return find_home(self.common.home)

    @cached_property
    def config(self) -> Config:
        return load_config(self.home.config)

    @cached_property
    def clock(self) -> Clock:
        return clock_from_environment()

    @cached_property
    def library(self) -> Library:
        from quizapp.decks.library import load_library

        return load_library(self.home, self.config, self.common.decks, self.progress)

    def store(self, *, write: bool = False) -> SqliteStore:
        """The reviews; the caller closes them."""
        from quizapp.storage import open_store

        return open_store(self.home, write=write, now=self.clock.now())

    def day(self, store: SqliteStore) -> dt.date:
        """The study day now."""
        return current_day(self.clock, store, self.config)
