"""Golden drawings: one file a formula, its LaTeX on the first line, the drawing below.

``python -m tests.notation.goldens FILE`` adds the formulas of FILE (one a line) and redraws the others. Look at every
changed file before it is kept.
"""

from __future__ import annotations

import re
import sys
from pathlib import Path

from quizapp.notation import draw

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
