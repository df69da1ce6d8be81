"""Every demo is drawn at the ends of every value, in colour and without."""

from __future__ import annotations

import pytest
from rich.cells import cell_len

from quizapp.demos.model import view
from quizapp.demos.registry import load
from quizapp.text import has_controls
from quizapp.tui.widgets.look import Look
from quizapp.tui.widgets.picture import draw
from tests.demos.test_every_demo import places, states


@pytest.mark.parametrize(("name", "step"), places())
def test_every_picture_fits_its_room(name: str, step: int) -> None:
    demo = load(name)
    for at, state in enumerate(states(demo, step)):
        width, height = ((44, 15), (75, 30), (38, 12), (88, 9))[at % 4]
        for look in (Look(), Look(colour=False)):
            strips = draw(view(demo, state).pictures, width, height, look)
            assert len(strips) == height
            assert all(strip.cell_length == cell_len(strip.text) == width for strip in strips)
            assert not any(has_controls(strip.text) or "\n" in strip.text for strip in strips)
            assert any(strip.text.strip() for strip in strips)
