"""LaTeX drawn in terminal cells, and the mathematics inside Markdown text."""

from __future__ import annotations

from quizapp.notation.drawing import Drawing, draw
from quizapp.notation.linear import inline
from quizapp.notation.markdown import Math, Text, from_mathjax, split_math, to_mathjax
from quizapp.notation.mathml import to_mathml
from quizapp.notation.text import render_text

__all__ = [
    "Drawing",
    "Math",
    "Text",
    "draw",
    "from_mathjax",
    "inline",
    "render_text",
    "split_math",
    "to_mathjax",
    "to_mathml",
]
