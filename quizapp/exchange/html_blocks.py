"""A tree of foreign HTML written as Markdown, block by block."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from quizapp.exchange import html_inline as inline
from quizapp.exchange.html_formulas import Formula
from quizapp.exchange.html_inline import BREAK, Run
from quizapp.exchange.html_tree import BLOCKS, DROPPED, HOLES, Node
from quizapp.exchange.markdown_text import BOLD, Piece, code_block, line

_LISTS = ("ul", "ol", "menu", "dir")
# Top-level lines that a deck would read as its own structure are never written: --- splits a card, ## starts one.
_RULE = "___"


class Writer:
    """Writes one field. ``lost`` is filled with what is dropped, ``media`` with the names of pictures and sounds."""

    def __init__(self, formulas: list[list[Formula]], dollars: bool, lost: list[str]) -> None:
        self.formulas = formulas
        self.dollars = dollars
        self.lost = lost
        self.media: list[str] = []

    def document(self, root: Node) -> str:
        """The whole text, its blocks parted by empty lines."""
        return "\n\n".join(self._apart(self.blocks(root.children, 0)))

    def one_line(self, root: Node) -> str:
        """The whole text in one line."""
        return self._line(self._flat(root.children, 0), heading=True)

    def blocks(self, children: Sequence[Node | str], styles: int) -> list[str]:
        """The blocks of some nodes, each one or more lines."""
        made: list[str] = []
        run = Run(self)

        def flush() -> None:
            nonlocal run
            made.extend(self._paragraphs(run))
            run = Run(self)

        for child in children:
            if isinstance(child, str):
                run.text(child, styles)
            elif child.tag in DROPPED:
                inline.drop(self, run, child, styles)
            elif _is_block(child):
                if child.tag in ("div", "center") and not any(_holds_block(c) for c in child.children):
                    # Anki's editor makes a line a div: a new line, not a new paragraph.
                    run.fresh_line()
                    if _only_break(child):
                        run.parts.append(BREAK)
                    else:
                        inline.walk(self, run, child.children, inline.styled(self, child, styles))
                        run.fresh = True
                    continue
                flush()
                made += self._block(child, inline.styled(self, child, styles))
            else:
                inline.element(self, run, child, styles)
        flush()
        return made

    def _block(self, node: Node, styles: int) -> list[str]:
        tag = node.tag
        if re.fullmatch("h[1-6]", tag):
            text = self._line(self._flat(node.children, styles & ~BOLD), heading=True)
            # A card starts at ##, so headings inside one begin a level below.
            return [f"{'#' * max(3, int(tag[1]))} {text}"] if text else []
        if tag in _LISTS:
            return [*self._list(node, styles)]
        if tag == "table":
            return self._table(node, styles)
        if tag in ("pre", "code", "textarea"):
            return [self._code(node)]
        if tag == "hr":
            return [_RULE]
        if tag == "blockquote":
            inner = "\n\n".join(self._apart(self.blocks(node.children, styles)))
            return ["\n".join(f"> {row}".rstrip() for row in inner.split("\n"))] if inner else []
        if tag in ("dt", "summary", "caption", "legend"):
            styles |= BOLD
        if tag == "a" and node.attributes.get("href"):
            self.lost.append("a link around several lines")
        return self.blocks(node.children, styles)

    def _paragraphs(self, run: Run) -> list[str]:
        """A stretch of inline content: single breaks stay in the paragraph, more of them end it."""
        made: list[str] = []
        lines: list[str] = []

        def flush() -> None:
            if lines:
                made.append("\\\n".join(lines))
            lines.clear()

        row: list[Piece] = []
        breaks = 0
        several = BREAK in run.parts
        for part in [*run.parts, BREAK, BREAK]:
            if part is not BREAK:
                row.append(part)
                continue
            text = self._line(row, brackets=several)
            row = []
            if not text:
                breaks += 1
            elif text.startswith("$$") and text.endswith("$$") and text.count("$$") == 2:
                flush()
                made.append(text)
            else:
                if breaks:
                    flush()
                lines.append(text)
            if text:
                breaks = 0
        flush()
        return made

    def _line(self, pieces: Sequence[Piece], heading: bool = False, brackets: bool = False) -> str:
        if heading:
            # No formula stands on lines of its own in a heading.
            pieces = [
                p._replace(source=f"${p.source[2:-2]}$") if p.source and p.source.startswith("$$") else p
                for p in pieces
            ]
        text, kept = line(pieces, dollars=self.dollars, brackets=brackets)
        if not kept:
            self.lost.append("emphasis inside a word")
        # A heading loses trailing number signs, which close it.
        return re.sub(r"(^|\s)(#+)$", r"\1\\\2", text) if heading else text

    def _flat(self, children: Sequence[Node | str], styles: int) -> list[Piece]:
        """Everything inside as the pieces of one line, for a heading or a table's cell."""
        run = Run(self)
        self._flatten(run, children, styles)
        return [Piece(" ") if part is BREAK else part for part in run.parts]

    def _flatten(self, run: Run, children: Sequence[Node | str], styles: int) -> None:
        items = 0
        for child in children:
            if isinstance(child, str):
                run.text(child, styles)
            elif child.tag in DROPPED:
                inline.drop(self, run, child, styles)
            elif child.tag in ("pre", "textarea"):
                code = " ".join(self._code_text(child).split("\n")).strip()
                if code:
                    run.parts += [BREAK, *inline.code_pieces(code, styles), BREAK]
            elif child.tag == "li":
                items += 1
                run.parts.append(Piece("; ") if items > 1 else BREAK)
                self._flatten(run, child.children, styles)
            elif _is_block(child):
                run.parts.append(BREAK)
                self._flatten(run, child.children, inline.styled(self, child, styles))
                run.parts.append(BREAK)
            elif any(_holds_block(c) for c in child.children):
                self._flatten(run, child.children, inline.styled(self, child, styles))
            else:
                inline.element(self, run, child, styles)

    # Lists

    def _list(self, node: Node, styles: int) -> list[str]:
        items: list[list[str]] = []
        for child in node.children:
            if isinstance(child, Node) and child.tag in _LISTS and items:
                # Word and old editors put a nested list beside the item it belongs to.
                items[-1] += self._list(child, styles)
            elif isinstance(child, Node) and child.tag == "li":
                items.append(self.blocks(child.children, inline.styled(self, child, styles)))
            elif not isinstance(child, str) or child.strip():
                items.append(self.blocks([child], styles))
        items = [item for item in items if item]
        if not items:
            return []
        number = _start(node)
        loose = any(len([block for block in item if not _is_list(block)]) > 1 for item in items)
        rows: list[str] = []
        for at, item in enumerate(items):
            marker = f"{number + at}. " if node.tag == "ol" else "- "
            blocks = self._apart(item)
            # [ ] at the start of an item would make the list the answers of a choice.
            blocks[0] = re.sub(r"^\[(?=[ xX]\])", r"\\[", blocks[0])
            inner = ("\n\n" if loose else "\n").join(blocks)
            pad = " " * len(marker)
            rows.append(
                marker + "\n".join(pad + row if row and i else row for i, row in enumerate(inner.split("\n")))
            )
        return [("\n\n" if loose else "\n").join(rows)]

    def _apart(self, blocks: Iterable[str]) -> list[str]:
        """Blocks of which no two lists in a row run together: the second takes another marker."""
        made: list[str] = []
        for block in blocks:
            if made:
                for pattern, other in ((r"(?m)^- ", "* "), (r"(?m)^(\d+)\. ", r"\1) ")):
                    if re.match(pattern, block) and re.match(pattern, made[-1]):
                        block = re.sub(pattern, other, block)
            made.append(block)
        return made

    # Code

    def _code(self, node: Node) -> str:
        code = self._code_text(node).strip("\n").rstrip()
        if not HOLES.search(code):
            return code_block(code, _language(node))
        # Nothing is hidden inside a block of code, so its lines become code spans around what is.
        self.lost.append("the block form of code with hidden parts; its lines are kept")
        rows = [line(inline.code_pieces(row, 0))[0] for row in code.split("\n")]
        return "\\\n".join(row for row in rows if row)

    def _code_text(self, node: Node) -> str:
        return inline.without_marks(self, node.text()).replace("\u00a0", " ")

    # Tables

    def _table(self, node: Node, styles: int) -> list[str]:
        made: list[str] = []
        rows: list[Node] = []
        for child in node.children:
            if isinstance(child, Node) and child.tag in ("thead", "tbody", "tfoot"):
                rows += [row for row in child.children if isinstance(row, Node) and row.tag == "tr"]
            elif isinstance(child, Node) and child.tag == "tr":
                rows.append(child)
            elif isinstance(child, Node) and child.tag in ("colgroup", "col"):
                continue
            elif not isinstance(child, str) or child.strip():
                made += self.blocks(
                    [child], styles | (BOLD if isinstance(child, Node) and child.tag == "caption" else 0)
                )
        cells = [
            [c for c in row.children if isinstance(c, Node) and c.tag in ("td", "th") and not _numbers(c)]
            for row in rows
        ]
        cells = [row for row in cells if row]
        if not cells:
            return made + self.blocks([c for row in rows for c in row.children], styles)
        width = max(len(row) for row in cells)
        if width == 1 or any(_holds_layout(cell) for row in cells for cell in row):
            # A table that only arranges: what it holds, one after the other.
            return made + [
                block for row in cells for cell in row for block in self.blocks(cell.children, styles)
            ]
        if any(cell.attributes.get("rowspan", "1") not in ("", "1") for row in cells for cell in row):
            self.lost.append("cells merged over rows of a table")
        table = [self._row(row, styles) for row in cells]
        width = max(len(row) for row in table)
        lines = [f"| {' | '.join(row + [''] * (width - len(row)))} |" for row in table]
        marks = [_alignment(cell) for cell in cells[0]]
        lines.insert(1, f"|{'|'.join((marks + ['---'] * width)[:width])}|")
        return [*made, "\n".join(lines)]

    def _row(self, cells: Sequence[Node], styles: int) -> list[str]:
        made: list[str] = []
        for cell in cells:
            pieces = self._flat(cell.children, inline.styled(self, cell, styles))
            text, kept = line(pieces, start=False)
            if not kept:
                self.lost.append("emphasis inside a word")
            made.append(text.replace("|", r"\|"))
            span = cell.attributes.get("colspan", "1")
            made += [""] * (min(int(span), 50) - 1 if span.isascii() and span.isdigit() else 0)
        return made


