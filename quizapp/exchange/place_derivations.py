"""The derivations that come with a file: written beside the decks that step through them, and never over another's."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from quizapp.decks.write import write_text
from quizapp.derivations.reading import DerivationError, parse
from quizapp.exchange.losses import Losses
from quizapp.exchange.model import ExchangeError


def place_derivations(
    found: Mapping[str, str], folder: Path, lost: Losses, *, replace_edits: bool, dry_run: bool
) -> tuple[str, ...]:
    """Write the TOML files of ``found``, by id, into ``folder``; returns the files that were (or would be) written.

    Raises ExchangeError where the disk refuses.
    """
    written: list[str] = []
    for name, text in found.items():
        try:
            identity = parse(text, Path(f"{name}.toml")).id
        except DerivationError as error:
            lost.add(f"a derivation that cannot be read: {str(error).partition(': ')[2]}", name[:80])
            continue
        # An id is a plain file name, so that no other name leads out of the folder.
        if identity != name:
            lost.add("a derivation whose name is not its id", name[:80])
            continue
        path = folder / f"{name}.toml"
        data = text.encode()
        try:
            if path.exists():
                if path.read_bytes() == data:
                    continue
                if not replace_edits:
                    lost.add("a derivation: yours of that name differs; --replace takes the file's", name)
                    continue
            if not dry_run:
                folder.mkdir(parents=True, exist_ok=True)
                write_text(path, data)
        except OSError as error:
            raise ExchangeError(f"{path}: {(error.strerror or str(error)).lower()}") from None
        written.append(str(path))
    return tuple(written)
