"""The commands that make tables: environments and ``\\substack``."""

from __future__ import annotations

import re
from collections.abc import Callable
from xml.etree.ElementTree import Element

from quizapp.notation.elements import element, fence
from quizapp.notation.environments import ENVIRONMENTS, Environment
from quizapp.notation.errors import UnreadableFormula
from quizapp.notation.parser import Parser


def _table(reader: Parser, name: str, kind: Environment) -> Element:
    columns, lines = kind.columns, ""
    if kind.argument == "columns":
        reader.raw_bracket()
        columns, lines = _column_letters(reader.raw_group())
    elif kind.argument == "count":
        reader.raw_group()
    elif name.endswith("matrix*") and reader.peek() == "[":
        columns = reader.raw_bracket() or "c"
    elif name in ("aligned", "gathered") and reader.upcoming_bracket().strip() in ("t", "b", "c"):
        # Where the table sits on its line: a table of ours is centred on it.
        reader.raw_bracket()

    def alignment(column: int) -> str:
        if kind.argument == "columns" and column >= len(columns):
            raise UnreadableFormula("more cells than columns")
        return {"l": "left", "r": "right", "c": "center"}.get(columns[column % len(columns)], "center")

    display, reader.display = reader.display, kind.display
    rules: list[str] = []
    rows = _table_rows(reader, name, alignment, "\\end", aligned=kind.aligned, rules=rules)
    reader.display = display
    if reader.raw_group() != name:
        raise UnreadableFormula(f"\\end{{{name}}} is missing")
    attributes = {"columnlines": lines} if "|" in lines else {}
    if any(rule == "solid" for rule in rules):
        attributes["rowlines"] = " ".join(rules)
    if kind.aligned:
        attributes["columnspacing"] = "0 2em"
    if kind.display and not kind.left:
        attributes["displaystyle"] = "true"
    if name in ("equation", "equation*", "displaymath", "math"):
        if len(rows) == 1 and len(rows[0]) == 1:
            return element("mrow", "", *rows[0][0])
        raise UnreadableFormula("an equation of several lines")
    table = element("mtable", "", *rows, **attributes)
    if not (kind.left or kind.right):
        return table
    return element("mrow", "", fence(kind.left), table, fence(kind.right), fenced="true")


def _table_rows(
    reader: Parser,
    name: str,
    alignment: Callable[[int], str],
    end: str,
    *,
    aligned: bool = False,
    rules: list[str] | None = None,
) -> list[Element]:
    rows: list[Element] = []
    cells: list[Element] = []
    rules = [] if rules is None else rules
    rules.append("none")
    while True:
        while reader.peek() == "\\hline":
            reader.take()
            rules[-1] = "solid"
        items = reader.row()
        if aligned and len(cells) % 2 == 1:
            # TeX puts an empty atom before the sign of an aligned relation, so that it is spaced as one.
            items.insert(0, element("mi"))
        if items or cells or reader.peek() != end:
            cells.append(element("mtd", "", *items, columnalign=alignment(len(cells))))
        token = reader.take()
        if token == "&":
            continue
        if cells:
            rows.append(element("mtr", "", *cells))
            cells = []
            if token in ("\\\\", "\\cr"):
                rules.append("none")
        if token in ("\\\\", "\\cr"):
            if reader.peek() == "*":
                reader.take()
            if re.fullmatch(r"\s*-?[\d.]+\s*(?:em|ex|pt|mm|cm)\s*", reader.upcoming_bracket()):
                reader.raw_bracket()
            continue
        if token != end:
            raise UnreadableFormula(f"{name} is not closed")
        return rows


def environment(reader: Parser, _name: str) -> Element:
    name = reader.raw_group()
    kind = ENVIRONMENTS.get(name)
    if kind is None:
        raise UnreadableFormula(f"the environment {name} is not known")
    return _table(reader, name, kind)


def substack(reader: Parser, _name: str) -> Element:
    reader.expect("{")
    rows = _table_rows(reader, "\\substack", lambda _column: "center", "}")
    return element("mtable", "", *rows)


def _column_letters(source: str) -> tuple[str, str]:
    """The alignments of an array's columns, and its lines: one of ``.|`` before, between and after them."""
    source = re.sub(r"[@!]\s*\{[^{}]*\}|\s", "", source)
    source = re.sub(r"\*\{?(\d)\}?\{(\w+)\}", lambda match: match[2] * int(match[1]), source)
    if not re.fullmatch(r"\|*(?:[lcr]\|*)+", source):
        raise UnreadableFormula("columns of an unknown kind")
    letters = source.replace("|", "")
    lines = re.sub(r"\|+", "|", source)
    marks = []
    at = 0
    for _ in range(len(letters) + 1):
        if at < len(lines) and lines[at] == "|":
            marks.append("|")
            at += 1
        else:
            marks.append(".")
        at += 1
    return letters, "".join(marks)
