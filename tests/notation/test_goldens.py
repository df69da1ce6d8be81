from __future__ import annotations

from pathlib import Path

import pytest

from quizapp.notation import draw
from quizapp.notation.width import cells
from tests.notation.goldens import as_file, golden_files


@pytest.mark.parametrize("path", golden_files(), ids=lambda path: path.stem)
def test_drawing_is_the_one_looked_at(path: Path) -> None:
    golden = path.read_text(encoding="utf-8")
    latex = golden.split("\n", 1)[0]
    assert as_file(latex) == golden
    drawing = draw(latex)
    assert {cells(row) for row in drawing.rows} == {drawing.width}
    assert 0 <= drawing.baseline < len(drawing.rows)


def test_there_are_enough_goldens() -> None:
    drawn = [path for path in golden_files() if "(shown as its source)" not in path.read_text(encoding="utf-8")]
    assert len(drawn) >= 80
