"""Golden drawings: one file a formula, its LaTeX on the first line, the drawing below.

``python tests/notation/test_goldens.py FILE`` adds the formulas of FILE (one a line) and redraws the
others. Look at every changed file before it is kept.
"""

from __future__ import annotations

import re
import sys
import unicodedata
from collections import Counter
from pathlib import Path

import pytest

from quizapp.notation import draw
from quizapp.notation.width import cells

FOLDER = Path(__file__).parent.parent / "golden" / "notation"


def golden_files() -> list[Path]:
    return sorted(FOLDER.glob("*.txt"))


def as_file(latex: str) -> str:
    """The text of the golden file of ``latex``."""
    drawing = draw(latex)
    body = "(shown as its source)" if drawing.is_source else "\n".join(row.rstrip() for row in drawing.rows)
    return f"{latex}\n{body}\n"


def slug(latex: str) -> str:
    words = re.sub(r"[^a-zA-Z0-9]+", "-", latex).strip("-").lower()
    return words[:60].rstrip("-")


@pytest.mark.parametrize("path", golden_files(), ids=lambda path: path.stem)
def test_drawing_is_the_one_looked_at(path: Path) -> None:
    golden = path.read_text(encoding="utf-8")
    latex = golden.split("\n", 1)[0]
    assert as_file(latex) == golden
    drawing = draw(latex)
    assert {cells(row) for row in drawing.rows} == {drawing.width}
    assert 0 <= drawing.baseline < len(drawing.rows)


_NOT_DRAWN = re.compile(
    r"\\(?:begin|end)\{[^{}]*\}(?:\{[lcrC|:@{}]*\}|\{\d\}|\[[lcrtb]\])?|\\(?:color|textcolor|colorbox)\{\w+\}|\\phantom\{[^{}]*\}"
    r"|\\rule\{\w+\}\{[\w.]+\}|\\href\{[^{}]*\}|\\smash\[\w\]|\\hspace\{\w+\}"
    r"|\\m?kern ?\d+(?:pt|mu)|\\\\\[\w+\]|%.*|\\[a-zA-Z]+"
)


def _letters(text: str) -> Counter[str]:
    plain = unicodedata.normalize("NFKD", text.replace("ᐟ", "/"))
    return Counter(letter for letter in plain if letter.isascii() and letter.isalnum())


@pytest.mark.parametrize("path", golden_files(), ids=lambda path: path.stem)
def test_no_letter_of_the_source_is_lost(path: Path) -> None:
    latex, drawing = path.read_text(encoding="utf-8").split("\n", 1)
    if drawing != "(shown as its source)\n":
        missing = _letters(_NOT_DRAWN.sub(" ", latex)) - _letters(drawing)
        assert not missing, missing


def test_there_are_enough_goldens() -> None:
    drawn = [
        path for path in golden_files() if "(shown as its source)" not in path.read_text(encoding="utf-8")
    ]
    assert len(drawn) >= 80


def main(arguments: list[str]) -> None:
    for path in golden_files():
        latex = path.read_text(encoding="utf-8").split("\n", 1)[0]
        path.write_text(as_file(latex), encoding="utf-8")
    known = {path.read_text(encoding="utf-8").split("\n", 1)[0] for path in golden_files()}
    for name in arguments:
        for latex in Path(name).read_text(encoding="utf-8").splitlines():
            if latex and latex not in known:
                known.add(latex)
                path = FOLDER / f"{slug(latex)}.txt"
                while path.exists():
                    path = path.with_stem(path.stem + "-b")
                path.write_text(as_file(latex), encoding="utf-8")


if __name__ == "__main__":
    main(sys.argv[1:])
