r"""The formulas, comments and scripts of foreign HTML, taken out before it is read as a tree.

Anki knows ``\(..\)``, ``\[..\]`` (MathJax), ``<anki-mathjax>`` (the same in its editor), ``[$]..[/$]``,
``[$$]..[/$$]`` and ``[latex]..[/latex]``; web pages ``<script type="math/tex">``.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from html import unescape

from quizapp.exchange.html_tree import FORMULA, FORMULA_END, NOTHING

_OPENING = re.compile(
    r"<!--|<(script|style|pre|code|textarea|anki-mathjax)\b([^<>]*)>|\\\(|\\\[|\[\$\$?\]|\[latex\]",
    re.IGNORECASE,
)
_CLOSING = {
    opening: re.compile(closing, re.IGNORECASE)
    for opening, closing in {
        "<!--": r"-->", r"\(": r"(?<!\\)\\\)", r"\[": r"(?<!\\)\\\]", "[$]": r"\[/\$\]", "[$$]": r"\[/\$\$\]",
        "[latex]": r"\[/latex\]", "script": r"</script[^>]*>", "style": r"</style[^>]*>", "pre": r"</pre\b",
        "code": r"</code\b", "textarea": r"</textarea\b", "anki-mathjax": r"</anki-mathjax\s*>",
    }.items()
}  # fmt: skip
_BREAK = re.compile(r"<(?:br|/?div|/?p)\b[^<>]*>", re.IGNORECASE)
_ANY_TAG = re.compile(r"</?[A-Za-z][^<>]*>|<!--[^<]*?-->")
_SCRIPTS = re.compile(r"<(script|style)\b.*?(?:</\1[^<>]*>|\Z)", re.IGNORECASE | re.DOTALL)
_DOLLARS = re.compile(r"(?<!\\)(\$\$?)(.+?)(?<!\\)\1", re.DOTALL)


@dataclass(frozen=True)
class Formula:
    """One formula of foreign HTML, or (``text``) words that ``[latex]`` sets between formulas."""

    tex: str
    display: bool = False
    text: bool = False


def take_out(html: str) -> tuple[str, list[list[Formula]], int]:
    """``html`` with a mark for each formula, what the marks stand for, and the number of scripts and styles dropped.

    Comments go too. Code keeps every character, as MathJax leaves it alone.
    """
    found: list[list[Formula]] = []
    parts: list[str] = []
    absent: set[str] = set()
    dropped = at = code_end = 0
    while opening := _OPENING.search(html, at):
        name = (opening[1] or opening[0]).lower()
        coded = opening.start() < code_end and not name.startswith(("<", "s", "a"))
        closing = None if coded or name in absent else _CLOSING[name].search(html, opening.end())
        parts.append(html[at : opening.start()])
        script = name in ("script", "style")
        if coded:
            parts.append(opening[0])
            at = opening.end()
            continue
        if closing is None:
            absent.add(name)
            if script:
                # A browser runs an unclosed script to the end of the page.
                return "".join(parts), found, dropped + 1
            parts.append(opening[0])
            at = opening.end()
            continue
        inside = html[opening.end() : closing.start()]
        at = closing.end()
        formulas: list[Formula] | None = None
        if name == "<!--":
            parts.append(NOTHING)
        elif script and "math/tex" in opening[2]:
            formulas = [Formula(unescape(inside).strip(), "mode=display" in opening[2].replace(" ", ""))]
        elif script:
            parts.append(NOTHING)
            dropped += 1
        elif name in ("pre", "code", "textarea"):
            parts.append(opening[0])
            at = opening.end()
            code_end = closing.end()
        elif name == "[latex]":
            formulas = _latex(_tex(inside))
        else:
            display = name in (r"\[", "[$$]") or bool(
                re.search(r"block\s*=\s*[\"']?true", opening[2] or "", re.I)
            )
            formulas = [Formula(_tex(inside), display)]
        if formulas is not None:
            found.append(formulas)
            parts.append(f"{FORMULA}{len(found) - 1}{FORMULA_END}")
    return "".join(parts) + html[at:], found, dropped


def _tex(html: str) -> str:
    return unescape(_ANY_TAG.sub("", _BREAK.sub("\n", _SCRIPTS.sub("", html)))).replace("\u00a0", " ").strip()


def _latex(source: str) -> list[Formula]:
    r"""A piece of a LaTeX document: formulas between dollars or in environments, and words."""
    if source.startswith((r"\[", r"\(")) and source.endswith((r"\]", r"\)")):
        return [Formula(source[2:-2].strip(), source[1] == "[")]
    if re.match(r"\\begin\{(equation|align|gather|multline|displaymath|eqnarray)", source):
        return [Formula(re.sub(r"\\(begin|end)\{(?:equation|displaymath)\*?\}", "", source).strip(), True)]
    pieces: list[Formula] = []
    at = 0
    for match in _DOLLARS.finditer(source):
        pieces += [Formula(source[at : match.start()], text=True)] if match.start() > at else []
        pieces.append(Formula(match[2].strip(), match[1] == "$$"))
        at = match.end()
    rest = source[at:]
    if not pieces and re.search(r"\\[A-Za-z]+|[\^_]", rest):
        return [Formula(rest.strip())]
    return [*pieces, *([Formula(rest, text=True)] if rest else [])]
