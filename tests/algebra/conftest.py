"""The sympy worker, warm for all tests of this folder and gone after them."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from quizapp.algebra import shut_down
from quizapp.algebra.worker import shared


@pytest.fixture(scope="package", autouse=True)
def _worker() -> Iterator[None]:
    assert shared().wait_ready()
    yield
    shut_down()
