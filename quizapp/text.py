"""Text that may come from anywhere, made safe to show."""

from __future__ import annotations

import re
import unicodedata

# A whole escape sequence goes, not its first byte alone: CSI, then OSC, DCS and the like, then two-byte ones.
_ESCAPES = re.compile(
    r"(?:\x1b\[|\x9b)[0-?]*[ -/]*[@-~]"
    r"|(?:\x1b[\]PX^_]|[\x9d\x90\x98\x9e\x9f])[^\x07\x1b\x9c\n]*(?:\x07|\x1b\\|\x9c)?"
    r"|\x1b[ -/]*[0-~]?"
)
# What is left of C0 and C1, and the marks that reorder text behind a reader's back.
_CONTROLS = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069\ud800-\udfff]")
_SURROGATES = re.compile("[\ud800-\udfff]")

_DEVICES = re.compile(r"(?i)(con|prn|aux|nul|com\d|lpt\d)(\..*)?")
# Of a file's name, in characters and in bytes.
_LONGEST, _MOST_BYTES = 80, 200


def strip_controls(text: str) -> str:
    """``text`` without escape sequences and control characters; tabs and line ends stay."""
    return _CONTROLS.sub("", _ESCAPES.sub("", text))


def one_line(text: str) -> str:
    """``text`` as one line that a terminal can show: words of a foreign file may hold anything."""
    return strip_controls(" ".join(text.splitlines()))


def without_surrogates(text: str) -> str:
    """``text`` that can be written as UTF-8: pairs of surrogates joined, what is half a pair replaced."""
    if not _SURROGATES.search(text):
        return text
    return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")


def has_controls(text: str) -> bool:
    return bool(_CONTROLS.search(text))


def slug(text: str) -> str:
    """Words in lower case joined by hyphens; letters of any script stay."""
    plain = unicodedata.normalize("NFKC", text).lower()
    return re.sub(r"[^\w]+", "-", plain.replace("_", "-")).strip("-")


def file_slug(text: str) -> str:
    """A slug that is a file's name on every system, with room for an ending: short, and no device of Windows."""
    short = slug(text)[:_LONGEST].encode()[:_MOST_BYTES].decode("utf-8", "ignore").strip("-")
    return f"{short}-file" if is_device(short) else short


def is_device(name: str) -> bool:
    """Whether Windows keeps a file's name for a device, whatever its extension."""
    return _DEVICES.fullmatch(name) is not None
