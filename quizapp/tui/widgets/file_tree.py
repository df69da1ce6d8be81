"""Folders and the files of some kinds in them, to choose one from.

Textual's own tree: a picker from another package would bring keys that cannot be remapped.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from pathlib import Path
from typing import ClassVar

from textual.binding import Binding, BindingType
from textual.widgets import DirectoryTree


class FileTree(DirectoryTree, inherit_bindings=False):
    """Posts ``FileSelected`` for the file that is chosen; hidden files and other kinds are left out."""

    ICON_NODE = "▸ "
    ICON_NODE_EXPANDED = "▾ "
    ICON_FILE = "  "
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("enter", "select_cursor", "Open", id="files-open", tooltip="Open the folder, or take the file"),
        Binding("backspace", "up", "Folder above", id="files-up", tooltip="Show the folder above this one"),
        Binding("space", "toggle_node", "Open", show=False, id="files-toggle", tooltip="Open or close the folder"),
        Binding("down,j", "cursor_down", "Down", show=False, id="files-down", tooltip="The next line"),
        Binding("up,k", "cursor_up", "Up", show=False, id="files-before", tooltip="The line before"),
        Binding("pagedown", "page_down", "Page down", show=False, id="files-page-down", tooltip="A page on"),
        Binding("pageup", "page_up", "Page up", show=False, id="files-page-up", tooltip="A page back"),
        Binding("home", "scroll_home", "First", show=False, id="files-first", tooltip="The first line"),
        Binding("end", "scroll_end", "Last", show=False, id="files-last", tooltip="The last line"),
    ]  # fmt: skip
    DEFAULT_CSS = """
    FileTree { background: transparent; scrollbar-size-vertical: 1; }
    """

    def __init__(self, folder: Path, extensions: Collection[str], *, id: str | None = None) -> None:
        super().__init__(folder, id=id)
        self._extensions = frozenset(extensions)

    def filter_paths(self, paths: Iterable[Path]) -> Iterable[Path]:
        return [path for path in paths if path.name[:1] != "." and self._fits(path)]

    def _fits(self, path: Path) -> bool:
        try:
            return path.is_dir() or path.suffix.lower() in self._extensions
        except OSError:
            return False

    def action_up(self) -> None:
        self.path = Path(self.path).absolute().parent