def _is_block(node: Node) -> bool:
    if node.tag == "code":
        return any(isinstance(c, Node) and (c.tag == "br" or c.tag in BLOCKS) for c in node.children)
    return node.tag in BLOCKS or node.tag == "textarea" or any(_holds_block(c) for c in node.children)


def _holds_block(node: Node | str) -> bool:
    return isinstance(node, Node) and node.tag not in DROPPED and _is_block(node)


def _holds_layout(cell: Node) -> bool:
    return any(cell.find(tag) is not None for tag in ("table", "pre", "ul", "ol", "blockquote"))


def _only_break(node: Node) -> bool:
    shown = [child for child in node.children if not isinstance(child, str) or child.strip()]
    return all(isinstance(child, Node) and child.tag == "br" for child in shown)


def _is_list(block: str) -> bool:
    return re.match(r"(?:[-*]|\d+[.)]) ", block) is not None


def _start(node: Node) -> int:
    start = node.attributes.get("start", "1")
    return int(start) if start.isascii() and start.isdigit() and len(start) < 7 else 1


def _numbers(cell: Node) -> bool:
    """Whether a cell holds the line numbers of highlighted code."""
    return re.search(r"line-?no|gutter", cell.attributes.get("class", "")) is not None


def _alignment(cell: Node) -> str:
    wanted = cell.attributes.get("align", "").lower()
    style = re.search(r"text-align\s*:\s*(\w+)", cell.attributes.get("style", "").lower())
    return {"left": ":---", "center": ":---:", "right": "---:"}.get(style[1] if style else wanted, "---")


def _language(node: Node) -> str:
    inner = node.find("code") if node.tag == "pre" else None
    for element in (node, inner):
        classes = element.attributes.get("class", "") if element is not None else ""
        if found := re.search(
            r"(?:^|\s)(?:language-|lang-|highlight-|brush:\s*)([A-Za-z0-9+#._-]+)", classes
        ):
            return found[1]
    return ""
