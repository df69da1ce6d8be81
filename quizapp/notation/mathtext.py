"""Words inside a formula: the argument of ``\\text`` and its kin."""

from __future__ import annotations

import re

from quizapp.notation.errors import UnreadableFormula

_PIECE = re.compile(
    r"\$((?:[^$\\]|\\.)*)\$|\\\(((?:[^\\]|\\[^)])*)\\\)|\\([a-zA-Z]+)\s*|\\(.)|(---?|``|''|[{}~])|([^\\${}~`'-]+|.)",
    re.DOTALL,
)
_PLAIN = frozenset(
    [
        "text",
        "textrm",
        "textbf",
        "textit",
        "texttt",
        "textsf",
        "textup",
        "textsc",
        "textmd",
        "textnormal",
        "emph",
        "mbox",
        "rm",
        "bf",
        "it",
    ]
)
_SIGNS = {"--": "–", "---": "—", "``": "“", "''": "”", "{": "", "}": "", "~": "\u00a0"}
_NAMED = {"ldots": "…", "dots": "…", "quad": "  ", "qquad": "    ", "textendash": "–", "textbackslash": "\\",
          "textasciitilde": "~", "textasciicircum": "^", "S": "§", "textdegree": "°"}  # fmt: skip


def read_text(source: str) -> list[tuple[str, bool]]:
    """The pieces of ``source`` in order: words, and mathematics between dollars (True).

    Spaces become no-break spaces. Raises UnreadableFormula for a command that is not one of text.
    """
    pieces: list[tuple[str, bool]] = []
    words = ""
    for match in _PIECE.finditer(" ".join(source.split("\n"))):
        math = match[1] if match[1] is not None else match[2]
        if math is not None:
            pieces += [(words, False)] if words else []
            pieces.append((math, True))
            words = ""
        elif match[3] is not None:
            if match[3] not in _PLAIN and match[3] not in _NAMED:
                raise UnreadableFormula(f"\\{match[3]} inside text")
            words += _NAMED.get(match[3], "")
        elif match[4] is not None:
            if match[4] not in "_%&#$ {},;:!\\":
                raise UnreadableFormula(f"\\{match[4]} inside text")
            words += {",": " ", ";": " ", ":": " ", "!": "", "\\": " "}.get(match[4], match[4])
        elif match[5] is not None:
            words += _SIGNS[match[5]]
        else:
            if match[6] in ("$", "\\"):
                raise UnreadableFormula("a dollar stands alone")
            words += re.sub(r"\s+", " ", match[6])
    pieces += [(words, False)] if words else []
    return [(text if is_math else text.replace(" ", "\u00a0"), is_math) for text, is_math in pieces]
