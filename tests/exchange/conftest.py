"""The built-in decks as a bundle, and homes to import into."""

from __future__ import annotations

import datetime as dt
from pathlib import Path

import pytest

from quizapp.config import Config
from quizapp.decks.library import Library, load_library
from quizapp.exchange.collect import collect
from quizapp.exchange.model import Bundle
from quizapp.home import Home

NOON = dt.datetime(2026, 11, 30, 12, tzinfo=dt.timezone(dt.timedelta(hours=1)))


@pytest.fixture(scope="session")
def library(tmp_path_factory: pytest.TempPathFactory) -> Library:
    """The built-in decks alone."""
    return load_library(Home(tmp_path_factory.mktemp("home")), Config())


@pytest.fixture(scope="session")
def bundle(library: Library) -> Bundle:
    """All built-in decks, without a schedule."""
    found = collect(library, library.select(()), config=Config(), now=NOON, day=NOON.date(), known={})
    return found.bundle


@pytest.fixture
def home(tmp_path: Path) -> Home:
    return Home(tmp_path / "home")
