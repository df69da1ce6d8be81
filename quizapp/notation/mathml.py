"""A formula as MathML for a browser."""

from __future__ import annotations

from xml.etree.ElementTree import Element, tostring

from quizapp.notation.errors import UnreadableFormula

# Attributes that tell the terminal layout something and mean nothing in MathML.
_OWN = ("class", "fenced", "braced", "sized")


def to_mathml(latex: str, display: bool = True) -> str | None:
    """The formula as a ``<math>`` element for HTML, or None where it is not understood.

    Lines, frames and alignments are CSS, since browsers draw MathML Core, which has no attributes for them.
    """
    from quizapp.notation.function_space import space_functions
    from quizapp.notation.reader import read

    try:
        tree = read(latex, display)
    except (UnreadableFormula, RecursionError):
        return None
    if not len(tree):
        return None
    for item in tree.iter():
        if item.tag == "mtable":
            _style_table(item)
        elif item.tag == "menclose":
            item.tag = "mrow"
            item.attrib = {"style": "border: 1px solid; padding: 0.3em"}
        elif item.tag == "mo" and item.text == "-":
            # A browser draws the hyphen as one; a terminal's hyphen is its minus.
            item.text = "−"
    space_functions(tree)
    for item in tree.iter():
        for name in _OWN:
            item.attrib.pop(name, None)
    tree.tag = "math"
    tree.set("xmlns", "http://www.w3.org/1998/Math/MathML")
    tree.set("display", "block" if display else "inline")
    return tostring(tree, encoding="unicode")


def _style_table(table: Element) -> None:
    columns = table.attrib.pop("columnlines", "")
    rules = table.attrib.pop("rowlines", "").split()
    paired = table.attrib.pop("columnspacing", "") == "0 2em"
    for number, row in enumerate(table):
        for at, cell in enumerate(row):
            styles = [f"text-align: {cell.attrib.pop('columnalign', 'center')}"]
            if paired:
                styles.append("padding-left: 0" if at % 2 else "padding-right: 0")
            if columns[at : at + 1] == "|":
                styles.append("border-left: 1px solid")
            if at + 1 == len(row) and columns[at + 1 : at + 2] == "|":
                styles.append("border-right: 1px solid")
            if rules[number : number + 1] == ["solid"]:
                styles.append("border-top: 1px solid")
            if number + 1 == len(table) and rules[number + 1 : number + 2] == ["solid"]:
                styles.append("border-bottom: 1px solid")
            cell.set("style", "; ".join(styles))
