"""Write one setting into the configuration file, leaving the rest of it as it is."""

from __future__ import annotations

import json
import re
from pathlib import Path

from quizapp.config import load_config
from quizapp.decks.write import write_text
from quizapp.errors import UsageError


def keep_setting(path: Path, name: str, value: str | int | float) -> None:
    """Set ``name`` at the top level of the file. Raises UsageError, and writes nothing, where it does not fit."""
    text = path.read_text(encoding="utf-8") if path.exists() else ""
    line = f"{name} = {json.dumps(value, ensure_ascii=False)}"
    lines = text.splitlines()
    table = next((number for number, old in enumerate(lines) if old.lstrip().startswith("[")), len(lines))
    known = re.compile(rf"""\s*{name}\s*=\s*(?:"[^"]*"|'[^']*'|[^#]*?)(\s*#.*)?$""")
    for number in range(table):
        if found := known.match(lines[number]):
            lines[number] = line + (found[1] or "")
            break
    else:
        lines.insert(table, line)
    path.parent.mkdir(parents=True, exist_ok=True)
    before = text if path.exists() else None
    write_text(path, "\n".join(lines) + "\n")
    try:
        load_config(path)
    except UsageError:
        if before is None:
            path.unlink()
        else:
            write_text(path, before)
        raise
