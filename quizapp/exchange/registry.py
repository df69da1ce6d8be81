"""The formats: what each is called, which files are of it, and how a file is written whole or not at all.

A format's module is imported when it is first used, so that none waits for another's libraries.
"""

from __future__ import annotations

import contextlib
import difflib
import importlib
import os
import re
import tempfile
import zipfile
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import BinaryIO, cast

import msgspec

from quizapp.exchange.model import Bundle, ExchangeError, Incoming, Progress, ReadOptions, Written, silent


class Format(msgspec.Struct, frozen=True):
    """One format. A file of it is called by one of ``extensions``; ``also_read`` are extensions of files that another
    program would not take for the same. ``text`` where a terminal can show it.
    """

    name: str
    title: str
    extensions: tuple[str, ...]
    module: str
    writes: bool = True
    reads: bool = True
    text: bool = False
    schedule: bool = False
    also_read: tuple[str, ...] = ()

    def write(self, bundle: Bundle, target: Path, progress: Progress = silent) -> Written:
        """Write to ``target``, whose extension is the format's."""
        module = importlib.import_module(f"quizapp.exchange.{self.module}")
        return cast(Written, module.write(bundle, target, progress))

    def read(self, source: Path, options: ReadOptions) -> Incoming:
        module = importlib.import_module(f"quizapp.exchange.{self.module}")
        return cast(Incoming, module.read(source, options))


FORMATS: Mapping[str, Format] = {
    known.name: known
    for known in (
        # Anki takes a .colpkg for a whole collection, and replaces the user's by it.
        Format("apkg", "Anki package", (".apkg",), "apkg", schedule=True, also_read=(".colpkg",)),
        Format("anki-text", "Anki notes as text", (".txt",), "anki_text", text=True),
        Format("hashcards", "hashcards Markdown", (), "hashcards", text=True),
        Format("mochi", "Mochi", (".mochi",), "mochi"),
        Format("csv", "table with commas", (".csv",), "table", text=True),
        Format("tsv", "table with tabs", (".tsv", ".tab"), "table", text=True),
        Format("json", "everything, as JSON", (".json",), "json_format", text=True, schedule=True),
        Format("html", "study sheet for a browser", (".html", ".htm"), "html", reads=False, text=True),
        Format("md", "deck file", (".md", ".markdown"), "markdown_format", text=True),
    )
}

# How much of a file is looked at to tell what it is.
_HEAD = 64_000
_ANKI_HEADER = re.compile(
    r"#(separator|html|tags|deck|notetype|columns|(guid|notetype|deck|tags) column|if matches|match scope):",
    re.IGNORECASE,
)
_FENCED = re.compile(r"(?ms)^ {0,3}(`{3,}+|~{3,}+).*?^ {0,3}\1[`~]*[ \t]*$")
_OWN_CARD = re.compile(r"(?m)^## \S")
# What only Obsidian's notes have, whose headings look like cards of ours.
_NOTE = re.compile(r"(?m)^(#flashcards\b|\?{1,2}[ \t]*$)")
_FOREIGN_CARD = re.compile(r"(?m)^(Q:|C:|#flashcards\b|\?{1,2}[ \t]*$)|\S[ \t]*:::?[ \t]*\S|==[^=\n]+==")


def format_to_write(path: Path, name: str | None = None) -> Format:
    """The format that is named, else that of the extension. Raises ExchangeError for one that is not known."""
    if path.is_dir():
        raise ExchangeError(f"{path}: this is a folder; name a file in it")
    if name is not None:
        found = _named(name)
        if not found.writes:
            raise ExchangeError(f"{name} can be read only; choose {_names(writing=True)}")
        return found
    for known in FORMATS.values():
        if known.writes and path.suffix.lower() in known.extensions:
            return known
    what = f"{path.suffix} is no format" if path.suffix else "no extension says the format"
    raise ExchangeError(f"{path}: {what}; add --format with one of {_names(writing=True)}")


def format_to_read(path: Path, name: str | None = None) -> Format:
    """The format that is named, else what the file is by its extension and its first lines.

    Raises ExchangeError where nothing fits, or the file cannot be opened.
    """
    if name is not None:
        found = _named(name)
        if not found.reads:
            raise ExchangeError(
                f"{name} can be written only; the formats to read are {_names(writing=False)}"
            )
        return found
    with _explained(path), path.open("rb") as file:
        head = file.read(_HEAD)
        packed = _packed(file) if head.startswith(b"PK") else None
    if packed:
        return FORMATS[packed]
    for known in FORMATS.values():
        if path.suffix.lower() in known.extensions + known.also_read and known.reads:
            return FORMATS[_text_kind(known.name, head)]
    if head.lstrip(b"\xef\xbb\xbf \t\r\n").startswith(b"{"):
        return FORMATS["json"]
    raise ExchangeError(
        f"{path}: not clear which format this is; add --format with one of {_names(writing=False)}"
    )


