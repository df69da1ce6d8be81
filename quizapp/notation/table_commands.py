"""The commands that make tables: environments and ``\\substack``."""

from __future__ import annotations

import re
from collections.abc import Callable
from xml.etree.ElementTree import Element

from quizapp.notation.elements import element, enclosed
from quizapp.notation.environments import ENVIRONMENTS, SINGLE_EQUATIONS, Environment
from quizapp.notation.errors import UnreadableFormula
from quizapp.notation.parser import LINE_ENDS, Parser

# Dashed rules and those of booktabs part the rows as the plain one does.
_RULES = frozenset({"\\hline", "\\hdashline", "\\toprule", "\\midrule", "\\bottomrule"})


def _table(reader: Parser, name: str, kind: Environment) -> Element:
    columns, lines = _columns(reader, name, kind)

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
    if kind.aligned or kind.narrow:
        attributes["columnspacing"] = "0 2em" if kind.aligned else "0.333em"
    if kind.display and not (kind.left or kind.right):
        attributes["displaystyle"] = "true"
    if name in SINGLE_EQUATIONS:
        if any(len(row) > 1 for row in rows):
            raise UnreadableFormula("an equation with columns")
        if len(rows) == 1:
            return element("mrow", "", *rows[0][0])
    if name.startswith("multline"):
        for row in rows[1:]:
            row[0][:0] = [element("mspace", width="2em"), element("mi")]
    table = element("mtable", "", *_tags_apart(rows), **attributes)
    return enclosed(table, kind.left, kind.right) if kind.left or kind.right else table


def _columns(reader: Parser, name: str, kind: Environment) -> tuple[str, str]:
    """What stands before the cells: the alignments of the columns, and the lines between them."""
    if kind.argument == "columns":
        reader.raw_bracket()
        source = reader.raw_group()
        return _column_letters(source.lower() if kind.narrow else source)
    if kind.argument == "count":
        reader.raw_group()
    elif name.endswith("matrix*") and reader.peek() == "[":
        return reader.raw_bracket() or "c", ""
    elif reader.upcoming_bracket().strip() in ("t", "b", "c") and name in (
        "aligned",
        "gathered",
        "multlined",
    ):
        # Where the table sits on its line: a table of ours is centred on it.
        reader.raw_bracket()
    return kind.columns, ""


def _tags_apart(rows: list[Element]) -> list[Element]:
    """The numbers of the equations in a column of their own, so that they shift nothing."""
    width = max((len(row) for row in rows), default=0)
    for row in rows:
        cell = row[-1]
        if len(cell) and cell[-1].get("class") == "tag":
            tag = cell[-1]
            cell.remove(tag)
            row.extend(element("mtd") for _ in range(width - len(row)))
            row.append(element("mtd", "", tag, columnalign="left"))
    return rows


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
        while reader.peek() in _RULES:
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
            if token in LINE_ENDS:
                rules.append("none")
        if token in LINE_ENDS:
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


def plain_table(reader: Parser, name: str) -> Element:
    """Plain TeX's tables: ``\\cases{...}`` and its kin."""
    kind = ENVIRONMENTS[name]
    reader.expect("{")
    alignment = "left" if kind.columns == "l" else "center"
    rows = _table_rows(reader, name, lambda _column: alignment, "}")
    return enclosed(element("mtable", "", *rows), kind.left, kind.right)


def _column_letters(source: str) -> tuple[str, str]:
    """The alignments of an array's columns, and its lines: one of ``.|`` before, between and after them."""
    source = source.replace(":", "|")
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
