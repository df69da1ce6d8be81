"""Text files of rows and columns, whatever a spreadsheet or an editor did to them."""

from __future__ import annotations

import csv
import re
from collections.abc import Iterable, Iterator
from io import StringIO
from pathlib import Path

from quizapp.exchange.model import ExchangeError

MOST_BYTES = 200 * 2**20
# The order in which Anki tries them; a space parts words everywhere, so it is never guessed.
SEPARATORS = {"\t": "tab", "|": "pipe", ";": "semicolon", ":": "colon", ",": "comma", " ": "space"}
_GUESSED = "\t|;,"


def read_text(source: Path) -> str:
    """A text file as one string with ``\\n`` line ends. Raises ExchangeError with one line for another encoding."""
    if source.stat().st_size > MOST_BYTES:
        raise ExchangeError(f"{source}: larger than {MOST_BYTES // 2**20} MB; split it")
    data = source.read_bytes()
    if data.startswith((b"\xff\xfe", b"\xfe\xff")) or (b"\0" in data[:200] and data[:200].count(b"\0") > 20):
        raise ExchangeError(f"{source}: saved as UTF-16; save it as UTF-8 and import it again")
    if b"\0" in data:
        raise ExchangeError(f"{source}: this is no text file (it holds zero bytes)")
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise ExchangeError(
            f"{source}:{line}: not UTF-8 (byte 0x{data[error.start]:02x}); save it as UTF-8 and import it again"
        ) from None
    return text.replace("\r\n", "\n").replace("\r", "\n")


def rows(text: str, separator: str, first: int = 1) -> Iterator[tuple[int, list[str], bool]]:
    """The rows as (line number, columns, whether a quote in it is never closed).

    ``first`` is the number of the first line. A quote that is not closed would swallow the rest of the file: its row
    is then read as it stands, and so are those after it.
    """
    lines = text.split("\n")
    at = 0
    while at < len(lines):
        reader = csv.reader((line + "\n" for line in lines[at:]), delimiter=separator, doublequote=True)
        begun = at
        for row in reader:
            start, at = at, begun + reader.line_num
            if at >= len(lines) and at - start > 1 and _unclosed(lines[start:], separator):
                at = start + 1
                yield first + start, lines[start].split(separator), True
                break
            if at - start == 1:
                row = [cell.removesuffix("\n") for cell in row]
            if any(cell.strip() for cell in row):
                yield first + start, row, False


def write_row(cells: Iterable[str], separator: str, special: str = "") -> str:
    """One line, its cells quoted where they have to be. ``special``: signs that are quoted at the start of the row."""
    written = [_cell(cell, separator) for cell in cells]
    if written and special and written[0][:1] in special and not written[0].startswith('"'):
        written[0] = f'"{written[0]}"'
    return separator.join(written) + "\n"


def guess_separator(text: str) -> str:
    """The separator that parts most of the first rows, and into the most alike rows; a tab where none does."""
    head = text[:64_000]
    best, most = "\t", (0.0, 0.0)
    for separator in _GUESSED:
        found = [len(row) for _, (_, row, _) in zip(range(50), rows(head, separator), strict=False)]
        if not found or max(found) < 2:
            continue
        usual = max(map(found.count, found))
        parted = sum(width > 1 for width in found)
        if (score := (parted / len(found), usual / len(found))) > most:
            best, most = separator, score
    return best


def field_limit() -> None:
    """Let a cell be as long as a card may be, and longer: the default stops at 128 kB."""
    csv.field_size_limit(MOST_BYTES)


def _cell(cell: str, separator: str) -> str:
    if separator in cell or "\n" in cell or "\r" in cell or '"' in cell:
        return '"' + cell.replace('"', '""') + '"'
    return cell


def _unclosed(lines: list[str], separator: str) -> bool:
    """Whether the record that begins here ends inside a quote."""
    text = "\n".join(lines)
    try:
        list(csv.reader(StringIO(text), delimiter=separator, strict=True))
    except csv.Error as error:
        return "unexpected end" in str(error)
    return False


def unquoted(line: str) -> str:
    """A header line that a spreadsheet quoted."""
    found = re.fullmatch(r'"((?:[^"]|"")*)"[,;\t|]*', line)
    return found[1].replace('""', '"') if found else line
