"""The reference numbers of other implementations, by file."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

GOLDEN = Path(__file__).parent.parent / "golden"


@pytest.fixture(scope="session")
def golden() -> Callable[[str], Any]:
    """Read a file of ``tests/golden`` by its name without the suffix."""
    return lambda name: json.loads((GOLDEN / f"{name}.json").read_text(encoding="utf-8"))
