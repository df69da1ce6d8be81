"""Short cuts to the built-in library and to derivations written on the spot."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from quizapp import algebra
from quizapp.derivations import Derivation, find, load
from quizapp.library import content_root


@pytest.fixture(scope="session", autouse=True)
def _worker() -> Iterator[None]:
    """The process that proves is stopped with the tests."""
    yield
    algebra.shut_down()


@pytest.fixture
def built_in() -> Callable[[str], Derivation]:
    return lambda name: find(name, [content_root() / "derivations"])


@pytest.fixture
def made(tmp_path: Path) -> Callable[..., Derivation]:
    """Write a derivation with these lines (an expression, or a relation with an equals sign) and load it."""

    def make(claim: str, *lines: str, head: str = "", tail: str = "") -> Derivation:
        steps = "".join(
            f"\n[[steps]]\n{'relation' if '=' in line else 'expr'} = '{line}'\nwhy = 'so'\n" for line in lines
        )
        path = tmp_path / "made.toml"
        path.write_text(
            f"id = 'made'\ntitle = 'Made'\nclaim = '{claim}'\n{head}\n{steps}{tail}", encoding="utf-8"
        )
        return load(path)

    return make
