"""Markdown from elsewhere made fit for a card: what would end the card or swallow the next one is written otherwise."""

from __future__ import annotations

import re

from markdown_it.token import Token

from quizapp.decks.blocks import outline

_OPENING = re.compile(r"( {0,3})(`{3,}|~{3,})(.*)")
_TASK = re.compile(r"(\s*[-*+]\s+)\[([ xX])\](?=\s|$)")
# Each round mends one thing; a text that needs more is left to its caller.
_MOST_ROUNDS = 200


def has_rule(text: str) -> bool:
    """Whether a line of dashes in ``text`` would split a prompt from its answer."""
    if "---" not in text:
        return False
    lines = text.split("\n")
    return any(_is_rule(block, lines) for block in _blocks(lines))


def has_task_list(text: str) -> bool:
    """Whether ``text`` would make its card a choice."""
    if "[" not in text:
        return False
    lines = text.split("\n")
    return any(_is_task_list(block, lines) for block in _blocks(lines))


def close_blocks(text: str, *, rule: str, tasks: bool = True) -> str:
    """``text`` without what a deck would take for its own.

    Headings come below a card's, fences and HTML are closed, lines of dashes become ``rule``; without ``tasks``
    a task list shows its brackets.
    """
    for _ in range(_MOST_ROUNDS):
        mended = _mended(text, rule, tasks)
        if mended == text:
            break
        text = mended
    return text


def _blocks(lines: list[str]) -> list[Token]:
    """The blocks at the top level of a text, up to its first heading of a deck; lines count from 0."""
    found = outline(["## a", *lines])
    blocks = found.cards[0].blocks
    for block in blocks:
        if block.map:
            block.map = [block.map[0] - 1, block.map[1] - 1]
    return blocks


def _is_rule(block: Token, lines: list[str]) -> bool:
    return block.type == "hr" and block.map is not None and set(lines[block.map[0]].strip()) == {"-"}


def _is_task_list(block: Token, lines: list[str]) -> bool:
    return (
        block.type == "bullet_list_open"
        and block.map is not None
        and _TASK.match(lines[block.map[0]]) is not None
    )


def _mended(text: str, rule: str, tasks: bool) -> str:
    lines = text.split("\n")
    return _closed_end(lines) or _lower_headings(lines) or _own_marks(lines, rule, tasks)


def _closed_end(lines: list[str]) -> str | None:
    """The text with its first block that is not closed mended; None where all are."""
    found = outline(["## a", *lines, "", "$$", "z", "$$", "", "## z"])
    broken = sorted(line - 1 for section in found.cards for line, _ in section.broken)
    if broken:
        return _closed(list(lines), broken[0])
    sections = sorted(found.titles + found.cards, key=lambda section: section.start)
    if sections[-1].start <= len(lines):
        # Nothing else runs on to the end of a file unless it is marked as broken.
        html = next(block for block in reversed(sections[-1].blocks) if block.type == "html_block")
        return _escaped(lines, html, "<", "\\<")
    for block in (block for section in sections for block in section.blocks):
        if block.type.startswith("math_block") and block.map and block.map[0] <= len(lines) < block.map[1]:
            return _escaped(lines, block, "$$", "\\$\\$")
    return None


def _escaped(lines: list[str], block: Token, mark: str, instead: str) -> str:
    """The text with the mark that opens a block shown as it is."""
    at = block.map[0] - 1 if block.map else 0
    return "\n".join([*lines[:at], lines[at].replace(mark, instead, 1), *lines[at + 1 :]])


def _lower_headings(lines: list[str]) -> str | None:
    found = outline(lines)
    starts = {section.start for section in found.titles + found.cards}
    if not starts:
        return None
    return "\n".join(
        re.sub(r"#{1,2}", "###", line, count=1) if at in starts else line for at, line in enumerate(lines)
    )


def _closed(lines: list[str], at: int) -> str:
    opening = _OPENING.match(lines[at])
    if opening is None:
        lines[at] = lines[at].replace("<", "\\<", 1)
        return "\n".join(lines)
    mark = opening[2][0]
    longest = max(len(run) for run in re.findall(re.escape(mark) + "+", "\n".join(lines[at:])))
    closing = re.compile(rf" {{0,3}}{re.escape(mark)}{{{len(opening[2])},}}[ \t]*")
    end = next((n for n in range(at + 1, len(lines)) if closing.fullmatch(lines[n])), len(lines))
    fence = mark * (longest + 1)
    return "\n".join(
        [*lines[:at], f"{opening[1]}{fence}{opening[3]}", *lines[at + 1 : end], fence, *lines[end + 1 :]]
    )


def _own_marks(lines: list[str], rule: str, tasks: bool) -> str:
    for block in _blocks(lines):
        if block.map is None:
            continue
        start, end = block.map
        if _is_rule(block, lines) and rule != "---":
            lines[start] = rule
        elif block.type == "fence" and block.info.split() == ["toml", "card"]:
            lines[start] = re.sub(r"toml\s+card", "toml", lines[start])
        elif not tasks and _is_task_list(block, lines):
            lines[start:end] = [_TASK.sub(r"\1\\[\2]", line) for line in lines[start:end]]
    return "\n".join(lines)
