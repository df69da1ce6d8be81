"""The environments of amsmath that are tables: their columns, fences and style."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType


@dataclass(frozen=True, slots=True)
class Environment:
    """A table. ``columns`` repeat; ``aligned`` ones come in pairs.

    ``argument``: what follows the name, "columns", "count" or nothing.
    """

    columns: str = "c"
    left: str = ""
    right: str = ""
    argument: str = ""
    aligned: bool = False
    display: bool = False


def _matrices() -> dict[str, Environment]:
    fences = {"": ("", ""), "p": "()", "b": "[]", "B": "{}", "v": "||", "V": "‖‖"}
    return {
        f"{letter}{size}matrix{star}": Environment(left=pair[0], right=pair[1])
        for letter, pair in fences.items()
        for size in ("", "small")
        for star in ("", "*")
    }


_ALIGNED = Environment("rl", aligned=True, display=True)
_CENTRED = Environment(display=True)

ENVIRONMENTS: Mapping[str, Environment] = MappingProxyType(
    {
        **_matrices(),
        "array": Environment(argument="columns"),
        "cases": Environment("l", left="{"),
        "dcases": Environment("l", left="{", display=True),
        "rcases": Environment("l", right="}"),
        **dict.fromkeys(("aligned", "align", "align*", "split"), _ALIGNED),
        **dict.fromkeys(("alignedat", "alignat", "alignat*"), Environment("rl", "", "", "count", True, True)),
        **dict.fromkeys(("gathered", "gather", "gather*", "equation", "equation*"), _CENTRED),
    }
)
