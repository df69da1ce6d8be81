r"""Other programs' Markdown as a deck's: their ``\(..\)``, headings, highlights and links, each as ours has it."""

from __future__ import annotations

import re
from urllib.parse import quote

from quizapp.exchange.clozes import deletion
from quizapp.exchange.losses import Losses
from quizapp.exchange.media import linked_sounds
from quizapp.exchange.plain_cards import outside_fences
from quizapp.notation import from_mathjax
from quizapp.text import has_controls, strip_controls

_HEADING = re.compile(r"^ {0,3}(#{1,2})(?=\s|$)")
_TASK = re.compile(r"^(\s*[-*+]\s+)\[(?=[ xX]\])")
_EMBED = re.compile(r"!\[\[([^\]|\n]+)(?:\|[^\]\n]*)?\]\]")
_WIKI = re.compile(r"(?<!!)\[\[([^\]|\n]+)(?:\|([^\]\n]*))?\]\]")
_CLOZE = re.compile(r"\{(?=\{c\d+::)")


def foreign_markdown(text: str, losses: Losses, where: str, *, wiki: bool = False) -> str:
    """The text as a deck shows it the same. ``wiki``: whether ``[[page]]`` is a link."""
    if has_controls(text):
        text = strip_controls(text)
        losses.add("control characters, which a terminal would obey", where)
    lines: list[str] = []
    for line, outside in outside_fences(text.strip("\n").rstrip()):
        if outside:
            # A card starts at ##, a choice at - [ ].
            line = _HEADING.sub("###", line)
            line = _TASK.sub(r"\1\\[", line)
            if wiki:
                line = _EMBED.sub(lambda match: f"![]({quote(match[1].strip())})", line)
                line = _WIKI.sub(lambda match: match[2] or match[1], line)
            line = _CLOZE.sub(r"{\\", linked_sounds(line))
        lines.append(line)
    made = "\n".join(lines)
    if "$" not in text and "\\[" not in text and "\\)" in made:
        # An escaped bracket is no formula, an escaped parenthesis is one more often than not.
        made = from_mathjax(made)
    return made


def foreign_cloze(parts: list[tuple[str, str]], losses: Losses, where: str, *, wiki: bool = False) -> str:
    """A cloze text of ours from pieces of foreign Markdown: ``("", text)`` or ``(hidden, hint)``."""
    text = ""
    holes: list[tuple[str, str]] = []
    for hidden, other in parts:
        if hidden:
            text += f"\ufdd4{len(holes)}\ufdd5"
            holes.append((hidden, other))
        else:
            text += other.replace("\ufdd4", "").replace("\ufdd5", "")
    made = foreign_markdown(text, losses, where, wiki=wiki)

    def put(match: re.Match[str]) -> str:
        hidden, hint = holes[int(match[1])]
        return deletion(int(match[1]) + 1, hidden, hint) or hidden

    return re.sub("\ufdd4(\\d+)\ufdd5", put, made)