def write_file(found: Format, bundle: Bundle, target: Path, progress: Progress = silent) -> Written:
    """Write beside ``target`` and rename, so that a file there stays whole until the new one is.

    Raises ExchangeError where it cannot be written, Cancelled where the user stopped it.
    """
    if target.is_dir():
        raise ExchangeError(f"{target}: this is a folder; name a file in it")
    if not target.parent.is_dir():
        raise ExchangeError(f"{target.parent}: no such folder; make it first")
    suffix = found.extensions[0] if found.extensions else target.suffix
    with _explained(target):
        target = Path(os.path.realpath(target))
        # Renaming would put a file in the place of a device, a pipe or a link that leads to itself.
        if os.path.lexists(target) and not target.is_file():
            raise ExchangeError(
                f"{target}: this is no file that can be replaced; name another, or - for a text"
            )
        handle, name = tempfile.mkstemp(dir=target.parent, prefix=f".{target.stem[:40]}-", suffix=suffix)
        os.close(handle)
        temporary = Path(name)
        try:
            written = found.write(bundle, temporary, progress)
            _settle(temporary, target)
        except BaseException:
            temporary.unlink(missing_ok=True)
            raise
    return written


def read_file(path: Path, options: ReadOptions, name: str | None = None) -> tuple[Format, Incoming]:
    """Read a file of any format. Raises ExchangeError with one line where it cannot be read."""
    with _explained(path):
        path.stat()
        if path.is_dir():
            raise ExchangeError(f"{path}: this is a folder; name the files in it")
        if not path.is_file():
            raise ExchangeError(f"{path}: no file that can be read to its end")
        found = format_to_read(path, name)
        return found, found.read(path, options)


def _settle(temporary: Path, target: Path) -> None:
    """Give the finished file its place, on the disk and with ordinary permissions."""
    with temporary.open("rb+") as file:
        os.fsync(file.fileno())
    mask = os.umask(0)
    os.umask(mask)
    mode = target.stat().st_mode & 0o7777 if target.exists() else 0o666 & ~mask
    temporary.chmod(mode)
    temporary.replace(target)


@contextlib.contextmanager
def _explained(path: Path) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        reason = (error.strerror or str(error)).lower()
        raise ExchangeError(f"{path}: {reason}") from None
    except MemoryError:
        raise ExchangeError(f"{path}: more than the memory here holds; split it") from None
    except RecursionError:
        raise ExchangeError(f"{path}: nested too deep to be read") from None


def _packed(file: BinaryIO) -> str | None:
    """Which format a zip holds; None for one that is none of ours."""
    try:
        with zipfile.ZipFile(file) as archive:
            names = set(archive.namelist())
    except (zipfile.BadZipFile, NotImplementedError):
        return None
    if names & {"collection.anki2", "collection.anki21", "collection.anki21b"}:
        return "apkg"
    return "mochi" if names & {"data.edn", "data.json"} else None


def _text_kind(name: str, head: bytes) -> str:
    """What a text file is, whose extension several programs use."""
    text = head.decode("utf-8-sig", "replace").replace("\r\n", "\n")
    if name in ("csv", "tsv") and _ANKI_HEADER.match(text.lstrip('"')):
        return "anki-text"
    if name == "md":
        bare = _FENCED.sub("", text)
        foreign = _FOREIGN_CARD.search(bare) if not _OWN_CARD.search(bare) else _NOTE.search(bare)
        if foreign and "```toml card" not in text:
            return "hashcards"
    return name


def _named(name: str) -> Format:
    if name in FORMATS:
        return FORMATS[name]
    near = difflib.get_close_matches(name, FORMATS, 1)
    hint = f"did you mean {near[0]}?" if near else f"the formats are {', '.join(FORMATS)}"
    raise ExchangeError(f"no format {name!r}; {hint}")


def _names(*, writing: bool) -> str:
    return ", ".join(known.name for known in FORMATS.values() if (known.writes if writing else known.reads))
